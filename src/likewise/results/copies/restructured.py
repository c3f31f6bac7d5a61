"""*See also* in reStructuredText: targets and references as Sphinx resolves them, in the source itself."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from likewise.errors import StorageError
from likewise.read import Document
from likewise.read.encoding import decode
from likewise.read.rst import CODE, DIRECTIVE
from likewise.results.copies.markdown import edited
from likewise.results.copies.pointers import ANCHOR, Additions, Pointer
from likewise.segment import Passage

_OWN_REFERENCE = rf":ref:`[^`\n]*<{ANCHOR.pattern}>`|:term:`[^`\n]* \(glossary\) <[^`\n]*>`"
_OWN = re.compile(rf"\n *\*See also:\* (?:{_OWN_REFERENCE})(?:; (?:{_OWN_REFERENCE}))*\n| *\.\. _{ANCHOR.pattern}:\n\n")
_GLOSSARY = re.compile(r"^( *)\.\. glossary::[^\n]*\n((?:\1 +[^\n]*\n?|[^\S\n]*\n)*)", re.M)
_BLOCK = re.compile(r"(?:^[^\n]*\S[^\n]*(?:\n|\Z))+", re.M)
_MARKER = re.compile(r" *(?:[-*+•]|\(?(?:#|\d+|[a-z]|[ivxlcdm]+)[.)])\s+", re.IGNORECASE)
_CODE = ("code", "table", "formula")
_FIELD = re.compile(r" *:[\w -]+:(?:\s|$)")


def copy(document: Document, passages: Sequence[Passage], added: Additions) -> str:
    """Return the source with its targets and lines; passages that are no block of their own in it get none."""
    text = _source(document)
    edits = [(found.start(), found.end(), "") for found in _OWN.finditer(text)]
    found = _found(text, [None if one.kind in _CODE else one.span.of(document.text) for one in passages])
    for number, anchor in sorted(added.anchors.items()):
        # A target inside a list or a glossary would end it: pointers lead to what stands above.
        holds = (n for n in range(number, -1, -1) if n in found and _holds_target(passages[n], found[n]))
        if (place := next(holds, None)) is not None:
            start = found[place].start()
            indent = 0 if passages[place].kind == "title" else _indent(found[place][0])
            edits.append((start, start, f"{' ' * indent}.. _{anchor}:\n\n"))
    for number, pointers in sorted(added.pointers.items()):
        if number in found:
            inside = _inside(found[number], passages[number].kind)
            end = _behind(text, found[number], inside)
            before = "\n" if text[:end].endswith("\n") else "\n\n"
            edits.append((end, end, f"{before}{' ' * inside}{_see_also(pointers)}\n"))
    return edited(text, edits)


def glossary_terms(document: Document) -> set[str]:
    """Return the terms of the glossaries in a page: Sphinx leads to their entries, which can have no target.

    >>> page = ".. glossary::\\n   :sorted:\\n\\n   roux\\n   base\\n      Flour in fat.\\n"
    >>> sorted(glossary_terms(Document("a", page)))
    ['base', 'roux']
    """
    found: set[str] = set()
    for glossary in _GLOSSARY.finditer(_source(document)):
        lines = [line for line in glossary[2].split("\n") if line.strip() and not _FIELD.match(line)]
        inside = _indent(lines[0]) if lines else 0
        found.update(line.partition(" : ")[0].strip() for line in lines if _indent(line) == inside)
    return {term for term in found if not re.search(r"[`<>\\]", term)}


def _found(text: str, passages: Sequence[str | None]) -> dict[int, re.Match[str]]:
    """The block of each passage that is one, by the words of both, those of an item without its number."""
    blocks: dict[str, list[re.Match[str]]] = {}
    for block in _text_blocks(text):
        for key in {_words(block[0]), _words(_MARKER.sub("", block[0], count=1))}:
            blocks.setdefault(key, []).append(block)
    found: dict[int, re.Match[str]] = {}
    taken: set[int] = set()
    for number, passage in enumerate(passages):
        waiting = blocks.get(_words(passage), ()) if passage is not None else ()
        for one in waiting:
            if one.start() not in taken:
                found[number] = one
                taken.add(one.start())
                break
    return found


def _text_blocks(text: str) -> Iterator[re.Match[str]]:
    """The blocks of a page that are text: no code, where the same words may stand as an example."""
    above = -1  # how far in what announced code stands
    for block in _BLOCK.finditer(text):
        lines = block[0].rstrip().split("\n")
        indent = _indent(lines[0])
        if -1 < above < indent:
            continue
        above = -1
        directive = DIRECTIVE.match(lines[0].strip())
        if directive is not None:
            above = indent if directive[1].rpartition(":")[2] in CODE else -1
        elif lines[-1].endswith("::"):
            above = max(_indent(lines[-1]), _text_column(block[0]))
        yield block


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _holds_target(passage: Passage, block: re.Match[str]) -> bool:
    """Whether a target may stand above: not where it would part a list, or a picture from its caption."""
    if passage.kind == "title":
        return True
    plain = len({_indent(line) for line in block[0].rstrip().split("\n")}) == 1
    return plain and passage.kind == "paragraph" and passage.role not in ("glossary", "caption")


def _inside(block: re.Match[str], kind: str) -> int:
    """How far in the text of a block stands, that of a definition and not its term."""
    if kind == "title":
        return 0
    last = block[0].rstrip().rpartition("\n")[2]
    inside = _indent(last)
    if kind != "item":
        return inside
    if _FIELD.match(last):
        return inside + 3
    return max(_text_column(block[0]), inside)


def _text_column(block: str) -> int:
    """How far in the text of a block of one line begins."""
    marker = _MARKER.match(block)
    return len(marker[0]) if marker and "\n" not in block.rstrip() else 0


def _behind(text: str, block: re.Match[str], indent: int) -> int:
    """Where a line can follow a block: behind the literal text that two colons announce, which stands next to it."""
    end = block.end()
    if not block[0].rstrip().endswith("::"):
        return end
    for found in _BLOCK.finditer(text, end):
        if _indent(found[0]) <= indent:
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
    found = (
        f":term:`{label(one.label)} <{one.term}>`" if one.term else f":ref:`{label(one.label)} <{one.anchor}>`"
        for one in pointers
    )
    return "*See also:* " + "; ".join(found)


def label(text: str) -> str:
    """Return what a reference may be called."""
    return re.sub(r"[`<>\\]", "", text)
