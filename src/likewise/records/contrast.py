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
_BLOCK = 1 << 16  # candidates that are described at a time: all features of all of them are never held
_SCALES = (0.1, 0.01)


@dataclass(frozen=True)
class Contrast:
    """Weights of features, by field: of each feature its mean over candidates and its weight."""

    features: tuple[tuple[tuple[float, float], ...], ...]
    prior: float

    def parts(self, evidence: Sequence[Evidence], rows: Rows | None = None) -> Values:
        """Return what each field adds, one column per field; of all pairs, or of some ``rows``.

        Behind them there is room for one column more, which rivals will fill.
        """
        size = len(evidence[0].null) if rows is None else len(rows)
        found = np.zeros((size, len(evidence) + 1))[:, :-1]
        for block in _blocks(size):
            for place, (mine, pairs) in enumerate(zip(evidence, self.features, strict=True)):
                for column, (mean, weight) in zip(describe(mine.take(_these(rows, block))), pairs, strict=True):
                    if weight:
                        found[block, place] += _from_mean(column, mean) * weight
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


def _from_mean(column: Values, mean: float) -> Values:
    """Return how far a feature is from its mean, in its own place; a null is not."""
    column -= mean
    np.copyto(column, 0.0, where=np.isnan(column))
    return column


@dataclass(frozen=True)
class _Features:
    """The features of candidates, which are ``rows`` of the evidence, or all: made again whenever they are asked for.

    A feature is told in standard deviations from its mean; what is the same everywhere is none.
    """

    evidence: Sequence[Evidence]
    rows: Rows | None
    means: Values
    spread: Values

    @classmethod
    def of(cls, evidence: Sequence[Evidence], rows: Rows | None) -> "_Features":
        """Look at the candidates, one feature after the other."""
        means, spread = list[float](), list[float]()
        for mine in evidence:
            for column in describe(mine if rows is None else mine.take(rows)):
                there = ~np.isnan(column)
                means.append(column[there].mean() if there.any() else 0.0)
                spread.append(_from_mean(column, means[-1]).std())
        return cls(evidence, rows, np.array(means), np.array(spread))

    @property
    def kept(self) -> NDArray[np.bool_]:
        """Which columns of the evidence are features."""
        return self.spread > 1e-9

    def table(self, chosen: Rows | slice) -> Values:
        """Return the features of some candidates, one column each."""
        described = [mine.take(_these(self.rows, chosen)) for mine in self.evidence]
        found = np.empty((len(described[0].null), np.count_nonzero(self.kept)), order="F")
        columns, count = (column for mine in described for column in describe(mine)), 0
        for column, mean, spread, kept in zip(columns, self.means, self.spread, self.kept, strict=True):
            if kept:
                np.divide(_from_mean(column, mean), spread, out=found[:, count])
                count += 1
        return found

    def scores(self, size: int, weights: Values) -> Values:
        """Return what the features of all candidates add up to."""
        found = np.empty(size)
        for block in _blocks(size):
            found[block] = times(self.table(block), weights)
        return found


def _these(rows: Rows | None, chosen: Rows | slice) -> Rows | slice:
    return chosen if rows is None else rows[chosen]


def _blocks(size: int) -> list[slice]:
    """Return consecutive blocks of about the same size, none of them small: sums of a row depend on that."""
    count = max(1, size // _BLOCK)
    return [slice(size * place // count, size * (place + 1) // count) for place in range(count)]


def contrast(
    found: Candidates, evidence: Sequence[Evidence], start: Values, relation: Relation, rows: Rows | None = None
) -> Contrast:
    """Learn weights; ``start`` is the score that says who is best at first.

    ``rows``: which row of the evidence each candidate is, where it is not the next one.
    """
    features = _Features.of(evidence, rows)
    score, fit = start, None
    for _ in range(_ROUNDS):
        chosen, truth, weight = _sample(found, score, relation)
        # Row by row, as sums over rows round by how they lie in memory.
        fit = fit_logistic(np.ascontiguousarray(features.table(chosen)), truth, weight, start=fit)
        score = features.scores(len(found), fit[:-1]) + fit[-1]
    assert fit is not None
    weights = np.zeros(len(features.spread))
    weights[features.kept] = fit[:-1] / features.spread[features.kept]
    ends = np.cumsum([0, *(2 if mine.distance is None else 2 + len(_SCALES) for mine in evidence)])
    pairs = [tuple((float(features.means[k]), float(weights[k])) for k in range(a, b)) for a, b in pairwise(ends)]
    return Contrast(tuple(pairs), float(fit[-1]))


def learnt_elsewhere(found: Candidates, evidence: Sequence[Evidence], start: Values, relation: Relation) -> Values:
    """Return scores by weights that were learnt from the other half of the records that are asked."""
    scores = np.zeros(len(found))
    for mine, part in found.halves(relation):
        learnt = contrast(part, evidence, start[mine], relation, np.flatnonzero(mine))
        scores[~mine] = learnt.parts(evidence, np.flatnonzero(~mine)).sum(1)
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
