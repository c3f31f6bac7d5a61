"""Joins of records with several fields: the weighted mean of the fields' scores, exactly.

The score of two records is the sum of weight x score over the fields that both have, divided by the sum of those
weights: a null is no evidence, its weight is shared among the rest. Two records without a common field score 0.

All fields are read in one pass (``core/fields.hpp``): the lists of each bound what a value scores with every value of
the other side, together they bound the score of records, and only records whose bound reaches the threshold of the
moment are scored.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from likewise import _core
from likewise.join.join import Prepared, prepare
from likewise.join.pairs import Pairs
from likewise.progress import Progress, counted

Rows = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class FieldJoin:
    """One field: its weight, which value each record has (-1: null), and what scores the distinct values.

    ``bound`` and ``prepared`` are those of :func:`likewise.join.top`.
    """

    weight: float
    left: NDArray[np.int32]
    right: NDArray[np.int32]
    scorer: _core.PairScorer
    bound: _core.DotScorer | None = None
    prepared: Prepared | None = None


@dataclass(frozen=True, slots=True)
class Prices:
    """What right records cost (0 or more), and what must be left of a score for each left record: more than that."""

    right: NDArray[np.float64]
    left: NDArray[np.float64]


def fields_scorer(fields: Sequence[FieldJoin], lefts: int, rights: int) -> _core.FieldsScorer:
    """Return the scorer of pairs of records."""
    return _core.FieldsScorer(
        [field.scorer for field in fields],
        [float(field.weight) for field in fields],
        [np.ascontiguousarray(field.left, np.int32) for field in fields],
        [np.ascontiguousarray(field.right, np.int32) for field in fields],
        lefts,
        rights,
    )


def top_records(
    fields: Sequence[FieldJoin],
    k: int,
    lefts: int,
    rights: int,
    *,
    min_score: float = 0.0,
    self_join: bool = False,
    rows: Rows | None = None,
    prices: Prices | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Pairs:
    """Return for each left record (of ``rows``, or all) its ``k`` best right records of ``min_score`` or more.

    With ``prices`` the best are those of which most is left when the price is paid, and they come in that order.
    """
    return _join(fields, k, lefts, rights, min_score, self_join, rows, prices, threads, progress)


def above_records(
    fields: Sequence[FieldJoin],
    min_score: float,
    lefts: int,
    rights: int,
    *,
    self_join: bool = False,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Pairs:
    """Return every pair of records that scores ``min_score`` or more; with ``self_join`` once, as the engine does."""
    pairs = _join(fields, 0, lefts, rights, min_score, self_join, None, None, threads, progress)
    return once(pairs) if self_join else pairs


def once(pairs: Pairs) -> Pairs:
    """Return each pair of a self-join once: left < right, or, where the two directions differ, the higher score."""
    low, high = np.minimum(pairs.left, pairs.right), np.maximum(pairs.left, pairs.right)
    order = np.lexsort((pairs.left, -pairs.score, high, low))
    first = np.ones(len(order), bool)
    first[1:] = (low[order][1:] != low[order][:-1]) | (high[order][1:] != high[order][:-1])
    return pairs.take(order[first]).by_left()


def _join(
    fields: Sequence[FieldJoin],
    count: int,
    lefts: int,
    rights: int,
    min_score: float,
    self_join: bool,
    rows: Rows | None,
    prices: Prices | None,
    threads: int | None,
    progress: Progress | None,
) -> Pairs:
    wanted = np.arange(lefts, dtype=np.int64) if rows is None else np.ascontiguousarray(rows, np.int64)
    left, right, score, candidates = _core.fields_join(
        fields_scorer(fields, lefts, rights),
        [(field.prepared or prepare(field.scorer, bound=field.bound)).index for field in fields],
        [field.bound for field in fields],
        wanted,
        count,
        min_score,
        self_join,
        None if prices is None else np.ascontiguousarray(prices.right, np.float64),
        None if prices is None else np.ascontiguousarray(prices.left, np.float64),
        threads or 0,
        counted(progress, "blocks"),
    )
    return Pairs(left, right, score, {"candidates": candidates})
