"""Running titles and page numbers of a PDF: what stands at the edges of pages and is not part of the text.

The lines nearest to an edge that stand equally high on their pages are looked at together. Texts of a book do not come
again there, and do not count pages. Where most of these lines do one or the other, they are furniture, also the few
that do neither: the running title of a section of one page. What is taken off uncovers the next line, so that titles of
several lines go, too.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from likewise.read.pdf_lines import PdfLine

# So many pages must agree; a document with fewer shows no rule. What only repeats must be on this share of all pages:
# the word above the number of a chapter and the lines of a slide that is built up in steps repeat on fewer.
_PAGES, _SHARE = 3, 0.25
# Lines stand equally high within so many points: letters with and without tails differ.
_EQUALLY_HIGH = 2.0
# Lines above each other at one edge.
_MOST_LINES = 3
_DIGITS = re.compile(r"\d+")
_ENDS = re.compile(r"^(\d{1,4}|[ivxlc]{1,7})(?=\s|$)|(?<!\S)(\d{1,4}|[ivxlc]{1,7})$", re.IGNORECASE)
_ROMAN = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}


def without_furniture(pages: Sequence[Sequence[PdfLine]], large: float) -> list[list[PdfLine]]:
    """Return the lines of each page without its furniture. What is higher than ``large`` is a title unless it repeats.

    >>> line = lambda text, top, page: PdfLine(text, top, top - 9, 0, page)
    >>> book = [[line("Soups", 700, n), line(f"Text {'abc'[n]}.", 650, n), line(f"{n + 7}", 50, n)] for n in range(3)]
    >>> [[one.text for one in page] for page in without_furniture(book, 12)]
    [['Text a.'], ['Text b.'], ['Text c.']]
    """
    rest = [list(lines) for lines in pages]
    for sign in (1, -1):
        for _ in range(_MOST_LINES):
            taken = {id(line) for level in _levels(rest, sign) for line in _furniture(level, len(pages), large)}
            if not taken:
                break
            rest = [[line for line in lines if id(line) not in taken] for lines in rest]
    # Pages that hold nothing else say what they say.
    return rest if any(rest) else [list(lines) for lines in pages]


def _levels(pages: Sequence[Sequence[PdfLine]], sign: int) -> Iterator[list[PdfLine]]:
    """Yield the lines nearest to the upper (1) or lower edge (-1), equally high ones together."""
    edges = [(max(_height(line, sign) for line in lines), lines) for lines in pages if lines]
    edges.sort(key=lambda edge: edge[0])
    level: list[PdfLine] = []
    for number, (height, lines) in enumerate(edges):
        if number and height - edges[number - 1][0] > _EQUALLY_HIGH:
            yield level
            level = []
        level += [line for line in lines if height - _height(line, sign) <= _EQUALLY_HIGH]
    if level:
        yield level


def _height(line: PdfLine, sign: int) -> float:
    return line.top if sign > 0 else -line.bottom


def _furniture(level: list[PdfLine], pages: int, large: float) -> list[PdfLine]:
    on = defaultdict(set)
    for line in level:
        on[_DIGITS.sub("#", line.text)].add(line.page)
    offsets = Counter(offset for line in level for offset in _offsets(line))
    counting = {id(line) for line in level if any(offsets[offset] >= _PAGES for offset in _offsets(line))}
    known, small = [], []
    for line in level:
        again = len(on[_DIGITS.sub("#", line.text)])
        if id(line) in counting or again > 1:
            known.append(line)
        # Titles of slides come again on the next step of the slide, and chapters of a page each count pages.
        if 2 * again > pages or line.height <= large:
            small.append(line)
    enough = _PAGES if len(counting) * 2 >= len(level) else max(_PAGES, _SHARE * pages)
    agreed = len({line.page for line in known}) >= enough and 2 * len(known) >= len(level)
    return small if agreed else []


class _Offset(NamedTuple):
    """By how much a number in a line is ahead of that of its page, and whether it is in Roman letters."""

    roman: bool
    ahead: int


def _offsets(line: PdfLine) -> set[_Offset]:
    """What a number at either end of a line would make of the first page's.

    >>> _offsets(PdfLine("96 Chapter 8", 9, 0, 0, 90)) == {_Offset(False, 6), _Offset(False, -82)}
    True
    """
    found = set()
    for match in _ENDS.finditer(line.text):
        word = (match[1] or match[2]).lower()
        found.add(_Offset(not word.isdigit(), (int(word) if word.isdigit() else _roman(word)) - line.page))
    return found


def _roman(word: str) -> int:
    """Return what a number in Roman letters says.

    >>> _roman("xiv"), _roman("vi")
    (14, 6)
    """
    values = [_ROMAN[letter] for letter in word]
    return sum(-one if one < after else one for one, after in zip(values, [*values[1:], 0], strict=True))
