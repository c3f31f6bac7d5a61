"""*See also* in reStructuredText: targets and references as Sphinx resolves them, in the source itself."""

import re
from collections.abc import Sequence

from likewise.read import Document
from likewise.results.copies.markdown import edited
from likewise.results.copies.pointers import ANCHOR, Additions, Pointer
from likewise.segment import Passage

_OWN = re.compile(rf"\n *\*See also:\* :ref:`[^\n]*<{ANCHOR.pattern}>`\n|\.\. _{ANCHOR.pattern}:\n\n")


def copy(document: Document, passages: Sequence[Passage], added: Additions) -> str:
    """Return the document, whose text is its source, with its targets and lines."""
    text = document.text
    edits = [(found.start(), found.end(), "") for found in _OWN.finditer(text)]
    for number, passage in enumerate(passages):
        start = text.rfind("\n", 0, passage.span.start) + 1
        indent = re.match(r" *(?:(?:[-*+•]|#?\.|\d+[.)])\s+)?", text[start : passage.span.start])
        inside = " " * len(indent[0] if indent else "")
        # A target inside a list would end it: items get none, and pointers lead to what stands above the list.
        if number in added.anchors and passage.kind == "paragraph":
            edits.append((start, start, f".. _{added.anchors[number]}:\n\n"))
        if number in added.pointers:
            end = text.find("\n", passage.span.end)
            end = len(text) if end < 0 else end
            edits.append((end, end, f"\n\n{inside}{_see_also(added.pointers[number])}"))
    result = edited(text, edits)
    return result if result.endswith("\n") else result + "\n"


def _see_also(pointers: tuple[Pointer, ...]) -> str:
    return "*See also:* " + "; ".join(f":ref:`{_label(one.label)} <{one.anchor}>`" for one in pointers)


def _label(text: str) -> str:
    return re.sub(r"[`<>\\]", "", text)
