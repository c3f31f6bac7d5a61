"""Tables in files: what format it is, who reads it, and what was decided, said in a line."""

from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from likewise.errors import FormatError
from likewise.read.arrow import from_rows
from likewise.read.delimited import read_delimited
from likewise.read.dialect import SAMPLE, Dialect, delimiter_of, detect_dialect
from likewise.read.encoding import detect_encoding
from likewise.read.formats import by_ending, endings
from likewise.read.json_lines import json_array, json_lines
from likewise.read.options import TableOptions
from likewise.read.parquet import parquet_table
from likewise.read.skipped import Skipped, as_errors
from likewise.read.source import Source

if TYPE_CHECKING:
    import pyarrow as pa


def read_table_file(
    path: str, options: TableOptions, wanted: Sequence[str], notes: list[str], skipped: list[Skipped]
) -> "pa.Table":
    """Read a file as a table; what was decided goes to ``notes``, what had to be left out to ``skipped``."""
    kind = options.format or _format_of(path)
    source = Source(path, path, Path(path))
    with as_errors(path):
        if kind == "parquet":
            return parquet_table(source)
        with source.open() as stream:
            data = stream.read()
    encoding = options.encoding or detect_encoding(data, path)
    data = _utf8(data, encoding, path)
    left_out: list[Skipped] = []
    if kind in ("jsonl", "json"):
        table = from_rows(_json(data, kind, path, left_out), path)
        decided = f"{kind}, {encoding}"
    else:
        dialect = _dialect(data, kind, path, options, wanted)
        table = read_delimited(data, path, dialect, left_out)
        decided = dialect.said(encoding)
    notes.append(f"{path}: {decided}, {table.num_rows} rows")
    if left_out:
        if options.strict:
            raise FormatError(f"{path}, line {left_out[0].line}: {left_out[0].detail}")
        skipped.extend(left_out)
        lines = ", ".join(str(item.line) for item in left_out[:5]) + (", ..." if len(left_out) > 5 else "")
        notes.append(f"{path}: skipped {len(left_out)} rows (line {lines}): {left_out[0].detail}")
    if not table.num_columns and kind != "lines":
        raise FormatError(f"{path} is empty: it has no header and no rows")
    return table


def _format_of(path: str) -> str:
    found = by_ending(path)
    if found is not None and found.table:
        return found.name
    if found is not None and found.name == "text":
        return "lines"
    known = ", ".join(sorted((*endings(tables=True), ".txt")))
    raise FormatError(f"{path}: what format is it? Known endings: {known}; name it otherwise (format=..., --format)")


def _utf8(data: bytes, encoding: str, path: str) -> bytes:
    try:
        if encoding == "utf-8":
            data.decode()
            return data
        return data.decode(encoding).encode("utf-8", "replace")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise FormatError(
            f"{path}, line {line}: not {encoding} ({error.reason}); name the encoding (encoding=..., --encoding)"
        ) from error


def _json(data: bytes, kind: str, path: str, left_out: list[Skipped]) -> list[Any]:
    if kind == "json":
        with as_errors(path):
            return json_array(data.decode())

    def bad(line: int, reason: str, detail: str) -> None:
        left_out.append(Skipped(path, line, reason, detail))

    rows: list[Any] = []
    with as_errors(path):
        for number, value in json_lines(BytesIO(data), bad):
            if isinstance(value, dict | str):
                rows.append(value)
            else:
                bad(number, "broken", f"{type(value).__name__} is no record")
    if left_out and not rows:
        raise FormatError(f"{path} holds no JSON records; line {left_out[0].line}: {left_out[0].detail}")
    if len({type(row) for row in rows}) > 1:
        raise FormatError(f"{path}: some lines are objects, others are strings")
    return rows


def _dialect(data: bytes, kind: str, path: str, options: TableOptions, wanted: Sequence[str]) -> Dialect:
    delimiter = delimiter_of(options.delimiter) if options.delimiter else None
    if kind == "lines" and delimiter is None:
        return Dialect(None, None, header=bool(options.header))
    sample = data[: SAMPLE * 4].decode("utf-8", "ignore")[:SAMPLE]
    return detect_dialect(sample, path, delimiter, options.header, wanted)
