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
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from likewise.errors import DamagedError, ForeignError, InputError, LikewiseError, OptionError
from likewise.index.folder import Contents, Entry, Folder, Writing
from likewise.index.lists import DotFamily, ScanFamily, SpectraFamily, family_of
from likewise.index.segment import Id, Item, Segment, State, encode_documents, items_of, portions, stored_items
from likewise.measure import Measure, TextMeasure, as_measure, from_json
from likewise.options import check_integer, check_range
from likewise.progress import Progress
from likewise.read.document import Document

if TYPE_CHECKING:
    from likewise.index.partners import Partners
    from likewise.jobs.search import Hits

DEFAULT_MEASURE = "bm25"
# So many segments at the end of an index that are no larger than this are made one.
_MERGE_COUNT = 16
_MERGE_SIZES = (1, 16, 256, 4096)
_RETRIES = 5


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

    def __init__(self, measure: Measure, folder: Folder | None = None) -> None:
        """Make an empty index; users call :meth:`build` or :meth:`open`."""
        self._take_measure(measure.to_json())
        self._folder = folder
        self._contents: Contents | None = None
        self._seen: int | None = None
        self._state = State(())
        self._lock = threading.RLock()
        self.kept: dict[str, Any] = {}  # what searches worked out and may want again

    def _take_measure(self, values: Mapping[str, Any]) -> None:
        # A measure of its own, made from the saved form: its first ids are then the same in every process.
        measure = from_json(values)
        if not isinstance(measure, TextMeasure):
            raise OptionError(f"an index keeps texts and needs a measure of texts, not {measure}")
        self.measure = measure
        self._measure_json = values
        self._family: DotFamily | SpectraFamily | ScanFamily = family_of(self.measure)
        grams = getattr(self.measure, "_grams", None)
        self._known = (len(self.measure.analyser), grams.gram_count if grams is not None else 0)

    # Making and opening.

    @classmethod
    def build(
        cls,
        documents: Iterable[str | Document],
        *,
        measure: Measure | str | None = None,
        ids: Sequence[Id] | None = None,
        path: str | os.PathLike[str] | None = None,
        progress: Progress | None = None,
    ) -> "Index":
        """Index texts or documents.

        ``measure`` is a measure or its specification (``"bm25"``, ``"spectra(weights=c.idf.qidf)"``); one that is not
        fitted yet learns its weights from the documents. With ``path`` the index is written there as it grows.
        """
        items = items_of(documents, ids, 0)
        chosen = as_measure(measure, DEFAULT_MEASURE)
        if not chosen.ready and isinstance(chosen, TextMeasure):
            chosen = chosen.copy().fit([item.text for item in items])
        index = cls(chosen, Folder(path) if path is not None else None)
        with index._writing() as writing:
            segments, done = [], 0
            for portion in portions(items):
                segments.append(index._segment(portion, writing))
                done += len(portion)
                if progress is not None:
                    progress(done, len(items), "texts")
            index._commit(tuple(segments), _next_id(items, 0), writing, 1)
        return index

    @classmethod
    def open(cls, path: str | os.PathLike[str], *, verify: bool = True) -> "Index":
        """Map an index from disk; with ``verify`` every file is compared with its checksum first."""
        folder = Folder(path)
        for attempt in range(_RETRIES):
            # Before the manifest is read: a commit in between is then seen by the next refresh.
            seen = folder.generation()
            contents = folder.read()
            try:
                folder.verify(contents, [contents.measure])
                index = cls.__new__(cls)
                index._folder = folder
                index._lock = threading.RLock()
                index.kept = {}
                index._take_measure(folder.read_json(contents.measure))
                if index._known != contents.known:
                    raise ForeignError(
                        f"{path} was built by a Likewise that tells words apart differently; build the index again"
                    )
                index._state = State(())
                index._contents = None
                index._load(contents, verify)
                index._seen = seen
            except DamagedError:
                # A writer may have replaced the files between the two looks.
                if attempt + 1 < _RETRIES and folder.read().generation != contents.generation:
                    continue
                raise
            return index
        raise AssertionError("unreachable")

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the index to a folder, in place of an index that may be there; it then lives there."""
        folder = Folder(path)
        with self._lock, folder.writing() as writing:
            segments = []
            for segment in self._state.segments:
                name = writing.arrays("segment", segment.arrays)
                segments.append(Segment(folder.map(name), segment.count, dead=segment.dead, name=name))
            self._folder, self._contents = folder, None
            for segment in segments:
                self._bring_to_life(segment)
                if segment.dead is not None:
                    segment.dead_name = writing.arrays("removed", {"removed": segment.dead})
            self._commit(tuple(segments), self._state.next_id, writing, self._state.generation + 1)

    def refresh(self) -> bool:
        """Look whether another process has changed the index on disk, and take that up; say whether it had."""
        if self._folder is None or self._folder.generation() == self._seen:
            return False
        fresh = Index.open(self._folder.path, verify=False)
        self._become(fresh)
        return True

    # What is in it.

    def __len__(self) -> int:
        return sum(segment.alive for segment in self._state.segments)

    @property
    def path(self) -> str | None:
        """The folder of the index, if it has one."""
        return None if self._folder is None else str(self._folder.path)

    @property
    def state(self) -> State:
        """The state of the moment."""
        return self._state

    @property
    def family(self) -> DotFamily | SpectraFamily | ScanFamily:
        """How texts are kept and searched."""
        return self._family

    def ids(self) -> list[Id]:
        """Return the ids of all texts, in the order in which they were added."""
        return [item.id for item in stored_items(self._state.segments)]

    def document(self, id: Id) -> Document:  # noqa: A002 - the word users see
        """Return a document by its id."""
        for segment in self._state.segments:
            for place in segment.find({id}):
                found, text, source, fields = segment.document(int(place))
                return Document(str(found), text, source, fields)
        raise InputError(f"the index has no text with id {id!r}")

    # Asking.

    def match(
        self,
        texts: Sequence[str],
        *,
        top: int = 1,
        min_score: float = 0.0,
        threads: int | None = None,
        progress: Progress | None = None,
    ) -> "Partners":
        """Return for each text its best partners in the index.

        >>> index = Index.build(["Gonzalo Gonzalez", "Maria Perez"], measure="spectra")
        >>> index.match(["Gonzales, Gonzalo"]).to_arrow().column("right_text").to_pylist()
        ['Gonzalo Gonzalez']
        """
        from likewise.index import batch
        from likewise.index.partners import Partners

        check_integer("top", top, 1)
        check_range("min_score", min_score, 0)
        if isinstance(texts, str):
            raise InputError("a list of texts is wanted, not a single str: put it into a list")
        texts = list(texts)
        self = self.snapshot()
        state = self._state
        call = None if progress is None else (lambda done, total: progress(done, total, "texts"))
        if batch.pays(self._family, state, texts):
            analysed = self.kept.get("analysed")
            if analysed is None or analysed.state is not state:
                analysed = self.kept["analysed"] = batch.Analysed(state, self.measure)
            columns = batch.top(analysed, self.measure, texts, top, float(min_score), threads, call)
        else:
            lists = [segment.lists for segment in state.segments]
            columns = self._family.top(lists, texts, top, float(min_score), state.dead(), threads, call)
        return Partners.of(state, texts, *columns)

    def search(self, query: str, *, top: int = 10, **options: Any) -> "Hits":
        """Return the best texts for a query in the query language; see :func:`likewise.jobs.search.search`."""
        from likewise.jobs.search import search

        return search(self, query, top=top, **options)

    # Changing.

    def add(self, documents: Iterable[str | Document], *, ids: Sequence[Id] | None = None) -> list[Id]:
        """Add texts or documents; return their ids. Weights stay as fitted; see :meth:`refit`."""
        with self._writing() as writing:
            state = self._state
            items = items_of(documents, ids, state.next_id)
            if not items:
                return []
            numbered = ids is None and all(isinstance(item.id, int) for item in items)
            if not numbered:
                wanted = {item.id for item in items}
                for segment in state.segments:
                    for place in segment.find(wanted):
                        raise InputError(
                            f"id {segment.document(int(place))[0]!r} is in the index already: remove it first"
                        )
            segments = [*state.segments, *(self._segment(portion, writing) for portion in portions(items))]
            segments = self._merged(segments, writing)
            self._commit(tuple(segments), _next_id(items, state.next_id), writing, state.generation + 1)
            return [item.id for item in items]

    def remove(self, ids: Iterable[Id]) -> int:
        """Remove texts by their ids; return how many that were. An unknown id is an error, and nothing is removed."""
        wanted: set[Id] = {ids} if isinstance(ids, str | int) else set(ids)
        with self._writing() as writing:
            state = self._state
            segments: list[Segment] = []
            found: set[Id] = set()
            for segment in state.segments:
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
                self._commit(tuple(segments), state.next_id, writing, state.generation + 1)
            return len(found)

    def compact(self) -> None:
        """Write the texts that are left into as few segments as possible; weights stay as fitted."""
        with self._writing() as writing:
            items = list(stored_items(self._state.segments))
            segments = tuple(self._segment(portion, writing) for portion in portions(items))
            self._commit(segments, self._state.next_id, writing, self._state.generation + 1)

    def refit(self) -> None:
        """Let the measure learn its weights anew from the texts that are in the index now."""
        with self._writing() as writing:
            items = list(stored_items(self._state.segments))
            measure = from_json(self._measure_json)
            if measure.adaptive:
                measure.fit([item.text for item in items])
            fresh = Index(measure, self._folder)
            segments = tuple(fresh._segment(portion, writing) for portion in portions(items))
            fresh._commit(segments, self._state.next_id, writing, self._state.generation + 1)
            self._become(fresh)

    # How it is done.

    def snapshot(self) -> "Index":
        """Return the index as it is now, for a search that other threads' changes must not reach."""
        copy = object.__new__(Index)
        copy.__dict__.update(self.__dict__)  # in one step: no other thread comes between
        return copy

    def _become(self, fresh: "Index") -> None:
        names = ("measure", "_measure_json", "_family", "_known", "_contents", "_seen", "_state")
        self.__dict__.update({name: getattr(fresh, name) for name in names})  # in one step

    @contextlib.contextmanager
    def _writing(self) -> Iterator[Writing | None]:
        """Be the one writer; on disk, of the newest state."""
        with self._lock:
            if self._folder is None:
                yield None
                return
            with self._folder.writing() as writing:
                if self._contents is not None:
                    self.refresh()
                yield writing

    def _segment(self, items: Sequence[Item], writing: Writing | None) -> Segment:
        texts = [item.text for item in items]
        arrays = {**self._family.build(texts), "documents": encode_documents(items)}
        segment = Segment(arrays, len(items))
        if writing is not None:
            segment.name = writing.arrays("segment", arrays)
            segment.arrays = writing.folder.map(segment.name)
        self._bring_to_life(segment)
        return segment

    def _bring_to_life(self, segment: Segment) -> None:
        try:
            segment.lists = self._family.load(segment.arrays, segment.texts, segment.count)
        except KeyError as error:
            raise DamagedError(f"{segment.name} lacks the array {error}") from error
        except ValueError as error:
            if isinstance(error, LikewiseError):
                raise
            raise DamagedError(f"{segment.name}: {error}") from error

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
            segments = segments[:-tail] + [self._segment(portion, writing) for portion in portions(items)]
        return segments

    def _commit(self, segments: tuple[Segment, ...], next_id: int, writing: Writing | None, generation: int) -> None:
        if writing is not None:
            measure = self._contents.measure if self._contents is not None else None
            contents = Contents(
                measure or writing.json("measure", _plain(self._measure_json)),
                tuple(Entry(str(one.name), one.count, one.dead_name) for one in segments),
                next_id,
                generation,
                self._known,
                self._contents.checksums if self._contents is not None else {},
            )
            writing.commit(contents)
            self._contents = replace(contents, checksums={**contents.checksums, **writing.checksums})
            self._seen = writing.folder.generation()
        self._state = State(segments, next_id, generation)

    def _load(self, contents: Contents, verify: bool) -> None:
        """Take up what a manifest says."""
        assert self._folder is not None
        segments = []
        for entry in contents.segments:
            if verify:
                self._folder.verify(contents, [entry.file, *([entry.removed] if entry.removed else [])])
            segment = Segment(self._folder.map(entry.file), entry.texts, name=entry.file, dead_name=entry.removed)
            if entry.removed:
                segment.dead = self._folder.map(entry.removed)["removed"]
                if len(segment.dead) != segment.count:
                    raise DamagedError(f"{entry.removed} does not fit {entry.file}")
            self._bring_to_life(segment)
            segments.append(segment)
        self._contents = contents
        self._state = State(tuple(segments), contents.next_id, contents.generation)


def _next_id(items: Sequence[Item], least: int) -> int:
    return max([least, *(item.id + 1 for item in items if isinstance(item.id, int))])


def _plain(values: Mapping[str, Any]) -> Mapping[str, Any]:
    if any(callable(value) for value in values["options"].values()):
        raise OptionError("a measure with a Python function in it cannot be saved; keep the index in memory")
    return values
