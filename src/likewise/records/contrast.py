"""Weights of evidence from the contrast of best partners and runner-ups: a second opinion beside the mixture.

EM takes fields for independent; here they are weighed together, by logistic regression with weights of 0 or more. A
field is described by likeness, by equality times the rarity of the value, and by closeness on two scales. A null takes
the mean, so that it says nothing.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from likewise import _core
from likewise.products import times
from likewise.records.candidates import Candidates
from likewise.records.evidence import Evidence
from likewise.records.limits import limits
from likewise.records.logistic import fit_logistic
from likewise.records.partners import Relation
from likewise.records.runner_up import calibrate, on_curve, strengths

Rows = NDArray[np.int64]
Values = NDArray[np.float64]
_ROUNDS = 3
_SCALES = (0.1, 0.01)


@dataclass(frozen=True)
class Contrast:
    """Weights of features, by field: of each feature its mean over candidates and its weight."""

    features: tuple[tuple[tuple[float, float], ...], ...]
    prior: float

    def parts(self, evidence: Sequence[Evidence]) -> Values:
        """Return what each field adds, one column per field."""
        found = np.zeros((len(evidence[0].null), len(evidence)))
        for place, (mine, pairs) in enumerate(zip(evidence, self.features, strict=True)):
            for column, (mean, weight) in zip(describe(mine), pairs, strict=True):
                if weight:
                    found[:, place] += np.where(np.isnan(column), 0.0, column - mean) * weight
        return found


def describe(evidence: Evidence) -> Iterator[Values]:
    """Return the features of a field one after the other, NaN where it is null."""
    yield np.where(evidence.null, np.nan, evidence.alike)
    rare = np.zeros(len(evidence.null))
    rare[evidence.equal] = -np.log(np.maximum(evidence.share[evidence.equal], 1e-9))
    yield np.where(evidence.null, np.nan, rare)
    if evidence.distance is not None:
        for scale in _SCALES:
            yield np.where(evidence.null, np.nan, np.exp(-evidence.distance / scale))


def contrast(found: Candidates, evidence: Sequence[Evidence], start: Values, relation: Relation) -> Contrast:
    """Learn weights; ``start`` is the score that says who is best at first."""
    sizes = [2 if mine.distance is None else 2 + len(_SCALES) for mine in evidence]
    features = np.empty((len(found), sum(sizes)), order="F")
    means, spread, count = np.zeros(sum(sizes)), np.zeros(sum(sizes)), 0
    # One at a time: many candidates with many features are most of the memory.
    for place, column in enumerate(column for mine in evidence for column in describe(mine)):
        there = ~np.isnan(column)
        means[place] = column[there].mean() if there.any() else 0.0
        centred = np.where(there, column - means[place], 0.0)
        spread[place] = centred.std()
        if spread[place] > 1e-9:
            np.divide(centred, spread[place], out=features[:, count])
            count += 1
    kept, rows = spread > 1e-9, features[:, :count]
    score, fit = start, None
    for _ in range(_ROUNDS):
        chosen, truth, weight = _sample(found, score, relation)
        fit = fit_logistic(rows[chosen], truth, weight, start=fit)
        score = times(rows, fit[:-1]) + fit[-1]
    assert fit is not None
    weights = np.zeros(len(kept))
    weights[kept] = fit[:-1] / spread[kept]
    ends = np.cumsum([0, *sizes])
    pairs = [tuple((float(means[k]), float(weights[k])) for k in range(a, b)) for a, b in pairwise(ends)]
    return Contrast(tuple(pairs), float(fit[-1]))


def learnt_elsewhere(found: Candidates, evidence: Sequence[Evidence], start: Values, relation: Relation) -> Values:
    """Return scores by weights that were learnt from the other half of the records that are asked."""
    scores = np.zeros(len(found))
    for mine, part in found.halves(relation):
        learnt = contrast(part, [one.take(mine) for one in evidence], start[mine], relation)
        scores[~mine] = learnt.parts([one.take(~mine) for one in evidence]).sum(1)
    return scores


def _sample(found: Candidates, score: Values, relation: Relation) -> tuple[Rows, Values, Values]:
    """Return pairs, whether they are right, and how much they count: mutual best against doubtful best and rivals."""
    strength = strengths(found, score, relation)
    size = len(strength.best)
    right = on_curve(calibrate(strength.best, strength.runner_up), strength.best)[strength.side]
    rank = _core.ranks(strength.side, score, size, limits().rivals + 1)
    mutual = rank == 0
    if relation is Relation.ONE:
        sides = ((found.left, score, found.lefts), (found.right, score, found.rights))
        mutual = np.all([_core.ranks(*side, 1) == 0 for side in sides], 0)
    best = np.flatnonzero(rank == 0)
    agreed = best[mutual[best]]
    rivals = np.flatnonzero((rank > 0) & (rank <= limits().rivals))
    chosen = np.concatenate([agreed, best, rivals])
    truth = np.concatenate([np.ones(len(agreed)), np.zeros(len(best) + len(rivals))])
    weight = np.concatenate([right[agreed], 1 - right[best] * mutual[best], np.ones(len(rivals))])
    for side in (0, 1):  # both kinds count the same
        mine = truth == side
        weight[mine] /= max(1e-9, float(weight[mine].sum()))
    return chosen, truth, weight
