"""SoftTFIDF, the cosine of Cohen, Ravikumar and Fienberg (2003) in which similar terms match, too."""

from dataclasses import dataclass
from typing import ClassVar

from likewise import _core
from likewise.analyse import AnalyseOptions
from likewise.measure.explanation import Explanation
from likewise.measure.soft import PreparedSoft, SoftMeasure, SoftOptions, pair_contributions, weights_of
from likewise.measure.sparse import Csr, normalise, spread
from likewise.options import check_choice, option
from likewise.progress import stop_if_asked

PAIRS = ("best", "all")


@dataclass(frozen=True, slots=True)
class SoftTfIdfOptions(SoftOptions):
    """Options of SoftTFIDF."""

    pairs: str = option("best", "Each left term with its most similar right term, or all similar pairs.", choices=PAIRS)

    def __post_init__(self) -> None:
        SoftOptions.__post_init__(self)
        check_choice("pairs", self.pairs, PAIRS)


class SoftTfIdf(SoftMeasure):
    """A cosine in which terms more similar than ``cut`` match, too. With ``pairs="best"`` not symmetric; may exceed 1.

    >>> soft = SoftTfIdf(weights="boolean")
    >>> round(soft.score("martha", "marhta"), 4)
    0.9611
    """

    name = "soft-tfidf"
    Options: ClassVar[type[AnalyseOptions]] = SoftTfIdfOptions
    options: SoftTfIdfOptions

    @property
    def symmetric(self) -> bool:
        """Only with all pairs."""
        return self.options.pairs == "all"

    def _weigh(self, rows: Csr) -> Csr:
        indptr, ids, weights = super()._weigh(rows)
        return indptr, ids, normalise(indptr, weights)

    def scorer(self, left: PreparedSoft, right: PreparedSoft) -> _core.SoftTfIdfScorer:
        """Return the exact scorer of prepared texts."""
        best = self.options.pairs == "best"
        return _core.SoftTfIdfScorer(self._similarity(left, right), left.rows, right.rows, self.options.cut, best)

    def bound(self, left: PreparedSoft, right: PreparedSoft) -> _core.DotScorer:
        """Return all similar pairs as a dot product: each left term is spread over the terms similar to it."""
        size = max(left.terms, right.terms)
        similar = _core.similar_terms(self._similarity(left, right), size, self.options.cut)
        return _core.DotScorer(spread(left.rows, similar), right.rows)

    def explain(self, left: str, right: str) -> Explanation:
        """Return the pairs of similar terms with what each adds."""
        score = self.score(left, right)
        prepared, similarity, rows = self._pairwise([left, right])
        a, b = (weights_of(prepared.rows, row) for row in (0, 1))
        found = []
        for term, weight in a:
            stop_if_asked()
            near = [(similarity(term, other), value, other) for other, value in b]
            near = [item for item in near if item[0] > self.options.cut]
            if self.options.pairs == "best" and near:
                near = [max(near, key=lambda item: (item[0], item[1], -item[2]))]
            found += [(term, other, weight * value * alike) for alike, value, other in near]
        return Explanation(score, left, right, str(self), pair_contributions(self.analyser, rows, (left, right), found))
