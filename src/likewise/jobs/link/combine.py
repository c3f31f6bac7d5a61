"""Lists combine: ``+`` joint, ``|`` union, ``-`` difference; each result is a ranked list again."""

import numpy as np

from likewise.jobs.link.joins import Ints
from likewise.jobs.link.lists import Lists, Ranked
from likewise.jobs.link.options import ListOptions
from likewise.jobs.link.presets import Combined, Expression, Named


def evaluate(expression: Expression, lists: Lists, known: dict[str, ListOptions]) -> Ranked:
    """Return the list that an expression stands for."""
    if isinstance(expression, Named):
        found = lists.make(expression.name, known)
        return lists.propose(found) if expression.proposes else found
    assert isinstance(expression, Combined)
    left = evaluate(expression.left, lists, known)
    right = evaluate(expression.right, lists, known)
    return combine(expression.operator, left, right)


def combine(operator: str, left: Ranked, right: Ranked) -> Ranked:
    """Combine two ranked lists of the same scope.

    The joint list has the order of the paragraph list, where one is proposed by sentences and the other is not, and of
    the left one otherwise; a union is ordered by the better of the two ranks; a difference as the left list.
    """
    if operator == "-":
        return left.take(np.flatnonzero(places(left, right) < 0))
    if operator == "+":
        if left.proposed and not right.proposed:
            left, right = right, left
        return left.take(np.flatnonzero(places(left, right) >= 0))
    alone = np.flatnonzero(places(right, left) < 0)
    in_right = places(left, right)
    rank = np.arange(len(left), dtype=np.int64)
    rank = np.where(in_right >= 0, np.minimum(rank, in_right), rank)
    order = np.lexsort((np.repeat([0, 1], [len(left), len(alone)]), np.concatenate([rank, alone])))
    return Ranked(
        left.scope,
        np.concatenate([left.left, right.left[alone]])[order],
        np.concatenate([left.right, right.right[alone]])[order],
        np.concatenate([left.score, right.score[alone]])[order],
        proposed=left.proposed and right.proposed,
    )


def places(pairs: Ranked, where: Ranked) -> Ints:
    """Return for each pair its position in another list, or -1."""
    if not len(where) or not len(pairs):
        return np.full(len(pairs), -1, dtype=np.int64)
    width = int(max(pairs.right.max(), where.right.max())) + 1
    keys = where.left * width + where.right
    order = np.argsort(keys)
    wanted = pairs.left * width + pairs.right
    found = np.minimum(np.searchsorted(keys[order], wanted), len(keys) - 1)
    return np.where(keys[order][found] == wanted, order[found], -1)
