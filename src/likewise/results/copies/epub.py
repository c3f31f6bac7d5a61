"""An EPUB whole: every file as it was, but for the chapters that got anchors and lines."""

import io
import posixpath
import re
import zipfile
from collections.abc import Mapping
from pathlib import Path

from likewise.errors import StorageError

PAGE = "subject-index.xhtml"
_ID = "subject-index-by-likewise"
_ROOT = re.compile(r"<rootfile\b[^>]*\bfull-path=[\"']([^\"']+)")
_OWN = re.compile(rf'<item id="{_ID}"[^>]*/>|<itemref idref="{_ID}"/>')


def copy(source: str, chapters: Mapping[str, str], index: str | None = None) -> bytes:
    """Return the bytes of a book whose ``chapters`` (by their names inside) are replaced; the same ones every time.

    A page with an ``index`` is put behind the last chapter, and into the book's order of reading.
    """
    made = io.BytesIO()
    try:
        with zipfile.ZipFile(Path(source)) as book, zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as target:
            package = _package(book)
            name = posixpath.join(posixpath.dirname(next(iter(chapters))), PAGE)
            for entry in book.infolist():
                if entry.filename == name:  # of an earlier run
                    continue
                content = chapters[entry.filename].encode() if entry.filename in chapters else book.read(entry)
                if entry.filename == package:
                    content = _listed(content.decode(), package, name, index is not None).encode()
                # Its date, attributes and order stay: the first entry says what the file is, and is not compressed.
                kept = zipfile.ZipInfo(entry.filename, entry.date_time)
                kept.external_attr = entry.external_attr
                kept.compress_type = entry.compress_type
                target.writestr(kept, content)
            if index is not None and package is not None:
                target.writestr(zipfile.ZipInfo(name), index, zipfile.ZIP_DEFLATED)
    except (OSError, RuntimeError, NotImplementedError, UnicodeError, zipfile.BadZipFile) as error:
        raise StorageError(f"cannot read {source} again: {error}") from error
    return made.getvalue()


def _package(book: zipfile.ZipFile) -> str | None:
    """The file that lists what is in the book."""
    try:
        found = _ROOT.search(book.read("META-INF/container.xml").decode("utf-8", "replace"))
    except KeyError:
        return None
    return found[1] if found else None


def _listed(package: str, place: str, name: str, wanted: bool) -> str:
    """The package with the page of the index in its manifest and at the end of its spine, or without it."""
    package = _OWN.sub("", package)
    if not wanted:
        return package
    path = posixpath.relpath(name, posixpath.dirname(place) or ".")
    item = f'<item id="{_ID}" href="{path}" media-type="application/xhtml+xml"/>'
    package = re.sub(r"(?=</(?:\w+:)?manifest>)", item, package, count=1)
    return re.sub(r"(?=</(?:\w+:)?spine>)", f'<itemref idref="{_ID}"/>', package, count=1)
