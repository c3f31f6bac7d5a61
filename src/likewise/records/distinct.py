"""Expand pairs of distinct texts to pairs of the records that have them.

Right texts are numbered in the order of their first record, so the k best texts (ties: lower number first) hold the k
best records (ties: lower position first): whoever is beaten by k texts is beaten by the first record of each.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likewise.join import Pairs
from likewise.records.columns import Column

Rows = NDArray[np.int64]
Own = Callable[[Rows], NDArray[np.float64]]
"""Scores of texts with themselves."""


def top_of_texts(pairs: Pairs, left: Column, right: Column, k: int, wanted: Rows, self_join: bool) -> Pairs:
    """Return the ``k`` best partners of the ``wanted`` left records, from the best partners of their texts."""
    members, starts = _members(right)
    # A record is not its own partner, so one more than wanted is kept until it is known who asks.
    extra = k + 1 if self_join else k
    take = np.minimum(np.diff(starts)[pairs.right], extra)
    a, score = np.repeat(pairs.left, take), np.repeat(pairs.score, take)
    b = members[np.repeat(starts[pairs.right], take) + _within(take)]
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
    if self_join:
        other = record != b
        record, b, score = record[other], b[other], score[other]
    keep = ranks(record) < k
    return Pairs(record[keep], b[keep], score[keep], pairs.stats)


def above_of_texts(pairs: Pairs, left: Column, right: Column) -> Pairs:
    """Return all pairs of records whose texts are a pair."""
    left_members, left_starts = _members(left)
    right_members, right_starts = _members(right)
    left_counts, right_counts = np.diff(left_starts), np.diff(right_starts)
    take = left_counts[pairs.left] * right_counts[pairs.right]
    within = _within(take)
    width = np.repeat(right_counts[pairs.right], take)
    a = left_members[np.repeat(left_starts[pairs.left], take) + within // width]
    b = right_members[np.repeat(right_starts[pairs.right], take) + within % width]
    return Pairs(a, b, np.repeat(pairs.score, take), pairs.stats)


def with_itself(pairs: Pairs, column: Column, own: Own, min_score: float) -> Pairs:
    """Add each text that several records have as its own partner, which a self-join leaves out."""
    several, score = _several(column, own, min_score)
    left, right = np.concatenate([pairs.left, several]), np.concatenate([pairs.right, several])
    return Pairs(left, right, np.concatenate([pairs.score, score]), pairs.stats)


def with_equals(pairs: Pairs, column: Column, own: Own, min_score: float) -> Pairs:
    """Add the pairs of records with the same text, each once."""
    members, starts = _members(column)
    parts = [(pairs.left, pairs.right, pairs.score)]
    for text, value in zip(*(part.tolist() for part in _several(column, own, min_score)), strict=True):
        mine = members[starts[text] : starts[text + 1]]
        low, high = np.triu_indices(len(mine), 1)
        parts.append((mine[low], mine[high], np.full(len(low), value)))
    left, right, score = (np.concatenate(part) for part in zip(*parts, strict=True))
    return Pairs(left, right, score, pairs.stats)


def same_texts(left: Column, right: Column) -> Rows:
    """Return the number that each left text has on the right, or -1."""
    known = {text: place for place, text in enumerate(right.texts)}
    return np.array([known.get(text, -1) for text in left.texts], np.int64)


def ascending(values: NDArray[Any]) -> NDArray[Any]:
    """Return the distinct values, ascending; of many, far faster than NumPy's ``unique``, which hashes them.

    >>> ascending(np.array([3, 1, 3])).tolist()
    [1, 3]
    """
    found = np.sort(values)
    return found[np.concatenate([[True], found[1:] != found[:-1]])] if len(found) else found


def ranks(groups: Rows) -> Rows:
    """Return the place of each item within its run of equal, adjacent group numbers."""
    starts = np.flatnonzero(np.concatenate([[True], groups[1:] != groups[:-1]])) if len(groups) else groups[:0]
    return np.arange(len(groups)) - np.repeat(starts, np.diff(np.append(starts, len(groups))))


def _several(column: Column, own: Own, min_score: float) -> tuple[Rows, NDArray[np.float64]]:
    several = np.flatnonzero(np.diff(_members(column)[1]) > 1)
    score = own(several)
    keep = (score > 0) & (score >= min_score)
    return several[keep], score[keep]


def _members(column: Column) -> tuple[Rows, Rows]:
    """Return the records of each text, ascending, and where each text's begin."""
    order = np.argsort(column.codes, kind="stable")
    order = order[column.codes[order] >= 0]
    return order, np.searchsorted(column.codes[order], np.arange(len(column.texts) + 1))


def _within(counts: Rows) -> Rows:
    """Return 0, 1, ... for each run of the given lengths."""
    total = int(counts.sum())
    return np.arange(total) - np.repeat(np.cumsum(counts) - counts, counts)
