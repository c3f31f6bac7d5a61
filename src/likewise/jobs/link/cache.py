"""What an earlier run read and cut into passages: after an edit only files that have changed are read again.

The comparison itself is made anew each time, because one word more or less changes what every other word weighs; so the
links are those of a run from scratch, to the byte.
"""

import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, TypeVar

from likewise import __version__
from likewise.errors import DamagedError, FormatError
from likewise.plain import restored
from likewise.read import Block, Document, Mark, ReadOptions, Skipped, Span
from likewise.read.documents import read_file
from likewise.read.order import rendering_of
from likewise.read.paths import Paths, files
from likewise.read.skipped import OnSkip
from likewise.seals import checksum, read_values, sealed
from likewise.segment import Passage, passages
from likewise.storage import atomic_write

FORMAT, VERSION = "likewise link", 3
T = TypeVar("T")


class Cache:
    """The documents of an earlier run by file, and their passages; ``read`` and ``kept`` count documents of this run.

    A file counts as the same if its path and its bytes are. What other settings or another version have kept does not
    count.
    """

    def __init__(self, path: str | os.PathLike[str], options: ReadOptions) -> None:
        self._path = Path(path)
        self._options = options
        self._about = {
            "format": FORMAT,
            "version": VERSION,
            "likewise": __version__,
            "read": json.loads(json.dumps(asdict(options), default=str)),
        }
        self._before: Mapping[str, Any] = {}
        self._now: dict[str, Any] = {}
        # For each document in the order of reading: what is kept of it, or nothing.
        self._entries: list[dict[str, Any] | None] = []
        self.read = self.kept = 0
        if self._path.exists():
            values = read_values(self._path)
            if values.get("format") != FORMAT:
                raise FormatError(f"{self._path} is not a file that link --update wrote")
            if all(values.get(name) == value for name, value in self._about.items()):
                self._before = self._as(_Known, {"files": values.get("files")}).files

    def documents(self, paths: Paths, skip: OnSkip) -> Iterator[Document]:
        """Give the documents of files, those that have not changed as they were."""
        for path, name in files(paths):
            # Whether a file is left out because another one is made of it is asked each time.
            key = f"{name}|{path}|{checksum(path)}" if path.is_file() and rendering_of(path) is None else ""
            found = self._before.get(key)
            if found is None:
                yield from self._read(path, name, key, skip)
                continue
            self._now[key] = found
            known = self._as(_File, found)
            for skipped in known.skipped:
                skip(skipped)
            for entry, document in zip(found["documents"], known.documents, strict=True):
                self.kept += 1
                self._entries.append(entry)
                yield document.document

    def _read(self, path: Path, name: str, key: str, skip: OnSkip) -> Iterator[Document]:
        skipped: list[Skipped] = []

        def note(entry: Skipped) -> None:
            skipped.append(entry)
            skip(entry)

        entries: list[dict[str, Any]] = []
        plain = bool(key)
        for document in read_file(path, name, self._options, note):
            plain = plain and all(isinstance(value, str | int | float | None) for value in document.fields.values())
            entry: dict[str, Any] | None = {"document": _values(document)} if plain else None
            entries += [entry] if entry else []
            self._entries.append(entry)
            self.read += 1
            yield document
        if plain:
            places = [[entry.source, entry.line, entry.reason, entry.detail] for entry in skipped]
            self._now[key] = {"documents": entries, "skipped": places}

    def passages(self, number: int, document: Document, language: str) -> tuple[Passage, ...]:
        """Return the passages of the document that was read as the one of this number, cut now or before."""
        entry = self._entries[number]
        if entry is not None and "passages" in entry and entry.get("language") == language:
            return self._as(_Cut, entry).passages
        found = tuple(passages(document, language))
        if entry is not None:
            entry["language"] = language
            entry["passages"] = [_passage_values(one) for one in found]
        return found

    def _as(self, kind: type[T], values: Any) -> T:
        try:
            return restored(kind, values)
        except ValueError as error:
            raise DamagedError(f"{self._path} cannot be read: {error}; without it all is read anew") from None

    def write(self) -> None:
        """Keep what was read and cut now for the next run."""
        values = sealed({**self._about, "files": self._now})
        with atomic_write(self._path, "w", encoding="utf-8") as file:
            json.dump(values, file, separators=(",", ":"))


@dataclass(frozen=True)
class _Known:
    """What the file of an earlier run holds."""

    files: Mapping[str, Any]


@dataclass(frozen=True)
class _Cut:
    """A document and, once it was cut, its passages."""

    document: Any
    language: str
    passages: tuple[Passage, ...]


@dataclass(frozen=True)
class _Read:
    """A document as it was read."""

    document: Document
    language: Any = None
    passages: Any = None


@dataclass(frozen=True)
class _File:
    """What a file gave."""

    documents: tuple[_Read, ...]
    skipped: tuple[Skipped, ...]


def _values(document: Document) -> list[Any]:
    blocks = document.blocks
    return [
        document.id,
        document.text,
        document.source,
        dict(document.fields),
        None if blocks is None else [_block_values(block) for block in blocks],
        document.title,
        document.book,
        document.format,
        document.layout,
        document.heading,
    ]


def _block_values(block: Block) -> list[Any]:
    return [block.kind, _ends(block.span), block.level, _ends(block.origin), block.role, _mark_values(block.marks)]


def _passage_values(one: Passage) -> list[Any]:
    sentences = [_ends(span) for span in one.sentences]
    marks = _mark_values(one.marks)
    return [one.kind, _ends(one.span), list(one.titles), sentences, one.level, _ends(one.origin), one.role, marks]


def _mark_values(marks: tuple[Mark, ...]) -> list[Any]:
    return [[mark.kind, _ends(mark.span), mark.target] for mark in marks]


def _ends(span: Span | None) -> list[int] | None:
    return None if span is None else [span.start, span.end]
