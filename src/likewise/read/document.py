"""The nouns that travel: :class:`Span`, :class:`Mark`, :class:`Block`, :class:`Document`."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """Characters ``start`` to ``end`` (excluded) of a text.

    >>> Span(3, 6).of("so soft")
    'sof'
    """

    start: int
    end: int

    def of(self, text: str) -> str:
        """Return the characters of ``text`` that the span covers."""
        return text[self.start : self.end]

    def __len__(self) -> int:
        return self.end - self.start


# Kinds of blocks that people write as sentences.
PROSE = ("paragraph", "item", "quote")
# Every part of a document repeats the titles above it: thousands of parts under a title of megabytes fill any memory.
LONGEST_TITLE = 1000
# What a block is for. Its kind says how it is set (paragraph, item, table); its role what it does in the book.
ROLES = (
    "heading",
    "body",
    "caption",
    "table",
    "code",
    "formula",
    "contents",
    "bibliography",
    "glossary",
    "exercise",
    "footnote",
    "navigation",
    "front",
    "pointer",
)
_ROLE_OF_KIND = {"title": "heading", "code": "code", "table": "table", "formula": "formula"}


@dataclass(frozen=True, slots=True)
class Mark:
    """What the source does to a part of the text.

    ``kind`` is one of ``emphasis``, ``strong``, ``code``, ``link``, ``image``; ``target`` is where a link or a picture
    leads to, as the source has it.

    >>> Mark("link", Span(0, 5), "there.md").moved(10).span
    Span(start=10, end=15)
    """

    kind: str
    span: Span
    target: str = ""

    def moved(self, by: int) -> "Mark":
        """Return the mark of the same text, which begins ``by`` characters later."""
        return Mark(self.kind, Span(self.span.start + by, self.span.end + by), self.target)


@dataclass(frozen=True, slots=True)
class Block:
    """A part of a document that its markup sets apart: what it is, and where in the text.

    ``kind`` is one of ``title``, ``paragraph``, ``item`` (of a list), ``quote``, ``code``, ``table``, ``formula``;
    ``level`` counts the depth of a title from 1. ``origin`` is the span in the source (Markdown), where the text is
    what remains of the source without its markup. ``role`` is one of :data:`ROLES`; where the markup says nothing more,
    it follows from the kind. ``marks`` are links, pictures and emphasis, with spans of the document's text.

    >>> block = Block("title", Span(0, 4), level=1)
    >>> block.span.of("Soup and nuts"), block.role
    ('Soup', 'heading')
    """

    kind: str
    span: Span
    level: int = 0
    origin: Span | None = None
    role: str = ""
    marks: tuple[Mark, ...] = ()

    def __post_init__(self) -> None:
        if not self.role:
            object.__setattr__(self, "role", _ROLE_OF_KIND.get(self.kind, "body"))


@dataclass(frozen=True, slots=True)
class Document:
    """A text with an id, where it came from, and what else is known of it.

    ``blocks`` is the structure that the source's markup gave, in the order of the text; ``None`` where there was no
    markup, so that :mod:`likewise.segment` has to find it in the layout (``layout`` is ``lines`` where each line is a
    paragraph). ``title`` and ``book`` are what the source calls itself and the work it is part of (the beginning of
    what is longer than :data:`LONGEST_TITLE`), ``format`` is how it was read. ``fields`` holds the columns of a
    table's row, the ``url`` of a page in a WARC file, ``from`` and ``date`` of a message. ``heading`` has the titles
    above a part of a document, which are searched with it.

    >>> Document("a.txt", "Some text.").text
    'Some text.'
    """

    id: str
    text: str
    source: str = ""
    fields: Mapping[str, Any] = field(default_factory=dict)
    blocks: tuple[Block, ...] | None = None
    title: str = ""
    book: str = ""
    format: str = ""
    layout: str = ""
    heading: str = field(default="", repr=False)

    def __post_init__(self) -> None:
        for name in ("title", "book"):
            if len(getattr(self, name)) > LONGEST_TITLE:
                object.__setattr__(self, name, getattr(self, name)[:LONGEST_TITLE])
