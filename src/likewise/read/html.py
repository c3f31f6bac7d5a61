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

from likewise.platform import interrupt_held_back
from likewise.read.content import Blocks, Content, without_site
from likewise.read.deadline import Clock
from likewise.read.depth import too_deep, too_wide
from likewise.read.document import PROSE, Mark, Span
from likewise.read.html_marks import (
    BEGIN,
    BEGUN,
    CELL,
    END,
    FORMULA,
    FORMULA_END,
    LETTERS,
    MARKS,
    ROLE_END,
    ROLES,
    ROW,
    TABLE,
    TABLE_END,
    mark_blocks,
    mark_inline,
)
from likewise.read.markup import read_page
from likewise.read.options import ReadOptions
from likewise.read.skipped import SkipError

_INLINE_PIECE = re.compile(rf"{BEGIN}(\d+){BEGUN}|({END})")
_CELLS = re.compile(f"[{CELL}{ROW}]")
_PIECE = re.compile(rf"(?:</?(?:h[1-6]|p|ul|ol|li|pre)>|<br>|[{TABLE}{TABLE_END}{FORMULA}-\ue00c\ue011-\ue013])")
_SPACE = re.compile(r"\s+")
_LINE_END = re.compile(r"\n\s*")


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
    if MARKS.search(page):
        page = MARKS.sub("", page)
    clock.check()
    try:
        import resiliparse.parse.html  # noqa: F401
    except ImportError:  # the extra `web` is not installed
        return without_site(read_page(page, options.main_content, clock.check))
    with interrupt_held_back():  # an exception in what the parser calls is a panic, of which it prints all frames
        reduced, inline, title = _reduced(page, options, clock)
    blocks = _blocks(LETTERS.sub("", reduced), inline)
    clock.check()
    return without_site(blocks.content(title))


def _reduced(page: str, options: ReadOptions, clock: Clock) -> tuple[str, list[tuple[str, str]], str]:
    """Return what the extractor makes of a page with our marks, what they mark, and the title; the tree dies here."""
    from resiliparse.extract.html2text import extract_plain_text
    from resiliparse.parse.html import HTMLTree

    tree = HTMLTree.parse(page)
    clock.check()
    if tree.body is None:
        raise SkipError("no text")
    mark_blocks(tree, clock)
    inline = mark_inline(tree, clock) if options.marks else []
    reduced: str = extract_plain_text(
        tree,
        preserve_formatting="minimal_html",
        main_content=options.main_content,
        links=False,
        skip_elements=["[hidden]", "[aria-hidden=true]"] if options.main_content else None,
    )
    clock.check()
    return reduced, inline, _SPACE.sub(" ", tree.title or "").strip()


def _unmarked(text: str, inline: list[tuple[str, str]]) -> tuple[str, list[Mark]]:
    """Return a text without the marks inside it, and what they marked. White space never doubles.

    >>> _unmarked(f"a {BEGIN}0{BEGUN} soup{END}.", [("strong", "")])
    ('a soup.', [Mark(kind='strong', span=Span(start=2, end=6), target='')])
    """
    if BEGIN not in text and END not in text:
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
        elif tag in ROLES or tag == ROLE_END:
            self._role(tag)
        elif tag in (FORMULA, FORMULA_END):
            self.flush()
            self._kind = "formula" if tag == FORMULA else self._base()
        elif tag in (TABLE, TABLE_END):
            self.flush()
            self._kind = "table" if tag == TABLE else self._base()
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
        if tag in ROLES:
            self._roles.append(ROLES[tag][0])
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
            rows = ("\t".join(" ".join(cell.split()) for cell in row.split(CELL)[1:]) for row in raw.split(ROW))
            content = "\n".join(row for row in rows if row.strip())
        else:
            content, marks = _unmarked(_SPACE.sub(" ", _CELLS.sub(" ", raw)).strip(), self._inline)
        if self._kind == "title" and self._roles and self._roles[-1] in ("pointer", "front"):
            self._kind, self._level = "paragraph", 0
        role = self._roles[-1] if self._roles and self._kind in PROSE else ""
        self.blocks.add(self._kind, content, self._level, role=role, marks=marks)
