"""Joins of records with several fields: the weighted mean of the fields' scores, exactly.

The score of two records is the sum of weight x score over the fields that both have, divided by the sum of those
weights: a null is no evidence, its weight is shared among the rest. Two records without a common field score 0.

Each field is joined by itself on its distinct values, down to a *floor*; what these lists say bounds the score of every
pair of records, and the core (``core/fields.hpp``) scores exactly those whose bound reaches the threshold. Where the
floor turns out too high to be sure of a record's best partners, that record is done again with a lower one; at floor 0
the lists are complete. Records go in blocks, so memory is bounded by the lists of a block.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likewise import _core
from likewise.join.engine import Pairs, Prepared, above
from likewise.progress import Progress

Rows = NDArray[np.int64]
# Floors for finding best partners, and how many records are done at once with each: the lower, the longer the lists.
_ROUNDS = ((0.3, 1 << 14), (0.1, 1 << 11), (0.0, 1 << 8))


@dataclass(frozen=True, slots=True)
class FieldJoin:
    """One field: its weight, which value each record has (-1: null), and scorers over the distinct values.

    ``part(values)`` gives a scorer (and a bound, where the engine needs one) of some of the left values against all
    right values; ``scorer`` is the one of all.
    """

    weight: float
    left: NDArray[np.int32]
    right: NDArray[np.int32]
    scorer: Any
    part: Callable[[Rows], tuple[Any, Any]]
    left_values: int
    prepared: Prepared | None = None


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
    threads: int | None = None,
    progress: Progress | None = None,
) -> Pairs:
    """Return for each left record (of ``rows``, or all) its ``k`` best right records of ``min_score`` or more."""
    scorer = fields_scorer(fields, lefts, rights)
    remaining = np.arange(lefts, dtype=np.int64) if rows is None else np.ascontiguousarray(rows, np.int64)
    # With a minimum, lists down to half of it leave nothing open: no second round is ever needed.
    rounds = _ROUNDS if min_score <= 0 else ((min(min_score / 2, 0.5), 1 << 14),)
    done: list[tuple[Any, ...]] = []
    total = len(remaining)
    for floor, size in rounds:
        unfinished = []
        for start in range(0, len(remaining), size):
            block = remaining[start : start + size]
            columns = _join(fields, scorer, block, k, min_score, floor, self_join, threads)
            done.append(columns)
            unfinished.append(columns[3])
            if progress is not None:
                progress(total - len(remaining) + start + len(block) - sum(map(len, unfinished)), total, "records")
        remaining = np.concatenate(unfinished) if unfinished else remaining[:0]
        if not len(remaining):
            break
    return _pairs(done)


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
    scorer = fields_scorer(fields, lefts, rights)
    floor, size = (min(min_score / 2, 0.5), 1 << 14) if min_score > 0 else (0.0, 1 << 8)
    done = []
    for start in range(0, lefts, size):
        block = np.arange(start, min(lefts, start + size), dtype=np.int64)
        done.append(_join(fields, scorer, block, 0, min_score, floor, self_join, threads))
        if progress is not None:
            progress(start + len(block), lefts, "records")
    pairs = _pairs(done)
    return once(pairs) if self_join else pairs


def once(pairs: Pairs) -> Pairs:
    """Return each pair of a self-join once: left < right, or, where the two directions differ, the higher score."""
    low, high = np.minimum(pairs.left, pairs.right), np.maximum(pairs.left, pairs.right)
    order = np.lexsort((pairs.left, -pairs.score, high, low))
    first = np.ones(len(order), bool)
    first[1:] = (low[order][1:] != low[order][:-1]) | (high[order][1:] != high[order][:-1])
    keep = order[first]
    keep = keep[np.lexsort((pairs.right[keep], -pairs.score[keep], pairs.left[keep]))]
    return Pairs(pairs.left[keep], pairs.right[keep], pairs.score[keep], pairs.stats)


def _join(
    fields: Sequence[FieldJoin],
    scorer: _core.FieldsScorer,
    block: Rows,
    count: int,
    min_score: float,
    floor: float,
    self_join: bool,
    threads: int | None,
) -> tuple[Any, ...]:
    lists = [_neighbours(field, block, floor, threads) for field in fields]
    return _core.fields_join(scorer, lists, block, count, min_score, floor, self_join, threads or 0, None)


def _neighbours(field: FieldJoin, block: Rows, floor: float, threads: int | None) -> tuple[Any, ...]:
    """Return the right values that score ``floor`` or more with each left value of the block, as CSR by left value."""
    values = np.unique(field.left[block].astype(np.int64))
    values = values[values >= 0]
    scorer, bound = field.part(values)
    pairs = above(scorer, floor, bound=bound, prepared=field.prepared, threads=threads)
    counts = np.zeros(field.left_values, np.int64)
    counts[values] = np.bincount(pairs.left, minlength=len(values))
    indptr = np.zeros(field.left_values + 1, np.int64)
    np.cumsum(counts, out=indptr[1:])
    return indptr, np.ascontiguousarray(pairs.right), np.ascontiguousarray(pairs.score)


def _pairs(done: Sequence[tuple[Any, ...]]) -> Pairs:
    if not done:
        none = np.zeros(0, np.int64)
        return Pairs(none, none, np.zeros(0))
    left, right, score = (np.concatenate([columns[place] for columns in done]) for place in range(3))
    # Later rounds come after earlier ones; within a left record the order is right already.
    order = np.argsort(left, kind="stable")
    stats = {"candidates": int(sum(columns[4] for columns in done))}
    return Pairs(left[order], right[order], score[order], stats)
