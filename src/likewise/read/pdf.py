"""PDF: the lines that pdfium finds, put together to paragraphs by their height and distance.

Running titles and page numbers are left out. Titles are those of the outline, at the places it
leads to; where there is none, larger lines that stand alone. A PDF of pictures has no text, and is reported so.
"""

from statistics import median

from likewise.read import pdf_pages
from likewise.read.apart import Apart, EndedError
from likewise.read.content import Blocks, Content
from likewise.read.options import ReadOptions
from likewise.read.pdf_furniture import without_furniture
from likewise.read.pdf_lines import PdfLine, joined, lines_of
from likewise.read.pdf_outline import Outline, bookmarks_of
from likewise.read.pdf_streams import check_streams
from likewise.read.skipped import SkipError

# A line this much larger than most is a title; a gap this much larger than a line ends a paragraph.
_LARGER, _GAP = 1.15, 1.6
_LONGEST_TITLE = 120


PDFS = Apart(pdf_pages, "pypdfium2", "pdf", "PDF files")


def read_pdf(data: bytes, options: ReadOptions) -> Content:
    """Return text, blocks and title of a PDF file."""
    check_streams(data)
    request = PDFS.request(data, options.max_seconds)
    try:
        said, found = PDFS.ask(data, request)
    except EndedError as error:
        raise PDFS.refusal(error, request) from None
    if "refused" in said:
        raise SkipError(*said["refused"])
    pages = [lines_of(pieces, number) for number, pieces in enumerate(found)]
    lines = [line for page in pages for line in page]
    if not lines:
        raise SkipError("no text", "a PDF without text: perhaps pages as pictures")
    usual = median(line.height for line in lines)
    pages = without_furniture(pages, _LARGER * usual)
    outline = Outline(pages, bookmarks_of(said["outline"], len(pages)))
    return _blocks(pages, usual, outline).content(said["title"].strip())


def _blocks(pages: list[list[PdfLine]], usual: float, outline: Outline) -> Blocks:
    page = Blocks()
    group: list[PdfLine] = []

    def flush() -> None:
        if not group:
            return
        text = joined([line.text for line in group])
        large = (
            not outline.dense
            and group[0].height > _LARGER * usual
            and len(text) <= _LONGEST_TITLE
            and not text.endswith((".", ",", ";"))
        )
        page.add("title" if large else "paragraph", text, max(2, outline.deepest + 1) if large else 0)
        group.clear()

    for number, lines in enumerate(pages):
        behind = 0
        for at, line in enumerate(lines):
            for title in outline.at(number, at):
                flush()
                page.add("title", title.text, title.level)
                behind = max(behind, at + title.lines)
            if at < behind:
                continue
            if group and line.page == group[-1].page:
                gap = group[-1].bottom - line.bottom
                resized = abs(line.height - group[-1].height) > 0.25 * usual
                if gap > _GAP * max(usual, group[-1].height) or gap < -usual or resized:
                    flush()
            elif group and group[-1].text.rstrip().endswith((".", "!", "?", ":")):
                flush()  # a paragraph may go on over the page
            group.append(line)
        for title in outline.at(number, len(lines)):
            flush()
            page.add("title", title.text, title.level)
    flush()
    return page
