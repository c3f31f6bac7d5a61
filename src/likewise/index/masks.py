"""What keeps a text from being a hit: fields that do not fit, words that must not occur, phrases that must.

Every limit is a mask per segment (True: may be a hit); all of them together go to the index as texts to pass over.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from likewise.analyse.analyser import Analyser, TermRows
from likewise.errors import OptionError, QueryError
from likewise.index.lists import DotFamily
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
        self._wanted = ""

    def of(self, query: Query, filters: Mapping[str, Any] | None) -> Masks:
        """Return the masks of everything in a query that limits what can be found."""
        self._check_fields(query)
        if not query.wanted:
            raise QueryError(
                "the query has no word to look for, only fields (name:value) and words with a minus", query.text, 0
            )
        masks: Masks = [None] * len(self.snapshot.segments)
        self._wanted = " ".join(part.text for clause in query.wanted for row in clause.parts for part in row)
        for name, value in (filters or {}).items():
            if problem := self._field_problem(name):
                raise OptionError(f"filters: {problem}")
            for one in value if isinstance(value, list | set | frozenset) else [value]:
                if isinstance(one, str) and (problem := self._value_problem(name, one)):
                    raise OptionError(f"filters: {problem}")
            masks = both(masks, [field_mask(segment, name, value) for segment in self.snapshot.segments])
        for clause in query.fields:
            value = clause.parts[0][0].text
            found = [self._words_in_field(segment, clause.field, value) for segment in self.snapshot.segments]
            masks = both(masks, [~mask for mask in found] if clause.negated else found)
        for clause in query.unwanted:
            masks = both(masks, [~mask for mask in self.any_of(clause)])
        for clause in query.wanted:
            if clause.kind == "phrase":
                masks = both(masks, self.phrase(clause.parts[0][0].text))
        return masks

    def _check_fields(self, query: Query) -> None:
        """Refuse fields that no text has, and values that theirs cannot have; that comes before all else."""
        for clause in query.fields:
            if problem := self._field_problem(clause.field):
                raise query_error(f"{problem}; quote what is no field:", query.text, clause.span.start)
            if problem := self._value_problem(clause.field, clause.parts[0][0].text):
                raise query_error(f"{problem}:", query.text, clause.span.start)

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
            if not any(len(self._whole.terms([part.text]).terms) for part in row):
                continue  # signs only: nothing that a text could have
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
        """Say of each text whether it has every word; those that the index leaves out are looked for in the texts."""
        return self._found(text, self._all_in)

    def phrase(self, text: str) -> list[Mask]:
        """Say of each text whether it has the words of a phrase one after the other, stop words included."""
        return self._found(text, self._in_a_row)

    def _found(self, text: str, check: Callable[[Analyser, list[str], TermRows], Mask]) -> list[Mask]:
        """Narrow the texts down by the index, and check those that are left where the index does not tell enough."""
        analyser = self.snapshot.measure.analyser
        kept = np.unique(analyser.terms([text]).terms).tolist()
        whole = self._whole.terms([text], positions=True)
        told = len(np.unique(whole.terms)) == len(kept) and (len(whole.terms) < 2 or check == self._all_in)
        result = []
        for number, segment in enumerate(self.snapshot.segments):
            mask = self._having(segment, kept) if kept else self._scored[number].copy()
            places = np.flatnonzero(mask)
            if not told and len(whole.terms) and len(places):
                mask[places] = check(self._whole, segment.texts(places), whole)
            result.append(mask)
        return result

    @cached_property
    def _whole(self) -> Analyser:
        """The analysis of the index, and nothing left out."""
        analyser = self.snapshot.measure.analyser
        return analyser if analyser.options.stop is None else Analyser(replace(analyser.options, stop=None))

    @cached_property
    def _scored(self) -> list[Mask]:
        """Which texts can have a score: only they are read for words that the index leaves out."""
        analyser, family = self.snapshot.measure.analyser, self.snapshot.family
        terms = np.unique(analyser.terms([self._wanted]).terms).tolist()
        result = []
        for segment in self.snapshot.segments:
            mask = np.zeros(segment.count, np.bool_)
            for term in terms:
                # Other measures find texts by parts of words, or by words that are alike.
                one = family.having(segment.arrays, segment.lists, term) if isinstance(family, DotFamily) else None
                mask |= True if one is None else one
            result.append(mask)
        return result

    @staticmethod
    def _all_in(analyser: Analyser, texts: list[str], wanted: TermRows) -> Mask:
        """Say of each text whether it has all terms."""
        found = analyser.terms(texts)
        owner = np.repeat(np.arange(len(texts)), np.diff(found.indptr))
        mask = np.ones(len(texts), np.bool_)
        for term in np.unique(wanted.terms):
            one = np.zeros(len(texts), np.bool_)
            one[owner[found.terms == term]] = True
            mask &= one
        return mask

    @staticmethod
    def _in_a_row(analyser: Analyser, texts: list[str], wanted: TermRows) -> Mask:
        """Say of each text whether the terms stand as far from each other as they are wanted."""
        assert wanted.tokens is not None
        terms, distances = wanted.terms, wanted.tokens - wanted.tokens[0]
        found = analyser.terms(texts, positions=True)
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

    def _value_problem(self, name: str, value: str) -> str:
        """Say what is wrong with a value or a range, if no text could ever have it for its kind."""
        import pyarrow as pa

        columns = [column for segment in self.snapshot.segments if (column := _column(segment, name)) is not None]
        kinds = {column.type.value_type if pa.types.is_list(column.type) else column.type for column in columns}
        bounds = value.split("..") if value.count("..") == 1 else [value]
        if any(_is_text(kind) for kind in kinds):
            wrong = _RANGE.fullmatch(value) is not None and not _is_days(bounds)
            return f"{name} holds texts, and {value} is not a range of days such as 1990-01-31..1999" if wrong else ""
        for kind in kinds:
            if all(not bound or _as(kind, bound) is not _NEVER for bound in bounds):
                return ""
        return f"{name} holds values of the kind {min(map(str, kinds))}, and {value!r} is none" if kinds else ""

    def _words_in_field(self, segment: Segment, name: str, value: str) -> Mask:
        """Say of each text whether its field has the words of a value, or lies in the range that it gives."""

        column = _column(segment, name)
        if column is None:
            return np.zeros(segment.count, np.bool_)
        if _is_text(column.type) and not _RANGE.fullmatch(value):
            analyser = self.snapshot.measure.analyser
            mask = self._all_in(analyser, column.fill_null("").to_pylist(), analyser.terms([value]))
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
    import pyarrow.compute as pc

    is_text = _is_text(column.type)
    low, high, is_range = value, value, False
    if isinstance(value, tuple) and len(value) == 2:
        (low, high), is_range = value, True
    elif isinstance(value, str) and ".." in value and (not is_text or _is_days(value.split(".."))):
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
            # Days as texts: all of 1999-05 lies within a range that ends there.
            cut = is_text and isinstance(value, str) and inside is pc.less_equal
            values = pc.utf8_slice_codeunits(column, 0, len(high)) if cut else column
            result = result & inside(values, limit).fill_null(False).to_numpy(zero_copy_only=False)
    return np.asarray(result, np.bool_)


_NEVER = object()
_RANGE = re.compile(r"[^.\s]+\.\.[^.\s]*|\.\.[^.\s]+")
_DAY = re.compile(r"\d{4}(?:-\d\d(?:-\d\d)?)?")


def _is_text(kind: Any) -> bool:
    import pyarrow as pa

    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind))


def _is_days(bounds: Sequence[str]) -> bool:
    """Whether the bounds of a range are years, months or days as ISO 8601 writes them, which sort as texts do."""
    return len(bounds) == 2 and any(bounds) and all(not bound or _DAY.fullmatch(bound) for bound in bounds)


def _as(kind: Any, value: Any) -> Any:
    """Return a value in the type of a column, or _NEVER if no value of the column can equal it."""
    import pyarrow as pa

    try:
        if isinstance(value, str) and not _is_text(kind):
            if pa.types.is_floating(kind) or pa.types.is_integer(kind):
                return pa.scalar(float(value))
            return pa.scalar(value).cast(kind)
        if _is_text(kind):
            return pa.scalar(str(value), kind)
        return pa.scalar(value)
    except (ValueError, TypeError, pa.ArrowException):
        return _NEVER


def _column(segment: Segment, name: str) -> "pa.Array | None":
    found = segment.field(name)
    if found is None and name == "source":
        return segment.table.column("source").combine_chunks()
    return found
