"""What measures of shared terms have in common: the counting ones, the cosines, BM25.

All are dot products of sparse rows, so the join engine takes them as they are; with phrases the counting ones are dot
products of terms plus phrases counted pair by pair, and the dot product that counts overlapping phrases bounds them.
"""

from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from likewise import _core
from likewise.analyse import AnalyseOptions, Analyser, TermRows
from likewise.analyse.analyser import chosen_rows
from likewise.analyse.phrases import Phrases, phrases
from likewise.analyse.term_counts import CountedRows
from likewise.measure.explanation import Contribution, Explanation
from likewise.measure.sparse import Csr, best_terms, shared, with_phrases
from likewise.measure.statistics import Statistics
from likewise.measure.storage import TermStorage
from likewise.measure.text import TextMeasure
from likewise.options import check_integer, option
from likewise.read.document import Span
from likewise.read.texts import texts_in


@dataclass(frozen=True, slots=True)
class TermOptions(AnalyseOptions):
    """Options of the measures that count shared terms."""

    phrases: bool = option(False, "Also count pairs of adjacent terms.")
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
    phrases: Phrases | None = None
    left_bound: _core.Rows | None = None
    right_bound: _core.Rows | None = None

    def __len__(self) -> int:
        return len(self.left)

    def take(self, chosen: NDArray[np.int64]) -> "PreparedTerms":
        """Return some of the texts, in the order of ``chosen``."""
        left, right = _take(self.left, self.right, chosen)
        if self.phrases is None or self.left_bound is None or self.right_bound is None:
            return PreparedTerms(left, right)
        return PreparedTerms(left, right, self.phrases.take(chosen), *_take(self.left_bound, self.right_bound, chosen))


def _take(left: _core.Rows, right: _core.Rows, chosen: NDArray[np.int64]) -> tuple[_core.Rows, _core.Rows]:
    indptr, at = chosen_rows(left.indptr, chosen)
    taken = _core.Rows(indptr, left.ids[at], left.weights[at])
    return taken, taken if right is left else _take(right, right, chosen)[0]


def _phrase_rows(found: Phrases) -> _core.PhraseRows:
    return _core.PhraseRows(found.indptr, found.phrases, found.positions)


class TermMeasure(TextMeasure):
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
        analyser = self.new_analyser()
        texts = texts_in(texts)
        rows = analyser.terms(texts, positions=self.options.phrases)
        if self.options.phrases and not self._count:
            rows = with_phrases(rows, phrases(analyser, rows, texts))
        return self.fit_rows(rows, analyser)

    def fit_rows(self, rows: TermRows, analyser: Analyser) -> Self:
        """Learn document frequencies from rows that ``analyser`` made; it becomes the measure's own."""
        return self.fit_to(Statistics.of(rows, len(analyser)), analyser)

    @property
    def reads_terms(self) -> bool:
        """Phrases need the text, too: they end with a sentence."""
        return not self.options.phrases

    def idf(self) -> NDArray[np.float64]:
        """Return ln(M / m_t) of every term the analyser knows, as far as the measure was fitted to them."""
        return self._fitted().idf(len(self.analyser), False)

    @property
    def needs_counts(self) -> bool:
        """Whether it matters how often a text has a term."""
        return True

    def prepare(self, texts: Sequence[str] | TermRows | CountedRows, *, threads: int | None = None) -> PreparedTerms:
        """Analyse and weigh texts; rows analysed elsewhere are taken as they are (phrases do not cross rows)."""
        if self.adaptive:
            self._fitted()
        if isinstance(texts, CountedRows):
            return self._prepared(self._weigh(texts.counts()))
        if self.options.phrases and not isinstance(texts, TermRows):
            texts = texts_in(texts)
        rows = self._rows(texts, positions=self.options.phrases, threads=threads)
        rows = self._best(rows)
        if not self.options.phrases:
            return self._prepared(self._weigh(rows.counts()))
        found = phrases(self.analyser, rows, None if isinstance(texts, TermRows) else texts)
        both = with_phrases(rows, found)
        left_both, right_both = self._weigh(both.counts())
        if not self._count:
            return PreparedTerms(_core.Rows(*left_both), _core.Rows(*right_both))
        left, right = self._weigh(rows.counts())
        return PreparedTerms(
            _core.Rows(*left),
            _core.Rows(*right),
            found,
            _core.Rows(*left_both),
            _core.Rows(*right_both),
        )

    def _prepared(self, sides: tuple[Csr, Csr]) -> PreparedTerms:
        left, right = sides
        left_rows = _core.Rows(*left)
        return PreparedTerms(left_rows, left_rows if right is left else _core.Rows(*right))

    def scorer(self, left: PreparedTerms, right: PreparedTerms) -> _core.PairScorer:
        """Return the dot product, plus phrases where they are counted pair by pair."""
        dot = _core.DotScorer(left.left, right.right)
        if left.phrases is None or right.phrases is None:
            return dot
        return _core.PhraseScorer(
            dot, _phrase_rows(left.phrases), _phrase_rows(right.phrases), _core.PhraseCount[self._count]
        )

    def bound(self, left: PreparedTerms, right: PreparedTerms) -> _core.DotScorer | None:
        """Return the dot product that counts overlapping phrases."""
        if left.left_bound is None or right.right_bound is None:
            return None
        return _core.DotScorer(left.left_bound, right.right_bound)

    def storage(self) -> TermStorage | None:
        """Return that terms are kept; phrases that are counted pair by pair cannot be."""
        if self.options.phrases and self._count:
            return None
        return TermStorage(self.options.best_terms is None)

    def explain(self, left: str, right: str) -> Explanation:
        """Return the shared terms and phrases with what each adds."""
        texts = [left, right]
        rows = self.analyser.terms(texts, positions=True)
        score = self.score(left, right)
        rows = self._best(rows)
        found = phrases(self.analyser, rows, texts) if self.options.phrases else None
        both = with_phrases(rows, found) if found and not self._count else rows
        weighted, weighted_right = self._weigh(both.counts())
        # `common` has a feature of its own for each further occurrence of a term: gathered by term.
        values: dict[int, float] = {}
        for feature, value in shared(weighted, weighted_right):
            term = self._term_of(feature)
            values[term] = values.get(term, 0.0) + value
        places = [_places(rows, found, side) for side in (0, 1)]
        contributions = []
        for term, value in values.items():
            kind = "phrase" if " " in self.analyser.term(term) else "term"
            left_spans, right_spans = (places[side].get(term, ()) for side in (0, 1))
            left_name = self.analyser.shown(term, left, left_spans)
            right_name = self.analyser.shown(term, right, right_spans)
            contributions.append(Contribution(kind, left_name, right_name, value, left_spans, right_spans))
        if found and self._count:
            contributions += self._phrase_contributions(rows, found)
        contributions.sort(key=lambda part: (-part.value, part.left))
        return Explanation(score, left, right, str(self), tuple(contributions))

    def _best(self, rows: TermRows) -> TermRows:
        count = self.options.best_terms
        if count is None:
            return rows
        return best_terms(rows, self.idf(), count, self.analyser)

    def _term_of(self, feature: int) -> int:
        return feature

    def _phrase_contributions(self, rows: TermRows, found: Phrases) -> list[Contribution]:
        sides = [found.phrases[found.indptr[i] : found.indptr[i + 1]] for i in (0, 1)]
        used: list[dict[int, list[Span]]] = []
        for i, other in ((0, 1), (1, 0)):
            known, free = set(sides[other].tolist()), 0
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


def _places(rows: TermRows, found: Phrases | None, row: int) -> dict[int, tuple[Span, ...]]:
    """Return where each term of a text stands, and each phrase that is no term."""
    places = rows.places(row)
    if found is None:
        return places
    assert rows.starts is not None
    assert rows.ends is not None
    phrases: dict[int, list[Span]] = {}
    for k in range(found.indptr[row], found.indptr[row + 1]):
        at = int(found.positions[k])
        phrases.setdefault(int(found.phrases[k]), []).append(Span(int(rows.starts[at]), int(rows.ends[at + 1])))
    return {**{phrase: tuple(spans) for phrase, spans in phrases.items()}, **places}
