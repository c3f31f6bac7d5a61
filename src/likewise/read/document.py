"""The nouns that travel: :class:`Span`, :class:`Block`, :class:`Document`, :class:`Record`."""

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


@dataclass(frozen=True, slots=True)
class Block:
    """A part of a document that its markup sets apart: what it is, and where in the text.

    ``kind`` is one of ``title``, ``paragraph``, ``item`` (of a list), ``quote``, ``code``, ``table``, ``formula``;
    ``level`` counts the depth of a title from 1. ``origin`` is the span in the source (Markdown), where the text is
    what remains of the source without its markup.

    >>> Block("title", Span(0, 4), level=1).span.of("Soup and nuts")
    'Soup'
    """

    kind: str
    span: Span
    level: int = 0
    origin: Span | None = None


@dataclass(frozen=True, slots=True)
class Document:
    """A text with an id, where it came from, and what else is known of it.

    ``blocks`` is the structure that the source's markup gave, in the order of the text; ``None`` where there was no
    markup, so that :mod:`likewise.segment` has to find it in the layout.

    >>> Document("a.txt", "Some text.").text
    'Some text.'
    """

    id: str
    text: str
    source: str = ""
    fields: Mapping[str, Any] = field(default_factory=dict)
    blocks: tuple[Block, ...] | None = None


@dataclass(frozen=True, slots=True)
class Record:
    """A row of a table: an id and named values; a value that is ``None`` is unknown.

    >>> Record("7", {"name": "Ada", "city": None}).fields["name"]
    'Ada'
    """

    id: str
    fields: Mapping[str, Any]
