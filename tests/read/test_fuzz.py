"""Mutated pages and archives: none crashes the reader, takes long, or loses the documents beside it."""

import gzip
import random
import tarfile
from pathlib import Path

import pytest
from tests.fuzz.run import mutate
from tests.read.test_formats import DOCX, ODT, PAGES, RST, pack, pdf

from likewise.read import documents
from likewise.segment import passages

PAGE = b"""<!DOCTYPE html><html><head><title>Soups</title><meta charset=utf-8></head><body><nav><a href=/>Home</a></nav>
<h1>Soups &amp; stocks</h1><p>A soup is <b>hot</b>.<ul><li>one<li>two</ul><table><tr><th>a<td>b</table>
<pre>code &lt; x</pre><script>var a = "<p>";</script><p>The end.</body></html>"""
HTTP = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + PAGE
RECORD = (
    b"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://e.org/\r\nWARC-Date: 2020-01-01T00:00:00Z\r\n"
    b"WARC-Record-ID: <urn:uuid:0>\r\nContent-Type: application/http; msgtype=response\r\nContent-Length: "
    + str(len(HTTP)).encode()
    + b"\r\n\r\n"
    + HTTP
    + b"\r\n\r\n"
)


def survive(folder: Path, seeds: list[tuple[str, bytes]], rounds: int) -> None:
    chance, others = random.Random(7), [seed for _, seed in seeds]
    (folder / "a-good.txt").write_text("Good text one.")
    (folder / "z-good.txt").write_text("Good text two.")
    for number in range(rounds):
        name, seed = chance.choice(seeds)
        path = folder / name
        path.write_bytes(mutate(seed, others, chance))
        found = {}
        for document in documents(folder):
            found[document.id] = document.text
            document.text.encode()
            passages(document)
        assert found["a-good.txt"] == "Good text one.", (number, name)
        assert found["z-good.txt"] == "Good text two.", (number, name)
        path.unlink()


def test_small_seeds_of_our_own(tmp_path):
    packed = gzip.compress(RECORD) + gzip.compress(RECORD)
    survive(tmp_path, [("m.html", PAGE), ("m.warc", RECORD * 3), ("m.warc.gz", packed)], 400)


def test_every_format_of_other_programs(tmp_path):
    files = {"m.docx": DOCX, "m.odt": ODT, "m.zip": {"b.md": "# B", "c.rst": RST}}
    seeds = [(name, pack(tmp_path / "m", content).read_bytes()) for name, content in files.items()]
    (tmp_path / "m").unlink()
    seeds += [(f"m{name[name.index('.') :]}", content.encode()) for name, (content, _, _) in PAGES.items()]
    book = pdf([(10, 10, "One line"), (10, 30, "another")], outline=[("One line", 0, 0, [("another", 0, 20, ())])])
    survive(tmp_path, [*seeds, ("m.pdf", book)], 400)


@pytest.mark.data
def test_real_pages_and_archives(tmp_path, data):
    with tarfile.open(next((data / "web" / "pages").glob("*.tar.gz"))) as archive:
        members = [member for member in archive if member.isfile() and member.size < 150_000]
        seeds = [("m.html", archive.extractfile(member).read()) for member in members[:40]]
    archives = [path for path in sorted((data / "web" / "warc").iterdir()) if path.stat().st_size < 60_000]
    seeds += [(f"m{''.join(path.suffixes[-2:])}", path.read_bytes()) for path in archives]
    survive(tmp_path, seeds, 150)
