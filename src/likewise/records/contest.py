"""Whether a record's best partner is the right one or has beaten it: told by how far it is ahead of its rivals.

Runner-ups say how many records have no partner (:mod:`.runner_up`). But of those that have one, the best may still be a
sibling that came out ahead of it. Either the best is right and the next is the best of the wrong ones, or the reverse;
how right ones and the best of the wrong ones differ in their odds says how likely each is.
"""

import numpy as np
from numpy.typing import NDArray

from likewise import _core
from likewise.records.candidates import Candidates
from likewise.records.logistic import fit_logistic
from likewise.records.partners import Relation

Rows = NDArray[np.int64]
Values = NDArray[np.float64]


def _sides(found: Candidates, relation: Relation) -> tuple[Rows, Rows, int, int]:
    """Return the records that are asked, their candidates, and how many there are of each."""
    if found.asked_from_left(relation):
        return found.left, found.right, found.lefts, found.rights
    return found.right, found.left, found.rights, found.lefts


def contest(found: Candidates, odds: Values, relation: Relation, right: Values) -> float:
    """Return by how much right ones are likelier than the best of the wrong ones, in log odds for each unit of odds.

    ``right``: how likely the best partner of each record that is asked is right.
    """
    record, _, size, _ = _sides(found, relation)
    rank = _core.ranks(record, odds, size, 2)
    best, second = np.flatnonzero(rank == 0), np.flatnonzero(rank == 1)
    chance = right[record[best]]
    unit = float(odds[best].std()) if len(best) else 0.0
    if not unit or not 0 < chance.sum() < len(best):
        return 1.0
    values = np.concatenate([odds[best], odds[best], odds[second]]) / unit
    truth = np.concatenate([np.ones(len(best)), np.zeros(len(best) + len(second))])
    weight = np.concatenate([chance, 1 - chance, right[record[second]]])
    for side in (0, 1):  # both kinds count the same
        weight[truth == side] /= max(1e-9, float(weight[truth == side].sum()))
    return float(fit_logistic(values[:, None], truth, weight)[0]) / unit


def shares(slope: float | None, found: Candidates, odds: Values, relation: Relation) -> Values:
    """Return how likely each pair is the right one of the record that is asked, if that has a partner.

    A rival whose record has a better partner does not contest it, unless the pair's own record has one as much better:
    of several that are equal on both sides, each has its share. Without a ``slope`` nobody contests.
    """
    if slope is None:
        return np.ones(len(found))
    record, other, size, others = _sides(found, relation)
    top, best = np.full(size, -np.inf), np.full(others, -np.inf)
    np.maximum.at(top, record, odds)
    np.maximum.at(best, other, odds)
    ratio = np.exp(np.clip(slope * (odds - top[record]), -40, 0))
    return np.asarray(ratio / np.maximum(_up_to(record, best[other] - odds, ratio), ratio))


def _up_to(group: Rows, key: Values, value: Values) -> Values:
    """Return for each row the sum of ``value`` over the rows of its group whose ``key`` is no larger."""
    order = np.lexsort((key, group))
    sums = np.cumsum(value[order])
    new = np.diff(group[order], prepend=-1) != 0
    last = np.flatnonzero(np.append(new[1:] | (np.diff(key[order]) != 0), True))
    upto = sums[last[np.searchsorted(last, np.arange(len(order)))]]
    first = np.flatnonzero(new)
    before = np.append(0.0, sums)[first[np.cumsum(new) - 1]]
    total = np.empty(len(order))
    total[order] = upto - before
    return total
