"""Cluster by evidence: average linkage over the log odds of pairs.

Two groups become one while the mean evidence over *all* pairs across them, and the odds before any evidence, say so.
Those odds count once for the groups, not once for each pair: with n pairs across, they are divided by the square root
of n (pairs across groups are neither independent nor the same). A pair that was no candidate counts as unlike, but for
those of two records that have as many partners as are looked at: there may be more of them than candidates.
"""

import heapq

import numpy as np
from numpy.typing import NDArray

from likewise.records.limits import limits

Rows = NDArray[np.int64]
Values = NDArray[np.float64]
_JUDGED = 1e6  # what a pair says that somebody judged
_FULL = 20  # likely partners of a record that may have more of them than were looked at


def group(
    left: Rows, right: Rows, odds: Values, size: int, prior: float, judged: NDArray[np.int8] | None = None
) -> Rows:
    """Return for each record the first record of its group; pairs that were ``judged`` (1, -1) outweigh all others.

    >>> group(np.array([0, 1, 0]), np.array([1, 2, 2]), np.array([4.0, 3.0, -1.0]), 4, -2.0).tolist()
    [0, 0, 0, 3]
    """
    prior, most = min(prior, 0.0), limits().most
    linked = np.zeros(size, bool)
    sure = odds > 0
    linked[left[sure]] = linked[right[sure]] = True
    kept = linked[left] & linked[right] & (odds > -most if judged is None else (odds > -most) | (judged != 0))
    unlike = limits().no_candidate - prior
    # Of records with many partners: of how many in a group, and how many of the pairs of two groups are known.
    many = np.bincount(left[sure], minlength=size) + np.bincount(right[sure], minlength=size) >= _FULL
    full, known = many.astype(int).tolist(), _known(left[kept], right[kept], many)
    near: list[dict[int, float]] = [{} for _ in range(size)]
    shown = np.clip(odds, -most, most) if judged is None else np.clip(odds, -most, most) + judged * _JUDGED
    shown = shown[kept] - prior - unlike
    for a, b, value in zip(left[kept].tolist(), right[kept].tolist(), shown.tolist(), strict=True):
        near[a][b] = near[b][a] = value

    def gain(total: float, pairs: int) -> float:
        return float(total / pairs + unlike + prior / pairs**0.5)

    def asked(a: int, b: int) -> int:
        pairs = count[a] * count[b]
        return pairs - full[a] * full[b] + known[a].get(b, 0) if full[a] and full[b] else pairs

    count, parent = [1] * size, list(range(size))
    waiting = [
        (-gain(value, 1), a, b, 1, 1)
        for a in range(size)
        for b, value in near[a].items()
        if a < b and gain(value, 1) > 0
    ]
    heapq.heapify(waiting)
    while waiting:
        _, a, b, size_a, size_b = heapq.heappop(waiting)
        if parent[a] != a or parent[b] != b or count[a] != size_a or count[b] != size_b:
            continue
        if len(near[a]) < len(near[b]):
            a, b = b, a
        parent[b] = a
        count[a] += count[b]
        near[a].pop(b, None)
        for other, value in near[b].items():
            if other != a:
                near[other].pop(b, None)
                near[a][other] = near[other][a] = near[a].get(other, 0.0) + value
        near[b] = {}
        if full[b]:
            full[a] += full[b]
            _merge(known, a, b)
        for other, value in near[a].items():
            better = gain(value, asked(a, other))
            if better > 0:
                heapq.heappush(waiting, (-better, a, other, count[a], count[other]))
    return _first(parent)


def _known(left: Rows, right: Rows, many: NDArray[np.bool_]) -> dict[int, dict[int, int]]:
    """Return the pairs of records with many partners, from both sides."""
    found: dict[int, dict[int, int]] = {place: {} for place in np.flatnonzero(many).tolist()}
    both = many[left] & many[right]
    for a, b in zip(left[both].tolist(), right[both].tolist(), strict=True):
        found[a][b] = found[b][a] = 1
    return found


def _merge(known: dict[int, dict[int, int]], a: int, b: int) -> None:
    """Count the pairs of a group with others to those of the one that it became part of."""
    mine = known.setdefault(a, {})
    mine.pop(b, None)
    for other, count in known.pop(b).items():
        if other != a:
            known[other].pop(b, None)
            mine[other] = known[other][a] = mine.get(other, 0) + count


def _first(parent: list[int]) -> Rows:
    for place in range(len(parent)):
        root = place
        while parent[root] != root:
            root = parent[root]
        while parent[place] != root:
            parent[place], place = root, parent[place]
    roots = np.array(parent, np.int64)
    first = np.full(len(roots), len(roots), np.int64)
    np.minimum.at(first, roots, np.arange(len(roots)))
    return first[roots]
