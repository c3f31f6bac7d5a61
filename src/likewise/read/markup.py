"""HTML by Python's own parser: pieces of it inside Markdown, and whole pages where the faster parser is not installed.

It keeps no tree: elements that break the line end a block, cells are parted by tabs and rows by line ends.
"""

import re
from collections.abc import Callable
from html.parser import HTMLParser

from likewise.read.content import Blocks, Content
from likewise.read.document import PROSE

Found = tuple[str, str, int, str]

_OPENING = re.compile(r"<[!?/a-zA-Z]")

_BREAKING = frozenset(
    (
        *("address", "article", "aside", "blockquote", "body", "caption", "center", "dd", "details", "dialog", "div"),
        *(
            "dl",
            "dt",
            "fieldset",
            "figcaption",
            "figure",
            "footer",
            "form",
            "h1",
            "h2",
            "h3",
            "h4",
            "h5",
            "h6",
            "header",
        ),
        *("hr", "html", "li", "main", "nav", "ol", "p", "pre", "section", "summary", "table", "ul"),
    )
)
_SILENT = frozenset(("script", "style", "head", "template", "noscript", "svg"))
# A start tag here ends an element of these that was left open just before it.
_ENDED_BY = {"li": ("li", "p"), "dt": ("dt", "dd", "p"), "dd": ("dt", "dd", "p")}
_ROLES = {"figcaption": "caption", "caption": "caption", "nav": "navigation", "footer": "navigation"}
# What Sphinx, MkDocs, Docbook and EPUB write into class, id or role; the same as read/html.py selects.
_NAMED = {
    **dict.fromkeys(("navigation", "related", "sphinxsidebar", "navheader", "navfooter"), "navigation"),
    **dict.fromkeys(("figure-title", "caption"), "caption"),
    **dict.fromkeys(("footnote", "footnotes", "doc-footnote", "doc-endnotes"), "footnote"),
    **dict.fromkeys(("toc", "contents", "toctree-wrapper", "doc-toc"), "contents"),
    **dict.fromkeys(("list-of-figures", "list-of-tables", "list-of-examples", "index", "doc-index"), "contents"),
    **dict.fromkeys(("indextable", "genindex-jumpbox", "modindex-jumpbox"), "contents"),
    **dict.fromkeys(("sig", "def-line"), "code"),
    **dict.fromkeys(("legalnotice", "revhistory", "authorgroup", "author", "copyright"), "front"),
    **dict.fromkeys(("doc-bibliography", "citation", "bibliography"), "bibliography"),
    **dict.fromkeys(("glossary", "doc-glossary"), "glossary"),
    **dict.fromkeys(("exercise", "exercises", "problem"), "exercise"),
}

# What a link to the page before, behind or above this one, or to the contents, has in its attributes.
TURNS = {"rel": ("next", "prev", "up", "contents", "index"), "accesskey": ("n", "p", "u")}


def read_fragment(source: str) -> list[Found]:
    """Return kind, text, level and role of the blocks in a piece of HTML.

    >>> read_fragment("<table><tr><td>one</td><td>two</td></tr></table><p>It is <b>hot</b>.")
    [('table', 'one\\ttwo', 0, ''), ('paragraph', 'It is hot.', 0, '')]
    """
    return _parsed(source).found


def read_page(source: str, main_content: bool = False, check: Callable[[], None] | None = None) -> Content:
    """Return text, blocks and title of a whole page; with ``main_content`` without what leads to other pages.

    ``check`` is called at every tag; what it raises ends the reading.

    >>> page = read_page("<title>T</title><nav>Home</nav><h1>Soup</h1><p>Hot &amp; good.", main_content=True)
    >>> page.text, [block.kind for block in page.blocks], page.title
    ('Soup\\n\\nHot & good.', ['title', 'paragraph'], 'T')
    """
    parser = _parsed(_closing(source), check)
    blocks = Blocks()
    for kind, text, level, role in parser.found:
        if not (main_content and role in ("navigation", "contents")):
            blocks.add(kind, text, level, role=role)
    return blocks.content(" ".join("".join(parser.title).split()))


def _closing(source: str) -> str:
    """Take off comments and tags that never close, which Python's parser looks for the end of again and again."""
    comment = source.find("<!--", source.rfind("-->") + 1)
    source = source[:comment] if comment >= 0 else source
    section = source.rfind("]]>") + 1
    source = source[:section] + source[section:].replace("<![", "<!")
    last = source.rfind(">") + 1
    opening = _OPENING.search(source, last)
    return source[: opening.start()] if opening else source


def _parsed(source: str, check: Callable[[], None] | None = None) -> "_Parser":
    parser = _Parser(check)
    parser.feed(source)
    parser.close()
    parser.flush()
    return parser


class PatientParser(HTMLParser):
    """Python's parser, which stumbles over ``<![`` with an unknown word: as browsers do, it is taken for a comment."""

    def parse_marked_section(self, i: int, report: bool = True) -> int:
        """Return where the section ends."""
        try:
            return super().parse_marked_section(i, report)
        except AssertionError:
            return self.parse_bogus_comment(i)


class _Parser(PatientParser):
    def __init__(self, check: Callable[[], None] | None = None) -> None:
        super().__init__(convert_charrefs=True)
        self._check = check
        self.found: list[Found] = []
        self.title: list[str] = []
        self._text: list[str] = []
        self._shown: list[str] = []  # what pictures say of themselves
        self._open: list[str] = []
        self._roles: list[str] = []
        self._in_title = False
        self._cells = False
        self._broken = 0  # where the text behind the last line end begins

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if self._check is not None:
            self._check()
        given = dict(attrs)
        if tag in _BREAKING and "table" not in self._open:
            self.flush()
            self._end_implied(tag)
        if tag == "br":
            self._break()
        elif tag in ("td", "th"):
            self._text.append("\t" if self._cells else "")
            self._cells = True
        elif tag == "tr":
            self._text.append("\n")
            self._cells = False
        elif tag in _BREAKING and tag != "pre":
            self._text.append(" ")
        if tag == "img":
            self._text.append(given.get("alt") or "")
            self._shown.append(given.get("alt") or "")
        elif tag == "a" and self._open[-1:] in (["p"], ["li"]) and _turns(given):
            self._roles[-1] = "navigation"
        elif tag == "title":
            self._in_title = not self.title
        elif tag == "math" and given.get("display") == "block":
            self.flush()
            self._begin(tag, "")
        elif tag in _BREAKING or tag in _SILENT:
            self._begin(tag, _role(tag, given))

    def handle_endtag(self, tag: str) -> None:
        self._in_title = self._in_title and tag != "title"
        if tag not in self._open:
            return
        if (tag in _BREAKING or tag == "math") and (tag == "table" or "table" not in self._open):
            self.flush()
        while self._open and self._end() != tag:
            pass

    def handle_data(self, data: str) -> None:
        if self._in_title:
            self.title.append(data)
        elif not _SILENT.intersection(self._open):
            self._text.append(data if "pre" in self._open else data.replace("\n", " "))

    def _break(self) -> None:
        """End a line; two of them with nothing between end a paragraph, on pages that have no others."""
        self._text.append("\n" if "pre" in self._open else " ")
        inside = {"pre", "table", *("h1", "h2", "h3", "h4", "h5", "h6")}.intersection(self._open)
        if self._broken and not inside and not "".join(self._text[self._broken :]).strip():
            self.flush()
        else:
            self._broken = len(self._text)

    def _begin(self, tag: str, role: str) -> None:
        self._open.append(tag)
        self._roles.append(role)

    def _end(self) -> str:
        self._roles.pop()
        return self._open.pop()

    def _end_implied(self, tag: str) -> None:
        """End a paragraph or an item that nobody closed; a page may have thousands of them."""
        if self._open[-1:] == ["head"]:
            self._end()
        while self._open and self._open[-1] in _ENDED_BY.get(tag, ("p",)):
            self._end()

    def flush(self) -> None:
        """End the block at hand."""
        raw = "".join(self._text)
        is_picture = raw.split() == " ".join(self._shown).split()
        self._text.clear()
        self._shown.clear()
        self._broken = 0
        if "table" in self._open:
            rows = ("\t".join(" ".join(cell.split()) for cell in row.split("\t")) for row in raw.split("\n"))
            kind, text, level = "table", "\n".join(row for row in rows if row.strip()), 0
        elif "pre" in self._open:
            kind, text, level = "code", raw.strip("\n").rstrip(), 0
        elif "math" in self._open:
            kind, text, level = "formula", " ".join(raw.split()), 0
        else:
            text = " ".join(raw.split()).removesuffix("¶").rstrip()  # a link to the title itself
            heading = next((tag for tag in reversed(self._open) if len(tag) == 2 and tag[0] == "h" and tag != "hr"), "")
            level = int(heading[1]) if heading else 0
            inner = next((tag for tag in reversed(self._open) if tag in ("li", "dd", "dt", "blockquote")), "")
            kind = "title" if heading else {"": "paragraph", "blockquote": "quote"}.get(inner, "item")
        if text.strip():
            role = next(filter(None, reversed(self._roles)), "caption" if is_picture else "")
            self.found.append((kind, text, level, role if kind in PROSE else ""))


def _role(tag: str, given: dict[str, str | None]) -> str:
    names = " ".join(given.get(key) or "" for key in ("class", "id", "role")).split()
    return _ROLES.get(tag) or next((_NAMED[name] for name in names if name in _NAMED), "")


def _turns(given: dict[str, str | None]) -> bool:
    """Whether a link turns the page."""
    return any(given.get(name) in values for name, values in TURNS.items())
