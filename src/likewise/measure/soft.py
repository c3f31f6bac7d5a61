"""What the measures that let similar terms match have in common.

The similarity of two terms is Jaro–Winkler or the Jaccard coefficient of character bigrams, both in the core, or any
function of two strings, whose values are worked out for the terms at hand and handed to the core as a table.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from likewise import _core
from likewise.analyse import AnalyseOptions, Analyser, TermRows
from likewise.analyse.analyser import UNSPACED, UNSPACED_HELP
from likewise.errors import OptionError
from likewise.measure.explanation import Contribution
from likewise.measure.sparse import Csr
from likewise.measure.text import TextMeasure
from likewise.options import check_choice, check_range, option
from likewise.progress import stop_if_asked
from likewise.read.document import Span

SIMILARITIES = ("jaro-winkler", "bigrams")
SOFT_WEIGHTS = ("tfidf", "idf", "boolean")
Similarity = Callable[[str, str], float]


@dataclass(frozen=True, slots=True)
class SoftOptions(AnalyseOptions):
    """Options of both soft measures."""

    similarity: str | Similarity = option(
        "jaro-winkler", "Similarity of two terms; in Python any function of two strings.", cli_type=str
    )
    cut: float = option(0.9, "Terms less similar than this do not match (θ).")
    boost: float = option(0.0, "Jaro–Winkler adds its bonus for equal beginnings above this similarity only.")
    weights: str = option("tfidf", "Weighting of terms.", choices=SOFT_WEIGHTS)
    smooth: bool = option(False, "idf = ln(1 + M/m) instead of ln(M/m), so that a word in every text still counts.")
    # Runs of letters can be similar; two characters are too few for that.
    unspaced: str = option("run", UNSPACED_HELP, choices=UNSPACED)

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


class SoftMeasure(TextMeasure):
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
        self._known: dict[tuple[str, str], float] = {}

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
            stop_if_asked()
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
        if key not in self._known:
            assert callable(self.options.similarity)
            value = float(self.options.similarity(a, b))
            if not 0 <= value <= 1:
                raise OptionError(f"similarity must give values from 0 to 1, not {value!r} for {a!r} and {b!r}")
            self._known[key] = value
        return self._known[key]

    def _pairwise(self, texts: Sequence[str]) -> tuple[PreparedSoft, _core.TermSimilarity, TermRows]:
        rows = self.analyser.terms(texts, positions=True)
        prepared = self.prepare(rows)
        return prepared, self._similarity(prepared, prepared), rows

    def to_json(self) -> dict[str, Any]:
        """Return plain values; a similarity that is a Python function cannot be written down."""
        if callable(self.options.similarity):
            raise OptionError("a measure with a Python function as similarity cannot be saved or sent elsewhere")
        return super().to_json()


def weights_of(rows: _core.Rows, row: int) -> list[tuple[int, float]]:
    """Return the terms of a row with their weights."""
    span = slice(rows.indptr[row], rows.indptr[row + 1])
    return list(zip(rows.ids[span].tolist(), rows.weights[span].tolist(), strict=True))


def pair_contributions(
    analyser: Analyser, rows: TermRows, texts: Sequence[str], found: Sequence[tuple[int | None, int | None, float]]
) -> tuple[Contribution, ...]:
    """Return a contribution for each pair of terms of two texts; ``None`` is a term that stands alone."""
    places = [rows.places(row) for row in (0, 1)]

    def side(row: int, term: int | None) -> tuple[str, tuple[Span, ...]]:
        if term is None:
            return "", ()
        spans = places[row][term]
        return analyser.shown(term, texts[row], spans), spans

    parts = []
    for a, b, value in found:
        (left, left_spans), (right, right_spans) = side(0, a), side(1, b)
        parts.append(Contribution("term" if a == b else "terms", left, right, value, left_spans, right_spans))
    return tuple(sorted(parts, key=lambda part: (-part.value, part.left, part.right)))
