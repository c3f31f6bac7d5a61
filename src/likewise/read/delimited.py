"""Rows of delimited text (CSV, TSV and their kin) become an Arrow table of strings; an empty cell is null.

pyarrow reads what is regular. What it cannot say in words (a row with another number of cells, a quote that never
closes, cells that begin with a blank) is read again by Python's reader, which knows the lines.
"""

import csv
from collections import Counter
from collections.abc import Iterator
from io import BytesIO, TextIOWrapper
from itertools import islice
from typing import TYPE_CHECKING, Any

from likewise.errors import FormatError
from likewise.read.dialect import Dialect, refuse_delimiter, without_hash
from likewise.read.header import told_apart
from likewise.read.skipped import Skipped

if TYPE_CHECKING:
    import pyarrow as pa

MOST_COLUMNS = 100_000  # a line of millions is no header: each would be a column in memory
_BATCH = 1 << 16
_CELL_LIMIT = 1 << 26
# Of what pyarrow takes in at a time: a row must fit in.
_BLOCK = 1 << 24


def read_delimited(data: bytes, place: str, dialect: Dialect, skipped: list[Skipped]) -> "pa.Table":
    """Read UTF-8 into a table; rows with another number of cells than the first are left out and reported.

    >>> left_out = []
    >>> table = read_delimited(b"id,name\\n1,Ada\\n2,Grace,Hopper\\n", "t.csv", Dialect(header=True), left_out)
    >>> table.to_pylist(), str(left_out[0])
    ([{'id': '1', 'name': 'Ada'}], 't.csv:3: ragged (3 cells where 2 are expected)')
    """
    data = _below(data, dialect)
    table = _quickly(data, place, dialect)
    return table if table is not None else _carefully(data, place, dialect, skipped)


def _below(data: bytes, dialect: Dialect) -> bytes:
    """Return the table without what stands above it."""
    for _ in range(dialect.above):
        data = data[data.find(b"\n") + 1 :]
    return data


def _quickly(data: bytes, place: str, dialect: Dialect) -> "pa.Table | None":
    """Read by pyarrow; ``None`` if anything about the file is irregular."""
    import pyarrow as pa
    from pyarrow import csv as arrow

    quote = dialect.quote or ""
    special = dialect.skip_space or dialect.comments or dialect.optional
    if dialect.delimiter is None or special or (quote and data.count(quote.encode()) % 2):
        return None
    end = data.find(b"\n")
    first = data[: end if end >= 0 else len(data)].decode().rstrip("\r\n")
    if (quote and first.count(quote) % 2) or "\r" in first:
        return None  # a name with a line end in it, or lines that end as on an old Macintosh
    row = next(dialect.rows([first]), [])
    if not row:
        return None
    names = column_names(row, dialect, place)
    try:
        table = arrow.read_csv(
            pa.BufferReader(pa.py_buffer(data)),
            arrow.ReadOptions(column_names=names, skip_rows=int(dialect.header), block_size=_BLOCK),
            arrow.ParseOptions(
                delimiter=dialect.delimiter,
                quote_char=quote or False,
                double_quote=bool(quote) and dialect.escape is None,
                escape_char=dialect.escape or False,
                newlines_in_values=bool(quote),
            ),
            arrow.ConvertOptions(
                column_types=dict.fromkeys(names, pa.string()),
                null_values=[""],
                strings_can_be_null=True,
                quoted_strings_can_be_null=True,
                check_utf8=False,
            ),
        )
    except pa.ArrowException:
        return None
    return table


def _carefully(data: bytes, place: str, dialect: Dialect, skipped: list[Skipped]) -> "pa.Table":
    import pyarrow as pa

    batches: list[pa.RecordBatch] = []
    names: list[str] = []
    rows: list[list[str]] = []
    read = 0

    def flush() -> None:
        columns = [pa.array([cell or None for cell in column], pa.string()) for column in zip(*rows, strict=True)]
        batches.append(pa.RecordBatch.from_arrays(columns, names=names))
        rows.clear()

    for _, row in _kept(data, place, dialect, names, skipped):
        read += 1
        rows.append(row)
        if len(rows) == _BATCH:
            flush()
    if rows:
        flush()
    if len(skipped) > read:
        raise refuse_delimiter(dialect, place, len(skipped), read, len(names), skipped[0].line or 0)
    return pa.Table.from_batches(batches, pa.schema([(name, pa.string()) for name in names]))


def _kept(
    data: bytes, place: str, dialect: Dialect, names: list[str], skipped: list[Skipped]
) -> Iterator[tuple[int, list[str]]]:
    """Yield (line on which the row ends, cells) of the rows that fit the first; ``names`` are filled before."""
    for line, row in _rows(data, place, dialect):
        if not names:
            names += column_names(row, dialect, place)
            if dialect.header:
                continue
        if dialect.optional and len(row) == len(names) - 1:
            row.append("")
        if len(row) != len(names):
            skipped.append(Skipped(place, line, "ragged", f"{len(row)} cells where {len(names)} are expected"))
            continue
        yield line, row


def line_of(data: bytes, place: str, dialect: Dialect, row: int) -> int | None:
    """Return the line on which a row, counted from 0, ends.

    >>> line_of(b'id,name\\n1,Ada\\n\\n2,"Grace\\nHopper"\\n', "t.csv", Dialect(header=True), 1)
    5
    """
    lines = (line for line, _ in _kept(_below(data, dialect), place, dialect, [], []))
    return next(islice(lines, row, None), None)


def column_names(row: list[str], dialect: Dialect, place: str) -> list[str]:
    """Return the names of the columns: of the header, or made up."""
    if len(row) > MOST_COLUMNS:
        raise FormatError(f"{place} has {len(row):,} columns in its first row; at most {MOST_COLUMNS:,} are read")
    row = row + [""] * (dialect.optional - len(row))
    if not dialect.header:
        return ["text"] if len(row) == 1 else [f"column{at}" for at in range(1, len(row) + 1)]
    names = [cell.strip() or f"column{at}" for at, cell in enumerate(without_hash(row) if dialect.hashed else row, 1)]
    names = told_apart(names, dialect.groups)
    if dialect.unnamed:
        index = next(name for name in ("index", "index_", "index__") if name not in names)
        names = [index, *(names if row[0].strip() else names[1:])]
    twice = [name for name, count in Counter(names).items() if count > 1]
    if twice:
        raise FormatError(
            f"{place}: column {twice[0]!r} occurs more than once; rename one, or read the header as a row "
            "(header=False, --no-header)"
        )
    return names


def _rows(data: bytes, place: str, dialect: Dialect) -> Iterator[tuple[int, list[str]]]:
    """Yield (line on which the row ends, cells); errors of the reader are said with their line."""
    before = csv.field_size_limit(_CELL_LIMIT)
    line, text = dialect.above, ""

    def counted(lines: Any) -> Iterator[str]:
        nonlocal line, text
        for text in lines:
            line += 1
            yield text

    row: list[str] = []
    started = previous = line
    try:
        # Decoded line by line: a string to read lines from would hold four bytes for each character of the file.
        for row in dialect.rows(counted(TextIOWrapper(BytesIO(data), "utf-8", newline=""))):
            started, previous = line, started
            if row and len(row[0]) > _CELL_LIMIT:  # lines without cells do not go through the csv module
                raise FormatError(f"{place}, line {line}: a text of more than {_CELL_LIMIT >> 20} MB in one line")
            if row:
                yield line, row
        # The last cell may end with a line break if a quote closes it there; two quotes are one in the text.
        end = text.rstrip("\r\n")
        closed = (len(end) - len(end.rstrip(dialect.quote or '"'))) % 2 == 1
        if row and line - previous > 1 and row[-1].endswith("\n") and not closed:
            raise FormatError(f"{place}: a quote opened in line {previous + 1} is never closed")
    except csv.Error as error:
        if "field larger" in str(error):
            raise FormatError(
                f"{place}, line {line}: a cell of more than {_CELL_LIMIT >> 20} MB; is a quote never closed?"
            ) from error
        raise FormatError(f"{place}, line {line}: {error}") from error
    finally:
        csv.field_size_limit(before)
