"""The subject index of a book: its best terms in alphabetical order, each with the few passages that treat it."""

import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from likewise.read import Document
from likewise.results.base import Result
from likewise.results.units import Book

if TYPE_CHECKING:
    import pyarrow as pa

REASONS = ("glossary", "heading", "definition", "several", "mention")
"""Why a passage is named, best first: its glossary entry, its heading, a definition, several uses, or one."""
SYMBOLS = "Symbols"
MADE = "Made by likewise link from the best terms of these pages; the next run makes it anew."
"""What a page with the index says of itself, in copies."""


@dataclass(frozen=True, slots=True)
class Place:
    """A passage that treats a term: its number in the book, why it is named, and how often it has the term."""

    unit: int
    why: str
    count: int


@dataclass(frozen=True, slots=True)
class Subject:
    """A term of the index with its places, best first; ``under`` is the entry it stands below, if any.

    ``see`` are terms that end with this one: a reader who looks for "list" is sent to "mailing list", too.
    """

    term: str
    places: tuple[Place, ...]
    under: str | None = None
    see: tuple[str, ...] = ()
    score: float = 0.0


@dataclass(frozen=True, slots=True, repr=False)
class SubjectIndex(Result[Subject]):
    """The subjects of a book in alphabetical order, an entry's own ones behind it."""

    _noun = ("subject", "subjects")
    book: Book
    subjects: tuple[Subject, ...]

    def __len__(self) -> int:
        return len(self.subjects)

    def __iter__(self) -> Iterator[Subject]:
        return iter(self.subjects)

    def _at(self, place: int) -> Subject:
        return self.subjects[place]

    def _part(self, places: slice) -> "SubjectIndex":
        return replace(self, subjects=self.subjects[places])

    def rows(self) -> Iterator[dict[str, Any]]:
        """Give a flat record for each place of each subject."""
        for subject in self.subjects:
            for place in subject.places:
                yield {
                    "term": subject.term,
                    "under": subject.under,
                    "passage": self.book.units[place.unit].id,
                    "why": place.why,
                    "count": place.count,
                    "label": self.book.label(place.unit),
                    "see_also": "; ".join(subject.see),
                    "score": subject.score,
                }

    def to_arrow(self) -> "pa.Table":
        """Return the places as an Arrow table."""
        import pyarrow as pa

        text, number = pa.string(), pa.int64()
        types = {"term": text, "under": text, "passage": text, "why": text, "count": number, "label": text}
        schema = pa.schema([*types.items(), ("see_also", text), ("score", pa.float64())])
        return pa.Table.from_pylist(list(self.rows()), schema=schema)

    def letters(self) -> list[tuple[str, list[tuple[Subject, list[Subject]]]]]:
        """Return the entries by their first letter, each with those that stand below it."""
        groups: dict[str, list[tuple[Subject, list[Subject]]]] = {}
        for subject in self.subjects:
            if subject.under is None:
                groups.setdefault(letter_of(subject.term), []).append((subject, []))
                last = groups[letter_of(subject.term)][-1][1]
            else:
                last.append(subject)
        return list(groups.items())


def is_own_page(document: Document) -> bool:
    """Tell whether a document is an index that an earlier run wrote beside its copies.

    >>> is_own_page(Document("index.md", f"Index\\n\\n{MADE}\\n\\nlist: Lists"))
    True
    """
    return MADE in document.text[: 2 * len(MADE)]


def told_apart(places: Sequence[Sequence[str]]) -> list[str]:
    """Return for each of the places of a term the first of its names that no other one has, or else the last.

    >>> told_apart([("Notes", "Soup › Notes"), ("Notes", "Bread › Notes"), ("Salt", "Soup › Salt")])
    ['Soup › Notes', 'Bread › Notes', 'Salt']
    """
    often = Counter(name for names in places for name in set(names))
    return [next((name for name in names if often[name] == 1), names[-1]) for names in places]


def letter_of(term: str) -> str:
    """Return the letter under which a term stands.

    >>> letter_of("Éclair"), letter_of("7-bit"), letter_of("list")
    ('E', 'Symbols', 'L')
    """
    first = unicodedata.normalize("NFKD", term)[:1].upper()
    return first if first.isalpha() else SYMBOLS


def order_of(term: str) -> tuple[bool, str, str]:
    """Return what terms are sorted by: symbols first, then letters without regard to case, accents and marks."""
    plain = unicodedata.normalize("NFKD", term).casefold()
    return letter_of(term) != SYMBOLS, "".join(one for one in plain if one.isalnum() or one == " "), term
