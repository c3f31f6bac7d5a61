"""Folders and WARC files where a table is asked for."""

import gzip
import tarfile
import zipfile

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import likewise as lw
from likewise.errors import FormatError
from likewise.read.corpus import is_corpus
from likewise.read.tables import TableOptions, read_table

FISH = "Red fish swim in the river behind the old mill, and blue ones swim in the lake beyond the hill."


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "deep").mkdir()
    (tmp_path / "a.txt").write_text(FISH, "utf-8")
    (tmp_path / "deep" / "b.html").write_text(f"<html><body><p>{FISH}</p></body></html>", "utf-8")
    (tmp_path / "c.md").write_text("# Birds\n\nNothing of the kind is said about birds.", "utf-8")
    (tmp_path / "d.bin").write_bytes(bytes(range(256)) * 9)
    return tmp_path


def test_a_folder_is_a_table_of_its_documents(folder):
    records = read_table(folder)
    assert records.ids.to_pylist() == ["a.txt", "c.md", "deep/b.html"]
    assert records.columns == ["text", "title"]
    assert records.comparable == ["text"]
    assert records.table["title"].to_pylist() == [None, "Birds", None]
    assert [one.reason for one in records.skipped] == ["binary"]
    assert records.notes == (f"{folder}: 3 documents, compared by their text", f"skipped {folder}/d.bin: binary")
    with pytest.raises(FormatError, match="binary"):
        read_table(folder, TableOptions(strict=True))


def test_documents_are_deduplicated(folder):
    found = lw.dedupe(folder, min_score=0.8)
    assert sorted(len(cluster.ids) for cluster in found) == [1, 2]
    assert found.canonical.column_names == ["id", "text", "title"]
    assert found.canonical.num_rows == 2


def test_a_folder_of_tables_is_one_table(tmp_path):
    for part in range(3):
        pq.write_table(pa.table({"text": [f"part {part}", "the same"]}), tmp_path / f"{part}.parquet")
    assert not is_corpus(str(tmp_path))
    assert read_table(tmp_path).table["text"].to_pylist() == [
        "part 0",
        "the same",
        "part 1",
        "the same",
        "part 2",
        "the same",
    ]


def test_a_warc_file_is_a_table_of_its_pages(tmp_path):
    records = b""
    for number in range(2):
        http = f"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>{FISH}</p>".encode()
        head = f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://a.org/{number}\r\n"
        head += f"Content-Type: application/http; msgtype=response\r\nContent-Length: {len(http)}\r\n"
        head += f"WARC-Record-ID: <urn:uuid:{number}>\r\nWARC-Date: 2020-01-01T00:00:00Z\r\n\r\n"
        records += gzip.compress(head.encode() + http + b"\r\n\r\n")
    path = tmp_path / "crawl.warc.gz"
    path.write_bytes(records)
    found = lw.dedupe(path, min_score=0.8)
    assert [len(cluster.ids) for cluster in found] == [2]
    assert found.canonical.column_names == ["id", "text", "url"]
    assert found.canonical["url"].to_pylist() in (["http://a.org/0"], ["http://a.org/1"])


def test_what_is_known_of_documents_stays_with_those_that_are_kept(tmp_path):
    message = "From a@x.org Mon Jan  1 10:00:00 2024\nFrom: {0}\nDate: Mon, 1 Jan 2024\nSubject: {0} {1}\n\n{2}\n\n"
    box = "".join(message.format(who, word, FISH) for who in ("ada", "kurt") for word in ("fish", "mill"))
    (tmp_path / "box.mbox").write_text(box)
    here = lw.dedupe(tmp_path / "box.mbox", min_score=0.8, state=tmp_path / "state", id="id")
    there = lw.dedupe(tmp_path / "box.mbox", min_score=0.8, engine="duckdb")
    assert here.canonical.column_names == ["id", "text", "title", "date", "from"]
    assert here.canonical.num_rows == 1  # titles and senders are not compared
    assert there.canonical.equals(here.canonical)
    (tmp_path / "more.mbox").write_text(message.format("emmy", "news", FISH))
    assert len(lw.dedupe(tmp_path / "state", add=tmp_path / "more.mbox")) == 1
    assert len(lw.dedupe(tmp_path / "box.mbox", on=["title"], min_score=0.99)) == 4


def test_an_archive_is_a_table_of_what_is_inside(folder, tmp_path_factory):
    place = tmp_path_factory.mktemp("archives")
    with zipfile.ZipFile(place / "all.zip", "w") as archive:
        for name in ("a.txt", "c.md", "deep/b.html"):
            archive.write(folder / name, name)
    with tarfile.open(place / "all.tar.gz", "w:gz") as archive:
        archive.add(folder / "deep", "deep")
        archive.add(folder / "a.txt", "a.txt")
    for name, kept in (("all.zip", 2), ("all.tar.gz", 1)):
        here = lw.dedupe(place / name, min_score=0.8).canonical
        assert here.num_rows == kept
        assert here["id"][0].as_py().startswith(name)
        assert lw.dedupe(place / name, min_score=0.8, engine="duckdb").canonical.equals(here)
