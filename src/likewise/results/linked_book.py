"""Links between passages as values: the book and its units, what a link is, and all that is known of a set of them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from likewise.read import Skipped, Span
from likewise.results.glossary import GlossaryEntry
from likewise.results.sentence_list import SentenceList
from likewise.results.subjects import SubjectIndex
from likewise.results.units import Book, Unit


@dataclass(frozen=True, slots=True)
class SentencePair:
    """Two sentences that match: their numbers in the passages, and how many terms and phrases they share."""

    left: int
    right: int
    matches: int


@dataclass(frozen=True, slots=True)
class Shared:
    """A term or phrase that both passages have, with its spans in the two documents."""

    term: str
    left: tuple[Span, ...]
    right: tuple[Span, ...]


class Evidence(Protocol):
    """What tells why two units are linked."""

    def spans(self, unit: int) -> dict[int, list[Span]]:
        """Return the index terms of a unit with their spans in the document, in the order of the text."""

    def shared(self, left: int, right: int) -> tuple[Shared, ...]:
        """Return the terms that both units have, then the phrases, each in the order of the left text."""


class BackMatter(Protocol):
    """What stands at the end of a book, made when it is first asked for."""

    @property
    def subjects(self) -> SubjectIndex:
        """The subject index of the book."""

    @property
    def glossary(self) -> tuple[GlossaryEntry, ...]:
        """What the book's glossaries explain, and where that is used."""


@dataclass(frozen=True, slots=True)
class Vote:
    """What one list says of a pair: its rank there, from 1, and its score."""

    rank: int
    score: float


@dataclass(frozen=True, slots=True)
class Link:
    """Two passages that treat the same subject; ``left`` and ``right`` number the units of the book.

    ``standout`` is by how much the score exceeds what the two passages have with their nearest ones, where that is
    known; ``strength`` is what links that passages chose for themselves are ordered by. ``choices`` are the place that
    the link has among what the left passage chose for itself, and among what the right one did, from 1; ``None`` for a
    passage that the other one chose.
    """

    left: int
    right: int
    score: float
    rank: int
    votes: Mapping[str, Vote] = field(default_factory=dict)
    sentences: tuple[SentencePair, ...] = ()
    strongest: bool = False
    copy: bool = False
    neighbours: bool = False
    standout: float | None = None
    strength: float | None = None
    choices: tuple[int | None, int | None] = (None, None)


@dataclass(frozen=True, slots=True)
class Choice:
    """A passage that another one chose: its place there, from 1, how strong the pair is, and whether it is a link."""

    other: int
    place: int
    strength: float
    linked: bool


@dataclass(frozen=True, slots=True)
class Choices:
    """What every passage chose for itself, by passage and place, whether strong enough for a link or not."""

    passage: NDArray[np.int64]
    other: NDArray[np.int64]
    place: NDArray[np.int64]
    strength: NDArray[np.float64]
    linked: NDArray[np.bool_]

    def of(self, passage: int) -> list[Choice]:
        """Return what one passage chose, best first."""
        start, end = np.searchsorted(self.passage, (passage, passage + 1))
        here = slice(int(start), int(end))
        values = (column[here].tolist() for column in (self.other, self.place, self.strength, self.linked))
        return [Choice(*row) for row in zip(*values, strict=True)]


@dataclass(frozen=True, slots=True, repr=False)
class LinkedBook:
    """The links of a book or corpus, best first, with the passages they join.

    ``options`` are those of the run as plain values; ``lists`` says of every list that was made how many pairs it has
    and the number of matches it asked for; ``notes`` what there is to say, such as why there are no links;
    ``sentence_list`` the sentence pairs themselves, where the preset is a list of such; ``choices`` what passages chose
    for themselves, with the preset ``kin``: more than became links; ``back_matter`` makes the index and the glossary.
    """

    book: Book
    links: tuple[Link, ...]
    options: Mapping[str, Any] = field(default_factory=dict)
    lists: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    skipped: tuple[Skipped, ...] = ()
    evidence: Evidence | None = field(default=None, compare=False)
    notes: tuple[str, ...] = ()
    sentence_list: "SentenceList | None" = field(default=None, compare=False)
    choices: Choices | None = field(default=None, compare=False)
    back_matter: BackMatter | None = field(default=None, compare=False)

    def minimum(self) -> str:
        """Return from where on pairs are links, in words: the strength, or the matches that lists asked for."""
        strength = self.options.get("min_strength")
        if str(self.options.get("preset")) == "kin" and strength is not None:
            return f"strength {strength:.2f} or more"
        asked = {name: about["min_matches"] for name, about in self.lists.items() if about.get("min_matches")}
        return ", ".join(f"list {name}: {least} matches or more" for name, least in asked.items())

    def unit(self, number: int) -> Unit:
        """Return a passage by its number."""
        return self.book.units[number]

    def text(self, number: int) -> str:
        """Return the text of a passage."""
        return self.book.text(number)

    def shared(self, link: Link) -> tuple[Shared, ...]:
        """Return the terms and phrases that the passages of a link share, with their spans in the documents."""
        return self.evidence.shared(link.left, link.right) if self.evidence is not None else ()

    def ends(self) -> dict[int, list[tuple[int, int]]]:
        """Return for each linked passage its links, best first, as (number of the link, passage at the other end).

        First come those that the passage chose for itself, in its own order, then the others by rank.
        """
        found: dict[int, list[tuple[int, int, int]]] = {}
        for number, link in enumerate(self.links):
            for here, there, choice in (
                (link.left, link.right, link.choices[0]),
                (link.right, link.left, link.choices[1]),
            ):
                found.setdefault(here, []).append((choice or len(self.links) + number, number, there))
        return {unit: [(number, there) for _, number, there in sorted(entries)] for unit, entries in found.items()}

    @property
    def subjects(self) -> "SubjectIndex":
        """The subject index: the best terms of the book, and the passages that treat them."""
        return self.back_matter.subjects if self.back_matter is not None else SubjectIndex(self.book, ())

    @property
    def glossary(self) -> "tuple[GlossaryEntry, ...]":
        """What the book's glossaries explain, where that is used, and what treats it."""
        return self.back_matter.glossary if self.back_matter is not None else ()

    def label(self, number: int, here: int | None = None) -> str:
        """Return what a reader, who may be at another passage, knows a passage by: titles, or its first words."""
        return self.book.label(number, here)
