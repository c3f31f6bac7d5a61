"""*See also* in Markdown: in the source itself where there is one, else in Markdown made from the passages."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from likewise.errors import StorageError
from likewise.read import Document, Span
from likewise.read.encoding import decode
from likewise.read.markdown import TASK
from likewise.results.copies.pointers import ANCHOR, Additions, Pointer
from likewise.segment import Passage

_BULLET = re.compile(r"^\\?[*•+-] ")
_SPECIAL = re.compile(r"([\\`*_\[\]<>#|~])")
# An element of HTML that may hold an anchor; one that is part of a line of text.
_HTML_BLOCK = re.compile(r"<(?:p|div|li|td|dd|dt|blockquote|section|article|details)\b[^>]*>", re.IGNORECASE)
_INLINE = re.compile(r"<(?:[a-z]+:|(?:a|abbr|b|code|em|i|img|kbd|q|s|small|span|strong|su[bp]|tt|u|var)\b)", re.I)
# What belongs to the lines above it: attributes.
_ATTRIBUTES = re.compile(r"(?:[ \t]*\n\{:[^}\n]*\}[ \t]*(?=\n|\Z))+")
_FENCE = re.compile(r"`{3,}|~{3,}")
_CLOSED = re.compile(r"\n[ \t>]*(?:`{3,}|~{3,})\Z")
_FOLLOWING = re.compile(r"[^\n]*\n[ \t>]*[^ \t>\n]")
_TEXT = ("paragraph", "item", "quote", "exercise")
# What a box is called, which is part of its sign.
_CALLED = re.compile(r"(?:!!!|\?\?\?)\+?[ \t]")
_NOTE = re.compile(r"\[\^[^\]]+\]:[ \t]*")
# What an earlier run put in: its lines with the empty line before them, and its anchors.
_OWN_LINE = re.compile(
    rf"\n[ \t>]*\n[ \t>]*\*See also:\* \[[^\n]*\({{0,1}}[^\n]*#{ANCHOR.pattern}\)"
    r"(?:\n[ \t>]*<!-- -->)?(?=[ \t]*(?:\n|$))"
)
_OWN_ANCHOR = re.compile(rf'<a id="{ANCHOR.pattern}"></a>(?:\n\n)?')


def copy(document: Document, passages: Sequence[Passage], added: Additions) -> str:
    """Return the document with its anchors and lines."""
    if document.format == "markdown" and document.source:
        try:
            source = decode(Path(document.source).read_bytes())
        except OSError as error:
            raise StorageError(f"cannot read {document.source} again: {error.strerror or error}") from error
        text = in_source(source, passages, added)
        if text is not None:
            return text
    return "\n\n".join(_written(document, passages, added)) + "\n"


def in_source(source: str, passages: Sequence[Passage], added: Additions) -> str | None:
    """Return the source with what is added, and without what was added before; ``None`` if it is not what was read."""
    own = (*_OWN_LINE.finditer(source), *_OWN_ANCHOR.finditer(source))
    edits: list[tuple[int, int, str]] = [(found.start(), found.end(), "") for found in own]
    lines: dict[Span, tuple[Passage, list[Pointer]]] = {}
    for number, passage in enumerate(passages):
        if number not in added.anchors and number not in added.pointers:
            continue
        if passage.origin is None or passage.origin.end > len(source):
            return None
        if _CALLED.match(source, passage.origin.start):
            continue
        if number in added.anchors and (place := _anchor(source, passage, added.anchors[number])):
            edits.append(place)
        if number in added.pointers:  # several passages may be of one piece of HTML
            lines.setdefault(passage.origin, (passage, []))[1].extend(added.pointers[number])
    edits += [place for passage, pointers in lines.values() if (place := _behind(source, passage, pointers))]
    return edited(source, edits)


def _anchor(source: str, passage: Passage, name: str) -> tuple[int, int, str] | None:
    """Where the anchor of a passage is put and how, so that its signs still begin the line; ``None`` for nowhere."""
    assert passage.origin is not None
    start = passage.origin.start
    tag = f'<a id="{name}"></a>'
    text = _own_end(_OWN_ANCHOR, source, start)
    if task := TASK.match(source, text):
        return task.end(), task.end(), tag
    if block := _HTML_BLOCK.match(source, text):
        return block.end(), block.end(), tag
    is_text = passage.kind in _TEXT
    is_html = source.startswith("<", text)
    if start == source.rfind("\n", 0, start) + 1:
        return start, start, tag + ("" if is_text and not is_html else "\n\n")
    return (start, start, tag) if is_text and (not is_html or _INLINE.match(source, text)) else None


def edited(source: str, edits: list[tuple[int, int, str]]) -> str:
    """Return a text with spans replaced; at one place what is inserted stands before what is taken out."""
    parts, at = [], 0
    for start, end, text in sorted(edits):
        parts += [source[at : max(start, at)], text]
        at = max(at, end)
    return "".join([*parts, source[at:]])


def _behind(source: str, passage: Passage, pointers: Sequence[Pointer]) -> tuple[int, int, str] | None:
    """Where the line of a passage is put and how: it belongs to its item or quotation, and ends nothing."""
    assert passage.origin is not None
    start, end = passage.origin.start, passage.origin.end
    signs = _NOTE.sub("    ", source[source.rfind("\n", 0, start) + 1 : start])
    fenced = _FENCE.match(source, start) is not None
    if passage.kind == "code" and (fenced or signs) and not (fenced and _CLOSED.search(source[start:end])):
        return None  # the line would be code
    inside = re.sub(r"[^\t>]", " ", signs)
    if not signs and (attributes := _ATTRIBUTES.match(source, end)):
        end = attributes.end()
    line = f"\n{inside.rstrip()}\n{inside}{_see_also(pointers)}"
    following = _FOLLOWING.match(source, _own_end(_OWN_LINE, source, end))
    if following and (passage.kind not in _TEXT or source.startswith("<", _own_end(_OWN_ANCHOR, source, start))):
        line += f"\n{inside}<!-- -->"  # what follows is no part of it
    return end, end, line


def _own_end(pattern: re.Pattern[str], source: str, at: int) -> int:
    """Where what an earlier run put in here ends."""
    own = pattern.match(source, at)
    return own.end() if own else at


def _see_also(pointers: Sequence[Pointer]) -> str:
    return "*See also:* " + "; ".join(f"[{escaped(one.label)}]({one.path}#{one.anchor})" for one in pointers)


def escaped(text: str) -> str:
    """Return a text in which nothing is markup."""
    return _SPECIAL.sub(r"\\\1", text)


def _written(document: Document, passages: Sequence[Passage], added: Additions) -> Iterator[str]:
    for number, passage in enumerate(passages):
        text = passage.span.of(document.text)
        anchor = f'<a id="{added.anchors[number]}"></a>' if number in added.anchors else ""
        plain = anchor + escaped(" ".join(text.split()))
        if passage.kind == "title":
            body = f"{'#' * min(max(passage.level, 1), 6)} {plain}"
        elif passage.kind in ("code", "table", "formula"):
            fence = "`" * max(3, max((len(run) for run in re.findall("`+", text)), default=0) + 1)
            body = f"{fence}\n{text}\n{fence}"
        elif passage.kind == "quote":
            body = f"> {plain}"
        elif passage.kind == "item":
            body = "* " + anchor + escaped(_BULLET.sub("", " ".join(text.split())))
        else:
            body = plain
        inside = {"quote": "> ", "item": "  "}.get(passage.kind, "")
        between = f"\n{inside.rstrip()}\n{inside}"
        yield body + (between + _see_also(added.pointers[number]) if number in added.pointers else "")
