"""Ask for the cells of a workbook, which :mod:`likewise.read.cells` reads in a process of its own."""

import signal
import sys
from typing import Any

from likewise.errors import InputError
from likewise.read import cells
from likewise.read.apart import Apart, EndedError
from likewise.read.open import BOMB_BYTES, BOMB_RATIO
from likewise.read.skipped import SkipError

_SECONDS, _BYTES_A_SECOND = 30.0, 100_000
WORKBOOKS = Apart(cells, "python_calamine", "sheets", "workbooks")


def sheet_cells(data: bytes, place: str, wanted: str | None) -> tuple[str, int, list[list[Any]]]:
    """Return the name of a sheet, how many there are, and its cells: the one wanted, or the first that holds anything.

    What is no text, no number and no truth (a date, a time) is text.
    """
    request = WORKBOOKS.request(
        data,
        _SECONDS + len(data) // _BYTES_A_SECOND,
        sheet=wanted,
        bomb_bytes=BOMB_BYTES,
        bomb_ratio=BOMB_RATIO,
        count=sys.platform != "linux",  # elsewhere nothing limits the memory of a process
        open=True,
    )
    try:
        said, rows = _answered(data, request)
    except EndedError as error:
        raise WORKBOOKS.refusal(error, request) from None
    if "refused" in said:
        raise SkipError(*said["refused"])
    if "sheets" in said:
        raise InputError(f"{place} has no sheet {wanted!r}; its sheets: {', '.join(map(repr, said['sheets']))}")
    return said["name"], said["of"], rows


def _answered(data: bytes, request: dict[str, Any]) -> tuple[dict[str, Any], list[list[Any]]]:
    """Ask; where there was no room for the cells, ask which cells those are."""
    try:
        return WORKBOOKS.ask(data, request)
    except EndedError as error:
        if request["count"] or error.args[0] != -signal.SIGABRT:
            raise
        said, _ = WORKBOOKS.ask(data, {**request, "count": True, "open": False})
        if not said:
            raise
        return said, []
