"""The nouns that travel: :class:`Span`, :class:`Document`, :class:`Record`."""

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
class Document:
    """A text with an id, where it came from, and what else is known of it.

    >>> Document("a.txt", "Some text.").text
    'Some text.'
    """

    id: str
    text: str
    source: str = ""
    fields: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Record:
    """A row of a table: an id and named values; a value that is ``None`` is unknown.

    >>> Record("7", {"name": "Ada", "city": None}).fields["name"]
    'Ada'
    """

    id: str
    fields: Mapping[str, Any]
