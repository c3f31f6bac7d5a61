"""Weights of evidence from the contrast of best partners and runner-ups: a second opinion beside the mixture.

EM takes fields for independent; here they are weighed together, by logistic regression with weights of 0 or more. A
field is described by likeness, by equality times the rarity of the value, and by closeness on two scales. A null takes
the mean, so that it says nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from likewise import _core
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
        columns = []
        for mine, pairs in zip(evidence, self.features, strict=True):
            values = describe(mine)
            total = np.zeros(len(mine.null))
            for place, (mean, weight) in enumerate(pairs):
                total += np.where(np.isnan(values[:, place]), 0.0, values[:, place] - mean) * weight
            columns.append(total)
        return np.stack(columns, 1)


def describe(evidence: Evidence) -> Values:
    """Return the features of a field, NaN where it is null."""
    columns = [evidence.alike, np.where(evidence.equal, -np.log(np.maximum(evidence.share, 1e-9)), 0.0)]
    if evidence.distance is not None:
        columns += [np.exp(-evidence.distance / scale) for scale in _SCALES]
    return np.where(evidence.null[:, None], np.nan, np.stack(columns, 1))


def contrast(found: Candidates, evidence: Sequence[Evidence], start: Values, relation: Relation) -> Contrast:
    """Learn weights; ``start`` is the score that says who is best at first."""
    blocks = [describe(mine) for mine in evidence]
    sizes = [block.shape[1] for block in blocks]
    features = np.asfortranarray(np.concatenate(blocks, 1))
    means, spread = np.zeros(features.shape[1]), np.zeros(features.shape[1])
    for place in range(len(means)):  # one at a time: many candidates with many features are most of the memory
        column = features[:, place]
        there = ~np.isnan(column)
        means[place] = column[there].mean() if there.any() else 0.0
        centred = np.where(there, column - means[place], 0.0)
        spread[place] = centred.std()
        features[:, place] = centred / max(spread[place], 1e-9)
    kept = spread > 1e-9
    rows = features if kept.all() else features[:, kept]
    score, fit = start, None
    for _ in range(_ROUNDS):
        chosen, truth, weight = _sample(found, score, relation)
        fit = fit_logistic(rows[chosen], truth, weight, start=fit)
        score = rows @ fit[:-1] + fit[-1]
    assert fit is not None
    weights = np.zeros(features.shape[1])
    weights[kept] = fit[:-1] / spread[kept]
    ends = np.cumsum([0, *sizes])
    pairs = [tuple((float(means[k]), float(weights[k])) for k in range(a, b)) for a, b in pairwise(ends)]
    return Contrast(tuple(pairs), float(fit[-1]))


def learnt_elsewhere(found: Candidates, evidence: Sequence[Evidence], start: Values, relation: Relation) -> Values:
    """Return scores by weights that were learnt from the other half of the records that are asked."""
    scores = np.zeros(len(found))
    from_left = found.asked_from_left(relation)
    record, records = (found.left, found.lefts) if from_left else (found.right, found.rights)
    for half in (0, 1):
        mine = record % 2 == half
        place = record[mine] // 2
        size = (records + 1 - half) // 2
        if from_left:
            part = Candidates(place, found.right[mine], size, found.rights, False)
        else:
            part = Candidates(found.left[mine], place, found.lefts, size, False)
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
