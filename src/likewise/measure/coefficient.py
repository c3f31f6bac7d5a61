"""Names of the resemblance coefficients, and what they mean."""

import math

from likewise.errors import OptionError

NAMES = {
    "harmonic": -1.0,
    "dice": 1.0,
    "cosine": 0.0,
    "quadratic": 2.0,
    "overlap": -math.inf,
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
