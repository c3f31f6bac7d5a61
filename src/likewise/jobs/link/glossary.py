"""Entries of glossaries, and where the text uses their terms."""

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

import numpy as np

from likewise.analyse import Analyser
from likewise.jobs.link.grams import Words
from likewise.jobs.link.subjects import Finder, Occurrence
from likewise.jobs.link.vectors import Ints
from likewise.read import Span
from likewise.results.glossary import GlossaryEntry, Use
from likewise.results.subjects import REASONS
from likewise.results.units import Book

# "quota: the space …", "relay -- a host …"; a term alone has so many words at most.
_HEAD = re.compile(r"\W{0,2}([^:.;!?\n]{2,60}?)(?:\s*:\s+|\s+(?:--|[–—-])\s+)(?=\S)")
_MOST_WORDS = 5
_ASIDE = re.compile(r"\s*\([^)]*\)\s*$|[¶\s]+$")
# What stands in more of the sections than this is known to every reader: one link in a document is enough.
_EVERYWHERE = 0.2
_MOST = 5
_ENDINGS = frozenset(("", "s", "es", "e", "n", "en", "y", "ies"))


def tie(
    book: Book, entries: Mapping[str, int], words: Words, analyser: Analyser, finder: Finder
) -> tuple[GlossaryEntry, ...]:
    """Return the entries of the book's glossaries with their uses, in their order."""
    stems = _stems(analyser, list(entries))
    uses = _uses(book, words, stems)
    mentioned: dict[int, list[int]] = {}
    for name, found in uses.items():
        for use in found:
            unit = int(words.unit[use.at])
            if book.units[unit].role == "glossary" and unit != entries[name]:
                mentioned.setdefault(unit, []).append(entries[name])
    made = []
    for name, unit in entries.items():
        text = [one for one in uses.get(name, ()) if book.units[int(words.unit[one.at])].role != "glossary"]
        places = finder.places(text, len(stems[name].stems), _MOST) if text else ()
        treated = tuple(place for place in places if place.why != REASONS[-1])
        see = tuple(dict.fromkeys(mentioned.get(unit, ())))[:_MOST]
        made.append(GlossaryEntry(name, unit, tuple(_first_uses(book, words, finder.sections, text)), treated, see))
    return tuple(made)


def explained(book: Book) -> Iterator[tuple[str, int]]:
    """Give the terms of glossaries, each with the passage that explains it; the first of several of one name."""
    known: set[str] = set()
    units = book.units
    waiting: tuple[str, int] | None = None
    for number, unit in enumerate(units):
        if unit.role != "glossary":
            waiting = None
            continue
        passage = book.passages[unit.document][unit.passage]
        text = passage.span.of(book.documents[unit.document].text)
        set_off = next((mark.span for mark in passage.marks if mark.kind == "strong"), None)
        head = _HEAD.match(text)
        name, waits = "", False
        if waiting is not None and waiting[1] == unit.document:
            name = waiting[0]
        elif len(text.split()) <= _MOST_WORDS and not text.rstrip().endswith((".", ":", "!", "?")):
            waits = True
        elif set_off is not None and set_off.start - passage.span.start <= 2:
            name = set_off.of(book.documents[unit.document].text)
        elif head and len(head[1].split()) <= _MOST_WORDS:
            name = head[1]
        elif unit.title_sentences and len(unit.titles) > 1:
            name = unit.titles[-1]
        waiting = (text, unit.document) if waits else None
        name = " ".join(_ASIDE.sub("", name).strip(":–—. ").split())
        if name and any(one.isalpha() for one in name) and name.lower() not in known:
            known.add(name.lower())
            yield name, number


class _Key(NamedTuple):
    """A term as it is looked for: its stems, and its words from the first that is no stop word to the last."""

    stems: tuple[int, ...]
    text: str


def _stems(analyser: Analyser, names: list[str]) -> dict[str, _Key]:
    """What names are looked for by; those of stop words alone are not."""
    rows = analyser.terms(names, positions=True)
    assert rows.starts is not None
    assert rows.ends is not None
    found = {}
    for n, name in enumerate(names):
        first, last = int(rows.indptr[n]), int(rows.indptr[n + 1])
        if first < last:
            start, end = int(rows.starts[first]), int(rows.ends[last - 1])
            words = [word for word in re.finditer(r"\S+", name) if word.end() > start and word.start() < end]
            text = name[words[0].start() : words[-1].end()]
            found[name] = _Key(tuple(rows.terms[first:last].tolist()), text)
    return found


def _uses(book: Book, words: Words, stems: dict[str, _Key]) -> dict[str, list[Occurrence]]:
    """Where the terms stand, a word for one term only: the longest that it can be part of."""
    found: dict[str, list[Occurrence]] = {}
    taken = np.zeros(len(words.stems), dtype=np.bool_)
    for name, (key, wanted) in sorted(stems.items(), key=lambda one: (-len(one[1].stems), one[0])):
        size = len(key)
        at = np.flatnonzero(words.stems[: max(len(words.stems) - size + 1, 0)] == key[0])
        for n in range(1, size):
            at = at[words.stems[at + n] == key[n]]
        last = at + size - 1
        at = at[words.begins[at] & words.ends[last] & (words.sentence[at] == words.sentence[last])]
        for first in at[~taken[at]].tolist():
            span = Span(int(words.start[first]), int(words.end[first + size - 1]))
            text = span.of(book.documents[int(words.document[first])].text)
            if _is_form(text, wanted):
                taken[first : first + size] = True
                found.setdefault(name, []).append(Occurrence(first, span.start, span.end))
    return found


def _is_form(text: str, name: str) -> bool:
    """Tell whether words are a term, singular or plural: an importer is no import. Abbreviations are written as such.

    >>> [_is_form(text, "data class") for text in ("Data classes", "data-class", "data classified", "data")]
    [True, True, False, False]
    """
    if text[:2].isupper() != name[:2].isupper() and not name[1:].islower():
        return False
    left, right = (re.split(r"[\s-]+", one.lower()) for one in (text, name))
    return len(left) == len(right) and all(map(_is_ending, left, right))


def _is_ending(one: str, other: str) -> bool:
    """Whether two words are the same but for an ending of number."""
    same = next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    return {one[same:], other[same:]} <= _ENDINGS


def _first_uses(book: Book, words: Words, sections: Ints, uses: list[Occurrence]) -> Iterator[Use]:
    """The first use in each section, titles apart; in each document, if the term is used everywhere."""
    units = [int(words.unit[use.at]) for use in uses]
    homes = [int(sections[unit]) for unit in units]
    if len(set(homes)) > max(_EVERYWHERE * len(np.unique(sections)), _MOST):
        homes = [book.units[unit].document for unit in units]
    seen: set[int] = set()
    for use, unit, home in zip(uses, units, homes, strict=True):
        if home not in seen and book.units[unit].role == "body" and not words.title[use.at]:
            seen.add(home)
            yield Use(unit, Span(use.start, use.end))
