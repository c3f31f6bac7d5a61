"""DOCX and ODT: headings, lists, tables and notes by their styles; and what kind of file a ZIP archive is."""

import io
import re
import struct
import xml.etree.ElementTree as ElementTree
import zipfile
import zlib
from collections.abc import Iterator
from typing import BinaryIO

from likewise.read.content import Blocks, Content
from likewise.read.options import ReadOptions
from likewise.read.skipped import SkipError
from likewise.read.source import Source

# A damaged archive makes the library fail in as many ways as there are bytes to damage.
_DAMAGED = (zipfile.BadZipFile, zlib.error, struct.error, ValueError, RuntimeError, NotImplementedError)
FAILURES = (*_DAMAGED, EOFError, KeyError, OSError)
_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_TEXT = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}"
_TABLE = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
_DC_TITLE = ".//{http://purl.org/dc/elements/1.1/}title"
_HEADING = re.compile(r"(?:heading|überschrift|titre|título|titolo)\s*(\d)", re.IGNORECASE)
_STYLE_ROLES = {"caption": "caption", "toc": "contents", "bibliography": "bibliography", "footnote": "footnote"}


def read_docx(data: bytes, options: ReadOptions) -> Content:
    """Return text, blocks and title of a Word document."""
    with opened(io.BytesIO(data)) as archive:
        styles = _styles(archive, options)
        page = Blocks()
        body = member_xml(archive, "word/document.xml", options.max_bytes).find(f"{_W}body")
        for element in body if body is not None else ():
            _word(element, styles, page)
        if "word/footnotes.xml" in archive.namelist():
            for note in member_xml(archive, "word/footnotes.xml", options.max_bytes):
                page.add("paragraph", " ".join(_word_text(note).split()), role="footnote")
        return page.content(_title(archive, "docProps/core.xml", options))


def _styles(archive: zipfile.ZipFile, options: ReadOptions) -> dict[str, str]:
    """Style id -> its name in lower case, which is the same in every language of Word."""
    if "word/styles.xml" not in archive.namelist():
        return {}
    found = {}
    for style in member_xml(archive, "word/styles.xml", options.max_bytes).iter(f"{_W}style"):
        name = style.find(f"{_W}name")
        found[style.get(f"{_W}styleId", "")] = (name.get(f"{_W}val", "") if name is not None else "").lower()
    return found


def _word(element: ElementTree.Element, styles: dict[str, str], page: Blocks) -> None:
    if element.tag == f"{_W}tbl":
        rows = [[" ".join(_word_text(cell).split()) for cell in row.iter(f"{_W}tc")] for row in element.iter(f"{_W}tr")]
        page.add("table", "\n".join("\t".join(row) for row in rows if any(row)))
    elif element.tag == f"{_W}sdt":  # a table of contents, or another part that Word keeps up to date
        for inner in element.iterfind(f"{_W}sdtContent/*"):
            _word(inner, styles, page)
    elif element.tag == f"{_W}p":
        chosen = element.find(f"{_W}pPr/{_W}pStyle")
        style = styles.get(chosen.get(f"{_W}val", ""), "") if chosen is not None else ""
        text = " ".join(_word_text(element).split())
        heading = _HEADING.match(style)
        if heading or style in ("title", "subtitle"):
            page.add("title", text, int(heading[1]) if heading else 1)
            return
        role = next((role for name, role in _STYLE_ROLES.items() if style.startswith(name)), "")
        listed = element.find(f"{_W}pPr/{_W}numPr") is not None or style.startswith("list")
        kind = "item" if listed else "quote" if "quote" in style else "code" if "code" in style else "paragraph"
        page.add(kind, text, role=role)


def _word_text(element: ElementTree.Element) -> str:
    parts = []
    for node in element.iter():
        if node.tag == f"{_W}t":
            parts.append(node.text or "")
        elif node.tag in (f"{_W}tab", f"{_W}br", f"{_W}cr", f"{_W}p"):
            parts.append(" ")
        elif node.tag == f"{_W}noBreakHyphen":
            parts.append("-")
    return "".join(parts)


def read_odt(data: bytes, options: ReadOptions) -> Content:
    """Return text, blocks and title of an OpenDocument text."""
    with opened(io.BytesIO(data)) as archive:
        root = member_xml(archive, "content.xml", options.max_bytes)
        body = root.find(".//{urn:oasis:names:tc:opendocument:xmlns:office:1.0}text")
        page = Blocks()
        if body is not None:
            _open_document(body, page, "paragraph", "")
        return page.content(_title(archive, "meta.xml", options))


_ODT_ROLES = {"table-of-content": "contents", "illustration-index": "contents", "bibliography": "bibliography"}


def _open_document(parent: ElementTree.Element, page: Blocks, kind: str, role: str) -> None:
    for element in parent:
        name = element.tag.rpartition("}")[2]
        if element.tag == f"{_TEXT}h":
            level = element.get(f"{_TEXT}outline-level", "")
            page.add("title", _odt_text(element), int(level) if level.isdecimal() and len(level) < 3 else 1)
        elif element.tag == f"{_TEXT}p":
            style = element.get(f"{_TEXT}style-name", "").lower()
            own = "caption" if style in ("caption", "illustration", "table", "figure") else ""
            page.add("title" if style in ("title", "subtitle") else kind, _odt_text(element), role=role or own,
                     level=int(style in ("title", "subtitle")))  # fmt: skip
            for note in element.iter(f"{_TEXT}note-body"):
                page.add("paragraph", " ".join(_odt_text(part) for part in note), role="footnote")
        elif element.tag == f"{_TABLE}table":
            rows = [
                [_odt_text(cell) for cell in row.iter(f"{_TABLE}table-cell")]
                for row in element.iter(f"{_TABLE}table-row")
            ]
            page.add("table", "\n".join("\t".join(row) for row in rows if any(row)))
        elif name in ("list", "list-item", "list-header"):
            _open_document(element, page, "item", role)
        elif name not in ("tracked-changes", "sequence-decls", "forms"):
            _open_document(element, page, kind, _ODT_ROLES.get(name, role))


def _odt_text(element: ElementTree.Element) -> str:
    return " ".join("".join(_odt_parts(element)).split())


def _odt_parts(element: ElementTree.Element) -> Iterator[str]:
    yield element.text or ""
    for child in element:
        name = child.tag.rpartition("}")[2]
        if name in ("s", "tab", "line-break"):
            yield " "
        elif name not in ("note", "annotation"):
            yield from _odt_parts(child)
            yield " " if name in ("p", "h", "list-item") else ""
        yield child.tail or ""


def opened(file: BinaryIO) -> zipfile.ZipFile:
    """Open an archive, or say that it is broken."""
    try:
        return zipfile.ZipFile(file)
    except FAILURES as error:
        raise SkipError("broken", str(error)) from error


def _title(archive: zipfile.ZipFile, name: str, options: ReadOptions) -> str:
    if name not in archive.namelist():
        return ""
    return (member_xml(archive, name, options.max_bytes).findtext(_DC_TITLE) or "").strip()


def member(archive: zipfile.ZipFile, name: str, max_bytes: int) -> bytes:
    """Return a file of an archive that must not be larger than ``max_bytes``."""
    with archive.open(name) as file:
        data = file.read(max_bytes + 1)
    if len(data) > max_bytes:
        raise SkipError("too large", f"{name} has more than {max_bytes} bytes")
    return data


def member_xml(archive: zipfile.ZipFile, name: str, max_bytes: int) -> ElementTree.Element:
    """Return the parsed XML of a file in an archive."""
    try:
        data = member(archive, name, max_bytes)
    except FAILURES as error:
        raise SkipError("broken", f"{name}: {error}") from error
    # Entity definitions are the one way in which XML grows without bound; no honest package file has them.
    if b"<!ENTITY" in data:
        raise SkipError("bomb", f"{name} defines entities")
    try:
        return ElementTree.fromstring(data)
    except (ElementTree.ParseError, LookupError, ValueError) as error:  # the last two: of the encoding that it names
        raise SkipError("broken", f"{name}: {str(error)[:200]}") from error


_TYPES = {
    b"application/epub+zip": "epub",
    b"application/vnd.oasis.opendocument.text": "odt",
    b"application/vnd.oasis.opendocument.spreadsheet": "sheet",
}


def zip_format(source: Source) -> str:
    """Return what a ZIP archive is by what lies in it: epub, docx, odt, sheet, or just zip."""
    try:
        with source.open_raw() as file, zipfile.ZipFile(file) as archive:
            names = set(archive.namelist())
            if "word/document.xml" in names:
                return "docx"
            if "xl/workbook.xml" in names or "xl/workbook.bin" in names:
                return "sheet"
            if "mimetype" in names:
                kind = member(archive, "mimetype", 200).strip()
                if kind in _TYPES:
                    return _TYPES[kind]
                raise SkipError("binary", kind.decode("ascii", "replace"))
            if "META-INF/container.xml" in names:
                return "epub"
            if any(name.startswith("ppt/") for name in names):
                raise SkipError("binary", "a presentation")
    except FAILURES as error:
        raise SkipError("broken", f"not a ZIP archive: {error}") from error
    return "zip"
