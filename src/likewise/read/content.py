"""What the reader of a page returns: text, blocks and title; and how these are put together."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from likewise.read.document import Block, Mark, Span

_SPACE = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class Content:
    """The text of a page, its blocks in order (``None``: no markup), and its title."""

    text: str
    blocks: tuple[Block, ...] | None = None
    title: str = ""


# What stands between the title of a page and the name of its site.
_SITE = re.compile(r"\s+[-–—|·•»]\s+\S")


def without_site(page: Content) -> Content:
    """Return a page whose title is one of its own headings with the name of the site behind it under that heading.

    >>> blocks = (Block("title", Span(0, 4), level=1),)
    >>> without_site(Content("Soup", blocks, "Soup — Kitchen 3.1 documentation")).title
    'Soup'
    >>> without_site(Content("Soup", blocks, "Soup of the day")).title
    'Soup of the day'
    """
    headings = (block.span.of(page.text) for block in page.blocks or () if block.kind == "title")
    for heading in map(str.strip, headings):
        if heading and page.title.startswith(heading) and _SITE.match(page.title, len(heading)):
            return replace(page, title=heading)
    return page


class Line:
    """Text being written, white space collapsed, with marks on parts of it.

    >>> line = Line()
    >>> line.write("It is  ")
    >>> line.marked("strong", "hot")
    >>> line.text, line.marks[0].span.of(line.text)
    ('It is hot', 'hot')
    """

    def __init__(self) -> None:
        self.text = ""
        self.marks: list[Mark] = []

    @classmethod
    def of(cls, text: str) -> "Line":
        """Return a line of text that is to stay as it is: code."""
        line = cls()
        line.text = text
        return line

    @classmethod
    def joined(cls, lines: "Iterable[Line]", between: str) -> "Line":
        """Return lines one after the other."""
        result = cls()
        for number, line in enumerate(lines):
            result.text += between if number else ""
            start = len(result.text)
            result.marks += [mark.moved(start) for mark in line.marks]
            result.text += line.text
        return result

    def write(self, piece: str) -> None:
        """Append text."""
        piece = _SPACE.sub(" ", piece)
        if not self.text or self.text.endswith(" "):
            piece = piece.lstrip(" ")
        self.text += piece

    def marked(self, kind: str, piece: str, target: str = "") -> None:
        """Append text with a mark on it."""
        start = len(self.text)
        self.write(piece)
        self.mark(kind, start, target)

    def mark(self, kind: str, start: int, target: str = "") -> None:
        """Mark what was written since ``start``."""
        if len(self.text) > start:
            self.marks.append(Mark(kind, Span(start, len(self.text)), target))

    def without(self, pattern: re.Pattern[str]) -> "Line":
        """Return the line with what matches cut out."""
        found = list(pattern.finditer(self.text))
        if not found:
            return self
        result = Line.of(pattern.sub("", self.text))
        for mark in self.marks:
            ends = [place - _cut(found, place) for place in (mark.span.start, mark.span.end)]
            if ends[0] < ends[1]:
                result.marks.append(Mark(mark.kind, Span(*ends), mark.target))
        return result

    def stripped(self) -> "Line":
        """Return the line without white space at its end."""
        text = self.text.rstrip()
        if len(text) == len(self.text):
            return self
        result = Line.of(text)
        result.marks = [
            Mark(mark.kind, Span(mark.span.start, min(mark.span.end, len(text))), mark.target)
            for mark in self.marks
            if mark.span.start < len(text)
        ]
        return result


def _cut(found: Sequence[re.Match[str]], place: int) -> int:
    """How many characters before ``place`` are cut out."""
    return sum(min(match.end(), place) - match.start() for match in found if match.start() < place)


class Blocks:
    """Puts blocks together to a text: an empty line between them, each with its span.

    >>> page = Blocks()
    >>> page.add("title", "Soup", level=1)
    >>> page.add("paragraph", "It is hot.")
    >>> page.content().text
    'Soup\\n\\nIt is hot.'
    """

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._blocks: list[Block] = []
        self._length = 0

    def add(
        self,
        kind: str,
        text: str,
        level: int = 0,
        origin: Span | None = None,
        role: str = "",
        marks: Iterable[Mark] = (),
    ) -> None:
        """Append a block; one without text is left out. ``marks`` are of this block's text."""
        if not text.strip():
            return
        if self._parts:
            self._parts.append("\n\n")
            self._length += 2
        self._parts.append(text)
        span = Span(self._length, self._length + len(text))
        shifted = tuple(mark.moved(self._length) for mark in marks)
        self._blocks.append(Block(kind, span, level, origin, role, shifted))
        self._length += len(text)

    def extend(self, content: Content) -> None:
        """Append the blocks of another page; where they came from is no longer known."""
        for block in content.blocks or ():
            marks = (mark.moved(-block.span.start) for mark in block.marks)
            self.add(block.kind, block.span.of(content.text), block.level, None, block.role, marks)

    def content(self, title: str = "") -> Content:
        """Return what was added."""
        return Content("".join(self._parts), tuple(self._blocks), title)
