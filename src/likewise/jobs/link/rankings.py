"""Ranked lists of pairs, each made by the join engine as its :class:`ListOptions` say."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from likewise import _core
from likewise.jobs.link.allowed import Allowed
from likewise.jobs.link.joins import Here, Joins
from likewise.jobs.link.nearest import Kin, Neighbourhoods, choose, within_cap
from likewise.jobs.link.options import LinkOptions, ListOptions
from likewise.jobs.link.presets import PRESETS
from likewise.jobs.link.vectors import BookVectors, Ints, Vectors
from likewise.join import Pairs
from likewise.options import least_score
from likewise.results.units import Book

# What passages choose must be proven by a sentence pair with so many matches.
PROOF = 3
# Sentence pairs inside paragraph pairs are scored so many at a time.
_BLOCK = 1 << 20


@dataclass(frozen=True, slots=True)
class Ranked:
    """A ranked list: pairs of units or sentences (left before right), best first.

    ``cosine`` tells that the scores are cosines of paragraphs; ``tf`` goes with the score where that counts matches;
    ``min_matches`` is the number of matches that was asked for;
    ``sentences`` are, in a list of proposed paragraph pairs, the numbers of the sentence pair that proposed each.
    """

    scope: str
    left: Ints
    right: Ints
    score: NDArray[np.float64]
    tf: NDArray[np.float64] | None = None
    min_matches: int | None = None
    sentences: tuple[Ints, Ints] | None = None
    proposed: bool = False
    cosine: bool = False
    standout: NDArray[np.float64] | None = None
    strength: NDArray[np.float64] | None = None
    choices: tuple[Ints, Ints] | None = None

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
            standout=None if self.standout is None else self.standout[chosen],
            strength=None if self.strength is None else self.strength[chosen],
            choices=None if self.choices is None else (self.choices[0][chosen], self.choices[1][chosen]),
            sentences=None if self.sentences is None else (self.sentences[0][chosen], self.sentences[1][chosen]),
        )


class Rankings:
    """Makes the lists that ``known`` names over the vectors of a book; one that another needs is made once.

    Without the ``book`` all units count as one document without titles.
    """

    def __init__(
        self,
        vectors: BookVectors,
        options: LinkOptions,
        known: Mapping[str, ListOptions],
        *,
        n: int,
        book: Book | None = None,
        joins: Joins | None = None,
    ) -> None:
        self.terms = vectors.terms
        self.vectors = vectors
        self.options = options
        self.n = n
        self._known = known
        self._book = book
        self._split = None if book is None else book.split
        self._joins = joins or Here(options.threads)
        self._allowed = Allowed(options, len(self.terms.active), book, self._joins)
        self._made: dict[ListOptions, Ranked] = {}
        self.chosen: Kin | None = None

    @cached_property
    def near(self) -> Neighbourhoods:
        """The nearest passages of each passage."""
        return Neighbourhoods(self.vectors, self._split, self._joins)

    def make(self, name: str) -> Ranked:
        """Return the list of this name."""
        options = self._known[name]
        if options not in self._made:
            make = self._inside if options.within else self._nearest if options.nearest else self._overall
            self._made[options] = make(options)
        return self._made[options]

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

    def _nearest(self, options: ListOptions) -> Ranked:
        """The pairs that passages choose for themselves and sentences prove, strongest first."""
        assert options.nearest is not None
        assert self._book is not None
        assert self.options.min_strength is not None
        each = self.options.each or options.nearest
        chosen = choose(self.near, self.vectors, self._book, self._allowed, each, self.options)
        self.chosen = chosen
        found = Ranked(
            "paragraph",
            chosen.left,
            chosen.right,
            chosen.cosine,
            standout=chosen.standout,
            strength=chosen.strength,
            choices=chosen.choices,
        ).take(np.flatnonzero(chosen.strength >= self.options.min_strength))
        assert found.strength is not None
        proof = self.most_matches(found)
        minimum = self.options.min_matches or PROOF * self.options.spoken.terms_per_word
        # Of two languages the one with the fewer terms: words of another script are all that they can share.
        per_word = self.terms.per_word
        words = PROOF * np.minimum(per_word[found.left], per_word[found.right])
        least = self.options.min_matches or words
        order = np.lexsort((found.right, found.left, -found.strength))
        ordered = order[(proof >= least)[order]]
        most = self.options.most_links
        if most is not None:
            ordered = ordered[within_cap(found.left[ordered], found.right[ordered], most)]
        return replace(found.take(ordered), min_matches=minimum)

    def most_matches(self, pairs: Ranked) -> NDArray[np.float64]:
        """Return for each pair of units the matches of their best sentence pair, phrases counted."""
        best = np.zeros(len(pairs))
        for at, _, _, score in self._inner_scores(pairs, self.vectors.vectors(PRESETS["31"])):
            np.maximum.at(best, at, np.floor(score))
        return best

    def _overall(self, options: ListOptions) -> Ranked:
        """All units or sentences against all."""
        rows = self.vectors.vectors(options)
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
        if not len(lefts) or not len(rights):
            return self._cut(_ranked(rows, options.scope, Pairs.none()), self._minimum(options))
        minimum = self._minimum(options)
        min_score = self.options.min_score if options.measure == "tfidf" and options.scope == "paragraph" else None
        min_score = options.min_score if options.min_score is not None else min_score
        if isinstance(minimum, int) or min_score is not None:
            floor = float(minimum) if isinstance(minimum, int) else least_score(min_score)
            found = self._allowed.above(rows, lefts, rights, owner, floor)
        else:
            found = self._allowed.best(rows, lefts, rights, owner, self.n + (minimum == "auto"))
        return self._cut(_ranked(rows, options.scope, found), minimum)

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
        return replace(found.take(np.flatnonzero(found.score >= floor)), min_matches=floor)

    def _inside(self, options: ListOptions) -> Ranked:
        """Sentences of the paragraph pairs of another list, one from each."""
        outer = self.make(options.within or "")
        rows = self.vectors.vectors(options)
        minimum = self._minimum(options)
        wanted = self.n + 1 if minimum == "auto" or minimum is None else None
        floor = float(minimum) if isinstance(minimum, int) else 1.0
        kept: list[Pairs] = []
        count = 0
        for _, left, right, score in self._inner_scores(outer, rows):
            kept.append(Pairs(left, right, score).take(score >= floor))
            count += len(kept[-1])
            if wanted is not None and count > 4 * wanted + _BLOCK:
                merged = Pairs.together(kept)
                floor = float(np.floor(np.partition(merged.score, -wanted)[-wanted]))
                kept = [merged.take(merged.score >= floor)]
                count = len(kept[0])
        found = _ranked(rows, "sentence", Pairs.together(kept).by_score())
        return self._cut(found, minimum) if minimum is not None else found.head(self.n)

    def inner_scores(
        self, outer: Ranked, options: ListOptions, floor: float
    ) -> Iterator[tuple[Ints, Ints, NDArray[np.float64]]]:
        """Give, in blocks, the sentence pairs inside paragraph pairs that have ``floor`` matches, and how many."""
        for _, left, right, score in self._inner_scores(outer, self.vectors.vectors(options)):
            chosen = np.flatnonzero(score >= floor)
            yield left[chosen], right[chosen], np.floor(score[chosen])

    def _inner_scores(self, outer: Ranked, rows: Vectors) -> Iterator[tuple[Ints, Ints, Ints, NDArray[np.float64]]]:
        every = np.arange(len(self.terms.owner), dtype=np.int64)
        scorer, _ = rows.scorer(every, every)
        for pair, left, right in self._sentence_pairs(outer):
            yield pair, left, right, _core.pair_scores(scorer, left, right, self.options.threads or 0)

    def _sentence_pairs(self, outer: Ranked) -> Iterator[tuple[Ints, Ints, Ints]]:
        """All sentence pairs inside the paragraph pairs, in blocks: the number of the pair, and the sentences."""
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
            yield pair, first[outer.left[pair]] + inner // width, first[outer.right[pair]] + inner % width
            begin = end


def _ranked(vectors: Vectors, scope: str, found: Pairs) -> Ranked:
    """Return a list; matches and tf are taken apart again."""
    if vectors.tf_unit is None:
        return Ranked(scope, found.left, found.right, found.score, cosine=vectors.cosine)
    matches = np.floor(found.score)
    return Ranked(scope, found.left, found.right, matches, (found.score - matches) / vectors.tf_unit)
