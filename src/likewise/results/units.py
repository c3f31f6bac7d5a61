"""A book as what can be linked: its documents, their passages, and the units among these."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from likewise.read import Document, Span
from likewise.segment import Passage


@dataclass(frozen=True, slots=True)
class Unit:
    """A passage that can be linked.

    ``span`` and ``sentences`` are of the document's text; a title that counts with the paragraph below it lies inside
    ``span`` and is among the sentences: the first ``title_sentences`` of them.
    """

    id: str
    document: int
    passage: int
    span: Span
    sentences: tuple[Span, ...]
    titles: tuple[str, ...]
    title_sentences: int = 0
    kind: str = "paragraph"
    role: str = "body"


@dataclass(frozen=True, slots=True)
class Book:
    """Documents with their passages, and the units among them that can be linked, in reading order.

    ``split`` is the number of units on the left side where two corpora are linked, ``None`` for one. Where an engine
    has linked them, documents and passages are read from files when they are asked for.
    """

    documents: Sequence[Document]
    passages: Sequence[tuple[Passage, ...]]
    units: tuple[Unit, ...]
    split: int | None = None
    names: tuple[str, ...] = ()
    """The name of each document's book, where several were named."""

    def text(self, unit: int) -> str:
        """Return the text of a unit."""
        found = self.units[unit]
        return found.span.of(self.documents[found.document].text)

    def sentence(self, unit: int, number: int) -> str:
        """Return a sentence of a unit."""
        found = self.units[unit]
        return found.sentences[number].of(self.documents[found.document].text)

    def sections(self) -> NDArray[np.int64]:
        """Return for each unit the first one of its section, which is all that stands under the same titles."""
        first: dict[tuple[int, tuple[str, ...]], int] = {}
        found = (first.setdefault((unit.document, unit.titles), number) for number, unit in enumerate(self.units))
        return np.fromiter(found, dtype=np.int64, count=len(self.units))

    def label(self, number: int) -> str:
        """Return what a reader knows a unit by: the title of its document and of its section, or its first words."""
        unit = self.units[number]
        document = self.documents[unit.document]
        section = unit.titles[-1] if unit.titles else ""
        several = len(self.documents) > 1
        names = [name for name in (document.title, section) if name] if several else [*unit.titles[-2:]]
        if names[1:] and names[0] == names[1]:
            names = names[1:]
        return " › ".join(names) or " ".join(self.text(number).split()[:8])
