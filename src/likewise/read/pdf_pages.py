"""What pdfium finds in a PDF, in a process of its own (:mod:`likewise.read.answering`).

Where there is no room for the objects that it makes of a page, pdfium ends its process. This module imports nothing of
Likewise, so that the process begins quickly. What is answered is why the file is refused, or its title, its outline and
how many pages follow, and those: of each piece of text in a line the text and its upper, lower and left edge.
"""

import time
from collections.abc import Callable, Iterator
from typing import Any

Piece = tuple[str, float, float, float]
# Title, depth from 0, page, and where on the page: pdfium's mode of a view, and its numbers.
Entry = tuple[str, int, int | None, int, list[float]]
_PAGES = 10  # in a line


def answers(data: bytes, request: dict[str, Any]) -> Iterator[Any]:
    """Yield what is answered to a request: what is said of the document, and then its pages, some at a time."""
    from pypdfium2 import PdfDocument, PdfiumError

    end = time.thread_time() + request["seconds"]  # the clock of the process stands between ticks once it has a limit
    try:
        document = PdfDocument(data)
        pages = list(_until(end, (pieces(document[number]) for number in range(len(document)))))
        outline = list(_until(end, entries(document)))
        title = _decoded(lambda: document.get_metadata_value("Title"))
    except PdfiumError as error:
        yield {"refused": ["broken", f"PDF: {error}"]}
        return
    except TimeoutError:
        yield {"refused": ["time limit", f"more than {request['seconds']:g} s of processor time"]}
        return
    yield {"title": title, "outline": outline, "rows": len(pages)}
    for at in range(0, len(pages), _PAGES):
        yield pages[at : at + _PAGES]


def _until(end: float, found: Iterator[Any]) -> Iterator[Any]:
    """Give what is found, for so long."""
    for one in found:
        yield one
        if time.thread_time() > end:
            raise TimeoutError


def pieces(page: Any) -> list[Piece]:
    """Return the pieces of text of a page in the order of the file; a line has several where the font changes."""
    text_page = page.get_textpage()
    found: list[Piece] = []
    for at in range(text_page.count_rects()):
        left, bottom, right, top = text_page.get_rect(at)
        text = " ".join(text_page.get_text_bounded(left, bottom, right, top).split())
        if text:
            found.append((text, top, bottom, left))
    return found


def entries(document: Any) -> Iterator[Entry]:
    """Give the entries of a document's outline that lead somewhere."""
    for entry in document.get_toc():
        if (target := entry.get_dest()) is not None:
            mode, view = target.get_view()
            yield _decoded(entry.get_title), entry.level, target.get_index(), mode, view


def _decoded(title: Callable[[], str]) -> str:
    """Return a title, nothing where what the file has is not Unicode."""
    try:
        return title()
    except UnicodeDecodeError:
        return ""
