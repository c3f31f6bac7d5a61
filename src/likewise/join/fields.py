"""Joins of records with several fields: the weighted mean of the fields' scores, exactly.

The score of two records is the sum of weight x score over the fields that both have, divided by the sum of those
weights: a null is no evidence, its weight is shared among the rest. Two records without a common field score 0.

Each field is joined by itself on its distinct values, down to a *floor*; what these lists say bounds the score of every
pair of records, and the core (``core/fields.hpp``) scores exactly those whose bound reaches the threshold. Where the
floor turns out too high to be sure of a record's best partners, or leaves too many candidates, the record is done again
by adding up whole rows of scores (*dense*, for measures that give them cheaply), or else with a lower floor; at floor 0
the lists are complete. Records go in blocks, so memory is bounded by the lists or rows of a block.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likewise import _core
from likewise.join.join import Pairs, Prepared, above
from likewise.progress import Progress

Rows = NDArray[np.int64]
# Floors, and how many records are done at once with each: the lower, the longer the lists.
_FIRST = (0.3, 1 << 14)
_LOWER = ((0.1, 1 << 11), (0.0, 1 << 8))
# So many candidates of a record are always scored one by one.
_PATIENCE = 200
# Cells of dense rows that are kept at once (8 bytes each).
_CELLS = 1 << 24


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
    dense: bool = False
    """Whether whole rows of scores come cheaply, as they do from an inverted index."""
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
    remaining = np.arange(lefts, dtype=np.int64) if rows is None else np.ascontiguousarray(rows, np.int64)
    # With a minimum, lists down to half of it leave nothing open.
    first = _FIRST if min_score <= 0 else (min(min_score / 2, 0.3), _FIRST[1])
    return _rounds(fields, remaining, k, lefts, rights, min_score, first, self_join, threads, progress)


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
    every = np.arange(lefts, dtype=np.int64)
    first = (min(min_score / 2, 0.3), _FIRST[1]) if min_score > 0 else _LOWER[-1]
    pairs = _rounds(fields, every, 0, lefts, rights, min_score, first, self_join, threads, progress)
    return once(pairs) if self_join else pairs


def _rounds(
    fields: Sequence[FieldJoin],
    remaining: Rows,
    count: int,
    lefts: int,
    rights: int,
    min_score: float,
    first: tuple[float, int],
    self_join: bool,
    threads: int | None,
    progress: Progress | None,
) -> Pairs:
    """Join in blocks: by lists first, and what they leave open by rows or by longer lists."""
    scorer = fields_scorer(fields, lefts, rights)
    dense = all(field.dense for field in fields)
    # A candidate costs about fifty times what a cell of a dense row does.
    patience = max(_PATIENCE, rights // 50) if dense else 0
    done: list[tuple[Any, ...]] = []
    total, finished = len(remaining), 0
    rounds = [first] if first[0] > 0 or not dense else []  # complete lists are dearer than rows
    for floor, size in [*rounds, *([] if dense else _LOWER)]:
        unfinished = []
        for start in range(0, len(remaining), size):
            block = remaining[start : start + size]
            lists = [_neighbours(field, block, floor, threads) for field in fields]
            columns = _core.fields_join(
                scorer, lists, block, count, min_score, floor, self_join, patience, threads or 0, None
            )
            done.append(columns)
            unfinished.append(columns[3])
            finished += len(block) - len(columns[3])
            if progress is not None:
                progress(finished, total, "records")
        remaining = np.concatenate(unfinished) if unfinished else remaining[:0]
        if not len(remaining):
            return _pairs(done)
    size = max(16, _CELLS // max(1, sum(_core.join_sizes(field.scorer)[1] for field in fields)))
    for start in range(0, len(remaining), size):
        block = remaining[start : start + size]
        rows = [_dense_rows(field, block, threads) for field in fields]
        done.append(_core.fields_rows(scorer, rows, block, count, min_score, self_join, threads or 0, None))
        finished += len(block)
        if progress is not None:
            progress(finished, total, "records")
    return _pairs(done)


def once(pairs: Pairs) -> Pairs:
    """Return each pair of a self-join once: left < right, or, where the two directions differ, the higher score."""
    low, high = np.minimum(pairs.left, pairs.right), np.maximum(pairs.left, pairs.right)
    order = np.lexsort((pairs.left, -pairs.score, high, low))
    first = np.ones(len(order), bool)
    first[1:] = (low[order][1:] != low[order][:-1]) | (high[order][1:] != high[order][:-1])
    keep = order[first]
    keep = keep[np.lexsort((pairs.right[keep], -pairs.score[keep], pairs.left[keep]))]
    return Pairs(pairs.left[keep], pairs.right[keep], pairs.score[keep], pairs.stats)


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


def _dense_rows(field: FieldJoin, block: Rows, threads: int | None) -> tuple[Rows, NDArray[np.float64]]:
    """Return the scores of the block's left values with all right values, and the row of each value."""
    values = np.unique(field.left[block].astype(np.int64))
    values = values[values >= 0]
    place = np.full(field.left_values, -1, np.int64)
    place[values] = np.arange(len(values))
    return place, _core.matrix(field.part(values)[0], threads or 0, None)


def _pairs(done: Sequence[tuple[Any, ...]]) -> Pairs:
    if not done:
        none = np.zeros(0, np.int64)
        return Pairs(none, none, np.zeros(0))
    left, right, score = (np.concatenate([columns[place] for columns in done]) for place in range(3))
    # Later rounds come after earlier ones; within a left record the order is right already.
    order = np.argsort(left, kind="stable")
    stats = {"candidates": int(sum(columns[4] for columns in done))}
    return Pairs(left[order], right[order], score[order], stats)
