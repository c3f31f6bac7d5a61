"""One writer at a time: a lock on a file in the folder, which the operating system drops when a process ends."""

import contextlib
from collections.abc import Iterator
from pathlib import Path

from likewise.errors import LockedError, StorageError
from likewise.platform import FileLock

LOCK_NAME = "writer.lock"


@contextlib.contextmanager
def writer_lock(folder: Path) -> Iterator[None]:
    """Hold the folder's writer lock; :class:`LockedError` if somebody else does."""
    try:
        lock = FileLock(folder / LOCK_NAME)
    except OSError as error:
        raise StorageError(f"cannot write in {folder}: {error.strerror or error}") from error
    with lock:
        if not lock.take():
            who = f" (process {holder})" if (holder := lock.holder()) else ""
            raise LockedError(f"another writer{who} is at work on {folder}; try again when it has finished")
        yield
