"""HTML by Python's own parser: pieces of it inside Markdown, and whole pages where the faster parser is not installed.

It keeps no tree: elements that break the line end a block, cells are parted by tabs and rows by line ends.
"""

from html.parser import HTMLParser

Found = tuple[str, str, int, str]

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
_ROLES = {"figcaption": "caption", "caption": "caption", "nav": "navigation", "footer": "navigation"}


def read_fragment(source: str) -> list[Found]:
    """Return kind, text, level and role of the blocks in a piece of HTML.

    >>> read_fragment("<table><tr><td>one</td><td>two</td></tr></table><p>It is <b>hot</b>.")
    [('table', 'one\\ttwo', 0, ''), ('paragraph', 'It is hot.', 0, '')]
    """
    parser = _Parser()
    parser.feed(source)
    parser.close()
    parser.flush()
    return parser.found


class _Parser(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[Found] = []
        self._text: list[str] = []
        self._open: list[str] = []
        self._cells = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _BREAKING and "table" not in self._open:
            self.flush()
        if tag == "br":
            self._text.append("\n" if "pre" in self._open else " ")
        elif tag in ("td", "th"):
            self._text.append("\t" if self._cells else "")
            self._cells = True
        elif tag == "tr":
            self._text.append("\n")
            self._cells = False
        elif tag in _BREAKING:
            self._text.append(" ")
        if tag == "img":
            self._text.append(dict(attrs).get("alt") or "")
        elif tag in _BREAKING or tag in _SILENT:
            self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in self._open:
            return
        if tag in _BREAKING and (tag == "table" or "table" not in self._open):
            self.flush()
        while self._open and self._open.pop() != tag:
            pass

    def handle_data(self, data: str) -> None:
        if not _SILENT.intersection(self._open):
            self._text.append(data if "pre" in self._open else data.replace("\n", " "))

    def flush(self) -> None:
        """End the block at hand."""
        raw = "".join(self._text)
        self._text.clear()
        if "table" in self._open:
            rows = ("\t".join(" ".join(cell.split()) for cell in row.split("\t")) for row in raw.split("\n"))
            kind, text, level = "table", "\n".join(row for row in rows if row.strip()), 0
        elif "pre" in self._open:
            kind, text, level = "code", raw.strip("\n").rstrip(), 0
        else:
            text = " ".join(raw.split())
            heading = next((tag for tag in reversed(self._open) if len(tag) == 2 and tag[0] == "h" and tag != "hr"), "")
            level = int(heading[1]) if heading else 0
            inner = next((tag for tag in reversed(self._open) if tag in ("li", "dd", "dt", "blockquote")), "")
            kind = "title" if heading else {"": "paragraph", "blockquote": "quote"}.get(inner, "item")
        if text.strip():
            role = next((_ROLES[tag] for tag in reversed(self._open) if tag in _ROLES), "")
            self.found.append((kind, text, level, role if kind != "table" else ""))
