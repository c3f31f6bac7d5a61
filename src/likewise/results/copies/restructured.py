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

_OWN = re.compile(rf"\n *\*See also:\* :ref:`[^\n]*<{ANCHOR.pattern}>`\n| *\.\. _{ANCHOR.pattern}:\n\n")
_BLOCK = re.compile(r"(?:^[^\n]*\S[^\n]*(?:\n|\Z))+", re.M)
_MARKER = re.compile(r" *(?:[-*+•]|#?\.|\d+[.)])?\s*")


def copy(document: Document, passages: Sequence[Passage], added: Additions) -> str:
    """Return the source with its targets and lines; passages that are no block of their own in it get none."""
    text = _source(document)
    edits = [(found.start(), found.end(), "") for found in _OWN.finditer(text)]
    blocks: dict[str, list[re.Match[str]]] = {}
    for block in _BLOCK.finditer(text):
        blocks.setdefault(_words(block[0]), []).append(block)
    found = {
        number: waiting.pop(0)
        for number, passage in enumerate(passages)
        if (waiting := blocks.get(_words(passage.span.of(document.text))))
    }
    for number, anchor in sorted(added.anchors.items()):
        # A target inside a list or a glossary would end it: pointers lead to what stands above.
        holds = (n for n in range(number, -1, -1) if n in found and _holds_target(passages[n]))
        if (place := next(holds, None)) is not None:
            start = found[place].start()
            edits.append((start, start, f"{' ' * _inside(found[place], passages[place].kind)}.. _{anchor}:\n\n"))
    for number, pointers in sorted(added.pointers.items()):
        if number in found:
            inside = _inside(found[number], passages[number].kind)
            end = _behind(text, found[number], inside)
            before = "\n" if text[:end].endswith("\n") else "\n\n"
            edits.append((end, end, f"{before}{' ' * inside}{_see_also(pointers)}\n"))
    return edited(text, edits)


def _holds_target(passage: Passage) -> bool:
    return passage.kind == "title" or (passage.kind == "paragraph" and passage.role != "glossary")


def _inside(block: re.Match[str], kind: str) -> int:
    """How far in the text of a block stands, that of a definition and not its term."""
    if kind == "title":
        return 0
    marker = _MARKER.match(block[0])
    last = block[0].rstrip().rpartition("\n")[2]
    return max(len(marker[0]) if marker else 0, len(last) - len(last.lstrip(" ")))


def _behind(text: str, block: re.Match[str], indent: int) -> int:
    """Where a line can follow a block: behind the literal text that two colons announce, which stands next to it."""
    end = block.end()
    if not block[0].rstrip().endswith("::"):
        return end
    for found in _BLOCK.finditer(text, end):
        if len(found[0]) - len(found[0].lstrip(" ")) <= indent:
            break
        end = found.end()
    return end


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
    return "*See also:* " + "; ".join(f":ref:`{label(one.label)} <{one.anchor}>`" for one in pointers)


def label(text: str) -> str:
    """Return what a reference may be called."""
    return re.sub(r"[`<>\\]", "", text)
