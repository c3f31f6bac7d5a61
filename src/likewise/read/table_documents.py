"""The rows of a table as documents: some columns are the text, the others its fields."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from likewise.errors import InputError
from likewise.read.document import Document
from likewise.read.mapped import let_go
from likewise.read.tables import read_table, texts_of

if TYPE_CHECKING:
    import pyarrow as pa

_ROWS = 512  # that are values at a time: long texts of all rows are more than need be in memory


def table_documents(path: Path, on: Sequence[str] = (), id: str | None = None) -> Iterator[Document]:  # noqa: A002 - the word users see
    """Give a document for each row of a table: the columns searched are its text, the others its fields."""
    records = read_table(path, id=id, wanted=on)
    kinds = {name: _kind(_values(records.table.column(name))) for name in records.columns}
    columns = list(on) or [name for name, kind in kinds.items() if kind is str]
    if not columns:
        raise InputError(f"{path} has no text column; name the columns to search (it has {', '.join(records.columns)})")
    # With several columns searched, each is a field as well, so that title:word can ask for one of them.
    shown = {name: kind for name, kind in kinds.items() if name not in columns or len(columns) > 1}
    row = 0
    for part in _parts(records.table):
        texts = [texts_of(part, name, str(path)).to_pylist() for name in columns]
        fields = [(name, _as(kind, part.column(name).to_pylist())) for name, kind in shown.items()]
        for place, one in enumerate(records.ids.slice(row, len(part)).to_pylist()):
            text = "\n".join(column[place] for column in texts if column[place])
            given = {name: column[place] for name, column in fields if column[place] is not None}
            row += 1
            yield Document(str(one) if id else f"{path.name}#{one}", text, f"{path}:{row}", given)
        let_go()


def _parts(table: "pa.Table") -> "Iterator[pa.Table]":
    """Yield a few rows at a time."""
    import pyarrow as pa

    for batch in table.to_batches(_ROWS):
        yield pa.Table.from_batches([batch])


def _values(column: "pa.ChunkedArray") -> Iterator[Any]:
    """Yield the values of a column; no more of them are made than are asked for, and a few others."""
    for chunk in column.chunks:
        for first in range(0, len(chunk), _ROWS):
            yield from chunk.slice(first, _ROWS).to_pylist()
            let_go()


_WHOLE = re.compile(r"-?(?:0|[1-9]\d{0,17})")
_NUMBER = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?")


def _kind(values: Iterator[Any]) -> type[int] | type[float] | type[str] | None:
    """Return what all strings of a column are; ``None`` of other values.

    What begins with a nought is a code, not a number.

    >>> _kind(iter(["1", None, "2.5"])), _kind(iter(["1", "02"])), _kind(iter([1, 2]))
    (<class 'float'>, <class 'str'>, None)
    """
    kind: type[int] | type[float] | None = None
    for value in values:
        if value is None:
            continue
        if not isinstance(value, str):
            return None
        if kind is not float and _WHOLE.fullmatch(value):
            kind = int
        elif _NUMBER.fullmatch(value):
            kind = float
        else:
            return str
    return kind


def _as(kind: type[int] | type[float] | type[str] | None, values: list[Any]) -> list[Any]:
    """Return values as numbers where all of their column are."""
    return values if kind in (None, str) else [None if value is None else kind(value) for value in values]
