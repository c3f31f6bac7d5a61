"""EPUB: a ZIP archive of HTML chapters in the order of its spine; one document a chapter."""

import posixpath
import zipfile
from collections.abc import Iterator
from urllib.parse import unquote

from likewise.read.document import Document
from likewise.read.encoding import decode
from likewise.read.html import read_html
from likewise.read.office import FAILURES, member, member_xml
from likewise.read.options import ReadOptions
from likewise.read.skipped import OnSkip, SkipError, Skipped
from likewise.read.source import WHOLE, Piece, Source

_HTML_TYPES = ("application/xhtml+xml", "text/html")


def read_epub(source: Source, options: ReadOptions, on_skip: OnSkip, piece: Piece = WHOLE) -> Iterator[Document]:
    """Yield the chapters of a book that hold text, ids ``book.epub#file``."""
    try:
        with source.open_raw() as file, zipfile.ZipFile(file) as archive:
            book, chapters = spine(archive, options)
            if not chapters:
                raise SkipError("broken", "no chapter in its spine")
            silent = piece == WHOLE
            for chapter in chapters[piece.start : piece.end]:
                place = f"{source.place}#{chapter}"
                try:
                    page = decode(member(archive, chapter, options.max_bytes), html=True)
                    content = read_html(page, options)
                except SkipError as error:
                    silent = False
                    on_skip(Skipped(place, None, error.reason, error.detail))
                    continue
                except FAILURES as error:
                    silent = False
                    on_skip(Skipped(place, None, "broken", str(error)))
                    continue
                if content.text.strip():
                    silent = False
                    yield Document(
                        f"{source.name}#{chapter}", content.text, place, {}, content.blocks, content.title, book, "epub"
                    )
                # Covers and title images are pages without text: nothing is lost, so nothing is reported.
            if silent:
                raise SkipError("no text", "no chapter has any")
    except FAILURES as error:
        raise SkipError("broken", str(error)) from error


def spine(archive: zipfile.ZipFile, options: ReadOptions) -> tuple[str, list[str]]:
    """Return the title of a book, and the paths of its chapters in reading order."""
    container = member_xml(archive, "META-INF/container.xml", options.max_bytes)
    rootfile = container.find(".//{*}rootfile")
    if rootfile is None or not rootfile.get("full-path"):
        raise SkipError("broken", "META-INF/container.xml names no package file")
    package_path = rootfile.get("full-path", "")
    package = member_xml(archive, package_path, options.max_bytes)
    title = package.findtext(".//{http://purl.org/dc/elements/1.1/}title") or ""
    items = {item.get("id"): item for item in package.iterfind(".//{*}manifest/{*}item")}
    folder = posixpath.dirname(package_path)
    chapters = []
    for reference in package.iterfind(".//{*}spine/{*}itemref"):
        item = items.get(reference.get("idref"))
        if item is None or item.get("media-type") not in _HTML_TYPES or "nav" in item.get("properties", "").split():
            continue
        chapters.append(posixpath.normpath(posixpath.join(folder, unquote(item.get("href", "")))))
    return title.strip(), chapters
