"""Markdown to text and blocks, by markdown-it: CommonMark with what books and documentation add to it.

Front matter, tables, footnotes, definition lists, formulas, admonitions and HTML are known. Attribute lists
(``{: #id .class}``, ``{#id}``), fences of colons and directives of static-site tools are taken off. Every block keeps
its span in the source as ``origin``, from behind the signs of the lists and quotations that it stands in to the end of
its last line; links, pictures and emphasis are kept as marks.
"""

import re
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from likewise.read.content import Blocks, Content, Line
from likewise.read.deadline import Clock
from likewise.read.document import Span
from likewise.read.markup import read_fragment
from likewise.read.options import ReadOptions

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

# What is taken is not given back: `{p=p=p=...` without an end could be cut into attributes in too many ways.
_ATTRIBUTES = r"(?:\s*+(?:[#.][\w:.-]++|[\w:-]++=(?:\"[^\"\n]*\"|'[^'\n]*'|[^\s}\"']{1,200}+)|-))++\s*+"
# And a footnote's sign that leads to no note.
_ATTRIBUTE_LIST = re.compile(rf"[ \t]*\{{:?{_ATTRIBUTES}\}}|\{{:(?:[^{{}}\n]*)\}}|\[\^[\w-]+\]")
# Lines that only tools read; blanked one for one, so that the places of all others stay.
_TOOL_LINE = re.compile(
    rf" {{0,3}}(?::{{3,}}[^\n`]*|\{{:{_ATTRIBUTES}\}}|\{{::[^\n]*\}}|\^|\{{\{{[#%][^\n]*\}}\}}|\{{%[^\n]*%\}}|\[TOC\]"
    r"|\\(?:newpage|pagebreak))[ \t]*$"
)
_PAIRS = (("<!--", "-->"), ("<?", "?>"), ("<![CDATA[", "]]>"))
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_LATE_FRONT = re.compile(r"\A((?:[ \t]*\n)+)(---[ \t]*\n[\w-]+[ \t]*:.*?\n---[ \t]*\n)", re.DOTALL)
_TITLE = re.compile(r"^title\s*[:=]\s*+(.+)$", re.MULTILINE | re.IGNORECASE)
_TABLE_START = re.compile(r" {0,3}<(table|figure|svg|math|dl)\b", re.IGNORECASE)
TASK = re.compile(r"\[[ xX]\]\s+")
# The signs of lists, definitions and quotations before what stands in them.
_INSIDE = re.compile(r"(?:[ \t]*(?:>|(?:[-*+:~]|\d{1,9}[.)])(?=[ \t])))*[ \t]*")


def read_markdown(source: str, options: ReadOptions | None = None) -> Content:
    """Return text, blocks and title (of the front matter, else the first heading) of Markdown.

    >>> page = read_markdown("# Soup\\n\\nIt is **hot**, see [there](a.md), a[0].\\n\\n    1 + 1\\n")
    >>> page.text
    'Soup\\n\\nIt is hot, see there, a[0].\\n\\n1 + 1'
    >>> [(block.kind, block.level) for block in page.blocks]
    [('title', 1), ('paragraph', 0), ('code', 0)]
    """
    clock = Clock((options or ReadOptions()).max_seconds)
    tokens = parse(_without_tools(source))
    clock.check()
    walk = _Walk(source)
    for token in tokens:
        walk.take(token)
        clock.check()
    return walk.page.content(walk.named or walk.first_title)


def parse(source: str) -> "Sequence[Token]":
    """Return markdown-it's tokens of a text."""
    # Front matter is known at the very beginning only; blank lines above it go behind it, and no other line moves.
    return _parser().parse(_LATE_FRONT.sub(r"\2\1", source, count=1))


@cache
def _parser() -> "MarkdownIt":
    from markdown_it import MarkdownIt
    from mdit_py_plugins.admon import admon_plugin
    from mdit_py_plugins.deflist import deflist_plugin
    from mdit_py_plugins.dollarmath import dollarmath_plugin
    from mdit_py_plugins.footnote import footnote_plugin
    from mdit_py_plugins.front_matter import front_matter_plugin

    parser = MarkdownIt("commonmark").enable(["table", "strikethrough"])
    parser.use(front_matter_plugin).use(deflist_plugin).use(footnote_plugin).use(admon_plugin)
    parser.use(dollarmath_plugin, allow_space=False, allow_digits=False, double_inline=True)
    # Notes stay where they are written, so that the blocks are in the order of the source.
    parser.disable("footnote_tail")
    parser.block.ruler.before("html_block", "element", _element, {"alt": ["paragraph", "blockquote"]})
    return parser


def _element(state: Any, start: int, end: int, silent: bool) -> bool:
    """A table and its kin up to its closing tag, over empty lines: CommonMark would end it at the first."""
    begin = state.bMarks[start] + state.tShift[start]
    match = _TABLE_START.match(state.src, state.bMarks[start], state.eMarks[start])
    if match is None:
        return False
    closing = re.compile(rf"</{match[1]}\s*>", re.IGNORECASE)
    for line in range(start, end):
        if closing.search(state.src, state.bMarks[line], state.eMarks[line]):
            if not silent:
                token = state.push("html_block", "", 0)
                token.map = [start, line + 1]
                token.content = state.src[begin : state.eMarks[line]]
                state.line = line + 1
            return True
    return False


def _without_tools(source: str) -> str:
    for opening, closing in _PAIRS:
        # The parser would look for the end of each to the end of the text: a square of work for no result.
        end = source.rfind(closing) + 1
        source = source[:end] + source[end:].replace(opening, " " + opening[1:])
    lines = source.split("\n")
    fence = ""
    for number, line in enumerate(lines):
        mark = _FENCE.match(line)
        if fence:
            if mark and mark[1].startswith(fence) and not line.strip().strip(fence[0]):
                fence = ""
        elif mark:
            fence = mark[1]
        elif _TOOL_LINE.match(line):
            lines[number] = " " * len(line)
    return "\n".join(lines)


class _Walk:
    """Goes through the tokens and writes a block for each paragraph, heading, fence and table."""

    def __init__(self, source: str) -> None:
        self.page = Blocks()
        self.named = self.first_title = ""
        self._starts = [0]
        for line in source.split("\n"):
            self._starts.append(self._starts[-1] + len(line) + 1)
        self._length = len(source)
        self._source = source
        self._within: list[str] = []
        self._title_level = 0
        self._title_lines: Sequence[int] | None = None
        self._rows: list[list[Line]] | None = None
        self._table_lines: Sequence[int] = (0, 0)
        self._term = Line()

    def take(self, token: "Token") -> None:
        kind = token.type
        if kind == "front_matter":
            found = _TITLE.search(token.content)
            self.named = found[1].strip().strip("\"'") if found else ""
        elif kind == "inline":
            self._inline(token)
        elif kind in ("fence", "code_block"):
            self._add("code", Line.of(token.content.strip("\n").rstrip()), token.map)
        elif kind in ("math_block", "math_block_label", "amsmath"):
            self._add("formula", Line.of(token.content.strip()), token.map)
        elif kind == "html_block":
            self._html(token)
        elif kind == "table_open":
            self._rows, self._table_lines = [], token.map or (0, 0)
        elif kind == "tr_open" and self._rows is not None:
            self._rows.append([])
        elif kind == "table_close" and self._rows is not None:
            rows, self._rows = self._rows, None
            self._add("table", Line.joined([Line.joined(row, "\t") for row in rows], "\n"), self._table_lines)
        elif kind.endswith("_open"):
            self._within.append(kind.removesuffix("_open"))
            self._title_level = int(token.tag[1]) if kind == "heading_open" else 0
            self._title_lines = token.map  # with the line below it
        elif kind.endswith("_close") and self._within:
            self._within.pop()

    def _inline(self, token: "Token") -> None:
        line = _text(token.children or [])
        if self._rows is not None:
            self._rows[-1].append(line)
        elif "dt" in self._within[-1:]:
            self._term = line  # said together with what it means
        elif "dd" in self._within:
            text = Line.joined([self._term, line], ": ") if self._term.text else line
            self._term = Line()
            self._add("item", text, token.map, begins=token.content)
        elif self._title_level:
            self.first_title = self.first_title or line.text
            self._add("title", line, self._title_lines, self._title_level)
        else:
            self._paragraph(token, line)

    def _paragraph(self, token: "Token", line: Line) -> None:
        within = self._within
        inner = next((name for name in reversed(within) if name in ("list_item", "blockquote")), "")
        if inner == "list_item":
            line = line.without(TASK)
        only = [child.type for child in token.children or [] if child.content.strip() or child.type != "text"]
        role = "footnote" if any(name.startswith("footnote") for name in within) else ""
        if only == ["image"]:
            role = "caption"
        kind = {"list_item": "item", "blockquote": "quote"}.get(inner, "paragraph")
        if only in (["math_inline"], ["math_inline_double"]):
            kind = "formula"
        self._add(kind, line, token.map, 0, role, token.content)

    def _html(self, token: "Token") -> None:
        found = read_fragment(token.content)
        origin = self._origin(token.map)
        for kind, text, level, role in found:
            self.page.add(kind, text, level, origin, role)
            if kind == "title":
                self.first_title = self.first_title or text

    def _add(
        self, kind: str, line: Line, lines: Sequence[int] | None, level: int = 0, role: str = "", begins: str = ""
    ) -> None:
        self.page.add(kind, line.text, level, self._origin(lines, begins), role, line.marks)

    def _origin(self, lines: Sequence[int] | None, begins: str = "") -> Span:
        """The span of some lines, from where the text that ``begins`` there does, else from behind the signs."""
        first, last = lines or (0, 0)
        start = min(self._starts[first], self._length)
        end = min(self._starts[min(max(last, first + 1), len(self._starts) - 1)] - 1, self._length)
        while end > start and self._source[end - 1].isspace():
            end -= 1
        line, own = self._source[start : self._starts[first + 1] - 1].rstrip(), begins.partition("\n")[0].rstrip()
        if own and line.endswith(own):
            start += len(line) - len(own)
        elif self._within and (inside := _INSIDE.match(line)):
            start += inside.end()
        return Span(min(start, end), end)


def _text(children: "Sequence[Token]") -> Line:
    """What a reader of a line would see, with marks for what is emphasised, linked or shown."""
    line = Line()
    open_marks: list[tuple[str, int, str]] = []
    for child in children:
        kind = child.type
        if kind in ("text", "text_special"):
            line.write(child.content)
        elif kind == "code_inline":
            line.marked("code", child.content)
        elif kind in ("softbreak", "hardbreak"):
            line.write(" ")
        elif kind.startswith("math_inline"):
            line.write(child.content)
        elif kind == "image":
            alt = _text(child.children or []).text
            line.marked("image", alt, str(child.attrs.get("src", "")))
        elif kind == "html_inline":
            if re.match(r"<(?:br|/?p|/?div|/?td|/?li)\b", child.content, re.IGNORECASE):
                line.write(" ")
        elif kind in ("em_open", "strong_open", "link_open"):
            name = {"em": "emphasis", "strong": "strong", "link": "link"}[kind.removesuffix("_open")]
            open_marks.append((name, len(line.text), str(child.attrs.get("href", ""))))
        elif kind in ("em_close", "strong_close", "link_close") and open_marks:
            name, start, target = open_marks.pop()
            line.mark(name, start, target)
    return line.without(_ATTRIBUTE_LIST).stripped()
