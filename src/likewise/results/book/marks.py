"""Emphasis, code, links and pictures inside a passage: the text stays what it is, elements are put around it."""

import base64
import html
import os
import posixpath
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote

from likewise.read import Document, Mark, Span

if TYPE_CHECKING:
    from likewise.results.linked_book import LinkedBook
    from likewise.segment import Passage

GLOSSARY = "glossary"
_ELEMENTS = {"emphasis": "em", "strong": "strong", "code": "code"}
_PICTURES = {".png": "png", ".jpg": "jpeg", ".jpeg": "jpeg", ".gif": "gif", ".webp": "webp", ".svg": "svg+xml"}
# Pictures are carried inside the page, up to so many bytes each and in all.
_LARGEST, _ALL = 4 << 20, 64 << 20


def targets(links: "LinkedBook") -> dict[str, int]:
    """Return the number of each document by its id, for links of the source from one to another."""
    return {posixpath.normpath(document.id.replace("#", "/")): i for i, document in enumerate(links.book.documents)}


class Pictures:
    """Files that documents show, as data; only from the folders that the documents come from."""

    def __init__(self, links: "LinkedBook") -> None:
        sources = [Path(one.source.partition("#")[0]) for one in links.book.documents if one.source]
        folders = {str(path.resolve().parent) for path in sources if path.is_file()}
        self._root = Path(os.path.commonpath(folders)) if folders else None
        self._left = _ALL

    def data(self, document: Document, target: str) -> str | None:
        """Return a picture as the address of an image, or ``None`` if it cannot be had."""
        kind = _PICTURES.get(posixpath.splitext(target.partition("?")[0].lower())[1])
        if kind is None or not document.source or "://" in target or "\x00" in target:
            return None
        content = self._content(document, unquote(target.partition("#")[0]))
        if content is None:
            return None
        self._left -= len(content)
        return f"data:image/{kind};base64,{base64.b64encode(content).decode()}"

    def _content(self, document: Document, target: str) -> bytes | None:
        """What is in a picture's file: beside the document, or in the EPUB that it is a chapter of."""
        most = min(_LARGEST, self._left)
        if document.format == "epub":
            book, _, chapter = document.source.partition("#")
            try:
                with zipfile.ZipFile(book) as archive:
                    one = archive.getinfo(posixpath.normpath(posixpath.join(posixpath.dirname(chapter), target)))
                    return archive.read(one) if one.file_size <= most else None
            except (OSError, KeyError, ValueError, RuntimeError, zipfile.BadZipFile):
                return None
        path = (Path(document.source).parent / target).resolve()
        if self._root is None or self._root not in path.parents or not path.is_file() or path.stat().st_size > most:
            return None
        return path.read_bytes()


def marked(
    document: Document, passage: "Passage", known: dict[str, int], pictures: Pictures, terms: Sequence[Mark] = ()
) -> str:
    """Return the escaped text of a passage with its marks as elements; the text of the elements is that of the passage.

    Marks that cross each other, or the ends of the passage, are left out; ``terms`` that a glossary explains, where the
    source has a link or a picture.
    """
    marks = [
        mark for mark in passage.marks if passage.span.start <= mark.span.start < mark.span.end <= passage.span.end
    ]
    links = [mark.span for mark in marks if mark.kind in ("link", "image")]
    marks += [one for one in terms if all(one.span.end <= at.start or at.end <= one.span.start for at in links)]
    marks.sort(key=lambda mark: (mark.span.start, -mark.span.end))
    parts: list[str] = []
    open_marks: list[tuple[int, str]] = []
    at = passage.span.start

    def close(before: int) -> None:
        nonlocal at
        while open_marks and open_marks[-1][0] <= before:
            end, tag = open_marks.pop()
            parts.extend((_escaped(document.text, Span(at, end)), tag))
            at = end

    for mark in marks:
        close(mark.span.start)
        if open_marks and mark.span.end > open_marks[-1][0]:
            continue
        tags = _tags(document, mark, known, pictures)
        if tags is not None:
            parts.extend((_escaped(document.text, Span(at, mark.span.start)), tags[0]))
            at = mark.span.start
            open_marks.append((mark.span.end, tags[1]))
    close(passage.span.end)
    parts.append(_escaped(document.text, Span(at, passage.span.end)))
    return "".join(parts)


def _escaped(text: str, span: Span) -> str:
    return html.escape(span.of(text).replace("\x00", "\ufffd"), quote=False)


def _tags(document: Document, mark: Mark, known: dict[str, int], pictures: Pictures) -> tuple[str, str] | None:
    if mark.kind in _ELEMENTS:
        return f"<{_ELEMENTS[mark.kind]}>", f"</{_ELEMENTS[mark.kind]}>"
    if mark.kind == "image":
        source = pictures.data(document, mark.target)
        return None if source is None else (f'<img src="{source}" alt=""><span class="alt">', "</span>")
    if mark.kind == GLOSSARY:
        return f'<a class="term" href="{mark.target}">', "</a>"
    address = _address(document, mark.target, known) if mark.kind == "link" else None
    return None if address is None else (f'<a href="{html.escape(address)}" rel="noopener noreferrer">', "</a>")


def _address(document: Document, target: str, known: dict[str, int]) -> str | None:
    """Where a link of the source leads: the Web, or a document of this book; nothing else is followed."""
    if target.startswith(("http://", "https://", "mailto:")):
        return target
    here = posixpath.dirname(document.id.replace("#", "/"))
    path = posixpath.normpath(posixpath.join(here, target.partition("#")[0]))
    return f"#d{known[path]}" if path in known and ":" not in target else None
