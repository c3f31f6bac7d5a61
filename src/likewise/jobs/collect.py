"""What becomes a text of an index: documents or their parts, and the rows of tables."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from likewise.errors import ColumnError, InputError
from likewise.languages import language
from likewise.options import check_choice, option
from likewise.read import ReadOptions
from likewise.read.document import Document
from likewise.read.documents import read_file
from likewise.read.formats import is_table
from likewise.read.paths import Paths, files, in_unicode
from likewise.read.skipped import OnSkip, Skipped, heard, skipping
from likewise.read.source import Piece
from likewise.read.table_documents import table_documents
from likewise.segment.parts import UNITS, parts


@dataclass(frozen=True, slots=True)
class CollectOptions:
    """What becomes a text of the index."""

    unit: str | None = option(
        None, "What to find: documents (default, unless the index has other units), or parts of them.", choices=UNITS
    )
    on: tuple[str, ...] = option(
        (), "Columns of a table to search (default: all text columns); the others become fields.", cli_type=list[str]
    )

    language: str | None = option(
        None, "Language of the texts, such as german or de: leave out its stop words, compare stems, cut its sentences."
    )

    def __post_init__(self) -> None:
        if self.unit is not None:
            check_choice("unit", self.unit, UNITS)
        if self.language is not None:
            language(self.language)
        on: Any = self.on  # one name will do
        object.__setattr__(self, "on", (on,) if isinstance(on, str) else tuple(on))


def collect(
    paths: Paths, options: CollectOptions, read: ReadOptions, on_skip: OnSkip | None = None
) -> Iterator[Document]:
    """Give the documents, or their parts, of all files named."""
    for path, name in in_order(paths, options):
        yield from texts_of_file(path, name, None, options, read, on_skip)


def in_order(paths: Paths, options: CollectOptions) -> list[tuple[Path, str]]:
    """Return the files with their names, tables first."""
    return sorted(files(paths), key=lambda file: not is_whole(file[1], options))


def texts_of_file(
    path: Path, name: str, piece: Piece | None, options: CollectOptions, read: ReadOptions, on_skip: OnSkip | None
) -> Iterator[Document]:
    """Give the documents, or their parts, of one file, or of a piece of it."""

    skip = heard(on_skip or (lambda entry: None), read.strict)
    code = language(options.language).code if options.language else None
    found = _rows(path, options, read, skip) if is_whole(name, options) else read_file(path, name, read, skip, piece)
    for one in found:
        one = one if one.source.isascii() else replace(one, source=in_unicode(one.source))
        yield from parts(one, options.unit or "document", code)


def _rows(path: Path, options: CollectOptions, read: ReadOptions, skip: OnSkip) -> Iterator[Document]:
    """The rows of a table; one that cannot be read is left out as other files are, a wrong name of a column is not."""
    try:
        yield from table_documents(path, options.on, read.id)
    except ColumnError:
        raise
    except InputError as error:
        why = skipping(error, str(path))
        skip(Skipped(str(path), None, why.reason, why.detail))


def is_whole(name: str, options: CollectOptions) -> bool:
    """Say whether a file is a table, which is read whole."""
    return bool(options.on) or is_table(name)
