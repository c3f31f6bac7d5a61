"""An index on disk: immutable files, and one manifest that names those that count, swapped by rename.

::

    manifest.json        format, version, measure file, segments in order, removed texts, checksums, settings
    measure-*.json       the measure with what it was fitted to
    segment-*.arrays     texts, ids, fields and lists of one segment
    removed-*.arrays     which texts of a segment were removed
    writer.lock          held by the one writer

Nothing that a manifest names is ever changed. A writer adds files under new names, writes the new manifest, and then
deletes what only the old one named; killed at any moment, it leaves the old index or the new one. A reader that has
mapped its files keeps them, whatever the writer deletes.
"""

import contextlib
import hashlib
import os
import secrets
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from likewise.errors import DamagedError, ForeignError, StorageError
from likewise.index.container import Arrays, map_arrays, write_arrays
from likewise.index.lock import LOCK_NAME, writer_lock
from likewise.long_json import pieces, with_parts
from likewise.platform import sync
from likewise.seals import MANIFEST_NAME, Manifest, checksum, map_file
from likewise.storage import missing_folders, remove_empty

FORMAT = "likewise index"
VERSION = 1
_OURS = ("segment-", "removed-", "measure-", f".{MANIFEST_NAME}.")


@dataclass(frozen=True, slots=True)
class Entry:
    """A segment as the manifest has it."""

    file: str
    texts: int
    removed: str | None = None


@dataclass(frozen=True, slots=True)
class Contents:
    """What a manifest says: everything that makes one state of an index."""

    measure: str
    segments: tuple[Entry, ...]
    next_id: int
    generation: int
    known: tuple[int, int]  # terms and q-grams of the measure as saved
    checksums: dict[str, str] = field(default_factory=dict)
    settings: Mapping[str, Any] = field(default_factory=dict)

    def checksum(self, name: str) -> str:
        """Return the checksum of a file."""
        if name not in self.checksums:
            raise DamagedError(f"{MANIFEST_NAME} has no checksum for {name}")
        return self.checksums[name]


def is_unfinished(path: str | os.PathLike[str]) -> bool:
    """Return whether a folder has only what a writer left who was killed, or had no room, before its first commit.

    >>> import pathlib, tempfile
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> _ = (folder / LOCK_NAME).write_text("123")
    >>> is_unfinished(folder)
    True
    """
    try:
        names = os.listdir(path)
    except OSError:
        return False
    return bool(names) and MANIFEST_NAME not in names and not _foreign(names)


def _foreign(names: list[str]) -> list[str]:
    return [name for name in names if name != LOCK_NAME and not name.startswith(_OURS)]


class Folder:
    """The folder of an index."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)

    def generation(self) -> int | None:
        """Return a number that changes with every commit, cheaply; ``None`` if there is no index.

        The manifest is read, for its time may be the same after two quick commits.
        """
        try:
            return hash((self.path / MANIFEST_NAME).read_bytes())
        except OSError:
            return None

    def read(self) -> Contents:
        """Read the manifest."""
        if not self.path.is_dir():
            raise StorageError(f"there is no index at {self.path}; `likewise index` makes one")
        if is_unfinished(self.path):
            raise DamagedError(
                f"{self.path / MANIFEST_NAME} is missing: the index was never finished, or has lost it; "
                "`likewise index` makes it anew"
            )
        manifest = Manifest.read(self.path, FORMAT, VERSION)
        values = manifest.options
        try:
            return Contents(
                str(values["measure"]),
                tuple(Entry(str(one["file"]), int(one["texts"]), one["removed"]) for one in values["segments"]),
                int(values["next_id"]),
                int(values["generation"]),
                (int(values["known"][0]), int(values["known"][1])),
                manifest.files,
                dict(values.get("settings", {})),
            )
        except (KeyError, TypeError, ValueError, IndexError) as error:
            raise DamagedError(f"{self.path / MANIFEST_NAME} lacks what an index needs: {error!r}") from error

    def read_json(self, name: str, contents: Contents) -> Any:
        """Read a file that :meth:`Writing.json` wrote, compared with its checksum; lists of statistics are in parts."""
        data = map_file(self.path / name, contents.checksum(name))
        try:
            return with_parts(data)
        except (ValueError, RecursionError) as error:
            raise DamagedError(f"{self.path / name} cannot be read: {error}") from error

    def map(self, name: str, expected: str | None = None) -> Arrays:
        """Map a file of arrays; with ``expected`` compare it with that checksum."""
        return map_arrays(self.path / name, expected)

    # Writing: only inside `with folder.writing()`.

    @contextlib.contextmanager
    def writing(self) -> Iterator["Writing"]:
        """Hold the writer lock; what was written but not committed is deleted at the end, a folder made for it, too."""
        missing = missing_folders(self.path)
        try:
            self.path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StorageError(f"cannot make {self.path}: {error.strerror or error}") from error
        try:
            self.check_ours()
            with writer_lock(self.path):
                writing = Writing(self)
                try:
                    yield writing
                finally:
                    writing.delete_uncommitted()
        finally:
            remove_empty(missing)

    def check_ours(self) -> None:
        """Refuse to write into a folder that holds something else."""
        names = [entry.name for entry in os.scandir(self.path)]
        if MANIFEST_NAME in names:
            with contextlib.suppress(DamagedError):  # a damaged index may be replaced, a foreign folder not
                self.read()
            return
        if strange := _foreign(names):
            raise ForeignError(f"{self.path} holds other files ({strange[0]}, ...): choose a new folder for the index")


class Writing:
    """One writer's work on a folder."""

    def __init__(self, folder: Folder) -> None:
        self.folder = folder
        self.checksums: dict[str, str] = {}
        self._uncommitted: set[str] = set()

    def arrays(self, kind: str, arrays: Arrays) -> str:
        """Write a file of arrays; return its name."""
        name = f"{kind}-{secrets.token_hex(8)}.arrays"
        self._uncommitted.add(name)
        self.checksums[name] = write_arrays(self.folder.path / name, arrays)
        return name

    def take(self, kind: str, path: Path) -> str:
        """Take over a file of arrays that was written elsewhere; return its name."""
        name = f"{kind}-{secrets.token_hex(8)}.arrays"
        target = self.folder.path / name
        self._uncommitted.add(name)
        try:
            shutil.copyfile(path, target)
            sync(target)
            self.checksums[name] = checksum(target)
        except OSError as error:
            raise StorageError(f"cannot write {target}: {error.strerror or error}") from error
        return name

    def json(self, kind: str, values: Any) -> str:
        """Write a JSON file of values, which may have lists in parts; return its name."""
        name = f"{kind}-{secrets.token_hex(8)}.json"
        path = self.folder.path / name
        self._uncommitted.add(name)
        digest = hashlib.sha256()
        try:
            with open(path, "xb") as file:
                for piece in pieces(values):
                    data = piece.encode("utf-8", "surrogatepass")
                    digest.update(data)
                    file.write(data)
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise StorageError(f"cannot write {path}: {error.strerror or error}") from error
        self.checksums[name] = "sha256:" + digest.hexdigest()
        return name

    def commit(self, contents: Contents) -> None:
        """Make ``contents`` the state of the index: from here on, readers find it."""
        names = [contents.measure]
        for entry in contents.segments:
            names += [entry.file, *([entry.removed] if entry.removed else [])]
        known = {**contents.checksums, **self.checksums}
        options = {
            "measure": contents.measure,
            "segments": [{"file": e.file, "texts": e.texts, "removed": e.removed} for e in contents.segments],
            "next_id": contents.next_id,
            "generation": contents.generation,
            "known": list(contents.known),
            "settings": dict(contents.settings),
        }
        try:
            Manifest(FORMAT, VERSION, options, {name: known[name] for name in names}).write(self.folder.path)
        except StorageError:
            raise
        except OSError as error:
            raise StorageError(f"cannot write in {self.folder.path}: {error.strerror or error}") from error
        self._uncommitted.clear()
        self._clean(set(names))

    def delete_uncommitted(self) -> None:
        """Delete what was written for a commit that did not come, and the lock where nothing else is left."""
        for name in self._uncommitted:
            with contextlib.suppress(OSError):
                (self.folder.path / name).unlink()
        self._uncommitted.clear()
        with contextlib.suppress(OSError):
            if os.listdir(self.folder.path) == [LOCK_NAME]:
                (self.folder.path / LOCK_NAME).unlink()

    def _clean(self, keep: set[str]) -> None:
        """Delete files of earlier states, and what a killed writer left behind."""
        for entry in os.scandir(self.folder.path):
            if entry.name.startswith(_OURS) and entry.name not in keep:
                with contextlib.suppress(OSError):
                    os.unlink(entry.path)
