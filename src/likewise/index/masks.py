"""What keeps a text from being a hit: fields that do not fit, words that must not occur, phrases that must.

Every limit is a mask per segment (True: may be a hit); all of them together go to the index as texts to pass over.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from likewise.errors import OptionError
from likewise.index.query import Clause, Part, Query, query_error
from likewise.index.segment import Segment
from likewise.index.snapshot import Snapshot

if TYPE_CHECKING:
    import pyarrow as pa

Mask = NDArray[np.bool_]
Masks = list[Mask | None]  # per segment; None: every text


class Limits:
    """Masks over one snapshot of an index."""

    def __init__(self, snapshot: Snapshot, leave_out: tuple[str, ...] = ()) -> None:
        self.snapshot = snapshot
        self._leave_out = leave_out

    def of(self, query: Query, filters: Mapping[str, Any] | None) -> Masks:
        """Return the masks of everything in a query that limits what can be found."""
        masks: Masks = [None] * len(self.snapshot.segments)
        for name, value in (filters or {}).items():
            if problem := self._field_problem(name):
                raise OptionError(f"filters: {problem}")
            masks = both(masks, [field_mask(segment, name, value) for segment in self.snapshot.segments])
        for clause in query.fields:
            if problem := self._field_problem(clause.field):
                raise query_error(f"{problem}; quote what is no field:", query.text, clause.span.start)
            value = clause.parts[0][0].text
            found = [self._words_in_field(segment, clause.field, value) for segment in self.snapshot.segments]
            masks = both(masks, [~mask for mask in found] if clause.negated else found)
        for clause in query.unwanted:
            masks = both(masks, [~mask for mask in self.any_of(clause)])
        for clause in query.wanted:
            if clause.kind == "phrase":
                masks = both(masks, self.phrase(clause.parts[0][0].text))
        return masks

    def dead(self, masks: Masks) -> list[NDArray[np.uint8] | None]:
        """Return which texts cannot be hits, removed ones and roles to leave out included, as the index takes it."""
        dead: list[NDArray[np.uint8] | None] = []
        for gone, mask in zip(self.snapshot.dead(self._leave_out), masks, strict=True):
            if mask is None:
                dead.append(gone)
            else:
                failed = (~mask).view(np.uint8)
                dead.append(failed if gone is None else failed | gone)
        return dead

    def any_of(self, clause: Clause) -> list[Mask]:
        """Say of each text whether it has any alternative of a clause: all words of a row, phrases as phrases."""
        result = [np.zeros(segment.count, np.bool_) for segment in self.snapshot.segments]
        for row in clause.parts:
            for mask, found in zip(result, self.all_of(row), strict=True):
                mask |= found
        return result

    def all_of(self, row: Sequence[Part]) -> list[Mask]:
        """Say of each text whether it has all words and phrases of a row."""
        result = [np.ones(segment.count, np.bool_) for segment in self.snapshot.segments]
        for part in row:
            found = self.phrase(part.text) if part.phrase else self.words(part.text)
            for mask, one in zip(result, found, strict=True):
                mask &= one
        return result

    def words(self, text: str) -> list[Mask]:
        """Say of each text whether it has every word; words that the measure drops are not asked for."""
        terms = np.unique(self.snapshot.measure.analyser.terms([text]).terms).tolist()
        return [self._having(segment, terms) for segment in self.snapshot.segments]

    def phrase(self, text: str) -> list[Mask]:
        """Say of each text whether it has the words of a phrase one after the other."""
        rows = self.snapshot.measure.analyser.terms([text], positions=True)
        result = []
        for segment in self.snapshot.segments:
            mask = self._having(segment, np.unique(rows.terms).tolist())
            places = np.flatnonzero(mask)
            if len(rows.terms) > 1 and len(places):
                assert rows.tokens is not None
                mask[places] = self._in_a_row(segment.texts(places), rows.terms, rows.tokens - rows.tokens[0])
            result.append(mask)
        return result

    def _in_a_row(self, texts: list[str], terms: NDArray[np.int32], distances: NDArray[np.int64]) -> Mask:
        """Say of each text whether the terms stand at these distances from the first of them."""
        found = self.snapshot.measure.analyser.terms(texts, positions=True)
        assert found.tokens is not None
        owner = np.repeat(np.arange(len(texts)), np.diff(found.indptr))
        # Token numbers rise through the whole batch; a gap keeps the end of a text from the start of the next.
        tokens = found.tokens + owner * (int(distances[-1]) + 1)
        starts = np.flatnonzero(found.terms == terms[0])
        for term, distance in zip(terms[1:], distances[1:], strict=True):
            later = tokens[found.terms == term]
            starts = starts[np.isin(tokens[starts] + distance, later)]
        mask = np.zeros(len(texts), np.bool_)
        mask[owner[starts]] = True
        return mask

    def _having(self, segment: Segment, terms: list[int]) -> Mask:
        mask = np.ones(segment.count, np.bool_)
        for term in terms:
            found = self.snapshot.family.having(segment.arrays, segment.lists, term)
            if found is None:
                rows = self.snapshot.measure.analyser.terms(segment.texts())
                owner = np.repeat(np.arange(segment.count), np.diff(rows.indptr))
                found = np.zeros(segment.count, np.bool_)
                found[owner[rows.terms == term]] = True
            mask &= found
        return mask

    def _field_problem(self, name: str) -> str:
        """Say what is wrong with a field's name, if anything."""
        known = sorted({"source", *(field for segment in self.snapshot.segments for field in segment.field_names())})
        return "" if name in known else f"the index has no field {name!r}; it has {', '.join(known)}"

    def _words_in_field(self, segment: Segment, name: str, value: str) -> Mask:
        """Say of each text whether its field has the words of a value, or lies in the range that it gives."""
        import pyarrow as pa

        column = _column(segment, name)
        if column is None:
            return np.zeros(segment.count, np.bool_)
        if pa.types.is_string(column.type) or pa.types.is_large_string(column.type):
            analyser = self.snapshot.measure.analyser
            wanted = np.unique(analyser.terms([value]).terms)
            rows = analyser.terms(column.fill_null("").to_pylist())
            owner = np.repeat(np.arange(segment.count), np.diff(rows.indptr))
            mask = np.ones(segment.count, np.bool_)
            for term in wanted:
                one = np.zeros(segment.count, np.bool_)
                one[owner[rows.terms == term]] = True
                mask &= one
            valid: Mask = column.is_valid().to_numpy(zero_copy_only=False)
            return mask & valid
        return field_mask(segment, name, value)


def both(masks: Masks, more: Sequence[Mask]) -> Masks:
    """Return masks of texts that both let through."""
    return [one if mask is None else mask & one for mask, one in zip(masks, more, strict=True)]


def field_mask(segment: Segment, name: str, value: Any) -> Mask:
    """Say of each text whether a field has a value, one of several (list, set), or lies in a range (tuple, ``"a..b"``).

    Text is compared as it stands, numbers as numbers, dates as dates; of a field that is a list, one member is enough.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    column = _column(segment, name)
    if column is None:
        return np.zeros(segment.count, np.bool_)
    if isinstance(value, list | set | frozenset):
        result = np.zeros(segment.count, np.bool_)
        for one in value:
            result |= field_mask(segment, name, one)
        return result
    if pa.types.is_list(column.type):
        parents = pc.list_parent_indices(column).to_numpy()
        inside = _compare(pc.list_flatten(column), value)
        result = np.zeros(segment.count, np.bool_)
        result[parents[inside]] = True
        return result
    return _compare(column, value)


def _compare(column: "pa.Array", value: Any) -> Mask:
    import pyarrow as pa
    import pyarrow.compute as pc

    is_text = pa.types.is_string(column.type) or pa.types.is_large_string(column.type)
    low, high, is_range = value, value, False
    if isinstance(value, tuple) and len(value) == 2:
        (low, high), is_range = value, True
    elif isinstance(value, str) and ".." in value and not is_text:
        low, _, high = value.partition("..")
        is_range = True
    limits = [None if limit in (None, "") else _as(column.type, limit) for limit in (low, high)]
    if any(limit is _NEVER for limit in limits):
        return np.zeros(len(column), np.bool_)
    if not is_range:
        equal = column.is_null() if value is None else pc.equal(column, limits[0])
        return np.asarray(equal.fill_null(False).to_numpy(zero_copy_only=False), np.bool_)
    result = column.is_valid().to_numpy(zero_copy_only=False)
    for limit, inside in zip(limits, (pc.greater_equal, pc.less_equal), strict=True):
        if limit is not None:
            result = result & inside(column, limit).fill_null(False).to_numpy(zero_copy_only=False)
    return np.asarray(result, np.bool_)


_NEVER = object()


def _as(kind: Any, value: Any) -> Any:
    """Return a value in the type of a column, or _NEVER if no value of the column can equal it."""
    import pyarrow as pa

    try:
        if isinstance(value, str) and not (pa.types.is_string(kind) or pa.types.is_large_string(kind)):
            if pa.types.is_floating(kind) or pa.types.is_integer(kind):
                return pa.scalar(float(value))
            return pa.scalar(value).cast(kind)
        if pa.types.is_string(kind) or pa.types.is_large_string(kind):
            return pa.scalar(str(value), kind)
        return pa.scalar(value)
    except (ValueError, TypeError, pa.ArrowException):
        return _NEVER


def _column(segment: Segment, name: str) -> "pa.Array | None":
    found = segment.field(name)
    if found is None and name == "source":
        return segment.table.column("source").combine_chunks()
    return found
