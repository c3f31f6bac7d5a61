"""A document whole, or its paragraphs, sentences or lines as documents of their own."""

from collections.abc import Iterator
from typing import Any

from likewise.read.document import Document
from likewise.segment.passages import passages

UNITS = ("document", "paragraph", "sentence", "line")


def parts(document: Document, unit: str, language: str | None = None) -> Iterator[Document]:
    """Give a document whole, or its paragraphs, sentences or lines as documents with ids of their own.

    Sentences end by the rules of ``language`` (a code), or of the language that the document seems to be in.

    >>> [part.id for part in parts(Document("a", "One. Two."), "sentence")]
    ['a#1', 'a#2']
    """
    known = _known(document)
    if unit == "document":
        yield Document(document.id, document.text, document.source, known)
        return
    if unit == "line":
        lines = [line.strip() for line in document.text.split("\n")]
        pieces: list[tuple[str, dict[str, Any]]] = [(line, {}) for line in lines if line]
    else:
        pieces = list(_passages(document, unit, language))
    for number, (text, fields) in enumerate(pieces, 1):
        yield Document(f"{document.id}#{number}", text, document.source, {**known, **fields, "document": document.id})


def _known(document: Document) -> dict[str, Any]:
    """The user's columns, and what the source calls itself where no column has that name: title:word asks for it."""
    own = {"title": document.title, "book": document.book}
    return {name: value for name, value in own.items() if value} | dict(document.fields)


def _passages(document: Document, unit: str, language: str | None) -> Iterator[tuple[str, dict[str, Any]]]:
    for passage in passages(document, language):
        fields: dict[str, Any] = {"kind": passage.kind}
        if passage.titles:
            fields["titles"] = " > ".join(passage.titles)
        spans = passage.sentences if unit == "sentence" else (passage.span,)
        for span in spans:
            text = span.of(document.text)
            if text.strip():
                yield text, {**fields, "start": span.start}
