"""From which strength on a record's best partner is right: told by the runner-ups.

Where a record has one partner at most, its second best is wrong (nearly always). So runner-ups are a sample of what a
wrong best partner looks like, and records without a partner must look like them. The share of the best that lie low,
against the share of the runner-ups that do, says how many records have no partner; the rest of the best above a
strength are right.

The *strength* of a pair is twice its log odds less that of the strongest rival of its two records, or of that one of
them that has one partner at most.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from likewise import _core
from likewise.records.candidates import Candidates
from likewise.records.distinct import ascending
from likewise.records.limits import limits
from likewise.records.mixture import rising
from likewise.records.partners import Relation

Rows = NDArray[np.int64]
Values = NDArray[np.float64]
Curve = tuple[tuple[float, ...], tuple[float, ...]]
"""Strengths, and the probability of each; straight between them."""
_ROUNDS = 60
_POINTS = 2000  # strengths at which the two distributions are compared
# How many records lack a partner is read off where these shares of the wrong ones lie below, and so many at least. The
# lowest reading counts: with few readings, chance makes it little too low.
_SHARES = tuple(np.linspace(0.1, 0.95, 8).tolist())
_FEWEST = 10
_BINS, _IN_BIN = 100, 8  # of strengths: so many at most, with so many records each
_RUNNER_UP_BINS, _IN_RUNNER_UP_BIN = 20, 40


@dataclass(frozen=True)
class Strengths:
    """The strength of every pair, and of each record that is asked that of its best pair and of its runner-up.

    The runner-up's is what it would be if the best were not there. ``side``: the record of a pair that is asked, that
    of the smaller side, or of the one whose records have one partner at most.
    """

    pairs: Values
    best: Values
    runner_up: Values
    side: Rows


def strengths(found: Candidates, odds: Values, relation: Relation) -> Strengths:
    """Return how strong pairs are among their rivals."""
    i, j, lefts, rights = found.left, found.right, found.lefts, found.rights
    if not found.asked_from_left(relation):
        i, j, lefts, rights = j, i, rights, lefts
    least = float(odds.min(initial=0.0))
    low = least - 1.0 if least < 0 else 0.0  # what a rival that is not there has
    mine, rank = best_three(odds, i, lefts, low)
    # The strongest rival: the best of the record, or, for the best itself, the second.
    left = np.where(odds >= mine[i, 0], mine[i, 1], mine[i, 0])
    right = np.full(len(odds), low)
    if relation is Relation.ONE:
        other, _ = best_three(odds, j, rights, low)
        right = np.where(odds >= other[j, 0], other[j, 1], other[j, 0])
    pairs = 2 * odds - np.maximum(left, right)
    best, second = np.full(lefts, low), np.full(lefts, low)
    first = rank == 0
    best[i[first]] = pairs[first]
    next_one = rank == 1
    second[i[next_one]] = 2 * odds[next_one] - np.maximum(mine[i[next_one], 2], right[next_one])
    return Strengths(pairs, best, second, i)


def best_three(odds: Values, record: Rows, size: int, low: float) -> tuple[Values, Rows]:
    """Return the three highest odds of each record, and the rank of each pair (from 3 on, 3)."""
    rank = _core.ranks(record, odds, size, 3)
    table = np.full((size, 3), low)
    for place in range(3):
        mine = rank == place
        table[record[mine], place] = odds[mine]
    return table, rank


@dataclass(frozen=True)
class Calibration:
    """The threshold of the highest expected F1, what it is expected to give, and strength -> probability as a curve.

    ``contest``: how much being ahead of rivals says, where there are any (:mod:`.contest`). ``recall`` is NaN where it
    is not known.
    """

    threshold: float
    matches: float
    precision: float
    recall: float
    f1: float
    curve: Curve
    contest: float | None = None


def on_curve(curve: Curve, strength: Values) -> Values:
    """Return the probability that pairs of these strengths are right."""
    at, value = (np.array(side) for side in curve)
    return np.interp(strength, at, value) if len(at) else np.zeros(len(strength))


def calibrate(best: Values, runner_up: Values, both: bool = False) -> Curve:
    """Return how likely best partners are right, by strength: their distribution against that of the runner-ups.

    ``both``: which runner-ups are those of right ones is told by their own strength too. Probabilities that are given
    are nearer to the truth so; for weights that are still being learnt it is too much to rest on one score.
    """
    size = len(best)
    right = np.ones(size)  # chance of each record's best to be right
    points = ascending(np.concatenate([best, runner_up]))
    if len(points) > _POINTS:
        points = np.unique(np.quantile(points, np.linspace(0, 1, _POINTS)))
    below = np.searchsorted(np.sort(best), points)
    every = np.concatenate([runner_up, best])
    order = np.argsort(every, kind="stable")
    at = np.searchsorted(every[order], points)
    steps = max(5, min(_BINS, size // _IN_BIN))
    edges = np.unique(np.quantile(best, np.linspace(0, 1, steps + 1))[1:-1])
    bin_best, bin_every = np.digitize(best, edges), np.digitize(every, edges)
    seen = np.bincount(bin_best, minlength=len(edges) + 1)
    curve = np.ones(len(seen))
    sides = _side_by_side(best, runner_up)
    told = right  # ... by both
    for _ in range(_ROUNDS):
        weight = np.concatenate([told, 1 - told])
        lower = np.concatenate([[0], np.cumsum(weight[order])])[at] / size
        read = np.unique(np.searchsorted(lower, _SHARES).clip(0, len(lower) - 1))
        read = read[(lower[read] * size >= _FEWEST) & (lower[read] >= _SHARES[0]) & (lower[read] <= _SHARES[-1])]
        bound = (below[read] + limits().reading_errors * np.sqrt(below[read] + 1)) / lower[read]
        alone = min(float(size), float(bound.min())) if len(read) else 0.0
        expected = np.bincount(bin_every, weight, len(seen)) / size * alone
        curve = np.maximum(0, rising(1 - expected / np.maximum(seen, 1), seen + 1e-9))
        after = curve[bin_best]
        moved = float(np.abs(after - right).max(initial=0.0))
        right = 0.5 * right + 0.5 * after
        told = _by_both(right, told, *sides) if both else right
        if moved < 1e-3:
            break
    middles = np.array([best[bin_best == place].mean() if seen[place] else np.nan for place in range(len(seen))])
    there = ~np.isnan(middles)
    return tuple(middles[there].tolist()), tuple(curve[there].tolist())


def _side_by_side(best: Values, runner_up: Values) -> tuple[Rows, Rows]:
    """Return the bins in which best partners and runner-ups lie: those of the runner-ups."""
    steps = max(3, min(_RUNNER_UP_BINS, len(best) // _IN_RUNNER_UP_BIN))
    edges = np.unique(np.quantile(runner_up, np.linspace(0, 1, steps + 1))[1:-1])
    return np.digitize(best, edges), np.digitize(runner_up, edges)


def _by_both(right: Values, before: Values, first: Rows, second: Rows) -> Values:
    """Return how likely best partners are right, by their own chance and by the bin of their runner-up.

    The runner-up of a right one is the best of the wrong ones; that of a wrong one is only the second best of them. So
    the stronger the runner-up, the likelier is the best one right.
    """
    count = int(max(first.max(initial=0), second.max(initial=0))) + 1
    best_wrong = np.bincount(second, before, count) + np.bincount(first, 1 - before, count) + 1
    next_wrong = np.bincount(second, 1 - before, count) + 1
    ratio = np.log(best_wrong / best_wrong.sum()) - np.log(next_wrong / next_wrong.sum())
    ratio = limits().runner_up_counts * rising(ratio, np.bincount(second, minlength=count) + 1.0)
    more = right * np.exp(ratio)[second]
    return more / (more + 1 - right)
