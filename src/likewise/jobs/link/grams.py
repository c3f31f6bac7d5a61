"""Runs of one to four words of a book that may be terms, with where they stand."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from likewise.jobs.link.sentences import SentenceTerms
from likewise.jobs.link.vectors import Ints
from likewise.results.units import Book

LONGEST = 4
LEAST = 2
# A word that touches one of these is part of a name, a path or a hyphenated word, and no word by itself.
_BEFORE, _BEHIND = frozenset("-_/\\.$@%&#=+<"), frozenset("-_/\\@=(")


@dataclass(frozen=True, slots=True)
class Words:
    """The index terms of a book in reading order: stem, sentence, unit, document, and the span in the document.

    ``joined[i]``: nothing but white space or a hyphen stands between words i and i + 1. ``begins`` and ``ends``: a run
    may begin or end here.
    """

    stems: Ints
    sentence: Ints
    unit: Ints
    document: Ints
    start: Ints
    end: Ints
    title: NDArray[np.bool_]
    joined: NDArray[np.bool_]
    begins: NDArray[np.bool_]
    ends: NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Grams:
    """The runs of ``length`` words: where each occurrence begins among the words, by run, and which run it is."""

    length: int
    at: Ints
    run: Ints

    @property
    def count(self) -> int:
        """The number of distinct runs."""
        return int(self.run.max()) + 1 if len(self.run) else 0

    @property
    def first(self) -> Ints:
        """The first occurrence of each run."""
        return self.at[np.searchsorted(self.run, np.arange(self.count))]

    def of(self, run: int) -> Ints:
        """Return the occurrences of a run, in the order of the text."""
        first, last = np.searchsorted(self.run, (run, run + 1))
        return self.at[first:last]


def words_of(book: Book, terms: SentenceTerms) -> Words:
    """Return the words of a book, as far as they are index terms."""
    rows = terms.rows
    assert rows.starts is not None
    assert rows.ends is not None
    assert rows.tokens is not None
    sentence = np.repeat(np.arange(len(rows)), np.diff(rows.indptr))
    unit = terms.owner[sentence]
    shift = np.array([span.start for one in book.units for span in one.sentences], dtype=np.int64)[sentence]
    start, end = rows.starts + shift, rows.ends + shift
    document = np.array([one.document for one in book.units], dtype=np.int64)[unit]
    texts = [one.text for one in book.documents]
    joined, begins, ends = (np.zeros(len(unit), dtype=np.bool_) for _ in range(3))
    side_by_side = np.flatnonzero((sentence[1:] == sentence[:-1]) & (np.diff(rows.tokens) == 1))
    ends_of, starts_of = end[side_by_side].tolist(), start[side_by_side + 1].tolist()
    gaps = zip(document[side_by_side].tolist(), ends_of, starts_of, strict=True)
    joined[side_by_side] = [(gap := texts[one][a:b]) == "-" or gap.isspace() for one, a, b in gaps]
    places = list(zip(document.tolist(), start.tolist(), end.tolist(), strict=True))
    begins[:] = [not a or texts[one][a - 1] not in _BEFORE for one, a, _ in places]
    ends[:] = [texts[one][b : b + 1] not in _BEHIND for one, _, b in places]
    return Words(
        rows.terms.astype(np.int64), sentence, unit, document, start, end, terms.titles[sentence], joined, begins, ends
    )


def grams_of(words: Words) -> Iterator[Grams]:
    """Give the runs of one word, of two, and so on, that occur at least twice."""
    size = len(words.stems)
    before = np.unique(words.stems, return_inverse=True)[1].astype(np.int64)
    for length in range(1, min(LONGEST, size) + 1):
        if length > 1:
            # What is not a run of one word less cannot be part of a longer one.
            chain = np.zeros(size, dtype=np.bool_)
            chain[: size - length + 1] = words.joined[length - 2 : size - 1]
            at = np.flatnonzero((before >= 0) & chain)
            keys = before[at] << 32 | words.stems[at + length - 1]
            _, run, count = np.unique(keys, return_inverse=True, return_counts=True)
            before = np.full(size, -1, dtype=np.int64)
            before[at[count[run] >= LEAST]] = run[count[run] >= LEAST]
        at = np.flatnonzero(before >= 0)
        at = at[words.begins[at] & words.ends[at + length - 1]]
        _, run, count = np.unique(before[at], return_inverse=True, return_counts=True)
        kept = count[run] >= LEAST
        run = np.unique(run[kept], return_inverse=True)[1]
        by_run = np.argsort(run, kind="stable")
        yield Grams(length, at[kept][by_run], run[by_run])
