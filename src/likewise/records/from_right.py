"""Find the best partners of right records when those of the left records are known: few are left to look at.

A left record that has its best partners scores no more with any other than with the last of them. A right record that
has as many partners as it is asked for wants no worse ones. So of two that are not a pair yet, the left one's last
partner must be as near as the right one's last: only such left records are looked at.
"""

from dataclasses import replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from likewise import _core
from likewise.join import Pairs
from likewise.records.comparison import Comparison
from likewise.records.distinct import ranks

Rows = NDArray[np.int64]
Values = NDArray[np.float64]
# Right records are asked together that need at most such a share of the left ones; the others ask all.
_SHARES = (1 / 32, 1 / 8, 1 / 4, 1 / 2)


def from_right(joined: Comparison, known: Pairs, count: int, few: int) -> tuple[Rows, Rows]:
    """Return the ``few`` best partners of right records that are not ``known``, as left and right rows.

    ``known`` are the ``count`` best of each left record. Of the pairs that are known some may be returned, too.
    """
    back = joined.reversed()
    if joined.left_keys is not None or not joined.measures[0].symmetric:
        found = back.top(few)
        return found.right, found.left
    floors, most = lasts(known.right, known.score, joined.right_size, few), _most(known, joined.left_size, count)
    needed = 1 - np.searchsorted(np.sort(most), floors) / max(1, len(most))
    lists = []
    for low, high in pairwise((0.0, *_SHARES, 1.0)):
        rows = np.flatnonzero((needed > low) & (needed <= high))
        if not len(rows):
            continue
        if high < 1:
            some = np.flatnonzero(most >= floors[rows].min())
            part = back.part(rows, some).top(few, floors=floors[rows])
            lists.append(replace(part, left=some[part.right], right=rows[part.left]))
        else:
            part = back.top(few, rows=None if len(rows) == len(floors) else rows, floors=floors)
            lists.append(replace(part, left=part.right, right=part.left))
    return _among_best(known, lists, joined.right_size, few)


def lasts(record: Rows, score: Values, size: int, count: int) -> Values:
    """Return the score of the last of the ``count`` best partners of each record; 0 where it has fewer.

    >>> lasts(np.array([0, 1, 0]), np.array([0.9, 0.8, 0.7]), 2, 2).tolist()
    [0.7, 0.0]
    """
    found, last = np.zeros(size), _core.ranks(record, score, size, count) == count - 1
    found[record[last]] = score[last]
    return found


def _most(known: Pairs, size: int, count: int) -> Values:
    """Return what a partner of each left record scores at most that is not known; -1: there is none."""
    found = np.full(size, -1.0)
    last = np.flatnonzero(ranks(known.left) == count - 1)
    found[known.left[last]] = known.score[last]
    return found


def _among_best(known: Pairs, lists: list[Pairs], rights: int, few: int) -> tuple[Rows, Rows]:
    """Return the pairs of ``lists`` that are not known and, with those that are, among the best of right records."""
    left, right, score = (
        np.concatenate([getattr(part, name) for part in (known, *lists)]) for name in ("left", "right", "score")
    )
    numbers = left * rights + right
    old, new = np.sort(numbers[: len(known)]), np.arange(len(known), len(numbers))
    if len(old):
        at = np.searchsorted(old, numbers[new]).clip(0, len(old) - 1)
        new = new[old[at] != numbers[new]]
    asks = np.zeros(rights, bool)
    asks[right[new]] = True
    rows = np.concatenate([np.flatnonzero(asks[right[: len(known)]]), new])
    rows = rows[np.lexsort((left[rows], -score[rows], right[rows]))]
    rows = rows[(ranks(right[rows]) < few) & (rows >= len(known))]
    return left[rows], right[rows]
