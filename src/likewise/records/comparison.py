"""Two sides ready to be scored: the best partners of each left record, or all pairs from a score on.

One direction: records -> distinct texts -> join -> records. A single column is joined on its distinct texts
(:mod:`.distinct`), several columns by :mod:`likewise.join.fields`, and where records must agree in a key, each block of
equal keys by itself (:mod:`.blocks`). Texts are analysed once, and the right side's lists are built once.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likewise import _core
from likewise.join import Pairs, Prepared, above, prepare, top
from likewise.join.fields import FieldJoin, Prices, above_records, fields_scorer, once, top_records
from likewise.join.near import NEAR, near
from likewise.measure import Measure
from likewise.progress import Progress
from likewise.records.blocks import join_blocks
from likewise.records.columns import Column
from likewise.records.distinct import above_of_texts, ranks, same_texts, top_of_texts, with_equals, with_itself

Rows = NDArray[np.int64]


@dataclass(frozen=True)
class Comparison:
    """Columns of both sides with a measure and a weight each; ``self_join`` where the two sides are one.

    ``left_keys``/``right_keys``: only records with the same key are compared (-1: with none).
    """

    left: Sequence[Column]
    right: Sequence[Column]
    measures: Sequence[Measure]
    weights: Sequence[float]
    self_join: bool = False
    left_keys: Rows | None = None
    right_keys: Rows | None = None
    threads: int | None = None
    progress: Progress | None = field(default=None, compare=False)

    @property
    def left_size(self) -> int:
        """Number of left records."""
        return len(self.left[0])

    @property
    def right_size(self) -> int:
        """Number of right records."""
        return len(self.right[0])

    def reversed(self) -> "Comparison":
        """Return the comparison as seen from the right; texts that are prepared stay so."""
        turned = Comparison(
            self.right,
            self.left,
            self.measures,
            self.weights,
            self.self_join,
            self.right_keys,
            self.left_keys,
            self.threads,
            self.progress,
        )
        if "prepared" in self.__dict__:
            turned.ready([(right, left) for left, right in self.prepared], {})
        return turned

    def part(self, left_rows: Rows, right_rows: Rows) -> "Comparison":
        """Return the comparison of some records of each side, without keys."""
        same = self.self_join and np.array_equal(left_rows, right_rows)
        left = [rows_of(column, left_rows) for column in self.left]
        right = left if same else [rows_of(column, right_rows) for column in self.right]
        return Comparison(left, right, self.measures, self.weights, same, None, None, self.threads, self.progress)

    def ready(self, prepared: list[tuple[Any, Any]], lists: dict[int, Prepared]) -> "Comparison":
        """Use what was prepared for the same columns before; ``lists`` of the right side are added as they are built.

        Return the comparison itself.
        """
        self.__dict__.update(prepared=prepared, _built=lists)
        return self

    def select(self, rows: Rows) -> "Comparison":
        """Return the self-join of some records that have all the texts; keys are kept."""
        left = [replace(column, codes=column.codes[rows]) for column in self.left]
        keys = None if self.left_keys is None else self.left_keys[rows]
        return replace(self, left=left, right=left, left_keys=keys, right_keys=keys)

    def distinct_records(self) -> tuple[Rows, Rows]:
        """Return the first left record of each kind, and for each record its kind: equal in every column and the key.

        A record without any text, or without a key where one is asked for, is a kind of its own.
        """
        kinds = self._identities[0]
        if self.left_keys is not None:
            low = self.left_keys + 1
            kinds = np.where((kinds < 0) | (low == 0), -1, kinds * (int(low.max(initial=0)) + 1) + low)
        alone = np.flatnonzero(kinds < 0)
        kinds = kinds.copy()
        kinds[alone] = int(kinds.max(initial=0)) + 1 + np.arange(len(alone))
        _, first_at, numbers = np.unique(kinds, return_index=True, return_inverse=True)
        order = np.argsort(first_at)
        renumbered = np.empty(len(order), np.int64)
        renumbered[order] = np.arange(len(order))
        return first_at[order].astype(np.int64), renumbered[numbers]

    def scores(self, left: Rows, right: Rows) -> NDArray[np.float64]:
        """Return the scores of given pairs of records."""
        scorer = fields_scorer(self.fields, self.left_size, self.right_size)
        return _core.pair_scores(scorer, left, right, self.threads or 0, None)

    def top(
        self,
        k: int,
        min_score: float = 0.0,
        rows: Rows | None = None,
        exclude_equal: bool = False,
        floors: NDArray[np.float64] | None = None,
    ) -> Pairs:
        """Return the ``k`` best partners of each left record (of ``rows``, or all).

        ``floors`` are what partners of each left record must reach, because it has ``k`` elsewhere; some that do not
        reach it may be returned.
        """
        if len(self.left) == 1 and self.left_keys is None:
            return self._top_of_texts(k, min_score, rows, exclude_equal, floors)
        if exclude_equal:
            # As many more as any record has equals, then those are dropped.
            pairs = self.top(k + int(self._equals.max(initial=0)), min_score, rows)
            return first(pairs.take(~self.equal(pairs)), k)
        if self.left_keys is not None:
            return join_blocks(self, k, min_score, rows)
        return top_records(
            self.fields,
            k,
            self.left_size,
            self.right_size,
            min_score=min_score,
            self_join=self.self_join,
            rows=rows,
            threads=self.threads,
            progress=self.progress,
        )

    def top_priced(self, k: int, min_score: float, rows: Rows, prices: Prices) -> Pairs:
        """Return the ``k`` best partners of each of the left ``rows``, when right records have prices; without keys."""
        return top_records(
            self.fields,
            k,
            self.left_size,
            self.right_size,
            min_score=min_score,
            rows=rows,
            prices=prices,
            threads=self.threads,
            progress=self.progress,
        )

    def above(self, min_score: float, exclude_equal: bool = False) -> Pairs:
        """Return all pairs that score ``min_score`` or more; in a self-join each pair once."""
        if exclude_equal:
            pairs = self.above(min_score)
            return pairs.take(~self.equal(pairs))
        if self.left_keys is not None:
            pairs = join_blocks(self, 0, min_score, None)
            return once(pairs) if self.self_join else pairs
        if len(self.left) > 1:
            return above_records(
                self.fields,
                min_score,
                self.left_size,
                self.right_size,
                self_join=self.self_join,
                threads=self.threads,
                progress=self.progress,
            )
        return self._above_of_texts(min_score)

    @cached_property
    def _identities(self) -> tuple[Rows, Rows]:
        """Numbers of whole records: equal numbers have equal texts in every column; without any text -1."""
        if len(self.left) == 1 and self.self_join:
            return self.left[0].codes, self.left[0].codes
        known: dict[Any, int] = {}
        sides = []
        for columns in (self.left, self.right):
            rows = zip(*(column.values() for column in columns), strict=True)
            sides.append(np.array([known.setdefault(row, len(known)) if any(row) else -1 for row in rows], np.int64))
        return sides[0], sides[1]

    @cached_property
    def _equals(self) -> Rows:
        """How many right records are equal to each left record."""
        left, right = self._identities
        counts = np.bincount(right[right >= 0], minlength=int(left.max(initial=-1)) + 1)
        return np.where(left >= 0, np.append(counts, 0)[left], 0)

    def equal(self, pairs: Pairs) -> NDArray[np.bool_]:
        """Return which pairs are of records with the same texts."""
        left, right = self._identities
        return np.equal(left[pairs.left], right[pairs.right])

    # One text each: the engine on distinct texts.

    def _top_of_texts(
        self,
        k: int,
        min_score: float,
        rows: Rows | None,
        exclude_equal: bool,
        floors: NDArray[np.float64] | None = None,
    ) -> Pairs:
        left, right = self.left[0], self.right[0]
        wanted = np.arange(len(left), dtype=np.int64) if rows is None else rows
        wanted = wanted[left.codes[wanted] >= 0]
        if not len(wanted) or not len(right.texts):
            return Pairs.none()
        values = None if rows is None else np.unique(left.codes[wanted])
        # At most one text is the left one again: in its place another is fetched.
        again = exclude_equal or (self.self_join and values is not None)
        pairs = self._join_top(k + again, min_score, values, self._floors_of_texts(floors))
        if exclude_equal:
            pairs = pairs.take(same_texts(left, right)[pairs.left] != pairs.right)
        elif self.self_join and values is None:
            pairs = with_itself(pairs, right, self._own_scores, min_score)
        return top_of_texts(pairs, left, right, k, wanted, self.self_join)

    def _above_of_texts(self, min_score: float) -> Pairs:
        left, right = self.left[0], self.right[0]
        if not len(left.texts) or not len(right.texts):
            return Pairs.none()
        pairs = above_of_texts(self._join_above(min_score), left, right)
        if self.self_join:
            if self.measures[0].symmetric:
                low, high = np.minimum(pairs.left, pairs.right), np.maximum(pairs.left, pairs.right)
                pairs = Pairs(low, high, pairs.score, pairs.stats)
            else:
                pairs = self._forward(pairs)
            pairs = with_equals(pairs, left, self._own_scores, min_score)
        return pairs.by_left()

    def _forward(self, pairs: Pairs) -> Pairs:
        """Turn pairs that score the same in both directions so that the earlier record is left."""
        back = np.flatnonzero(pairs.left > pairs.right)
        turned = back[self.scores(pairs.right[back], pairs.left[back]) == pairs.score[back]]
        left, right = pairs.left.copy(), pairs.right.copy()
        left[turned], right[turned] = pairs.right[turned], pairs.left[turned]
        return Pairs(left, right, pairs.score, pairs.stats)

    def _floors_of_texts(self, floors: NDArray[np.float64] | None) -> NDArray[np.float64] | None:
        """Return for each left text the least floor of its records."""
        if floors is None or self.self_join:
            return None
        left, found = self.left[0], np.full(len(self.left[0].texts), np.inf)
        np.minimum.at(found, left.codes[left.codes >= 0], floors[left.codes >= 0])
        return found

    def _join_top(
        self, k: int, min_score: float, values: Rows | None, floors: NDArray[np.float64] | None = None
    ) -> Pairs:
        """Return the ``k`` best right texts of each distinct left text (of ``values``, or all)."""
        scorer, bound = self._scorer(0, values)
        same = self.self_join and values is None
        pairs = top(
            scorer,
            k,
            bound=bound,
            self_join=same,
            min_score=min_score,
            prepared=self._lists(0),
            threads=self.threads,
            progress=self.progress,
            symmetric=self.measures[0].symmetric if same else None,
            floors=floors if floors is None or values is None else floors[values],
        )
        return pairs if values is None else Pairs(values[pairs.left], pairs.right, pairs.score, pairs.stats)

    def _join_above(self, min_score: float) -> Pairs:
        """Return all pairs of distinct texts from ``min_score`` on."""
        rows = self.measures[0].scaled(self.left[0].to_prepare()) if self.self_join and min_score >= NEAR else None
        if rows is not None:
            return near(*rows, min_score, threads=self.threads, progress=self.progress)
        scorer, bound = self._scorer(0, None)
        return above(
            scorer,
            min_score,
            bound=bound,
            self_join=self.self_join,
            # Of a self-join the core builds them itself, unless it has a way that needs none.
            prepared=self._built.get(0) if self.self_join else self._lists(0),
            threads=self.threads,
            progress=self.progress,
            symmetric=self.measures[0].symmetric if self.self_join else None,
        )

    def _own_scores(self, values: Rows) -> NDArray[np.float64]:
        """Return the score of distinct texts with themselves."""
        if not len(values):
            return np.zeros(0)
        scorer = self._scorer(0, None)[0]
        return np.array([scorer.score(value, value) for value in values.tolist()], float)

    def _scorer(self, place: int, values: Rows | None) -> tuple[_core.PairScorer, _core.DotScorer | None]:
        measure, (left, right) = self.measures[place], self.prepared[place]
        if values is not None:
            left = measure.prepare(self.left[place].to_prepare(values), threads=self.threads)
        return measure.scorer(left, right), measure.bound(left, right)

    @cached_property
    def prepared(self) -> list[tuple[Any, Any]]:
        """The texts of both sides of each column as its measure takes them."""
        found = []
        for left, right, measure in zip(self.left, self.right, self.measures, strict=True):
            a = measure.prepare(left.to_prepare(), threads=self.threads)
            found.append((a, a if right is left else measure.prepare(right.to_prepare(), threads=self.threads)))
        return found

    def _lists(self, place: int) -> Prepared | None:
        """Return the inverted lists of the right side, built when first asked for."""
        if place not in self._built:
            scorer, bound = self._scorer(place, None)
            self._built[place] = prepare(scorer, bound=bound)
        return self._built[place]

    @cached_property
    def _built(self) -> dict[int, Prepared]:
        return {}

    # Several fields, or keys that must agree: scores of records.

    @cached_property
    def fields(self) -> list[FieldJoin]:
        """The columns in the form that the join of several fields takes."""
        return [self._field(place, weight) for place, weight in enumerate(self.weights)]

    def _field(self, place: int, weight: float) -> FieldJoin:
        scorer, bound = self._scorer(place, None)
        codes = self.left[place].codes.astype(np.int32), self.right[place].codes.astype(np.int32)
        return FieldJoin(weight, *codes, scorer, bound, self._lists(place))


def first(pairs: Pairs, k: int) -> Pairs:
    """Return the first ``k`` pairs of each left record."""
    return pairs.take(ranks(pairs.left) < k)


def rows_of(column: Column, rows: Rows) -> Column:
    """Return some records of a column; texts are numbered anew in the order of their first record."""
    codes = column.codes[rows]
    present = codes >= 0
    used, first_at, numbers = np.unique(codes[present], return_index=True, return_inverse=True)
    order = np.argsort(first_at)
    renumbered = np.empty(len(used), np.int64)
    renumbered[order] = np.arange(len(used))
    mine = np.full(len(rows), -1, np.int64)
    mine[present] = renumbered[numbers]
    kept = used[order]
    terms = None if column.terms is None else column.terms.take(kept)
    return Column([column.texts[code] for code in kept.tolist()], mine, terms)
