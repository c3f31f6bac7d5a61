"""*See also* in reStructuredText: targets and references as Sphinx resolves them, in the source itself."""

import re
from collections.abc import Sequence
from pathlib import Path

from likewise.errors import StorageError
from likewise.read import Document
from likewise.read.encoding import decode
from likewise.results.copies.markdown import edited
from likewise.results.copies.pointers import ANCHOR, Additions, Pointer
from likewise.segment import Passage

_OWN = re.compile(rf"\n *\*See also:\* :ref:`[^\n]*<{ANCHOR.pattern}>`\n|\.\. _{ANCHOR.pattern}:\n\n")
_BLOCK = re.compile(r"(?:^[^\n]*\S[^\n]*(?:\n|\Z))+", re.M)
_MARKER = re.compile(r" *(?:[-*+•]|#?\.|\d+[.)])?\s*")


def copy(document: Document, passages: Sequence[Passage], added: Additions) -> str:
    """Return the source with its targets and lines; passages that are no block of their own in it get none."""
    text = _source(document)
    edits = [(found.start(), found.end(), "") for found in _OWN.finditer(text)]
    blocks: dict[str, list[re.Match[str]]] = {}
    for block in _BLOCK.finditer(text):
        blocks.setdefault(_words(block[0]), []).append(block)
    for number in sorted({*added.anchors, *added.pointers}):
        found = blocks.get(_words(passages[number].span.of(document.text)))
        if not found:
            continue
        block = found.pop(0)
        # A target inside a list would end it: items get none, and pointers lead to what stands above the list.
        if number in added.anchors and passages[number].kind == "paragraph":
            edits.append((block.start(), block.start(), f".. _{added.anchors[number]}:\n\n"))
        if number in added.pointers:
            marker = _MARKER.match(block[0])
            inside = " " * len(marker[0] if marker else "")
            before = "\n" if block[0].endswith("\n") else "\n\n"
            edits.append((block.end(), block.end(), f"{before}{inside}{_see_also(added.pointers[number])}\n"))
    return edited(text, edits)


def _source(document: Document) -> str:
    if not document.source:
        return document.text
    try:
        return decode(Path(document.source).read_bytes())
    except OSError as error:
        raise StorageError(f"cannot read {document.source} again: {error.strerror or error}") from error


def _words(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.lower()))


def _see_also(pointers: tuple[Pointer, ...]) -> str:
    return "*See also:* " + "; ".join(f":ref:`{_label(one.label)} <{one.anchor}>`" for one in pointers)


def _label(text: str) -> str:
    return re.sub(r"[`<>\\]", "", text)
