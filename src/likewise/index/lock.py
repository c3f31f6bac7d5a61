"""One writer at a time: a lock on a file in the folder, which the operating system drops when a process ends."""

import contextlib
import fcntl
import os
from collections.abc import Iterator
from pathlib import Path

from likewise.errors import LockedError, StorageError

LOCK_NAME = "writer.lock"


@contextlib.contextmanager
def writer_lock(folder: Path) -> Iterator[None]:
    """Hold the folder's writer lock; :class:`LockedError` if somebody else does."""
    path = folder / LOCK_NAME
    try:
        handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
    except OSError as error:
        raise StorageError(f"cannot write in {folder}: {error.strerror or error}") from error
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            holder = os.pread(handle, 40, 0).decode("ascii", "replace").strip()
            who = f" (process {holder})" if holder else ""
            raise LockedError(f"another writer{who} is at work on {folder}; try again when it has finished") from error
        # Only for the message above; a full disk must not keep a writer from removing texts.
        with contextlib.suppress(OSError):
            os.pwrite(handle, f"{os.getpid():<20}".encode(), 0)
        yield
    finally:
        os.close(handle)
