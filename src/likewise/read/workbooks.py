"""Start :mod:`likewise.read.cells`, with limits of memory and time, and read what it sends.

A process costs a hundredth of a second of processor time to begin, so it is kept for the next workbook; it ends by
itself where none comes for some seconds.
"""

import atexit
import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from likewise.errors import InputError
from likewise.read import cells
from likewise.read.open import BOMB_BYTES, BOMB_RATIO
from likewise.read.skipped import SkipError, missing

# What a workbook may take, and so many times its size more. Honest ones expand tenfold, and cells are larger than text.
_MEMORY, _MEMORY_RATIO = 1 << 30, 100
_SECONDS, _BYTES_A_SECOND = 30.0, 100_000
_PATIENCE = 10  # times the processor time, where the system sets no limit to that
_LARGE = 8 << 20  # bytes of a workbook after which a process ends, so that its memory is given back

_free: "list[_Process]" = []
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_free.clear)  # a process answers the one that began it


class _EndedError(Exception):
    """The process ended: its exit code."""


class _Process:
    def __init__(self, packages: str) -> None:
        command = [sys.executable, "-I", "-S", cells.__file__, packages]
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )

    def ask(self, data: bytes, request: dict[str, Any]) -> tuple[dict[str, Any], list[list[Any]]]:
        """Return what is said of a workbook, and its rows."""
        assert self._process.stdin is not None and self._process.stdout is not None  # noqa: PT018
        timer = threading.Timer(_PATIENCE * request["seconds"], self._process.kill)
        timer.daemon = True
        timer.start()
        try:
            with contextlib.suppress(BrokenPipeError):
                self._process.stdin.write(json.dumps({**request, "size": len(data)}).encode() + b"\n")
                self._process.stdin.write(data)
                self._process.stdin.flush()
            said = self._line()
            rows: list[list[Any]] = []
            while len(rows) < said.get("rows", 0):
                rows += self._line()
        finally:
            timer.cancel()
        return said, rows

    def _line(self) -> Any:
        line = self._process.stdout.readline()  # type: ignore[union-attr]
        if not line.endswith(b"\n"):
            raise _EndedError(self._process.wait())
        return json.loads(line)

    def end(self) -> None:
        """End it."""
        with contextlib.suppress(OSError):
            self._process.kill()
        self._process.communicate()


def sheet_cells(data: bytes, place: str, wanted: str | None) -> tuple[str, int, list[list[Any]]]:
    """Return the name of a sheet, how many there are, and its cells: the one wanted, or the first that holds anything.

    What is no text, no number and no truth (a date, a time) is text.
    """
    spec = find_spec("python_calamine")
    if spec is None or spec.origin is None:
        raise missing("python-calamine", "sheets")
    packages = str(Path(spec.origin).parent.parent)
    request = {
        "sheet": wanted,
        "memory": _MEMORY + _MEMORY_RATIO * len(data),
        "seconds": _SECONDS + len(data) / _BYTES_A_SECOND,
        "bomb_bytes": BOMB_BYTES,
        "bomb_ratio": BOMB_RATIO,
        "count": sys.platform != "linux",  # elsewhere nothing limits the memory of a process
        "open": True,
    }
    try:
        said, rows = _answered(packages, data, request)
    except _EndedError as error:
        raise _refusal(int(error.args[0]), request) from None
    if "refused" in said:
        raise SkipError(*said["refused"])
    if "sheets" in said:
        raise InputError(f"{place} has no sheet {wanted!r}; its sheets: {', '.join(map(repr, said['sheets']))}")
    return said["name"], said["of"], rows


def _answered(packages: str, data: bytes, request: dict[str, Any]) -> tuple[dict[str, Any], list[list[Any]]]:
    """Ask; where there was no room for the cells, ask which cells those are."""
    try:
        return _asked(packages, data, request)
    except _EndedError as error:
        if request["count"] or error.args[0] != -signal.SIGABRT:
            raise
        said, _ = _asked(packages, data, {**request, "count": True, "open": False})
        if not said:
            raise
        return said, []


def _asked(packages: str, data: bytes, request: dict[str, Any]) -> tuple[dict[str, Any], list[list[Any]]]:
    while True:
        process, is_new = _process(packages)
        try:
            found = process.ask(data, request)
        except _EndedError as error:
            process.end()
            if error.args[0] == 0 and not is_new:
                continue  # it had nothing to do for too long, just before
            raise
        except BaseException:
            process.end()
            raise
        if len(data) > _LARGE:
            process.end()
        else:
            _free.append(process)
        return found


def _process(packages: str) -> tuple[_Process, bool]:
    """Return a process that is free, or a new one, and whether it is new."""
    try:
        return _free.pop(), False
    except IndexError:
        return _Process(packages), True


def _refusal(code: int, request: dict[str, Any]) -> SkipError:
    """Return why a workbook is not read on which a process ended."""
    if sys.platform != "win32" and code == -signal.SIGABRT:
        return SkipError("bomb", f"needs more than {request['memory'] >> 20:,} MB of memory")
    if sys.platform != "win32" and code in (-signal.SIGXCPU, -signal.SIGKILL):
        return SkipError("time limit", f"more than {request['seconds']:.0f} s of processor time")
    return SkipError("broken", "the library that reads workbooks failed on it")


def _end_all() -> None:
    while _free:
        _free.pop().end()


atexit.register(_end_all)
