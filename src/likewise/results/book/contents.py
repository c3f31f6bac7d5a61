"""The contents of a book: its documents in order, each with its titles, by their levels."""

import html
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from likewise.results.linked_book import LinkedBook

# Titles down to this depth below a document's own are listed; a document with more than so many keeps them folded.
_DEPTH = 2
_MANY = 12


def document_title(links: "LinkedBook", number: int) -> str:
    """Return what a document is called: by itself, by its first title, or by its file."""
    document = links.book.documents[number]
    first = next((one for one in links.book.passages[number] if one.kind == "title"), None)
    found = document.title or (first.span.of(document.text) if first is not None and len(first.span) else "")
    return " ".join(found.rstrip("¶ ").split()) or document.id


def heading_id(document: int, passage: int) -> str:
    """Return the id of a title in the page."""
    return f"t{document}-{passage}"


def contents(links: "LinkedBook") -> str:
    """Return the list; titles of a document stand under it, deeper ones under higher ones."""
    several = len(links.book.documents) > 1
    parts = []
    for number in range(len(links.book.documents)):
        inner = _titles(links, number, several)
        if not several:
            return inner[0] or ""
        title = f'<a href="#d{number}">{html.escape(document_title(links, number))}</a>'
        listed, count = inner
        if count > _MANY:
            listed = f"<details><summary>{count} sections</summary>{listed}</details>"
        parts.append(f"<li>{title}{listed}</li>\n")
    return f"<ol>\n{''.join(parts)}</ol>\n"


def _titles(links: "LinkedBook", number: int, several: bool) -> tuple[str, int]:
    document = links.book.documents[number]
    titles = [
        (passage.level, position, " ".join(passage.span.of(document.text).rstrip("¶ ").split()))
        for position, passage in enumerate(links.book.passages[number])
        if passage.kind == "title"
    ]
    if several and titles and titles[0][2] == document_title(links, number):
        titles = titles[1:]
    if not titles:
        return "", 0
    top = min(level for level, _, _ in titles)
    titles = [entry for entry in titles if entry[0] < top + _DEPTH]
    parts: list[str] = []
    depth = -1
    for level, position, title in titles:
        wanted = level - top if depth >= 0 else 0
        if wanted > depth:
            parts.append("<ol>" * (wanted - depth))
        else:
            parts.append("</li>" + "</ol></li>" * (depth - wanted))
        depth = wanted
        parts.append(f'<li><a href="#{heading_id(number, position)}">{html.escape(title)}</a>')
    parts.append("</li></ol>" * (depth + 1))
    return "".join(parts), len(titles)
