"""*See also* in HTML and in the pages of an EPUB: behind the element that holds the passage.

The page stays as it is, to the character; what is added is put in between, so that XHTML stays well-formed.
"""

import re
import zipfile
from collections.abc import Sequence
from html import escape
from pathlib import Path

from likewise.errors import StorageError
from likewise.read import Document
from likewise.read.encoding import decode
from likewise.results.copies import markdown
from likewise.results.copies.elements import Element, elements, words
from likewise.results.copies.pointers import ANCHOR, Additions, Pointer
from likewise.segment import Passage

_OWN = "see-also-by-likewise"
# What an earlier run put in.
_ADDED = re.compile(rf'<a id="{ANCHOR.pattern}"></a>|<(div|p|span) class="{_OWN}">.*?</\1>', re.DOTALL)
_LINES = {"br": "span"}
# Copies are written in UTF-8, whatever the source was in.
_CHARSET = re.compile(r"""(<\?xml[^>]*\bencoding=["']|<meta[^>]*\bcharset=["']?)([\w.:-]+)""", re.IGNORECASE)


def copy(document: Document, passages: Sequence[Passage], added: Additions) -> str:
    """Return the page with its anchors and lines; passages that no single element holds get none."""
    source = _source(document)
    if source is None:
        return markdown.copy(document, passages, added)
    return annotated(source, document, passages, added)


def annotated(source: str, document: Document, passages: Sequence[Passage], added: Additions) -> str:
    """Return the source of a page with anchors and lines."""
    source = _ADDED.sub("", source)
    source = _CHARSET.sub(
        lambda match: match[0] if match[2].lower() in ("utf-8", "utf8") else match[1] + "utf-8", source
    )
    by_words: dict[str, list[Element]] = {}
    for element in elements(source) if added.anchors or added.pointers else ():
        if element.is_inner or element.tag in ("li", "dd"):
            by_words.setdefault(element.words, []).append(element)
    pieces: list[tuple[int, str]] = []
    for number in sorted({*added.anchors, *added.pointers}):
        found = by_words.get(words(passages[number].span.of(document.text)))
        if not found:
            continue
        element = found.pop(0)
        if number in added.anchors:
            pieces.append((element.start, f'<a id="{added.anchors[number]}"></a>'))
        if number in added.pointers:
            # A paragraph cannot hold another one.
            place, tag = (element.after, "div") if element.tag == "p" else (element.end, _LINES.get(element.tag, "p"))
            pieces.append((place, _line(tag, added.pointers[number])))
    parts, at = [], 0
    for place, piece in sorted(pieces, key=lambda one: one[0]):
        parts += [source[at:place], piece]
        at = place
    return "".join([*parts, source[at:]])


def _line(tag: str, pointers: tuple[Pointer, ...]) -> str:
    links = "; ".join(f'<a href="{escape(one.path)}#{one.anchor}">{escape(one.label)}</a>' for one in pointers)
    return f'<{tag} class="{_OWN}">{"<br/><br/>" * (tag == "span")}<em>See also:</em> {links}</{tag}>'


def _source(document: Document) -> str | None:
    if not document.source:
        return None
    path, _, page = document.source.partition("#")
    try:
        if document.format == "epub":
            with zipfile.ZipFile(path) as book:
                return decode(book.read(page), html=True)
        return decode(Path(path).read_bytes(), html=True)
    except (OSError, KeyError, zipfile.BadZipFile) as error:
        raise StorageError(f"cannot read {document.source} again: {error}") from error
