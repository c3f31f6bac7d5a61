"""Estimate how many pairs agree only by chance, from the records of one table, which are different things.

A surname or a town that many records of a table have names none of them. Two records of one table that are different
agree as often as two of different tables that are: so from how many pairs within a table are as alike as those that are
given, it is known how many of these to expect if no record were in both.
"""

import numpy as np
from numpy.typing import NDArray

from likewise.records.candidates import Candidates
from likewise.records.evidence import Asked
from likewise.records.limits import limits
from likewise.records.mixture import rising
from likewise.records.partners import Relation

Rows = NDArray[np.int64]
Values = NDArray[np.float64]
_PAIRS = 100_000  # of one table that are looked at; all, if there are no more
_SEED = 5


def by_chance(found: Candidates, score: Values, given: NDArray[np.bool_], relation: Relation, whole: Asked) -> float:
    """Return the share of the pairs ``given`` that are as alike, by the ``score``, only by chance.

    Asked is the side that has no copies of its own: that whose records may have several partners. One pair more than
    was seen there counts: of few records, none says little.
    """
    side, size = (1, found.rights) if relation.left_once else (0, found.lefts)
    alike = np.sort(whole.alike(side, *_different(size)))
    every = size * (size - 1) / 2
    scores, count = np.unique(-score[given], return_counts=True)
    seen = 1 + (len(alike) - np.searchsorted(alike, -scores)) * (every / max(1, len(alike)))
    expected = seen * (found.lefts * found.rights / max(1.0, every))
    here = np.minimum(1.0, rising(np.diff(expected, prepend=0.0) / count, count))
    return float((here * count).sum() / max(1, count.sum()))


def _different(size: int) -> tuple[Rows, Rows]:
    """Return pairs of records of a table: all, or some that are drawn."""
    if size * (size - 1) // 2 <= _PAIRS:
        a, b = np.triu_indices(size, 1)
        return a.astype(np.int64), b.astype(np.int64)
    draw = np.random.default_rng(_SEED)
    a = draw.integers(0, size, _PAIRS)
    return a, (a + draw.integers(1, size, _PAIRS)) % size


def texts_not_by_chance(texts: Candidates, equal: NDArray[np.bool_], lefts: Rows, rights: Rows) -> Values:
    """Return for pairs of texts the share of the pairs of their records that are not equal only by chance.

    ``lefts``, ``rights``: how many records have each text of a side; the first one is no text. Where all records of a
    table are different, those of two tables have the same text as often as those of one do: so it is for the texts that
    are had by two records altogether, by three, and so on.
    """
    count = np.concatenate([[0], lefts[1:]]), np.concatenate([[0], rights[1:]])
    sizes = [int(side.sum()) for side in count]
    within, (left, right) = sum(size * (size - 1) for size in sizes) / 2, (texts.left, texts.right)
    both = count[0][left] + count[1][right]
    there = [both[equal], *(np.delete(side, mine[equal]) for side, mine in zip(count, (left, right), strict=True))]
    pairs = [side * (side - 1) / 2 for side in count]
    inside = [(pairs[0][left] + pairs[1][right])[equal]]
    inside += [np.delete(side, mine[equal]) for side, mine in zip(pairs, (left, right), strict=True)]
    across = np.bincount(both[equal], (count[0][left] * count[1][right])[equal])
    by_chance = np.bincount(np.concatenate(there), np.concatenate(inside), len(across))[: len(across)]
    some = np.flatnonzero(across)
    if not len(some):
        return np.ones(len(texts))
    share = by_chance[some] / across[some] * (sizes[0] * sizes[1] / max(1.0, within))
    return np.asarray(1 - np.interp(both, some, np.minimum(1.0, rising(share, across[some]))))


def left_over(found: Candidates, score: Values, probability: Values) -> NDArray[np.bool_]:
    """Return the pairs that are kept only because no better partner was left for either record.

    Where many records have a partner, so do the last two, by the odds before any evidence. But they do not look
    like matches: all pairs that plainly are score higher, and so do most of the best wrong candidates of these.

    >>> places, other = np.arange(20), (np.arange(20) + 1) % 20
    >>> both = np.concatenate([places, places]), np.concatenate([places, other])
    >>> score, sure = np.repeat([0.9, 0.05, 0.1], [19, 1, 20]), np.repeat([0.99, 0.8, 0.0], [19, 1, 20])
    >>> np.flatnonzero(left_over(Candidates(*both, 20, 20, False), score, sure)).tolist()
    [19]
    """
    plain = probability >= limits().plainly
    if plain.sum() < limits().partnered * min(found.lefts, found.rights):
        return np.zeros(len(found), bool)
    wrong, taken = np.zeros(found.lefts), np.zeros(found.lefts, bool)
    taken[found.left[plain]] = True
    np.maximum.at(wrong, found.left[~plain], score[~plain])
    low = min(float(score[plain].min()), float(np.median(wrong[taken])))
    return ~plain & (probability > 0) & (score < low)
