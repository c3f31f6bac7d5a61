"""Writing that is whole or absent: temporary name, sync, rename; and the manifest that says what was written.

:func:`check_target` refuses, before any work, to write over what is not ours. :func:`atomic_write` gives a file to
write; only when the block ends without an exception does it get its name; :func:`atomic_folder` does the same for
folders whose files belong together. :func:`sealed` and :func:`read_values`
keep plain values with a checksum of them. :class:`Manifest` describes a folder of immutable files: format name and
version, options, and a checksum per file.
"""

import contextlib
import hashlib
import itertools
import json
import mmap
import os
import re
import secrets
import shutil
import stat
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import IO, Any

from likewise.errors import DamagedError, ForeignError, LikewiseError, LockedError, StorageError
from likewise.platform import exchange, hold, is_free, is_left_behind, leave_pages
from likewise.platform import sync as sync_to_disk

MANIFEST_NAME = "manifest.json"
# Not ".likewise": that is the folder in which `serve` keeps what people enter.
MARKER_NAME = ".likewise-output"
COPIES_MARKER_NAME = ".likewise-copies.json"
# There: the files that copies use and that were brought along, which are no documents of theirs.
COPIES_BROUGHT = "brought along"
_SEAL = "checksum"
_TEMPORARY = "-likewise"
_LOOKED_AT = 16 << 20  # bytes of a mapped file


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


def check_target(
    path: str | os.PathLike[str],
    *,
    sources: Iterable[str | os.PathLike[str]] = (),
    force: bool = False,
) -> None:
    """Refuse a place that must not be written to, or cannot be, before any work is done.

    A source is never a target. What is there already is replaced with ``force`` only, and of folders only those that
    Likewise wrote itself (:func:`mark`, or a manifest).

    >>> import pathlib, tempfile
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> _ = (folder / "names.csv").write_text("name")
    >>> check_target(folder / "out.csv")
    >>> check_target(folder / "names.csv", sources=[folder / "names.csv"], force=True)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    likewise.errors.StorageError: ...names.csv is read by this command and cannot be written by it: name another place
    """
    path = Path(path)
    here = path.resolve()
    for source in sources:
        there = Path(source).resolve()
        if there.exists() and (there == here or (here.is_dir() and here in there.parents)):
            raise StorageError(f"{path} is read by this command and cannot be written by it: name another place")
    if here.is_dir():
        if not is_blank(here) and not (force and is_ours(here)):
            why = "name another, or give --force to replace it" if is_ours(here) else "name an empty or a new one"
            raise StorageError(f"the folder {path} is not empty: {why}")
    elif here.is_file() and not force:
        raise StorageError(f"{path} exists already: name another file, or give --force to replace it")
    _check_writable(path)


def _check_writable(path: Path) -> None:
    folder = path if path.is_dir() else path.absolute().parent
    while not folder.exists():
        folder = folder.parent
    try:
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise StorageError(f"cannot write {path}: {error.strerror or error}") from error


def mark(folder: str | os.PathLike[str]) -> None:
    """Say in a folder that Likewise wrote it, so that Likewise may replace it."""
    with atomic_write(Path(folder) / MARKER_NAME, "w", encoding="utf-8") as file:
        file.write("Likewise wrote this folder and may replace it when told to.\n")


def is_ours(folder: str | os.PathLike[str]) -> bool:
    """Whether Likewise wrote a folder: it has our marker, or a manifest of ours."""
    if any((Path(folder) / name).is_file() for name in (MARKER_NAME, COPIES_MARKER_NAME)):
        return True
    try:
        content = parse_json((Path(folder) / MANIFEST_NAME).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    return isinstance(content, dict) and {one.name for one in fields(Manifest)} <= set(content)


def brought_along(folder: str | os.PathLike[str]) -> set[str]:
    """Return the names of the files in a folder of copies that only came along with them: pictures, included parts."""
    try:
        names = parse_json((Path(folder) / COPIES_MARKER_NAME).read_text(encoding="utf-8"))[COPIES_BROUGHT]
    except (OSError, ValueError, KeyError, TypeError):
        return set()
    return {name for name in names if isinstance(name, str)} if isinstance(names, list) else set()


def stamp(path: str | os.PathLike[str]) -> tuple[int, int, int]:
    """Return what changes when a file is replaced, also twice within a tick of the clock, or when the clock jumps."""
    found = os.stat(path)
    return found.st_ino, found.st_size, found.st_mtime_ns


def checksum(path: str | os.PathLike[str]) -> str:
    """Return the SHA-256 of a file as ``sha256:...``."""
    with open(path, "rb") as file:
        return "sha256:" + hashlib.file_digest(file, "sha256").hexdigest()


def map_file(path: str | os.PathLike[str], expected: str | None = None) -> mmap.mmap:
    """Map a file; with ``expected`` compare what is mapped with that checksum. The mapping outlives the name."""
    try:
        with open(path, "rb") as file:
            mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except FileNotFoundError as error:
        raise DamagedError(f"{os.fspath(path)} is missing") from error
    except (OSError, ValueError) as error:  # ValueError: the file is empty
        raise DamagedError(f"{os.fspath(path)} cannot be mapped: {error}") from error
    if expected is not None and _checksum_of_mapped(mapped) != expected:
        raise DamagedError(f"{os.fspath(path)} has changed since it was written")
    return mapped


def _checksum_of_mapped(mapped: mmap.mmap) -> str:
    """Return the checksum of a file without having all of it in memory."""
    digest = hashlib.sha256()
    with memoryview(mapped) as whole:
        for first in range(0, len(whole), _LOOKED_AT):
            with whole[first : first + _LOOKED_AT] as some:
                digest.update(some)
            leave_pages(mapped)
    return "sha256:" + digest.hexdigest()


def checksum_of(data: Any) -> str:
    """Return the SHA-256 of bytes as ``sha256:...``."""
    return "sha256:" + hashlib.sha256(data).hexdigest()


def sealed(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return plain values with their checksum, which does not depend on how they are laid out as JSON.

    >>> unsealed(sealed({"a": 1}), "a.json")
    {'a': 1}
    >>> unsealed({**sealed({"a": 1}), "a": 2}, "a.json")
    Traceback (most recent call last):
    ...
    likewise.errors.DamagedError: a.json has changed since it was written
    """
    return {**values, _SEAL: _seal(json.loads(json.dumps(values)))}


def unsealed(values: Mapping[str, Any], name: str | os.PathLike[str]) -> dict[str, Any]:
    """Return the values without their checksum; refuse those that do not fit it. Values without one pass."""
    rest = {key: value for key, value in values.items() if key != _SEAL}
    if _SEAL in values and values[_SEAL] != _seal(rest):
        raise DamagedError(f"{os.fspath(name)} has changed since it was written")
    return rest


def _seal(values: Mapping[str, Any]) -> str:
    return checksum_of(json.dumps(values, sort_keys=True, ensure_ascii=True, separators=(",", ":")).encode())


BLANK_SEAL = b"likewise sealed sha256:" + bytes([ord("0")]) * 64
"""What a file of any format holds somewhere, as text, for :func:`seal_file` to fill in."""


def seal_file(path: str | os.PathLike[str]) -> None:
    """Fill in the last :data:`BLANK_SEAL` of a file with the checksum of all its bytes, the blank one among them."""
    data = Path(path).read_bytes()
    at = data.rindex(BLANK_SEAL) + len(BLANK_SEAL) - 64
    with open(path, "r+b") as file:
        file.seek(at)
        file.write(hashlib.sha256(data).hexdigest().encode())


def is_as_sealed(data: bytes) -> bool:
    """Say whether the bytes of a file are those that were sealed; a file without a seal is taken as it is."""
    name = BLANK_SEAL[:-64]
    at = data.rfind(name) + len(name)
    if at < len(name):
        return True
    blank = b"".join((data[:at], BLANK_SEAL[-64:], data[at + 64 :]))
    return hashlib.sha256(blank).hexdigest().encode() == data[at : at + 64]


def parse_json(text: str) -> Any:
    """Return what JSON says; :class:`ValueError` also where it is nested too deeply to be read.

    >>> parse_json("[" * 100_000)
    Traceback (most recent call last):
    ...
    ValueError: nested too deeply
    """
    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError("nested too deeply") from None


def read_values(path: str | os.PathLike[str]) -> dict[str, Any]:
    """Read an object of JSON, and compare it with its checksum where it has one; say what is wrong in words."""
    try:
        values = parse_json(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise StorageError(f"cannot read {os.fspath(path)}: {error.strerror or error}") from error
    except ValueError as error:
        raise DamagedError(f"{os.fspath(path)} is not JSON, as what Likewise saves is: {error}") from error
    if not isinstance(values, dict):
        raise ForeignError(f"{os.fspath(path)} was not written by Likewise: it holds no object")
    return unsealed(values, path)


@dataclass(slots=True)
class Manifest:
    """What a folder of immutable files holds: written last, so that its presence means the rest is whole."""

    format: str
    version: int
    options: dict[str, Any] = field(default_factory=dict)
    files: dict[str, str] = field(default_factory=dict)

    def write(self, folder: str | os.PathLike[str]) -> None:
        """Write the manifest into ``folder``."""
        with atomic_write(Path(folder) / MANIFEST_NAME, "w", encoding="utf-8") as file:
            json.dump(sealed(asdict(self)), file, indent=1, sort_keys=True, ensure_ascii=False)
            file.write("\n")

    @classmethod
    def read(cls, folder: str | os.PathLike[str], format: str, version: int) -> "Manifest":  # noqa: A002
        """Read the manifest of ``folder``; refuse in words what is absent, foreign, or of another version."""
        path = Path(folder) / MANIFEST_NAME
        if not path.exists():
            raise ForeignError(f"{folder} holds no {format}: {MANIFEST_NAME} is missing; `{format}` makes one")
        try:
            manifest = cls(**read_values(path))
            right = isinstance(manifest.options, dict) and isinstance(manifest.files, dict)
        except TypeError as error:
            raise DamagedError(f"{path} cannot be read: {error}") from error
        if not right:
            raise DamagedError(f"{path} cannot be read: options and files must be objects")
        if manifest.format != format:
            raise ForeignError(f"{folder} holds a {manifest.format}, not a {format}")
        if manifest.version != version:
            raise ForeignError(
                f"{folder} is a {format} of version {manifest.version}; this Likewise reads version {version}"
            )
        return manifest

    def map(self, folder: str | os.PathLike[str], name: str) -> mmap.mmap:
        """Map a file of the folder, and compare it with its checksum."""
        if name not in self.files:
            raise DamagedError(f"{Path(folder) / MANIFEST_NAME} names no {name}")
        return map_file(Path(folder) / name, self.files[name])
