"""What goes into an index: folders, files and tables, whole or in passages."""

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from likewise.errors import InputError
from likewise.index.index import Index
from likewise.measure import Measure
from likewise.options import check_choice, option
from likewise.progress import Progress
from likewise.read import Documents, ReadOptions
from likewise.read.document import Document
from likewise.read.formats import is_table
from likewise.read.paths import Paths, files
from likewise.read.skipped import OnSkip

UNITS = ("document", "paragraph", "sentence", "line")


@dataclass(frozen=True, slots=True)
class CollectOptions:
    """What becomes a text of the index."""

    unit: str = option("document", "What to find: whole documents, or parts of them.", choices=UNITS)
    on: tuple[str, ...] = option(
        (), "Columns of a table to search, all text columns otherwise; the others become fields.", cli_type=list[str]
    )
    id: str | None = option(None, "Column of a table that holds the ids; the row's number otherwise.")

    def __post_init__(self) -> None:
        check_choice("unit", self.unit, UNITS)
        object.__setattr__(self, "on", tuple(self.on))


def index_paths(
    paths: Paths,
    output: str | os.PathLike[str],
    *,
    measure: Measure | str | None = None,
    options: CollectOptions | None = None,
    read: ReadOptions | None = None,
    add: bool = False,
    on_skip: OnSkip | None = None,
    progress: Progress | None = None,
) -> Index:
    """Index folders, files or tables into a folder on disk; with ``add``, into the index that is there.

    >>> import pathlib, tempfile
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> _ = (folder / "fish.txt").write_text("Red fish.\\n\\nBlue fish.")
    >>> index = index_paths(folder / "fish.txt", folder / "index", options=CollectOptions(unit="paragraph"))
    >>> index.search("blue").ids
    ['fish.txt#2']
    """
    found = collect(paths, options or CollectOptions(), read or ReadOptions(), on_skip)
    if add:
        index = Index.open(output)
        index.add(found)
        return index
    return Index.build(found, measure=measure, path=output, progress=progress)


def collect(
    paths: Paths, options: CollectOptions, read: ReadOptions, on_skip: OnSkip | None = None
) -> Iterator[Document]:
    """Give the documents, or their parts, of all files named."""
    tables: list[tuple[Path, str]] = []
    others: list[tuple[Path, str]] = []
    for path, name in files(paths):
        (tables if options.on or is_table(name) else others).append((path, name))
    for path, _ in tables:
        for document in table_documents(path, options):
            yield from parts(document, options.unit)
    for document in Documents(others, read, on_skip):
        yield from parts(document, options.unit)


def table_documents(path: Path, options: CollectOptions) -> Iterator[Document]:
    """Give a document for each row of a table: the columns searched are its text, the others its fields."""
    from likewise.read.tables import read_table, texts_of

    records = read_table(path, id=options.id, wanted=options.on)
    values = {name: _numbers(records.table.column(name).to_pylist()) for name in records.columns}
    columns = list(options.on)
    if not columns:
        columns = [name for name, column in values.items() if any(isinstance(value, str) for value in column)]
    if not columns:
        raise InputError(f"{path} has no text column; name the columns to search (it has {', '.join(records.columns)})")
    texts = [texts_of(records.table, name, str(path)).to_pylist() for name in columns]
    # With several columns searched, each is a field as well, so that title:word can ask for one of them.
    fields = [(name, column) for name, column in values.items() if name not in columns or len(columns) > 1]
    ids = records.ids.to_pylist()
    for row, one in enumerate(ids):
        text = "\n".join(column[row] for column in texts if column[row])
        given = {name: column[row] for name, column in fields if column[row] is not None}
        yield Document(str(one) if options.id else f"{path.name}#{one}", text, f"{path}:{row + 1}", given)


_WHOLE = re.compile(r"-?(?:0|[1-9]\d{0,17})")
_NUMBER = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?")


def _numbers(values: list[Any]) -> list[Any]:
    """Return a column of a text file as numbers if all of it is; what begins with a nought is a code, not a number."""
    given = [value for value in values if value is not None]
    for pattern, kind in ((_WHOLE, int), (_NUMBER, float)):
        if given and all(isinstance(value, str) and pattern.fullmatch(value) for value in given):
            return [None if value is None else kind(value) for value in values]
    return values


def parts(document: Document, unit: str) -> Iterator[Document]:
    """Give a document whole, or its paragraphs, sentences or lines as documents with ids of their own.

    >>> [part.id for part in parts(Document("a", "One. Two."), "sentence")]
    ['a#1', 'a#2']
    """
    known = _known(document)
    if unit == "document":
        yield Document(document.id, document.text, document.source, known)
        return
    if unit == "line":
        lines = [line.strip() for line in document.text.split("\n")]
        pieces: list[tuple[str, dict[str, Any]]] = [(line, {}) for line in lines if line]
    else:
        pieces = list(_passages(document, unit))
    for number, (text, fields) in enumerate(pieces, 1):
        yield Document(f"{document.id}#{number}", text, document.source, {**known, **fields, "document": document.id})


def _known(document: Document) -> dict[str, Any]:
    """The user's columns, and what the source calls itself where no column has that name: title:word asks for it."""
    own = {"title": document.title, "book": document.book}
    return {name: value for name, value in own.items() if value} | dict(document.fields)


def _passages(document: Document, unit: str) -> Iterator[tuple[str, dict[str, Any]]]:
    from likewise.segment import passages

    for passage in passages(document):
        fields: dict[str, Any] = {"kind": passage.kind}
        if passage.titles:
            fields["titles"] = " > ".join(passage.titles)
        spans = passage.sentences if unit == "sentence" else (passage.span,)
        for span in spans:
            text = span.of(document.text)
            if text.strip():
                yield text, {**fields, "start": span.start}
