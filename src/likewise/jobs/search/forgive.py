"""Typing errors: a word that no text of the index has is read as the most similar word that some text has.

Spectra forgive typing errors by themselves, since parts of words match. Measures that count whole words do not: there
the words of the index are themselves an index, searched by spectra, and the query is read with what it finds. A hit's
``reading`` says what was read.
"""

from typing import TYPE_CHECKING

import numpy as np

from likewise.join.lists import DotFamily
from likewise.measure import Spectra

if TYPE_CHECKING:
    from likewise.join.index import Index, State

# Below this two words are hardly the same word; chosen on made-up errors in five collections (docs/design/search.md).
LEAST_ALIKE = 0.5
_LONGEST = 40
# A query with more unknown words than this is no slip of the fingers; they are left as they are.
MOST_WORDS = 64
_REMEMBERED = 10_000


class Speller:
    """The words of one state of an index, found by what they look like."""

    def __init__(self, index: "Index", state: "State") -> None:
        from likewise.join.index import Index as Words

        family = index.family
        assert isinstance(family, DotFamily)
        counts: dict[str, int] = {}
        for segment in state.segments:
            names = family.names(segment.arrays)
            sizes = np.diff(segment.arrays["indptr"]).tolist()
            for name, size in zip(names, sizes, strict=True):
                counts[name] = counts.get(name, 0) + size
        # Frequent words first: of equally similar ones the first is taken.
        words = sorted(counts, key=lambda word: (-counts[word], word))
        self.known = counts
        self.words = [word for word in words if " " not in word and len(word) <= _LONGEST]
        self._found: dict[str, str | None] = {}
        self.index = Words.build(self.words, measure=Spectra(q=(1, 3), padding="single", weights="c"))

    def nearest(self, word: str) -> str | None:
        """Return the most similar word, or ``None`` if none is similar enough."""
        if word not in self._found:
            if len(self._found) >= _REMEMBERED:
                self._found.clear()
            found = self.index.match([word[:_LONGEST]], top=1, min_score=LEAST_ALIKE, threads=1).to_arrow()
            self._found[word] = self.words[found.column("right")[0].as_py()] if found.num_rows else None
        return self._found[word]


def forgiven(index: "Index", state: "State", text: str) -> str:
    """Return a text with words that the index does not have replaced by the most similar ones that it has."""
    analyser, family = index.measure.analyser, index.family
    if not isinstance(family, DotFamily):
        return text
    unknown = [
        (term, span)
        for term, span in analyser.terms([text], positions=True).spans(0)
        if not any(segment.lists.list(term)[1] for segment in state.segments)
    ]
    if not unknown or len(unknown) > MOST_WORDS:
        return text
    speller = speller_of(index, state)
    parts, at = [], 0
    for term, span in unknown:
        word = speller.nearest(analyser.term(term))
        if word is not None:
            parts += [text[at : span.start], word]
            at = span.end
    return "".join([*parts, text[at:]])


def speller_of(index: "Index", state: "State") -> Speller:
    """Return the speller of a state, made when it is first needed."""
    known = index.kept.get("speller")
    if known is None or known[0] is not state:
        known = index.kept["speller"] = (state, Speller(index, state))
    speller: Speller = known[1]
    return speller
