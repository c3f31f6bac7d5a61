"""A folder, or a file of documents, as a table: a row for each document."""

import glob
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from likewise.errors import FormatError
from likewise.read.document import Document
from likewise.read.documents import documents
from likewise.read.formats import by_ending
from likewise.read.options import ReadOptions
from likewise.read.paths import files
from likewise.read.skipped import Skipped, skipped_lines, told
from likewise.read.source import Source
from likewise.read.zipped import holds_table
from likewise.said import counted

if TYPE_CHECKING:
    import pyarrow as pa

ID, TEXT = "id", "text"
TITLE = "title"
FACTS = ("url", "date", "from")
"""What readers know of a document besides: where a page was, when a message was sent, and by whom."""


def facts(document: Document) -> list[str | None]:
    """Return its title, and what else is known of it.

    >>> facts(Document("crawl.warc#1", "Red fish.", fields={"url": "http://a.org/", "status": 200}, title="Fish"))
    ['Fish', 'http://a.org/', None, None]
    """
    known = [document.fields.get(name) for name in FACTS]
    return [document.title or None, *(value if isinstance(value, str) else None for value in known)]


def is_corpus(path: str) -> bool:
    """Say whether a path has documents instead of rows: a folder with more than tables, or a file that holds many.

    A ZIP archive of one table and nothing else is that table.

    >>> is_corpus("crawl.warc.gz"), is_corpus("mail.zip"), is_corpus("names.txt"), is_corpus("names.csv")
    (True, True, False, False)
    """
    if Path(path).is_dir():
        return not table_files(path)
    found = by_ending(path)
    if found is not None and found.name == "zip":
        return not _are_tables(path)
    return found is not None and found.name in ("warc", "mail", "epub", "tar")


def _are_tables(path: str) -> bool:
    """Whether a ZIP archive, or all that match a pattern, hold one table each."""
    found = [path] if Path(path).exists() else glob.glob(path, recursive=True)
    return bool(found) and all(holds_table(Source(name, name, Path(name))) for name in found)


def table_files(path: str) -> list[str]:
    """Return the files of a folder that holds nothing but tables, as a data set does; of any other none.

    What begins with ``_`` are notes of who wrote the data set, such as Spark's ``_SUCCESS``.
    """
    found = [str(file) for file, _ in files(path)] if Path(path).is_dir() else []
    found = [file for file in found if not Path(file).name.startswith("_")]
    formats = [by_ending(file) for file in found]
    return found if all(one is not None and one.table for one in formats) else []


def corpus_table(path: str, strict: bool, notes: list[str], skipped: list[Skipped]) -> "pa.Table":
    """Return the columns ``id`` and ``text`` of all documents that have text, and what else is known of some."""
    import pyarrow as pa

    seen: Counter[str] = Counter()
    ids, texts, known = [], [], []
    for document in documents(path, on_skip=skipped.append, options=ReadOptions(strict=strict)):
        if not document.text.strip():
            skipped.append(Skipped(document.id, None, "no text"))
            continue
        seen[document.id] += 1
        ids.append(document.id if seen[document.id] == 1 else f"{document.id} ({seen[document.id]})")
        texts.append(document.text)
        known.append(facts(document))
    check_documents(path, len(ids), skipped)
    notes += [documents_note(path, len(ids)), *skipped_lines(skipped)]
    told = {
        name: pa.array(column, pa.string())
        for name, column in zip((TITLE, *FACTS), zip(*known, strict=True), strict=True)
    }
    columns = {ID: pa.array(ids, pa.string()), TEXT: pa.array(texts, pa.string())}
    return pa.table(columns | {name: column for name, column in told.items() if column.null_count < len(column)})


def check_documents(path: str, count: int, skipped: Sequence[Skipped]) -> None:
    """Refuse in words a place without a document that has text."""
    if not count:
        why = f": {told(skipped)}" if skipped else ""
        if any(entry.reason == "no text column" for entry in skipped):
            why += (
                "; among documents, only the column 'text' of a table is read. To compare the rows of a table by all "
                "columns, name it alone, or a folder of nothing but tables; unpack it from an archive of several"
            )
        raise FormatError(f"{path} holds no document that can be read{why}")


def documents_note(path: str, count: int) -> str:
    """Return what is said of a place whose documents are records."""
    return f"{path}: {counted(count, 'document')}, compared by their text"
