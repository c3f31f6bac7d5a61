"""What a reader of one page gives: its text, the blocks in it, and what it calls itself; and how it is put together."""

from dataclasses import dataclass

from likewise.read.document import Block, Span


@dataclass(frozen=True, slots=True)
class Content:
    """The text of a page, its blocks in order (``None``: no markup), and its title."""

    text: str
    blocks: tuple[Block, ...] | None = None
    title: str = ""


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

    def add(self, kind: str, text: str, level: int = 0, origin: Span | None = None, role: str = "") -> None:
        """Append a block; one without text is left out."""
        if not text.strip():
            return
        if self._parts:
            self._parts.append("\n\n")
            self._length += 2
        self._parts.append(text)
        self._blocks.append(Block(kind, Span(self._length, self._length + len(text)), level, origin, role))
        self._length += len(text)

    def content(self, title: str = "") -> Content:
        """Return what was added."""
        return Content("".join(self._parts), tuple(self._blocks), title)
