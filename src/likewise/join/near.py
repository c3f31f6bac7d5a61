"""Near-duplicates of one collection: all pairs from a high score on, with little memory."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likewise import _core
from likewise.join.pairs import Pairs
from likewise.progress import Progress, counted

NEAR = 0.5
"""From this score on: below it, so many terms need lists that the join of any score is as good."""

MOST = 1 << 18
"""Pairs that are held at a time where some texts meet others; a text ends with all of its partners."""


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


class NearLists:
    """The lists of some rows of a collection that does not fit the memory: to be met by all the others.

    ``texts`` says for each id in how many rows of the whole collection it is, or more: rows are cut by that, whichever
    block they are in.

    >>> rows = np.array([0, 2, 4]), np.array([0, 1, 0, 1], np.int32)
    >>> lists = NearLists(*rows, np.ones(3), np.full(2, np.sqrt(2)), np.array([2.0, 3, 2]), 0.9)
    >>> [list(some) for some in lists.pairs()]
    [[(0, 1, 0.9999999999999998)]]
    >>> other = np.array([0, 2]), np.array([0, 1], np.int32), np.full(1, np.sqrt(2))
    >>> [list(some) for some in lists.meet(*other)]
    [[(0, 0, 0.9999999999999998), (1, 0, 0.9999999999999998)]]
    """

    def __init__(
        self,
        indptr: NDArray[np.int64],
        ids: NDArray[np.int32],
        scale: NDArray[np.float64],
        lengths: NDArray[np.float64],
        texts: NDArray[np.float64],
        min_score: float,
    ) -> None:
        self._size = len(lengths)
        self._lists = _core.NearLists(indptr, ids, scale, lengths, texts, min_score)

    def pairs(self, *, threads: int | None = None, most: int = MOST) -> Iterator[Pairs]:
        """Give every pair of these rows from the score on, about ``most`` at a time."""
        return _some(lambda first: self._lists.among_themselves(first, most, threads or 0, None), self._size)

    def meet(
        self,
        indptr: NDArray[np.int64],
        ids: NDArray[np.int32],
        lengths: NDArray[np.float64],
        *,
        threads: int | None = None,
        most: int = MOST,
    ) -> Iterator[Pairs]:
        """Give every pair of these rows, left, and others with the same scale, right, in the order of the others."""
        return _some(
            lambda first: self._lists.others(indptr, ids, lengths, first, most, threads or 0, None), len(lengths)
        )


def _some(found: Callable[[int], tuple[Any, int]], size: int) -> Iterator[Pairs]:
    """Give the pairs of rows until all have been looked at; ``found`` gives some of them, and the row that is next."""
    first = 0
    while first < size:
        columns, first = found(first)
        yield Pairs(*columns)
