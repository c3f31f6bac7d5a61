"""Near-duplicates of one collection: all pairs from a high score on, with little memory."""

import numpy as np
from numpy.typing import NDArray

from likewise import _core
from likewise.join.join import Pairs
from likewise.progress import Progress, counted

NEAR = 0.5
"""From this score on: below it, so many terms need lists that the join of any score is as good."""


def near(
    indptr: NDArray[np.int64],
    ids: NDArray[np.int32],
    scale: NDArray[np.float64],
    lengths: NDArray[np.float64],
    min_score: float,
    *,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Pairs:
    """Return every pair of rows that scores ``min_score`` or more: what :func:`likewise.join.above` returns.

    A row has the weight ``scale[id] / length`` for each of its ids, and the sum of their squares is 1.

    >>> rows = np.array([0, 2, 4, 6]), np.array([0, 1, 0, 1, 1, 2], np.int32)
    >>> list(near(*rows, np.ones(3), np.full(3, np.sqrt(2)), 0.9))
    [(0, 1, 0.9999999999999998)]
    """
    found = _core.near_pairs(indptr, ids, scale, lengths, min_score, threads or 0, counted(progress, "blocks"))
    return Pairs(*found)
