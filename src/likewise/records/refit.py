"""Learn from labelled pairs how to correct a decision that was made without labels.

What was judged is decided as it was judged, and if it is the same, the rivals of its records go. All else stays as it
was, unless a correction foretells labels that it did not see better than the model does, and not by chance, and finds
no more matches among the others, nor fewer, than pairs were judged. There are two, logistic regression with a prior at
the model without labels:

* the *bend*: what is added to the odds of pairs that are as sure as those that were judged, and less to others the
  further they are from them. Labels near even odds say little of pairs that the model is sure of.
* with it, what each field says, times a factor of its own.

Pairs to judge may be chosen by what the model says of them, as the doubtful ones are: that does not bend the
correction.
"""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from likewise.products import crossed, times
from likewise.records.candidates import Candidates
from likewise.records.chances import expected, many_expected, without_rivals
from likewise.records.decision import KNOTS, RIVALS, Correction, Decision, Least, Wish
from likewise.records.partners import Relation

Rows = NDArray[np.int64]
Values = NDArray[np.float64]
Labels = tuple[Rows, Rows, NDArray[np.bool_]]
"""Positions of the left and right records of judged pairs, and whether they are the same."""
JUDGED, BEND = "judged", "labels"
"""The names of what a label said of a pair itself, and of pairs that are as sure."""
_SURE = 12.0  # log odds of what was judged
_FIRST = 1e6  # ... and of what comes before all others where rivals compete
# How far a correction may go from the model: standard deviations of the bend at each knot, and of each field's factor.
_SPREAD_OF_BEND, _SPREAD_OF_FACTOR = 1.0, 0.5
# By how much a correction must foretell better: in standard errors, as doubtful pairs are few and alike; and in log
# likelihood altogether, as labels that were clear before may gain a little each, all of them.
_ERRORS, _GAIN = 3.0, 4.0
_PARTS = 5  # labels are left out a fifth at a time, those of a left record together
_ROUNDS = 60


def refit(decision: Decision, labels: Labels, precision: float | None) -> Decision:
    """Return the decision with what labels say, about the pairs that were judged and about the others."""
    place, same = _places(decision.found, labels)
    if decision.learnt is None and not same.any():
        return decision  # nothing matches, and nobody says otherwise
    correction = learn(decision.odds[place], decision.parts[place], same, decision.found.left[place])
    judged = np.zeros(len(decision.found), np.int8)
    judged[place] = np.where(same, 1, -1)
    wish: Wish = precision
    if decision.calibration.threshold <= 1:
        wish = Least(decision.calibration.threshold)
    corrected = correct(decision, None, wish, judged)
    if correction is not None:
        other = correct(decision, correction, precision, judged)
        more = float((other.probability - corrected.probability)[judged == 0].sum())
        # Labels say which pairs match, not how many do that nobody looked at.
        if abs(more) <= len(place):
            corrected = other
        else:
            correction = None
    if decision.learnt is None:
        return corrected
    learnt = replace(decision.learnt, correction=correction, threshold=corrected.calibration.threshold)
    return replace(corrected, learnt=learnt)


def correct(
    decision: Decision, correction: Correction | None, wish: Wish, judged: NDArray[np.int8] | None = None
) -> Decision:
    """Return the decision with corrected odds; ``judged``: 1 for pairs that are the same, -1 for those that are not."""
    names, parts, odds, said = decision.fields, decision.parts, decision.odds, judged
    judged = np.zeros(len(odds), np.int8) if judged is None else judged
    before = decision.probability > 0  # pairs that were left of their rivals
    first = np.where(before, _FIRST / 10, 0.0) + odds  # who was ahead stays so, unless fields weigh differently
    if correction is not None:
        factors = np.array(correction.factors)
        names = (*names, BEND)
        parts = np.column_stack([parts * factors, bend(correction, odds)])
        odds = decision.prior + parts.sum(1)
        if RIVALS in names and np.any(factors != factors[0]):
            first = odds - parts[:, names.index(RIVALS)] - parts[:, -1]
    chance = _moved(np.where(before, decision.probability, 1 / (1 + np.exp(-decision.odds))), odds - decision.odds)
    if said is not None:
        added = np.where(judged == 0, 0.0, judged * _SURE - odds)
        names, parts, odds = (*names, JUDGED), np.column_stack([parts, added]), odds + added
        chance = np.where(judged == 0, chance, 1 / (1 + np.exp(-odds)))
    alone = Relation.MANY if decision.found.self_join else decision.relation
    left = without_rivals(decision.found, np.where(judged == 0, first, _FIRST * judged), alone)
    probability = np.where(left, chance, 0.0)
    old = decision.calibration
    beaten = max(0.0, old.matches - float(decision.probability.sum()))  # matches that no pair stands for
    there = float(probability[left].sum())
    many = alone is Relation.ONE and many_expected(decision.found, probability)
    reached = replace(expected(probability[left], wish, beaten + there, many), curve=old.curve, contest=old.contest)
    keep = left & (probability >= reached.threshold)
    if correction is None and old.threshold <= 1:
        keep = left & np.where(before, decision.keep, keep)
    return replace(
        decision,
        fields=names,
        parts=parts,
        odds=odds,
        probability=probability,
        keep=(keep & (judged >= 0)) | (left & (judged > 0)),
        calibration=reached,
        judged=said,
    )


def _moved(chance: Values, by: Values) -> Values:
    """Return probabilities whose log odds are moved; where by nothing, they are as they were."""
    near = np.clip(chance, 1e-12, 1 - 1e-12)
    return np.where(by == 0, chance, near / (near + (1 - near) * np.exp(-np.clip(by, -40, 40))))


def _places(found: Candidates, labels: Labels) -> tuple[Rows, NDArray[np.bool_]]:
    """Return the places of judged pairs among the candidates, each once: the last label of a pair counts."""
    left, right, same = labels
    if found.self_join:
        left, right = np.minimum(left, right), np.maximum(left, right)
    wanted = {(a, b): truth for a, b, truth in zip(left.tolist(), right.tolist(), same.tolist(), strict=True)}
    numbers = found.left * found.rights + found.right
    keys = np.array([a * found.rights + b for a, b in wanted], np.int64)
    order, truths = np.argsort(keys, kind="stable"), np.array(list(wanted.values()), bool)
    keys, truths = keys[order], truths[order]
    at = np.searchsorted(numbers, keys).clip(0, max(0, len(numbers) - 1))
    there = numbers[at] == keys if len(numbers) else np.zeros(len(keys), bool)
    return at[there], truths[there]


def bend(correction: Correction, odds: Values) -> Values:
    """Return what labels add to the odds of pairs of the same sureness."""
    found = np.zeros(len(odds))
    for weight, column in zip(correction.bend, _near(odds), strict=True):
        found += weight * column
    return found


def _near(odds: Values) -> list[Values]:
    """Return how near odds are to each knot, one column each: 1 to nothing."""
    return [np.exp(-0.5 * (odds - knot) ** 2) for knot in KNOTS]


def learn(odds: Values, parts: Values, same: NDArray[np.bool_], record: Rows) -> Correction | None:
    """Return the correction that judged pairs ask for, or ``None``.

    ``odds`` of the pairs, the ``parts`` of them that the fields say, and a ``record`` of each, whose labels are left
    out together.

    >>> odds = np.tile([3.0, 2.0, 1.0, 0.0], 20)
    >>> learnt = learn(odds, odds[:, None], odds > 1.5, np.arange(80))
    >>> bool(bend(learnt, np.array([0.5]))[0] < 0)
    True
    """
    nothing, near = np.zeros((len(odds), 0)), np.column_stack(_near(odds))
    ways = [nothing, near, np.column_stack([near, parts])]
    if same.all() or not same.any():
        ways = ways[:2]
    part = np.unique(record, return_inverse=True)[1] % _PARTS
    best, least = 0, _foretold(nothing, odds, same, part)
    for place, features in enumerate(ways[1:], start=1):
        loss = _foretold(features, odds, same, part)
        gain = least - loss
        if gain.sum() > max(_GAIN, _ERRORS * gain.std() * len(gain) ** 0.5):
            best, least = place, loss
    if not best:
        return None
    found = _fit(ways[best], odds, same)
    own = found[len(KNOTS) :] if best == 2 else np.zeros(parts.shape[1])
    return Correction(tuple(found[: len(KNOTS)].tolist()), tuple((1.0 + own).tolist()))


def _foretold(features: Values, offset: Values, same: NDArray[np.bool_], part: Rows) -> Values:
    """Return the loss of each label under a fit that did not see it (cross-validation)."""
    loss = np.logaddexp(0, np.where(same, -offset, offset))
    for one in range(_PARTS if features.shape[1] else 0):
        out = part == one
        if out.any() and not out.all():
            odds = offset[out] + times(features[out], _fit(features[~out], offset[~out], same[~out]))
            loss[out] = np.logaddexp(0, np.where(same[out], -odds, odds))
    return loss


def _fit(features: Values, offset: Values, same: NDArray[np.bool_]) -> Values:
    """Return what is added to the weights of features, by Newton's method with a prior at 0."""
    width = features.shape[1]
    tight = np.full(width, _SPREAD_OF_FACTOR**-2.0)
    tight[: len(KNOTS)] = _SPREAD_OF_BEND**-2.0
    found = np.zeros(width)
    for _ in range(_ROUNDS):
        chance = 1 / (1 + np.exp(-np.clip(offset + times(features, found), -40, 40)))
        slope = times(features.T, chance - same) + found * tight
        curve = crossed(features, chance * (1 - chance)) + np.diag(tight)
        step = np.linalg.solve(curve, slope)
        step /= max(1.0, float(np.abs(step).max()))  # small steps: far out the curve is flat
        found = found - step
        if float(np.abs(step).max()) < 1e-8:
            break
    return found
