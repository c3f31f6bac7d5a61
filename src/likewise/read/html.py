"""HTML to text and blocks. Parsing and text extraction are resiliparse's; what is kept of the structure is ours.

Without resiliparse (the extra ``web``) pages are read by Python's own parser (:mod:`likewise.read.markup`): the same
blocks on clean pages, slower, and with less of a guess at what is the main content.

The native extractor writes text with a handful of tags (``h1``-``h6``, ``p``, ``li``, ``pre``, ``br``) and loses
tables, roles, emphasis and links, so marks are put beside the words before it runs. Its output is then read in one pass
that turns the tags into blocks. Nothing of the page is ever executed or kept as markup.
"""

import html as entities
import re
from dataclasses import replace
from typing import Any

from likewise.read.content import Blocks, Content
from likewise.read.deadline import Clock
from likewise.read.depth import too_deep, too_wide
from likewise.read.document import Mark, Span
from likewise.read.markup import TURNS, read_page
from likewise.read.options import ReadOptions
from likewise.read.skipped import SkipError

# Private-use characters of the page itself are taken out first, so that these marks are ours alone.
_TABLE, _TABLE_END, _CELL, _FORMULA, _FORMULA_END, _ROLE_END = (
    "\ue000",
    "\ue001",
    "\ue002",
    "\ue003",
    "\ue004",
    "\ue005",
)
_TURNING = "\ue006"
_ADMONITIONS = ("note", "tip", "warning", "caution", "important", "sidebar")
# Tables that DocBook puts around navigation and notes: they have no data.
_FRAMES = (".navheader table", ".navfooter table", *(f"div.{name} > table" for name in _ADMONITIONS))
# Mark -> the role of what stands in these elements. Sphinx, MkDocs, Docbook, Publican and EPUB name them so.
_ROLES = {
    _TURNING: (
        "navigation",
        "nav, footer, [role=navigation], .related, .sphinxsidebar, .navheader, .navfooter, ul.docnav, p#title",
    ),
    "\ue007": (
        "caption",
        "figcaption, caption, p.caption, div.caption, .figure-title, div.figure > .title, div.table > .title, "
        "div.example > .title, .imageblock > .title, .listingblock > .title, .exampleblock > .title",
    ),
    "\ue008": (
        "footnote",
        "aside.footnote, li.footnote, [role=doc-footnote], [role=doc-endnotes], dl.footnote, .footnotes",
    ),
    "\ue009": (
        "contents",
        "#toc, .toc, .contents, .toctree-wrapper, [role=doc-toc], .list-of-figures, .list-of-tables, "
        ".list-of-examples, div.index, [role=doc-index]",
    ),
    "\ue00a": ("bibliography", "[role=doc-bibliography], div.citation, dl.citation, .bibliography"),
    "\ue00b": ("glossary", "dl.glossary, [role=doc-glossary], .glossary"),
    "\ue00c": ("exercise", ".exercise, .exercises, .problem"),
    "\ue011": (
        "front",
        "div.legalnotice, div.revhistory, div.authorgroup, div.author, p.copyright, p.pubdate, .edition",
    ),
    # How a function is called is no sentence about it: Sphinx, and Texinfo of two generations.
    "\ue013": ("code", "dt.sig, dt.def-line, dl.def > dt"),
    # "Note" above a note is no title: what follows the note is no part of it.
    "\ue012": ("pointer", ", ".join(f"div.{name} > .title, div.{name} > .titlepage .title" for name in _ADMONITIONS)),
}
# The paragraph, item or cell that has a link to the page before, behind or above, or to the contents, is navigation.
_TURNS = ", ".join(f"a[{name}={value}]" for name, values in TURNS.items() for value in values)
# Kind of a mark inside a text -> the elements that have it. A number between the first two says which one begins.
_BEGIN, _BEGUN, _END = "\ue00d", "\ue00e", "\ue00f"
_INLINE = {"emphasis": "em, i", "strong": "strong, b", "code": "code, kbd, samp, tt", "link": "a[href]"}
_INLINE_PIECE = re.compile(rf"{_BEGIN}(\d+){_BEGUN}|({_END})")
# What stands for a picture without words.
_PICTURE = "▣"
_ROW = "\ue010"
_CELLS = re.compile(f"[{_CELL}{_ROW}]")
# The extractor drops texts without a letter from the main content, so that one goes with each mark, and is taken out.
_LETTER = "x"
_LETTERS = re.compile(rf"(?<=[{_TABLE}-\ue013]){_LETTER}")
_MARKS = re.compile(f"[{_TABLE}-\ue013]")
_PIECE = re.compile(rf"(?:</?(?:h[1-6]|p|ul|ol|li|pre)>|<br>|[{_TABLE}{_TABLE_END}{_FORMULA}-\ue00c\ue011-\ue013])")
_SPACE = re.compile(r"\s+")
_LINE_END = re.compile(r"\n\s*")
# A table whose cells hold this many characters on average lays out the page and is no table of data.
_LAYOUT_CELL = 150


def read_html(page: str, options: ReadOptions) -> Content:
    """Return text, blocks and title of a page.

    >>> page = read_html("<title>T</title><h1>Soup</h1><p>Hot &amp; good.", ReadOptions())
    >>> page.text, [block.kind for block in page.blocks], page.title
    ('Soup\\n\\nHot & good.', ['title', 'paragraph'], 'T')
    """
    clock = Clock(options.max_seconds)
    if too_deep(page, options.max_depth):
        raise SkipError("too deep", f"elements nested more than {options.max_depth} deep")
    if too_wide(page):
        raise SkipError("too deep", "thousands of attributes in one tag")
    if _MARKS.search(page):
        page = _MARKS.sub("", page)
    clock.check()
    try:
        from resiliparse.extract.html2text import extract_plain_text
        from resiliparse.parse.html import HTMLTree
    except ImportError:  # the extra `web` is not installed
        return read_page(page, options.main_content, clock.check)
    tree = HTMLTree.parse(page)
    clock.check()
    if tree.body is None:
        raise SkipError("no text")
    _mark(tree, clock)
    inline = _mark_inline(tree, clock) if options.marks else []
    reduced: str = extract_plain_text(
        tree,
        preserve_formatting="minimal_html",
        main_content=options.main_content,
        links=False,
        skip_elements=["[hidden]", "[aria-hidden=true]"] if options.main_content else None,
    )
    clock.check()
    blocks = _blocks(_LETTERS.sub("", reduced), inline)
    clock.check()
    return blocks.content(_SPACE.sub(" ", tree.title or "").strip())


def _mark(tree: Any, clock: Clock) -> None:
    frames = list(tree.body.query_selector_all(", ".join(_FRAMES)))
    for icon in list(tree.body.query_selector_all(", ".join(f"{frame} img[alt]" for frame in _FRAMES))):
        if icon.getattr("alt", "").strip("[] ").lower() in _ADMONITIONS:
            icon.decompose()  # the word stands beside it
    for table in tree.body.query_selector_all("table"):
        clock.check()  # tables in tables cost the square of their number
        cells = [cell for cell in table.query_selector_all("td,th") if _table(cell) == table]
        nested = table.query_selector("table,h1,h2,h3,h4,h5,h6") is not None
        is_data = not nested and table not in frames and len(table.text) < _LAYOUT_CELL * len(cells)
        filled = _mark_cells(tree, cells)
        if is_data and filled:
            _put(tree, _TABLE, filled[0][0], before=True)
            _put(tree, _TABLE_END, filled[-1][1], before=False)
    for mark, (_, selector) in _ROLES.items():
        clock.check()
        for element in tree.body.query_selector_all(selector):
            clock.check()
            _enclose(tree, element, mark, _ROLE_END)
    for link in tree.body.query_selector_all(_TURNS):
        clock.check()
        if link.parent.tag in ("p", "li", "td", "th"):
            _enclose(tree, link.parent, _TURNING, _ROLE_END)
    clock.check()
    for formula in tree.body.query_selector_all("math[display=block]"):
        _enclose(tree, formula, _FORMULA, _FORMULA_END)


def _table(cell: Any) -> Any:
    """The table of a cell: a table inside another marks its own cells, and each cell is marked once."""
    element = cell.parent
    while element.tag not in ("table", "body"):
        element = element.parent
    return element


def _mark_cells(tree: Any, cells: list[Any]) -> list[tuple[Any, Any]]:
    """Mark where rows and cells begin; return these marks and the last text, of the cells that are not empty."""
    filled: list[tuple[Any, Any]] = []
    row, marks = None, ""
    for cell in cells:
        if cell.parent != row:
            row, marks = cell.parent, _ROW
        marks += _CELL
        first = _outermost(cell, 0)
        if first is not None:
            last = _outermost(cell, -1)
            filled.append((_put(tree, marks, first, before=True), last))
            marks = ""
    return filled


def _enclose(tree: Any, element: Any, begin: str, end: str) -> None:
    """Put marks before the first and behind the last words of an element, where the extractor cannot lose them."""
    first, last = _outermost(element, 0), _outermost(element, -1)
    if first is not None and last is not None:
        _put(tree, begin, first, before=True)
        _put(tree, end, last, before=False)


def _put(tree: Any, marks: str, text: Any, *, before: bool) -> Any:
    """Put marks beside a text, and return their node.

    Nodes are only added: setting the text of one can free it twice.
    """
    node = tree.create_text_node(marks + _LETTER)
    beside = text if before else text.next
    if beside is None:
        text.parent.append_child(node)
    else:
        text.parent.insert_before(node, beside)
    return node


def _outermost(element: Any, place: int) -> Any:
    """The first (0) or last (-1) text in an element that is not blank; what is far inside is not read to find it."""
    left = [element]
    while left:
        node = left.pop()
        if node.tag == "#text":
            if node.text.strip():
                return node
        elif node.tag not in ("script", "style", "#comment"):
            left.extend(reversed(node.child_nodes) if place == 0 else node.child_nodes)
    return None


def _mark_inline(tree: Any, clock: Clock) -> list[tuple[str, str]]:
    """Mark emphasis, code, links and pictures; return kind and target of each, by number."""
    found: list[tuple[str, str]] = []
    for kind, selector in _INLINE.items():
        clock.check()
        for element in tree.body.query_selector_all(selector):
            if not (kind == "code" and element.parent.tag == "pre"):
                _enclose(tree, element, f"{_BEGIN}{len(found)}{_BEGUN}", _END)
                found.append((kind, element.getattr("href") or ""))
    for element in tree.body.query_selector_all("img[src]"):
        words = " ".join((element.getattr("alt") or "").split()) or _PICTURE
        element.setattr("alt", "")
        _put(tree, f"{_BEGIN}{len(found)}{_BEGUN}{words}{_END}", element, before=True)
        found.append(("image", element.getattr("src") or ""))
    return found


def _unmarked(text: str, inline: list[tuple[str, str]]) -> tuple[str, list[Mark]]:
    """Return a text without the marks inside it, and what they marked. White space never doubles.

    >>> _unmarked(f"a {_BEGIN}0{_BEGUN} soup{_END}.", [("strong", "")])
    ('a soup.', [Mark(kind='strong', span=Span(start=2, end=6), target='')])
    """
    if _BEGIN not in text and _END not in text:
        return text, []
    parts: list[str] = []
    marks: list[Mark] = []
    length = 0
    begun: list[tuple[int, int]] = []
    at = 0
    for match in [*_INLINE_PIECE.finditer(text), None]:
        piece = text[at : match.start() if match else len(text)]
        if not length or parts[-1].endswith(" "):
            piece = piece.lstrip()
        if piece:
            parts.append(piece)
            length += len(piece)
        if match is None:
            break
        at = match.end()
        if match[1]:
            begun.append((int(match[1]), length))
        elif begun:
            number, start = begun.pop()
            if start < length:
                marks.append(Mark(inline[number][0], Span(start, length), inline[number][1]))
    whole = "".join(parts).rstrip()
    kept = (mark for mark in marks if mark.span.start < len(whole))
    return whole, [replace(mark, span=Span(mark.span.start, min(mark.span.end, len(whole)))) for mark in kept]


def _blocks(reduced: str, inline: list[tuple[str, str]]) -> Blocks:
    """Turn the extractor's text with a few tags into plain text and blocks."""
    writer = _Writer(inline)
    position = 0
    for match in _PIECE.finditer(reduced):
        writer.text(reduced[position : match.start()])
        writer.tag(match[0])
        position = match.end()
    writer.text(reduced[position:])
    writer.flush()
    return writer.blocks


class _Writer:
    """Collects the text, and a block each time one ends."""

    def __init__(self, inline: list[tuple[str, str]]) -> None:
        self.blocks = Blocks()
        self._inline = inline
        self._pending: list[str] = []
        self._kind = "paragraph"
        self._level = 0
        self._items = 0
        self._roles: list[str] = []

    def text(self, piece: str) -> None:
        if not piece:
            return
        if self._kind not in ("code", "table") and "\n" in piece:
            # The extractor collapses white space, so that a line end outside of code is the edge of a block element.
            if self._pending and self._pending[-1] == "\n":
                piece = piece.removeprefix("\n")
            first, *others = _LINE_END.split(piece)
            self._pending.append(first)
            for other in others:
                self.flush()
                self._pending.append(other)
        else:
            self._pending.append(piece)

    def tag(self, tag: str) -> None:
        name = tag.strip("</>")
        closing = tag.startswith("</")
        if tag == "<br>":
            if self._is_second_break():
                self.flush()
            else:
                self._pending.append("\n")
        elif tag in _ROLES or tag == _ROLE_END:
            self._role(tag)
        elif tag in (_FORMULA, _FORMULA_END):
            self.flush()
            self._kind = "formula" if tag == _FORMULA else self._base()
        elif tag in (_TABLE, _TABLE_END):
            self.flush()
            self._kind = "table" if tag == _TABLE else self._base()
        elif name == "pre":
            self.flush()
            self._kind = self._base() if closing else "code"
        elif self._kind == "table":
            self._pending.append("\n")
        else:
            self.flush()
            if name in ("ul", "ol"):
                self._items = max(self._items + (-1 if closing else 1), 0)
            self._kind, self._level = ("title", int(name[1])) if name[0] == "h" and not closing else (self._base(), 0)

    def _is_second_break(self) -> bool:
        """Whether nothing stands between this break and the one before: pages without paragraphs part them so."""
        if self._kind not in ("paragraph", "item") or "\n" not in self._pending:
            return False
        last = len(self._pending) - self._pending[::-1].index("\n")
        return not _INLINE_PIECE.sub("", entities.unescape("".join(self._pending[last:]))).strip()

    def _role(self, tag: str) -> None:
        if self._kind == "table":
            return  # the caption of a table is part of what the table says
        self.flush()
        if tag in _ROLES:
            self._roles.append(_ROLES[tag][0])
        elif self._roles:
            self._roles.pop()

    def _base(self) -> str:
        return "item" if self._items else "paragraph"

    def flush(self) -> None:
        """End the block at hand."""
        raw = entities.unescape("".join(self._pending))
        self._pending.clear()
        marks: list[Mark] = []
        if self._kind in ("code", "table") and self._inline:
            raw = _INLINE_PIECE.sub("", raw)
        if self._kind == "code":
            content = raw.strip("\n").rstrip()
            content = content if content.strip() else ""
        elif self._kind == "table":
            rows = ("\t".join(" ".join(cell.split()) for cell in row.split(_CELL)[1:]) for row in raw.split(_ROW))
            content = "\n".join(row for row in rows if row.strip())
        else:
            content, marks = _unmarked(_SPACE.sub(" ", _CELLS.sub(" ", raw)).strip(), self._inline)
        if self._kind == "title" and self._roles and self._roles[-1] in ("pointer", "front"):
            self._kind, self._level = "paragraph", 0
        role = self._roles[-1] if self._roles and self._kind in ("paragraph", "item", "quote") else ""
        self.blocks.add(self._kind, content, self._level, role=role, marks=marks)
