"""An EPUB whole: every file as it was, but for the chapters that got anchors and lines."""

import io
import posixpath
import re
import zipfile
from collections.abc import Collection, Mapping
from pathlib import Path
from urllib.parse import quote, unquote

from likewise.errors import StorageError

PAGE = "subject-index.xhtml"
_ID = "subject-index-by-likewise"
_ROOT = re.compile(r"<rootfile\b[^>]*\bfull-path=[\"']([^\"']+)")
_OWN = re.compile(rf'<(?:\w+:)?(?:item id="{_ID}" href="([^"]*)"[^>]*|itemref idref="{_ID}")/>')


def copy(source: str, chapters: Mapping[str, str], index: str | None = None) -> bytes:
    """Return the bytes of a book whose ``chapters`` (by their names inside) are replaced; the same ones every time.

    A page with an ``index`` is put behind the last chapter, and into the book's order of reading, if its list of files
    is in UTF-8.
    """
    made = io.BytesIO()
    try:
        with zipfile.ZipFile(Path(source)) as book, zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as target:
            place = _package(book)
            package = _text(book, place)
            own = next(filter(None, _OWN.findall(package or "")), None)
            folder = posixpath.dirname(place or "")
            before = None if own is None else posixpath.normpath(posixpath.join(folder, unquote(own)))
            name = _free(posixpath.join(posixpath.dirname(next(iter(chapters))), PAGE), set(book.namelist()) - {before})
            for entry in book.infolist():
                if entry.filename == before:
                    continue
                content = chapters[entry.filename].encode() if entry.filename in chapters else book.read(entry)
                if entry.filename == place and package is not None and (index is not None or own is not None):
                    content = _listed(
                        package, quote(posixpath.relpath(name, folder or ".")), index is not None
                    ).encode()
                # Its date, attributes and order stay: the first entry says what the file is, and is not compressed.
                kept = zipfile.ZipInfo(entry.filename, entry.date_time)
                kept.external_attr = entry.external_attr
                kept.compress_type = entry.compress_type
                target.writestr(kept, content)
            if index is not None and package is not None:
                target.writestr(zipfile.ZipInfo(name), index, zipfile.ZIP_DEFLATED)
    except (OSError, RuntimeError, NotImplementedError, zipfile.BadZipFile) as error:
        raise StorageError(f"cannot read {source} again: {error}") from error
    return made.getvalue()


def _package(book: zipfile.ZipFile) -> str | None:
    """The file that lists what is in the book."""
    try:
        found = _ROOT.search(book.read("META-INF/container.xml").decode("utf-8", "replace"))
    except KeyError:
        return None
    return found[1] if found else None


def _text(book: zipfile.ZipFile, place: str | None) -> str | None:
    """The list of files, if it can be added to."""
    try:
        return None if place is None else book.read(place).decode()
    except (KeyError, UnicodeError):
        return None


def _free(name: str, taken: Collection[str | None]) -> str:
    """The name, or one with more dashes that no file of the book has."""
    while name in taken:
        name = f"{name.removesuffix('.xhtml')}-.xhtml"
    return name


def _listed(package: str, path: str, wanted: bool) -> str:
    """The list of files with the page of the index in its manifest and at the end of its spine, or without it."""
    package = _OWN.sub("", package)
    if not wanted:
        return package
    # Names have the prefix that the list itself has.
    item = rf'<\1item id="{_ID}" href="{path}" media-type="application/xhtml+xml"/>'
    package = re.sub(r"</((?:\w+:)?)manifest>", rf"{item}\g<0>", package, count=1)
    return re.sub(r"</((?:\w+:)?)spine>", rf'<\1itemref idref="{_ID}"/>\g<0>', package, count=1)
