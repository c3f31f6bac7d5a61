"""The work folder: the tables of the stages, what run they belong to, and a lock against a second run."""

import contextlib
import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from likewise.errors import ForeignError, LockedError, StorageError
from likewise.platform import FileLock
from likewise.storage import atomic_write

_IDENTITY = "run.json"
_FOLDERS = ("sentences", "prune", "rows", "evidence", "temporary")
_FILES = ("pairs.parquet", "samples.parquet", "steps.json", "run.report.json", "run.report.html")
_STEMS = {name.split(".")[0] for name in (_IDENTITY, *_FILES)}


@contextlib.contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold the folder for this process; another run in it is an error in words."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = FileLock(folder / "lock")
    except OSError as error:
        raise StorageError(f"cannot use {folder} as work folder: {error.strerror or error}") from error
    with lock:
        if not lock.take():
            raise LockedError(f"another run is at work in {folder}")
        yield


def prepare(folder: Path, identity: dict[str, Any]) -> bool:
    """Make the folder ready for the run ``identity`` tells; return whether it goes on from an earlier one.

    Tables of a run with other input or options are removed. A folder that holds other things is refused.
    """
    path = folder / _IDENTITY
    # A run that was killed while it cleared the folder leaves tables without the file that says whose they are.
    ours = {_IDENTITY, "lock", *_FOLDERS, *_FILES}
    strangers = {entry.name for entry in folder.iterdir() if entry.name.lstrip(".").split(".")[0] not in _STEMS} - ours
    try:
        before = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        if strangers:
            raise ForeignError(f"{folder} is no work folder of a run: name another one, or remove it") from None
        before = None
    except (OSError, ValueError):
        before = None
    same = bool(before == identity)
    if not same:
        clear(folder)
    for name in _FOLDERS:
        (folder / name).mkdir(exist_ok=True)
    for left in folder.rglob(".*"):  # halves of files that a killed run was writing
        if left.is_file():
            left.unlink()
    with contextlib.suppress(OSError):
        shutil.rmtree(folder / "temporary")
    (folder / "temporary").mkdir()
    if not same:
        with atomic_write(path, "w", encoding="utf-8") as file:
            json.dump(identity, file, indent=1, sort_keys=True)
    return same


def clear(folder: Path) -> None:
    """Remove the tables of a run, and nothing else; what says whose they are goes first."""
    (folder / _IDENTITY).unlink(missing_ok=True)
    for name in _FOLDERS:
        shutil.rmtree(folder / name, ignore_errors=True)
    for name in _FILES:
        (folder / name).unlink(missing_ok=True)
