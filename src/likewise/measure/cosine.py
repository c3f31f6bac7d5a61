"""The cosines: texts as weighted sets of terms."""

from dataclasses import dataclass

import numpy as np

from likewise.measure.sparse import Csr, normalise
from likewise.measure.terms import TermMeasure, TermOptions
from likewise.options import check_choice, option

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
