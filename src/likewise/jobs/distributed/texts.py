"""The texts of a linking on an engine: tasks read, cut and analyse them, and leave them in files.

This process gets numbers: where passages begin and end, and their terms. A text is read from its file when it is shown.
"""

import bisect
import hashlib
import pickle
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from pathlib import Path
from typing import Any, TypeVar, overload

import numpy as np

from likewise.analyse import Analyser, TermRows
from likewise.engines import Apart
from likewise.jobs.distributed.blocks import Block, plan
from likewise.jobs.distributed.documents import DocumentTask, as_given, stamps
from likewise.jobs.distributed.input import Source
from likewise.jobs.distributed.run import Run
from likewise.jobs.link.book import make_book
from likewise.jobs.link.books import are_books
from likewise.jobs.link.options import LinkOptions
from likewise.jobs.link.sentences import SentenceTerms, analyse
from likewise.jobs.shards import Shard, plan_files
from likewise.read import Document, ReadOptions, Skipped
from likewise.read.paths import files
from likewise.read.tables import texts_of
from likewise.results.subjects import is_own_page
from likewise.results.units import Book, Unit
from likewise.storage import atomic_path

T = TypeVar("T")
_KEPT = 16  # documents that are in memory because they were asked for last
_DOCUMENTS = 2000  # of a table, or of this process, that a task reads
_WHERE = 8  # bytes that say where the last value of a file begins


class Stored(Sequence[T]):
    """Values in files, read when they are asked for; the last few are kept.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "two"
    >>> store(path, ["one", "two"], "and what is said of them")
    >>> values = Stored([path])
    >>> len(values), values[1], list(values), values.said
    (2, 'two', ['one', 'two'], ['and what is said of them'])
    """

    def __init__(self, paths: Iterable[Path]) -> None:
        self._paths = list(paths)
        self._places, self.said = [], []
        for path in self._paths:
            places, said = _read(path, int.from_bytes(_bytes(path, -_WHERE, _WHERE), "little"))
            self._places.append(places)
            self.said.append(said)
        self._ends = list(accumulate(map(len, self._places)))
        self._kept: dict[int, T] = {}

    def __len__(self) -> int:
        return self._ends[-1] if self._ends else 0

    @overload
    def __getitem__(self, place: int) -> T: ...
    @overload
    def __getitem__(self, place: slice) -> list[T]: ...
    def __getitem__(self, place: int | slice) -> T | list[T]:
        if isinstance(place, slice):
            return [self[one] for one in range(*place.indices(len(self)))]
        place = range(len(self))[place]
        if place not in self._kept:
            number = bisect.bisect_right(self._ends, place)
            inside = place - (self._ends[number - 1] if number else 0)
            if len(self._kept) >= _KEPT:
                self._kept.pop(next(iter(self._kept)))
            self._kept[place] = _read(self._paths[number], self._places[number][inside])
        return self._kept[place]


def store(path: Path, values: Iterable[Any], said: Any) -> None:
    """Write values one after the other to a file that appears whole, and what is said of them."""
    with atomic_path(path) as temporary, open(temporary, "wb") as file:
        places = []
        for value in values:
            places.append(file.tell())
            pickle.dump(value, file)
        last = file.tell()
        pickle.dump((places, said() if callable(said) else said), file)
        file.write(last.to_bytes(_WHERE, "little"))


def _read(path: Path, place: int) -> Any:
    with open(path, "rb") as file:
        file.seek(place)
        return pickle.load(file)


def _bytes(path: Path, place: int, count: int) -> bytes:
    with open(path, "rb") as file:
        file.seek(place, 2)
        return file.read(count)


@dataclass(frozen=True, slots=True)
class Part:
    """What one task reads: a shard of files, or some rows of a table; what this process was given it writes itself."""

    number: int
    side: int
    book: str
    shard: Shard | None = None
    rows: tuple[Source, Block] | None = None

    @property
    def name(self) -> str:
        """What files about it are called."""
        return f"{self.number:06d}"


@dataclass(frozen=True, slots=True)
class ReadTask(Apart):
    """Parts -> ``texts/*``: the documents, and what was skipped."""

    folder: Path
    read: ReadOptions
    called: Mapping[str, str]

    def shard(self, state: None, shard: Part) -> dict[str, Any]:
        """Read one part."""
        path = self.folder / shard.name
        skipped: list[Skipped] = []
        if not path.exists():
            store(path, self._documents(shard, skipped), lambda: skipped)
        return {"bytes": path.stat().st_size}

    def _documents(self, part: Part, skipped: list[Skipped]) -> Iterator[Document]:
        if part.rows is not None:
            found = _rows(*part.rows)
        else:
            assert part.shard is not None
            found = DocumentTask(self.folder, self.read, None, self.called).documents(part.shard, skipped)
        yield from named(found, part.book)


def named(documents: Iterable[Document], book: str) -> Iterator[Document]:
    """Give documents as those of a named book; pages that a linking wrote are none of it."""
    for each in documents:
        if not is_own_page(each):
            yield replace(each, id=f"{book}/{each.id}", book=each.book or book) if book else each


def _rows(source: Source, block: Block) -> Iterator[Document]:
    [on] = source.wanted
    records = block.read([on], source.id_column, source.name, {})
    texts = texts_of(records.table, on, source.name).to_pylist()
    for one, text in zip(records.ids.to_pylist(), texts, strict=True):
        yield Document(str(one), text or "")


@dataclass(frozen=True, slots=True)
class Cut:
    """What is known of the passages of one part: no text."""

    units: list[Unit]
    terms: SentenceTerms
    vocabulary: list[str]


@dataclass(frozen=True, slots=True)
class CutTask(Apart):
    """Parts, with the number of their first document and their languages -> ``cut/*``: passages, and :class:`Cut`."""

    folder: Path
    texts: Path
    options: LinkOptions

    def shard(self, state: None, shard: tuple[Part, int, tuple[str, ...]]) -> dict[str, Any]:
        """Cut the documents of one part, and analyse their sentences."""
        part, first, languages = shard
        path = self.folder / part.name
        if not path.exists():
            documents = Stored[Document]([self.texts / part.name])
            book = make_book(documents, None, self.options, languages=languages)
            terms = analyse(book, replace(self.options, threads=1))
            units = [replace(unit, document=unit.document + first) for unit in book.units]
            store(path, book.passages, Cut(units, terms, terms.analyser.vocabulary.terms()))
        else:
            [cut] = Stored[Any]([path]).said
            units = cut.units
        return {"passages": len(units), "bytes": path.stat().st_size}


class Texts:
    """The sides of a linking as an engine reads them."""

    def __init__(
        self, sides: Sequence[Any], options: ReadOptions, given: Callable[[Any], Sequence[Document] | None]
    ) -> None:
        self.options = options
        self._two = sides[1] is not None
        self.sources = [side for side in sides if isinstance(side, Source)]
        self._parts: list[tuple[int, str, Any]] = []
        self.called: dict[str, str] = {}
        self.identity: list[Any] = []
        for side, source in enumerate(sides):
            books = source if isinstance(source, Mapping) and are_books(source) else {"": source}
            for book, one in books.items():
                self._add(side, str(book), one, given)

    def _add(self, side: int, book: str, source: Any, given: Callable[[Any], Sequence[Document] | None]) -> None:
        if source is None or isinstance(source, Source):
            self._parts += [] if source is None else [(side, book, source)]
            return
        found = given(source)
        if found is not None:
            digest = hashlib.sha256()
            for one in found:
                digest.update(f"{len(one.id)}:{one.id}{len(one.text)}:{one.text}".encode())
            self.identity.append([book, digest.hexdigest()])
            self._parts += [(side, book, found[at : at + _DOCUMENTS]) for at in range(0, len(found), _DOCUMENTS)]
            return
        paths = list(files(source))
        shards = plan_files(paths, self.options) if paths else []
        self.called |= as_given(paths)
        self.identity.append([book, stamps(shards)])
        self._parts += [(side, book, shard) for shard in shards]

    def read(self, run: Run) -> tuple[list[Part], "Stored[Document]"]:
        """Return the parts, and the documents, which stay in files."""
        folder = run.place("texts")
        parts: list[Part] = []
        asked: list[Part] = []
        for side, book, source in self._parts:
            if isinstance(source, Source):
                brought = source.bring(run, run.place("right" if side else "left"))
                brought.check([*source.wanted, *([source.id_column] if source.id_column else [])])
                for block in plan(brought.files, _DOCUMENTS):
                    parts.append(Part(len(parts), side, book, rows=(replace(source, given=None), block)))
                    asked.append(parts[-1])
                continue
            shard = source if isinstance(source, Shard) else None
            parts.append(Part(len(parts), side, book, shard))
            if shard is not None:
                asked.append(parts[-1])
            elif not (folder / parts[-1].name).exists():
                store(folder / parts[-1].name, named(source, book), [])
        run.map(ReadTask(folder, self.options, self.called), asked, "shards read")
        return parts, Stored(folder / part.name for part in parts)

    def cut(
        self,
        run: Run,
        parts: Sequence[Part],
        documents: "Stored[Document]",
        options: LinkOptions,
        languages: tuple[str, ...],
        check: Callable[[int], None],
    ) -> tuple[Book, SentenceTerms]:
        """Return the book, whose texts and passages stay in files, and the terms of its sentences.

        ``check`` is told how many passages there are before this process holds anything of them.
        """
        folder = run.place("cut")
        counts = [len(Stored([run.folder / "texts" / part.name])) for part in parts]
        first = [0, *accumulate(counts)]
        task = CutTask(folder, run.folder / "texts", options)
        shards = [(part, at, languages[at : at + count]) for part, at, count in zip(parts, first, counts, strict=False)]
        cut = run.map(task, shards, "shards cut")
        check(sum(counted["passages"] for counted in cut))
        passages: Stored[Any] = Stored(folder / part.name for part in parts)
        cuts: list[Cut] = passages.said
        passages.said = []
        units = tuple(unit for one in cuts for unit in one.units)
        split = sum(len(one.units) for part, one in zip(parts, cuts, strict=True) if not part.side)
        names = tuple(part.book for part, count in zip(parts, counts, strict=True) for _ in range(count))
        two = split if self._two else None
        book = Book(documents, passages, units, two, names if any(names) else (), languages)
        return book, _merged(cuts, options)


def _merged(cuts: Sequence[Cut], options: LinkOptions) -> SentenceTerms:
    """Return the terms of all parts, numbered in the order in which they first appear, as one machine does."""
    if not cuts:
        return analyse(Book((), (), ()), options)
    analyser = Analyser(options.analysis)
    rows, first, owner, last = [], [np.zeros(1, np.int64)], [], 0
    for one in cuts:
        mine = one.terms.rows
        assert mine.tokens is not None
        numbers = np.asarray(analyser.intern(one.vocabulary), np.int32)
        # Words of two parts are not neighbours.
        rows.append(replace(mine, terms=numbers[mine.terms], tokens=mine.tokens + last))
        last += int(mine.tokens[-1]) + 2 if len(mine.tokens) else 0
        owner.append(one.terms.owner + sum(map(len, first)) - 1)
        first.append(one.terms.first[1:] + first[-1][-1])
    by_sentence = ("active", "times", "titles", "spoken")
    joined = [np.concatenate([getattr(one.terms, name) for one in cuts]) for name in by_sentence]
    sizes = np.concatenate([np.zeros(1, np.int64), *(np.diff(one.indptr) for one in rows)])
    columns = [np.concatenate([getattr(one, name) for one in rows]) for name in ("terms", "tokens", "starts", "ends")]
    together = TermRows(np.cumsum(sizes), *columns)
    return SentenceTerms(analyser, together, np.concatenate(first), np.concatenate(owner), *joined)
