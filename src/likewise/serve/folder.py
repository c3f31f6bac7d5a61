"""The folder that is served: what lies in it, uploads, and the one way from a name to a path.

::

    DIR/                    what the user put there: tables, books, indexes, paraphrases
    DIR/.likewise/          what the service keeps: state.sqlite, uploads/, jobs/<id>/

Nothing outside is ever opened: a name is one plain file name, and what it leads to must lie inside after links are
followed.
"""

import os
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from likewise.errors import InputError, StorageError
from likewise.read.formats import endings
from likewise.seals import MANIFEST_NAME, parse_json

TABLES = (*endings(tables=True), ".txt")
_TEXTS = tuple(ending for ending in endings(documents=True) if ending not in TABLES)
STATE = ".likewise"
LONGEST_NAME = 120
_PLAIN = re.compile(r"[^\w.\- ]")


class UnknownItemError(InputError):
    """There is nothing of that name in the served folder."""


@dataclass(frozen=True, slots=True)
class Item:
    """Something in the folder that a job can use."""

    name: str
    kind: str
    """What it can be used for: table, text, book, folder, index, paraphrases, links, nuggets, study,
    recogniser, or just file."""
    bytes: int
    uploaded: bool


def plain_name(name: str) -> str:
    """Return a file name made safe: no folders, no control characters, nothing hidden, not too long.

    >>> plain_name("../../etc/pass<wd>.csv"), plain_name("Büro 7.csv")
    ('pass_wd_.csv', 'Büro 7.csv')
    """
    last = unicodedata.normalize("NFC", name).replace("\\", "/").rsplit("/", 1)[-1]
    safe = _PLAIN.sub("_", last).strip(" .")
    stem, dot, ending = safe.rpartition(".")
    while len(safe.encode()) > LONGEST_NAME:
        stem = (stem or safe)[:-1]
        safe = f"{stem}{dot}{ending}" if dot and len(ending) < 12 else stem
    if not safe.strip("_-. "):
        raise InputError(f"{name!r} is not a name for a file; use letters and digits")
    return safe


class Folder:
    """The served folder."""

    def __init__(self, path: Path) -> None:
        self.path = path.resolve()
        self.uploads = self.path / STATE / "uploads"
        self.results = self.path / STATE / "jobs"
        for folder in (self.uploads, self.results):
            folder.mkdir(parents=True, exist_ok=True)
        for place in (self.path / STATE, self.uploads, self.results, self.database):
            if place.is_symlink():
                raise StorageError(f"{place} is a link: what the service keeps must lie in the folder that it serves")

    @property
    def database(self) -> Path:
        """The file that keeps jobs, decisions and judgements."""
        return self.path / STATE / "state.sqlite"

    def items(self) -> list[Item]:
        """Return what lies in the folder, by name."""
        found = {item.name: item for item in self._within(self.path, False)}
        found |= {item.name: item for item in self._within(self.uploads, True)}
        return [found[name] for name in sorted(found)]

    def _within(self, folder: Path, uploaded: bool) -> Iterator[Item]:
        for path in folder.iterdir():
            if not _can_be_named(path.name) or path.name.endswith(("-wal", "-shm")) or not self._inside(path):
                continue
            try:
                if not _is_kept(path):
                    continue
                size = path.stat().st_size if path.is_file() else 0
                yield Item(path.name, kind_of(path), size, uploaded)
            except OSError:
                continue

    def _inside(self, path: Path) -> bool:
        try:
            resolved = path.resolve()
        except (OSError, RuntimeError):  # links that lead in a circle
            return False
        return resolved != self.path and resolved.is_relative_to(self.path)

    def _no_way_out(self, folder: Path) -> bool:
        # With strings: every search looks through the folder of its index.
        within = (os.path.join(at, name) for at, folders, files in os.walk(folder) for name in (*folders, *files))
        return all(self._inside(Path(path)) for path in within if os.path.islink(path))

    def find(self, name: str) -> Path:
        """Return the path of an item; raise :class:`UnknownItemError` for everything that is none."""
        said = f"there is no {name[:LONGEST_NAME]!r} in the served folder"
        if _can_be_named(name) and len(name.encode("utf-8", "replace")) <= 255:
            for folder in (self.uploads, self.path):
                path = folder / name
                try:
                    if _is_kept(path) and self._inside(path):
                        if path.is_file() or self._no_way_out(path):
                            return path
                        said = f"a link in {name!r} leads out of the served folder; it is not used"
                except (OSError, ValueError):
                    break
        raise UnknownItemError(said)

    def new_name(self, name: str, kind: str, ending: str = "") -> str:
        """Return the name under which a run keeps what it makes: what an earlier run made of that kind is made anew."""
        if "/" in name or "\\" in name:
            raise InputError(
                f"{name!r} is not a plain name: leave out the folder, all files are in the one that is served"
            )
        safe = f"{plain_name(name).removesuffix(ending)}{ending}"
        if any(item.name == safe and not (item.uploaded and item.kind == kind) for item in self.items()):
            raise StorageError(f"there is a file {safe!r} already; choose another name")
        return safe

    def say(self, message: str) -> str:
        """Return a message without where the folder lies on this machine."""
        for prefix in (self.uploads, self.results, self.path):
            message = message.replace(f"{prefix}/", "")
        return message.replace(str(self.path), "the served folder")

    def stored_bytes(self) -> int:
        """Return how much uploads and results take."""
        return sum(path.stat().st_size for path in (self.path / STATE).rglob("*") if path.is_file())


def _can_be_named(name: str) -> bool:
    """Whether a request can name it: a plain name of characters that show, in UTF-8 (the others no answer can hold)."""
    return name.isprintable() and not name.startswith(".") and not {"/", "\\"} & set(name) and name != ""


def _is_kept(path: Path) -> bool:
    """Whether it is a file or a folder: to open a pipe is to wait for somebody to write into it."""
    return path.is_file() or path.is_dir()


def kind_of(path: Path) -> str:
    """Say what a file or folder can be used for, by its manifest or its ending."""
    if path.is_dir():
        manifest = path / MANIFEST_NAME
        if manifest.is_file():
            try:
                format_ = str(parse_json(manifest.read_text(encoding="utf-8")).get("format", ""))
            except (OSError, ValueError, AttributeError):
                return "folder"
            for word in ("index", "paraphrases", "links", "nuggets"):
                if word in format_:
                    return word
        return "folder"
    ending = path.suffix.lower()
    if ending == ".judge":
        return "study"
    plain = path.name.lower().removesuffix(".gz")
    if ending in (".parquet", ".pq"):
        return _parquet_kind(path)
    if ending == ".html" and _is_book(path):
        return "book"
    if ending == ".json" and b'"format": "likewise recogniser"' in _head(path):
        return "recogniser"
    if plain.endswith(_TEXTS):
        return "text"
    return "table" if plain.endswith(TABLES) else "file"


def _is_book(path: Path) -> bool:
    """Whether ``likewise link`` wrote this page."""
    head = _head(path)
    return b'http-equiv="Content-Security-Policy"' in head and b'id="controls"' in head


def _head(path: Path) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read(20_000)
    except OSError:
        return b""


def _parquet_kind(path: Path) -> str:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        names = set(pq.read_schema(path).names)
    except (pa.ArrowException, OSError, UnicodeDecodeError):
        return "file"
    if {"phrase", "paraphrase"} <= names:
        return "paraphrases"
    return "table"
