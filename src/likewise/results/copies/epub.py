"""An EPUB whole: every file as it was, but for the chapters that got anchors and lines."""

import io
import zipfile
from collections.abc import Mapping
from pathlib import Path

from likewise.errors import StorageError


def copy(source: str, chapters: Mapping[str, str]) -> bytes:
    """Return the bytes of a book whose ``chapters`` (by their names inside) are replaced; the same ones every time."""
    made = io.BytesIO()
    try:
        with zipfile.ZipFile(Path(source)) as book, zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as target:
            for entry in book.infolist():
                content = chapters[entry.filename].encode() if entry.filename in chapters else book.read(entry)
                # Its date, attributes and order stay: the first entry says what the file is, and is not compressed.
                kept = zipfile.ZipInfo(entry.filename, entry.date_time)
                kept.external_attr = entry.external_attr
                kept.compress_type = entry.compress_type
                target.writestr(kept, content)
    except (OSError, RuntimeError, NotImplementedError, zipfile.BadZipFile) as error:
        raise StorageError(f"cannot read {source} again: {error}") from error
    return made.getvalue()
