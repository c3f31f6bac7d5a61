"""Groups of records from scored pairs, and the record that stands for each group.

Two linkages:

* ``components``: whoever is connected by a chain of pairs belongs together. Nothing that was paired is torn apart, but
  a chain A-B-C joins A and C however little they have in common.
* ``complete``: two groups become one only when *every* pair across them reaches the threshold, best pairs first. No
  chains; a pair may stay apart because a better one was in the way.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from likewise import _core
from likewise.join import Pairs
from likewise.join.fields import once
from likewise.options import check_choice
from likewise.records.options import LINKAGES


def clusters(pairs: Pairs, size: int, linkage: str = "complete") -> NDArray[np.int64]:
    """Return for each of ``size`` records the number of its group, groups counted from 0 by their first record.

    >>> chain = Pairs(np.array([0, 1]), np.array([1, 2]), np.array([0.9, 0.8]))
    >>> clusters(chain, 4, "components").tolist()
    [0, 0, 0, 1]
    >>> clusters(chain, 4, "complete").tolist()
    [0, 0, 1, 2]
    """
    check_choice("linkage", linkage, LINKAGES)
    left, right, score = _once(pairs)
    if linkage == "components":
        first = _core.components(size, left, right)
    else:
        order = np.lexsort((right, left, -score))
        first = _core.complete_linkage(size, np.ascontiguousarray(left[order]), np.ascontiguousarray(right[order]))
    _, labels = np.unique(first, return_inverse=True)
    return labels.astype(np.int64)


def canonical(
    pairs: Pairs, labels: NDArray[np.int64], lengths: NDArray[Any], counts: NDArray[Any] | None = None
) -> NDArray[np.int64]:
    """Return the record that stands for each group: the one that scores highest with the others of its group, summed.

    ``counts`` says how often each record occurs: equal records score 1 with each other. Ties go to the record that
    occurs most, then to that with more to say (``lengths``), then to the first.
    """
    often = np.ones(len(labels)) if counts is None else np.asarray(counts, float)
    sums = often - 1
    add_scores(sums, Pairs(*_once(pairs)), labels, often)
    return standing(sums, labels, lengths, often)


def add_scores(sums: NDArray[np.float64], pairs: Pairs, labels: NDArray[np.int64], often: NDArray[Any]) -> None:
    """Add to the sum of each record its scores with others of its group, of pairs that are there once."""
    same = labels[pairs.left] == labels[pairs.right]
    left, right, score = pairs.left[same], pairs.right[same], pairs.score[same]
    np.add.at(sums, left, score * often[right])
    np.add.at(sums, right, score * often[left])


def standing(
    sums: NDArray[np.float64], labels: NDArray[np.int64], lengths: NDArray[Any], often: NDArray[Any]
) -> NDArray[np.int64]:
    """Return the record that stands for each group, where the scores of each with its group are added up."""
    # Rounded, so that the order in which scores were added does not decide between equals.
    order = np.lexsort((np.arange(len(labels)), -np.asarray(lengths), -often, -np.round(sums, 9), labels))
    _, first = np.unique(labels[order], return_index=True)
    return order[first].astype(np.int64)


def _once(pairs: Pairs) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
    """Return each pair of two records once, with left < right and its higher score."""
    found = once(pairs)
    low, high = np.minimum(found.left, found.right), np.maximum(found.left, found.right)
    keep = low != high
    return (
        np.ascontiguousarray(low[keep], np.int64),
        np.ascontiguousarray(high[keep], np.int64),
        np.ascontiguousarray(found.score[keep], np.float64),
    )
