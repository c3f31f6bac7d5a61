"""*See also* in Markdown: in the source itself where there is one, else in Markdown made from the passages."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from likewise.errors import StorageError
from likewise.read import Document
from likewise.read.encoding import decode
from likewise.results.copies.pointers import ANCHOR, Additions, Pointer
from likewise.segment import Passage

_BULLET = re.compile(r"^\\?[*•+-] ")
_SPECIAL = re.compile(r"([\\`*_\[\]<>#|~])")
_MARKER = re.compile(r"[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+|(?:[ \t]*>[ \t]?)+|[ \t]*")
_HTML_BLOCK = re.compile(r"<(?:p|div|li|td|dd|dt|blockquote|section|article|details)\b[^>]*>", re.IGNORECASE)
# What an earlier run put in: its lines with the empty line before them, and its anchors.
_OWN_LINE = re.compile(rf"\n[ \t>]*\n[ \t>]*\*See also:\* \[[^\n]*\({{0,1}}[^\n]*#{ANCHOR.pattern}\)(?=\n|$)")
_OWN_ANCHOR = re.compile(rf'<a id="{ANCHOR.pattern}"></a>')


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
    for number, passage in enumerate(passages):
        if number not in added.anchors and number not in added.pointers:
            continue
        if passage.origin is None or passage.origin.end > len(source):
            return None
        marker = _MARKER.match(source, passage.origin.start)
        text_start = marker.end() if marker else passage.origin.start
        if block := _HTML_BLOCK.match(source, text_start):
            text_start = block.end()  # before it, the block would be none any more
        if number in added.anchors and passage.kind != "title":
            edits.append((text_start, text_start, f'<a id="{added.anchors[number]}"></a>'))
        if number in added.pointers:
            edits.append((passage.origin.end, passage.origin.end, _line(source, passage, added.pointers[number])))
    return edited(source, edits)


def edited(source: str, edits: list[tuple[int, int, str]]) -> str:
    """Return a text with spans replaced; at one place what is inserted stands before what is taken out."""
    parts, at = [], 0
    for start, end, text in sorted(edits):
        parts += [source[at : max(start, at)], text]
        at = max(at, end)
    return "".join([*parts, source[at:]])


def _line(source: str, passage: Passage, pointers: tuple[Pointer, ...]) -> str:
    """The line, as far in as the text of its item or quotation, so that it belongs there and ends nothing."""
    assert passage.origin is not None
    start = source.rfind("\n", 0, passage.origin.start) + 1
    found = _MARKER.match(source, start)
    marker = found[0] if found else ""
    if ">" in marker:
        return f"\n{marker.rstrip()}\n{marker}{_see_also(pointers)}"
    indent = re.sub(r"[^\t]", " ", marker)
    return f"\n\n{indent}{_see_also(pointers)}"


def _see_also(pointers: tuple[Pointer, ...]) -> str:
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
