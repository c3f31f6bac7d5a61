"""The rows of a table as documents: some columns are the text, the others its fields."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from likewise.errors import InputError
from likewise.read.document import Document
from likewise.read.tables import read_table, texts_of


def table_documents(path: Path, on: Sequence[str] = (), id: str | None = None) -> Iterator[Document]:  # noqa: A002 - the word users see
    """Give a document for each row of a table: the columns searched are its text, the others its fields."""
    records = read_table(path, id=id, wanted=on)
    values = {name: _numbers(records.table.column(name).to_pylist()) for name in records.columns}
    columns = list(on)
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
        yield Document(str(one) if id else f"{path.name}#{one}", text, f"{path}:{row + 1}", given)


_WHOLE = re.compile(r"-?(?:0|[1-9]\d{0,17})")
_NUMBER = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?")


def _numbers(values: list[Any]) -> list[Any]:
    """Return a column of a text file as numbers if all of it is; what begins with a nought is a code, not a number."""
    given = [value for value in values if value is not None]
    for pattern, kind in ((_WHOLE, int), (_NUMBER, float)):
        if given and all(isinstance(value, str) and pattern.fullmatch(value) for value in given):
            return [None if value is None else kind(value) for value in values]
    return values
