"""Tables out: CSV, TSV, JSONL, JSON, Parquet, workbooks (whole or absent), and a table on the terminal."""

import csv
import json
import os
from collections.abc import Iterable, Iterator, Sequence
from io import TextIOWrapper
from typing import IO, TYPE_CHECKING, Any, Protocol

from likewise.errors import FormatError
from likewise.said import printable
from likewise.storage import atomic_path

if TYPE_CHECKING:
    import pyarrow as pa

ENDINGS = (".csv", ".tsv", ".jsonl", ".json", ".parquet", ".xlsx")
_PACKED = (".parquet", ".xlsx")
_SAME = {".ndjson": ".jsonl", ".tab": ".tsv"}
_TEXTS = ("text", "left_text", "right_text")
_BATCH = 1 << 14
_PARQUET: dict[str, Any] = {"compression": "zstd", "write_page_checksum": True}
# Rows of a row group of Parquet, as pyarrow has it, and bytes of texts: a group is in memory until it is written.
_GROUP, _GROUP_TEXTS = 1 << 20, 16 << 20
_FEW = 1 << 10  # rows at a time, after which a group may end


def ending_of(path: str | os.PathLike[str]) -> str | None:
    """Return the ending (without ``.gz``) that says how to write ``path``; ``None`` if it says nothing.

    >>> ending_of("out.CSV.gz"), ending_of("out.ndjson"), ending_of("out.txt")
    ('.csv', '.jsonl', None)
    """
    name = os.fspath(path).lower()
    ending = os.path.splitext(name.removesuffix(".gz"))[1]
    ending = _SAME.get(ending, ending)
    return ending if ending in ENDINGS and not (name.endswith(".gz") and ending in _PACKED) else None


def format_of(path: str | os.PathLike[str]) -> str:
    """Return what :func:`ending_of` gives; refuse a name that says nothing.

    >>> format_of("out.csv.gz")
    '.csv'
    """
    ending = ending_of(path)
    if ending is None:
        raise FormatError(f"cannot tell what to write from the name {os.fspath(path)!r}; use {', '.join(ENDINGS)}")
    return ending


def short_texts(rows: Any, length: int) -> Any:
    """Return the rows, a table or a batch of one, with so many characters of each text that was compared, at most.

    >>> import pyarrow as pa
    >>> short_texts(pa.table({"id": [7], "text": ["a long document"]}), 6).to_pylist()
    [{'id': 7, 'text': 'a long'}]
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    for at, field in enumerate(rows.schema):
        if field.name in _TEXTS:
            plain = field.type.value_type if pa.types.is_dictionary(field.type) else field.type
            short = pc.utf8_slice_codeunits(rows.column(at).cast(plain), 0, length)
            rows = rows.set_column(at, field, short.cast(field.type))
    return rows


def write_table(table: "pa.Table", path: str | os.PathLike[str], ending: str | None = None) -> None:
    """Write a table as its file name (or ``ending``) says; the file appears when it is whole.

    >>> import pathlib, pyarrow as pa, tempfile
    >>> target = pathlib.Path(tempfile.mkdtemp()) / "out.csv"
    >>> write_table(pa.table({"left": [0], "score": [0.5]}), target)
    >>> target.read_text()
    'left,score\\n0,0.5\\n'
    """
    ending = ending or format_of(path)
    if ending == ".parquet":
        _write_parquet(table, path)
    else:
        _write_texts(table, path, ending)


class Batches(Protocol):
    """A table whose rows come a few at a time."""

    @property
    def column_names(self) -> Sequence[str]:
        """Names of the columns."""

    @property
    def schema(self) -> "pa.Schema":
        """Types of the columns."""

    def to_batches(self, rows: int, /) -> "Iterable[pa.RecordBatch]":
        """Give the rows."""


def write_batches(table: Batches, path: str | os.PathLike[str]) -> None:
    """Write a table that is not held in memory: the same bytes as :func:`write_table`."""
    ending = format_of(path)
    if ending != ".parquet":
        _write_texts(table, path, ending)
        return
    _write_parquet(table, path)


def _write_parquet(table: "pa.Table | Batches", path: str | os.PathLike[str]) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        with atomic_path(path) as temporary, pq.ParquetWriter(temporary, table.schema, **_PARQUET) as writer:
            for group in _groups(table):
                writer.write_table(group, _GROUP)
    except pa.ArrowNotImplementedError as error:  # months with days, unions: values that Parquet has no type for
        raise FormatError(f"{os.fspath(path)}: Parquet cannot hold such a column; write .jsonl ({error})") from error


def _groups(table: "pa.Table | Batches") -> "Iterator[pa.Table]":
    """Cut a table into row groups: the same ones, however its rows come."""
    import pyarrow as pa
    import pyarrow.compute as pc

    def texts_in(few: pa.Table) -> int:
        texts = [one for one in few.columns if pa.types.is_string(one.type) or pa.types.is_large_string(one.type)]
        return sum(pc.sum(pc.binary_length(one)).as_py() or 0 for one in texts)

    group, rows, size = table.schema.empty_table(), 0, 0
    for few in _few(table):
        group = pa.concat_tables([group, few])
        rows, size = rows + few.num_rows, size + texts_in(few)
        if rows >= _GROUP or size >= _GROUP_TEXTS:
            yield group
            group, rows, size = table.schema.empty_table(), 0, 0
    if rows:
        yield group


def _few(table: "pa.Table | Batches") -> "Iterator[pa.Table]":
    """Give a few rows at a time, always as many."""
    import pyarrow as pa

    waiting = table.schema.empty_table()
    for batch in table.to_batches(_FEW):
        waiting = pa.concat_tables([waiting, pa.Table.from_batches([batch], table.schema)])
        while waiting.num_rows >= _FEW:
            yield waiting.slice(0, _FEW)
            waiting = waiting.slice(_FEW)
    if waiting.num_rows:
        yield waiting


def _write_texts(table: "pa.Table | Batches", path: str | os.PathLike[str], ending: str) -> None:
    if ending == ".xlsx":
        from likewise.results.workbook import write_workbook

        with atomic_path(path) as temporary:
            write_workbook(list(table.column_names), _rows(table), os.fspath(temporary))
        return
    with atomic_path(path) as temporary, open(temporary, "wb") as file:
        if os.fspath(path).lower().endswith(".gz"):
            import gzip

            # No name and no time inside: the same table gives the same bytes.
            with gzip.GzipFile(filename="", fileobj=file, mode="wb", mtime=0) as packed:
                _write_text(table, packed, ending)
        else:
            _write_text(table, file, ending)


def _write_text(table: "pa.Table | Batches", file: Any, ending: str) -> None:
    text = TextIOWrapper(file, encoding="utf-8", newline="", errors="surrogatepass")
    if ending == ".jsonl":
        write_jsonl(table, text)
    elif ending == ".json":
        write_json(table, text)
    else:
        write_csv(table, text, "\t" if ending == ".tsv" else ",")
    text.flush()
    text.detach()


def write_csv(table: "pa.Table | Batches", file: IO[str], delimiter: str = ",") -> None:
    """Write rows as CSV: floats with all their digits, null as an empty cell, lists as JSON."""
    writer = csv.writer(file, delimiter=delimiter, lineterminator="\n")
    writer.writerow(table.column_names)
    # Before Python 3.13 a lone carriage return is not quoted, and would end the row for whoever reads it.
    careful = csv.writer(file, delimiter=delimiter, lineterminator="\n", quoting=csv.QUOTE_ALL)
    for batch in table.to_batches(_BATCH):
        columns = [[_cell(value) for value in column.to_pylist()] for column in batch.columns]
        returns = any(isinstance(value, str) and "\r" in value for column in columns for value in column)
        (careful if returns else writer).writerows(zip(*columns, strict=True))


def _rows(table: "pa.Table | Batches") -> Iterator[list[Any]]:
    for batch in table.to_batches(_BATCH):
        columns = [[_cell(value) for value in column.to_pylist()] for column in batch.columns]
        yield from map(list, zip(*columns, strict=True))


def write_jsonl(table: "pa.Table | Batches", file: IO[str]) -> None:
    """Write rows as one JSON object a line."""
    for batch in table.to_batches(_BATCH):
        for row in batch.to_pylist():
            file.write(json.dumps(row, ensure_ascii=False, default=str) + "\n")


def write_json(table: "pa.Table | Batches", file: IO[str]) -> None:
    """Write rows as one JSON array, an object a line."""
    begin = "[\n"
    for batch in table.to_batches(_BATCH):
        for row in batch.to_pylist():
            file.write(begin + json.dumps(row, ensure_ascii=False, default=str))
            begin = ",\n"
    file.write("[]\n" if begin == "[\n" else "\n]\n")


def _cell(value: Any) -> Any:
    return json.dumps(value, ensure_ascii=False, default=str) if isinstance(value, list | dict) else value


def print_table(table: "pa.Table", file: IO[str], rows: int | None = 50) -> None:
    """Show a table on a terminal: aligned, numbers to the right, long texts folded; ``rows`` limits it."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console(file=file, highlight=False)
    view = Table(box=None, pad_edge=False, header_style="bold")
    import pyarrow as pa

    for field in table.schema:
        number = pa.types.is_integer(field.type) or pa.types.is_floating(field.type)
        view.add_column(
            Text(_shown(field.name)), justify="right" if number else "left", overflow="fold", no_wrap=number
        )
    shown = table if rows is None else table.slice(0, rows)
    for row in shown.to_pylist():
        view.add_row(*(Text(_shown(value)) for value in row.values()))
    console.print(view)
    if shown.num_rows < table.num_rows:
        console.print(f"... {table.num_rows - shown.num_rows} more rows")


def _shown(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:.4f}"
    return printable(str(_cell(value)), lines=False)
