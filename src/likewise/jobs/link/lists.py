"""Ranked lists of pairs, each made by the join engine as its :class:`ListOptions` say."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from likewise import _core
from likewise.analyse.phrases import Phrases, phrases
from likewise.jobs.link.joins import Ints, Joins
from likewise.jobs.link.options import LinkOptions, ListOptions
from likewise.jobs.link.terms import (
    Csr,
    Terms,
    as_rows,
    best_occurrences,
    frequencies,
    inverse,
    keep_terms,
    paragraph_phrases,
    ranked_matches,
    take,
    tfidf,
    with_phrases,
)
from likewise.progress import Progress

# Sentence pairs inside paragraph pairs are scored so many at a time.
_BLOCK = 1 << 20


@dataclass(frozen=True, slots=True)
class Ranked:
    """A ranked list: pairs of units or sentences (left before right), best first.

    ``cosine`` tells that the scores are cosines of paragraphs; ``tf`` goes with the score where that counts matches;
    ``minimum`` is the number of matches that was asked for;
    ``sentences`` are, in a list of proposed paragraph pairs, the numbers of the sentence pair that proposed each.
    """

    scope: str
    left: Ints
    right: Ints
    score: NDArray[np.float64]
    tf: NDArray[np.float64] | None = None
    minimum: int | None = None
    sentences: tuple[Ints, Ints] | None = None
    proposed: bool = False
    cosine: bool = False

    def __len__(self) -> int:
        return len(self.left)

    def head(self, n: int) -> "Ranked":
        """Return the first n pairs."""
        return self.take(np.arange(min(n, len(self))))

    def take(self, chosen: Ints) -> "Ranked":
        """Return some of the pairs, in the order of ``chosen``."""
        return replace(
            self,
            left=self.left[chosen],
            right=self.right[chosen],
            score=self.score[chosen],
            tf=None if self.tf is None else self.tf[chosen],
            sentences=None if self.sentences is None else (self.sentences[0][chosen], self.sentences[1][chosen]),
        )


class Lists:
    """Makes lists over the terms of a book; a list that another needs (``within``) is made once.

    ``homes`` is the document of each unit, for pairs within or across documents; all one document if not given.
    """

    def __init__(
        self,
        terms: Terms,
        options: LinkOptions,
        *,
        n: int,
        split: int | None = None,
        homes: Ints | None = None,
        progress: Progress | None = None,
    ) -> None:
        self.terms = terms
        self.options = options
        self.n = n
        self._split = split
        homes = np.zeros(len(terms.active), dtype=np.int64) if homes is None else homes
        self._joins = Joins(options, homes, split is not None, progress)
        self._made: dict[ListOptions, Ranked] = {}
        self._rows: dict[tuple[str, str, int | None, bool], _Rows] = {}
        self._known: dict[str, ListOptions] = {}

    def make(self, name: str, known: "dict[str, ListOptions]") -> Ranked:
        """Return the list of this name."""
        self._known = known
        options = known[name]
        if options not in self._made:
            self._made[options] = self._inside(options) if options.within else self._overall(options)
        return self._made[options]

    def _indexed(self, options: ListOptions) -> "_Rows":
        """Rows as the options index them; lists that differ in what they keep share them."""
        key = (options.scope, options.measure, options.best_terms, options.phrases)
        if key not in self._rows:
            self._rows[key] = _Rows.of(self.terms, options)
        return self._rows[key]

    def propose(self, sentence_pairs: Ranked) -> Ranked:
        """Return the paragraph pairs that sentence pairs propose, in the rank of the best of them."""
        left = self.terms.owner[sentence_pairs.left]
        right = self.terms.owner[sentence_pairs.right]
        across = np.flatnonzero(left != right)
        _, first = np.unique(left[across] * len(self.terms.first) + right[across], return_index=True)
        chosen = across[np.sort(first)]
        found = sentence_pairs.take(chosen)
        return replace(
            found,
            scope="paragraph",
            left=left[chosen],
            right=right[chosen],
            sentences=(found.left, found.right),
            proposed=True,
        )

    def _overall(self, options: ListOptions) -> Ranked:
        """All units or sentences against all."""
        rows = self._indexed(options)
        if options.scope == "paragraph":
            active = np.flatnonzero(self.terms.active)
            owner = np.arange(len(self.terms.active), dtype=np.int64)
        else:
            active = np.flatnonzero(self.terms.active[self.terms.owner])
            owner = self.terms.owner
        if self._split is None:
            lefts = rights = active
        else:
            lefts = active[owner[active] < self._split]
            rights = active[owner[active] >= self._split]
        empty = np.zeros(0, dtype=np.int64)
        if not len(lefts) or not len(rights):
            return self._cut(rows.ranked(options.scope, empty, empty, np.zeros(0)), self._minimum(options))
        minimum = self._minimum(options)
        min_score = self.options.min_score if options.measure == "tfidf" and options.scope == "paragraph" else None
        min_score = options.min_score if options.min_score is not None else min_score
        if isinstance(minimum, int) or min_score is not None:
            floor = float(minimum) if isinstance(minimum, int) else float(min_score or 0)
            found = self._joins.above(rows, lefts, rights, owner, floor)
        else:
            found = self._joins.best(rows, lefts, rights, owner, self.n + (minimum == "auto"))
        return self._cut(rows.ranked(options.scope, *found), minimum)

    def _minimum(self, options: ListOptions) -> int | str | None:
        if self.options.min_matches is not None and options.min_matches is not None:
            return self.options.min_matches
        return options.min_matches

    def _cut(self, found: Ranked, minimum: int | str | None) -> Ranked:
        """Apply the rule of minimum matches; "auto" is the smallest number that leaves at most N pairs."""
        if minimum is None:
            return found
        if minimum == "auto":
            minimum = int(found.score[self.n]) + 1 if len(found) > self.n else 1
            minimum = max(minimum, self.options.least_matches)
        floor = int(minimum)
        return replace(found.take(np.flatnonzero(found.score >= floor)), minimum=floor)

    def _inside(self, options: ListOptions) -> Ranked:
        """Sentences of the paragraph pairs of another list, one from each."""
        outer = self.make(options.within or "", self._known)
        rows = self._indexed(options)
        minimum = self._minimum(options)
        wanted = self.n + 1 if minimum == "auto" or minimum is None else None
        floor = float(minimum) if isinstance(minimum, int) else 1.0
        kept: list[tuple[Ints, Ints, NDArray[np.float64]]] = []
        count = 0
        for block in self._inner_scores(outer, rows):
            chosen = np.flatnonzero(block[2] >= floor)
            kept.append((block[0][chosen], block[1][chosen], block[2][chosen]))
            count += len(chosen)
            if wanted is not None and count > 4 * wanted + _BLOCK:
                merged = _merge(kept)
                floor = float(np.floor(np.partition(merged[2], -wanted)[-wanted]))
                chosen = np.flatnonzero(merged[2] >= floor)
                kept = [(merged[0][chosen], merged[1][chosen], merged[2][chosen])]
                count = len(chosen)
        left, right, score = _merge(kept)
        order = np.lexsort((right, left, -score))
        found = rows.ranked("sentence", left[order], right[order], score[order])
        return self._cut(found, minimum) if minimum is not None else found.head(self.n)

    def inner_scores(
        self, outer: Ranked, options: ListOptions, floor: float
    ) -> Iterator[tuple[Ints, Ints, NDArray[np.float64]]]:
        """Give, in blocks, the sentence pairs inside paragraph pairs that have ``floor`` matches, and how many."""
        for left, right, score in self._inner_scores(outer, self._indexed(options)):
            chosen = np.flatnonzero(score >= floor)
            yield left[chosen], right[chosen], np.floor(score[chosen])

    def _inner_scores(self, outer: Ranked, rows: "_Rows") -> Iterator[tuple[Ints, Ints, NDArray[np.float64]]]:
        every = np.arange(len(self.terms.owner), dtype=np.int64)
        scorer, _ = rows.scorer(every, every)
        for left, right in self._sentence_pairs(outer):
            yield left, right, _core.pair_scores(scorer, left, right, self.options.threads or 0)

    def _sentence_pairs(self, outer: Ranked) -> Iterator[tuple[Ints, Ints]]:
        """All sentence pairs inside the paragraph pairs, in blocks."""
        first = self.terms.first
        sizes = np.diff(first)
        counts = sizes[outer.left] * sizes[outer.right]
        begin = 0
        ends = np.cumsum(counts)
        while begin < len(outer):
            done = ends[begin - 1] if begin else 0
            end = max(int(np.searchsorted(ends, done + _BLOCK, side="right")), begin + 1)
            here = slice(begin, end)
            pair = np.repeat(np.arange(begin, end), counts[here])
            inner = np.arange(len(pair)) - np.repeat(np.cumsum(counts[here]) - counts[here], counts[here])
            width = sizes[outer.right[pair]]
            yield first[outer.left[pair]] + inner // width, first[outer.right[pair]] + inner % width
            begin = end


def _merge(kept: list[tuple[Ints, Ints, NDArray[np.float64]]]) -> tuple[Ints, Ints, NDArray[np.float64]]:
    if not kept:
        empty = np.zeros(0, dtype=np.int64)
        return empty, empty, np.zeros(0)
    left, right, score = (np.concatenate(parts) for parts in zip(*kept, strict=True))
    return left, right, score


@dataclass(frozen=True, slots=True)
class _Rows:
    """Weighted rows of all units or sentences for one list; with phrases counted pair by pair, their rows too."""

    rows: Csr
    cosine: bool = False
    factor: float | None = None
    phrases: Phrases | None = None
    bound: Csr | None = None

    @classmethod
    def of(cls, terms: Terms, options: ListOptions) -> "_Rows":
        """Index units or sentences as the options say."""
        sentences = terms.sentences
        if options.best_terms is not None:
            units = terms.paragraphs.counts()
            idf = inverse(frequencies(units, len(terms.analyser)), len(terms.active))
            sentences = keep_terms(sentences, best_occurrences(terms, idf, options.best_terms))
        paragraphs = options.scope == "paragraph"
        rows = terms.by_paragraph(sentences) if paragraphs else sentences
        found = None
        if options.phrases:
            found = paragraph_phrases(terms, sentences) if paragraphs else phrases(terms.analyser, sentences)
        if options.measure != "matches":
            csr = (with_phrases(rows, found) if found else rows).counts()
            if options.measure == "tf":
                return cls(csr)
            # Frequencies are of the full index, so that a term weighs the same whether it is among the best or not.
            whole = terms.paragraphs if paragraphs else terms.sentences
            if found:
                every = paragraph_phrases(terms, terms.sentences) if paragraphs else phrases(terms.analyser, whole)
                whole = with_phrases(whole, every)
            seen = frequencies(whole.counts(), len(terms.analyser))
            return cls(tfidf(csr, inverse(seen, len(whole))), cosine=paragraphs)
        size = len(terms.analyser)
        ranked, factor = ranked_matches(rows.counts(), size)
        if found is None:
            return cls(ranked, factor=factor)
        # All adjacent pairs, each once, are the upper bound of those that count when two texts are compared.
        every_phrase = _set_of(found)
        return cls(ranked, False, factor, found, _side_by_side(ranked, every_phrase, 2 * size))

    def scorer(self, lefts: Ints, rights: Ints) -> tuple[_core.PairScorer, _core.DotScorer | None]:
        """Return a scorer of some rows against others, and its upper bound where it needs one."""
        dot = _core.DotScorer(as_rows(take(self.rows, lefts)), as_rows(take(self.rows, rights)))
        if self.phrases is None or self.bound is None:
            return dot, None
        left, right = _phrase_rows(self.phrases, lefts), _phrase_rows(self.phrases, rights)
        bound = _core.DotScorer(as_rows(take(self.bound, lefts)), as_rows(take(self.bound, rights)))
        return _core.PhraseScorer(dot, left, right, "matches"), bound

    def ranked(self, scope: str, left: Ints, right: Ints, score: NDArray[np.float64]) -> Ranked:
        """Return a list; matches and tf are taken apart again."""
        if self.factor is None:
            return Ranked(scope, left, right, score, cosine=self.cosine)
        matches = np.floor(score)
        return Ranked(scope, left, right, matches, (score - matches) / self.factor)


def _phrase_rows(found: Phrases, chosen: Ints) -> _core.PhraseRows:
    sizes = np.diff(found.indptr)[chosen]
    indptr = np.concatenate(([0], np.cumsum(sizes))).astype(np.int64)
    at = np.repeat(found.indptr[chosen] - indptr[:-1], sizes) + np.arange(indptr[-1])
    return _core.PhraseRows(indptr, found.phrases[at], found.positions[at])


def _set_of(found: Phrases) -> Csr:
    indptr, ids, counts = _core.count_rows(found.indptr, found.phrases)
    return indptr, ids, np.ones(len(counts))


def _side_by_side(a: Csr, b: Csr, shift: int) -> Csr:
    """Rows with the features of both; those of b are numbered behind ``shift``."""
    owner = np.concatenate([np.repeat(np.arange(len(part[0]) - 1), np.diff(part[0])) for part in (a, b)])
    ids = np.concatenate([a[1], b[1] + np.int32(shift)])
    order = np.lexsort((ids, owner))
    return a[0] + b[0], ids[order], np.concatenate([a[2], b[2]])[order]
