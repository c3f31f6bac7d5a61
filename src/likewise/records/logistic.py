"""Logistic regression with weights that are never below 0, by Newton's method; small and deterministic."""

import numpy as np
from numpy.typing import NDArray

from likewise import _core
from likewise.products import crossed, times

Values = NDArray[np.float64]
_ROUNDS = 60
_SWEEPS = 200


def fit_logistic(
    features: Values, truth: Values, weight: Values, ridge: float = 1e-3, start: Values | None = None
) -> Values:
    """Return weights of the features, and the intercept last.

    ``truth`` is between 0 and 1, ``weight`` how much each row counts.

    >>> fit = fit_logistic(np.array([[0.0], [1.0], [2.0], [3.0]]), np.array([0.0, 0, 1, 1]), np.ones(4), 0.1)
    >>> bool(fit[0] > 0 > fit[1])
    True
    """
    rows = np.column_stack([features, np.ones(len(features))])
    weight = weight / weight.sum()
    penalty = np.append(np.full(features.shape[1], 2 * ridge), 1e-9)
    found = np.zeros(rows.shape[1]) if start is None else start.copy()
    cost = _cost(rows, truth, weight, penalty, found)
    for _ in range(_ROUNDS):
        chance = 1 / (1 + np.exp(-np.clip(times(rows, found), -40, 40)))
        slope = times(rows.T, weight * (chance - truth)) + penalty * found
        curve = crossed(rows, weight * np.maximum(chance * (1 - chance), 1e-6)) + np.diag(penalty)
        goal = _core.least(curve.ravel(), times(curve, found) - slope, found, _SWEEPS)
        step, tried = goal - found, np.inf
        for part in (1.0, 0.5, 0.25, 0.1, 0.02):
            tried = _cost(rows, truth, weight, penalty, found + part * step)
            if tried <= cost:
                found = found + part * step
                break
        if cost - tried < 1e-9 * max(1.0, abs(cost)):
            break
        cost = tried
    return found


def _cost(rows: Values, truth: Values, weight: Values, penalty: Values, found: Values) -> float:
    value = times(rows, found)
    return float((weight * (np.logaddexp(0, value) - truth * value)).sum() + (penalty * found**2).sum() / 2)
