"""Differences between operating systems, in one place: file locks, folders on disk, the memory of a process."""

import contextlib
import mmap
import os
import signal
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

# Where the byte lies that Windows locks: behind all that is written, so that others can read who holds the lock.
_LOCKED_BYTE = 1 << 30
_ARENA_MAX = -8  # M_ARENA_MAX of malloc.h
_HERE, _EXCHANGE = -100, 2  # AT_FDCWD of fcntl.h, RENAME_EXCHANGE of linux/fs.h

if sys.platform == "win32":
    import msvcrt

    def _try_lock(handle: int) -> None:
        os.lseek(handle, _LOCKED_BYTE, os.SEEK_SET)
        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def _try_lock(handle: int) -> None:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)


class FileLock:
    """A lock on a file that one process holds at a time, and that the operating system drops when it ends.

    >>> import pathlib, tempfile
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "lock"
    >>> first, second = FileLock(path), FileLock(path)
    >>> first.take(), second.take(), second.holder() == str(os.getpid())
    (True, False, True)
    >>> first.drop()
    >>> second.take()
    True
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)

    def take(self) -> bool:
        """Take the lock, without waiting; return whether that could be done."""
        try:
            _try_lock(self._handle)
        except OSError:
            return False
        # Only for those who ask who holds it; a full disk must not keep anybody from working.
        with contextlib.suppress(OSError):
            os.lseek(self._handle, 0, os.SEEK_SET)
            os.write(self._handle, f"{os.getpid():<20}".encode())
        return True

    def holder(self) -> str:
        """Return the process that took the lock last, as far as that is known."""
        os.lseek(self._handle, 0, os.SEEK_SET)
        return os.read(self._handle, 40).decode("ascii", "replace").strip()

    def drop(self) -> None:
        """Release the lock and close the file."""
        if self._handle >= 0:
            os.close(self._handle)
            self._handle = -1

    def __enter__(self) -> "FileLock":
        return self

    def __exit__(self, *_: object) -> None:
        self.drop()


def hold(handle: int) -> int:
    """Mark an open file as in use until the handle is closed or the process ends; return the handle.

    Windows renames no file that is open: there the handle is closed at once, and -1 returned.
    """
    if sys.platform == "win32":
        os.close(handle)
        return -1
    with contextlib.suppress(OSError):
        _try_lock(handle)
    return handle


def is_free(handle: int) -> bool:
    """Say whether nobody held an open file; if so, it is held now, until the handle is closed or the process ends."""
    try:
        _try_lock(handle)
    except OSError:
        return False
    return True


def is_left_behind(path: str | os.PathLike[str]) -> bool:
    """Whether a file that was passed to :func:`hold` is held no more: its process was killed. Unknown on Windows."""
    if sys.platform == "win32":
        return False
    try:
        handle = os.open(path, os.O_RDONLY)
    except OSError:
        return False
    try:
        return is_free(handle)
    finally:
        os.close(handle)


@contextlib.contextmanager
def interrupt_held_back() -> Iterator[None]:
    """Let Ctrl-C wait until a block has ended: for native code that calls Python back and expects no exception there.

    A second one does not wait. Only the main thread gets Ctrl-C; in others nothing is done.

    >>> done = []
    >>> try:
    ...     with interrupt_held_back():
    ...         signal.raise_signal(signal.SIGINT)
    ...         done.append("all")
    ... except KeyboardInterrupt:
    ...     print("stopped after", *done)
    stopped after all
    """
    before = signal.getsignal(signal.SIGINT)
    if not callable(before) or threading.current_thread() is not threading.main_thread():
        yield
        return
    came: list[int] = []

    def wait(number: int, _: object) -> None:
        came.append(number)
        signal.signal(number, before)

    signal.signal(signal.SIGINT, wait)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
        if came:
            before(came[0], None)


def sync(path: Path) -> None:
    """Wait until a file, or the names in a folder, are on disk. Windows has no such call for folders."""
    if sys.platform == "win32" and path.is_dir():
        return
    descriptor = os.open(path, os.O_RDWR if sys.platform == "win32" else os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def leave_pages(mapped: mmap.mmap) -> None:
    """Let go of the pages of a mapped file: they no longer count as memory of this process, and are found again."""
    if hasattr(mmap, "MADV_DONTNEED"):  # not on Windows
        mapped.madvise(mmap.MADV_DONTNEED)


def exchange(one: Path, other: Path) -> None:
    """Give each of two folders the name of the other: at once on Linux, where the file system can.

    Elsewhere these are renames one after the other, and for a moment there is nothing under the name of ``other``.

    >>> import tempfile
    >>> one, other = (Path(tempfile.mkdtemp()) for _ in range(2))
    >>> _ = (one / "a").write_text("")
    >>> exchange(one, other)
    >>> (one / "a").exists(), (other / "a").exists()
    (False, True)
    """
    if not _exchanged_at_once(one, other):
        aside = one.with_name(f"{one.name}.aside")
        other.rename(aside)
        try:
            one.rename(other)
        except OSError:
            aside.rename(other)  # what was there is there again
            raise
        aside.rename(one)


def _exchanged_at_once(one: Path, other: Path) -> bool:
    if sys.platform != "linux":
        return False
    import ctypes

    sys.audit("os.rename", os.fspath(one), os.fspath(other), -1, -1)  # as for any rename
    try:
        rename = ctypes.CDLL(None).renameat2
    except (OSError, AttributeError):  # another C library, or an old one
        return False
    return bool(rename(_HERE, os.fsencode(one), _HERE, os.fsencode(other), _EXCHANGE) == 0)


def peak_memory() -> int:
    """Return the most memory that this process has had, in bytes; 0 where the system does not tell."""
    if sys.platform == "win32":
        return 0
    import resource

    try:  # what Linux says of resources begins with the memory of the process that started this one
        with open("/proc/self/status", encoding="ascii") as file:
            return next(int(line.split()[1]) for line in file if line.startswith("VmHWM")) << 10
    except (OSError, StopIteration):
        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return most if sys.platform == "darwin" else most * 1024


def resident_memory() -> int:
    """Return the memory that this process has now, in bytes; where the system does not tell, the most it has had."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, AttributeError):
        return peak_memory()


def limit_memory(size: int) -> None:
    """Let this process have at most so many bytes of its own from now on; mapped files do not count. Only on Linux."""
    if sys.platform == "linux":
        import resource

        hard = resource.getrlimit(resource.RLIMIT_DATA)[1]
        most = size if hard == resource.RLIM_INFINITY else min(size, hard)
        resource.setrlimit(resource.RLIMIT_DATA, (most, most))


def share_memory() -> None:
    """Let all threads of this process take memory from one heap from now on.

    glibc gives each thread its own, where much of what is free lies between what is not, and cannot be given back.
    """
    if sys.platform == "linux":
        import ctypes

        with contextlib.suppress(OSError, AttributeError):  # another C library than glibc
            ctypes.CDLL(None).mallopt(_ARENA_MAX, 1)


def release_memory() -> None:
    """Give memory that is no longer used back to the system, which allocators keep for later otherwise."""
    if "pyarrow" in sys.modules:
        sys.modules["pyarrow"].default_memory_pool().release_unused()
    if sys.platform == "linux":
        import ctypes

        with contextlib.suppress(OSError, AttributeError):  # another C library than glibc
            ctypes.CDLL(None).malloc_trim(0)
