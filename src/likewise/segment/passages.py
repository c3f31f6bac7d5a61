"""Passages: the blocks of a document with their kind, title path and sentences, all as spans of its text."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from likewise.languages import detect
from likewise.read.document import LONGEST_TITLE, PROSE, Block, Document, Mark, Span
from likewise.segment.layout import layout_blocks, lines_as_blocks
from likewise.segment.pointers import only_points
from likewise.segment.roles import role_of
from likewise.segment.sentences import sentences

_NUMBERED = re.compile(r"\s*(\d{1,2}(?:\.\d{1,2}){1,4})\.?\s+[^\W\d_][^.:;!]*[^\s.:;,!]\s*$")
_LONGEST_TITLE = 80
# What a passage can be.
KINDS = ("title", *PROSE, "code", "table", "formula", "exercise")


@dataclass(frozen=True, slots=True)
class Passage:
    """A part of a document's text: ``kind`` is one of :data:`KINDS`, ``titles`` the path from the chapter down.

    A title is a passage too; ``titles`` of it is the path above it. ``sentences`` are spans of the document's text,
    empty for code, tables and formulas. ``role`` is one of :data:`~likewise.read.document.ROLES`.
    """

    kind: str
    span: Span
    titles: tuple[str, ...] = ()
    sentences: tuple[Span, ...] = ()
    level: int = 0
    origin: Span | None = None
    role: str = "body"
    marks: tuple[Mark, ...] = ()


def passages(document: Document, language: str | None = None) -> list[Passage]:
    """Return the passages of a document in the order of its text; sentences end as its language has it.

    >>> document = Document("soup.txt", "1 Soups\\n\\nPour it. Eat it.\\n\\nExercise 1. Cook some.")
    >>> [(p.kind, p.titles, len(p.sentences)) for p in passages(document)]
    [('title', (), 1), ('paragraph', ('1 Soups',), 2), ('exercise', ('1 Soups',), 2)]
    """
    if language is None:
        found = detect([document.text])
        language = found.code if found else "en"
    return list(_passages(document, language))


def blocks(document: Document) -> tuple[Block, ...]:
    """Return the blocks that the markup gave, or find them in the layout."""
    if document.blocks is not None:
        return tuple(_numbered_title(block, document.text) for block in document.blocks)
    if document.layout == "lines":
        return lines_as_blocks(document.text)
    return layout_blocks(document.text)


def _numbered_title(block: Block, text: str) -> Block:
    """A line "3.2 From source" that the source sets as a bold paragraph is a title all the same."""
    if block.kind != "paragraph" or block.role != "body" or len(block.span) > _LONGEST_TITLE:
        return block
    found = _NUMBERED.match(block.span.of(text))
    return replace(block, kind="title", level=found[1].count(".") + 1, role="heading") if found else block


def _passages(document: Document, language: str) -> Iterator[Passage]:
    path: list[tuple[int, str]] = []
    for block in blocks(document):
        text = block.span.of(document.text)
        if block.kind == "title":
            while path and path[-1][0] >= block.level:
                path.pop()
            titles = tuple(title for _, title in path)
            path.append((block.level, " ".join(text.split())[:LONGEST_TITLE]))
            yield Passage(
                "title", block.span, titles, (block.span,), block.level, block.origin, block.role, block.marks
            )
            continue
        titles = tuple(title for _, title in path)
        role = role_of(block, text, titles)
        kind = "exercise" if role == "exercise" and block.kind in PROSE else block.kind
        spans: tuple[Span, ...] = ()
        if kind in PROSE or kind == "exercise":
            shift = block.span.start
            spans = tuple(Span(span.start + shift, span.end + shift) for span in sentences(text, language))
        if role == "body" and only_points([span.of(document.text) for span in spans]):
            role = "pointer"
        yield Passage(kind, block.span, titles, spans, 0, block.origin, role, block.marks)
