"""Resemblance coefficients: their names, and the one formula in Python (the core has the other)."""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likewise import _core
from likewise.errors import OptionError

NAMES = {
    "harmonic": -1.0,
    "dice": 1.0,
    "cosine": 0.0,
    "quadratic": 2.0,
    "overlap": -math.inf,
    "containment": -math.inf,  # what those who clean corpora call it: how much of the shorter text is in the longer
    "max": math.inf,
}
OTHERS = ("jaccard", "coverage")


def coefficient(value: str | float) -> tuple[str, float]:
    """Return the kind (``mean``, ``jaccard``, ``coverage``) and the exponent that a name or number stands for.

    >>> coefficient("dice"), coefficient("-1.5"), coefficient("coverage")
    (('mean', 1.0), ('mean', -1.5), ('coverage', 0.0))
    """
    if isinstance(value, str):
        if value in OTHERS:
            return value, 0.0
        if value in NAMES:
            return "mean", NAMES[value]
    try:
        if isinstance(value, bool):
            raise ValueError
        p = float(value)
    except (TypeError, ValueError):
        words = ", ".join(repr(name) for name in (*NAMES, *OTHERS))
        raise OptionError(f"coefficient must be one of {words}, or a number p, not {value!r}") from None
    if math.isnan(p):
        raise OptionError("coefficient must be a number p, not NaN")
    return "mean", p


def core_coefficient(value: str | float) -> _core.Coefficient:
    """Return the coefficient as the core takes it."""
    kind, p = coefficient(value)
    return _core.Coefficient(_core.CoefficientKind[kind], p)


def resemblance(common: Any, left: Any, right: Any, value: str | float) -> NDArray[np.float64]:
    """Return the coefficient of pairs from the sizes of what is common, of the left and of the right text.

    Sizes are arrays that numpy can broadcast. The coefficient is 0 where a text has no substance.

    >>> resemblance(np.array([1.0, 1.0]), np.array([2.0, 0.0]), np.array([4.0, 4.0]), "coverage").tolist()
    [0.25, 0.0]
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        below = denominator(common, left, right, value)
    there = (np.minimum(left, right) > 0) & (below > 0)
    return np.divide(np.asarray(common, np.float64), below, out=np.zeros(np.shape(common)), where=there)


def denominator(common: Any, left: Any, right: Any, value: str | float) -> NDArray[np.float64]:
    """Return what a coefficient divides by: a mean of the two sizes, the right one, or the size of the union."""
    kind, p = coefficient(value)
    if kind == "jaccard":
        return np.asarray(left + right - common)
    if kind == "coverage":
        return np.broadcast_to(right, np.shape(common))
    if p == -1:
        return np.asarray(2 * left * right / (left + right))
    if p == 0:
        return np.asarray(np.sqrt(left) * np.sqrt(right))
    if p == 1:
        return np.asarray((left + right) / 2)
    base, other = (np.maximum, np.minimum) if p > 0 else (np.minimum, np.maximum)
    base, other = base(left, right), other(left, right)
    if math.isinf(p):
        return np.asarray(base)
    # By the ratio of the two, so that no power overflows, and smooth where p passes 0: as the core does it.
    return np.asarray(base * np.exp(np.log1p(np.expm1(p * np.log(other / base)) / 2) / p))
