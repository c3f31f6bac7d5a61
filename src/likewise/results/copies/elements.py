"""Where the block elements of a page stand in its source, and what their words are."""

import re
from dataclasses import dataclass, field

from likewise.read.markup import PatientParser

# Elements that hold a passage; those that a new one of the row closes, as browsers do.
BLOCKS = frozenset(("p", "li", "dd", "dt", "blockquote", "td", "th", "div", "section"))
_INNER = BLOCKS - {"dt", "th", "section"}
_CLOSED_BY = {"li": ("li",), "dd": ("dd", "dt"), "dt": ("dd", "dt"), "td": ("td", "th"), "th": ("td", "th")}
_LIMITS = {"li": ("ul", "ol"), "dd": ("dl",), "dt": ("dl",), "td": ("table",), "th": ("table",)}
_SILENT = ("script", "style", "title", "textarea")


@dataclass(slots=True)
class Element:
    """A block element: its content is ``source[start:end]``; ``after`` is where what follows it begins.

    What two line ends part in one is an element of its own, with the tag ``br``.
    """

    tag: str
    start: int
    end: int = -1
    after: int = -1
    words: str = ""
    is_inner: bool = True
    """Whether it holds no other block."""
    _first: int = 0
    # Where line ends begin and end, and the number of texts before; those with nothing between are one.
    _breaks: list[tuple[int, int, int, int]] = field(default_factory=list)


def words(text: str) -> str:
    """Return the words of a text, to be compared.

    >>> words("Red  fish, and blue.")
    'red fish and blue'
    """
    return " ".join(re.findall(r"\w+", text.lower()))


def elements(source: str) -> list[Element]:
    """Return the block elements of a page in their order.

    >>> [(one.tag, source[one.start : one.end]) for source in ["<ul><li>Red <b>fish</b><li>Blue</ul>"]
    ...  for one in elements(source)]
    [('li', 'Red <b>fish</b>'), ('li', 'Blue')]
    """
    finder = _Finder(source)
    finder.feed(source)
    finder.close()
    finder.end(0, len(source), len(source))
    return sorted(finder.found, key=lambda one: one.start)


class _Finder(PatientParser):
    def __init__(self, source: str) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[Element] = []
        self._source = source
        self._lines = [0, *(match.end() for match in re.finditer("\n", source))]
        self._texts: list[str] = []
        # Open elements that matter: blocks, and the lists and tables that they stand in.
        self._open: list[Element] = []
        self._silent = 0

    def _offset(self) -> int:
        line, column = self.getpos()
        return self._lines[line - 1] + column

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "br":
            self._break()
        if tag in _SILENT:
            self._silent += 1
        if tag not in BLOCKS and tag not in ("ul", "ol", "dl", "table"):
            return
        here = self._offset()
        # A paragraph ends where any block begins, an item where the next does.
        if self._open and self._open[-1].tag == "p":
            self.end(len(self._open) - 1, here, here)
        closed = _CLOSED_BY.get(tag, ())
        for depth in range(len(self._open) - 1, -1, -1):
            if self._open[depth].tag in _LIMITS.get(tag, ()):
                break
            if self._open[depth].tag in closed:
                self.end(depth, here, here)
                break
        if tag in _INNER:
            for outer in self._open:
                outer.is_inner = False
        start = here + len(self.get_starttag_text() or "")
        self._open.append(Element(tag, start, _first=len(self._texts)))

    def handle_endtag(self, tag: str) -> None:
        if tag in _SILENT:
            self._silent = max(0, self._silent - 1)
        for depth in range(len(self._open) - 1, -1, -1):
            if self._open[depth].tag == tag:
                here = self._offset()
                self.end(depth, here, self._source.find(">", here) + 1 or len(self._source))
                break

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """``<p/>`` holds nothing."""
        if tag == "br":
            self._break()

    def _break(self) -> None:
        if not self._open:
            return
        here, breaks, texts = self._offset(), self._open[-1]._breaks, len(self._texts)
        start, count = here, 1
        if breaks and not "".join(self._texts[breaks[-1][2] :]).strip():
            start, _, _, count = breaks.pop()
            count += 1
        breaks.append((start, here + len(self.get_starttag_text() or ""), texts, count))

    def handle_data(self, data: str) -> None:
        if not self._silent:
            self._texts.append(data)

    def end(self, depth: int, here: int, after: int) -> None:
        """Close the open elements from ``depth`` on: the inner ones here, the outermost behind its own tag."""
        for place, one in enumerate(self._open[depth:], depth):
            one.end, one.after = here, after if place == depth else here
            one.words = words("".join(self._texts[one._first :]))
            if one.tag in BLOCKS:
                self.found.append(one)
                self._part(one)
        del self._open[depth:]

    def _part(self, one: Element) -> None:
        """Add what two line ends part in an element."""
        breaks = [(start, end, texts) for start, end, texts, count in one._breaks if count > 1]
        begins = [(one.start, one._first), *((end, texts) for _, end, texts in breaks)]
        ends = [*((start, texts) for start, _, texts in breaks), (one.end, len(self._texts))]
        for (start, first), (end, last) in zip(begins, ends, strict=True) if breaks else ():
            self.found.append(Element("br", start, end, end, words("".join(self._texts[first:last]))))
