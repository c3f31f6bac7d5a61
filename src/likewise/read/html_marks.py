"""Marks set in a page before its text is extracted, for what extraction loses: tables, roles, formulas, links, ...

A mark is a character of the private use area, put beside the words it is about; :mod:`likewise.read.html` reads them.
"""

import re
from typing import Any

from likewise.read.deadline import Clock
from likewise.read.markup import TURNS

# Private-use characters of the page itself are taken out first, so that these marks are ours alone.
TABLE, TABLE_END, CELL, FORMULA, FORMULA_END, ROLE_END = (
    "\ue000",
    "\ue001",
    "\ue002",
    "\ue003",
    "\ue004",
    "\ue005",
)
_TURNING = "\ue006"
_ADMONITIONS = ("note", "tip", "warning", "caution", "important", "sidebar")
# Tables that DocBook puts around navigation and notes, and Sphinx around an index: they have no data.
_FRAMES = (
    ".navheader table",
    "table.indextable",
    ".navfooter table",
    *(f"div.{name} > table" for name in _ADMONITIONS),
)
# Mark -> the role of what stands in these elements. Sphinx, MkDocs, Docbook, Publican and EPUB name them so.
ROLES = {
    _TURNING: (
        "navigation",
        "nav, footer, [role=navigation], .related, .sphinxsidebar, .navheader, .navfooter, ul.docnav, p#title, "
        "h1#search-documentation ~ *",
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
        ".list-of-examples, div.index, [role=doc-index], .indextable, .genindex-jumpbox, .modindex-jumpbox",
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
# The sign behind a title that links to it is no word of the title.
_TITLES = ", ".join(f"h{level} a[href]" for level in range(1, 7))
_SIGNS = ("¶", "#", "§", "🔗", "\uf0c1")
# Kind of a mark inside a text -> the elements that have it. A number between the first two says which one begins.
BEGIN, BEGUN, END = "\ue00d", "\ue00e", "\ue00f"
_INLINE = {"emphasis": "em, i", "strong": "strong, b", "code": "code, kbd, samp, tt", "link": "a[href]"}
# What stands for a picture without words.
_PICTURE = "▣"
ROW = "\ue010"
# The extractor drops texts without a letter from the main content, so that one goes with each mark, and is taken out.
_LETTER = "x"
LETTERS = re.compile(rf"(?<=[{TABLE}-\ue013]){_LETTER}")
MARKS = re.compile(f"[{TABLE}-\ue013]")
# A table whose cells hold this many characters on average lays out the page and is no table of data.
_LAYOUT_CELL = 150


def mark_blocks(tree: Any, clock: Clock) -> None:
    """Mark tables with their rows and cells, elements that have a role, and formulas."""
    for selector in (_TITLES, "a.headerlink"):  # one behind the other: a link that both give would be taken out twice
        for link in _all(tree.body, selector):
            clock.check()
            if link.text.strip() in _SIGNS:
                link.decompose()
    frames = _all(tree.body, ", ".join(_FRAMES))
    for icon in _all(tree.body, ", ".join(f"{frame} img[alt]" for frame in _FRAMES)):
        if icon.getattr("alt", "").strip("[] ").lower() in _ADMONITIONS:
            icon.decompose()  # the word stands beside it
    for table in _all(tree.body, "table"):
        clock.check()  # tables in tables cost the square of their number
        cells = [cell for cell in _all(table, "td,th") if _table(cell) == table]
        nested = table.query_selector("table,h1,h2,h3,h4,h5,h6") is not None
        is_data = not nested and table not in frames and len(table.text) < _LAYOUT_CELL * len(cells)
        filled = _mark_cells(tree, cells)
        if is_data and filled:
            _put(tree, TABLE, filled[0][0], before=True)
            _put(tree, TABLE_END, filled[-1][1], before=False)
    for mark, (_, selector) in ROLES.items():
        clock.check()
        for element in _all(tree.body, selector):
            clock.check()
            _enclose(tree, element, mark, ROLE_END)
    for link in _all(tree.body, _TURNS):
        clock.check()
        if link.parent.tag in ("p", "li", "td", "th"):
            _enclose(tree, link.parent, _TURNING, ROLE_END)
    clock.check()
    for formula in _all(tree.body, "math[display=block]"):
        _enclose(tree, formula, FORMULA, FORMULA_END)


def _all(element: Any, selector: str) -> list[Any]:
    """The elements inside one that a selector names, taken at once.

    Resiliparse 2.0 asks its tree again for each element of a list that is gone through.
    """
    return list(element.query_selector_all(selector)[:])


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
            row, marks = cell.parent, ROW
        marks += CELL
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
            left.extend(list(node.child_nodes[:])[:: -1 if place == 0 else 1])
    return None


def mark_inline(tree: Any, clock: Clock) -> list[tuple[str, str]]:
    """Mark emphasis, code, links and pictures; return kind and target of each, by number."""
    found: list[tuple[str, str]] = []
    for kind, selector in _INLINE.items():
        clock.check()
        for element in _all(tree.body, selector):
            if not (kind == "code" and element.parent.tag == "pre"):
                _enclose(tree, element, f"{BEGIN}{len(found)}{BEGUN}", END)
                found.append((kind, element.getattr("href") or ""))
    for element in _all(tree.body, "img[src]"):
        words = " ".join((element.getattr("alt") or "").split()) or _PICTURE
        element.setattr("alt", "")
        _put(tree, f"{BEGIN}{len(found)}{BEGUN}{words}{END}", element, before=True)
        found.append(("image", element.getattr("src") or ""))
    return found
