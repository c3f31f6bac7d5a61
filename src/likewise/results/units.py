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
    languages: tuple[str, ...] = ()
    """The code of each document's language, where there are several."""

    def text(self, unit: int) -> str:
        """Return the text of a unit."""
        found = self.units[unit]
        return found.span.of(self.documents[found.document].text)

    def sentence(self, unit: int, number: int) -> str:
        """Return a sentence of a unit."""
        found = self.units[unit]
        return found.sentences[number].of(self.documents[found.document].text)

    def path(self, number: int) -> str:
        """Return all titles above a unit, that of its document first."""
        unit = self.units[number]
        return " › ".join(dict.fromkeys(name for name in (self.documents[unit.document].title, *unit.titles) if name))

    def _own_text(self, number: int) -> str:
        """The text of a unit without titles that count with it."""
        unit = self.units[number]
        return "\n".join(span.of(self.documents[unit.document].text) for span in unit.sentences[unit.title_sentences :])

    def sections(self) -> NDArray[np.int64]:
        """Return for each unit the first one of its section, which is all that stands under the same titles."""
        first: dict[tuple[int, tuple[str, ...]], int] = {}
        found = (first.setdefault((unit.document, unit.titles), number) for number, unit in enumerate(self.units))
        return np.fromiter(found, dtype=np.int64, count=len(self.units))

    def label(self, number: int, here: int | None = None) -> str:
        """Return what a reader knows a unit by: the title of its document and of its section, or its first words.

        To a reader who is ``here``, at another unit of the same document, its title says nothing.
        """
        unit = self.units[number]
        document = self.documents[unit.document]
        section = unit.titles[-1] if unit.titles else ""
        if here is not None and self.units[here].document == unit.document:
            near = self.units[here].titles
            names = [name for name in unit.titles[-2:] if name != document.title and name not in near]
        elif len(self.documents) > 1:
            names = [name for name in (document.title, section) if name]
        else:
            names = [*unit.titles[-2:]]
        if names[1:] and names[0] == names[1]:
            names = names[1:]
        return " › ".join(names) or " ".join(self._own_text(number).split()[:8])
