"""Snippets: the piece of a text that shows best why it was found, with what to highlight in it."""

import re
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from likewise.measure import Spectra, TextMeasure
from likewise.measure.explanation import merge_spans
from likewise.measure.soft import SoftMeasure
from likewise.read.document import Span

# Words that share this much of their letter pairs with a word of the query are highlighted, where the measure lets
# similar words match.
_ALIKE = 0.55
# A text longer than this is looked at only in pieces around equal words, so that a book costs no more than a page.
_LONG = 200_000
# Larger than every term.
_NO_TERM = 1 << 62


@dataclass(frozen=True, slots=True)
class Snippet:
    """A piece of a text, and the spans in it to highlight.

    >>> Snippet("the red fish", 0, (Span(4, 7),)).marked("[", "]")
    'the [red] fish'
    """

    text: str
    start: int
    """Where the piece begins in the text."""
    highlights: tuple[Span, ...]
    before: bool = False
    """Whether something was left out before it."""
    after: bool = False

    def marked(self, opening: str = "**", closing: str = "**", ellipsis: str = "… ") -> str:
        """Return the piece with marks around what is highlighted."""
        parts, at = [ellipsis if self.before else ""], 0
        for span in self.highlights:
            parts += [self.text[at : span.start], opening, span.of(self.text), closing]
            at = span.end
        parts += [self.text[at:], ellipsis[::-1] if self.after else ""]
        return "".join(parts)


class _Found(NamedTuple):
    """Where words of a query stand in a text, in order: which word of the query, start and end."""

    word: NDArray[np.int64]
    start: NDArray[np.int64]
    end: NDArray[np.int64]


def highlights(measure: TextMeasure, query: str, text: str) -> list[tuple[int, Span]]:
    """Return where words of the query stand in a text: (which word of the query, span), in order."""
    columns = (column.tolist() for column in _find(measure, query, text))
    return [(word, Span(start, end)) for word, start, end in zip(*columns, strict=True)]


def _find(measure: TextMeasure, query: str, text: str) -> _Found:
    analyser = measure.analyser
    rows = analyser.terms([query, text[:_LONG]], positions=True)
    assert rows.starts is not None
    assert rows.ends is not None
    first = int(rows.indptr[1])
    wanted, found = dict.fromkeys(rows.terms[:first].tolist()), rows.terms[first:]
    number = {term: place for place, term in enumerate(wanted)}
    if isinstance(measure, Spectra | SoftMeasure):
        present = np.unique(found).tolist()
        alike = _most_alike([analyser.term(term) for term in present], [analyser.term(term) for term in wanted])
        number = {term: place for term, place in zip(present, alike, strict=True) if place >= 0} | number
    # A long article has thousands of words: nothing is done word by word.
    terms = np.array([*sorted(number), _NO_TERM], np.int64)
    words = np.array([number.get(term, -1) for term in terms.tolist()], np.int64)
    place = terms.searchsorted(found)
    at = (terms[place] == found).nonzero()[0]
    return _Found(words[place[at]], rows.starts[first:][at], rows.ends[first:][at])


def snippet(measure: TextMeasure, query: str, text: str, length: int = 240) -> Snippet:
    """Return the piece of a text, about ``length`` characters, that has most of the query's words.

    >>> from likewise.measure import Matches
    >>> snippet(Matches(), "blue fish", "A long tale. " * 30 + "The fish was blue.", 30).marked("[", "]")
    '… long tale. The [fish] was [blue].'
    """
    found = _find(measure, query, text)
    start, end = _window(text, found, length)
    # Pairs of characters overlap where a script has no spaces; what is marked does not.
    inside = (start <= found.start) & (found.start < found.end) & (found.end <= end)
    places = zip(found.start[inside].tolist(), found.end[inside].tolist(), strict=True)
    spans = merge_spans(Span(first - start, last - start) for first, last in places)
    return Snippet(text[start:end], start, spans, start > 0, end < len(text.rstrip()))


def _window(text: str, found: _Found, length: int) -> tuple[int, int]:
    """Return the stretch with most different words of the query, then most words, then the earliest."""
    if len(text) <= length or not len(found.word):
        return _whole_words(text, 0, min(length, len(text)))
    first = np.arange(len(found.word))
    last = np.maximum(np.searchsorted(found.end, found.start + length, side="right"), first + 1)
    different = np.zeros(len(first), np.int64)
    for word in np.unique(found.word):
        before = np.concatenate(([0], np.cumsum(found.word == word)))
        different += before[last] > before[first]
    best = int(np.argmax(different * (len(first) + 1) + last - first))
    choice = int(found.start[best]), int(found.end[last[best] - 1])
    room = max(0, length - (choice[1] - choice[0]))
    start = max(0, min(choice[0] - room // 2, len(text) - length))
    return _whole_words(text, start, min(len(text), max(start + length, choice[1])), choice)


def _whole_words(text: str, start: int, end: int, keep: tuple[int, int] | None = None) -> tuple[int, int]:
    """Move the ends of a stretch to the nearest gaps between words inside it, without losing what must stay."""
    first, last = keep or (end, start)
    if start > 0 and not text[start - 1].isspace():
        gap = re.compile(r"\s").search(text, start, min(end, start + 40))
        if gap and gap.end() <= first:
            start = gap.end()
    if end < len(text) and not text[end].isspace():
        gap_at = max(text.rfind(blank, max(start, end - 40), end) for blank in " \n\t")
        if gap_at >= max(last, start + 1):
            end = gap_at
    while start < end and text[start].isspace():
        start += 1
    return start, end


def _most_alike(words: list[str], wanted: list[str]) -> list[int]:
    """Return for each word which of the query's words is most alike (Dice of letter pairs), or -1.

    >>> _most_alike(["color", "harbour", "night"], ["harbor", "colour"])
    [1, 0, -1]
    """
    owner, pairs = _letter_pairs(words)
    sizes = np.bincount(owner, minlength=len(words))
    best, which = np.full(len(words), np.nextafter(_ALIKE, 0)), np.full(len(words), -1)
    for number, other in enumerate(wanted):
        own = _letter_pairs([other])[1]
        shared = np.bincount(owner[np.isin(pairs, own)], minlength=len(words))
        alike = 2 * shared / (sizes + len(own))
        better = alike > best
        best[better], which[better] = alike[better], number
    return which.tolist()


def _letter_pairs(words: list[str]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the different letter pairs of words, their ends included: the number of the word, and the pair."""
    codes = np.frombuffer("".join(f"<{word}>" for word in words).encode("utf-32-le"), np.uint32).astype(np.int64)
    owner = np.repeat(np.arange(len(words)), [len(word) + 2 for word in words])
    inside = owner[1:] == owner[:-1]
    pairs = (owner[1:] << 42 | codes[:-1] << 21 | codes[1:])[inside]
    different = np.unique(pairs)
    return different >> 42, different & ((1 << 42) - 1)
