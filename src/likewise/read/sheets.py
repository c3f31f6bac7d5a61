"""Workbooks (Excel, OpenDocument): a sheet becomes a table of strings, as if it had been saved as CSV."""

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from likewise.errors import FormatError
from likewise.read.arrow import written
from likewise.read.delimited import column_names
from likewise.read.dialect import Dialect, has_index
from likewise.read.header import is_grouped, is_header, told_apart
from likewise.read.options import TableOptions
from likewise.read.workbooks import sheet_cells
from likewise.said import counted

if TYPE_CHECKING:
    import pyarrow as pa


def read_sheet(data: bytes, place: str, options: TableOptions, wanted: Sequence[str]) -> "tuple[pa.Table, str]":
    """Return the first sheet that holds anything, or the one named, and what was decided in words."""
    import pyarrow as pa

    name, of, found = sheet_cells(data, place, options.sheet)
    rows = [[_cell(value) for value in row] for row in found]
    rows = [row for row in rows if any(row)]
    said = f"sheet {name!r}" + (f" (of {of})" if of > 1 else "")
    if not rows:
        raise FormatError(f"{place}: {said} is empty")
    above = _above(rows)
    grouped = options.header is not False and is_grouped(rows[above:])
    above += grouped
    rows = [told_apart(rows[above], rows[above - 1] if above else []), *rows[above + 1 :]]
    unnamed = options.header is not False and has_index(rows)
    header = options.header if options.header is not None else unnamed or grouped or is_header(rows, wanted)
    names = column_names(rows[0], Dialect(header=header, unnamed=unnamed), place)
    body = rows[1:] if header else rows
    columns = [pa.array([row[at] or None for row in body], pa.string()) for at in range(len(names))]
    # A column that is empty from top to bottom is a margin.
    kept = [at for at, cell in enumerate(rows[0]) if cell or columns[at].null_count < len(body)]
    table = pa.Table.from_arrays([columns[at] for at in kept], names=[names[at] for at in kept])
    if above:
        said += f", {counted(above, 'row')} above the table left out"
    return table, f"{said}, {'first row is the header' if header else 'no header'}"


def _cell(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return (written(value) or "").strip()


def _above(rows: list[list[str]]) -> int:
    """Count the rows before the table: titles and notes, which fill few cells where the others fill several."""
    filled = [sum(bool(cell) for cell in row) for row in rows]
    usual = Counter(filled).most_common(1)[0][0]
    if usual < 2:
        return 0
    full = (place for place, count in enumerate(filled[:30]) if count > max(1, 0.7 * usual))
    return next(full, 0)
