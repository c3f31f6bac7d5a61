"""A snapshot: one consistent state of an index, which nothing changes. A search keeps the one it began with."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from likewise.errors import DamagedError, ForeignError, LikewiseError, OptionError
from likewise.index.batch import InMemory
from likewise.index.container import leave
from likewise.index.folder import Contents, Folder, Writing
from likewise.index.lists import DotFamily, ScanFamily, SpectraFamily, family_of
from likewise.index.segment import Id, Item, Segment, encode_documents, portions
from likewise.index.spelling import Speller
from likewise.measure import Measure, TextMeasure, from_json
from likewise.measure.storage import GramStorage

if TYPE_CHECKING:
    import pyarrow as pa

# So many texts of a segment, and so many characters in all, are looked at for the forms of a word.
_FORM_TEXTS = 20
_FORM_CHARACTERS = 200_000


@dataclass(frozen=True, eq=False)
class Snapshot:
    """A measure with what it was fitted to, how it keeps texts, and the segments of texts."""

    measure: TextMeasure
    family: DotFamily | SpectraFamily | ScanFamily
    known: tuple[int, int]
    """Terms and q-grams of the measure as saved: their ids are the same in every process."""
    segments: tuple[Segment, ...] = ()
    next_id: int = 0
    generation: int = 0
    settings: Mapping[str, Any] = field(default_factory=dict)
    """How the texts were taken from files, for those that are added later."""
    contents: Contents | None = None
    """The manifest of an index on disk."""
    seen: int | None = None
    """What :meth:`Folder.generation` said when the manifest was read."""
    _gone: dict[tuple[str, ...], list[NDArray[np.uint8] | None]] = field(default_factory=dict, init=False, repr=False)

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> "Snapshot":
        """Return an empty one, with a measure made from its saved form: its first ids are then the same everywhere."""
        return cls.holding(from_json(values))

    @classmethod
    def holding(cls, measure: Measure) -> "Snapshot":
        """Return an empty one with a measure that knows nothing but what it was fitted to."""
        if not isinstance(measure, TextMeasure):
            raise OptionError(f"an index keeps texts and needs a measure of texts, not {measure}")
        storage = measure.storage()
        grams = storage.grams.gram_count if isinstance(storage, GramStorage) else 0
        return cls(measure, family_of(measure), (len(measure.analyser), grams))

    @property
    def measure_json(self) -> dict[str, Any]:
        """The measure in its saved form."""
        return self.measure.to_json()

    @classmethod
    def open(cls, folder: Folder, verify: bool = True, before: "Snapshot | None" = None) -> "Snapshot":
        """Map the index of a folder; files that ``before`` does not have already are compared with their checksums."""
        while True:
            # Before the manifest is read: a commit in between is then seen by the next refresh.
            seen = folder.generation()
            contents = folder.read()
            try:
                return replace(cls._of(folder, contents, verify, before), seen=seen)
            except DamagedError:
                # A writer may have replaced the files between the two looks; it got on with its work, so shall we.
                if folder.read().generation == contents.generation:
                    raise

    @classmethod
    def _of(cls, folder: Folder, contents: Contents, verify: bool, before: "Snapshot | None") -> "Snapshot":
        # Mapped files stay, whatever a writer deletes: so this comes first, and what takes time after it.
        known = {one.name: one.arrays for one in before.segments} if before is not None else {}
        checksums = contents.checksum if verify else lambda name: None
        arrays = [known.get(entry.file) or folder.map(entry.file, checksums(entry.file)) for entry in contents.segments]
        removed = [
            folder.map(entry.removed, checksums(entry.removed)).get("removed") if entry.removed else None
            for entry in contents.segments
        ]
        empty = cls.of(folder.read_json(contents.measure, contents))
        if empty.known != contents.known:
            raise ForeignError(
                f"{folder.path} was built by a Likewise that tells words apart differently; build the index again"
            )
        segments = []
        for entry, mapped, dead in zip(contents.segments, arrays, removed, strict=True):
            if entry.removed and (dead is None or len(dead) != entry.texts):
                raise DamagedError(f"{entry.removed} does not fit {entry.file}")
            segments.append(empty.loaded(Segment(mapped, entry.texts, None, dead, entry.file, entry.removed)))
        return replace(
            empty,
            segments=tuple(segments),
            next_id=contents.next_id,
            generation=contents.generation,
            settings=contents.settings,
            contents=contents,
        )

    # Segments of its measure.

    def build(self, items: Sequence[Item], writing: Writing | None) -> Iterator[Segment]:
        """Make segments of items, on disk where there is a folder to write to."""
        for portion in portions(items):
            arrays = {**self.family.build([item.searched for item in portion]), "documents": encode_documents(portion)}
            segment = Segment(arrays, len(portion))
            if writing is not None:
                segment.name = writing.arrays("segment", arrays)
                segment.arrays = writing.folder.map(segment.name)
            yield self.loaded(segment)

    def loaded(self, segment: Segment) -> Segment:
        """Return the segment with its lists ready to search."""
        try:
            segment.lists = self.family.load(segment.arrays, segment.texts, segment.count)
        except KeyError as error:
            raise DamagedError(f"{segment.name} lacks the array {error}") from error
        except (ValueError, IndexError, TypeError, OverflowError) as error:
            if isinstance(error, LikewiseError):
                raise
            raise DamagedError(f"{segment.name}: {error}") from error
        return segment

    def leave(self) -> None:
        """Let go of the pages of mapped files that were looked at, which count as memory of this process."""
        for segment in self.segments:
            leave(segment.arrays)

    # What searches need.

    def place(self, text: int) -> tuple[Segment, int]:
        """Return the segment of a text that is numbered through all segments, and its place there."""
        for segment in self.segments:
            if text < segment.count:
                return segment, text
            text -= segment.count
        raise IndexError(text)

    def id_column(self, ids: Sequence[Id]) -> "pa.Array":
        """Return ids as a column of their own type; as text where an index has both kinds."""
        import pyarrow as pa

        kinds = {pa.types.is_integer(segment.table.column("id").type) for segment in self.segments}
        return pa.array(ids, pa.int64()) if kinds <= {True} else pa.array([str(one) for one in ids], pa.string())

    @property
    def lists(self) -> list[Any]:
        """The lists of every segment."""
        return [segment.lists for segment in self.segments]

    def dead(self, leave_out: tuple[str, ...] = ()) -> list[NDArray[np.uint8] | None]:
        """Return which texts were removed or have one of the roles to leave out, by segment."""
        if leave_out not in self._gone:
            self._gone[leave_out] = [segment.gone(leave_out) for segment in self.segments]
        return self._gone[leave_out]

    def forms(self, term: str) -> set[str]:
        """Return words that stand for a term in the texts, in small letters: a stem is nothing to show."""
        analyser = self.measure.analyser
        if analyser.options.stem is None:
            return {term}
        number = int(analyser.intern([term])[0])
        texts, left = list[str](), _FORM_CHARACTERS
        for segment in self.segments:
            begin, end = segment.lists.list(number)
            for text in segment.texts(segment.arrays["texts"][begin : min(end, begin + _FORM_TEXTS)]):
                if left > 0:
                    texts.append(text)
                left -= len(text)
        joined = "\n".join(texts)
        rows = analyser.terms([joined], positions=True)
        assert rows.starts is not None
        assert rows.ends is not None
        places = np.flatnonzero(rows.terms == number).tolist()
        return {joined[rows.starts[at] : rows.ends[at]].lower() for at in places} or {term}

    @cached_property
    def speller(self) -> Speller:
        """The words of the texts, found by what they look like; made when first needed."""
        assert isinstance(self.family, DotFamily)
        counts: dict[str, int] = {}
        for segment in self.segments:
            sizes = np.diff(segment.arrays["indptr"]).tolist()
            for name, size in zip(self.family.names(segment.arrays), sizes, strict=True):
                counts[name] = counts.get(name, 0) + size
        return Speller(counts)

    @cached_property
    def in_memory(self) -> InMemory:
        """The texts analysed for the join engine; made when first needed."""
        return InMemory(self.segments, self.measure)
