"""The outline of a PDF, which programs show beside its pages, and the lines of the pages that are its titles."""

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from likewise.read.pdf_lines import PdfLine, joined
from likewise.read.pdf_pages import Entry

# Which number of a view is its upper edge, by pdfium's modes: XYZ, FitH, FitR, FitBH.
_TOP = {1: 1, 3: 0, 5: 3, 7: 0}
# A title has so many lines at most, and a number or "Chapter 12" before it so many letters.
_MOST_LINES, _MOST_NUMBERING = 4, 12
# A line with more than the title in it is as good as one that stands so much farther away, in points.
_FARTHER = 36.0
# With fewer entries for a page the outline has chapters only.
_DENSE = 0.25


class Bookmark(NamedTuple):
    """An entry of an outline: its title, its depth from 1, and where it leads; without ``top``, to the whole page."""

    title: str
    level: int
    page: int
    top: float | None


@dataclass(frozen=True, slots=True)
class PdfTitle:
    """A title on a page: its text and depth, and the lines that it takes there, none if the page does not have it."""

    text: str
    level: int
    lines: int


class Outline:
    """The titles of a document by page and number of the line that they stand at.

    ``deepest`` is the depth of the deepest title, 0 where there is no outline that the pages agree with; ``dense`` says
    that what it does not have is no title either.
    """

    def __init__(self, pages: Sequence[Sequence[PdfLine]], bookmarks: Sequence[Bookmark]) -> None:
        self._titles: dict[tuple[int, int], list[PdfTitle]] = {}
        taken: set[tuple[int, int]] = set()
        found = 0
        for mark in bookmarks:
            lines = pages[mark.page]
            first, count = _line_of(mark, lines, taken)
            text = joined([line.text for line in lines[first : first + count]]) if count else mark.title
            self._titles.setdefault((mark.page, first), []).append(PdfTitle(text, mark.level, count))
            taken.update((mark.page, first + n) for n in range(count))
            found += count > 0
        # Names of pages, slides or files are no titles.
        if 2 * found <= len(bookmarks):
            self._titles.clear()
        self.deepest = max((one.level for titles in self._titles.values() for one in titles), default=0)
        self.dense = bool(self._titles) and len(bookmarks) >= _DENSE * len(pages)

    def at(self, page: int, line: int) -> list[PdfTitle]:
        """Return the titles that stand at a line, or before it."""
        return self._titles.get((page, line), [])


def bookmarks_of(entries: Iterable[Entry], pages: int) -> list[Bookmark]:
    """Return the entries of an outline that lead to one of so many pages."""
    found = []
    for title, level, page, mode, position in entries:
        title = " ".join(title.split())
        if page is None or page >= pages or not _key(title):
            continue
        at = _TOP.get(mode, len(position))
        top = position[at] if at < len(position) and position[at] > 0 else None
        found.append(Bookmark(title, level + 1, page, top))
    return found


def _line_of(mark: Bookmark, lines: Sequence[PdfLine], taken: set[tuple[int, int]]) -> tuple[int, int]:
    """The first line of a title and the number of its lines; 0, and the first line below, if no line has its words."""
    found = []
    for first, line in enumerate(lines):
        away = abs(line.top - mark.top) if mark.top is not None else 0.0
        key = ""
        for count, part in enumerate(lines[first : first + _MOST_LINES], 1):
            if (mark.page, first + count - 1) in taken:
                break
            key += _key(part.text)
            more = _numbering(key, _key(mark.title))
            # A line of digits above a title is the number of the page.
            if more == 0 or (more is not None and not line.text.isdigit()):
                found.append((away + _FARTHER * (more > 0), first, count))
    if found:
        return min(found)[1:]
    if mark.top is None:
        return 0, 0
    return next((n for n, line in enumerate(lines) if (line.top + line.bottom) / 2 < mark.top), len(lines)), 0


def _numbering(key: str, wanted: str) -> int | None:
    """How many letters of numbering one of them has before what is the same; ``None`` if they are not the same.

    >>> _numbering("12soups", "soups"), _numbering("soups", "iisoups"), _numbering("fishsoups", "meatsoups")
    (2, 2, None)
    """
    short, long = sorted((key, wanted), key=len)
    more = len(long) - len(short)
    return more if long.endswith(short) and more <= min(_MOST_NUMBERING, 2 * len(short)) else None


def _key(text: str) -> str:
    """Letters and digits, which are all that page and outline write alike."""
    return "".join(one for one in unicodedata.normalize("NFKC", text).casefold() if one.isalnum())
