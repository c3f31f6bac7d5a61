"""Which of the scored pairs are given: the best of each, the best for both sides, or one to one."""

import numpy as np

from likewise.errors import OptionError
from likewise.join import Pairs
from likewise.join.assignment import one_to_one, undecided
from likewise.records.comparison import Comparison

_FIRST = 4  # candidates of each left record to begin with; more are fetched for those where they decide nothing


def reciprocal_pairs(comparison: Comparison, min_score: float, exclude_equal: bool = False) -> Pairs:
    """Return the pairs in which each record is the other's best partner, asked from its own side."""
    forth = comparison.top(1, min_score, exclude_equal=exclude_equal)
    back = forth if comparison.self_join else comparison.reversed().top(1, min_score, exclude_equal=exclude_equal)
    best = np.full(comparison.right_size, -1, np.int64)
    best[back.left] = back.right
    keep = best[forth.right] == forth.left
    return Pairs(forth.left[keep], forth.right[keep], forth.score[keep])


def assigned_pairs(comparison: Comparison, min_score: float, exclude_equal: bool = False) -> Pairs:
    """Return the one-to-one assignment with the highest sum of scores over *all* pairs from ``min_score`` on.

    It is found on the best candidates of each left record; where the duals do not prove that further candidates of a
    record are of no use, twice as many are fetched for it, until they do.
    """
    if comparison.self_join:
        raise OptionError("one_to_one needs two tables; for one table use dedupe")
    asked = np.full(comparison.left_size, _FIRST)
    pairs = comparison.top(_FIRST, min_score, exclude_equal=exclude_equal)
    k = _FIRST
    while True:
        solved = one_to_one(pairs, comparison.left_size, comparison.right_size)
        # The worst listed candidate bounds the unlisted ones; a list shorter than asked for is complete.
        floor = np.full(comparison.left_size, np.inf)
        np.minimum.at(floor, pairs.left, pairs.score)
        floor[np.bincount(pairs.left, minlength=comparison.left_size) < asked] = 0
        rows = undecided(solved, floor)
        if not len(rows):
            return solved.pairs
        k *= 2
        asked[rows] = k
        more = comparison.top(k, min_score, rows, exclude_equal)
        old = ~np.isin(pairs.left, rows)
        left = np.concatenate([pairs.left[old], more.left])
        order = np.argsort(left, kind="stable")
        right = np.concatenate([pairs.right[old], more.right])[order]
        pairs = Pairs(left[order], right, np.concatenate([pairs.score[old], more.score])[order])
