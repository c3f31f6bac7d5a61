"""The probability that a judge calls a pair right: a logistic regression over :mod:`likewise.jobs.mine.features`.

The weights ship with the package (``probability.json``) and say where they come from: ``scripts/train_probability.py``
learned them on one corpus, with WordNet and judged pairs as labels, and they were measured on another
(docs/design/mining.md). Nothing of the labels is shipped.
"""

import functools
import json
from importlib import resources
from typing import Any

import numpy as np

from likewise.jobs.mine.evidence import Array
from likewise.jobs.mine.features import NAMES


@functools.cache
def _model() -> dict[str, Any]:
    text = resources.files("likewise.jobs.mine").joinpath("probability.json").read_text(encoding="utf-8")
    model: dict[str, Any] = json.loads(text)
    return model


def probabilities(figures: Array) -> Array:
    """Return the probabilities of pairs, given the matrix of their figures; six digits, which is more than is known.

    >>> from likewise.jobs.mine.features import NAMES
    >>> bool(0 <= probabilities(np.zeros((1, len(NAMES))))[0] <= 1)
    True
    """
    model = _model()
    weights, least, most = (np.array([model[part][name] for name in NAMES]) for part in ("weights", "least", "most"))
    # What lies beyond all that was learned from counts as the farthest there was: other corpora are smaller or larger.
    # Row by row in one order of addition: a product of matrices may add up in another one with more rows.
    odds = model["bias"] + (np.clip(figures, least, most) * weights).sum(axis=1)
    odds = odds + _judged(figures, model["judged"])
    different = figures[:, NAMES.index("numbers")] > 0
    return np.round(np.where(different, 0.0, 1 / (1 + np.exp(-odds))), 6)


def _judged(figures: Array, more: dict[str, float]) -> Array:
    """What judges gave phrases of several words and forms of one word, beyond what was learned from single words."""
    several = figures[:, NAMES.index("several words")] > 0
    one_side = ~several & (figures[:, NAMES.index("length")] > 0)
    forms = figures[:, NAMES.index("inflection")] > 0
    flags = {"both sides": several, "one side": one_side, "forms": forms}
    found: Array = sum((np.where(flag, more[name], 0.0) for name, flag in flags.items()), np.zeros(len(figures)))
    return found
