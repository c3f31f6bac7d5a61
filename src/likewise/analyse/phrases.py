"""Phrases: pairs of significant terms that stand side by side.

All adjacent pairs of a text are indexed, in order; that a word serves only one phrase is decided when two texts are
compared. A pair is adjacent if no word, dropped ones included, and no sentence end stands between its terms; with
``skip_dropped`` stop words between them do not count.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from likewise.analyse.analyser import Analyser, TermRows, chosen_rows
from likewise.errors import InputError


@dataclass(frozen=True, slots=True)
class Phrases:
    """For each text its phrases by id, and the place of each phrase's first word among the row's terms."""

    indptr: NDArray[np.int64]
    phrases: NDArray[np.int32]
    positions: NDArray[np.int64]

    def take(self, chosen: NDArray[np.int64]) -> "Phrases":
        """Return those of some texts, in the order of ``chosen``."""
        indptr, at = chosen_rows(self.indptr, chosen)
        return Phrases(indptr, self.phrases[at], self.positions[at])


def phrases(
    analyser: Analyser, rows: TermRows, texts: Sequence[str] | None = None, *, skip_dropped: bool = False
) -> Phrases:
    """Return the phrases of rows that were analysed with positions.

    Sentence ends are looked for in ``texts``; without them each row counts as one sentence. A phrase is interned in the
    analyser's vocabulary as its two terms with a space between, which no term contains.

    >>> analyser = Analyser()
    >>> texts = ["Exact match. Match exact"]
    >>> found = phrases(analyser, analyser.terms(texts, positions=True), texts)
    >>> [analyser.term(p) for p in found.phrases]
    ['exact match', 'match exact']
    """
    if rows.tokens is None or rows.starts is None:
        raise InputError("phrases need rows that were analysed with positions")
    size = len(rows.terms)
    if size < 2:
        empty = np.zeros(len(rows) + 1, dtype=np.int64)
        return Phrases(empty, np.zeros(0, np.int32), np.zeros(0, np.int64))
    owner = np.repeat(np.arange(len(rows)), np.diff(rows.indptr))
    adjacent = owner[1:] == owner[:-1]
    if not skip_dropped:
        adjacent &= np.diff(rows.tokens) == 1
    if texts is not None:
        sentence = _sentence_numbers(texts, rows, owner)
        adjacent &= sentence[1:] == sentence[:-1]
    first = np.flatnonzero(adjacent)
    pairs = rows.terms[first].astype(np.int64) << 32 | rows.terms[first + 1]
    distinct, inverse = np.unique(pairs, return_inverse=True)
    # New phrases get their ids in the order of first appearance, like words.
    _, appearance = np.unique(pairs, return_index=True)
    order = np.argsort(appearance, kind="stable")
    ids = np.empty(len(distinct), dtype=np.int32)
    ids[order] = analyser.intern(
        [f"{analyser.term(pair >> 32)} {analyser.term(pair & 0x7FFFFFFF)}" for pair in distinct[order].tolist()]
    )
    indptr = np.searchsorted(first, rows.indptr)
    return Phrases(indptr.astype(np.int64), ids[inverse], first.astype(np.int64))


def _sentence_numbers(texts: Sequence[str], rows: TermRows, owner: NDArray[np.int64]) -> NDArray[np.int64]:
    """For each term the number of the sentence it is in, counted within its text."""
    assert rows.starts is not None
    numbers = np.zeros(len(rows.terms), dtype=np.int64)
    for i, text in enumerate(texts):
        begin, end = rows.indptr[i], rows.indptr[i + 1]
        if end - begin > 1:
            numbers[begin:end] = np.searchsorted(sentence_starts(text), rows.starts[begin:end], side="right")
    return numbers


def sentence_starts(text: str) -> list[int]:
    """Return the character offsets at which the second and later sentences begin."""
    if not any(mark in text for mark in ".!?\n…。！？।॥"):  # the common case of a name or a title
        return []
    from likewise.segment.sentences import sentences

    return [span.start for span in sentences(text)[1:]]
