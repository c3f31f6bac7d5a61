"""A ZIP archive that holds one table and nothing else, as pandas writes ``x.csv.zip``: it is that table."""

import zipfile
from dataclasses import replace

from likewise.read.archive import is_hidden, zip_entries
from likewise.read.formats import ZIP, by_ending
from likewise.read.office import FAILURES
from likewise.read.open import BOMB_BYTES, BOMB_RATIO, PACKED
from likewise.read.skipped import SkipError
from likewise.read.source import Source


def holds_table(source: Source) -> bool:
    """Say whether a file is an archive with one table in it and nothing else.

    >>> import io, zipfile
    >>> with zipfile.ZipFile(file := io.BytesIO(), "w") as archive:
    ...     archive.writestr("films.csv", "id,name")
    >>> holds_table(Source("films.zip", "films.zip", data=file.getvalue()))
    True
    """
    known = by_ending(source.name)
    if known is not None and known.table:
        return False  # by its name it is a table itself, and is not opened to be told
    try:
        with source.open_raw() as file:
            if file.read(len(ZIP)) != ZIP:
                return False
            with zipfile.ZipFile(file) as archive:
                return _table(archive) is not None
    except (SkipError, *FAILURES):
        return False  # whoever reads it says what is wrong


def unzipped(source: Source) -> Source:
    """Return the table in an archive that holds nothing else; any other file as it is."""
    if not holds_table(source):
        return source
    with source.open_raw() as file, zipfile.ZipFile(file) as archive:
        entry = _table(archive)
        assert entry is not None  # holds_table saw to it
        size = file.seek(0, 2)
        # What is said of the packed size need not be true; what is said of the other is the most that is expanded.
        if entry.file_size > BOMB_BYTES and entry.file_size > BOMB_RATIO * min(entry.compress_size, size):
            raise SkipError("bomb", f"more than {BOMB_RATIO} times its compressed size")
        try:
            data = archive.read(entry)
        except FAILURES as error:
            raise SkipError("broken", f"{entry.filename}: {error}") from error
    return replace(source, name=entry.filename, place=f"{source.place}/{entry.filename}", path=None, data=data)


def _table(archive: zipfile.ZipFile) -> zipfile.ZipInfo | None:
    entries = [entry for entry in zip_entries(archive) if not is_hidden(entry.filename)]
    if len(entries) != 1 or entries[0].filename.lower().endswith(PACKED):
        return None  # what is packed twice could expand beyond what either shows
    found = by_ending(entries[0].filename)
    return entries[0] if found is not None and found.table else None
