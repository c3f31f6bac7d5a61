"""The index: texts kept with what finds them, in memory or in a folder on disk.

:class:`Index` is made once (``build``), saved, mapped from disk (``open``), asked many times (``match``, ``search``)
and kept up to date (``add``, ``remove``). Weights that a measure learns from the collection (idf, the mean length of
BM25) stay as they were when the index was built, until ``refit``; so adding and removing gives exactly what a new index
of the same texts with the same weights would give.

The lists are in :mod:`likewise.index.lists`, a segment in :mod:`likewise.index.segment`, the folder in
:mod:`likewise.index.folder`.
"""

import contextlib
import os
import re
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Self

import numpy as np

from likewise.errors import InputError, OptionError
from likewise.index.batch import is_worth_joining
from likewise.index.container import leave
from likewise.index.folder import Contents, Entry, Folder, Writing
from likewise.index.hits import Hits
from likewise.index.match import matched
from likewise.index.search import SearchOptions, search
from likewise.index.segment import Id, Item, Segment, items_of, stored_items
from likewise.index.snapshot import Snapshot
from likewise.measure import Measure, TextMeasure, as_measure
from likewise.options import check_integer, check_min_score, least_score
from likewise.progress import Progress
from likewise.read.document import Document
from likewise.read.texts import texts_in
from likewise.results.matches import MatchResult
from likewise.said import counted
from likewise.verb import verb

DEFAULT_MEASURE = "bm25"
# So many segments at the end of an index that are no larger than this are made one.
_MERGE_COUNT = 16
_MERGE_SIZES = (1, 16, 256, 4096)
_PART = re.compile(r"#\d+$")  # how the id of a part goes on from that of its document


class Index:
    """Texts, found by a measure.

    >>> index = Index.build(["red fish", "blue fish", "blue sky"], measure="bm25")
    >>> index.search("blue sky", top=2).ids
    [2, 1]
    >>> index.add(["a sky of the deepest blue"])
    [3]
    >>> index.remove([2]), len(index)
    (1, 3)
    """

    def __init__(self, snapshot: Snapshot, folder: Folder | None = None) -> None:
        """Take up a snapshot; users call :meth:`build` or :meth:`open`."""
        # Everything that changes is in one attribute: whoever reads it has one state, whatever other threads do.
        self._snapshot = snapshot
        self._folder = folder
        self._lock = threading.RLock()

    # Making and opening.

    @classmethod
    @verb()
    def build(
        cls,
        documents: Any,
        *,
        measure: Measure | str | None = None,
        ids: Sequence[Id] | None = None,
        path: str | os.PathLike[str] | None = None,
        settings: Mapping[str, Any] | None = None,
        progress: Progress | None = None,
    ) -> Self:
        """Index texts or documents: a list of them, ``{id: text}``, a column or a table of pandas, polars or Arrow.

        ``measure`` is a measure or its specification (``"bm25"``, ``"spectra(weights=c.idf.qidf)"``); one that is not
        fitted yet learns its weights from the documents. With ``path`` the index is written there as it grows.
        ``settings`` (anything that JSON can hold) are kept with it for whoever adds to it.
        """
        items = items_of(documents, ids, 0)
        chosen = as_measure(measure, DEFAULT_MEASURE)
        if not chosen.ready and isinstance(chosen, TextMeasure):
            chosen = chosen.copy().fit([item.searched for item in items])
        # A copy, in which numbers are those of the saved form.
        empty = replace(Snapshot.holding(chosen.copy()), settings=dict(settings or {}))
        index = cls(empty, Folder(path) if path is not None else None)
        with index._writing() as writing:
            segments, done = [], 0
            for segment in index._snapshot.build(items, writing):
                segments.append(segment)
                done += segment.count
                if progress is not None:
                    progress(done, len(items), "texts")
            index._commit(segments, writing, next_id=_next_id(items, 0))
        return index

    @classmethod
    def of_segments(
        cls,
        empty: Snapshot,
        segments: Iterable[tuple[Path, int]],
        path: str | os.PathLike[str],
        next_id: int,
        settings: Mapping[str, Any],
    ) -> Self:
        """Put together segments built elsewhere with the measure of an empty index: files and their texts."""
        folder = Folder(path)
        index = cls(replace(empty, settings=dict(settings)), folder)
        with index._writing() as writing:
            assert writing is not None
            made = []
            for file, count in segments:
                name = writing.take("segment", file)
                made.append(index._snapshot.loaded(Segment(folder.map(name), count, name=name)))
                leave(made[-1].arrays)
            index._commit(made, writing, next_id=next_id)
        return index

    @classmethod
    def open(cls, path: str | os.PathLike[str], *, verify: bool = True) -> Self:
        """Map an index from disk; with ``verify`` every file is compared with its checksum first."""
        folder = Folder(path)
        return cls(Snapshot.open(folder, verify), folder)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the index to a folder, in place of an index that may be there; it then lives there."""
        folder = Folder(path)
        with self._lock, folder.writing() as writing:
            segments = []
            for old in self._snapshot.segments:
                name = writing.arrays("segment", old.arrays)
                dead_name = None if old.dead is None else writing.arrays("removed", {"removed": old.dead})
                segment = Segment(folder.map(name), old.count, dead=old.dead, name=name, dead_name=dead_name)
                segments.append(self._snapshot.loaded(segment))
            self._folder = folder
            self._snapshot = replace(self._snapshot, contents=None)
            self._commit(segments, writing)

    def refresh(self) -> bool:
        """Look whether another process has changed the index on disk, and take that up; say whether it had."""
        if self._folder is None or self._folder.generation() == self._snapshot.seen:
            return False
        self._snapshot = Snapshot.open(self._folder, before=self._snapshot)
        return True

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle an index on disk as its folder, which is opened again; one in memory as its data."""
        if self._folder is not None:
            return _opened, (str(self._folder.path.resolve()),)
        now = self._snapshot
        segments = [
            ({name: np.asarray(array) for name, array in one.arrays.items()}, one.count, one.dead)
            for one in now.segments
        ]
        return _restored, (now.measure_json, segments, now.next_id, now.generation, now.settings)

    # What is in it.

    def __repr__(self) -> str:
        where = f" at {self.path}" if self.path else ""
        return f"Index({counted(len(self), 'text')}{where}, measure {self.measure})"

    def __len__(self) -> int:
        return sum(segment.alive for segment in self._snapshot.segments)

    @property
    def path(self) -> str | None:
        """The folder of the index, if it has one."""
        return None if self._folder is None else str(self._folder.path)

    @property
    def snapshot(self) -> Snapshot:
        """The state of the moment, which later changes do not reach."""
        return self._snapshot

    @property
    def measure(self) -> TextMeasure:
        """The measure, with what it was fitted to."""
        return self._snapshot.measure

    @property
    def settings(self) -> Mapping[str, Any]:
        """How the texts were taken from files, or what else :meth:`build` was told to keep."""
        return self._snapshot.settings

    def ids(self) -> list[Id]:
        """Return the ids of all texts, in the order in which they were added."""
        return [item.id for item in stored_items(self._snapshot.segments)]

    def document(self, id: Id) -> Item:  # noqa: A002 - the word users see
        """Return a text with its id, source and fields, by its id.

        >>> Index.build(["red fish", "blue fish"]).document(1)
        Item(id=1, text='blue fish', source='', fields={})
        """
        for segment in self._snapshot.segments:
            for place in segment.find({id}):
                return segment.item(int(place))
        raise InputError(f"the index has no text with id {id!r}")

    # Asking.

    @verb()
    def match(
        self,
        texts: Sequence[str],
        *,
        top: int = 1,
        min_score: float | None = None,
        threads: int | None = None,
        progress: Progress | None = None,
    ) -> MatchResult:
        """Return for each text its best partners in the index; ``unmatched`` lists the texts that have none.

        >>> index = Index.build(["Gonzalo Gonzalez", "Maria Perez"], measure="spectra")
        >>> [match.right_text for match in index.match(["Gonzales, Gonzalo"])]
        ['Gonzalo Gonzalez']
        """
        check_integer("top", top, 1)
        check_min_score(min_score)
        texts, now, least = texts_in(texts), self._snapshot, least_score(min_score)
        if is_worth_joining(now.family, now.segments, texts):
            columns = now.in_memory.top(texts, top, least, threads, progress)
        else:
            columns = now.family.top(now.lists, texts, top, least, now.dead(), threads, progress)
        return matched(now, texts, *columns)

    @verb(options=SearchOptions)
    def search(
        self, query: str, *, filters: Mapping[str, Any] | None = None, expand: Any = None, options: SearchOptions
    ) -> Hits:
        """Return the best texts for a query in the query language.

        ``filters`` says what fields must have: a value, a list of values, or a range as a pair. ``expand`` is a table
        of paraphrases (see :func:`likewise.mine`); each phrase of the query that it knows becomes a group of
        alternatives.

        >>> index = Index.build(["the law took effect in May", "it was repealed in June", "May is a month"])
        >>> [hit.text for hit in index.search('("took effect" | began) -month May', top=5)]
        ['the law took effect in May']
        """
        return search(self._snapshot, query, options, filters, expand)

    # Changing.

    def add(self, documents: Iterable[str | Document | Item], *, ids: Sequence[Id] | None = None) -> list[Id]:
        """Add texts or documents; return their ids. Weights stay as fitted; see :meth:`refit`."""
        with self._writing() as writing:
            now = self._snapshot
            items = items_of(documents, ids, now.next_id)
            if not items:
                return []
            numbered = ids is None and all(isinstance(item.id, int) for item in items)
            if not numbered:
                wanted = {item.id for item in items}
                for segment in now.segments:
                    for place in segment.find(wanted):
                        raise InputError(f"id {segment.item(int(place)).id!r} is in the index already: remove it first")
            segments = self._merged([*now.segments, *now.build(items, writing)], writing)
            self._commit(segments, writing, next_id=_next_id(items, now.next_id))
            return [item.id for item in items]

    def remove(self, ids: Iterable[Id]) -> int:
        """Remove texts by their ids; return how many that were. An unknown id is an error, and nothing is removed.

        What is in the index in parts (``soup.md#1``, ``soup.md#2``) goes as a whole by the name before the number:

        >>> index = Index.build(["Pour it.", "Eat it.", "Bake it."], ids=["soup.md#1", "soup.md#2", "bread.md#1"])
        >>> index.remove("soup.md"), index.ids()
        (2, ['bread.md#1'])
        """
        wanted: set[Id] = {ids} if isinstance(ids, str | int) else set(ids)
        with self._writing() as writing:
            wanted = self._with_parts(wanted)
            segments: list[Segment] = []
            found: set[Id] = set()
            for segment in self._snapshot.segments:
                places = segment.find(wanted)
                if not len(places):
                    segments.append(segment)
                    continue
                column = segment.table.column("id")
                found.update(column[int(place)].as_py() for place in places)
                dead = np.zeros(segment.count, np.uint8) if segment.dead is None else segment.dead.copy()
                dead[places] = 1
                if dead.all():
                    continue
                name = writing.arrays("removed", {"removed": dead}) if writing else None
                segments.append(replace(segment, dead=dead, dead_name=name))
            if wanted - found:
                missing = sorted(map(repr, wanted - found))
                raise InputError(f"the index has no text with id {missing[0]}" + (", ..." if len(missing) > 1 else ""))
            if found:
                self._commit(segments, writing)
            return len(found)

    def _with_parts(self, wanted: set[Id]) -> set[Id]:
        """Return the ids with those of all parts in the place of a name that is no id itself."""
        own = {
            segment.table.column("id")[int(place)].as_py()
            for segment in self._snapshot.segments
            for place in segment.find(wanted)
        }
        names = {one for one in wanted - own if isinstance(one, str)}
        if not names:
            return wanted
        parts = {one: name for one in self.ids() for name in _names_before(one) if name in names}
        return (wanted - set(parts.values())) | set(parts)

    def compact(self) -> None:
        """Write the texts that are left into as few segments as possible; weights stay as fitted."""
        with self._writing() as writing:
            items = list(stored_items(self._snapshot.segments))
            self._commit(list(self._snapshot.build(items, writing)), writing)

    def refit(self) -> None:
        """Let the measure learn its weights anew from the texts that are in the index now."""
        with self._writing() as writing:
            old = self._snapshot
            items = list(stored_items(old.segments))
            measure = old.measure.copy()
            if measure.adaptive:
                measure.fit([item.searched for item in items])
            fresh = replace(
                Snapshot.holding(measure.copy()),
                next_id=old.next_id,
                generation=old.generation,
                settings=old.settings,
            )
            self._commit(list(fresh.build(items, writing)), writing, fresh)

    # How it is done.

    @contextlib.contextmanager
    def _writing(self) -> Iterator[Writing | None]:
        """Be the one writer; on disk, of the newest state."""
        with self._lock:
            if self._folder is None:
                yield None
                return
            with self._folder.writing() as writing:
                if self._snapshot.contents is not None:
                    self.refresh()
                yield writing

    def _merged(self, segments: list[Segment], writing: Writing | None) -> list[Segment]:
        """Make many small segments at the end one: each text is merged a few times in its life, at most."""
        for size in _MERGE_SIZES:
            tail = 0
            while tail < len(segments) and segments[-1 - tail].count <= size:
                tail += 1
            counts = [segment.count for segment in segments[len(segments) - tail :]]
            # One that outweighs the others would be written again and again for nothing.
            if tail < _MERGE_COUNT or 2 * max(counts) > sum(counts):
                continue
            items = list(stored_items(segments[-tail:]))
            segments = [*segments[:-tail], *self._snapshot.build(items, writing)]
        return segments

    def _commit(
        self,
        segments: Sequence[Segment],
        writing: Writing | None,
        base: Snapshot | None = None,
        *,
        next_id: int | None = None,
    ) -> None:
        """Make ``segments`` the texts of the index (with ``base``, of that snapshot's measure)."""
        now = base or self._snapshot
        now = replace(
            now,
            segments=tuple(segments),
            next_id=now.next_id if next_id is None else next_id,
            generation=now.generation + 1,
        )
        if writing is not None:
            known = now.contents
            contents = Contents(
                known.measure if known is not None else writing.json("measure", _saved(now.measure)),
                tuple(Entry(str(one.name), one.count, one.dead_name) for one in segments),
                now.next_id,
                now.generation,
                now.known,
                known.checksums if known is not None else {},
                now.settings,
            )
            writing.commit(contents)
            contents = replace(contents, checksums={**contents.checksums, **writing.checksums})
            now = replace(now, contents=contents, seen=writing.folder.generation())
        self._snapshot = now


def _opened(path: str) -> Index:
    return Index.open(path, verify=False)


def _restored(
    measure_json: Mapping[str, Any],
    segments: Sequence[tuple[Any, int, Any]],
    next_id: int,
    generation: int,
    settings: Mapping[str, Any],
) -> Index:
    empty = Snapshot.of(measure_json)
    loaded = tuple(empty.loaded(Segment(arrays, count, dead=dead)) for arrays, count, dead in segments)
    return Index(replace(empty, segments=loaded, next_id=next_id, generation=generation, settings=settings))


def _next_id(items: Sequence[Item], least: int) -> int:
    return max([least, *(item.id + 1 for item in items if isinstance(item.id, int))])


def _saved(measure: TextMeasure) -> Mapping[str, Any]:
    values = measure.in_parts()
    if any(callable(value) for value in values["options"].values()):
        raise OptionError("a measure with a Python function in it cannot be saved; keep the index in memory")
    return values


def _names_before(identity: Id) -> Iterator[str]:
    """Give the names that a part goes by: its document's, its file's."""
    name = str(identity)
    while (cut := _PART.search(name)) is not None:
        name = name[: cut.start()]
        yield name
