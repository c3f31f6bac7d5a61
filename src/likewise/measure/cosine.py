"""The cosines: texts as weighted sets of terms."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likewise.analyse.term_counts import CountedRows
from likewise.measure.sparse import Csr, Scaled, lengths_of, normalise
from likewise.measure.statistics import Statistics
from likewise.measure.terms import TermMeasure, TermOptions
from likewise.options import check_choice, option

_ROWS = 4096  # rows whose weights are held at a time
TERM_WEIGHTS = ("tfidf", "idf", "tf", "boolean")


@dataclass(frozen=True, slots=True)
class TfIdfOptions(TermOptions):
    """Options of the cosines."""

    weights: str = option("tfidf", "Weighting of terms.", choices=TERM_WEIGHTS)
    smooth: bool = option(False, "idf = ln(1 + M/m) instead of ln(M/m), so that a word in every text still counts.")

    def __post_init__(self) -> None:
        TermOptions.__post_init__(self)
        check_choice("weights", self.weights, TERM_WEIGHTS)


class TfIdf(TermMeasure):
    """The cosine of two texts as weighted sets of terms; with ``phrases`` they are index terms like others.

    >>> cosine = TfIdf(weights="tf")
    >>> round(cosine.score("a b", "b c"), 6)
    0.5
    """

    name = "tfidf"
    Options = TfIdfOptions
    options: TfIdfOptions

    @property
    def adaptive(self) -> bool:
        """The weights tfidf and idf need a collection."""
        return "idf" in self.options.weights or self.options.best_terms is not None

    @property
    def needs_counts(self) -> bool:
        """Without tf a term weighs the same however often a text has it."""
        return self.options.weights in ("tf", "tfidf")

    def scaled(self, rows: Any) -> Scaled | None:
        """Return counted terms with the idf of each, and the length of each text, where tf does not matter."""
        if self.needs_counts or not isinstance(rows, CountedRows):
            return None
        return scaled_by(rows, self.scale())

    def scale(self) -> NDArray[np.float64]:
        """Return what each term weighs before texts are brought to length 1, where tf does not matter."""
        size = len(self.analyser)
        return self.scale_of(self._fitted(), size) if self.adaptive else np.ones(size)

    def scale_of(self, statistics: Statistics, size: int) -> NDArray[np.float64]:
        """Return the same of so many terms from what was counted elsewhere."""
        return statistics.idf(size, self.options.smooth) if self.adaptive else np.ones(size)

    def _weigh(self, rows: Csr) -> tuple[Csr, Csr]:
        indptr, ids, counts = rows
        weights = counts
        if self.options.weights == "boolean":
            weights = np.ones(len(ids))
        elif "idf" in self.options.weights:
            weights = self._fitted().idf_of(ids, self.options.smooth)
            if self.options.weights == "tfidf":
                weights *= counts
        weighted = (indptr, ids, normalise(indptr, weights))
        return weighted, weighted


def scaled_by(rows: CountedRows, scale: NDArray[np.float64]) -> Scaled:
    """Return rows of terms with what each term weighs, and the length of each text."""
    lengths = np.empty(len(rows))
    for first in range(0, len(rows), _ROWS):
        indptr = rows.indptr[first : first + _ROWS + 1]
        weights = scale[rows.ids[indptr[0] : indptr[-1]]]
        lengths[first : first + _ROWS] = lengths_of(indptr - indptr[0], weights)
    return Scaled(rows.indptr, rows.ids, scale, lengths)
