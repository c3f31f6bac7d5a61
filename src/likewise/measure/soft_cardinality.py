"""Quadratic soft cardinality, by Jimenez and Gelbukh (2012)."""

from dataclasses import dataclass
from typing import ClassVar

from likewise import _core
from likewise.analyse import AnalyseOptions
from likewise.measure.coefficient import coefficient, core_coefficient, denominator
from likewise.measure.explanation import Explanation
from likewise.measure.soft import (
    SOFT_WEIGHTS,
    PreparedSoft,
    Similarity,
    SoftMeasure,
    SoftOptions,
    pair_contributions,
    weights_of,
)
from likewise.options import check_range, option
from likewise.progress import stop_if_asked


@dataclass(frozen=True, slots=True)
class SoftCardinalityOptions(SoftOptions):
    """Options of quadratic soft cardinality."""

    similarity: str | Similarity = option(
        "bigrams", "Similarity of two terms (α); in Python any symmetric function of two strings.", cli_type=str
    )
    cut: float = option(0.0, "Similarities below this count as 0 (θ).")
    weights: str = option("boolean", "Weighting of terms.", choices=SOFT_WEIGHTS)
    softness: float = option(2.0, "Exponent of the similarity; larger values are stricter.")
    coefficient: str | float = option(
        "harmonic",
        "harmonic, dice, cosine, quadratic, overlap, max, jaccard, coverage (of the right text), or a number p.",
        cli_type=str,
    )

    def __post_init__(self) -> None:
        SoftOptions.__post_init__(self)
        check_range("softness", self.softness, 0)
        coefficient(self.coefficient)


class SoftCardinality(SoftMeasure):
    """Similarity by the number of terms, counted softly: similar terms count less than two.

    >>> soft = SoftCardinality()
    >>> round(soft.score("database systems", "databases system"), 3)
    0.843
    """

    name = "soft-cardinality"
    Options: ClassVar[type[AnalyseOptions]] = SoftCardinalityOptions
    options: SoftCardinalityOptions

    @property
    def symmetric(self) -> bool:
        """All but coverage."""
        return coefficient(self.options.coefficient)[0] != "coverage"

    def scorer(self, left: PreparedSoft, right: PreparedSoft) -> _core.SoftCardinalityScorer:
        """Return the exact scorer of prepared texts."""
        options = self.options
        return _core.SoftCardinalityScorer(
            self._similarity(left, right),
            left.rows,
            right.rows,
            options.cut,
            options.softness,
            core_coefficient(options.coefficient),
        )

    def explain(self, left: str, right: str) -> Explanation:
        """Return for each term its share in |A|' plus in |B|' minus in |A∪B|', over the mean."""
        score = self.score(left, right)
        prepared, similarity, rows = self._pairwise([left, right])
        a, b = (dict(weights_of(prepared.rows, row)) for row in (0, 1))
        union = {**a, **b, **{term: max(a[term], b[term]) for term in a.keys() & b.keys()}}
        shares = [self._shares(weights, similarity) for weights in (a, b, union)]
        size_a, size_b, size_union = (sum(share.values()) for share in shares)
        if min(size_a, size_b) <= 0:
            return Explanation(score, left, right, str(self))
        common = size_a + size_b - size_union
        mean = float(denominator(common, size_a, size_b, self.options.coefficient))
        found = [
            (term if term in a else None, term if term in b else None, value / mean)
            for term in union
            if (value := shares[0].get(term, 0) + shares[1].get(term, 0) - shares[2][term]) != 0
        ]
        return Explanation(score, left, right, str(self), pair_contributions(self.analyser, rows, (left, right), found))

    def _shares(self, weights: dict[int, float], similarity: _core.TermSimilarity) -> dict[int, float]:
        def raised(a: int, b: int) -> float:
            value = similarity(a, b)
            return 0.0 if value < self.options.cut or value == 0 else float(value**self.options.softness)

        shares = {}
        for term, weight in weights.items():
            stop_if_asked()
            shares[term] = weight / sum(raised(term, other) for other in weights)
        return shares
