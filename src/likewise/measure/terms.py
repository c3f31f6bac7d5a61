"""Measures of shared terms: matches, common, tf, the cosines, BM25.

All are dot products of sparse rows, so the join engine takes them as they are; with phrases the counting ones are dot
products of terms plus phrases counted pair by pair, and the dot product that counts overlapping phrases bounds them.
"""

from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from likewise import _core
from likewise.analyse import AnalyseOptions, TermRows
from likewise.analyse.phrases import Phrases, phrases
from likewise.measure.base import Measure
from likewise.measure.explanation import Contribution, Explanation
from likewise.measure.statistics import Statistics, log_ratio
from likewise.options import check_choice, check_integer, check_range, option
from likewise.read.document import Span

TERM_WEIGHTS = ("tfidf", "idf", "tf", "boolean")
Csr = tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.float64]]


@dataclass(frozen=True, slots=True)
class TermOptions(AnalyseOptions):
    """Options of the measures that count shared terms."""

    phrases: bool = option(False, "Count pairs of adjacent terms, too.")
    best_terms: int | None = option(None, "Index each text by this many of its best tf·idf terms only; needs fit.")

    def __post_init__(self) -> None:
        AnalyseOptions.__post_init__(self)
        if self.best_terms is not None:
            check_integer("best_terms", self.best_terms, 1)


@dataclass(frozen=True, slots=True)
class PreparedTerms:
    """Rows of texts as the left and as the right side of a comparison (they differ for BM25 only)."""

    left: _core.Rows
    right: _core.Rows
    # With phrases: the phrases in order, and rows of terms and all phrases, which bound the score.
    phrases: _core.PhraseRows | None = None
    left_bound: _core.Rows | None = None
    right_bound: _core.Rows | None = None

    def __len__(self) -> int:
        return len(self.left)


class TermMeasure(Measure):
    """A dot product over terms."""

    Options: ClassVar[type[AnalyseOptions]] = TermOptions
    options: TermOptions

    @property
    def adaptive(self) -> bool:
        """Choosing the best terms needs a collection."""
        return self.options.best_terms is not None

    # What tells the measures of this family apart: weights of (terms, counts) as the left and as the right side.

    @abstractmethod
    def _weigh(self, rows: Csr) -> tuple[Csr, Csr]: ...

    # Set by the counting measures, whose shared phrases the core counts pair by pair under this name. For the others
    # phrases are index terms like any.
    _count: ClassVar[str] = ""

    def fit(self, texts: Sequence[str]) -> Self:
        """Learn document frequencies, of phrases too where they are index terms."""
        analyser = self._new_analyser()
        rows = analyser.terms(texts, positions=self.options.phrases)
        if self.options.phrases and not self._count:
            rows = _with_phrases(rows, phrases(analyser, rows, texts))
        self.statistics = Statistics.of(rows, len(analyser))
        self._start(analyser)
        return self

    def prepare(self, texts: Sequence[str] | TermRows, *, threads: int | None = None) -> PreparedTerms:
        """Analyse and weigh texts; rows analysed elsewhere are taken as they are (phrases do not cross rows)."""
        if self.adaptive:
            self._fitted()
        rows = self._rows(texts, positions=self.options.phrases, threads=threads)
        if self.options.best_terms is not None:
            rows = best_terms(
                rows, self._fitted().idf(len(self.analyser), False), self.options.best_terms, self.analyser.term
            )
        if not self.options.phrases:
            left, right = self._weigh(rows.counts())
            left_rows = _core.Rows(*left)
            return PreparedTerms(left_rows, left_rows if right is left else _core.Rows(*right))
        found = phrases(self.analyser, rows, None if isinstance(texts, TermRows) else texts)
        both = _with_phrases(rows, found)
        left_both, right_both = self._weigh(both.counts())
        if not self._count:
            return PreparedTerms(_core.Rows(*left_both), _core.Rows(*right_both))
        left, right = self._weigh(rows.counts())
        return PreparedTerms(
            _core.Rows(*left),
            _core.Rows(*right),
            _core.PhraseRows(found.indptr, found.phrases, found.positions),
            _core.Rows(*left_both),
            _core.Rows(*right_both),
        )

    def scorer(self, left: PreparedTerms, right: PreparedTerms) -> _core.PairScorer:
        """Return the dot product, plus phrases where they are counted pair by pair."""
        dot = _core.DotScorer(left.left, right.right)
        if left.phrases is None or right.phrases is None:
            return dot
        return _core.PhraseScorer(dot, left.phrases, right.phrases, self._count)

    def bound(self, left: PreparedTerms, right: PreparedTerms) -> _core.DotScorer | None:
        """Return the dot product that counts overlapping phrases."""
        if left.left_bound is None or right.right_bound is None:
            return None
        return _core.DotScorer(left.left_bound, right.right_bound)

    def explain(self, left: str, right: str) -> Explanation:
        """Return the shared terms and phrases with what each adds."""
        texts = [left, right]
        rows = self.analyser.terms(texts, positions=True)
        score = self.score(left, right)
        if self.options.best_terms is not None:
            rows = best_terms(
                rows, self._fitted().idf(len(self.analyser), False), self.options.best_terms, self.analyser.term
            )
        found = phrases(self.analyser, rows, texts) if self.options.phrases else None
        both = _with_phrases(rows, found) if found and not self._count else rows
        weighted, weighted_right = self._weigh(both.counts())
        # `common` has a feature of its own for each further occurrence of a term: gathered by term.
        values: dict[int, float] = {}
        for feature, value in _shared(weighted, weighted_right):
            term = self._term_of(feature)
            values[term] = values.get(term, 0.0) + value
        contributions = []
        for term, value in values.items():
            word = self.analyser.term(term)
            left_spans, right_spans = (_spans(rows, found, side, term) for side in (0, 1))
            kind = "phrase" if " " in word else "term"
            contributions.append(Contribution(kind, word, word, value, left_spans, right_spans))
        if found and self._count:
            contributions += self._phrase_contributions(rows, found)
        contributions.sort(key=lambda part: (-part.value, part.left))
        return Explanation(score, left, right, str(self), tuple(contributions))

    def _term_of(self, feature: int) -> int:
        return feature

    def _phrase_contributions(self, rows: TermRows, found: Phrases) -> list[Contribution]:
        sides = [found.phrases[found.indptr[i] : found.indptr[i + 1]] for i in (0, 1)]
        used: list[dict[int, list[Span]]] = []
        for i, other in ((0, 1), (1, 0)):
            known, free = set(sides[other].tolist()), -1
            spans: dict[int, list[Span]] = {}
            for k in range(found.indptr[i], found.indptr[i + 1]):
                at = int(found.positions[k])
                if at >= free and int(found.phrases[k]) in known:
                    assert rows.starts is not None
                    assert rows.ends is not None
                    spans.setdefault(int(found.phrases[k]), []).append(
                        Span(int(rows.starts[at]), int(rows.ends[at + 1]))
                    )
                    free = at + 2
            used.append(spans)
        value: dict[str, Callable[[int, int], float]] = {
            "matches": lambda a, b: 1.0,
            "common": lambda a, b: float(min(a, b)),
            "tf": lambda a, b: float(a * b),
        }
        return [
            Contribution(
                "phrase",
                self.analyser.term(phrase),
                self.analyser.term(phrase),
                value[self._count](len(used[0][phrase]), len(used[1][phrase])),
                tuple(used[0][phrase]),
                tuple(used[1][phrase]),
            )
            for phrase in used[0].keys() & used[1].keys()
        ]


class Matches(TermMeasure):
    """The number of distinct shared terms, with ``phrases`` plus the shared phrases.

    >>> Matches().score("to be or not to be", "let it be, or not")
    3.0
    """

    name = "matches"
    _count = "matches"

    def _weigh(self, rows: Csr) -> tuple[Csr, Csr]:
        weighted = (rows[0], rows[1], np.ones(len(rows[1])))
        return weighted, weighted


class Common(TermMeasure):
    """The sum over shared terms of the smaller of the two counts.

    >>> Common().score("to be or not to be", "be that as it may be")
    2.0
    """

    name = "common"
    _count = "common"

    # A minimum is no product, but it counts the features (term, 1), (term, 2), ... that both texts have. The first is
    # the term itself; the others are interned as the term, a space and as many plus signs.

    def _weigh(self, rows: Csr) -> tuple[Csr, Csr]:
        indptr, ids, counts = rows
        times = counts.astype(np.int64)
        owner = np.repeat(np.arange(len(indptr) - 1), np.diff(indptr))
        repeat = np.repeat(np.arange(len(ids)), times)
        nth = np.arange(len(repeat)) - np.repeat(np.cumsum(times) - times, times)
        features = self._features(ids[repeat], nth)
        order = np.lexsort((features, owner[repeat]))
        sizes = np.bincount(owner[repeat], minlength=len(indptr) - 1)
        weighted = (
            np.concatenate(([0], np.cumsum(sizes))).astype(np.int64),
            features[order],
            np.ones(len(repeat)),
        )
        return weighted, weighted

    def _features(self, terms: NDArray[np.int32], nth: NDArray[np.int64]) -> NDArray[np.int32]:
        features = terms.astype(np.int64).copy()
        later = np.flatnonzero(nth)
        if len(later):
            names = [f"{self.analyser.term(terms[i])} {'+' * int(nth[i])}" for i in later.tolist()]
            features[later] = self.analyser.intern(names)
        return features.astype(np.int32)

    def _term_of(self, feature: int) -> int:
        name = self.analyser.term(feature).rstrip("+").rstrip(" ")
        return self.analyser.vocabulary.find_term(name)


class Tf(TermMeasure):
    """The sum over shared terms of the product of the two counts: SMART's inner product.

    >>> Tf().score("to be or not to be", "be that as it may be")
    4.0
    """

    name = "tf"
    _count = "tf"

    def _weigh(self, rows: Csr) -> tuple[Csr, Csr]:
        return rows, rows


@dataclass(frozen=True, slots=True)
class TfIdfOptions(TermOptions):
    """Options of the cosines."""

    weights: str = option("tfidf", "How a term is weighed.", choices=TERM_WEIGHTS)
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
        weights = counts if self.options.weights in ("tfidf", "tf") else np.ones(len(ids))
        if "idf" in self.options.weights:
            statistics = self._fitted()
            weights = weights * log_ratio(statistics.texts, statistics.seen(ids), self.options.smooth)
        weighted = (indptr, ids, normalise(indptr, weights))
        return weighted, weighted


@dataclass(frozen=True, slots=True)
class BM25Options(TermOptions):
    """Options of BM25."""

    k1: float = option(1.2, "How slowly repeated terms stop counting.")
    b: float = option(0.75, "How much long texts are discounted, 0 to 1.")

    def __post_init__(self) -> None:
        TermOptions.__post_init__(self)
        check_range("k1", self.k1, 0)
        check_range("b", self.b, 0, 1)


class BM25(TermMeasure):
    """BM25 as Lucene computes it: the left text is the query, the right one the document. Not symmetric.

    idf = ln(1 + (M - m + 0.5) / (m + 0.5)); a term adds idf · tf / (tf + k1 · (1 - b + b · length / mean length)).

    >>> bm25 = BM25().fit(["red fish", "blue fish", "one fish two fish"])
    >>> bm25.score("blue", "blue fish") > bm25.score("fish", "blue fish")
    True
    """

    name = "bm25"
    Options = BM25Options
    options: BM25Options

    @property
    def adaptive(self) -> bool:
        """Always."""
        return True

    @property
    def symmetric(self) -> bool:
        """Query and document are weighed differently."""
        return False

    def _weigh(self, rows: Csr) -> tuple[Csr, Csr]:
        statistics = self._fitted()
        indptr, ids, counts = rows
        seen = statistics.seen(ids)
        idf = np.log1p((np.maximum(statistics.texts - seen, 0) + 0.5) / (seen + 0.5))
        lengths = np.add.reduceat(np.append(counts, 0.0), indptr[:-1]) * (np.diff(indptr) > 0)
        mean = max(statistics.words / max(statistics.texts, 1), 1e-9)
        k1, b = self.options.k1, self.options.b
        discount = np.repeat(k1 * (1 - b + b * lengths / mean), np.diff(indptr))
        return (indptr, ids, counts * idf), (indptr, ids, counts / (counts + discount))


def normalise(indptr: NDArray[np.int64], weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the weights of rows brought to length 1; rows of zeros stay."""
    if len(indptr) == 1:
        return weights
    squares = np.add.reduceat(np.append(weights * weights, 0.0), indptr[:-1]) * (np.diff(indptr) > 0)
    lengths = np.sqrt(squares)
    lengths[lengths == 0] = 1
    normalised: NDArray[np.float64] = weights / np.repeat(lengths, np.diff(indptr))
    return normalised


def best_terms(rows: TermRows, idf: NDArray[np.float64], count: int, name: Callable[[int], str]) -> TermRows:
    """Return rows with only the ``count`` terms of highest tf·idf in each; of equal ones the first in the alphabet."""
    indptr, ids, counts = rows.counts()
    keep = np.zeros(len(rows.terms), dtype=bool)
    for i in range(len(rows)):
        begin, end = indptr[i], indptr[i + 1]
        row = ids[begin:end]
        if end - begin > count:
            weights = counts[begin:end] * idf[row]
            limit = np.partition(weights, len(row) - count)[len(row) - count]
            sure = row[weights > limit]
            ties = sorted(row[weights == limit].tolist(), key=name)[: count - len(sure)]
            row = np.concatenate((sure, np.asarray(ties, dtype=np.int32)))
        span = slice(rows.indptr[i], rows.indptr[i + 1])
        keep[span] = np.isin(rows.terms[span], row)
    kept = np.concatenate(([0], np.cumsum(keep)))[rows.indptr]

    def pick(values: NDArray[Any] | None) -> NDArray[Any] | None:
        return None if values is None else values[keep]

    return TermRows(kept, rows.terms[keep], pick(rows.tokens), pick(rows.starts), pick(rows.ends))


def _with_phrases(rows: TermRows, found: Phrases) -> TermRows:
    """Return rows of terms and phrases together, without positions."""
    sizes = np.diff(rows.indptr) + np.diff(found.indptr)
    indptr = np.concatenate(([0], np.cumsum(sizes))).astype(np.int64)
    owner = np.concatenate(
        (
            np.repeat(np.arange(len(rows)), np.diff(rows.indptr)),
            np.repeat(np.arange(len(rows)), np.diff(found.indptr)),
        )
    )
    order = np.argsort(owner, kind="stable")
    return TermRows(indptr, np.concatenate((rows.terms, found.phrases))[order])


def _shared(left: Csr, right: Csr) -> list[tuple[int, float]]:
    """Ids that row 0 of left and row 1 of right share, with the product of their weights."""
    a = dict(zip(left[1][left[0][0] : left[0][1]].tolist(), left[2][left[0][0] : left[0][1]].tolist(), strict=True))
    b = zip(right[1][right[0][1] : right[0][2]].tolist(), right[2][right[0][1] : right[0][2]].tolist(), strict=True)
    return [(term, a[term] * weight) for term, weight in b if term in a]


def _spans(rows: TermRows, found: Phrases | None, row: int, feature: int) -> tuple[Span, ...]:
    spans = tuple(span for term, span in rows.spans(row) if term == feature)
    if found is not None and not spans:
        assert rows.starts is not None
        assert rows.ends is not None
        spans = tuple(
            Span(int(rows.starts[found.positions[k]]), int(rows.ends[found.positions[k] + 1]))
            for k in range(found.indptr[row], found.indptr[row + 1])
            if found.phrases[k] == feature
        )
    return spans
