"""Tables in files: what format it is, who reads it, and what was decided, said in a line."""

import glob
import os
import re
import sys
from collections.abc import Sequence
from io import BytesIO
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from likewise.errors import FormatError, StorageError
from likewise.read.arrow import arrow_file_table, from_rows
from likewise.read.corpus import table_files
from likewise.read.delimited import MOST_COLUMNS, line_of, read_delimited
from likewise.read.dialect import SAMPLE, Dialect, delimiter_of, detect_dialect, is_spaced, with_plain_quotes
from likewise.read.drawn import is_drawn, undrawn
from likewise.read.encoding import Detected, detect_encoding, is_binary
from likewise.read.formats import WORKBOOK, by_ending, endings
from likewise.read.geojson import feature_records
from likewise.read.json_lines import json_lines
from likewise.read.json_records import json_record, json_records
from likewise.read.nested import without_objects
from likewise.read.open import BOMB_RATIO, HEAD, head
from likewise.read.options import TableOptions
from likewise.read.parquet import parquet_table
from likewise.read.partitions import partitions, with_partitions
from likewise.read.sheets import read_sheet
from likewise.read.skipped import SkipError, Skipped, as_errors
from likewise.read.source import Source
from likewise.read.zipped import unzipped
from likewise.said import counted

if TYPE_CHECKING:
    import pyarrow as pa

STANDARD_INPUT = "-"
_MOST_CELLS = 1 << 24  # of records of JSON, whatever is in them
# Two objects, one after the other: JSON by line, whatever the file is called, as Spark writes it.
_BY_LINE = re.compile(rb"\s*\{[^\n]*\}[ \t\r]*\n\s*\{")

# What other programs keep tables in, by how it begins (DuckDB eight bytes later), and how to get at them.
_OTHERS = {
    b"DUCK": """a DuckDB database; save a table of it (duckdb FILE "copy TABLE to 'table.parquet'")""",
    b"ORC": "an ORC file; save it as Parquet (pyarrow.orc reads it)",
    b"<stata_dta>": "a Stata file; save it as CSV (export delimited, or pandas.read_stata)",
    b"RDX": "an R workspace; save a table of it as CSV (write.csv)",
    b"X\n\x00\x00": "an R object; save it as CSV (write.csv)",
    b"\x80\x04\x95": "a pickle, which is not opened, as it may run a program; save the table as Parquet",
    b"\x80\x05\x95": "a pickle, which is not opened, as it may run a program; save the table as Parquet",
}

# By which signs a list of texts is told to be a table, with at least how many cells and rows.
_COLUMNS = ((b"\t", 2, 2), (b";", 3, 5), (b"|", 3, 5))


def read_table_file(
    path: str, options: TableOptions, wanted: Sequence[str], notes: list[str], skipped: list[Skipped]
) -> "pa.Table":
    """Read a file, standard input (``-``), a folder of tables or all files that match a pattern as one table.

    What was decided goes to ``notes``, what had to be left out to ``skipped``.
    """
    if path == STANDARD_INPUT:
        return read_source_table(
            Source(STANDARD_INPUT, "standard input", data=sys.stdin.buffer.read()), options, wanted, notes, skipped
        )
    inside = table_files(path)
    if not inside and (not glob.has_magic(path) or Path(path).exists()):
        return read_source_table(Source(path, path, Path(path)), options, wanted, notes, skipped)
    found = inside or sorted(glob.glob(path, recursive=True))
    if not found:
        raise StorageError(f"no file matches {path}")
    records = json_objects(found, options)
    if records is not None:
        notes.append(f"{path}: a record in each of {counted(len(found), 'JSON file')}")
        _check_keys(records, path)
        return from_rows(records, path)
    tables = [read_source_table(Source(name, name, Path(name)), options, wanted, notes, skipped) for name in found]
    if inside:
        tables = [with_partitions(*one) for one in zip(tables, [partitions(name, path) for name in found], strict=True)]
    return _together(tables, found, notes)


def json_objects(found: list[str], options: TableOptions) -> list[dict[str, Any]] | None:
    """Return the records of JSON files that hold one object each; ``None`` of files that are tables."""
    records: list[dict[str, Any]] = []
    for name in found:
        kind = by_ending(name)
        if kind is None or kind.name != "json":
            return None
        with as_errors(name), Source(name, name, Path(name)).open() as stream:
            record = json_record(_decoded(stream.read(), name, options)[0].decode())
        if record is None and records:
            raise FormatError(f"{name} does not hold one JSON object, as {found[0]} does")
        if record is None:
            return None
        records.append(record)
    return without_objects(records)[0]


def _together(tables: "list[pa.Table]", names: list[str], notes: list[str]) -> "pa.Table":
    import pyarrow as pa

    columns = tables[0].column_names
    for table, name in zip(tables, names, strict=True):
        if not set(columns) & set(table.column_names):
            raise FormatError(
                f"{name} has no column of {names[0]}: {', '.join(table.column_names)} against {', '.join(columns)}"
            )
        lacking = sorted(set(columns) ^ set(table.column_names))
        if lacking:
            notes.append(f"{name}: not every file has the columns {', '.join(lacking)}; they are empty where absent")
    try:
        return pa.concat_tables(tables, promote_options="permissive")
    except pa.ArrowException as error:
        raise FormatError(f"{names[0]} and the others do not fit together: {error}") from error


def read_source_table(
    source: Source, options: TableOptions, wanted: Sequence[str], notes: list[str], skipped: list[Skipped]
) -> "pa.Table":
    """Read one file, wherever it is."""
    with as_errors(source.place):
        source = unzipped(source)
    path = source.place
    left_out: list[Skipped] = []
    with as_errors(path):
        with source.open() as stream:
            kind = options.format or _format_of(source, head(stream))
            data = b"" if kind == "parquet" else stream.read()
        if kind == "parquet":
            return parquet_table(source)
        if kind == "arrow":
            return arrow_file_table(data)
        if kind == "sheet" and not data:
            raise FormatError(f"{path} is empty")
        if kind == "sheet":
            table, decided = read_sheet(data, path, options, wanted)
        else:
            if options.sheet is not None:
                notes.append(f"{path} is not a workbook: it has no sheets to choose from")
            table, decided = _read_text(data, kind, path, options, wanted, left_out)
    notes.append(f"{path}: {decided}, {counted(table.num_rows, 'row')}")
    if left_out:
        if options.strict:
            raise FormatError(f"{path}, line {left_out[0].line}: {left_out[0].detail}")
        skipped.extend(left_out)
        lines = ", ".join(str(item.line) for item in left_out[:5]) + (", ..." if len(left_out) > 5 else "")
        notes.append(f"{path}: skipped {counted(len(left_out), 'row')} (line {lines}): {left_out[0].detail}")
    if not table.num_columns and kind != "lines":
        raise FormatError(f"{path} is empty: it has no header and no rows")
    return table


def _read_text(
    data: bytes, kind: str, path: str, options: TableOptions, wanted: Sequence[str], left_out: list[Skipped]
) -> "tuple[pa.Table, str]":
    data, found = _decoded(data, path, options)
    if kind in ("jsonl", "json"):
        rows, where = _json(data, kind, path, left_out)
        rows, where = feature_records(rows) or (rows, where)
        rows, opened = without_objects(rows)
        _check_keys(rows, path)
        said = [where, f"objects as columns ({opened[0]}{', ...' if len(opened) > 1 else ''})" if opened else ""]
        return from_rows(rows, path), ", ".join([kind, found.said, *filter(None, said)])
    data, drawn = _undrawn(data, kind, options)
    dialect = _dialect(data, kind, path, options, wanted)
    return read_delimited(data, path, dialect, left_out), dialect.said(found.said) + drawn


def _undrawn(data: bytes, kind: str, options: TableOptions) -> tuple[bytes, str]:
    """Return a table that is drawn with lines without them, and what is said of it; else the data."""
    if kind == "lines" or options.delimiter or not is_drawn(data[:SAMPLE].decode("utf-8", "ignore")):
        return data, ""
    return "\n".join(undrawn(iter(data.decode().split("\n")))).encode(), ", drawn with lines"


def _decoded(data: bytes, path: str, options: TableOptions) -> tuple[bytes, Detected]:
    """Return what a text file holds as UTF-8, and how it was written."""
    found = detect_encoding(data, path) if options.encoding is None else Detected(options.encoding, options.encoding)
    if options.encoding is not None or found.codec != "utf-8":  # that it is UTF-8 was seen to
        data = _utf8(data, found.codec, path)
    return data, found


def row_place(source: Any, row: int, options: TableOptions | None = None, wanted: Sequence[str] = ()) -> str:
    """Return where a row, counted from 0, is, for a message: the line of a text file, which is read again to say so.

    Rows of other files are counted from 1, as people do; those of Python values from 0, as lists are.

    >>> import pathlib, tempfile
    >>> file = pathlib.Path(tempfile.mkdtemp()) / "t.csv"
    >>> _ = file.write_text("id,name\\n1,Ada\\n\\n2,Grace\\n")
    >>> row_place(file, 1), row_place(["Ada", "Grace"], 1)
    ('line 4', 'row 1')
    """
    if not isinstance(source, str | os.PathLike):
        return f"row {row}"
    path = os.fspath(source)
    line = _line_of(path, row, options or TableOptions(), wanted) if os.path.isfile(path) else None
    return f"row {row + 1}" if line is None else f"line {line}"


def _line_of(path: str, row: int, options: TableOptions, wanted: Sequence[str]) -> int | None:
    """Return the line of a row of a text file; ``None`` of other files."""
    source = unzipped(Source(path, path, Path(path)))
    with source.open() as stream:
        kind = options.format or _format_of(source, head(stream))
        if kind in ("parquet", "arrow", "sheet"):
            return None
        data, _ = _decoded(stream.read(), path, options)
    if kind not in ("jsonl", "json"):
        data, _ = _undrawn(data, kind, options)
        return line_of(data, path, _dialect(data, kind, path, options, wanted), row)
    if kind == "json" and not _BY_LINE.match(data):
        return None
    records = (line for line, value in json_lines(BytesIO(data), lambda *_: None) if isinstance(value, dict | str))
    return next(islice(records, row, None), None)


def _format_of(source: Source, start: bytes) -> str:
    """What the first bytes say, then the name; what comes by standard input has none and is CSV unless it is JSON."""
    if start.startswith(b"PAR1"):
        return "parquet"
    if start.startswith(b"ARROW1"):
        return "arrow"
    if start.startswith(WORKBOOK):
        return "sheet"
    if start.startswith(b"%PDF-"):
        raise SkipError("broken", "a PDF file, which is not a table; save the table it shows as CSV or .xlsx")
    if start.startswith(b"SQLite format 3\x00"):
        raise SkipError(
            "broken", "an SQLite database; save a table of it as CSV (sqlite3 -csv -header FILE 'select ...')"
        )
    for begins, what in _OTHERS.items():
        if start[8:].startswith(begins) if begins == b"DUCK" else start.startswith(begins):
            raise SkipError("broken", what)
    if re.match(rb"\s*<(!doctype html|html|table)\b", start, re.IGNORECASE):
        raise SkipError("broken", "a Web page, not a table; save the table it shows as CSV or .xlsx")
    if source.name == STANDARD_INPUT:
        first = start.lstrip(b"\xef\xbb\xbf \t\r\n")
        if re.match(rb"\{\s*\n", first):
            return "json"  # an object over several lines
        return {b"{": "jsonl", b"[": "json"}.get(first[:1], "csv")
    found = by_ending(source.name)
    if found is not None and found.table:
        return found.name
    if found is not None and found.name == "text":
        return "csv" if _has_columns(start) or is_drawn(start.decode("utf-8", "ignore")) else "lines"
    if found is None and (kind := _of_looks(start, source.name)) is not None:
        return kind
    known = ", ".join(sorted((*endings(tables=True), ".txt")))
    raise FormatError(
        f"{source.place}: what format is it? Known endings: {known}; name it otherwise (format=..., --format)"
    )


def _has_columns(start: bytes) -> bool:
    """Say whether all lines of a text are rows of cells: a table, and no list of texts.

    They have the same tabs, semicolons or bars, or spaces around quoted cells.

    >>> _has_columns(b"1\\tAda\\n2\\tGrace\\n"), _has_columns(b"Lovelace, Ada\\nHopper, Grace\\n")
    (True, False)
    """
    lines = [line for line in (start if len(start) < HEAD else start[: start.rfind(b"\n")]).splitlines() if line]
    if is_spaced([line.decode("utf-8", "replace") for line in lines]):
        return True
    for delimiter, cells, rows in _COLUMNS:
        count = lines[0].count(delimiter) if len(lines) >= rows else 0
        if count >= cells - 1 and all(line.count(delimiter) == count for line in lines):
            return True
    return False


def _of_looks(start: bytes, name: str) -> str | None:
    """Return what a file with an ending that says nothing is by its beginning: JSON, delimited, or nothing known."""
    text = start.decode("utf-8", "replace").lstrip("\ufeff \t\r\n")
    if is_binary(start) or text.startswith("<"):
        return None
    if text[:1] in ("{", "["):
        return "json"
    lines = text[: text.rfind("\n") + 1].splitlines(keepends=True)
    if is_drawn(text) or is_spaced(lines):
        return "csv"
    dialect = detect_dialect("".join(lines), name)
    widths = {len(row) for row in dialect.rows(lines[dialect.above :]) if row}
    return "csv" if len(widths) == 1 and widths != {1} else None


def _utf8(data: bytes, encoding: str, path: str) -> bytes:
    try:
        return data.decode(encoding).encode("utf-8", "replace")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise FormatError(
            f"{path}, line {line}: not {encoding} ({error.reason}); name the encoding (encoding=..., --encoding)"
        ) from error


def _json(data: bytes, kind: str, path: str, left_out: list[Skipped]) -> tuple[list[Any], str]:
    """Return the records, and what is said of where they stand, if that is not plain."""
    if kind == "json" and not _BY_LINE.match(data):
        with as_errors(path):
            return json_records(data.decode())

    def bad(line: int, reason: str, detail: str) -> None:
        left_out.append(Skipped(path, line, reason, detail))

    rows: list[Any] = []
    with as_errors(path):
        for number, value in json_lines(BytesIO(data), bad):
            if isinstance(value, dict | str):
                rows.append(value)
            else:
                bad(number, "broken", f"{type(value).__name__} is not a record")
    if left_out and not rows:
        raise FormatError(f"{path} holds no JSON records; line {left_out[0].line}: {left_out[0].detail}")
    if len({type(row) for row in rows}) > 1:
        raise FormatError(f"{path}: some lines are objects, others are strings")
    return rows, ""


def _check_keys(rows: list[Any], place: str) -> None:
    """Refuse records of JSON whose keys are no columns: very many, or nearly all of them in other records only.

    A megabyte of records with a key of its own each would be ten thousand million cells.

    >>> _check_keys([{str(n): n} for n in range(9_000)], "a.jsonl")
    Traceback (most recent call last):
    ...
    likewise.errors.FormatError: a.jsonl has 9,000 values for 9,000 columns in 9,000 records: are its keys data?
    """
    records = [row for row in rows if isinstance(row, dict)]
    columns, values = len({key for record in records for key in record}), sum(map(len, records))
    if columns > MOST_COLUMNS:
        raise FormatError(f"{place} has {columns:,} columns in its records; at most {MOST_COLUMNS:,} are read")
    if columns * len(records) > max(_MOST_CELLS, BOMB_RATIO * values):
        raise FormatError(
            f"{place} has {values:,} values for {columns:,} columns in {len(records):,} records: are its keys data?"
        )


def _dialect(data: bytes, kind: str, path: str, options: TableOptions, wanted: Sequence[str]) -> Dialect:
    delimiter = delimiter_of(options.delimiter) if options.delimiter else None
    if kind == "lines" and delimiter is None:
        return Dialect(None, None, header=bool(options.header))
    sample = data[: SAMPLE * 4].decode("utf-8", "ignore")[:SAMPLE]
    return with_plain_quotes(data, detect_dialect(sample, path, delimiter, options.header, wanted))
