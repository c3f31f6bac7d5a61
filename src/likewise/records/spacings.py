"""Test whether partners stand out from the best of many wrong ones, by the spacings of their scores.

Of many values drawn alike the highest leads the second, in the long run, by twice what the second leads the third
(Rényi's spacings). So from the second and third of a record's candidates it is known what the lead of a wrong best one
would be like, and nobody has to say which are wrong.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from likewise.records.candidates import Candidates
from likewise.records.limits import limits
from likewise.records.mixture import rising
from likewise.records.partners import Relation
from likewise.records.runner_up import best_three

Values = NDArray[np.float64]
_TIED = 1e-12


def stands_out(found: Candidates, score: Values, relation: Relation) -> bool:
    """Return whether best partners stand out at all from what the best of many wrong ones would be.

    Of those, one lead in two is more than twice the next. Where partners are among them, more are. Where far fewer are,
    values are not drawn alike, and nothing can be said.
    """
    asked = found.asked_from_left(relation)
    i, size = (found.left, found.lefts) if asked else (found.right, found.rights)
    table, _ = best_three(score, i, size, 0.0)
    lead, next_lead = table[:, 0] - table[:, 1], table[:, 1] - table[:, 2]
    tied = np.abs(lead - 2 * next_lead) <= _TIED
    excess = 2 * float(np.mean(np.where(tied, 0.5, lead > 2 * next_lead))) - 1
    error = size**-0.5
    return not -limits().far * error <= excess < error


def ends(found: Candidates) -> tuple[NDArray[np.int64], int]:
    """Return the records of the pairs, all left ones and then all right ones, and how many there are of both tables."""
    if found.self_join:
        return np.concatenate([found.left, found.right]), found.lefts
    return np.concatenate([found.left, found.lefts + found.right]), found.lefts + found.rights


@dataclass(frozen=True)
class Standing:
    """Of each record the share of those that stand out as much, or more, which do so only by chance.

    The records of two tables are all those of the left one, then all of the right one.

    ``here``: of those that stand out just as much.
    """

    share: Values
    here: Values


def within(found: Candidates, score: Values, mates: NDArray[np.bool_] | None = None) -> Standing | None:
    """Return how records stand out by their best partner; ``None``: they do not.

    ``mates`` are pairs that are taken for the same. A record's mates, the middle one of them, must then stand out from
    the others; without any, its best partner.
    """
    record, size = ends(found)
    both = np.concatenate([score, score])
    mated = np.zeros(len(both), bool) if mates is None else np.concatenate([mates, mates])
    table, _ = best_three(np.where(mated, -1.0, both), record, size, 0.0)
    table = np.maximum(table, 0.0)
    rows = np.flatnonzero(mated)
    rows = rows[np.lexsort((both[rows], record[rows]))]
    count = np.bincount(record[rows], minlength=size)
    some = count > 0
    best, wrong, other = np.where(some[:, None], np.column_stack([table[:, 0], table[:, :2]]), table).T
    best[some] = both[rows[np.cumsum(count)[some] - count[some] + (count[some] - 1) // 2]]
    stands, chance = wrong + 2 * (best - wrong), np.sort(wrong + 4 * (wrong - other))
    order = np.argsort(-stands, kind="stable")
    given = np.arange(1, size + 1)
    by_chance = size - np.searchsorted(chance, stands[order])
    far = (given - by_chance) / np.sqrt(2.0 * (given + by_chance))  # each pair is seen from both sides
    most = limits().by_chance * given
    if found.self_join:
        most = np.where(given <= limits().few * size, limits().few_by_chance * given, most)
    if not np.any((given >= limits().outstanding) & (by_chance <= most) & (far >= limits().outstanding_errors)):
        return None
    share, here = np.empty(size), np.empty(size)
    share[order] = np.minimum.accumulate((by_chance / given)[::-1])[::-1]
    here[order] = np.minimum(1.0, rising(np.diff(by_chance, prepend=0), np.ones(size)))
    return Standing(share, here)


def seeds(found: Candidates, score: Values) -> NDArray[np.bool_]:
    """Return the pairs of mutually best partners that stand out by far more than chance."""
    standing = within(found, score)
    if standing is None:
        return np.zeros(len(found), bool)
    share: Values = standing.share[ends(found)[0]].reshape(2, -1).min(0)
    return mutual(found, score) & (share <= max(limits().sure, limits().above * float(standing.share.min())))


def mutual(found: Candidates, score: Values) -> NDArray[np.bool_]:
    """Return the pairs in which each record is the other's best."""
    record, size = ends(found)
    both, best = np.concatenate([score, score]), np.zeros(size)
    np.maximum.at(best, record, both)
    return np.asarray((both >= best[record]).reshape(2, -1).all(0) & (score > 0))
