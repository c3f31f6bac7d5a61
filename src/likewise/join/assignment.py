"""One-to-one: of all scored pairs those that serve every text at most once and together score highest.

:func:`one_to_one` solves it on a sparse list of pairs. The duals of the solution say whether pairs that were *not* in
the list could change it: :func:`undecided` names the left texts for which more pairs must be looked at.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from likewise import _core
from likewise.join.join import Pairs
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


def undecided(assignment: Assignment, floor: NDArray[np.float64], tolerance: float = TOLERANCE) -> NDArray[np.int64]:
    """Return the left texts for which an unseen pair could improve the assignment.

    ``floor[i]`` is the highest score that an unseen pair of left text i can have (0: all its pairs were listed). Right
    duals are never below 0, so a pair that scores no more than the left dual cannot improve anything.
    """
    return np.flatnonzero(floor > assignment.left_dual + tolerance)
