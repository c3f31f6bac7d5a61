"""The lines of a PDF's pages, as pdfium finds them."""

from collections.abc import Iterable
from dataclasses import dataclass

from likewise.read.pdf_pages import Piece


@dataclass(frozen=True, slots=True)
class PdfLine:
    """A line of text and where it stands; the origin of a page is at the bottom."""

    text: str
    top: float
    bottom: float
    left: float
    page: int

    @property
    def height(self) -> float:
        """Its height, never nothing."""
        return max(self.top - self.bottom, 0.1)


def lines_of(pieces: Iterable[Piece], number: int) -> list[PdfLine]:
    """Return the lines of a page."""
    found: list[PdfLine] = []
    for text, top, bottom, left in pieces:
        line = PdfLine(text, top, bottom, left, number)
        before = found[-1] if found else None
        # Parts of one line come apart where the font changes.
        if before and min(before.top, top) - max(before.bottom, bottom) > 0.5 * min(before.height, line.height):
            glue = "" if before.text.endswith("-") or text[0] in ".,;:)" else " "
            high, low = max(before.top, top), min(before.bottom, bottom)
            line = PdfLine(f"{before.text}{glue}{text}", high, low, before.left, number)
            found.pop()
        found.append(line)
    return found


def joined(lines: list[str]) -> str:
    """Return lines as one text.

    >>> joined(["Soup of vege-", "tables"])
    'Soup of vegetables'
    """
    text = lines[0]
    for line in lines[1:]:
        # A word that was broken at the end of a line is whole again; pdfium marks it with U+FFFE or U+0002.
        hyphen = text.endswith("-") and text[-2:-1].islower() and line[:1].islower()
        broken = hyphen or text.endswith(("\ufffe", "\x02", "\xad"))
        text = f"{text[:-1]}{line}" if broken else f"{text} {line}"
    return text.replace("\ufffe", "").replace("\x02", "")
