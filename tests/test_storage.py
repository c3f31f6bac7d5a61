"""Nothing of a user's is destroyed."""

import errno
import os
import subprocess
import sys

import pytest
from tests.killing import points

from likewise.errors import StorageError
from likewise.storage import COPIES_MARKER_NAME, atomic_write, brought_along, check_target, is_ours, mark

NAMES = "name\nAda Lovelace\nLovelace Ada\nGrace Hopper\n"
NOTES = "# Soup\n\nClear soup is boiled from bones and vegetables for many hours.\n"


@pytest.fixture
def files(tmp_path):
    (tmp_path / "a.csv").write_text(NAMES)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "diary.md").write_text(NOTES)
    (tmp_path / "mine" / "other.md").write_text(NOTES.replace("Soup", "Stock"))
    return tmp_path


def snapshot(folder):
    return {path.relative_to(folder): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (["match", "a.csv", "-o", "a.csv"], "is read by this command"),
        (["match", "a.csv", "-o", "a.csv", "--force"], "is read by this command"),
        (["match", "a.csv", "-o", "mine/../a.csv", "--force"], "is read by this command"),
        (["dedupe", "a.csv", "--canonical", "a.csv", "--force"], "is read by this command"),
        (["link", "mine", "-o", "mine"], "is read by this command"),
        (["link", "mine", "-o", "mine", "--force"], "is read by this command"),
        (["link", "mine/diary.md", "-o", "mine", "--force"], "is read by this command"),
        (["link", "a.csv", "-o", "mine"], "the folder mine is not empty: name an empty or a new one"),
        (["link", "a.csv", "-o", "mine", "--force"], "the folder mine is not empty: name an empty or a new one"),
        (["index", "a.csv", "-o", "mine", "--force"], "the folder mine is not empty"),
        (["nuggets", "a.csv", "-o", "mine", "--force"], "the folder mine is not empty"),
        (["demo", "mine", "--chapters", "search"], "the folder mine is not empty"),
        (["mine", "mine", "-o", "a.parquet/x/../../a.csv"], "a.csv exists already"),
        (["match", "a.csv", "-o", "a.csv/out.csv"], "Not a directory"),
    ],
)
def test_what_is_not_ours_is_not_touched(cli, files, command, words):
    before = snapshot(files)
    done = cli(*command)
    assert done.returncode == 2
    assert words in done.stderr
    assert "Traceback" not in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert snapshot(files) == before


def test_force_replaces_what_likewise_wrote(cli, files):
    for command in (
        ["match", "a.csv", "-o", "out.csv"],
        ["index", "a.csv", "-o", "idx"],
        ["link", "mine", "-o", "see.csv"],
    ):
        assert cli(*command).returncode == 0, command
        refused = cli(*command)
        assert refused.returncode == 2
        assert "--force" in refused.stderr
        assert cli(*command, "--force").returncode == 0, command


def test_ours_is_known_by_marker_or_manifest(tmp_path):
    assert not is_ours(tmp_path)
    # Deeper than anybody reads: it ended in a traceback.
    (tmp_path / "manifest.json").write_text("[" * 100_000)
    assert not is_ours(tmp_path)
    (tmp_path / COPIES_MARKER_NAME).write_text("[" * 100_000)
    assert brought_along(tmp_path) == set()
    (tmp_path / COPIES_MARKER_NAME).unlink()
    (tmp_path / "manifest.json").write_text('{"name": "a web page has one, too"}')
    assert not is_ours(tmp_path)
    mark(tmp_path)
    assert is_ours(tmp_path)
    check_target(tmp_path, force=True)
    with pytest.raises(StorageError, match="is not empty: name another, or give --force"):
        check_target(tmp_path)


def test_permissions_are_those_of_a_new_file_and_no_wider_than_before(tmp_path, monkeypatch):
    before = os.umask(0o027)
    try:
        monkeypatch.setattr(os, "umask", None)  # to ask for it is to take it away from other threads for a moment
        for name, mode in (("new", None), ("secret", 0o600), ("shared", 0o644), ("wide", 0o666), ("sealed", 0o400)):
            path = tmp_path / name
            if mode is not None:
                path.touch()
                path.chmod(mode)
            with atomic_write(path, "w") as file:
                [beside] = tmp_path.glob(f".{name}.*")
                assert beside.stat().st_mode & 0o777 & ~(mode or 0o666) & ~0o200 == 0
                file.write("x")
    finally:
        monkeypatch.undo()
        os.umask(before)
    modes = {path.name: path.stat().st_mode & 0o777 for path in tmp_path.iterdir()}
    assert modes == {"new": 0o640, "secret": 0o600, "shared": 0o640, "wide": 0o640, "sealed": 0o600}


def test_a_full_disk_is_one_line_and_leaves_nothing(tmp_path):
    def fill():
        with atomic_write(tmp_path / "out.csv", "w") as file:
            file.write("half")
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with pytest.raises(StorageError, match=r"cannot write .*out.csv: No space left on device"):
        fill()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full on this system")
def test_a_full_stdout_is_one_line(files):
    with open("/dev/full", "w") as full:
        command = [sys.executable, "-m", "likewise", "match", "a.csv", "--quiet"]
        done = subprocess.run(command, cwd=files, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr == "likewise: cannot read or write standard output: No space left on device\n"


def test_a_closed_pipe_is_quiet_and_no_error(files):
    """Typer makes 1 of it, which is for look-ups that find nothing."""
    command = f"{sys.executable} -m likewise match a.csv --quiet | true; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", command], cwd=files, capture_output=True, text=True, check=False)
    assert (done.stderr, done.returncode) == ("", 0)


INTERRUPTED = """
signal.signal(signal.SIGINT, signal.default_int_handler)  # a process in the background may start with it ignored
from likewise.cli import command
sys.argv[1:] = ["match", "a.csv", "--all-pairs", "--min-score", "0.1", "-o", "o.csv", "--force", "--quiet"]
count = [0]
def look(event, arguments):
    if event in ("import", "open", "os.listdir", "os.scandir", "os.rename", "os.chmod", "tempfile.mkstemp"):
        count[0] += 1
        if count[0] == point:
            os.kill(os.getpid(), signal.SIGINT)
sys.addaudithook(look)
try:
    command()
finally:
    print(count[0])
"""


def interrupted(folder, point):
    """Run a match that gets Ctrl-C at its ``point``-th import or touch of a file, once our own code runs."""
    code = f"import os, signal, sys\npoint = {point}\n" + INTERRUPTED
    return subprocess.run([sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, check=False)


def test_ctrl_c_says_stopped(files):
    """At whatever moment it comes; while a file gets its name it may come too late."""
    whole = interrupted(files, 0)
    assert whole.returncode == 0, whole.stderr
    (files / "o.csv").unlink()
    for point in points(int(whole.stdout), 5):
        done = interrupted(files, point)
        assert (done.returncode, done.stderr) == (130, "likewise: stopped\n"), point
        assert [path.name for path in files.iterdir() if path.name not in ("a.csv", "mine", "o.csv")] == []
