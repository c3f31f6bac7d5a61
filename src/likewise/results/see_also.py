"""Links put back into text: Markdown files with anchors and a "See also" line behind each linked passage.

A document that was read from Markdown is written as it stands in its file, with the lines added; any other is written
as Markdown made from its passages.
"""

import os
import re
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from likewise.errors import StorageError
from likewise.read import Document
from likewise.read.encoding import decode
from likewise.storage import atomic_write

if TYPE_CHECKING:
    from likewise.results.links import Link, Links

# More than this many pointers behind a paragraph are no help to a reader.
MOST = 5
_BULLET = re.compile(r"^\\?[*•+-] ")
_SPECIAL = re.compile(r"([\\`*_\[\]<>#|~])")


def write_markdown(links: "Links", folder: str | os.PathLike[str]) -> None:
    """Write one file for each document into ``folder``."""
    ends: dict[int, list[tuple[int, Link]]] = {}
    for link in links:
        for here, there in ((link.left, link.right), (link.right, link.left)):
            ends.setdefault(here, []).append((there, link))
    targets = {there for found in ends.values() for there, _ in found[:MOST]}
    names = _names(links)
    by_document: dict[int, list[int]] = {}
    for number, entry in enumerate(links.book.units):
        by_document.setdefault(entry.document, []).append(number)
    for number, document in enumerate(links.book.documents):
        anchors: dict[int, str] = {}
        lines: dict[int, str] = {}
        for unit in by_document.get(number, ()):
            position = links.unit(unit).passage
            if unit in targets:
                anchors[position] = f'<a id="{_anchor(unit)}"></a>\n\n'
            if unit in ends:
                lines[position] = f"\n\n{_see_also(links, names, names[number], ends[unit][:MOST])}"
        text = _source(document, links, number, anchors, lines) or _written(document, links, number, anchors, lines)
        with atomic_write(Path(folder) / names[number], "w", encoding="utf-8") as file:
            file.write(text)


def _escaped(text: str) -> str:
    return _SPECIAL.sub(r"\\\1", text)


def _anchor(unit: int) -> str:
    return f"see-{unit + 1}"


def _names(links: "Links") -> list[str]:
    """File names below the folder, one for each document, that never lead out of it."""
    names: list[str] = []
    used: set[str] = set()
    for document in links.book.documents:
        parts = [part for part in PurePosixPath(document.id.replace("\\", "/")).parts if part not in ("/", "..", ".")]
        parts = [re.sub(r'[\x00-\x1f:*?"<>|#]', "-", part) for part in parts] or ["document"]
        if not parts[-1].lower().endswith((".md", ".markdown")):
            parts[-1] += ".md"
        name = "/".join(parts)
        while name.lower() in used:
            name = f"{name.removesuffix('.md')}-.md"
        used.add(name.lower())
        names.append(name)
    return names


def _see_also(links: "Links", names: list[str], here: str, found: "list[tuple[int, Link]]") -> str:
    pointers = []
    for there, _ in found:
        unit = links.unit(there)
        path = os.path.relpath(names[unit.document], os.path.dirname(here) or ".").replace(os.sep, "/")
        label = " › ".join(unit.titles[-2:]) or " ".join(links.text(there).split()[:8])
        target = path.replace(" ", "%20").replace("(", "%28").replace(")", "%29")
        pointers.append(f"[{_escaped(label)}]({target}#{_anchor(there)})")
    return f"*See also:* {'; '.join(pointers)}"


def _source(document: Document, links: "Links", number: int, anchors: dict[int, str], lines: dict[int, str]) -> str:
    """The document's own file with the lines put in; empty if it did not come from Markdown, or has changed since."""
    if document.format != "markdown" or not document.source:
        return ""
    try:
        source = decode(Path(document.source).read_bytes())
    except OSError as error:
        raise StorageError(f"cannot read {document.source} again: {error.strerror or error}") from error
    passages = links.book.passages[number]
    parts = []
    position = 0
    for i, passage in enumerate(passages):
        if passage.origin is None or passage.origin.end > len(source):
            return ""
        if i in anchors:
            parts += [source[position : passage.origin.start], anchors[i]]
            position = passage.origin.start
        if i in lines:
            indent = re.match(r"[ \t]*", passage.origin.of(source))
            inside = "  " if passage.kind == "item" else "> " if passage.kind == "quote" else ""
            line = lines[i].replace(
                "\n\n", f"\n{'>' if passage.kind == 'quote' else ''}\n{indent[0] if indent else ''}{inside}"
            )
            parts += [source[position : passage.origin.end], line]
            position = passage.origin.end
    return "".join([*parts, source[position:]])


def _written(document: Document, links: "Links", number: int, anchors: dict[int, str], lines: dict[int, str]) -> str:
    parts = []
    for i, passage in enumerate(links.book.passages[number]):
        text = passage.span.of(document.text)
        plain = _escaped(" ".join(text.split()))
        if passage.kind == "title":
            body = f"{'#' * min(max(passage.level, 1), 6)} {plain}"
        elif passage.kind in ("code", "table", "formula"):
            fence = "`" * max(3, max((len(run) for run in re.findall("`+", text)), default=0) + 1)
            body = f"{fence}\n{text}\n{fence}"
        elif passage.kind == "quote":
            body = f"> {plain}"
        elif passage.kind == "item":
            body = "* " + _BULLET.sub("", plain)
        else:
            body = plain
        parts.append(anchors.get(i, "") + body + lines.get(i, ""))
    return "\n\n".join(parts) + "\n"
