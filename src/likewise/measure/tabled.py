"""Measures whose scores Python works out, pair by pair: any function of two texts, and what is built on that.

The core is handed the scores of all pairs of distinct texts as a table, so that joins, searches, one-to-one and the
rest work as with any other measure. That is for tables of thousands, not of millions; more is refused.
"""

from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from likewise import _core
from likewise.analyse import AnalyseOptions, TermRows
from likewise.errors import InputError, OptionError
from likewise.measure.explanation import Contribution, Explanation
from likewise.measure.text import TextMeasure
from likewise.options import option
from likewise.read.document import Span
from likewise.read.texts import texts_in

MOST_PAIRS = 30_000_000
"""More pairs of distinct texts are refused: each takes 12 bytes, and a call."""


class TabledMeasure(TextMeasure):
    """A measure that gives the scores of all pairs at once."""

    @abstractmethod
    def table(self, lefts: Sequence[str], rights: Sequence[str], threads: int) -> NDArray[np.float64]:
        """Return the score of every left text with every right text."""

    @property
    def symmetric(self) -> bool:
        """Not known of a function."""
        return False

    @property
    def reads_terms(self) -> bool:
        """It reads the texts themselves."""
        return False

    def prepare(self, texts: Sequence[str] | TermRows, *, threads: int | None = None) -> list[str]:
        """Return the texts as they are compared."""
        assert not isinstance(texts, TermRows)
        return texts_in(texts)

    def scorer(self, left: list[str], right: list[str]) -> _core.DotScorer:
        """Return the table as dot products: a row of scores on the left, the number of the text on the right."""
        pairs = len(left) * len(right)
        if pairs > MOST_PAIRS:
            raise InputError(
                f"{self} looks at every pair of texts, and there are {pairs:,}: at most {MOST_PAIRS:,}. "
                "Split the tables (equal_on), or find candidates with another measure first"
            )
        scores = self._checked(left, right)
        rows, columns = np.nonzero(scores)
        starts = np.concatenate(([0], np.cumsum(np.bincount(rows, minlength=len(left))))).astype(np.int64)
        places = np.arange(len(right) + 1, dtype=np.int64)
        return _core.DotScorer(
            _core.Rows(starts, columns.astype(np.int32), scores[rows, columns]),
            _core.Rows(places, places[:-1].astype(np.int32), np.ones(len(right))),
        )

    def _checked(self, left: Sequence[str], right: Sequence[str]) -> NDArray[np.float64]:
        scores = self.table(left, right, 0) if left and right else np.zeros((len(left), len(right)))
        wrong = np.argwhere(~(np.isfinite(scores) & (scores >= 0)))
        if len(wrong):
            a, b = wrong[0]
            raise OptionError(
                f"{self} must give finite numbers of 0 or more, not {scores[a, b]} for {left[a]!r} and {right[b]!r}"
            )
        # As with every other measure, a text that says nothing is like no other.
        scores[[place for place, text in enumerate(left) if not text.strip()]] = 0
        scores[:, [place for place, text in enumerate(right) if not text.strip()]] = 0
        return scores

    def explain(self, left: str, right: str) -> Explanation:
        """Return the score as one contribution: what a function looks at is not known."""
        score = self.score(left, right)
        whole = Contribution("texts", left, right, score, (Span(0, len(left)),), (Span(0, len(right)),))
        return Explanation(score, left, right, str(self), (whole,) if score else ())


@dataclass(frozen=True, slots=True)
class FunctionOptions(AnalyseOptions):
    """The function that compares two texts."""

    function: Callable[[str, str], float] | None = option(None, "A function of two texts; higher is more similar.")


class FunctionMeasure(TabledMeasure):
    """Any function of two texts as a measure, where speed is no matter: it is called for every pair.

    >>> import likewise as lw
    >>> same_start = FunctionMeasure(function=lambda left, right: float(left[:3].lower() == right[:3].lower()))
    >>> [match.right_text for match in lw.match(["apples"], ["pears", "Apple pie"], measure=same_start, top=1)]
    ['Apple pie']

    A function is taken wherever a measure is: ``lw.match(left, right, measure=my_function)``.
    """

    name = "function"
    Options: ClassVar[type[AnalyseOptions]] = FunctionOptions
    options: FunctionOptions

    def table(self, lefts: Sequence[str], rights: Sequence[str], threads: int) -> NDArray[np.float64]:
        """Call the function for every pair."""
        return np.array([[self._value(left, right) for right in rights] for left in lefts], dtype=np.float64)

    def _value(self, left: str, right: str) -> float:
        if self.options.function is None:
            raise OptionError("function must be a function of two texts, not None")
        try:
            value: Any = self.options.function(left, right)
        except TypeError as error:
            raise InputError(f"the measure {self.options.function!r} must take two texts: {error}") from error
        try:
            return float(value)
        except (TypeError, ValueError):
            raise OptionError(f"{self} must give a number, not {value!r} for {left!r} and {right!r}") from None

    def save(self, path: Any) -> None:
        """Refuse: no file holds a Python function."""
        raise OptionError("a measure of a Python function cannot be saved to a file; pickle it, or name it in code")
