"""PDF: the lines that pdfium finds, put together to paragraphs by their height and distance.

Lines that stand on most pages at the same edge are page furniture; larger ones that stand alone are titles. A PDF of
pictures has no text, and is reported so.
"""

import re
from collections import Counter
from dataclasses import dataclass
from statistics import median
from typing import Any

from likewise.read.content import Blocks, Content
from likewise.read.deadline import Clock
from likewise.read.options import ReadOptions
from likewise.read.skipped import SkipError, missing

_DIGITS = re.compile(r"\d+")
# A line this much larger than most is a title; a gap this much larger than a line ends a paragraph.
_LARGER, _GAP = 1.15, 1.6
_LONGEST_TITLE = 120


@dataclass(frozen=True, slots=True)
class _Line:
    text: str
    top: float
    bottom: float
    left: float
    page: int

    @property
    def height(self) -> float:
        return max(self.top - self.bottom, 0.1)


def read_pdf(data: bytes, options: ReadOptions) -> Content:
    """Return text, blocks and title of a PDF file."""
    try:
        import pypdfium2
    except ImportError as error:
        raise missing("pypdfium2", "pdf") from error
    clock = Clock(options.max_seconds)
    try:
        document = pypdfium2.PdfDocument(data)
        pages = []
        for number in range(len(document)):
            pages.append(_lines(document[number], number))
            clock.check()
        title = str(document.get_metadata_dict().get("Title", "")).strip()
    except pypdfium2.PdfiumError as error:
        raise SkipError("broken", f"PDF: {error}") from error
    lines = [line for page in pages for line in page]
    if not lines:
        raise SkipError("no text", "a PDF without text: perhaps pages as pictures")
    return _blocks(pages, median(line.height for line in lines)).content(title)


def _lines(page: Any, number: int) -> list[_Line]:
    found: list[_Line] = []
    text_page = page.get_textpage()
    for at in range(text_page.count_rects()):
        left, bottom, right, top = text_page.get_rect(at)
        text = " ".join(text_page.get_text_bounded(left, bottom, right, top).split())
        if not text:
            continue
        line = _Line(text, top, bottom, left, number)
        before = found[-1] if found else None
        # Parts of one line come apart where the font changes.
        if before and min(before.top, top) - max(before.bottom, bottom) > 0.5 * min(before.height, line.height):
            glue = "" if before.text.endswith("-") or text[0] in ".,;:)" else " "
            high, low = max(before.top, top), min(before.bottom, bottom)
            line = _Line(f"{before.text}{glue}{text}", high, low, before.left, number)
            found.pop()
        found.append(line)
    return found


def _blocks(pages: list[list[_Line]], usual: float) -> Blocks:
    furniture = _furniture(pages)
    page = Blocks()
    group: list[_Line] = []

    def flush() -> None:
        if not group:
            return
        text = _joined([line.text for line in group])
        large = group[0].height > _LARGER * usual and len(text) <= _LONGEST_TITLE and not text.endswith((".", ",", ";"))
        page.add("title" if large else "paragraph", text, 2 if large else 0)
        group.clear()

    for lines in pages:
        for line in lines:
            if _DIGITS.sub("#", line.text) in furniture:
                flush()
                page.add("paragraph", line.text, role="navigation")
                continue
            if group and line.page == group[-1].page:
                gap = group[-1].bottom - line.bottom
                resized = abs(line.height - group[-1].height) > 0.25 * usual
                if gap > _GAP * max(usual, group[-1].height) or gap < -usual or resized:
                    flush()
            elif group and group[-1].text.rstrip().endswith((".", "!", "?", ":")):
                flush()  # a paragraph may go on over the page
            group.append(line)
    flush()
    return page


def _furniture(pages: list[list[_Line]]) -> set[str]:
    """First and last lines that come again on most pages, numbers aside."""
    if len(pages) < 3:
        return set()
    edges = Counter(key for lines in pages for key in {_DIGITS.sub("#", line.text) for line in lines[:2] + lines[-2:]})
    return {key for key, count in edges.items() if count * 2 > len(pages)}


def _joined(lines: list[str]) -> str:
    text = lines[0]
    for line in lines[1:]:
        # A word that was broken at the end of a line is whole again; pdfium marks it with U+FFFE or U+0002.
        hyphen = text.endswith("-") and text[-2:-1].islower() and line[:1].islower()
        broken = hyphen or text.endswith(("\ufffe", "\x02", "\xad"))
        text = f"{text[:-1]}{line}" if broken else f"{text} {line}"
    return text.replace("\ufffe", "").replace("\x02", "")
