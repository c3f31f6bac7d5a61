"""The cells of a workbook, read in a process of their own (:mod:`likewise.read.answering`).

A few bytes can name a cell so far away that there is no memory for those between, or an end that never comes; native
code answers that by aborting the process. This module imports nothing of Likewise, and what only some workbooks need
where they need it: so the process begins quickly.

What is answered is why the workbook is refused, or the names of its sheets if the one wanted is not among them, or how
many rows follow, and those. Where a workbook is not to be opened, only to be looked through, an answer that says
nothing finds nothing to refuse.
"""

import re
from collections.abc import Iterator
from io import BytesIO
from typing import Any

REPEATED = 1 << 21  # cells that a few written ones may stand for
_PLACE = re.compile(r"([A-Za-z]{0,3})([0-9]{1,7})")  # of a cell (B7), or of a row
_ROWS = 1000  # in a line
_ARCHIVE_END = b"PK\x05\x06"  # what no zip archive is without


class RefusedError(Exception):
    """A workbook that is not read: the reason, a word, and what can be said of it."""

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(reason, detail)
        self.reason, self.detail = reason, detail


def check(data: bytes, bomb_bytes: int, bomb_ratio: int, count: bool) -> None:
    """Refuse what expands out of proportion, cells that are no whole XML, and, if ``count``, few that mean very many.

    The library would unpack a part whole, seek the end of such XML for ever, and make all cells between the first and
    the last. To count cells takes longer than to read them.
    """
    if _ARCHIVE_END not in data:
        return
    import zlib
    from zipfile import BadZipFile, ZipFile

    try:
        archive = ZipFile(BytesIO(data))
    except (BadZipFile, OSError, ValueError, NotImplementedError):
        return  # a workbook of another kind, or none: that is said by the library
    for entry in archive.infolist():
        if entry.file_size > bomb_bytes and entry.file_size > bomb_ratio * max(entry.compress_size, 1):
            raise RefusedError("bomb", "expands out of proportion")
    for name in archive.namelist():
        try:
            content = archive.read(name)
        except NotImplementedError as error:  # which the library may read all the same
            raise RefusedError("broken", f"{name} is packed in a way that workbooks are not") from error
        except (BadZipFile, OSError, ValueError, EOFError, RuntimeError, zlib.error):
            continue  # damaged or locked: the others are looked at all the same
        cells = Repeated() if name == "content.xml" else Spanned() if b"sheetData" in content else None
        if cells is not None:
            _look_through(cells, name, content, bomb_ratio, count)


def _look_through(cells: "Repeated | Spanned", name: str, content: bytes, ratio: int, count: bool) -> None:
    from xml.parsers.expat import ExpatError, ParserCreate

    parser = ParserCreate()
    if count:
        parser.StartElementHandler = cells.begin
        if isinstance(cells, Repeated):
            parser.EndElementHandler = cells.end
    try:
        parser.Parse(content, True)
    except ExpatError as error:
        raise RefusedError("broken", f"{name} is not XML: {error}") from error
    weigh(cells.written, cells.meant, ratio)


def weigh(written: int, meant: int, ratio: int) -> None:
    """Refuse few cells that stand for very many.

    >>> weigh(9, 1_000, 250), weigh(1_000_000, 3_000_000, 250)
    (None, None)
    """
    if meant > REPEATED and meant > ratio * written:
        raise RefusedError("bomb", f"its {written:,} cells stand for {meant:,}")


class Spanned:
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
            raise RefusedError("broken", f"a cell or a row is at {said[:20]!r}")
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


class Repeated:
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


def chosen(names: list[str], wanted: str) -> str | None:
    """Return the sheet that somebody named, or counted from 1; ``None`` if there is none.

    >>> chosen(["A", "B"], "B"), chosen(["A", "B"], "1"), chosen(["A", "B"], "3")
    ('B', 'A', None)
    """
    if wanted in names:
        return wanted
    return names[int(wanted) - 1] if wanted.isdecimal() and 1 <= int(wanted) <= len(names) else None


def answers(data: bytes, request: dict[str, Any]) -> Iterator[Any]:
    """Yield what is answered to a request: what is said of the workbook, and then its rows, some at a time."""
    from python_calamine import CalamineError

    try:
        check(data, request["bomb_bytes"], request["bomb_ratio"], request["count"])
        if not request["open"]:  # there was no room for its cells before
            yield {}
            return
        try:
            said, rows = _opened(data, request)
        except (CalamineError, OSError, ValueError) as error:
            check(data, request["bomb_bytes"], request["bomb_ratio"], count=True)  # which may say why
            about = f"not a workbook that can be read, though named or begun like one ({error}): damaged, or locked?"
            raise RefusedError("broken", about) from error
    except RefusedError as error:
        yield {"refused": [error.reason, error.detail]}
        return
    yield {**said, "rows": len(rows)}
    for at in range(0, len(rows), _ROWS):
        yield rows[at : at + _ROWS]


def _opened(data: bytes, request: dict[str, Any]) -> tuple[dict[str, Any], list[list[Any]]]:
    """Return what is said of a workbook, and the cells of the sheet wanted."""
    from python_calamine import CalamineWorkbook

    wanted: str | None = request["sheet"]
    book = CalamineWorkbook.from_filelike(BytesIO(data))
    names: list[str] = book.sheet_names
    if not names:
        raise RefusedError("broken", "the workbook has no sheet")
    if wanted is None:
        name = next((one for one in names if book.get_sheet_by_name(one).total_height), names[0])
    elif (found := chosen(names, wanted)) is None:
        return {"sheets": names}, []
    else:
        name = found
    sheet = book.get_sheet_by_name(name)
    if sheet.height * sheet.width >= REPEATED:
        check(data, request["bomb_bytes"], request["bomb_ratio"], count=True)
    rows = sheet.to_python(skip_empty_area=True)
    if len(rows) * sheet.width > REPEATED:  # those of binary workbooks are counted only here
        weigh(sum(cell != "" for row in rows for cell in row), sum(map(len, rows)), request["bomb_ratio"])
    return {"name": name, "of": len(names)}, rows
