"""What is searched for partners: all pairs of the two sides, or those that agree in a key.

A *space* answers two questions about records: :meth:`Space.top` (the best partners of each left record) and
:meth:`Space.above` (all pairs from a score on). It works on distinct texts and turns the engine's pairs of texts into
pairs of records; equal texts are scored once.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likewise import _core
from likewise.join import Pairs, above, top
from likewise.join.fields import FieldJoin, above_records, fields_scorer, once, top_records
from likewise.measure import Measure
from likewise.progress import Progress
from likewise.records.columns import Column
from likewise.records.distinct import above_of_texts, ranks, top_of_texts

Rows = NDArray[np.int64]
# A block of at most this many pairs is scored pair by pair; beyond it the engine pays for itself.
_SMALL_BLOCK = 200_000


@dataclass(frozen=True)
class Space:
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

    def reversed(self) -> "Space":
        """Return the space as seen from the right."""
        return Space(
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

    def part(self, left_rows: Rows, right_rows: Rows) -> "Space":
        """Return the space of some records of each side, without keys."""
        same = self.self_join and np.array_equal(left_rows, right_rows)
        left = [_rows(column, left_rows) for column in self.left]
        right = left if same else [_rows(column, right_rows) for column in self.right]
        return Space(left, right, self.measures, self.weights, same, None, None, self.threads, self.progress)

    def select(self, rows: Rows) -> "Space":
        """Return the self-join of some records, keys kept."""
        part = self.part(rows, rows)
        keys = None if self.left_keys is None else self.left_keys[rows]
        return replace(part, left_keys=keys, right_keys=keys)

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
        scorer = fields_scorer(self._fields, self.left_size, self.right_size)
        return _core.pair_scores(scorer, left, right, self.threads or 0, None)

    def top(self, k: int, min_score: float = 0.0, rows: Rows | None = None, exclude_equal: bool = False) -> Pairs:
        """Return the ``k`` best partners of each left record (of ``rows``, or all)."""
        if len(self.left) == 1 and self.left_keys is None:
            return top_of_texts(self, k, min_score, rows, exclude_equal)
        if exclude_equal:
            # As many more as any record has equals, then those are dropped.
            pairs = self.top(k + int(self._equals.max(initial=0)), min_score, rows)
            return first(without(pairs, self._equal(pairs)), k)
        if self.left_keys is not None:
            return self._blocks(k, min_score, rows)
        return top_records(
            self._fields,
            k,
            self.left_size,
            self.right_size,
            min_score=min_score,
            self_join=self.self_join,
            rows=rows,
            threads=self.threads,
            progress=self.progress,
        )

    def above(self, min_score: float, exclude_equal: bool = False) -> Pairs:
        """Return all pairs from ``min_score`` on; in a self-join each once."""
        if exclude_equal:
            pairs = self.above(min_score)
            return without(pairs, self._equal(pairs))
        if self.left_keys is not None:
            pairs = self._blocks(0, min_score, None)
            return once(pairs) if self.self_join else pairs
        if len(self.left) > 1:
            return above_records(
                self._fields,
                min_score,
                self.left_size,
                self.right_size,
                self_join=self.self_join,
                threads=self.threads,
                progress=self.progress,
            )
        return above_of_texts(self, min_score)

    @cached_property
    def _identities(self) -> tuple[Rows, Rows]:
        """Numbers of whole records: equal numbers have equal texts in every column; without any text -1."""
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

    def _equal(self, pairs: Pairs) -> NDArray[np.bool_]:
        left, right = self._identities
        return np.equal(left[pairs.left], right[pairs.right])

    # One text each: the engine on distinct texts.

    @cached_property
    def _prepared(self) -> list[tuple[Any, Any]]:
        found = []
        for left, right, measure in zip(self.left, self.right, self.measures, strict=True):
            a = measure.prepare(left.texts, threads=self.threads)
            found.append((a, a if right is left else measure.prepare(right.texts, threads=self.threads)))
        return found

    def texts_top(self, k: int, min_score: float, values: Rows | None = None) -> Pairs:
        """Return the ``k`` best right texts of each distinct left text (of ``values``, or all)."""
        scorer, bound = self._scorer(0, values)
        same = self.self_join and values is None
        return top(
            scorer,
            k,
            bound=bound,
            self_join=same,
            min_score=min_score,
            threads=self.threads,
            progress=self.progress,
            symmetric=self.measures[0].symmetric if same else None,
        )

    def texts_above(self, min_score: float) -> Pairs:
        """Return all pairs of distinct texts from ``min_score`` on."""
        scorer, bound = self._scorer(0, None)
        return above(
            scorer,
            min_score,
            bound=bound,
            self_join=self.self_join,
            threads=self.threads,
            progress=self.progress,
            symmetric=self.measures[0].symmetric if self.self_join else None,
        )

    def own_scores(self, values: Rows) -> NDArray[np.float64]:
        """Return what distinct texts score with themselves."""
        scorer = self._scorer(0, None)[0]
        return np.array([scorer.score(value, value) for value in values.tolist()], float)

    def _scorer(self, place: int, values: Rows | None) -> tuple[Any, Any]:
        measure, (left, right) = self.measures[place], self._prepared[place]
        if values is not None:
            texts = self.left[place].texts
            left = measure.prepare([texts[value] for value in values.tolist()], threads=self.threads)
        return measure.scorer(left, right), measure.bound(left, right)

    # Several fields, or keys that must agree: scores of records.

    @cached_property
    def _fields(self) -> list[FieldJoin]:
        return [
            FieldJoin(
                weight,
                self.left[place].codes.astype(np.int32),
                self.right[place].codes.astype(np.int32),
                self._scorer(place, None)[0],
                lambda values, place=place: self._scorer(place, values),  # type: ignore[misc]
                len(self.left[place].texts),
                isinstance(self._scorer(place, None)[0], _core.DotScorer | _core.SpectraScorer),
            )
            for place, weight in enumerate(self.weights)
        ]

    def _blocks(self, count: int, min_score: float, rows: Rows | None) -> Pairs:
        """Join within each key: small blocks pair by pair, large ones by the engine."""
        assert self.left_keys is not None
        assert self.right_keys is not None
        wanted = np.arange(self.left_size, dtype=np.int64) if rows is None else rows
        left_rows, left_ptr, right_rows, right_ptr = _shared_keys(wanted, self.left_keys, self.right_keys)
        sizes = np.diff(left_ptr) * np.diff(right_ptr)
        found = []
        for block in np.flatnonzero(sizes > _SMALL_BLOCK).tolist():
            lefts = left_rows[left_ptr[block] : left_ptr[block + 1]]
            rights = right_rows[right_ptr[block] : right_ptr[block + 1]]
            if self.self_join and not np.array_equal(lefts, rights):
                sizes[block] = 0  # some rows of a self-join: a record must still not meet itself
                continue
            part = self.part(lefts, rights)
            pairs = part.top(count, min_score) if count else _both_ways(part, part.above(min_score))
            found.append((lefts[pairs.left], rights[pairs.right], pairs.score))
        small = sizes <= _SMALL_BLOCK
        scorer = fields_scorer(self._fields, self.left_size, self.right_size)
        left, right, score, _, _ = _core.blocks_join(
            scorer,
            *_select(left_ptr, left_rows, small),
            *_select(right_ptr, right_rows, small),
            count,
            min_score,
            self.self_join,
            self.threads or 0,
            None,
        )
        found.append((left, right, score))
        left, right, score = (np.concatenate(column) for column in zip(*found, strict=True))
        order = np.lexsort((right, -score, left))
        return Pairs(left[order], right[order], score[order])


def without(pairs: Pairs, dropped: NDArray[np.bool_]) -> Pairs:
    """Return the pairs that are not dropped."""
    return Pairs(pairs.left[~dropped], pairs.right[~dropped], pairs.score[~dropped], pairs.stats)


def first(pairs: Pairs, k: int) -> Pairs:
    """Return the first ``k`` pairs of each left record."""
    return without(pairs, ranks(pairs.left) >= k)


def _rows(column: Column, rows: Rows) -> Column:
    """Return some records of a column; texts are numbered anew in the order of their first record."""
    codes = column.codes[rows]
    present = codes >= 0
    used, first_at, numbers = np.unique(codes[present], return_index=True, return_inverse=True)
    order = np.argsort(first_at)
    renumbered = np.empty(len(used), np.int64)
    renumbered[order] = np.arange(len(used))
    mine = np.full(len(rows), -1, np.int64)
    mine[present] = renumbered[numbers]
    return Column([column.texts[code] for code in used[order].tolist()], mine)


def _both_ways(part: Space, pairs: Pairs) -> Pairs:
    """Return the pairs of a self-join under both records, which is how blocks are put together."""
    if not part.self_join:
        return pairs
    left, right = np.concatenate([pairs.left, pairs.right]), np.concatenate([pairs.right, pairs.left])
    return Pairs(left, right, np.concatenate([pairs.score, pairs.score]))


def _shared_keys(wanted: Rows, left_keys: Rows, right_keys: Rows) -> tuple[Rows, Rows, Rows, Rows]:
    """Return the records of both sides by key, for the keys that both have, as rows and where each key's begin."""
    mine = left_keys[wanted]
    shared = np.intersect1d(mine[mine >= 0], right_keys[right_keys >= 0])
    found = []
    for rows, keys in ((wanted, mine), (np.arange(len(right_keys), dtype=np.int64), right_keys)):
        keep = np.isin(keys, shared)
        rows, keys = rows[keep], keys[keep]
        order = np.argsort(keys, kind="stable")
        starts = np.searchsorted(keys[order], shared)
        found += [rows[order], np.append(starts, len(rows)).astype(np.int64)]
    return found[0], found[1], found[2], found[3]


def _select(indptr: Rows, rows: Rows, wanted: NDArray[np.bool_]) -> tuple[Rows, Rows]:
    counts = np.diff(indptr)
    keep = np.repeat(wanted, counts)
    return np.concatenate([[0], np.cumsum(counts[wanted])]).astype(np.int64), np.ascontiguousarray(rows[keep])
