"""One-to-one: of all scored pairs those that serve every text at most once and together score highest.

:func:`one_to_one` solves it on a sparse list of pairs. The duals of the solution say whether pairs that were *not* in
the list could change it: only one that scores more than the sum of its two duals.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from likewise import _core
from likewise.join.pairs import Pairs
from likewise.progress import Progress, counted

# Differences of sums of scores below this are rounding.
TOLERANCE = 1e-9


@dataclass(frozen=True, slots=True)
class Assignment:
    """The chosen pairs, and the duals that prove them optimal: no pair scores more than the sum of its two duals."""

    pairs: Pairs
    left_dual: NDArray[np.float64]
    right_dual: NDArray[np.float64]


def one_to_one(pairs: Pairs, left_size: int, right_size: int, progress: Progress | None = None) -> Assignment:
    """Choose pairs so that no text is in two of them and the sum of the scores is as high as it can be.

    >>> pairs = Pairs(np.array([0, 0, 1]), np.array([0, 1, 0]), np.array([0.9, 0.8, 0.8]))
    >>> list(one_to_one(pairs, 2, 2).pairs)
    [(0, 1, 0.8), (1, 0, 0.8)]
    """
    order = np.argsort(pairs.left, kind="stable")
    order = order[pairs.score[order] > 0]
    left = np.ascontiguousarray(pairs.left[order], np.int64)
    right = np.ascontiguousarray(pairs.right[order], np.int64)
    score = np.ascontiguousarray(pairs.score[order], np.float64)
    indptr = np.zeros(left_size + 1, np.int64)
    np.cumsum(np.bincount(left, minlength=left_size), out=indptr[1:])
    match, left_dual, right_dual = _core.assign(indptr, right, score, right_size, counted(progress, "assigned"))
    chosen = match[left] == right
    # A pair that was listed twice is chosen once.
    keep = np.flatnonzero(chosen)
    _, first = np.unique(left[keep], return_index=True)
    keep = keep[first]
    return Assignment(Pairs(left[keep], right[keep], score[keep]), left_dual, right_dual)


def greedy_sum(pairs: Pairs, left_size: int, right_size: int) -> float:
    """Return the sum of the scores where always the best of the pairs that are left is taken.

    >>> pairs = Pairs(np.array([0, 0, 1]), np.array([0, 1, 0]), np.array([0.9, 0.8, 0.8]))
    >>> greedy_sum(pairs, 2, 2)
    0.9
    """
    order = np.lexsort((pairs.right, pairs.left, -pairs.score))
    taken = _core.take_once(order, pairs.left, pairs.right, left_size, right_size)
    return float(pairs.score[taken > 0].sum())
