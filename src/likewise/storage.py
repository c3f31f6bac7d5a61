"""Writing that is whole or absent: temporary name, sync, rename.

:func:`atomic_write` gives a file to write; only when the block ends without an exception does it get its name;
:func:`atomic_folder` does the same for folders whose files belong together, and :func:`all_or_nothing` takes back what
a block that failed has made. What was written is told by ``seals``, where it may go by ``targets``.
"""

import contextlib
import itertools
import os
import re
import secrets
import shutil
import stat
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, Any

from likewise.errors import LikewiseError, LockedError, StorageError
from likewise.platform import exchange, hold, is_free, is_left_behind
from likewise.platform import sync as sync_to_disk

_TEMPORARY = "-likewise"


@contextlib.contextmanager
def atomic_write(path: str | os.PathLike[str], mode: str = "wb", **open_options: Any) -> Iterator[IO[Any]]:
    """Open a file that gets its name only when everything was written and synced.

    >>> import pathlib, tempfile
    >>> target = pathlib.Path(tempfile.mkdtemp()) / "out.txt"
    >>> with atomic_write(target, "w") as file:
    ...     _ = file.write("whole")
    >>> target.read_text()
    'whole'
    """
    path = Path(path)
    with atomic_path(path) as temporary, open(temporary, mode, **open_options) as file:
        yield file  # closed first, then synced by atomic_path: once, for a sync is what a small commit waits for


@contextlib.contextmanager
def atomic_path(path: str | os.PathLike[str], *, sync: bool = True) -> Iterator[Path]:
    """Give a temporary name beside ``path`` for a library to write to; rename it at the end, or remove it.

    ``sync=False`` does not wait for the disk: for what is made again after a crash, or synced before it is relied on.
    """
    path = Path(path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        _remove_left_behind(path)
        temporary, handle = _made_beside(path)
    except OSError as error:
        raise StorageError(f"cannot write {path}: {error.strerror or error}") from error
    handle = hold(handle)
    try:
        yield temporary
        if sync:
            sync_to_disk(temporary)
        temporary.replace(path)
        if sync:
            sync_to_disk(path.parent)
    except OSError as error:
        if isinstance(error, LikewiseError):
            raise
        raise StorageError(f"cannot write {path}: {error.strerror or error}") from error
    finally:
        if handle >= 0:
            os.close(handle)
        with contextlib.suppress(FileNotFoundError):
            temporary.unlink()


@contextlib.contextmanager
def changing(path: str | os.PathLike[str]) -> Iterator[None]:
    """Keep others who ask here from changing a file: from before it is read until :func:`atomic_path` has replaced it.

    What two had read would otherwise be written by both, and what the first added be lost. (Windows replaces no file
    that is open: there it is not kept.) A file that is not there is nobody's.

    >>> import pathlib, tempfile
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "sum"
    >>> _ = path.write_text("1")
    >>> with changing(path), atomic_write(path, "w") as file:
    ...     _ = file.write(path.read_text() + "1")
    >>> with changing(path), changing(path):  # doctest: +ELLIPSIS
    ...     pass
    Traceback (most recent call last):
    ...
    likewise.errors.LockedError: ...sum is being changed by somebody else; try again when that is done
    """
    handle = -1
    try:
        while sys.platform != "win32" and handle < 0:
            try:
                handle = os.open(path, os.O_RDONLY)
            except OSError:
                break  # who reads it says why
            if not is_free(handle):
                raise LockedError(f"{os.fspath(path)} is being changed by somebody else; try again when that is done")
            if not _is_still(handle, path):  # somebody replaced it meanwhile
                os.close(handle)
                handle = -1
        yield
    finally:
        if handle >= 0:
            os.close(handle)


def _is_still(handle: int, path: str | os.PathLike[str]) -> bool:
    try:
        return os.path.samestat(os.fstat(handle), os.stat(path))
    except OSError:
        return False


@contextlib.contextmanager
def atomic_folder(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Give a temporary folder beside ``path`` to fill with files that are synced; at the end it takes the place.

    A folder that was there is removed after that, with all that is in it: :func:`check_target` says whether it may be.

    >>> import pathlib, tempfile
    >>> target = pathlib.Path(tempfile.mkdtemp()) / "parts"
    >>> for text in ("old", "new"):
    ...     with atomic_folder(target) as folder:
    ...         _ = (folder / text).write_text(text)
    >>> [path.name for path in target.iterdir()], len(list(target.parent.iterdir()))
    (['new'], 1)
    """
    path = Path(path).resolve()  # the folder that a link leads to is replaced, not the link
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(4)}{_TEMPORARY}{path.suffix}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        _remove_left_behind(path)
        temporary.mkdir()
        handle = -1 if sys.platform == "win32" else hold(os.open(temporary, os.O_RDONLY))
    except OSError as error:
        raise StorageError(f"cannot write {path}: {error.strerror or error}") from error
    try:
        yield temporary
        if path.exists():
            exchange(temporary, path)
        else:
            temporary.replace(path)
        sync_to_disk(path.parent)
    except OSError as error:
        if isinstance(error, LikewiseError):
            raise
        raise StorageError(f"cannot write {path}: {error.strerror or error}") from error
    finally:
        if handle >= 0:
            os.close(handle)
        shutil.rmtree(temporary, ignore_errors=True)


def missing_folders(path: str | os.PathLike[str]) -> list[Path]:
    """Return the folders that are missing on the way to a folder, with itself, the innermost first.

    >>> import tempfile
    >>> [folder.name for folder in missing_folders(Path(tempfile.mkdtemp()) / "a" / "b")]
    ['b', 'a']
    """
    path = Path(path).absolute()
    return list(itertools.takewhile(lambda folder: not folder.exists(), (path, *path.parents)))


def remove_empty(folders: Iterable[Path]) -> None:
    """Remove folders, innermost first, up to one that is not empty, or not there."""
    with contextlib.suppress(OSError):
        for folder in folders:
            folder.rmdir()


@contextlib.contextmanager
def all_or_nothing(folder: str | os.PathLike[str]) -> Iterator[list[Path]]:
    """Give a list for the files that a block is about to make in a folder: if it fails, they are removed again.

    So are the folders that were made for them. Where something is in the folder already, nothing is removed: what a
    later run changes half it repairs.

    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp()) / "new"
    >>> with contextlib.suppress(ZeroDivisionError), all_or_nothing(folder) as made:
    ...     made.append(folder / "a.txt")
    ...     with atomic_write(made[-1]) as file:
    ...         _ = file.write(b"a")
    ...     _ = 1 / 0
    >>> folder.exists()
    False
    """
    missing, made = missing_folders(folder), list[Path]()
    fresh = bool(missing) or is_blank(folder)
    try:
        yield made
    except BaseException:
        for path in made if fresh else ():
            with contextlib.suppress(OSError):
                path.unlink()
            remove_empty(parent for parent in path.absolute().parents if Path(folder).absolute() in parent.parents)
        remove_empty(missing)
        raise


def is_blank(folder: str | os.PathLike[str]) -> bool:
    """Whether a folder has nothing in it but temporary files of writers that were killed."""
    return all(_is_temporary(entry.name) and is_left_behind(entry.path) for entry in os.scandir(folder))


def _is_temporary(name: str) -> bool:
    return re.fullmatch(rf"\..+\.[0-9a-f]{{8}}{_TEMPORARY}(\.\w+)?", name) is not None


def _made_beside(path: Path) -> tuple[Path, int]:
    """Make a file that nobody has yet, and open it.

    It has the permissions of any new file, less those that the file does not give which it is to replace. (To ask for
    the mask of the process is to take it away for a moment, also from other threads: the system applies it instead.)
    """
    mode = 0o666
    with contextlib.suppress(OSError):
        mode = 0o600 | (stat.S_IMODE(path.stat().st_mode) & 0o066)
    while True:
        temporary = path.with_name(f".{path.name}.{secrets.token_hex(4)}{_TEMPORARY}{path.suffix}")
        with contextlib.suppress(FileExistsError):
            return temporary, os.open(temporary, os.O_RDWR | os.O_CREAT | os.O_EXCL, mode)


def _remove_left_behind(path: Path) -> None:
    """Remove the temporary files and folders of writers of ``path`` that were killed."""
    for entry in os.scandir(path.parent):
        ours = entry.name.startswith(f".{path.name}.") and entry.name.endswith(f"{_TEMPORARY}{path.suffix}")
        if ours and is_left_behind(entry.path):
            if entry.is_dir(follow_symlinks=False):
                shutil.rmtree(entry.path, ignore_errors=True)
            with contextlib.suppress(OSError):
                os.unlink(entry.path)
