"""Workbooks (Excel, OpenDocument): a sheet becomes a table of strings, as if it had been saved as CSV."""

import re
import zlib
from collections import Counter
from collections.abc import Sequence
from io import BytesIO
from itertools import zip_longest
from typing import TYPE_CHECKING, Any
from xml.parsers.expat import ExpatError, ParserCreate
from zipfile import BadZipFile, ZipFile

from likewise.errors import FormatError, InputError
from likewise.read.arrow import written
from likewise.read.delimited import column_names
from likewise.read.dialect import Dialect, has_index
from likewise.read.header import is_header
from likewise.read.open import BOMB_BYTES, BOMB_RATIO
from likewise.read.options import TableOptions
from likewise.read.skipped import SkipError, missing
from likewise.said import counted

if TYPE_CHECKING:
    import pyarrow as pa


_REPEATED = 1 << 21  # cells that a few written ones may stand for
_PLACE = re.compile(r"([A-Za-z]{0,3})([0-9]{1,7})")  # of a cell (B7), or of a row


def read_sheet(data: bytes, place: str, options: TableOptions, wanted: Sequence[str]) -> "tuple[pa.Table, str]":
    """Return the first sheet that holds anything, or the one named, and what was decided in words."""
    import pyarrow as pa

    name, of, found = _sheet(data, place, options.sheet)
    rows = [[_cell(value) for value in row] for row in found]
    rows = [row for row in rows if any(row)]
    said = f"sheet {name!r}" + (f" (of {of})" if of > 1 else "")
    if not rows:
        raise FormatError(f"{place}: {said} is empty")
    above = _above(rows)
    rows = [_told_apart(rows[above], rows[above - 1] if above else []), *rows[above + 1 :]]
    unnamed = options.header is not False and has_index(rows)
    header = options.header if options.header is not None else unnamed or is_header(rows, wanted)
    names = column_names(rows[0], Dialect(header=header, unnamed=unnamed), place)
    body = rows[1:] if header else rows
    columns = [pa.array([row[at] or None for row in body], pa.string()) for at in range(len(names))]
    # A column that is empty from top to bottom is a margin.
    kept = [at for at, cell in enumerate(rows[0]) if cell or columns[at].null_count < len(body)]
    table = pa.Table.from_arrays([columns[at] for at in kept], names=[names[at] for at in kept])
    if above:
        said += f", {counted(above, 'row')} above the table left out"
    return table, f"{said}, {'first row is the header' if header else 'no header'}"


def _sheet(data: bytes, place: str, wanted: str | None) -> tuple[str, int, list[list[Any]]]:
    """Return the name of a sheet, how many there are, and its cells; each sheet is unpacked when it is asked for."""
    try:
        from python_calamine import CalamineError, CalamineWorkbook
    except ImportError as error:
        raise missing("python-calamine", "sheets") from error
    _refuse_bomb(data)
    _refuse_cells(data)
    try:
        book = CalamineWorkbook.from_filelike(BytesIO(data))
        if not book.sheet_names:
            raise SkipError("broken", "the workbook has no sheet")
        name = _choose(book, place, wanted)
        return name, len(book.sheet_names), book.get_sheet_by_name(name).to_python(skip_empty_area=True)
    except InputError:
        raise
    except (CalamineError, OSError, ValueError) as error:
        raise SkipError(
            "broken", f"not a workbook that can be read, though named or begun like one ({error}): damaged, or locked?"
        ) from error


def _refuse_bomb(data: bytes) -> None:
    """Refuse a workbook that expands out of proportion: the library unpacks a sheet whole, and ends the process."""
    try:
        with ZipFile(BytesIO(data)) as archive:
            sizes = [(entry.file_size, entry.compress_size) for entry in archive.infolist()]
    except (BadZipFile, OSError, ValueError, NotImplementedError):
        return  # an old workbook, or none: that is said below
    if any(size > BOMB_BYTES and size > BOMB_RATIO * max(packed, 1) for size, packed in sizes):
        raise SkipError("bomb", "expands out of proportion")


def _refuse_cells(data: bytes) -> None:
    """Refuse cells that are no whole XML, whose end the library seeks for ever, and few that stand for very many.

    It makes all cells between the first and the last, and ends the process where there is no room for them.
    """
    try:
        archive = ZipFile(BytesIO(data))
    except (BadZipFile, OSError, ValueError, NotImplementedError):
        return  # a workbook of another kind, or none: that is said below
    for name in archive.namelist():
        try:
            content = archive.read(name)
        except NotImplementedError as error:  # which the library may read all the same
            raise SkipError("broken", f"{name} is packed in a way that workbooks are not") from error
        except (BadZipFile, OSError, ValueError, EOFError, RuntimeError, zlib.error):
            continue  # damaged or locked: the others are looked at all the same
        cells = _Cells() if name == "content.xml" else _Spanned() if b"sheetData" in content else None
        if cells is not None:
            _count(cells, name, content)


def _count(cells: "_Cells | _Spanned", name: str, content: bytes) -> None:
    parser = ParserCreate()
    parser.StartElementHandler = cells.begin
    if isinstance(cells, _Cells):
        parser.EndElementHandler = cells.end
    try:
        parser.Parse(content, True)
    except ExpatError as error:
        raise SkipError("broken", f"{name} is no XML: {error}") from error
    if cells.meant > _REPEATED and cells.meant > BOMB_RATIO * cells.written:
        raise SkipError("bomb", f"its {cells.written:,} cells stand for {cells.meant:,}")


class _Spanned:
    """Counts the cells of a sheet of Excel: those written, and those from the first row and column to the last."""

    def __init__(self) -> None:
        self.written = self._row = self._column = 0
        self._rows, self._columns = (1 << 62, 0), (1 << 62, 0)

    @property
    def meant(self) -> int:
        """The cells that the written ones span."""
        return (self._rows[1] - self._rows[0] + 1) * (self._columns[1] - self._columns[0] + 1) if self.written else 0

    def begin(self, name: str, attributes: dict[str, str]) -> None:
        """Take the beginning of an element. A row or a cell that does not say where it is follows the one before."""
        kind = name.rpartition(":")[2]
        if kind not in ("row", "c"):
            return
        said = attributes.get("r", "")
        place = _PLACE.fullmatch(said)
        if said and not place:  # the library counts letters until the number is too large, and begins anew
            raise SkipError("broken", f"a cell or a row is at {said[:20]!r}")
        if kind == "row":
            self._row, self._column = int(place[2]) if place else self._row + 1, 0
            return
        self.written += 1
        self._column += 1
        if place:
            self._row, self._column = int(place[2]), 0
            for letter in place[1].upper():
                self._column = 26 * self._column + ord(letter) - 64
        self._rows = min(self._rows[0], self._row), max(self._rows[1], self._row)
        self._columns = min(self._columns[0], self._column), max(self._columns[1], self._column)


class _Cells:
    """Counts the filled cells of an OpenDocument sheet: those written, and those that they stand for."""

    def __init__(self) -> None:
        self.written = self.meant = self._row = 0
        self._rows = 1

    def begin(self, name: str, attributes: dict[str, str]) -> None:
        """Take the beginning of an element."""
        if name == "table:table-row":
            self._row, self._rows = 0, int(attributes.get("table:number-rows-repeated", 1))
        elif name == "table:table-cell" and "office:value-type" in attributes:
            self.written += 1
            self._row += int(attributes.get("table:number-columns-repeated", 1))

    def end(self, name: str) -> None:
        """Take the end of an element."""
        if name == "table:table-row":
            self.meant += self._row * self._rows


def _choose(book: Any, place: str, wanted: str | None) -> str:
    names: list[str] = book.sheet_names
    if wanted is None:
        filled = (name for name in names if book.get_sheet_by_name(name).total_height)
        return next(filled, names[0])
    if wanted in names:
        return wanted
    if wanted.isdecimal() and 1 <= int(wanted) <= len(names):
        return names[int(wanted) - 1]
    raise InputError(f"{place} has no sheet {wanted!r}; its sheets: {', '.join(map(repr, names))}")


def _cell(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return (written(value) or "").strip()


def _told_apart(names: list[str], headings: list[str]) -> list[str]:
    """Return names of columns, those that come again with the heading that spans them in the row above.

    >>> _told_apart(["id", "name", "city", "name", "city"], ["", "Buyer", "", "Seller", ""])
    ['id', 'Buyer name', 'Buyer city', 'Seller name', 'Seller city']
    """
    again = {name for name, count in Counter(names).items() if name and count > 1}
    heading, found = "", []
    for name, above in zip_longest(names, headings, fillvalue=""):
        heading = above or heading
        found.append(f"{heading} {name}" if name in again and heading else name)
    return found if len(set(filter(None, found))) == sum(map(bool, found)) else names


def _above(rows: list[list[str]]) -> int:
    """Count the rows before the table: titles and notes, which fill few cells where the others fill several."""
    filled = [sum(bool(cell) for cell in row) for row in rows]
    usual = Counter(filled).most_common(1)[0][0]
    if usual < 2:
        return 0
    full = (place for place, count in enumerate(filled[:30]) if count > max(1, 0.7 * usual))
    return next(full, 0)
