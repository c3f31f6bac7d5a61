"""Joins within blocks of records that agree exactly in a key (``equal_on``).

Small blocks are scored pair by pair, large ones go through the engine.
"""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from likewise import _core
from likewise.join import Pairs
from likewise.join.fields import FieldJoin, fields_scorer

Rows = NDArray[np.int64]
# A block of at most this many pairs is scored pair by pair; beyond it the engine pays for itself.
_SMALL_BLOCK = 200_000


class Keyed(Protocol):
    """Two sides whose records are compared only where their keys agree (-1: with none)."""

    @property
    def left_keys(self) -> Rows | None: ...  # noqa: D102
    @property
    def right_keys(self) -> Rows | None: ...  # noqa: D102
    @property
    def left_size(self) -> int: ...  # noqa: D102
    @property
    def right_size(self) -> int: ...  # noqa: D102
    @property
    def fields(self) -> Sequence[FieldJoin]: ...  # noqa: D102
    @property
    def self_join(self) -> bool: ...  # noqa: D102
    @property
    def threads(self) -> int | None: ...  # noqa: D102
    def part(self, left_rows: Rows, right_rows: Rows) -> "Keyed":
        """Return some records of each side, without keys."""

    def top(self, k: int, min_score: float = 0.0) -> Pairs:
        """Return the best partners of each left record."""

    def above(self, min_score: float) -> Pairs:
        """Return all pairs from a score on."""


def join_blocks(comparison: Keyed, count: int, min_score: float, rows: Rows | None) -> Pairs:
    """Join within each key: small blocks pair by pair, large ones by the engine."""
    assert comparison.left_keys is not None
    assert comparison.right_keys is not None
    wanted = np.arange(comparison.left_size, dtype=np.int64) if rows is None else rows
    left_rows, left_ptr, right_rows, right_ptr = _shared_keys(wanted, comparison.left_keys, comparison.right_keys)
    sizes = np.diff(left_ptr) * np.diff(right_ptr)
    found = []
    for block in np.flatnonzero(sizes > _SMALL_BLOCK).tolist():
        lefts = left_rows[left_ptr[block] : left_ptr[block + 1]]
        rights = right_rows[right_ptr[block] : right_ptr[block + 1]]
        if comparison.self_join and not np.array_equal(lefts, rights):
            sizes[block] = 0  # some rows of a self-join: a record must still not meet itself
            continue
        part = comparison.part(lefts, rights)
        pairs = part.top(count, min_score) if count else _both_ways(part, part.above(min_score))
        found.append(Pairs(lefts[pairs.left], rights[pairs.right], pairs.score))
    small = sizes <= _SMALL_BLOCK
    scorer = fields_scorer(comparison.fields, comparison.left_size, comparison.right_size)
    left, right, score, _ = _core.blocks_join(
        scorer,
        *_select(left_ptr, left_rows, small),
        *_select(right_ptr, right_rows, small),
        count,
        min_score,
        comparison.self_join,
        comparison.threads or 0,
        None,
    )
    return Pairs.together([*found, Pairs(left, right, score)]).by_left()


def _both_ways(part: Keyed, pairs: Pairs) -> Pairs:
    """Return the pairs of a self-join under both records, which is how blocks are put together."""
    if not part.self_join:
        return pairs
    return Pairs.together([pairs, Pairs(pairs.right, pairs.left, pairs.score)])


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
