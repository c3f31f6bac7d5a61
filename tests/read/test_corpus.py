"""Folders and WARC files where a table is asked for."""

import gzip
import tarfile
import zipfile

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import likewise as lw
from likewise.errors import FormatError, InputError
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


def zipped(path, **files):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name.replace("_", "."), content)
    return path


@pytest.mark.parametrize("ending", ["csv", "tsv", "json", "jsonl", "parquet", "xlsx"])
def test_an_archive_of_one_table_is_that_table(tmp_path, ending):
    """As pandas and the Finder pack it: it was refused for want of a column 'text'."""
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"name": ["Ada", "Ada", "Grace"], "city": ["Ulm", "Ulm", None]})
    write = {
        "csv": lambda path: frame.to_csv(path, index=False, compression="zip"),
        "tsv": lambda path: frame.to_csv(path, index=False, sep="\t", compression="zip"),
        "json": lambda path: frame.to_json(path, compression="zip"),
        "jsonl": lambda path: frame.to_json(path, orient="records", lines=True, compression="zip"),
    }
    path = tmp_path / f"t.{ending}.zip"
    if ending in write:
        write[ending](path)
    else:
        if ending == "xlsx":
            pytest.importorskip("openpyxl")
        write = frame.to_excel if ending == "xlsx" else frame.to_parquet
        write(tmp_path / f"t.{ending}", index=False)
        zipped(path, **{f"t_{ending}": (tmp_path / f"t.{ending}").read_bytes()})
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("__MACOSX/._t.csv", b"\0\5\x16\7")
    records = read_table(path)
    assert not is_corpus(str(path))
    assert records.table.to_pydict() == {"name": ["Ada", "Ada", "Grace"], "city": ["Ulm", "Ulm", None]}
    assert [cluster.ids for cluster in lw.dedupe(path, min_score=1.0)] == [(0, 1), (2,)]
    assert len(lw.dedupe(path, min_score=1.0, engine="duckdb")) == 2
    assert len(read_table(str(tmp_path / "*.zip"))) == 3
    path.rename(tmp_path / "t.data")  # the first bytes count
    assert len(read_table(tmp_path / "t.data")) == 3


def test_an_id_that_comes_twice_in_an_archive_is_said_with_its_line(tmp_path):
    path = zipped(tmp_path / "t.zip", t_csv="id,name\n1,Ada\n\n1,Ida\n")
    with pytest.raises(InputError, match=r"occurs more than once .line 2 and line 4"):
        read_table(path, id="id")


def test_an_archive_of_several_tables_or_of_a_text_stays_one_of_documents(tmp_path):
    table = "text,name\nSome words,Ada\nMore words,Ida\n"
    for files in ({"a_csv": table, "b_csv": table}, {"a_csv": table, "b_txt": "Words."}, {"b_txt": "Words."}):
        path = zipped(tmp_path / "t.zip", **files)
        assert is_corpus(str(path))
        assert read_table(path).compared == ("text",)
    zipped(tmp_path / "t.zip", a_csv=b"id,name\n1,Ada\n", b_csv=b"id,name\n1,Ada\n")
    with pytest.raises(
        FormatError, match=r"no text column.*name it alone, or a folder of nothing but tables; unpack it"
    ):
        lw.dedupe(tmp_path / "t.zip", min_score=0.9)


def test_a_bomb_and_a_damaged_table_in_an_archive_are_refused(tmp_path):
    path = tmp_path / "t.csv.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive, archive.open("t.csv", "w") as file:
        file.write(b"a,b\n")
        for _ in range(80):
            file.write(b"1,2\n" * (1 << 18))
    with pytest.raises(FormatError, match=r"bomb .more than 250 times its compressed size"):
        read_table(path)
    data = path.read_bytes()
    claimed = data.rfind(b"PK\1\2") + 20  # how large it is packed, in the directory
    path.write_bytes(data[:claimed] + (1 << 30).to_bytes(4, "little") + data[claimed + 4 :])
    with pytest.raises(FormatError, match="bomb"):
        read_table(path)
    zipped(path, t_csv="name,city\n" + "Ada,Ulm\n" * 99)
    data = path.read_bytes()
    path.write_bytes(data[:45] + bytes([data[45] ^ 255]) + data[46:])
    with pytest.raises(FormatError, match=r"t\.csv\.zip: broken"):
        read_table(path)
