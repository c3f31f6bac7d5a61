"""The glossary of a book, tied to its text: where its terms are used, what treats them, what belongs together."""

from dataclasses import dataclass

from likewise.read import Span
from likewise.results.subjects import Place


@dataclass(frozen=True, slots=True)
class Use:
    """Where a term is first used in a section: the passage, and the span in its document."""

    unit: int
    span: Span


@dataclass(frozen=True, slots=True)
class GlossaryEntry:
    """A term that a glossary explains, and the passage that does.

    ``uses`` are the places in the text from which the entry is linked, ``treated`` the passages that treat the term,
    ``see`` the passages of other entries that this one speaks of.
    """

    term: str
    unit: int
    uses: tuple[Use, ...] = ()
    treated: tuple[Place, ...] = ()
    see: tuple[int, ...] = ()
