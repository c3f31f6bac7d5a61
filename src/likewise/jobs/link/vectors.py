"""Vectors of units and sentences: the measures over the terms of a book, each weighed once and shared by all lists."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from likewise import _core
from likewise.analyse import Analyser, TermRows
from likewise.analyse.phrases import Phrases
from likewise.jobs.link.options import ListOptions
from likewise.jobs.link.sentences import SentenceTerms
from likewise.measure.cosine import TfIdf
from likewise.measure.counting import Matches, Tf
from likewise.measure.sparse import Csr, among_best, with_phrases
from likewise.measure.terms import PreparedTerms, TermMeasure

Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Vectors:
    """All units or sentences, weighed for one list; ``tf_unit`` is what one tf adds to a number of matches."""

    measure: TermMeasure
    rows: PreparedTerms
    cosine: bool = False
    tf_unit: float | None = None

    def scorer(self, lefts: Ints, rights: Ints) -> tuple[_core.PairScorer, _core.DotScorer | None]:
        """Return a scorer of some rows against others, and its upper bound where it needs one."""
        left = self.rows.take(lefts)
        right = left if lefts is rights else self.rows.take(rights)
        return self.measure.scorer(left, right), self.measure.bound(left, right)


class BookVectors:
    """The vectors of a book, made when first asked for; ``smooth``: a word in every text still counts."""

    def __init__(self, terms: SentenceTerms, *, smooth: bool = False) -> None:
        self.terms = terms
        self._smooth = smooth
        self._made: dict[tuple[str, str, int | None, bool, bool], Vectors] = {}

    def leave_out(self, units: NDArray[np.bool_]) -> None:
        """Take units out of the comparison; what they weigh stays, so that no vector changes."""
        self.terms = replace(self.terms, active=self.terms.active & ~units)

    @property
    def paragraphs(self) -> Vectors:
        """The paragraphs by tf·idf."""
        return self.vectors(ListOptions())

    def vectors(self, options: ListOptions) -> Vectors:
        """Return units or sentences as the options index them; lists that differ in what they keep share them."""
        key = (options.scope, options.measure, options.best_terms, options.phrases, options.across_dropped)
        if key not in self._made:
            self._made[key] = self._weigh(options)
        return self._made[key]

    def _weigh(self, options: ListOptions) -> Vectors:
        terms = self.terms
        paragraphs = options.scope == "paragraph"
        sentences = terms.rows if options.best_terms is None else self._best(options.best_terms)
        rows = terms.by_paragraph(sentences) if paragraphs else sentences
        across = options.across_dropped
        found = terms.phrases(options.scope, sentences, across_dropped=across) if options.phrases else None
        if options.measure == "matches":
            measure = RankedMatches(terms.analyser)
            prepared = measure.of(rows, found)
            return Vectors(measure, prepared, tf_unit=measure.tf_unit)
        if found is not None:
            rows = with_phrases(rows, found)
        if options.measure == "tf":
            return Vectors(tf := Tf(), tf.prepare(rows))
        # Frequencies are of the full index, so that a term weighs the same whether it is among the best or not.
        whole = terms.by_paragraph() if paragraphs else terms.rows
        if found is not None:
            whole = with_phrases(whole, terms.phrases(options.scope, across_dropped=across))
        cosine = TfIdf(weights=options.measure, smooth=self._smooth).fit_rows(whole, terms.analyser)
        return Vectors(cosine, cosine.prepare(rows), cosine=paragraphs)

    def _best(self, count: int) -> TermRows:
        """The sentences with only those of their terms that are among the best of their paragraph."""
        rows = self.terms.by_paragraph()
        idf = TfIdf().fit_rows(rows, self.terms.analyser).idf()
        owner = np.repeat(self.terms.owner, np.diff(self.terms.rows.indptr))
        best = among_best(rows.counts(), idf, count, self.terms.analyser)
        return self.terms.rows.keep(best(owner, self.terms.rows.terms))


class RankedMatches(Matches):
    """The number of matches with tf as a fraction behind it, so that one score ranks by matches, then tf.

    Each term has a second feature, numbered behind all terms, that carries the counts; ``tf_unit`` is a power of two
    and so small that every tf stays below 1 and every sum is exact.
    """

    def __init__(self, analyser: Analyser) -> None:
        super().__init__()
        self._start(analyser)
        self.tf_unit = 1.0

    def of(self, rows: TermRows, found: Phrases | None) -> PreparedTerms:
        """Return rows weighed; with phrases, the bound counts all adjacent pairs, overlapping ones too."""
        size = len(self.analyser)
        ranked, self.tf_unit = _matches_then_tf(rows.counts(), size)
        terms = _core.Rows(*ranked)
        if found is None:
            return PreparedTerms(terms, terms)
        indptr, ids, counts = _core.count_rows(found.indptr, found.phrases)
        bound = _core.Rows(*_side_by_side(ranked, (indptr, ids, np.ones(len(counts))), 2 * size))
        return PreparedTerms(terms, terms, found, bound, bound)


def _matches_then_tf(csr: Csr, size: int) -> tuple[Csr, float]:
    indptr, ids, counts = csr
    owner = np.repeat(np.arange(len(indptr) - 1), np.diff(indptr))
    longest = np.bincount(owner, counts * counts, minlength=1).max(initial=1.0)
    half_bits = int(np.ceil(np.log2(longest + 1) / 2)) + 1
    new_ids = np.concatenate([ids, ids + np.int32(size)])
    weights = np.concatenate([np.ones(len(ids)), counts * 2.0**-half_bits])
    order = np.lexsort((new_ids, np.concatenate([owner, owner])))
    return (indptr * 2, new_ids[order], weights[order]), 2.0 ** (-2 * half_bits)


def _side_by_side(a: Csr, b: Csr, shift: int) -> Csr:
    """Rows with the features of both; those of b are numbered behind ``shift``."""
    owner = np.concatenate([np.repeat(np.arange(len(part[0]) - 1), np.diff(part[0])) for part in (a, b)])
    ids = np.concatenate([a[1], b[1] + np.int32(shift)])
    order = np.lexsort((ids, owner))
    return a[0] + b[0], ids[order], np.concatenate([a[2], b[2]])[order]
