"""What can be found of a document: the whole, or its sections, paragraphs, sentences or lines, with their titles."""

from collections.abc import Iterator
from typing import Any

from likewise.read.document import Document, Span
from likewise.segment.passages import Passage, passages
from likewise.segment.roles import APART

UNITS = ("document", "section", "paragraph", "sentence", "line")
# A long text under one title, or under none, is taken as sections of so many passages.
_LONGEST = 60


def parts(document: Document, unit: str, language: str | None = None) -> Iterator[Document]:
    """Give a document whole, or its parts with ids of their own.

    Sentences end by the rules of ``language`` (a code), or of the language that the document seems to be in.

    >>> soup = Document("soup.txt", "1 Soups\\n\\nPour it. Eat it.\\n\\nExercise 1. Cook some.")
    >>> [(part.id, part.heading, part.text) for part in parts(soup, "paragraph")]
    [('soup.txt#1', '1 Soups', 'Pour it. Eat it.'), ('soup.txt#2', '1 Soups', 'Exercise 1. Cook some.')]
    """
    known = _known(document)
    if unit == "document":
        yield Document(document.id, document.text, document.source, known, heading=document.title)
        return
    number = 0
    for group in _groups(document, unit, language):
        first = group[0]
        fields: dict[str, Any] = {"kind": "section" if unit == "section" else first.kind, "role": first.role}
        if first.titles:
            fields["titles"] = " > ".join(first.titles)
        heading = heading_of(document, first)
        for span in first.sentences if unit == "sentence" else [Span(first.span.start, group[-1].span.end)]:
            text = span.of(document.text)
            if text.strip():
                number += 1
                given = {**known, **fields, "start": span.start, "document": document.id}
                yield Document(f"{document.id}#{number}", text, document.source, given, heading=heading)


def heading_of(document: Document, passage: Passage) -> str:
    """Return where a passage stands: the document's title and the titles above the passage, the same ones once."""
    path = [" ".join(title.split()) for title in (document.title, *passage.titles) if title.strip()]
    return " › ".join(dict.fromkeys(path))


def _known(document: Document) -> dict[str, Any]:
    """The user's columns, and what the source calls itself where no column has that name: title:word asks for it."""
    own = {"title": document.title, "book": document.book}
    return {name: value for name, value in own.items() if value} | dict(document.fields)


def _groups(document: Document, unit: str, language: str | None) -> Iterator[list[Passage]]:
    """The passages that make one part each. A title counts with what stands under it, and is a part only if alone."""
    if unit == "line":
        yield from ([line] for line in _lines(document.text))
        return
    found = passages(document, language)
    pairs = zip(found, [*found[1:], None], strict=True)
    shown = [passage for passage, after in pairs if not _stands_above(passage, after)]
    if unit != "section":
        yield from ([passage] for passage in shown)
        return
    group: list[Passage] = []
    for passage in shown:
        if group and (_section(passage) != _section(group[0]) or len(group) == _LONGEST):
            yield group
            group = []
        group.append(passage)
    if group:
        yield group


def _stands_above(passage: Passage, after: Passage | None) -> bool:
    return passage.kind == "title" and after is not None and (after.kind != "title" or after.level > passage.level)


def _section(passage: Passage) -> tuple[object, ...]:
    """What passages of one section have in common; exercises and the like are not part of the text around them."""
    return passage.titles, passage.kind == "title" and passage.span, passage.role if passage.role in APART else ""


def _lines(text: str) -> Iterator[Passage]:
    start = 0
    for line in text.split("\n"):
        inner = line.strip()
        if inner:
            begin = start + line.index(inner[0])
            yield Passage("line", Span(begin, begin + len(inner)))
        start += len(line) + 1
