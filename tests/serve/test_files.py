import asyncio
import os
import secrets
import tempfile
from pathlib import Path

import pyarrow as pa
import pytest

from likewise.errors import InputError, StorageError
from likewise.serve.download import TYPES, download
from likewise.serve.folder import Folder, UnknownItemError, plain_name


@pytest.mark.parametrize(
    ("given", "safe"),
    [
        ("a.csv", "a.csv"),
        ("../../etc/passwd.csv", "passwd.csv"),
        ("C:\\data\\x.csv", "x.csv"),
        (".hidden.csv", "hidden.csv"),
        ("a\x00b\n.csv", "a_b_.csv"),
        ("Büro & Söhne.csv", "Büro _ Söhne.csv"),
        ("名前.csv", "名前.csv"),
    ],
)
def test_plain_name(given, safe):
    assert plain_name(given) == safe


@pytest.mark.parametrize("given", ["", ".", "..", "/", "...", "///", "\x00", "___"])
def test_plain_name_refuses(given):
    with pytest.raises(InputError):
        plain_name(given)


def test_long_names_keep_their_ending():
    assert plain_name("ü" * 300 + ".csv").endswith(".csv")
    assert len(plain_name("ü" * 300 + ".csv").encode()) <= 120


def test_nothing_outside_is_found(tmp_path):
    inside = tmp_path / "in"
    inside.mkdir()
    (tmp_path / "secret.csv").write_text("x")
    (inside / "link.csv").symlink_to(tmp_path / "secret.csv")
    (inside / "up").symlink_to(tmp_path)
    folder = Folder(inside)
    names = ["../secret.csv", "link.csv", "up", ".likewise", "..", ".", "", "a/b", "\x00", "x" * 5000, "in\\x"]
    for name in names:
        with pytest.raises(UnknownItemError):
            folder.find(name)
    assert folder.items() == []


def test_what_is_no_file_or_too_deep_holds_nobody_up(tmp_path):
    os.mkfifo(tmp_path / "pipe.html")  # to open it is to wait for a writer
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "manifest.json").write_text("[" * 100_000)
    folder = Folder(tmp_path)
    assert [(item.name, item.kind) for item in folder.items()] == [("deep", "folder")]
    with pytest.raises(UnknownItemError):
        folder.find("pipe.html")


@pytest.mark.parametrize("place", ["", "uploads", "jobs", "state.sqlite"])
def test_what_the_service_keeps_is_not_written_through_a_link(tmp_path, place):
    inside, outside = tmp_path / "in", tmp_path / "out"
    for path in (inside, outside):
        path.mkdir()
    link = inside / ".likewise" / place
    link.parent.mkdir(exist_ok=True)
    link.symlink_to(outside)
    with pytest.raises(StorageError, match="is a link"):
        Folder(inside)


def test_a_table_that_was_not_taken_away_does_not_stay(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    table = pa.table({"x": ["a"] * 100})
    scope = {"type": "http", "method": "GET", "headers": [], "extensions": {}, "asgi": {"spec_version": "2.4"}}

    async def gone(message):
        raise asyncio.CancelledError

    for format_ in TYPES:
        answer = download(table, "x", format_)
        assert len(list(tmp_path.iterdir())) == 1
        with pytest.raises(asyncio.CancelledError):
            asyncio.run(answer(scope, None, gone))
        assert list(tmp_path.iterdir()) == []
    monkeypatch.setattr(pa.ipc, "new_file", None)
    with pytest.raises(TypeError):
        download(table, "x", "arrow")
    assert list(tmp_path.iterdir()) == []


def test_upload_look_delete(client, tmp_path):
    token = secrets.token_hex(8)
    made = client.put("/api/files/vendors.csv", content=f"name,city\n{token},Basel\n".encode())
    assert made.status_code == 201
    assert made.json() == {"name": "vendors.csv", "kind": "table", "bytes": 33, "uploaded": True}
    seen = client.get("/api/files/vendors.csv").json()
    assert (seen["columns"], seen["rows"]) == (["name", "city"], 1)
    assert seen["preview"] == [{"name": token, "city": "Basel"}]
    assert str(tmp_path) not in str(seen)
    client.put("/api/files/vendors.csv", content=b"name,city\nA,B\nC,D\n")
    assert client.get("/api/files/vendors.csv").json()["rows"] == 2
    assert client.delete("/api/files/vendors.csv").status_code == 204
    assert client.get("/api/files/vendors.csv").status_code == 404


def test_uploads_are_refused(client, tmp_path):
    assert client.put("/api/files/run.sh", content=b"x").status_code == 422
    assert client.put("/api/files/%2e%2e", content=b"x").status_code in (404, 405, 422)
    assert client.get("/api/files/empty.csv").status_code == 404
    client.put("/api/files/empty.csv", content=b"")
    answer = client.get("/api/files/empty.csv")
    assert answer.status_code == 422
    assert str(tmp_path) not in answer.text


def test_own_files_are_not_deleted(client, tmp_path):
    (tmp_path / "mine.csv").write_text("name\nA\n")
    assert client.delete("/api/files/mine.csv").status_code == 422
    assert (tmp_path / "mine.csv").exists()


def test_links_in_a_circle_are_passed_over(client, tmp_path):
    (tmp_path / "a").symlink_to(tmp_path / "b")
    (tmp_path / "b").symlink_to(tmp_path / "a")
    answer = client.get("/api/files")
    assert answer.status_code == 200
    assert not {"a", "b"} & {item["name"] for item in answer.json()["files"]}
    assert client.get("/api/files/a").status_code == 404


def test_a_parquet_file_whose_names_are_broken_is_a_file(client, tmp_path):
    broken = Path(__file__).parent.parent / "fuzz" / "corpus" / "read.parquet" / "624b72235d7f"
    (tmp_path / "broken.parquet").write_bytes(broken.read_bytes())
    files = {one["name"]: one["kind"] for one in client.get("/api/files").json()["files"]}
    assert files["broken.parquet"] == "file"


@pytest.mark.parametrize("name", [b"bad\xff.csv", b"two\nlines.csv", "gnp\u202e.csv".encode(), b"back\\slash.csv"])
def test_what_no_request_can_name_is_not_listed(client, tmp_path, name):
    try:
        (tmp_path / os.fsdecode(name)).write_text("name\nA\n")
    except (OSError, UnicodeError):
        pytest.skip("the file system refuses the name")
    (tmp_path / "mine.csv").write_text("name\nA\n")
    answer = client.get("/api/files")
    assert answer.status_code == 200
    assert [one["name"] for one in answer.json()["files"]] == ["mine.csv"]


def test_small_files_have_a_size(client, tmp_path):
    for name, size in (("small.csv", 12), ("one.csv", 1), ("more.csv", 45_678)):
        (tmp_path / name).write_bytes(b"x" * size)
    page = client.get("/").text
    assert all(f">{size}<" in page for size in ("12 bytes", "1 byte", "46 kB"))
    assert ">0 kB<" not in page
