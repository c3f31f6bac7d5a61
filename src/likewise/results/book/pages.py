"""A book that is too long for one page of a browser: a page for its contents, and pages of whole documents."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from likewise.results.linked_book import LinkedBook

# Documents are put on a page together until it has so many passages.
_FULL = 5_000
_LINK = re.compile(r"""(<a\b[^>]*?\bhref=["'])#(?:(contents|index-\w+)|([udt])(\d+)(?:-\d+)?)(?=["'])""")


def pages_folder(book: Path) -> Path:
    """Return the folder of the pages of a book.

    >>> pages_folder(Path("out/wiki.html")).as_posix()
    'out/wiki-pages'
    """
    return book.with_name(f"{book.stem}-pages")


def split(links: "LinkedBook", most: int) -> list[range]:
    """Return which documents stand on each page; a page has no more than ``most`` passages, if documents allow it."""
    full = min(most, _FULL)
    pages: list[range] = []
    size = first = 0
    for number, passages in enumerate(links.book.passages):
        if size and size + len(passages) > full:
            pages.append(range(first, number))
            size, first = 0, number
        size += len(passages)
    return [*pages, range(first, len(links.book.passages))]


class Addresses:
    """Where the passages, documents and titles of a split book are, seen from one of its pages."""

    def __init__(self, links: "LinkedBook", pages: Sequence[range], front: str, folder: str) -> None:
        self._page = [number for number, documents in enumerate(pages) for _ in documents]
        self._document = [unit.document for unit in links.book.units]
        self._front, self._folder = front, folder

    def seen_from(self, page: int | None, parts: Iterator[str]) -> Iterator[str]:
        """Give the parts of a page, its links with the name of the page that they lead to; ``None`` is the front."""
        for part in parts:
            yield _LINK.sub(lambda found: f"{found[1]}{self._path(page, found)}{found[0][len(found[1]) :]}", part)

    def _path(self, page: int | None, found: re.Match[str]) -> str:
        if found[2]:
            return "" if page is None else f"../{self._front}"
        document = self._document[int(found[4])] if found[3] == "u" else int(found[4])
        there = self._page[document]
        if there == page:
            return ""
        return f"{self._folder}/{there + 1}.html" if page is None else f"{there + 1}.html"
