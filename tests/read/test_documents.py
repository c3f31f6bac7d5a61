"""Reading documents: every format, every limit, and bad input reported without losing the neighbours."""

import bz2
import gzip
import json
import lzma
import os
import time
import zipfile
from pathlib import Path

import pytest

from likewise import Index
from likewise.errors import FormatError, InputError, OptionError
from likewise.read import ReadOptions, Skipped, documents
from likewise.segment import passages
from likewise.targets import mark

WIKI = '<doc id="12" url="http://e.org/12" title="A &amp; B">\nA & B\n\nFirst line.\nSecond line.\n</doc>\n'


def write(folder: Path, name: str, content: str | bytes) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def read(paths, **options):
    skipped: list[Skipped] = []
    found = list(documents(paths, options=ReadOptions(**options), on_skip=skipped.append))
    return found, skipped


def warc_record(
    body: bytes, headers: str = "Content-Type: text/html", status: str = "200 OK", kind="response"
) -> bytes:
    http = f"HTTP/1.1 {status}\r\n{headers}\r\n\r\n".encode() + body
    head = (
        f"WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Target-URI: http://e.org/x\r\nWARC-Date: 2020-01-01T00:00:00Z\r\n"
        f"WARC-Record-ID: <urn:uuid:0>\r\nContent-Type: application/http; msgtype=response\r\n"
        f"Content-Length: {len(http)}\r\n\r\n"
    )
    return head.encode() + http + b"\r\n\r\n"


def arc(*bodies: bytes) -> bytes:
    records = b"filedesc://x.arc 0.0.0.0 20200101000000 text/plain 15\n1 0 E.org\nURL\n\n\n"
    for body in bodies:
        response = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + body
        records += b"http://e.org/x 1.2.3.4 20200101000000 text/html %d\n" % len(response) + response + b"\n"
    return records


def epub(path: Path, chapters: dict[str, str], container: str | None = None) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("mimetype", "application/epub+zip")
        archive.writestr(
            "META-INF/container.xml",
            container
            or '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
            '<rootfile full-path="OPS/p.opf"/></rootfiles></container>',
        )
        items = "".join(
            f'<item id="c{n}" href="{name}" media-type="application/xhtml+xml"/>' for n, name in enumerate(chapters)
        )
        spine = "".join(f'<itemref idref="c{n}"/>' for n in range(len(chapters)))
        archive.writestr(
            "OPS/p.opf",
            '<package xmlns="http://www.idpf.org/2007/opf" xmlns:dc="http://purl.org/dc/elements/1.1/"><metadata>'
            f"<dc:title>Soups</dc:title></metadata><manifest>{items}</manifest><spine>{spine}</spine></package>",
        )
        for name, page in chapters.items():
            archive.writestr(f"OPS/{name}", page)
    return path


@pytest.mark.parametrize(
    ("name", "content", "texts"),
    [
        ("a.txt", "One.\r\n\r\nTwo.", ["One.\n\nTwo."]),
        ("a.txt", "\ufeffMarked.".encode(), ["Marked."]),
        ("a.txt", "naïve café".encode("cp1252"), ["naïve café"]),
        ("a.txt", "naïve".encode("utf-16"), ["naïve"]),
        ("a.txt.gz", gzip.compress(b"Packed."), ["Packed."]),
        ("misnamed.txt", gzip.compress(b"Packed all the same."), ["Packed all the same."]),
        ("a.md", "# Soup\n\nIt is *hot*.", ["Soup\n\nIt is hot."]),
        ("a.html", "<h1>Soup</h1><p>Hot.", ["Soup\n\nHot."]),
        ("noname", "<!DOCTYPE html><title>x</title><p>Hot.", ["Hot."]),
        ("noname", WIKI, ["A & B\n\nFirst line.\nSecond line."]),
        ("part.txt.gz", gzip.compress((WIKI * 2).encode()), ["A & B\n\nFirst line.\nSecond line."] * 2),
        ("a.jsonl", '{"text": "One."}\n\n{"text": "Two."}\n', ["One.", "Two."]),
        ("a.warc", warc_record(b"<p>Page."), ["Page."]),
        ("a.warc.gz", gzip.compress(warc_record(b"<p>1")) + gzip.compress(warc_record(b"<p>2")), ["1", "2"]),
        ("a.warc", warc_record(b"plain & <simple>", "Content-Type: text/plain"), ["plain & <simple>"]),
        ("a.warc", warc_record(gzip.compress(b"<p>Z."), "Content-Type: text/html\r\nContent-Encoding: gzip"), ["Z."]),
        (
            "a.warc",
            warc_record(b"4\r\n<p>C\r\n2\r\n!.\r\n0\r\n\r\n", "Content-Type: text/html\r\nTransfer-Encoding: chunked"),
            ["C!."],
        ),
        ("a.arc", arc(b"<p>One", b"<p>Two"), ["One", "Two"]),
        ("a.arc.gz", gzip.compress(arc(b"<p>One")), ["One"]),
        ("a.warc", warc_record("<p>é".encode("latin-1"), "Content-Type: text/html; charset=iso-8859-1"), ["é"]),
    ],
)
def test_every_format(tmp_path, name, content, texts):
    found, skipped = read(write(tmp_path, name, content))
    assert [document.text for document in found] == texts
    assert not skipped


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("empty.txt", b"", "no text"),
        ("blank.md", b" \n\n", "no text"),
        ("blank.html", b"<script>x()</script>", "no text"),
        ("a.bin", bytes(range(256)) * 4, "binary"),
        ("a.txt", b"\x7fELF\x00\x00\x01", "binary"),
        ("cut.txt.gz", gzip.compress(os.urandom(4_000).hex().encode())[:-2000], "truncated"),
        ("a.epub", b"no zip", "broken"),
        ("a.parquet", b"PAR1 but no more", "broken"),
        ("b.parquet", b"nothing of the kind", "broken"),
        ("a.warc", b"no archive", "broken"),
        ("a.zip", b"PK\x03\x04 something", "broken"),
        ("deep.html", b"<div>" * 1900 + b"x", "too deep"),
        ("big.html", b"<p>" + b"x" * 20_000, "too large"),
        ("line.txt", b"x" * 20_000, "too large"),
        ("a.warc", warc_record(b"GIF", "Content-Type: image/gif"), "media type"),
        ("a.warc", warc_record(b"<p>gone", status="404 Not Found"), "status"),
        ("a.warc", warc_record(b"<p>", "Content-Type: text/html\r\nContent-Encoding: br"), "encoding"),
        ("a.arc", arc(b"<p>One")[:-12], "truncated"),
        ("b.arc", arc(b"<p>One") + b"rubbish\n", "broken"),
        ("a.jsonl", b"{not json}\n", "broken"),
        ("b.jsonl", b'{"body": "x"}\n', "no text column"),
        ("c.jsonl", b'{"text": 7}\n', "no text column"),
        ("open.txt", b'<doc id="1">\ntext\n', "truncated"),
    ],
)
def test_bad_input_is_reported_and_neighbours_stay(tmp_path, name, content, reason):
    write(tmp_path, name, content)
    write(tmp_path, "z-good.txt", "Good.")
    found, skipped = read(tmp_path, max_bytes=10_000)
    assert [document.text for document in found if document.id == "z-good.txt"] == ["Good."]
    assert reason in {entry.reason for entry in skipped}
    with pytest.raises(FormatError, match=reason):
        list(documents(tmp_path, options=ReadOptions(strict=True, max_bytes=10_000)))


def test_bad_records_inside_a_file_leave_the_good_ones(tmp_path):
    rows = [
        '{"text": "One.", "id": "a"}',
        "{broken",
        "[]",
        json.dumps({"text": "x" * 600}),
        '{"text": "Two.", "id": "b"}',
    ]
    path = write(tmp_path, "a.jsonl", "\n".join(rows))
    stream = documents(path, options=ReadOptions(id="id", max_bytes=500))
    assert [document.id for document in stream] == ["a", "b"]
    assert stream.read == 2
    assert stream.skipped == {"broken": 2, "too large": 1}


def test_parquet(tmp_path):
    import pyarrow as pa
    import pyarrow.parquet as pq

    pq.write_table(pa.table({"body": ["One.", None, "Two."], "n": [1, 2, 3]}), tmp_path / "a.parquet")
    found, skipped = read(tmp_path, text_column="body")
    assert [(document.text, document.fields["n"]) for document in found] == [("One.", 1), ("Two.", 3)]
    assert [entry.reason for entry in skipped] == ["no text column"]
    _, skipped = read(tmp_path)
    assert skipped[0].reason == "no text column"
    assert "body" in skipped[0].detail


def test_epub_follows_its_spine_and_reports_a_bad_chapter(tmp_path):
    path = epub(tmp_path / "b.epub", {"two.xhtml": "<h1>Two</h1>", "deep.xhtml": "<div>" * 900, "one.xhtml": "<p>One"})
    found, skipped = read(path)
    assert [(document.text, document.book) for document in found] == [("Two", "Soups"), ("One", "Soups")]
    assert [entry.reason for entry in skipped] == ["too deep"]
    _, skipped = read(epub(tmp_path / "c.epub", {"a": "x"}, '<!DOCTYPE x [<!ENTITY a "b">]><container/>'))
    assert skipped[0].reason == "bomb"


def test_large_text_comes_in_parts_that_add_up(tmp_path):
    text = "".join(f"Paragraph number {n} has a few words.\n\n" for n in range(2000))
    found, skipped = read(write(tmp_path, "a.txt", text), max_bytes=10_000)
    assert not skipped
    assert "".join(document.text for document in found) == text
    assert all(len(document.text) <= 10_000 for document in found)
    assert len({document.id for document in found}) == len(found) > 5


def test_a_gzip_bomb_stops(tmp_path, monkeypatch):
    monkeypatch.setattr("likewise.read.open.BOMB_BYTES", 1 << 20)
    path = tmp_path / "bomb.txt.gz"
    with gzip.open(path, "wb") as file:
        for _ in range(64):
            file.write(b"word " * 100_000)
    _, skipped = read(path, max_bytes=1 << 16)
    assert "bomb" in {entry.reason for entry in skipped}


def test_paths(tmp_path):
    write(tmp_path, "b/x.txt", "B")
    write(tmp_path, "a/x.txt", "A")
    write(tmp_path, ".hidden/x.txt", "H")
    write(tmp_path, "list", f"{tmp_path}/b/x.txt\n{tmp_path}/gone.txt\n")
    assert [d.id for d in read(tmp_path / "a")[0]] == ["x.txt"]
    assert [d.text for d in read([tmp_path / "b", tmp_path / "a", tmp_path / "b" / "x.txt"])[0]] == ["B", "A"]
    assert [d.text for d in read(f"{tmp_path}/*/x.txt")[0]] == ["A", "B"]
    found, skipped = read(f"@{tmp_path}/list")
    assert [d.text for d in found] == ["B"]
    assert [(entry.reason, entry.detail) for entry in skipped] == [("unreadable", "no such file")]
    for wrong in (tmp_path / "nothing", f"{tmp_path}/*.nothing", []):
        with pytest.raises(InputError):
            read(wrong)
    with pytest.raises(OptionError, match="encoding"):
        read(tmp_path, encoding="klingon")


def test_what_likewise_wrote_inside_a_folder_is_told_and_not_read(tmp_path):
    write(tmp_path, "a.txt", "Red fish swim in the sea.")
    write(tmp_path, "shop/manifest.json", '[{"text": "A folder", "format": 1, "version": 2}]')
    mark(write(tmp_path, "made/b.txt", "Blue fish.").parent)
    found, skipped = read(tmp_path, strict=True)
    assert [document.id for document in found] == ["a.txt", "shop/manifest.json#1"]
    assert [(one.source, one.reason) for one in skipped] == [(str(tmp_path / "made"), "output")]
    assert [document.id for document in read(tmp_path / "made")[0]] == ["b.txt"]


def test_ids_are_distinct_across_folders(tmp_path):
    write(tmp_path, "b/x.txt", "B")
    write(tmp_path, "a/x.txt", "A")
    found, _ = read([tmp_path / "a", tmp_path / "b"])
    assert len({document.id for document in found}) == 2


def test_language(tmp_path):
    write(
        tmp_path,
        "en.txt",
        "The committee has decided that the meeting will take place in the town hall next week. " * 5,
    )
    write(
        tmp_path,
        "de.txt",
        "Der Ausschuss hat beschlossen, dass die Sitzung im Rathaus der Stadt stattfinden wird. " * 5,
    )
    found, skipped = read(tmp_path, only_language="en")
    assert [document.id for document in found] == ["en.txt"]
    assert [entry.reason for entry in skipped] == ["language"]


def test_a_file_of_one_endless_line_is_skipped_in_little_memory(tmp_path):
    path = tmp_path / "line.txt"
    with open(path, "wb") as file:
        file.truncate(0)
        for _ in range(40):
            file.write(b"word " * 100_000)
        file.write(b"\nAfter it.\n")
    found, skipped = read(path, max_bytes=1 << 20)
    assert [document.text.strip() for document in found] == ["After it."]
    assert [entry.reason for entry in skipped] == ["too large"]


HOSTILE = {
    "nested": "<div>" * 200_000,
    "stray ends": "<div></x>" * 200_000,
    "behind barriers": "<div><object></div>" * 100_000,
    "foreign style": "<svg><style>" + "<div>" * 200_000,
    "odd comment": "<!-- --!>" + "<div>" * 200_000,
    "formatting": "".join(f"<div><b id={n}></div>" for n in range(50_000)),
    "script in capitals": "<script></SCRIPT>" + "<div>" * 200_000 + "<script></script>",
    "only brackets": "<" * 1_000_000,
    "open tags": "<a " * 500_000,
    "open comments": "<!--" * 500_000,
    "open scripts": "<script>" * 200_000,
    "table cells": "<table><tr><td>x" + "<td>x" * 50_000,
    "tables": "<table><tr><td>" * 50_000,
    "entities": "&amp;&#x0;&bogus;" * 50_000,
    "attributes": "<p " + "".join(f"a{n}=1 " for n in range(200_000)) + ">x",
    "odd attributes": "<p " + "".join(f"a<{n} " for n in range(200_000)) + ">x",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_html_is_read_or_refused_in_time(tmp_path, name):
    path = write(tmp_path, "page.html", HOSTILE[name])
    started = time.thread_time()
    found, skipped = read(path)
    assert len(found) + len(skipped) == 1
    assert time.thread_time() - started < 15


@pytest.mark.parametrize(
    "text",
    [
        "`" * 100_000,
        "*a " * 100_000,
        "[" * 100_000,
        "_a " * 100_000,
        "``a ` " * 50_000,
        "<!--" * 50_000,
        "> " * 50_000,
        "**a" * 50_000,
    ],
)
def test_hostile_markdown_is_read_in_time(tmp_path, text):
    started = time.thread_time()
    read(write(tmp_path, "a.md", text))
    assert time.thread_time() - started < 15


@pytest.mark.parametrize("name", ["slow.html", "slow.md", "slow.warc", "slow.epub"])
def test_a_document_over_its_time_is_skipped_and_its_neighbours_are_kept(tmp_path, name, monkeypatch):
    """Time goes by while a page is parsed that says so; no test should wait for it."""
    from likewise.read import deadline

    now = [0.0]
    monkeypatch.setattr(deadline.time, "thread_time", lambda: now[0])
    slow, quick = "<p>This page is slow.</p>", "<p>This one is quick.</p>"
    if name == "slow.warc":
        write(tmp_path, name, warc_record(slow.encode()) + warc_record(quick.encode()))
    elif name == "slow.epub":
        epub(tmp_path / name, {"a.xhtml": slow, "b.xhtml": quick})
    else:
        write(tmp_path, name, "This page is slow.\n\nIndeed.\n" if name.endswith("md") else slow)
        write(tmp_path, "z.html", quick)

    def passes(real):
        def parse(page, *rest):
            now[0] += 31 if "slow" in page else 0
            return real(page, *rest)

        return parse

    for module, function in (("html", "too_deep"), ("markdown", "parse")):
        target = f"likewise.read.{module}.{function}"
        monkeypatch.setattr(target, passes(getattr(__import__(f"likewise.read.{module}", fromlist=["x"]), function)))
    found, skipped = read(tmp_path)
    assert [document.text for document in found] == ["This one is quick."]
    assert [(skip.reason, skip.detail) for skip in skipped] == [("time limit", "more than 30 s of processor time")]
    found, skipped = read(tmp_path, max_seconds=32)
    assert len(found) == 2
    assert not skipped


def test_real_time_counts(tmp_path):
    write(tmp_path, "a.html", "<table><tr><td>words" * 20_000)
    found, skipped = read(tmp_path, max_seconds=0.001, max_depth=10**6)
    assert not found
    assert [skip.reason for skip in skipped] == ["time limit"]


def test_columns_may_have_any_name(tmp_path):
    """Columns called like what a document itself knows are the user's, and change nothing."""
    row = {"text": "One. Two.\n\nThree.", "format": "markdown", "layout": "lines", "book": 7, "title": "T"}
    (document,), _ = read(write(tmp_path, "a.jsonl", json.dumps(row)))
    assert document.fields == {"format": "markdown", "layout": "lines", "book": 7, "title": "T"}
    assert (document.format, document.layout, document.book, document.title) == ("jsonl", "", "", "T")
    assert [passage.kind for passage in passages(document)] == ["paragraph", "paragraph"]


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress])
def test_a_book_inside_a_compressed_file(tmp_path, pack):
    book = epub(tmp_path / "soups.epub", {"1.xhtml": "<p>Hot.", "2.xhtml": "<p>Cold."})
    (tmp_path / "packed").write_bytes(pack(book.read_bytes()))
    found = documents(tmp_path / "packed", strict=True)
    assert [(one.id, one.text) for one in found] == [("packed#OPS/1.xhtml", "Hot."), ("packed#OPS/2.xhtml", "Cold.")]


def test_scripts_and_style_sheets_are_no_documents_even_where_they_lead_nowhere(tmp_path):
    (tmp_path / "a.js").write_text("soup()")
    (tmp_path / "jquery.js").symlink_to("nowhere.js")
    (tmp_path / "gone.txt").symlink_to("nowhere.txt")
    stream = documents(tmp_path)
    assert list(stream) == []
    assert stream.skipped == {"no document": 2, "unreadable": 1}


def test_half_a_character_anywhere_in_json_is_a_question_mark(tmp_path):
    """In a name or a value beside the text, it ended `index` with a traceback: no encoding can write it."""
    lines = [
        '{"text": "soup \\ud800 is hot", "\\udc00": {"a": ["\\uD8AA"]}}',
        '{"text": "bread", "face": "\\ud83d\\ude00", "said": "\\\\ud800"}',
    ]
    (tmp_path / "a.jsonl").write_text("\n".join(lines))
    found = list(documents(tmp_path))
    assert [one.text for one in found] == ["soup ? is hot", "bread"]
    assert [one.fields for one in found] == [{"?": {"a": ["?"]}}, {"face": "\U0001f600", "said": "\\ud800"}]
    Index.build(found, path=tmp_path / "index")
