"""The work folder of a long run: the tables of its stages, whose they are, and a lock against a second run."""

import contextlib
import json
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from likewise.errors import ForeignError, LockedError, StorageError
from likewise.platform import FileLock
from likewise.seals import parse_json
from likewise.storage import atomic_write

_IDENTITY = "run.json"
_TEMPORARY = "temporary"


@dataclass(frozen=True, slots=True)
class WorkFolder:
    """A folder, and what a run of its kind keeps there."""

    path: Path
    folders: tuple[str, ...]
    files: tuple[str, ...] = ()

    @classmethod
    def beside(cls, output: Path, folders: tuple[str, ...], files: tuple[str, ...] = ()) -> "WorkFolder":
        """Return the folder next to an output that bears its name, for a run whose work folder nobody named.

        >>> WorkFolder.beside(Path("pairs.parquet"), ("rows",)).path.name
        'pairs.parquet.work'
        """
        return cls(output.absolute().with_name(f"{output.name}.work"), folders, files)

    @property
    def temporary(self) -> Path:
        """What no later run goes on from."""
        return self.path / _TEMPORARY

    @contextlib.contextmanager
    def locked(self) -> Iterator[None]:
        """Hold the folder for this process; another run in it is an error in words."""
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            lock = FileLock(self.path / "lock")
        except OSError as error:
            raise StorageError(f"cannot use {self.path} as work folder: {error.strerror or error}") from error
        with lock:
            if not lock.take():
                raise LockedError(f"another run is at work in {self.path}")
            yield

    def prepare(self, identity: dict[str, Any], *, replace: bool) -> bool:
        """Make the folder ready for the run that ``identity`` tells; return whether it goes on from an earlier one.

        Tables of a run with other input or options are removed with ``replace``, and refused in words without: somebody
        may still read them. A folder that holds other things is always refused.
        """
        before = self._before()
        same = bool(before == identity)
        if before is not None and not same and not replace:
            raise StorageError(
                f"{self.path} holds a run with other input or options: name another work folder, or remove it"
            )
        if not same:
            self.clear()
        for name in self.folders:
            (self.path / name).mkdir(exist_ok=True)
        for left in self.path.rglob(".*"):  # halves of files that a killed run was writing
            if left.is_file():
                left.unlink()
        with contextlib.suppress(OSError):
            shutil.rmtree(self.temporary)
        self.temporary.mkdir()
        if not same:
            with atomic_write(self.path / _IDENTITY, "w", encoding="utf-8") as file:
                json.dump(identity, file, indent=1, sort_keys=True)
        return same

    def _before(self) -> Any:
        """Return what the run that is here told of itself; nothing where it can no longer be read."""
        try:
            return parse_json((self.path / _IDENTITY).read_text(encoding="utf-8"))
        except FileNotFoundError:
            # A run that was killed while it cleared the folder leaves tables without the file that says whose they are.
            ours = {_IDENTITY, "lock", _TEMPORARY, *self.folders, *self.files}
            stems = {name.split(".")[0] for name in (_IDENTITY, *self.files)}
            names = {entry.name for entry in self.path.iterdir()}
            if {name for name in names if name.lstrip(".").split(".")[0] not in stems} - ours:
                raise ForeignError(
                    f"{self.path} is not a work folder of a run: name another one, or remove it"
                ) from None
        except (OSError, ValueError):
            pass
        return None

    def clear(self) -> None:
        """Remove the tables of a run, and nothing else; what says whose they are goes first."""
        (self.path / _IDENTITY).unlink(missing_ok=True)
        for name in (*self.folders, _TEMPORARY):
            shutil.rmtree(self.path / name, ignore_errors=True)
        for name in self.files:
            (self.path / name).unlink(missing_ok=True)

    def end(self) -> None:
        """Remove what a run left here, and the folder if nothing else is in it; one without a run stays as it is."""
        if (self.path / _IDENTITY).exists():
            self.clear()
            self.remove()

    def remove(self) -> None:
        """Remove the folder if nothing but the lock is left in it."""
        with contextlib.suppress(OSError):
            (self.path / "lock").unlink(missing_ok=True)
            self.path.rmdir()
