"""From pairs of distinct texts to pairs of records.

Right texts are numbered in the order of their first record, so the k best texts (ties: lower number first) hold the k
best records (ties: lower position first): whoever is beaten by k texts is beaten by the first record of each.
"""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from likewise.join import Pairs

if TYPE_CHECKING:
    from likewise.records.space import Space

Rows = NDArray[np.int64]


def top_of_texts(space: "Space", k: int, min_score: float, rows: Rows | None, exclude_equal: bool) -> Pairs:
    """Return the ``k`` best partners of each left record, from the best texts of each distinct text."""
    left, right = space.left[0], space.right[0]
    wanted = np.arange(len(left), dtype=np.int64) if rows is None else rows
    wanted = wanted[left.codes[wanted] >= 0]
    if not len(wanted) or not len(right.texts):
        return _none()
    values = None if rows is None else np.unique(left.codes[wanted])
    # At most one text is the left one again: in its place another is fetched.
    again = exclude_equal or (space.self_join and values is not None)
    pairs = space.texts_top(k + again, min_score, values)
    a, b, score = pairs.left if values is None else values[pairs.left], pairs.right, pairs.score
    members, starts = _members(right.codes, len(right.texts))
    counts = np.diff(starts)
    if exclude_equal:
        other = _numbers(left.texts, right.texts)[a] != b
        a, b, score = a[other], b[other], score[other]
    elif space.self_join and values is None:
        a, b, score = _with_itself(space, a, b, score, min_score, counts)
    # A record is not its own partner, so one more than wanted is kept until it is known who asks.
    extra = k + 1 if space.self_join else k
    take = np.minimum(counts[b], extra)
    a, score = np.repeat(a, take), np.repeat(score, take)
    b = members[np.repeat(starts[b], take) + _within(take)]
    order = np.lexsort((b, -score, a))
    a, b, score = a[order], b[order], score[order]
    keep = ranks(a) < extra
    a, b, score = a[keep], b[keep], score[keep]
    # Every record with the text gets the text's partners.
    lists = np.searchsorted(a, np.arange(len(left.texts) + 1))
    codes = left.codes[wanted]
    lengths = (lists[1:] - lists[:-1])[codes]
    at = np.repeat(lists[:-1][codes], lengths) + _within(lengths)
    record, b, score = np.repeat(wanted, lengths), b[at], score[at]
    if space.self_join:
        other = record != b
        record, b, score = record[other], b[other], score[other]
    keep = ranks(record) < k
    return Pairs(record[keep], b[keep], score[keep], pairs.stats)


def above_of_texts(space: "Space", min_score: float) -> Pairs:
    """Return all pairs of records from ``min_score`` on."""
    left, right = space.left[0], space.right[0]
    if not len(left.texts) or not len(right.texts):
        return _none()
    pairs = space.texts_above(min_score)
    left_members, left_starts = _members(left.codes, len(left.texts))
    right_members, right_starts = _members(right.codes, len(right.texts))
    left_counts, right_counts = np.diff(left_starts), np.diff(right_starts)
    take = left_counts[pairs.left] * right_counts[pairs.right]
    within = _within(take)
    width = np.repeat(right_counts[pairs.right], take)
    a = left_members[np.repeat(left_starts[pairs.left], take) + within // width]
    b = right_members[np.repeat(right_starts[pairs.right], take) + within % width]
    score = np.repeat(pairs.score, take)
    if space.self_join:
        a, b, score = _equal_pairs(space, a, b, score, min_score, left_members, left_starts)
    order = np.lexsort((b, -score, a))
    return Pairs(a[order], b[order], score[order], pairs.stats)


def _with_itself(
    space: "Space", a: Rows, b: Rows, score: NDArray[np.float64], min_score: float, counts: Rows
) -> tuple[Rows, Rows, NDArray[np.float64]]:
    """Add each text that several records have as its own partner, which a self-join leaves out."""
    several = np.flatnonzero(counts > 1)
    own = space.own_scores(several)
    keep = (own > 0) & (own >= min_score)
    several, own = several[keep], own[keep]
    return np.concatenate([a, several]), np.concatenate([b, several]), np.concatenate([score, own])


def _equal_pairs(
    space: "Space", a: Rows, b: Rows, score: NDArray[np.float64], min_score: float, members: Rows, starts: Rows
) -> tuple[Rows, Rows, NDArray[np.float64]]:
    """Add the pairs of records with the same text; where direction does not matter, left is the lower of each pair."""
    if space.measures[0].symmetric:
        a, b = np.minimum(a, b), np.maximum(a, b)
    several = np.flatnonzero(np.diff(starts) > 1)
    own = space.own_scores(several)
    parts = [(a, b, score)]
    for text, value in zip(several.tolist(), own.tolist(), strict=True):
        if value > 0 and value >= min_score:
            mine = members[starts[text] : starts[text + 1]]
            low, high = np.triu_indices(len(mine), 1)
            parts.append((mine[low], mine[high], np.full(len(low), value)))
    return tuple(np.concatenate(column) for column in zip(*parts, strict=True))  # type: ignore[return-value]


def _numbers(left: list[str], right: list[str]) -> Rows:
    """Return the number that each left text has on the right, or -1."""
    known = {text: place for place, text in enumerate(right)}
    return np.array([known.get(text, -1) for text in left], np.int64)


def _members(codes: Rows, size: int) -> tuple[Rows, Rows]:
    """Return the records of each text, ascending, and where each text's begin."""
    order = np.argsort(codes, kind="stable")
    order = order[codes[order] >= 0]
    return order, np.searchsorted(codes[order], np.arange(size + 1))


def _within(counts: Rows) -> Rows:
    """Return 0, 1, ... for each run of the given lengths."""
    total = int(counts.sum())
    return np.arange(total) - np.repeat(np.cumsum(counts) - counts, counts)


def ranks(groups: Rows) -> Rows:
    """Return the place of each item within its run of equal, adjacent group numbers."""
    starts = np.flatnonzero(np.concatenate([[True], groups[1:] != groups[:-1]])) if len(groups) else groups[:0]
    return np.arange(len(groups)) - np.repeat(starts, np.diff(np.append(starts, len(groups))))


def _none() -> Pairs:
    empty = np.zeros(0, np.int64)
    return Pairs(empty, empty, np.zeros(0))
