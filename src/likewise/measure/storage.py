"""What an index must know about a measure to store texts in lists and search them."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from likewise import _core


@dataclass(frozen=True, slots=True)
class TermStorage:
    """The measure is a dot product of weighted terms: an index keeps for each term the texts that have it."""

    complete: bool
    """Whether every term of a text is in the lists (and not its best ones only)."""
    query_weights: Callable[[NDArray[np.int32]], NDArray[np.float64]] | None = None
    """What terms weigh in a query, where that depends on the term alone."""


@dataclass(frozen=True, slots=True)
class GramStorage:
    """The measure compares q-grams of terms: an index keeps for each q-gram the texts that have it."""

    grams: _core.TermGrams
    """The q-grams of every term met so far, with their weights."""
    coefficient: _core.Coefficient
    """What makes a score of what two texts have in common."""
    frequencies: bool
    """Whether it counts how often a term occurs in a text."""
