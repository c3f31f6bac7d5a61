"""What each field says about a pair of records: likeness, equality of rare values, closeness; nothing where it is null.

:class:`Field` knows one field of both sides; :meth:`Field.compare` gives its :class:`Evidence` for pairs of records.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from likewise import _core
from likewise.measure import Measure
from likewise.records.columns import Column
from likewise.records.comparison import Comparison
from likewise.records.dates import agreement, parse_date
from likewise.records.kinds import KINDS, magnitudes, normalised
from likewise.records.measures import fit_columns

Rows = NDArray[np.int64]
Values = NDArray[np.float64]
_DIGIT = re.compile(r"\d")
_STRIP = re.compile(r"[\W_]+")
# From this share of values on that have a number in them, numbers in a text are a field of their own.
_NUMBERED = 0.3
# Prices and sizes of two makers differ more than years and days do: so many usual distances of ratios are one.
_RATIOS = 3


@dataclass(frozen=True)
class Evidence:
    """One field of some pairs.

    ``null``: a side has no value; ``alike``: from 0 to 1; ``equal``, and the ``share`` of the records that have the
    value; ``distance`` of what is measured, in units of a usual distance (NaN: none).
    """

    null: NDArray[np.bool_]
    alike: Values
    equal: NDArray[np.bool_]
    share: Values
    distance: Values | None = None

    @classmethod
    def nothing(cls, size: int) -> "Evidence":
        """Return the evidence of a field that no record has."""
        return cls(np.ones(size, bool), np.zeros(size), np.zeros(size, bool), np.ones(size))

    def exact(self) -> "Evidence":
        """Return the evidence in which only what is equal is alike."""
        return replace(self, alike=np.where(self.equal, 1.0, 0.0))

    def take(self, chosen: NDArray[Any] | slice) -> "Evidence":
        """Return the evidence of some of the pairs."""
        distance = None if self.distance is None else self.distance[chosen]
        return Evidence(self.null[chosen], self.alike[chosen], self.equal[chosen], self.share[chosen], distance)


@dataclass(frozen=True)
class FieldModel:
    """What a model keeps of a field: its kind, the fitted measure of its letters, the scale of what it measures.

    ``common``: the share of the records that have a value, of values that several have; ``alone``: of the others.
    """

    kind: str
    measure: Measure | None
    scale: tuple[bool, float] | None
    common: Mapping[str, float]
    alone: float


class Asked(Protocol):
    """What a decision asks of a field besides the evidence of its candidates, wherever its texts are."""

    @property
    def name(self) -> str: ...  # noqa: D102
    @property
    def kind(self) -> str: ...  # noqa: D102
    def texts(self, side: int) -> tuple[int, int]:
        """Return how many records of a side have a text, and how many distinct texts these are."""

    def codes(self, side: int) -> Rows:
        """Return which text each record of a side has, numbered as they first appear; -1: none."""

    def values(self, side: int) -> Rows:
        """Return which value each record of a side has, equal however it is written; numbered likewise."""

    def alike(self, side: int, a: Rows, b: Rows) -> Values:
        """Return the scores of records of a side with others of it."""

    def nearest_texts(self, side: int) -> Values:
        """Return the best score of the distinct texts of a side with another of them, where they have any."""

    def model(self) -> FieldModel:
        """Return what a model keeps of the field."""


@dataclass(frozen=True)
class Field:
    """One field: its name and kind, the distinct texts of both sides, and the measure of their letters.

    ``known`` is what a model knows of it. ``often``: the share of the records of each side that have the value of a
    record, where these are some of more.
    """

    name: str
    kind: str
    left: Column
    right: Column
    measure: Measure | None
    threads: int | None = None
    known: FieldModel | None = None
    often: tuple[Values, Values] | None = None

    @classmethod
    def by(cls, name: str, left: Column, right: Column, known: FieldModel, threads: int | None = None) -> "Field":
        """Return the field of other records as a model knows it."""
        return cls(name, known.kind, left, right, known.measure, threads, known)

    def model(self) -> FieldModel:
        """Return what is kept of the field."""
        if self.known is not None:
            return self.known
        (a, b), names = self._shares, self._values[2]
        share, alone = np.maximum(a, b), 1 / max(1, min(len(self.left), len(self.right)))
        several = np.flatnonzero(share > alone * (1 + 1e-9)).tolist()
        scale = self._magnitudes[2:] if KINDS[self.kind].measured else None
        return FieldModel(self.kind, self.measure, scale, {names[k]: float(share[k]) for k in several}, alone)

    @classmethod
    def of(cls, name: str, kind: str, left: Column, right: Column, threads: int | None = None) -> "Field":
        """Fit the default measure to both sides."""
        if not KINDS[kind].letters:
            return cls(name, kind, left, right, None, threads)
        left, right, measure = fit_columns(left, right)
        return cls(name, kind, left, right, measure, threads)

    def texts(self, side: int) -> tuple[int, int]:
        """Return how many records of a side have a text, and how many distinct texts these are."""
        column = self.right if side else self.left
        return int(np.count_nonzero(column.codes >= 0)), len(column.texts)

    def codes(self, side: int) -> Rows:
        """Return which text each record of a side has."""
        return self.right.codes if side else self.left.codes

    def values(self, side: int) -> Rows:
        """Return which value each record of a side has."""
        codes = self.codes(side)
        left, right, _ = self._values
        return as_they_appear((right if side else left)[codes], codes >= 0)

    def alike(self, side: int, a: Rows, b: Rows) -> Values:
        """Return the scores of records of a side with others of it."""
        codes, texts = self.codes(side), self.prepared[side]
        assert self.measure is not None
        x, y = codes[a], codes[b]
        there, found = np.flatnonzero((x >= 0) & (y >= 0)), np.zeros(len(a))
        scorer = self.measure.scorer(texts, texts)
        found[there] = _core.pair_scores(scorer, x[there], y[there], self.threads or 0, None)
        return found

    def nearest_texts(self, side: int) -> Values:
        """Return the best score of the distinct texts of a side with another of them, where they have any."""
        column = self.right if side else self.left
        codes = replace(column, codes=np.arange(len(column.texts)))
        assert self.measure is not None
        both = Comparison([codes], [codes], [self.measure], [1.0], True, threads=self.threads)
        return both.ready([(self.prepared[side],) * 2], {}).top(1).score

    def compare(self, left: Rows, right: Rows) -> Evidence:
        """Return the evidence of pairs of records."""
        a, b = self.left.codes[left], self.right.codes[right]
        null = (a < 0) | (b < 0)
        alike, equal, share = np.zeros(len(a)), np.zeros(len(a), bool), np.ones(len(a))
        there = np.flatnonzero(~null) if null.any() else slice(None)
        a, b = a[there], b[there]
        x, y = self._values[0][a], self._values[1][b]
        equal[there] = x == y
        share[there] = np.maximum(self._shares[0][x], self._shares[1][y])
        distance = None
        if KINDS[self.kind].measured:
            distance = np.full(len(null), np.nan)
            distance[there] = self._distances(a, b)
        if self.measure is not None:
            differ = np.flatnonzero(x != y)
            found = np.ones(len(a))
            found[differ] = self._scores(a[differ], b[differ])
            alike[there] = found
        elif self.kind == "date":
            alike[there] = agreement(self._dates[0][a], self._dates[1][b])
        else:
            alike[equal] = 1.0
        return Evidence(null, np.minimum(alike, 1.0), equal, share, distance)

    def _scores(self, a: Rows, b: Rows) -> Values:
        """Return the scores of pairs of texts; where there are fewer texts than pairs, each pair of texts once."""
        width = len(self.right.texts)
        if len(self.left.texts) * width > len(a):
            return _core.pair_scores(self._scorer, a, b, self.threads or 0, None)
        x, y = np.divmod(np.arange(len(self.left.texts) * width), width)
        scores: Values = _core.pair_scores(self._scorer, x, y, self.threads or 0, None)
        return np.take(scores, a * width + b)

    def ready(self, prepared: tuple[Any, Any]) -> "Field":
        """Take over what was prepared of the same texts before; return the field itself."""
        self.__dict__.update(prepared=prepared)
        return self

    def select(self, rows: Rows) -> "Field":
        """Return the field of some records of one table that have all the values."""
        column = replace(self.left, codes=self.left.codes[rows])
        made = replace(self, left=column, right=column)
        return made if self.measure is None else made.ready(self.prepared)

    @cached_property
    def prepared(self) -> tuple[Any, Any]:
        """The distinct texts of both sides as the measure takes them: for candidates and evidence once."""
        assert self.measure is not None
        a = self.measure.prepare(self.left.to_prepare(), threads=self.threads)
        return a, a if self.right is self.left else self.measure.prepare(self.right.to_prepare(), threads=self.threads)

    @cached_property
    def _scorer(self) -> Any:
        assert self.measure is not None
        return self.measure.scorer(*self.prepared)

    @cached_property
    def _values(self) -> tuple[Rows, Rows, list[str]]:
        """Numbers of the distinct texts of both sides, equal however they are written, and what is numbered."""
        known: dict[str, int] = {}
        sides = [self.left] if self.right is self.left else [self.left, self.right]
        found = [
            np.array([known.setdefault(normalised(self.kind, text), len(known)) for text in side.texts], np.int64)
            for side in sides
        ]
        return found[0], found[-1], list(known)

    @cached_property
    def _shares(self) -> tuple[Values, Values]:
        """Share of the records of each side that have a value, by number."""
        *sides, names = self._values
        if self.often is not None:
            return self._often(sides[0], self.left, self.often[0]), self._often(sides[1], self.right, self.often[1])
        if self.known is not None:
            common, alone = self.known.common, self.known.alone
            shares = np.array([common.get(name, alone) for name in names], float)
            return shares, shares
        found = []
        for column, numbers in zip((self.left, self.right), sides, strict=True):
            codes = column.codes[column.codes >= 0]
            counts = np.bincount(numbers[codes], minlength=len(names)) if len(codes) else np.zeros(len(names))
            found.append(counts / max(1, len(column)))
        return found[0], found[1]

    def _often(self, numbers: Rows, column: Column, often: Values) -> Values:
        """Return the share of each value, by number, that records have."""
        shares, there = np.ones(len(self._values[2])), np.flatnonzero(column.codes >= 0)
        shares[numbers[column.codes[there]]] = often[there]
        return shares

    @cached_property
    def _dates(self) -> tuple[Rows, Rows]:
        sides = [self.left] if self.right is self.left else [self.left, self.right]
        found = [np.array([_parts(text) for text in side.texts], np.int64).reshape(-1, 3) for side in sides]
        return found[0], found[-1]

    @cached_property
    def _magnitudes(self) -> tuple[Values, Values, bool, float]:
        """What the distinct texts measure, whether ratios count instead of differences, and the usual distance."""
        a = magnitudes(self.kind, self.left.texts)
        b = a if self.right is self.left else magnitudes(self.kind, self.right.texts)
        if self.known is not None and self.known.scale is not None:
            return a, b, *self.known.scale
        every = np.concatenate([a[self.left.codes[self.left.codes >= 0]], b[self.right.codes[self.right.codes >= 0]]])
        return a, b, *usual_distance(self.kind, every)

    def measured(self) -> tuple[Values, Values]:
        """Return what the records of both sides measure (NaN: nothing)."""
        # One more value, for records that have none.
        x = np.append(self._magnitudes[0][:, 0], np.nan)[self.left.codes]
        y = np.append(self._magnitudes[1][:, 0], np.nan)[self.right.codes]
        return x, y

    def nearest(self, count: int) -> tuple[Rows, Rows]:
        """Return for each left record the right records with the ``count`` nearest values."""
        return nearest(*self.measured(), count)

    def _distances(self, a: Rows, b: Rows) -> Values:
        left, right, ratio, usual = self._magnitudes
        return _distance(left[a], right[b], ratio) / usual


def as_they_appear(values: NDArray[Any], there: NDArray[np.bool_]) -> Rows:
    """Return values (rows) that are ``there`` numbered in the order of their first; -1 for others.

    >>> as_they_appear(np.array([7, 9, 5, 7]), np.array([True, False, True, True])).tolist()
    [0, -1, 1, 0]
    """
    found = np.full(len(there), -1, np.int64)
    _, first, numbers = np.unique(values[there], axis=0, return_index=True, return_inverse=True)
    found[there] = np.argsort(np.argsort(first))[numbers.reshape(-1)]
    return found


def nearest(x: Values, y: Values, count: int) -> tuple[Rows, Rows]:
    """Return for each left record the right records with the ``count`` nearest values (NaN: none)."""
    order = np.argsort(y, kind="stable")
    order = order[~np.isnan(y[order])]
    asked = np.flatnonzero(~np.isnan(x))
    if not len(order) or not len(asked):
        return order[:0], order[:0]
    at = np.searchsorted(y[order], x[asked])
    places = np.clip(at[:, None] + np.arange(-(count // 2), count - count // 2), 0, len(order) - 1)
    return np.repeat(asked, places.shape[1]), order[places.ravel()]


def usual_distance(kind: str, every: Values) -> tuple[bool, float]:
    """Return whether ratios count instead of differences, and the usual distance, of what all records measure."""
    every = every[~np.isnan(every).any(1)]
    if not len(every):
        return False, 1.0
    low, high = np.quantile(every, [0.05, 0.95])
    ratio = bool(kind in ("number", "money") and low > 0 and high / low > 5)
    # The usual distance of two records: between values a third of the table apart.
    half = np.sort(every, axis=0)
    usual = float(np.median(_distance(half, np.roll(half, len(half) // 3, axis=0), ratio)))
    return ratio, (usual or 1.0) * (_RATIOS if ratio else 1)


def _distance(a: Values, b: Values, ratio: bool) -> Values:
    if ratio:
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where((a > 0) & (b > 0), np.abs(np.log(a / b)), np.where(a == b, 0, np.inf))[:, 0]
    return np.sqrt(((a - b) ** 2).sum(1))  # type: ignore[no-any-return]


def _parts(text: str) -> tuple[int, int, int]:
    parts = parse_date(text)
    return (0, 0, 0) if parts is None else (parts[0], parts[1] or 0, parts[2] or 0)


def numbers_in(column: Column, few: bool = False) -> Column | None:
    """Return the words with digits of a column of texts, or ``None`` where few texts have any, unless ``few`` do."""
    found = digits_in(column)
    return found if numbered(int((column.codes >= 0).sum()), int((found.codes >= 0).sum()), few) else None


def numbered(present: int, having: int, few: bool = False) -> bool:
    """Return whether numbers in texts are a field of their own: so many texts are there, so many have a number."""
    return bool(present) and (few or having / present >= _NUMBERED)


def digits_in(column: Column) -> Column:
    """Return the words with digits of a column of texts."""
    words = ([_STRIP.sub("", word) for word in text.lower().split() if _DIGIT.search(word)] for text in column.texts)
    found = [" ".join(filter(None, mine)) for mine in words]
    return Column.of([found[code] if code >= 0 else None for code in column.codes.tolist()])
