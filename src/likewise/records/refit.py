"""What labels change in a decision: a correction of its log odds, learnt from pairs that somebody judged.

The correction weighs what each field says anew: ``before + sum(factor * part)``. It starts from the model without
labels (factors of 1) and leaves it only as far as the labels ask for it: logistic regression with a prior there. A few
labels move what the odds are before any evidence and one factor for all fields; many give each field its own. Which of
these, or none, is chosen by how well labels are foretold that were not looked at: by more than chance, or it stays
simple. Pairs to judge may be chosen by what the model says of them, as the doubtful ones are: that does not bend the
correction.

What was judged is decided as it was judged.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from likewise.products import crossed, times
from likewise.records.candidates import Candidates
from likewise.records.chances import expected, without_rivals
from likewise.records.decision import Decision, Wish
from likewise.records.partners import Relation

Rows = NDArray[np.int64]
Values = NDArray[np.float64]
Labels = tuple[Rows, Rows, NDArray[np.bool_]]
"""Positions of the left and right records of judged pairs, and whether they are the same."""
JUDGED = "judged"
_SURE = 12.0  # log odds of what was judged
# How far the correction may go from the model: standard deviations of the odds before, of the factor for all fields,
# and of each field's own.
_SPREADS = (2.0, 0.2, 0.2)
_ERRORS = 5.0  # standard errors by which a correction must foretell better: doubtful pairs are few and alike
_PARTS = 5  # labels are left out a fifth at a time
_ROUNDS = 50


def refit(decision: Decision, labels: Labels, precision: float | None) -> Decision:
    """Return the decision with what labels say, about the pairs that were judged and about the others."""
    place, same = _places(decision.found, labels)
    if decision.learnt is None and not same.any():
        return decision  # nothing matches, and nobody says otherwise
    said = np.column_stack([np.full(len(place), decision.prior), decision.parts[place]])
    correction = learn(said, same)
    judged = np.zeros(len(decision.found), np.int8)
    judged[place] = np.where(same, 1, -1)
    corrected = correct(decision, correction, precision, judged)
    known = decision.learnt
    if known is None:
        return corrected
    learnt = replace(known, correction=correction, threshold=corrected.calibration.threshold)
    return replace(corrected, learnt=learnt)


def correct(
    decision: Decision, correction: Sequence[float], wish: Wish, judged: NDArray[np.int8] | None = None
) -> Decision:
    """Return the decision with corrected odds; ``judged``: 1 for pairs that are the same, -1 for those that are not."""
    before, first, *factors = correction
    parts, prior = decision.parts * np.array(factors), before + first * decision.prior
    names, odds = decision.fields, prior + parts.sum(1)
    if judged is not None:
        added = np.where(judged == 0, 0.0, judged * _SURE - odds)
        parts, names, odds = np.column_stack([parts, added]), (*names, JUDGED), odds + added
    chance = 1 / (1 + np.exp(-odds))
    alone = Relation.MANY if decision.found.self_join else decision.relation
    left = without_rivals(decision.found, odds, alone)
    probability = np.where(left, chance, 0.0)
    reached = replace(expected(probability[left], wish), curve=decision.calibration.curve)
    keep = left & (probability >= reached.threshold)
    if judged is not None:
        keep = (keep & (judged >= 0)) | (left & (judged > 0))
    return replace(
        decision,
        fields=names,
        parts=parts,
        prior=prior,
        odds=odds,
        probability=probability,
        keep=keep,
        calibration=reached,
        judged=judged,
    )


def _places(found: Candidates, labels: Labels) -> tuple[Rows, NDArray[np.bool_]]:
    """Return where judged pairs are among the candidates, each once: what was said last counts."""
    left, right, same = labels
    if found.self_join:
        left, right = np.minimum(left, right), np.maximum(left, right)
    wanted = {(a, b): truth for a, b, truth in zip(left.tolist(), right.tolist(), same.tolist(), strict=True)}
    numbers = found.left * found.rights + found.right
    keys = np.array([a * found.rights + b for a, b in wanted], np.int64)
    at = np.searchsorted(numbers, keys).clip(0, max(0, len(numbers) - 1))
    there = numbers[at] == keys if len(numbers) else np.zeros(len(keys), bool)
    return at[there], np.array(list(wanted.values()), bool)[there]


def learn(said: Values, same: NDArray[np.bool_]) -> tuple[float, ...]:
    """Return the correction: what is added before any evidence, then a factor for each column of ``said``.

    ``said`` has the odds before any evidence and the part of each field.

    >>> said = np.array([[-2.0, 5.0], [-2.0, 4.5], [-2.0, 4.0], [-2.0, 3.0]] * 20)
    >>> learn(said, np.array([True, True, False, False] * 20))[0] < 0
    True
    """
    none = (0.0, *np.ones(said.shape[1]).tolist())
    whole = said.sum(1)
    # From no correction to one of each field; each is given up where it foretells no better.
    ways: list[Values] = [np.zeros((len(said), 0)), np.ones((len(said), 1))]
    ways += [np.column_stack([np.ones(len(said)), whole])]
    ways += [np.column_stack([np.ones(len(said)), whole, said[:, 1:]])]
    if same.all() or not same.any():
        ways = ways[:2]
    best, least = 0, _foretold(ways[0], whole, same)
    for place, features in enumerate(ways[1:], start=1):
        loss = _foretold(features, whole, same)
        gain = least - loss
        if gain.mean() > _ERRORS * gain.std() / len(gain) ** 0.5:
            best, least = place, loss
    if not best:
        return none
    found = _fit(ways[best], whole, same)
    factor = 1.0 + (float(found[1]) if len(found) > 1 else 0.0)
    own = found[2:] if len(found) > 2 else np.zeros(said.shape[1] - 1)
    return (float(found[0]), factor, *(factor + own).tolist())


def _foretold(features: Values, offset: Values, same: NDArray[np.bool_]) -> Values:
    """Return the loss of each label by a fit that did not see it."""
    part = np.arange(len(same)) % _PARTS
    loss = np.logaddexp(0, np.where(same, -offset, offset))
    for one in range(_PARTS):
        out = part == one
        if out.any() and not out.all():
            odds = offset[out] + times(features[out], _fit(features[~out], offset[~out], same[~out]))
            loss[out] = np.logaddexp(0, np.where(same[out], -odds, odds))
    return loss


def _fit(features: Values, offset: Values, same: NDArray[np.bool_]) -> Values:
    """Return what is added to the weights of features, by Newton's method with a prior at 0."""
    width = features.shape[1]
    spread = np.array([*_SPREADS[:2], *[_SPREADS[2]] * max(0, width - 2)])[:width]
    found = np.zeros(width)
    for _ in range(_ROUNDS if width else 0):
        chance = 1 / (1 + np.exp(-np.clip(offset + times(features, found), -40, 40)))
        slope = times(features.T, chance - same) + found / spread**2
        curve = crossed(features, chance * (1 - chance)) + np.diag(1 / spread**2)
        step = np.linalg.solve(curve, slope)
        step /= max(1.0, float(np.abs(step).max()))  # small steps: far out the curve is flat
        found = found - step
        if float(np.abs(step).max()) < 1e-8:
            break
    return found
