"""HTML to text and blocks. Parsing and text extraction are resiliparse's; what is kept of the structure is ours.

Without resiliparse (the extra ``web``) pages are read by Python's own parser (:mod:`likewise.read.markup`): the same
blocks on clean pages, slower, and with less of a guess at what is the main content.

The native extractor writes text with a handful of tags (``h1``-``h6``, ``p``, ``li``, ``pre``, ``br``) and loses
tables, so marks are put into table cells and displayed formulas before it runs. Its output is then read in one pass
that turns the tags into blocks. Nothing of the page is ever executed or kept as markup.
"""

import html as entities
import re
from typing import Any

from likewise.read.content import Blocks, Content
from likewise.read.deadline import Clock
from likewise.read.depth import too_deep, too_wide
from likewise.read.markup import read_page
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
# Mark -> the role of what stands in these elements. Sphinx, MkDocs, Docbook and EPUB name them so.
_ROLES = {
    "\ue006": ("navigation", "nav, footer, [role=navigation], .related, .sphinxsidebar, .navheader, .navfooter"),
    "\ue007": ("caption", "figcaption, caption, p.caption, .figure-title"),
    "\ue008": (
        "footnote",
        "aside.footnote, li.footnote, [role=doc-footnote], [role=doc-endnotes], dl.footnote, .footnotes",
    ),
    "\ue009": ("contents", "#toc, .toc, .contents, .toctree-wrapper, [role=doc-toc]"),
    "\ue00a": ("bibliography", "[role=doc-bibliography], div.citation, dl.citation, .bibliography"),
    "\ue00b": ("glossary", "dl.glossary, [role=doc-glossary], .glossary"),
    "\ue00c": ("exercise", ".exercise, .exercises, .problem"),
}
_MARKS = re.compile(f"[{_TABLE}-\ue00c]")
_PIECE = re.compile(rf"(?:</?(?:h[1-6]|p|ul|ol|li|pre)>|<br>|[{_TABLE}{_TABLE_END}{_FORMULA}-\ue00c])")
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
        return read_page(page, options.main_content)
    tree = HTMLTree.parse(page)
    clock.check()
    if tree.body is None:
        raise SkipError("no text")
    _mark(tree, clock)
    reduced: str = extract_plain_text(
        tree,
        preserve_formatting="minimal_html",
        main_content=options.main_content,
        links=False,
        skip_elements=["[hidden]", "[aria-hidden=true]"] if options.main_content else None,
    )
    clock.check()
    blocks = _blocks(reduced)
    clock.check()
    return blocks.content(_SPACE.sub(" ", tree.title or "").strip())


def _mark(tree: Any, clock: Clock) -> None:
    for table in tree.body.query_selector_all("table"):
        clock.check()  # tables in tables cost the square of their number
        cells = table.query_selector_all("td,th")
        if not len(cells):
            continue
        for cell in cells:
            cell.insert_before(tree.create_text_node(_CELL), cell.first_child) if cell.first_child else None
        nested = table.query_selector("table,h1,h2,h3,h4,h5,h6") is not None
        if not nested and len(table.text) < _LAYOUT_CELL * len(cells):
            first, last = cells[0], cells[len(cells) - 1]
            if first.first_child:
                first.insert_before(tree.create_text_node(_TABLE), first.first_child)
            else:
                first.append_child(tree.create_text_node(_TABLE))
            last.append_child(tree.create_text_node(_TABLE_END))
    for mark, (_, selector) in _ROLES.items():
        clock.check()
        for element in tree.body.query_selector_all(selector):
            if element.first_child:
                element.insert_before(tree.create_text_node(mark), element.first_child)
                element.append_child(tree.create_text_node(_ROLE_END))
    clock.check()
    for formula in tree.body.query_selector_all("math[display=block]"):
        if formula.first_child:
            formula.insert_before(tree.create_text_node(_FORMULA), formula.first_child)
            formula.append_child(tree.create_text_node(_FORMULA_END))


def _blocks(reduced: str) -> Blocks:
    """Turn the extractor's text with a few tags into plain text and blocks."""
    writer = _Writer()
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

    def __init__(self) -> None:
        self.blocks = Blocks()
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
        if self._kind == "code":
            content = raw.strip("\n").rstrip()
            content = content if content.strip() else ""
        elif self._kind == "table":
            rows = ("\t".join(" ".join(cell.split()) for cell in row.split(_CELL)[1:]) for row in raw.split("\n"))
            content = "\n".join(row for row in rows if row.strip())
        else:
            content = _SPACE.sub(" ", raw.replace(_CELL, " ")).strip()
        role = self._roles[-1] if self._roles and self._kind in ("paragraph", "item", "quote") else ""
        self.blocks.add(self._kind, content, self._level, role=role)
