"""Nothing of a user's is destroyed."""

import errno
import os
import subprocess
import sys

import pytest
from tests import killing
from tests.killing import points

from likewise import match, platform, storage
from likewise.errors import LockedError, StorageError
from likewise.results.parts import write_whole
from likewise.storage import atomic_folder, atomic_write, changing
from likewise.targets import COPIES_MARKER_NAME, brought_along, check_target, is_ours, mark

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


def test_a_file_that_was_replaced_before_it_was_held_is_opened_anew(tmp_path, monkeypatch):
    """Else two could change it, each holding another of the two files that had the name."""
    path = tmp_path / "sum"
    path.write_text("1")
    is_free, asked = storage.is_free, []

    def replaced_first(handle):
        asked.append(handle)
        if len(asked) == 1:
            with atomic_write(path, "w") as file:
                file.write("2")
        return is_free(handle)

    monkeypatch.setattr(storage, "is_free", replaced_first)
    with changing(path):
        assert len(asked) == 2
        with pytest.raises(LockedError, match="sum is being changed by somebody else"), changing(path):
            pass
        with changing(tmp_path / "none"):  # who reads it says that it is not there
            pass
    with changing(path):
        assert path.read_text() == "2"


def filled(folder, text):
    with atomic_folder(folder) as made:
        (made / "a").write_text(text)
        (made / text).write_text(text)


@pytest.mark.parametrize("at_once", [True, False])
def test_a_folder_takes_the_place_of_another_whole(tmp_path, monkeypatch, at_once):
    """Also where the system cannot exchange two names at once."""
    if not at_once:
        monkeypatch.setattr(platform, "_exchanged_at_once", lambda one, other: False)
    target = tmp_path / "deep" / "parts"
    for text in ("old", "new"):
        filled(target, text)
        assert {path.name for path in target.iterdir()} == {"a", text}
    link = tmp_path / "link"
    link.symlink_to(target)
    filled(link, "linked")
    assert link.is_symlink()
    assert (target / "a").read_text() == "linked"
    with pytest.raises(StorageError, match=r"cannot write .*parts: No space left on device"), atomic_folder(target):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    with pytest.raises(LockedError, match=r"^busy$"), atomic_folder(target):
        raise LockedError("busy")
    assert (target / "a").read_text() == "linked"
    assert [path.name for path in target.parent.iterdir()] == ["parts"]


KILLED = """
from likewise import match
from likewise.results.parts import write_whole
table = match(["ab", "bc"], ["ab", "bd"]).table
write_whole(table, sys.argv[2] + "-first")  # everything is imported then
watch(int(sys.argv[1]))
write_whole(table, sys.argv[2])
"""


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere two folders cannot be exchanged at once")
def test_a_folder_of_parts_is_of_before_or_new_whenever_its_writer_is_killed(tmp_path):
    """It was removed before the new one had its name, and what a killed writer had begun stayed for ever."""
    before = match(["ab", "bc"], ["xy"], top=1).table
    write_whole(before, tmp_path / "whole")
    old = snapshot(tmp_path / "whole")
    changes = killing.run(KILLED, 0, tmp_path / "whole")
    new = snapshot(tmp_path / "whole")
    assert old != new
    for point in points(changes, 5):
        folder = tmp_path / str(point)
        target = folder / "parts"
        write_whole(before, target)
        assert killing.run(KILLED, point, target) == -1
        assert snapshot(target) in (old, new), point
        write_whole(before, target)
        assert sorted(path.name for path in folder.iterdir()) == ["parts", "parts-first"], point


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


def test_an_exchange_by_renames_that_fails_leaves_what_was_there(tmp_path, monkeypatch):
    monkeypatch.setattr(platform, "_exchanged_at_once", lambda one, other: False)
    old = tmp_path / "old"
    old.mkdir()
    (old / "a").write_text("kept", encoding="utf-8")
    with pytest.raises(OSError):
        platform.exchange(tmp_path / "missing", old)
    assert (old / "a").read_text(encoding="utf-8") == "kept"
    assert [path.name for path in tmp_path.iterdir()] == ["old"]
