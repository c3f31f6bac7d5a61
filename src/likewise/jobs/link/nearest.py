"""The related passages of each passage: of its nearest ones the few that stand out, one from each section.

One cut through all pairs of a book spends its links on what is short and formulaic, because only such pairs have high
cosines. So each passage chooses for itself. Of its :data:`NEAREST` nearest by tf·idf cosine the best are those

* that lie in a section which is about the same thing, too: the cosine with the section counts like that with the
  passage itself;
* that have many words in common, and not just a few rare ones;
* whose section has several of the nearest;
* that are not close to everything: half of what a passage has with its own nearest ones is taken off;
* that stand in another section, and of each section only one: a reader who is sent there sees the others.

How strong a link is, is told by the same things of both passages: readers found what holds for both sides right. There
a crowd takes nothing off, for what a book treats in many places is what its readers look up, unless it is so close that
these are texts of one form.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from likewise import _core
from likewise.analyse import TermRows
from likewise.analyse.words import has_no_spaces
from likewise.jobs.link.allowed import Allowed
from likewise.jobs.link.joins import Joins
from likewise.jobs.link.options import LinkOptions, ListOptions
from likewise.jobs.link.sentences import terms_of
from likewise.jobs.link.vectors import BookVectors, Ints
from likewise.results.linked_book import Choices, Link
from likewise.results.units import Book

NEAREST = 50
# The mean of this many nearest says how close a passage is to any.
CROWD = 10
# A long text under one title, or under none, is taken as sections of so many passages.
SECTION = 60
# How often the words of a section's own title, and of the titles above that, count in it.
OWN_TITLE, HIGHER_TITLES = 12, 4
# What the logarithm of the number of shared terms weighs in a choice, and in the strength of a link.
SHARED_IN_CHOICE, SHARED_IN_STRENGTH = 0.2, 0.5
# What the logarithm of the number of passages of one section among the nearest weighs in a choice.
SECTION_IN_CHOICE = 0.1
# Passages that have more than this with their ten nearest are of one form, and so many times the rest is taken off.
FAMILY, FORM = 0.45, 3.0
# A link is as strong as this, in a text of so many passages; among fewer there is less to tell what is rare.
ENOUGH, PASSAGES = 1.65, 100
# What is taken off a link inside one document of several: its reader is there already.
SAME_DOCUMENT = 0.2
# And where one stands under the titles of the other: the text before the parts of a page says what they are about.
SAME_BRANCH = 1.0


@dataclass(frozen=True, slots=True)
class Kin:
    """Pairs that passages chose; ``standout`` is by how much the cosine exceeds what both have with their nearest.

    ``strength`` adds to the cosine those of each passage with the other's section, and what they share, rare terms
    most. ``choices`` are the place of the pair among what the left passage chose, and among what the right one
    did, from 1; 0 where only the other chose it.
    """

    left: Ints
    right: Ints
    cosine: NDArray[np.float64]
    standout: NDArray[np.float64]
    strength: NDArray[np.float64]
    choices: tuple[Ints, Ints]

    def by_passage(self, links: Iterable[Link]) -> Choices:
        """Return what each passage chose, and whether that is among the links."""
        count = int(self.right.max(initial=0)) + 1
        made = np.array([link.left * count + link.right for link in links], dtype=np.int64)
        linked = np.isin(self.left * count + self.right, made)
        sides = ((self.left, self.right, self.choices[0]), (self.right, self.left, self.choices[1]))
        passage, other, place = (np.concatenate(both) for both in zip(*sides, strict=True))
        order = np.lexsort((place, passage))
        order = order[place[order] > 0]
        pair = order % len(self.left)
        return Choices(passage[order], other[order], place[order], self.strength[pair], linked[pair])


class Neighbourhoods:
    """The nearest passages of each passage, found once."""

    def __init__(self, vectors: BookVectors, split: int | None, joins: Joins) -> None:
        self._vectors = vectors
        active = np.flatnonzero(vectors.terms.active)
        sides: list[tuple[Ints, Ints]] = [(active, active)]
        if split is not None:
            lefts, rights = active[active < split], active[active >= split]
            sides = [(lefts, rights), (rights, lefts)]
        found = []
        self.crowd = np.zeros(len(vectors.terms.active))
        for here, there in sides:
            if len(here) and len(there):
                near = joins.top(vectors.paragraphs, here, there, NEAREST)
                rank = np.arange(len(near)) - np.searchsorted(near.left, near.left)
                first = rank < CROWD
                self.crowd[here] = np.bincount(near.left[first], near.score[first], minlength=len(here)) / CROWD
                found.append((here[near.left], there[near.right], near.score))
        self.left: Ints = np.concatenate([np.zeros(0, dtype=np.int64), *(part[0] for part in found)])
        self.right: Ints = np.concatenate([np.zeros(0, dtype=np.int64), *(part[1] for part in found)])
        self.cosine: NDArray[np.float64] = np.concatenate([np.zeros(0), *(part[2] for part in found)])

    def standouts(self, left: Ints, right: Ints, cosine: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return for each pair its cosine less the mean of both passages' cosines with their nearest."""
        return cosine - (self.crowd[left] + self.crowd[right]) / 2


class _Likeness:
    """What pairs of passages have in common beyond their cosine."""

    def __init__(self, vectors: BookVectors, book: Book, options: LinkOptions) -> None:
        self.sections = sections_of(book)
        self._titles = [unit.titles for unit in book.units]
        self.homes = np.array([unit.document for unit in book.units], dtype=np.int64)
        # What a section is about is asked of each word of the passage once, however often the passage repeats it.
        once = vectors.vectors(ListOptions(measure="idf"))
        rows = vectors.paragraphs.measure.prepare(section_rows(vectors, book, self.sections, options))
        self._about = _core.DotScorer(once.rows.left, rows.right)
        counts = vectors.vectors(ListOptions(measure="matches"))
        self._shared = _core.DotScorer(counts.rows.left, counts.rows.right)
        self._rare = _core.DotScorer(*_rarities(vectors))

    def branches(self, left: Ints, right: Ints) -> NDArray[np.bool_]:
        """Tell which pairs of one document have titles of which those of one passage are the first of the other's."""
        paths = ((self._titles[a], self._titles[b]) for a, b in zip(left.tolist(), right.tolist(), strict=True))
        return np.array([bool(a and b) and (a[: len(b)] == b or b[: len(a)] == a) for a, b in paths], dtype=np.bool_)

    def about(self, left: Ints, right: Ints) -> NDArray[np.float64]:
        """Return for each pair the cosine of the left passage with the section of the right one."""
        return _core.pair_scores(self._about, left, self.sections[right], 0)

    def shared(self, left: Ints, right: Ints) -> NDArray[np.float64]:
        """Return for each pair the logarithm of the number of terms that both have."""
        found: NDArray[np.float64] = np.log1p(np.floor(_core.pair_scores(self._shared, left, right, 0)))
        return found

    def rare(self, left: Ints, right: Ints) -> NDArray[np.float64]:
        """Return for each pair the logarithm of the number of terms that both have, each as far as it is rare."""
        found: NDArray[np.float64] = np.log1p(_core.pair_scores(self._rare, left, right, 0))
        return found


def _rarities(vectors: BookVectors) -> tuple[_core.Rows, _core.Rows]:
    """Terms of passages, each weighing from nearly 0 for one that all have to 1 for one that a single passage has.

    Pairs of characters share that among those of a word: what words are is the same in all languages.
    """
    terms = vectors.terms
    indptr, ids, _ = terms.by_paragraph().counts()
    passages = len(indptr) - 1
    rarity = np.log1p(passages / np.maximum(np.bincount(ids), 1)) / np.log1p(max(passages, 1))
    weights = rarity[ids]
    if np.any(terms.per_word > 1):
        spelled = terms.analyser.vocabulary.terms()[: len(rarity)]
        pairs = np.array([has_no_spaces(term) for term in spelled], dtype=np.bool_)
        # Pages of which only some paragraphs are translated count as the others do.
        per_word = np.where(terms.per_word > 1, terms.per_word, terms.per_word.max())
        weights = weights / np.where(pairs[ids], np.repeat(per_word, np.diff(indptr)), 1)
    return _core.Rows(indptr, ids, weights), _core.Rows(indptr, ids, np.ones(len(ids)))


def choose(
    near: Neighbourhoods, vectors: BookVectors, book: Book, allowed: Allowed, each: int, options: LinkOptions
) -> Kin:
    """Return the pairs in which one passage is among the ``each`` best of the other."""
    alike = _Likeness(vectors, book, options)
    sections = alike.sections
    left, right, cosine = near.left, near.right, near.cosine
    places = titled_places(book, sections)
    kept = np.flatnonzero((places[left] != places[right]) & allowed.allowed(left, right))
    left, right, cosine = left[kept], right[kept], cosine[kept]
    kinship = cosine + alike.about(left, right) + SHARED_IN_CHOICE * alike.shared(left, right) - near.crowd[right] / 2
    aims = left * (sections.max(initial=0) + 1) + sections[right]
    _, of, many = np.unique(aims, return_inverse=True, return_counts=True)
    kinship += SECTION_IN_CHOICE * np.log(many[of])
    order = np.lexsort((right, -kinship, left))
    left, right, cosine = left[order], right[order], cosine[order]
    # The first of each section, then the first few of each passage.
    _, first = np.unique(aims[order], return_index=True)
    first.sort()
    place = np.arange(len(first)) - np.searchsorted(left[first], left[first])
    few = place < each
    chosen = first[few]
    return _pairs(near, alike, left[chosen], right[chosen], cosine[chosen], place[few] + 1)


def _pairs(
    near: Neighbourhoods, alike: _Likeness, left: Ints, right: Ints, cosine: NDArray[np.float64], place: Ints
) -> Kin:
    """Each pair once, the smaller number left, whether one or both chose it."""
    turned = left > right
    low, high = np.where(turned, right, left), np.where(turned, left, right)
    keys, at, of = np.unique(low * (len(near.crowd) + 1) + high, return_index=True, return_inverse=True)
    choices = np.zeros((2, len(keys)), dtype=np.int64)
    choices[turned.astype(np.int64), of] = place
    low, high, cosine = low[at], high[at], cosine[at]
    strength = cosine + alike.about(low, high) + alike.about(high, low) + SHARED_IN_STRENGTH * alike.rare(low, high)
    family = FORM * np.maximum(near.crowd - FAMILY, 0)
    strength -= family[low] + family[high]
    if alike.homes.any():
        same = np.flatnonzero(alike.homes[low] == alike.homes[high])
        strength[same] -= SAME_DOCUMENT + SAME_BRANCH * alike.branches(low[same], high[same])
    return Kin(low, high, cosine, near.standouts(low, high, cosine), strength, (choices[0], choices[1]))


def enough(passages: int) -> float:
    """Return the strength that makes a link where none was asked for.

    >>> [round(enough(passages), 2) for passages in (2, 10, 100, 10_000)]
    [0.25, 0.82, 1.65, 1.65]
    """
    return ENOUGH * min(1.0, math.log(max(passages, 1)) / math.log(PASSAGES))


def within_cap(left: Ints, right: Ints, most: int) -> Ints:
    """Return the places of the pairs, best first, that leave no passage with more than ``most`` of them."""
    count = np.zeros(int(max(left.max(initial=-1), right.max(initial=-1))) + 1, dtype=np.int64)
    kept = []
    for at, (a, b) in enumerate(zip(left.tolist(), right.tolist(), strict=True)):
        if count[a] < most and count[b] < most:
            kept.append(at)
            count[a] += 1
            count[b] += 1
    return np.array(kept, dtype=np.int64)


def sections_of(book: Book) -> Ints:
    """Return the number of each unit's section: what stands under one title, or so many passages of it."""
    numbers = np.zeros(len(book.units), dtype=np.int64)
    before = -1
    number, size = -1, 0
    for i, here in enumerate(book.sections().tolist()):
        if here != before or size == SECTION:
            number, size = number + 1, 0
        before, size = here, size + 1
        numbers[i] = number
    return numbers


def titled_places(book: Book, sections: Ints) -> Ints:
    """Return the number of each unit's place: all that stands under one title, however long; else its section."""
    titled = np.array([bool(unit.titles) for unit in book.units], dtype=np.bool_)
    return np.where(titled, sections[book.sections()], sections)


def section_rows(vectors: BookVectors, book: Book, sections: Ints, options: LinkOptions) -> TermRows:
    """Return the terms of each section: those of its passages, and its titles."""
    first = np.searchsorted(sections, np.arange(sections.max(initial=-1) + 2))
    texts = vectors.terms.by_paragraph()
    titles = [book.units[unit].titles for unit in first[:-1]]
    spoken, analyser = vectors.terms.spoken[first[:-1]], vectors.terms.analyser
    own = terms_of([" ".join(path[-1:]) for path in titles], spoken, analyser, options)
    higher = terms_of([" ".join(path[:-1]) for path in titles], spoken, analyser, options)
    parts = [TermRows(texts.indptr[first], texts.terms), *[own] * OWN_TITLE, *[higher] * HIGHER_TITLES]
    owner = np.concatenate([np.repeat(np.arange(len(part)), np.diff(part.indptr)) for part in parts])
    order = np.argsort(owner, kind="stable")
    indptr = np.concatenate(([0], np.cumsum(np.bincount(owner, minlength=len(titles))))).astype(np.int64)
    return TermRows(indptr, np.concatenate([part.terms for part in parts])[order])
