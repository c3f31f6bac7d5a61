"""Soft-cardinality spectra, by Jimenez and Gelbukh (2012): the similarity of texts by the q-grams of their terms."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from likewise import _core
from likewise.analyse import AnalyseOptions, Analyser, TermRows
from likewise.analyse.analyser import UNSPACED, UNSPACED_HELP
from likewise.errors import InputError, OptionError
from likewise.measure.coefficient import coefficient, core_coefficient
from likewise.measure.explanation import Explanation
from likewise.measure.spectra_explanation import contributions, show_gram
from likewise.measure.statistics import log_ratio
from likewise.measure.storage import GramStorage
from likewise.measure.text import TextMeasure, distinct
from likewise.options import check_choice, check_integer, check_range, option

PADDINGS = ("none", "single", "full")
# The bare size of what is common.
COMMON = _core.Coefficient(_core.CoefficientKind.common)
PARTS = ("c", "idf", "tfidf", "qidf")
Q_LARGEST = 10


@dataclass(frozen=True, slots=True)
class SpectraOptions(AnalyseOptions):
    """Options of spectra."""

    q: int | tuple[int, int] = option(
        (2, 4), "Lengths of the q-grams: one number, or first and last such as 2:4; 0 is the whole word.", cli_type=str
    )
    padding: str = option("single", "Marks at both ends of a word: none, one, or q-1.", choices=PADDINGS)
    weights: str = option("c", "Weighting scheme: none, or c, idf (or tfidf), qidf joined by dots, such as c.idf.qidf.")
    coefficient: str | float = option(
        "harmonic",
        "harmonic, dice, cosine, quadratic, overlap (or containment), max, jaccard, coverage (of the right text), "
        "or a number p.",
        cli_type=str,
    )
    smooth: bool = option(False, "idf = ln(1 + M/m) instead of ln(M/m), so that a term in every text still counts.")
    term_weights: Mapping[str, float] | None = option(None, "Additional weights of terms (default: 1).", hidden=True)
    gram_weights: Mapping[str, float] | None = option(
        None, "Additional weights of q-grams, with '<' and '>' as marks (default: 1).", hidden=True
    )
    # The q-grams of a whole run compare it better than those of its pairs.
    unspaced: str = option("run", UNSPACED_HELP, choices=UNSPACED)

    def __post_init__(self) -> None:
        AnalyseOptions.__post_init__(self)
        object.__setattr__(self, "q", parse_q(self.q))
        check_choice("padding", self.padding, PADDINGS)
        parse_weights(self.weights)
        coefficient(self.coefficient)
        for name in ("term_weights", "gram_weights"):
            for key, weight in (getattr(self, name) or {}).items():
                check_range(f"{name}[{key!r}]", weight, 0)


def parse_q(q: Any) -> tuple[int, int]:
    """Return first and last q of ``3``, ``(2, 4)``, ``"3"`` or ``"2:4"``."""
    parts: Any = q
    if isinstance(q, str):
        try:
            parts = tuple(int(part) for part in q.split(":"))
        except ValueError:
            parts = ()
    elif isinstance(q, int) and not isinstance(q, bool):
        parts = (q,)
    if not isinstance(parts, tuple | list) or len(parts) not in (1, 2):
        raise OptionError(f"q must be a number such as 3 or a range such as (2, 4) or '2:4', not {q!r}")
    first, last = parts[0], parts[-1]
    check_integer("q", first, 0, Q_LARGEST)
    check_integer("q", last, 0, Q_LARGEST)
    if first > last:
        raise OptionError(f"q must not fall: {first}:{last}")
    # An equal tuple is the same object, which scikit-learn's clone asks for.
    return parts if isinstance(parts, tuple) and len(parts) == 2 else (first, last)


def parse_weights(scheme: str) -> frozenset[str]:
    """Return the parts of a weighting scheme.

    >>> sorted(parse_weights("c.idf.qidf")), parse_weights("none")
    (['c', 'idf', 'qidf'], frozenset())
    """
    if scheme == "none":
        return frozenset()
    parts = scheme.split(".") if isinstance(scheme, str) else []
    if not parts or len(set(parts)) < len(parts) or not set(parts) <= set(PARTS) or {"idf", "tfidf"} <= set(parts):
        raise OptionError(
            f"weights must be 'none', or c, idf (or tfidf), qidf joined by dots, such as 'c.idf', not {scheme!r}"
        )
    return frozenset(parts)


class Spectra(TextMeasure):
    """Similarity by soft cardinality of q-grams: forgiving of typing errors, word order and small differences.

    The default is static: it needs the two texts only. Schemes with idf, tfidf or qidf are fitted to a collection.

    >>> spectra = Spectra(q=(2, 4), padding="single", weights="c", coefficient="harmonic")
    >>> spectra.score("Gonzalo Gonzalez", "Gonzales, Gonzalo") > spectra.score("Gonzalo Gonzalez", "Gonzalo Perez")
    True
    """

    name = "spectra"
    Options: ClassVar[type[AnalyseOptions]] = SpectraOptions
    options: SpectraOptions

    @property
    def adaptive(self) -> bool:
        """A scheme with idf, tfidf or qidf."""
        return any("idf" in part for part in parse_weights(self.options.weights))

    @property
    def symmetric(self) -> bool:
        """All but coverage."""
        return coefficient(self.options.coefficient)[0] != "coverage"

    @cached_property
    def _parts(self) -> frozenset[str]:
        return parse_weights(self.options.weights)

    def _start(self, analyser: Analyser) -> None:
        self.analyser = analyser
        first, last = parse_q(self.options.q)
        grams = _core.TermGrams(first, last, _core.Padding[self.options.padding], "c" in self._parts)
        self._ready = self.statistics is not None or not self.adaptive
        if self._ready:
            self._set_weights(grams)
        self._grams = grams
        self._pair = _core.SpectraPair(
            analyser.vocabulary,
            grams,
            core_coefficient(self.options.coefficient),
            "tfidf" in self._parts,
            *analyser.cutting,
            self._ready,
        )

    def _set_weights(self, grams: _core.TermGrams) -> None:
        """Give the core the weight of every term and q-gram known so far, and of those to come."""
        vocabulary = self.analyser.vocabulary
        term_weights, unseen_term = np.zeros(0), 1.0
        gram_weights, unseen_gram = np.zeros(0), 1.0
        smooth = self.options.smooth
        if self.options.term_weights:
            self.analyser.intern(list(self.options.term_weights))
        if "idf" in self._parts or "tfidf" in self._parts:
            statistics = self._fitted()
            term_weights = statistics.idf(len(vocabulary), smooth)
            unseen_term = float(log_ratio(statistics.texts, np.ones(1), smooth)[0])
        if self.options.term_weights:
            term_weights = term_weights if len(term_weights) else np.ones(len(vocabulary))
            for term, weight in self.options.term_weights.items():
                term_weights[vocabulary.find_term(term)] *= weight
        if "qidf" in self._parts or self.options.gram_weights:
            grams.add(vocabulary)
            if "qidf" in self._parts:
                statistics = self._fitted()
                seen = np.maximum(grams.gram_sums(statistics.occurrences), 1)
                gram_weights = log_ratio(statistics.words, seen, smooth)
                unseen_gram = float(log_ratio(statistics.words, np.ones(1), smooth)[0])
            else:
                gram_weights = np.ones(grams.gram_count)
            if self.options.gram_weights:
                wanted = self.options.gram_weights
                for place, key in enumerate(grams.grams()):
                    gram_weights[place] *= wanted.get(show_gram(key), 1.0)
        grams.set_weights(term_weights, unseen_term, gram_weights, unseen_gram)
        grams.add(vocabulary)

    def prepare(self, texts: Sequence[str] | TermRows, *, threads: int | None = None) -> _core.SpectraTexts:
        """Analyse texts into weighted q-grams."""
        if not self._ready:
            self._fitted()
        rows = self._rows(texts, threads=threads)
        indptr, terms, counts = rows.counts()
        self._grams.add(self.analyser.vocabulary)
        frequencies = counts if "tfidf" in self._parts else np.zeros(0)
        return _core.SpectraTexts(self._grams, indptr, terms, frequencies, threads or 0)

    def scorer(self, left: _core.SpectraTexts, right: _core.SpectraTexts) -> _core.SpectraScorer:
        """Return the exact scorer of prepared texts."""
        return _core.SpectraScorer(self._grams, left, right, core_coefficient(self.options.coefficient))

    def storage(self) -> GramStorage:
        """Return the q-grams, how they make a score, and whether occurrences count."""
        return GramStorage(self._grams, core_coefficient(self.options.coefficient), "tfidf" in self._parts)

    def score(self, left: str, right: str) -> float:
        """Return the similarity of two texts."""
        found = self._pair.score(left, right)
        if found is None:
            for side, text in (("left", left), ("right", right)):
                if not isinstance(text, str):
                    raise InputError(f"{side} is a {type(text).__name__}, not a str")
            if not self._ready:
                self._fitted()
            self._rows([left, right], threads=1)  # takes in words that are new
            self._grams.add(self.analyser.vocabulary)
            found = self._pair.score(left, right)
        return super().score(left, right) if found is None else found

    def parts(
        self, lefts: Sequence[str], rights: Sequence[str], *, threads: int | None = None
    ) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
        """Return |A∩B|' of all pairs, |A|' of the left and |B|' of the right texts, which make up every coefficient."""
        left, right = self.prepare(lefts, threads=threads), self.prepare(rights, threads=threads)
        common = _core.matrix(_core.SpectraScorer(self._grams, left, right, COMMON), threads or 0)
        return common, left.cardinalities, right.cardinalities

    def pair_parts(
        self, lefts: Sequence[str], rights: Sequence[str], *, threads: int | None = None
    ) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
        """Return |A∩B|', |A|' and |B|' of ``lefts[i]`` and ``rights[i]`` for every i."""
        known: dict[str, int] = {}
        left, right = distinct(lefts, known), distinct(rights, known)
        prepared = self.prepare(list(known), threads=threads)
        scorer = _core.SpectraScorer(self._grams, prepared, prepared, COMMON)
        sizes = prepared.cardinalities
        return _core.pair_scores(scorer, left, right, threads or 0, None), sizes[left], sizes[right]

    def grams_of(self, term: int) -> dict[int, float]:
        """Return the q-grams of a term that has been seen, with their weights in it."""
        ids, weights = self._grams.entry(term)
        return dict(zip(ids.tolist(), weights.tolist(), strict=True))

    def cardinality(self, text: str) -> float:
        """Return the soft cardinality |A|' of a text.

        >>> round(Spectra(q=2, padding="single", weights="c").cardinality("Gonzalo Gonzalez"), 3)
        1.292
        """
        return float(self.prepare([text]).cardinalities[0])

    def explain(self, left: str, right: str) -> Explanation:
        """Return the pairs of terms that share q-grams, each with its q-grams and what they add."""
        score = self.score(left, right)
        rows = self.analyser.terms([left, right], positions=True)
        sizes = self.prepare(rows).cardinalities
        parts = contributions(self.analyser, self.storage(), rows, (left, right), sizes, self.options.coefficient)
        return Explanation(score, left, right, str(self), parts)
