"""*See also* in HTML and in the pages of an EPUB: behind the element that holds the passage."""

import re
import zipfile
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from likewise.errors import MissingExtraError, StorageError
from likewise.read import Document
from likewise.read.encoding import decode
from likewise.results.copies import markdown
from likewise.results.copies.pointers import ANCHOR, Additions, Pointer
from likewise.segment import Passage

if TYPE_CHECKING:
    from resiliparse.parse.html import DOMNode, HTMLTree

_BLOCKS = "p, li, dd, dt, blockquote, td, div, section"
_OWN = "see-also-by-likewise"


def copy(document: Document, passages: Sequence[Passage], added: Additions) -> str:
    """Return the page with its anchors and lines; passages that no single element holds get none."""
    source = _source(document)
    if source is None:
        return markdown.copy(document, passages, added)
    try:
        from resiliparse.parse.html import HTMLTree
    except ImportError as error:
        raise MissingExtraError("resiliparse", "web") from error
    # A page without additions is not parsed and stays as it is, to the byte.
    tree = HTMLTree.parse(source)
    _clean(tree)
    elements = _by_words(tree)
    for number in sorted({*added.anchors, *added.pointers}):
        words = _words(passages[number].span.of(document.text))
        found = elements.get(words)
        if not found:
            continue
        element = found.pop(0)
        if number in added.anchors:
            anchor = tree.create_element("a")
            anchor.setattr("id", added.anchors[number])
            if element.first_child is not None:
                element.insert_before(anchor, element.first_child)
            else:
                element.append_child(anchor)
        if number in added.pointers:
            _put(tree, element, added.pointers[number])
    return str(tree)


def _source(document: Document) -> str | None:
    if not document.source:
        return None
    path, _, page = document.source.partition("#")
    try:
        if document.format == "epub":
            with zipfile.ZipFile(path) as book:
                name = next((name for name in book.namelist() if name == page or name.endswith("/" + page)), None)
                return None if name is None else decode(book.read(name))
        return decode(Path(path).read_bytes())
    except (OSError, zipfile.BadZipFile) as error:
        raise StorageError(f"cannot read {document.source} again: {error}") from error


def _clean(tree: "HTMLTree") -> None:
    """Take out what an earlier run put in."""
    for node in tree.document.query_selector_all(f".{_OWN}"):
        node.decompose()
    for node in tree.document.query_selector_all('a[id^="see-"]'):
        if ANCHOR.fullmatch(node.getattr("id") or "") and not node.text:
            node.decompose()


def _by_words(tree: "HTMLTree") -> dict[str, list["DOMNode"]]:
    """The innermost block elements by their words, in the order of the page."""
    found: dict[str, list[DOMNode]] = {}
    for element in tree.document.query_selector_all(_BLOCKS):
        if element.query_selector("p, li, dd, blockquote, td, div") is None or element.tag in ("li", "dd"):
            found.setdefault(_words(element.text), []).append(element)
    return found


def _words(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.lower()))


def _put(tree: "HTMLTree", element: "DOMNode", pointers: tuple[Pointer, ...]) -> None:
    line = tree.create_element("p" if element.tag != "p" else "div")
    line.setattr("class", _OWN)
    links = "; ".join(f'<a href="{escape(one.path)}#{one.anchor}">{escape(one.label)}</a>' for one in pointers)
    line.html = f"<em>See also:</em> {links}"
    if element.tag == "p" and element.parent is not None:
        after = element.next
        if after is None:
            element.parent.append_child(line)
        else:
            element.parent.insert_before(line, after)
    else:
        element.append_child(line)
