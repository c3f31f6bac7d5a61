"""Large files in pieces: together they give what the whole gives, documents, ids and reports alike."""

import gzip
import io
import json
import random
import tarfile
import zipfile
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from likewise.read import ReadOptions
from likewise.read.documents import read_file
from likewise.read.pieces import pieces


def both_ways(path: Path, size: int, **options):
    """Documents and skips of the whole, the same of the pieces one after the other, and how many pieces there are."""
    options = ReadOptions(**options)
    cut = pieces(path, path.name, options, size)
    made = []
    for parts in ([None], cut or [None]):
        skipped = []
        documents = [d for piece in parts for d in read_file(path, path.name, options, skipped.append, piece)]
        made.append((documents, skipped))
    return made[0], made[1], len(cut)


def wiki(draw: random.Random, count: int) -> bytes:
    parts = []
    for number in range(count):
        text = "\n".join("a <doc of words" * draw.randrange(9) for _ in range(draw.randrange(4)))
        end = "" if draw.random() < 0.1 else "</doc>\n"
        parts.append(f'<doc id="{number * 7}" title="T">\n{text}\n{end}')
    return "".join(parts).encode()


def jsonl(draw: random.Random, count: int) -> bytes:
    lines = []
    for number in range(count):
        row = json.dumps({"text": "word " * draw.randrange(30), "n": number})
        lines.append(draw.choice([row] * 8 + ["", "no json", json.dumps({"text": "long " * 20_000})]))
    return "\n".join(lines).encode() + draw.choice([b"", b"\n"])


def text(draw: random.Random, count: int) -> bytes:
    lines = ["word " * draw.choice([1, 5, 60, 300]) for _ in range(count)]
    return "".join(line + draw.choice(["\n", "\n\n", "\r\n", " "]) for line in lines).encode()


KINDS = {"a.txt": text, "a.jsonl": jsonl, "part-0": wiki}


@pytest.mark.parametrize("name", KINDS)
@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("seed", range(6))
def test_pieces_give_what_the_whole_gives(tmp_path, name, packed, seed):
    draw = random.Random(seed)
    data = KINDS[name](draw, 300)
    path = tmp_path / (name + ".gz" if packed else name)
    path.write_bytes(gzip.compress(data) if packed else data)
    for size in (1, 100, 3000, 20_000):
        whole, apart, count = both_ways(path, size, max_bytes=draw.choice([400, 2000, 30_000]))
        assert whole == apart
        assert count <= 8 or not packed
    assert whole[0]


@settings(max_examples=60, deadline=None)
@given(
    data=st.binary(max_size=300), size=st.integers(1, 40), limit=st.integers(1, 50), kind=st.sampled_from(list(KINDS))
)
def test_any_bytes_are_read_alike(tmp_path_factory, data, size, limit, kind):
    path = tmp_path_factory.mktemp("bytes") / kind
    path.write_bytes(data.replace(b"\x00", b"\n").replace(b"\x01", b"\n<doc ").replace(b"\x02", b"\n</doc>\n"))
    whole, apart, _ = both_ways(path, size, max_bytes=limit, format={"part-0": "wiki"}.get(kind, "auto"))
    assert whole == apart


def test_parquet_is_cut_between_row_groups(tmp_path):
    path = tmp_path / "rows.parquet"
    table = pa.table({"text": [f"row {n} " * 20 for n in range(1000)]})
    pq.write_table(table, path, row_group_size=90)
    whole, apart, count = both_ways(path, 4000)
    assert whole == apart
    assert count > 3
    assert whole[0][500].id == "rows.parquet#501"


def page(number: int) -> bytes:
    words = " ".join(f"w{random.Random(number).random()}" for _ in range(60))
    return f"<html><title>T{number}</title><body><p>Page {number} {words}</p></body></html>".encode()


def warc(count: int, packed: bool) -> bytes:
    """Responses after a record of another kind, one with a status that is skipped."""
    records = [b"WARC/1.0\r\nWARC-Type: warcinfo\r\nContent-Length: 3\r\n\r\na: \r\n\r\n"]
    for number in range(count):
        status = b"404 Not Found" if number % 7 == 3 else b"200 OK"
        body = b"HTTP/1.1 " + status + b"\r\nContent-Type: text/html\r\n\r\n" + page(number)
        head = f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://a.test/{number}\r\n"
        head += f"Content-Type: application/http; msgtype=response\r\nContent-Length: {len(body)}\r\n\r\n"
        records.append(head.encode() + body + b"\r\n\r\n")
    return b"".join(gzip.compress(one) if packed else one for one in records)


def tar(count: int) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.GNU_FORMAT) as archive:
        for number in range(count):
            entry = tarfile.TarInfo(
                f"{'long/' * (30 if number % 5 == 2 else 1)}{number}.{'bin' if number == 4 else 'html'}"
            )
            data = bytes(50) if number == 4 else page(number)
            entry.size = len(data)
            archive.addfile(entry, io.BytesIO(data))
    return out.getvalue()


def zipped(count: int, *, book: bool) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        if book:
            archive.writestr("mimetype", "application/epub+zip")
            archive.writestr("META-INF/container.xml", '<container><rootfile full-path="o/p.opf"/></container>')
            kind = "application/xhtml+xml"
            items = "".join(f'<item id="i{n}" href="{n}.html" media-type="{kind}"/>' for n in range(count))
            spine = "".join(f'<itemref idref="i{n}"/>' for n in reversed(range(count)))
            archive.writestr("o/p.opf", f"<package><manifest>{items}</manifest><spine>{spine}</spine></package>")
        for number in range(count):
            if number != 5:  # a chapter that the spine names and the archive lacks
                archive.writestr(f"{'o/' if book else ''}{number}.html", page(number))
    return out.getvalue()


ARCHIVES = {
    "a.warc": lambda: warc(40, packed=False),
    "a.warc.gz": lambda: warc(40, packed=True),
    "a.tar": lambda: tar(40),
    "a.tar.gz": lambda: gzip.compress(tar(40)),
    "a.zip": lambda: zipped(40, book=False),
    "a.epub": lambda: zipped(40, book=True),
}


@pytest.mark.parametrize("name", ARCHIVES)
@pytest.mark.parametrize("cut", [0, 700])
def test_archives_are_cut_between_their_files(tmp_path, name, cut):
    path = tmp_path / name
    data = ARCHIVES[name]()
    path.write_bytes(data[: len(data) - cut] if cut and "gz" not in name else data)
    for size in (1, 3000, 20_000):
        whole, apart, count = both_ways(path, size)
        assert whole == apart
        assert size > 1 or count > 5 or (cut and path.suffix in (".zip", ".epub"))  # they cannot be opened then
    assert len(whole[0]) > 20 or cut


def test_an_archive_compressed_as_a_whole_stays_whole(tmp_path):
    path = tmp_path / "a.warc.gz"
    path.write_bytes(gzip.compress(warc(40, packed=False)))
    assert pieces(path, path.name, ReadOptions(), 100) == []


def test_a_truncated_file_is_reported_once_by_its_last_piece(tmp_path):
    path = tmp_path / "a.jsonl.gz"
    rows = "".join(json.dumps({"text": f"{random.Random(n).random()} words"}) + "\n" for n in range(3000))
    path.write_bytes(gzip.compress(rows.encode())[:-2000])
    whole, apart, count = both_ways(path, 10_000)
    assert whole == apart
    assert count > 1
    assert [skip.reason for skip in apart[1]] == ["truncated"]


@pytest.mark.parametrize("name", ["a.html", "a.md", "missing.txt", "zeros.txt", "no.parquet"])
def test_what_cannot_be_cut_stays_whole(tmp_path, name):
    path = tmp_path / name
    if name != "missing.txt":
        path.write_bytes(bytes(9000) if name == "zeros.txt" else b"<p>Some words.</p>\n" * 999)
    assert pieces(path, name, ReadOptions(), 100) == []
