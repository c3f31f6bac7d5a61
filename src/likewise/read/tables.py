"""Tables of every kind become :class:`Records`: an Arrow table, an id per row, and what was decided on the way.

:func:`read_table` takes lists of strings, lists of dicts, dicts of columns, pandas, polars and Arrow tables, and files
(CSV, TSV, JSONL, JSON, Parquet, one text a line; also ``.gz``). Delimiter, encoding and header are detected and said in
``Records.notes``; :class:`TableOptions` overrides them. :func:`texts_of` takes a column out as strings.
"""

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from likewise.errors import ColumnError, FormatError, InputError
from likewise.options import check_choice, option
from likewise.read.delimited import DELIMITERS, Skipped, delimiter_of, detect_dialect, read_delimited
from likewise.read.encoding import check_encoding, detect_encoding

if TYPE_CHECKING:
    import pyarrow as pa

FORMATS = ("csv", "tsv", "jsonl", "json", "parquet", "lines")
_ENDINGS = {"csv": "csv", "tsv": "tsv", "tab": "tsv", "jsonl": "jsonl", "ndjson": "jsonl", "json": "json"}
_ENDINGS |= {"parquet": "parquet", "pq": "parquet", "txt": "lines"}


@dataclass(frozen=True, slots=True)
class TableOptions:
    """How to read a table from a file, where its own looks should not decide."""

    format: str | None = option(None, "Format of the files; by their ending otherwise.", choices=FORMATS)
    encoding: str | None = option(None, "Encoding, such as utf-8, utf-16 or cp1252; detected otherwise.")
    delimiter: str | None = option(None, "Delimiter: a character, comma, tab, semicolon or bar; detected otherwise.")
    header: bool | None = option(None, "Whether the first row names the columns; detected otherwise.")
    strict: bool = option(False, "Stop at the first row that cannot be read, instead of reporting and skipping it.")

    def __post_init__(self) -> None:
        if self.format is not None:
            check_choice("format", self.format, FORMATS)


@dataclass(frozen=True, slots=True)
class Records:
    """The rows of a table, an id for each, and what was decided while reading them.

    >>> read_table(["Ada", "Grace"]).ids.to_pylist()
    [0, 1]
    """

    table: "pa.Table"
    ids: "pa.Array"
    name: str = "table"
    id_column: str | None = None
    notes: tuple[str, ...] = ()
    skipped: tuple[Skipped, ...] = ()

    def __len__(self) -> int:
        return int(self.table.num_rows)

    @property
    def columns(self) -> list[str]:
        """Names of the columns that are not the id."""
        return [name for name in self.table.column_names if name != self.id_column]


def read_table(
    source: Any,
    options: TableOptions | None = None,
    *,
    id: str | None = None,  # noqa: A002 - the word users see
    wanted: Sequence[str] = (),
    name: str = "table",
) -> Records:
    """Read a table from wherever it is.

    ``id`` names the column of ids (positions from 0 otherwise); ``wanted`` the columns that will be asked for, which
    helps to tell a header from data; ``name`` is what messages call a table that is no file.

    >>> read_table([{"name": "Ada", "born": 1815}, {"name": None}]).table.column_names
    ['name', 'born']
    """
    notes: list[str] = []
    skipped: list[Skipped] = []
    if isinstance(source, Records):
        return source if id in (None, source.id_column) else _records(source.table, id, source.name, notes, skipped)
    try:
        if isinstance(source, str | os.PathLike):
            name = os.fspath(source)
            named = [*wanted, *([id] if id is not None else [])]
            table = _read_file(name, options or TableOptions(), named, notes, skipped)
        else:
            table = _arrow(source, name)
    except UnicodeEncodeError as error:
        shown = ascii(error.object[max(0, error.start - 10) : error.end + 10])
        raise InputError(f"{name}: half a character (a lone surrogate) in the text {shown}") from error
    return _records(table, id, name, notes, skipped)


def _records(table: "pa.Table", id_column: str | None, name: str, notes: list[str], skipped: list[Skipped]) -> Records:
    import pyarrow as pa
    import pyarrow.compute as pc

    if id_column is None:
        ids = pa.array(range(table.num_rows), pa.int64())
        return Records(table, ids, name, None, tuple(notes), tuple(skipped))
    check_columns(table, [id_column], name)
    column = table.column(id_column)
    ids = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    if not (pa.types.is_integer(ids.type) or pa.types.is_string(ids.type)):
        ids = texts_of(table, id_column, name)
    if ids.null_count:
        row = pc.index(pc.is_null(ids), True).as_py()
        raise InputError(f"{name}: row {row} has no id in column {id_column!r}; every record needs one")
    counts = pc.value_counts(ids)
    twice = counts.filter(pc.greater(counts.field("counts"), 1))
    if len(twice):
        value = twice.field("values")[0].as_py()
        rows = pc.indices_nonzero(pc.equal(ids, twice.field("values")[0])).to_pylist()[:2]
        raise InputError(
            f"{name}: id {value!r} in column {id_column!r} is there more than once (rows {rows[0]} and {rows[1]}); "
            f"{len(twice)} ids are not unique"
        )
    return Records(table, ids, name, id_column, tuple(notes), tuple(skipped))


def check_columns(table: "pa.Table", names: Iterable[str], where: str) -> None:
    """Raise :class:`ColumnError` for a column that is not there, naming those that are."""
    for name in names:
        if name not in table.column_names:
            existing = ", ".join(repr(other) for other in table.column_names) or "none"
            raise ColumnError(f"{where} has no column {name!r}; its columns: {existing}")


def texts_of(table: "pa.Table", column: str, where: str = "table") -> "pa.Array":
    """Return a column as strings: numbers and dates written out, ``NaN`` as null.

    >>> import pyarrow as pa
    >>> texts_of(pa.table({"postcode": [4011.0, None]}), "postcode").to_pylist()
    ['4011', None]
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    check_columns(table, [column], where)
    values = table.column(column).combine_chunks()
    kind = values.type
    if pa.types.is_dictionary(kind):
        values = values.cast(kind.value_type)
        kind = values.type
    if pa.types.is_string(kind):
        return values
    if pa.types.is_large_string(kind) or pa.types.is_string_view(kind):
        return values.cast(pa.string())
    if pa.types.is_null(kind):
        return pa.nulls(len(values), pa.string())
    if pa.types.is_floating(kind):
        # A column of whole numbers with gaps arrives as floats from pandas: 4011.0 was 4011.
        values = pc.if_else(pc.is_nan(values), None, values.cast(pa.float64()))
        whole = pc.and_(pc.equal(values, pc.floor(values)), pc.less(pc.abs(values), 2.0**53))
        numbers = pc.if_else(whole, values, None).cast(pa.int64()).cast(pa.string())
        return pc.coalesce(numbers, values.cast(pa.string()))
    if pa.types.is_nested(kind) or pa.types.is_binary(kind) or pa.types.is_large_binary(kind):
        raise ColumnError(f"{where}: column {column!r} holds {kind}, which is no text")
    return values.cast(pa.string())


def _arrow(source: Any, name: str) -> "pa.Table":
    """Make an Arrow table of a Python value."""
    import pyarrow as pa

    if isinstance(source, pa.Table):
        return source
    if isinstance(source, pa.RecordBatch):
        return pa.Table.from_batches([source])
    if isinstance(source, pa.Array | pa.ChunkedArray):
        return pa.table({"text": source})
    kind = type(source)
    module = kind.__module__.partition(".")[0]
    if module == "pandas":
        frame = source.to_frame(name="text") if kind.__name__ == "Series" else source
        return pa.table({str(column): _column(frame[column], pandas=True) for column in frame.columns})
    if kind.__name__ != "Series" and hasattr(source, "__arrow_c_stream__"):
        return pa.table(source)
    if module == "polars":
        return pa.table({"text": source.to_arrow()})
    if isinstance(source, Mapping):
        return _from_columns(source, name)
    if isinstance(source, Iterable) and not isinstance(source, bytes):
        return _from_rows(list(source), name)
    raise InputError(
        f"{name} must be a list of texts or dicts, a pandas, polars or Arrow table, or a path, not {kind.__name__}"
    )


def _column(values: Any, pandas: bool = False) -> "pa.Array":
    """Make an Arrow column, written out as text where the values are of several types."""
    import pyarrow as pa

    try:
        return pa.array(values, from_pandas=True) if pandas else pa.array(values)
    except (pa.ArrowInvalid, pa.ArrowTypeError):
        return pa.array([written(value) for value in values], pa.string())


def written(value: Any) -> str | None:
    """Return what a value is as text; a missing one is null, however it is spelt."""
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, float):
        if value != value:
            return None
        return str(int(value)) if value.is_integer() and abs(value) < 2**53 else repr(value)
    if isinstance(value, Mapping | list):
        import json

        return json.dumps(value, ensure_ascii=False)
    return None if type(value).__name__ in ("NAType", "NaTType") else str(value)


def _from_columns(source: Mapping[Any, Any], name: str) -> "pa.Table":
    import pyarrow as pa

    columns = {str(key): values if isinstance(values, list) else list(values) for key, values in source.items()}
    lengths = {len(values) for values in columns.values()}
    if len(lengths) > 1:
        raise InputError(f"{name}: columns differ in length: {sorted(lengths)}")
    return pa.table({key: _column(values) for key, values in columns.items()})


def _from_rows(rows: list[Any], name: str) -> "pa.Table":
    import pyarrow as pa

    if rows and any(isinstance(row, Mapping) for row in rows):
        for place, row in enumerate(rows):
            if not isinstance(row, Mapping):
                raise InputError(f"{name}: item {place} is {type(row).__name__}, the others are dicts")
        keys = dict.fromkeys(str(key) for row in rows for key in row)
        return pa.table({key: _column([row.get(key) for row in rows]) for key in keys})
    for place, row in enumerate(rows):
        if row is not None and not isinstance(row, str | int | float):
            raise InputError(f"{name}: item {place} must be a text, not {type(row).__name__}")
    return pa.table({"text": pa.array([written(row) for row in rows], pa.string())})


def _read_file(
    path: str, options: TableOptions, wanted: Sequence[str], notes: list[str], skipped: list[Skipped]
) -> "pa.Table":
    kind = options.format or _format_of(path)
    if kind == "parquet":
        return _read_parquet(path)
    encoding = check_encoding(options.encoding) if options.encoding else detect_encoding(path)
    if kind in ("jsonl", "json"):
        from likewise.read.jsonl import read_json

        rows, left_out = read_json(path, encoding, lines=kind == "jsonl", strict=options.strict)
        table = _from_rows(rows, path)
        notes.append(f"{path}: {kind}, {encoding}, {table.num_rows} rows")
    else:
        delimiter = delimiter_of(options.delimiter) if options.delimiter else None
        if kind == "lines" and delimiter is None:
            from likewise.read.delimited import Dialect

            dialect = Dialect(None, False, bool(options.header), False)
        else:
            dialect = detect_dialect(path, encoding, delimiter, options.header, wanted)
        table, left_out = read_delimited(path, encoding, dialect, options.strict)
        by = DELIMITERS.get(dialect.delimiter or "", repr(dialect.delimiter)) if dialect.delimiter else "no delimiter"
        named = "first row is the header" if dialect.header else "no header"
        notes.append(f"{path}: {by}, {encoding}, {named}, {table.num_rows} rows")
    if left_out:
        skipped.extend(left_out)
        lines = ", ".join(str(item.line) for item in left_out[:5]) + (", ..." if len(left_out) > 5 else "")
        notes.append(f"{path}: skipped {len(left_out)} rows (line {lines}): {left_out[0].reason}")
    if not table.num_columns and kind != "lines":
        raise FormatError(f"{path} is empty: it has no header and no rows")
    return table


def _format_of(path: str) -> str:
    plain = path.lower().removesuffix(".gz")
    ending = os.path.splitext(plain)[1].lstrip(".")
    if ending not in _ENDINGS:
        known = ", ".join(sorted(f".{known}" for known in _ENDINGS))
        raise FormatError(
            f"{path}: what format is it? Known endings: {known}; name it otherwise (format=..., --format)"
        )
    return _ENDINGS[ending]


def _read_parquet(path: str) -> "pa.Table":
    import pyarrow as pa
    import pyarrow.parquet as pq

    if not os.path.exists(path):
        from likewise.errors import StorageError

        raise StorageError(f"{path} does not exist")
    try:
        return pq.read_table(path)
    except (pa.ArrowInvalid, OSError) as error:
        raise FormatError(f"{path} is not a Parquet file: {str(error).splitlines()[0]}") from error
