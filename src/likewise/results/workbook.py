"""Tables out as a workbook (Excel), for those who look at them in a spreadsheet."""

import datetime
import io
import math
import tempfile
from collections.abc import Iterable, Iterator
from typing import Any

from likewise.errors import InputError, MissingExtraError

MOST_ROWS, LONGEST_CELL = 1_048_575, 32_767  # what a sheet holds below its header, and a cell
_EXACT = 1 << 53  # integers beyond lose digits in a spreadsheet, so they are written as text


def write_workbook(names: list[str], rows: Iterable[list[Any]], path: str) -> None:
    """Write rows as the one sheet of a workbook. Texts stay texts: nothing becomes a formula or a link."""
    try:
        import xlsxwriter
    except ImportError as error:
        raise MissingExtraError("XlsxWriter", "sheets") from error
    still = {"strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False}
    # Packed in memory: an archive that finds the disk full tries again when it is forgotten, and complains on stderr.
    packed = io.BytesIO()
    with tempfile.TemporaryDirectory() as place:  # it leaves its own files there when something fails
        try:
            _write_sheet(xlsxwriter.Workbook(packed, {"constant_memory": True, "tmpdir": place, **still}), names, rows)
        except xlsxwriter.exceptions.FileCreateError as error:
            raise error.args[0] from error
    with open(path, "wb") as file:
        file.write(packed.getbuffer())


def _write_sheet(made: Any, names: list[str], rows: Iterable[list[Any]]) -> None:
    with made as book:
        # No time of writing inside: the same table gives the same bytes.
        book.set_properties({"created": datetime.datetime(2000, 1, 1)})
        sheet = book.add_worksheet("likewise")
        sheet.freeze_panes(1, 0)
        sheet.write_row(0, 0, names, book.add_format({"bold": True}))
        for number, row in enumerate(_fitting(rows, names), 1):
            for at, value in enumerate(row):
                if isinstance(value, str):
                    sheet.write_string(number, at, value)
                elif value is not None:
                    sheet.write(number, at, value)


def _fitting(rows: Iterable[list[Any]], names: list[str]) -> Iterator[list[Any]]:
    for number, row in enumerate(rows):
        if number == MOST_ROWS:
            raise InputError(f"a sheet holds {MOST_ROWS:,} rows, and here are more: write .csv or .parquet")
        cells = [_cell(value) for value in row]
        for name, cell in zip(names, cells, strict=True):
            if isinstance(cell, str) and len(cell) > LONGEST_CELL:
                raise InputError(
                    f"column {name!r}: a cell holds {LONGEST_CELL:,} characters, not {len(cell):,}: write .csv"
                )
        yield cells


def _cell(value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, bool | float | str) or value is None:
        return value
    return value if isinstance(value, int) and abs(value) <= _EXACT else str(value)
