"""Measures that let similar terms match: SoftTFIDF and quadratic soft cardinality.

The similarity of two terms is Jaro–Winkler or the Jaccard coefficient of character bigrams, both in the core, or any
function of two strings, whose values are worked out for the terms at hand and handed to the core as a table.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from likewise import _core
from likewise.analyse import AnalyseOptions, Analyser, TermRows
from likewise.errors import OptionError
from likewise.measure.base import Measure
from likewise.measure.coefficient import coefficient
from likewise.measure.explanation import Contribution, Explanation
from likewise.measure.terms import Csr, normalise
from likewise.options import check_choice, check_range, option
from likewise.read.document import Span

SIMILARITIES = ("jaro-winkler", "bigrams")
SOFT_WEIGHTS = ("tfidf", "idf", "boolean")
PAIRS = ("best", "all")
Similarity = Callable[[str, str], float]


@dataclass(frozen=True, slots=True)
class SoftOptions(AnalyseOptions):
    """Options of both soft measures."""

    similarity: str | Similarity = option(
        "jaro-winkler", "Similarity of two terms; in Python any function of two strings.", cli_type=str
    )
    cut: float = option(0.9, "Terms less similar than this do not match (θ).")
    boost: float = option(0.0, "Jaro–Winkler adds its bonus for equal beginnings above this similarity only.")
    weights: str = option("tfidf", "How a term is weighed.", choices=SOFT_WEIGHTS)
    smooth: bool = option(False, "idf = ln(1 + M/m) instead of ln(M/m), so that a word in every text still counts.")

    def __post_init__(self) -> None:
        AnalyseOptions.__post_init__(self)
        if not callable(self.similarity):
            check_choice("similarity", self.similarity, SIMILARITIES)
        check_range("cut", self.cut, 0, 1)
        check_range("boost", self.boost, 0, 1)
        check_choice("weights", self.weights, SOFT_WEIGHTS)


@dataclass(frozen=True, slots=True)
class PreparedSoft:
    """Weighted terms of texts, and how many terms the vocabulary had when they were made."""

    rows: _core.Rows
    terms: int

    def __len__(self) -> int:
        return len(self.rows)


class SoftMeasure(Measure):
    """What the two soft measures share: weighted rows and a similarity of terms."""

    options: SoftOptions

    @property
    def adaptive(self) -> bool:
        """The weights tfidf and idf need a collection."""
        return "idf" in self.options.weights

    def _start(self, analyser: Analyser) -> None:
        self.analyser = analyser
        self._core_similarity: _core.JaroWinkler | _core.GramJaccard | None = None
        if self.options.similarity == "jaro-winkler":
            self._core_similarity = _core.JaroWinkler(0.1, 4, self.options.boost)
        elif self.options.similarity == "bigrams":
            self._core_similarity = _core.GramJaccard(2)
        self._values: dict[tuple[str, str], float] = {}

    def _weigh(self, rows: Csr) -> Csr:
        indptr, ids, counts = rows
        weights = counts if self.options.weights == "tfidf" else np.ones(len(ids))
        if self.adaptive:
            weights = weights * self._fitted().idf(len(self.analyser), self.options.smooth)[ids]
        return indptr, ids, weights

    def prepare(self, texts: Sequence[str] | TermRows, *, threads: int | None = None) -> PreparedSoft:
        """Analyse and weigh texts."""
        rows = self._rows(texts, threads=threads).counts()
        if self._core_similarity is not None:
            self._core_similarity.add(self.analyser.vocabulary)
        return PreparedSoft(_core.Rows(*self._weigh(rows)), len(self.analyser))

    def _similarity(self, left: PreparedSoft, right: PreparedSoft) -> _core.TermSimilarity:
        """Return the core's similarity, or a table of a Python function's values over the terms of both sides."""
        if self._core_similarity is not None:
            return self._core_similarity
        ids = np.unique(np.concatenate((left.rows.ids, right.rows.ids))).tolist()
        names = {term: self.analyser.term(term) for term in ids}
        indptr, terms, values = [0], [], []
        for a in range(ids[-1] + 1 if ids else 0):
            for b in ids if a in names else ():
                value = self._value(names[a], names[b])
                if value > 0:
                    terms.append(b)
                    values.append(value)
            indptr.append(len(terms))
        return _core.SimilarityTable(indptr, terms, values)

    def _value(self, a: str, b: str) -> float:
        if a == b:
            return 1.0
        key = (a, b)
        if key not in self._values:
            assert callable(self.options.similarity)
            value = float(self.options.similarity(a, b))
            if not 0 <= value <= 1:
                raise OptionError(f"similarity must give values from 0 to 1, not {value!r} for {a!r} and {b!r}")
            self._values[key] = value
        return self._values[key]

    def _pairwise(self, texts: Sequence[str]) -> tuple[PreparedSoft, _core.TermSimilarity, TermRows]:
        rows = self.analyser.terms(texts, positions=True)
        prepared = self.prepare(rows)
        return prepared, self._similarity(prepared, prepared), rows

    def to_json(self) -> dict[str, Any]:
        """Return plain values; a similarity that is a Python function cannot be written down."""
        if callable(self.options.similarity):
            raise OptionError("a measure with a Python function as similarity cannot be saved or sent elsewhere")
        return super().to_json()


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
        a, b = (_row(prepared.rows, row) for row in (0, 1))
        found = []
        for term, weight in a:
            near = [(similarity(term, other), value, other) for other, value in b]
            near = [item for item in near if item[0] > self.options.cut]
            if self.options.pairs == "best" and near:
                near = [max(near, key=lambda item: (item[0], item[1], -item[2]))]
            found += [(term, other, weight * value * alike) for alike, value, other in near]
        return Explanation(score, left, right, str(self), _pairs(self.analyser, rows, found))


@dataclass(frozen=True, slots=True)
class SoftCardinalityOptions(SoftOptions):
    """Options of quadratic soft cardinality."""

    similarity: str | Similarity = option(
        "bigrams", "Similarity of two terms (α); in Python any symmetric function of two strings.", cli_type=str
    )
    cut: float = option(0.0, "Similarities below this count as 0 (θ).")
    weights: str = option("boolean", "How a term is weighed.", choices=SOFT_WEIGHTS)
    softness: float = option(2.0, "Exponent of the similarity: the larger, the more rigid.")
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
            *coefficient(options.coefficient),
        )

    def explain(self, left: str, right: str) -> Explanation:
        """Return for each term its share in |A|' plus in |B|' minus in |A∪B|', over the mean."""
        score = self.score(left, right)
        prepared, similarity, rows = self._pairwise([left, right])
        a, b = (dict(_row(prepared.rows, row)) for row in (0, 1))
        union = {**a, **b, **{term: max(a[term], b[term]) for term in a.keys() & b.keys()}}
        shares = [self._shares(weights, similarity) for weights in (a, b, union)]
        size_a, size_b, size_union = (sum(share.values()) for share in shares)
        if min(size_a, size_b) <= 0:
            return Explanation(score, left, right, str(self))
        kind, p = coefficient(self.options.coefficient)
        mean = {"jaccard": size_union, "coverage": size_b}.get(kind) or _core.generalised_mean(size_a, size_b, p)
        found = [
            (term if term in a else None, term if term in b else None, value / mean)
            for term in union
            if (value := shares[0].get(term, 0) + shares[1].get(term, 0) - shares[2][term]) != 0
        ]
        return Explanation(score, left, right, str(self), _pairs(self.analyser, rows, found))

    def _shares(self, weights: dict[int, float], similarity: _core.TermSimilarity) -> dict[int, float]:
        def raised(a: int, b: int) -> float:
            value = similarity(a, b)
            return 0.0 if value < self.options.cut or value == 0 else float(value**self.options.softness)

        return {term: weight / sum(raised(term, other) for other in weights) for term, weight in weights.items()}


def spread(rows: _core.Rows, similar: tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.float64]]) -> _core.Rows:
    """Return rows in which each term is replaced by all terms similar to it, weighed by the similarity."""
    starts, terms, values = similar
    sizes = np.diff(starts)[rows.ids]
    source = np.repeat(np.arange(len(rows.ids)), sizes)
    nth = np.arange(len(source)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    place = np.repeat(starts[rows.ids], sizes) + nth
    owner = np.repeat(np.arange(len(rows)), np.diff(rows.indptr))[source]
    weights = rows.weights[source] * values[place]
    keys = owner.astype(np.int64) << 32 | terms[place]
    distinct, inverse = np.unique(keys, return_inverse=True)
    indptr = np.searchsorted(distinct, np.arange(len(rows) + 1, dtype=np.int64) << 32).astype(np.int64)
    summed = np.bincount(inverse, weights=weights, minlength=len(distinct)).astype(np.float64)
    return _core.Rows(indptr, (distinct & 0xFFFFFFFF).astype(np.int32), summed)


def _row(rows: _core.Rows, row: int) -> list[tuple[int, float]]:
    span = slice(rows.indptr[row], rows.indptr[row + 1])
    return list(zip(rows.ids[span].tolist(), rows.weights[span].tolist(), strict=True))


def _pairs(
    analyser: Analyser, rows: TermRows, found: Sequence[tuple[int | None, int | None, float]]
) -> tuple[Contribution, ...]:
    def side(row: int, term: int | None) -> tuple[str, tuple[Span, ...]]:
        if term is None:
            return "", ()
        return analyser.term(term), tuple(span for other, span in rows.spans(row) if other == term)

    parts = []
    for a, b, value in found:
        (left, left_spans), (right, right_spans) = side(0, a), side(1, b)
        parts.append(Contribution("term" if a == b else "terms", left, right, value, left_spans, right_spans))
    return tuple(sorted(parts, key=lambda part: (-part.value, part.left, part.right)))
