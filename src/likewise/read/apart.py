"""Ask for what native code reads in a process of its own, with limits of memory and time.

The process runs :mod:`likewise.read.answering`. It costs some hundredths of a second of processor time to begin, so it
is kept for the next file; it ends by itself where none comes for some seconds.
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
from types import ModuleType
from typing import Any

from likewise.read import answering
from likewise.read.skipped import SkipError, missing

# What a file may take, and so many times its size more. Honest ones expand tenfold, and cells are larger than text.
_MEMORY, _MEMORY_RATIO = 1 << 30, 100
_PATIENCE = 10  # times the processor time, where the system sets no limit to that
_LONGEST = 1 << 20  # seconds: twelve days are as good as no limit, and none is too many for a clock
_LARGE = 8 << 20  # bytes of a file after which a process ends, so that its memory is given back


class EndedError(Exception):
    """The process ended: its exit code."""


class _Process:
    def __init__(self, module: str, packages: str) -> None:
        command = [sys.executable, "-I", "-S", answering.__file__, module, packages]
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )

    def ask(self, data: bytes, request: dict[str, Any]) -> tuple[dict[str, Any], list[Any]]:
        """Return what is said of a file, and its rows."""
        assert self._process.stdin is not None and self._process.stdout is not None  # noqa: PT018
        timer = threading.Timer(_PATIENCE * (1 + request["seconds"]), self._process.kill)
        timer.daemon = True
        timer.start()
        try:
            with contextlib.suppress(BrokenPipeError):
                self._process.stdin.write(json.dumps({**request, "size": len(data)}).encode() + b"\n")
                self._process.stdin.write(data)
                self._process.stdin.flush()
            said = self._line()
            rows: list[Any] = []
            while len(rows) < said.get("rows", 0):
                rows += self._line()
        finally:
            timer.cancel()
        return said, rows

    def _line(self) -> Any:
        line = self._process.stdout.readline()  # type: ignore[union-attr]
        if not line.endswith(b"\n"):
            raise EndedError(self._process.wait())
        return json.loads(line)

    def end(self) -> None:
        """End it."""
        with contextlib.suppress(OSError):
            self._process.kill()
        self._process.communicate()


class Apart:
    """What is read apart: a module with ``answers``, the package that it needs, and what that reads, in a word."""

    def __init__(self, module: ModuleType, package: str, extra: str, what: str) -> None:
        self._module, self._package, self._extra, self._what = module, package, extra, what
        self._free: list[_Process] = []
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self._free.clear)  # a process answers the one that began it
        atexit.register(self.end)

    def _packages(self) -> str:
        """The folder that has the package."""
        spec = find_spec(self._package)
        if spec is None or spec.origin is None:
            raise missing(self._package.replace("_", "-"), self._extra)
        return str(Path(spec.origin).parent.parent)

    def request(self, data: bytes, seconds: float, **more: Any) -> dict[str, Any]:
        """Return what is asked of a file, and the limits of the answer."""
        limits = {"memory": _MEMORY + _MEMORY_RATIO * len(data), "seconds": min(seconds, _LONGEST)}
        return {**limits, "what": self._what, **more}

    def ask(self, data: bytes, request: dict[str, Any]) -> tuple[dict[str, Any], list[Any]]:
        """Return what is said of a file, and its rows; :class:`EndedError` if the process did not live to say it."""
        packages = self._packages()
        while True:
            process, is_new = self._process(packages)
            try:
                found = process.ask(data, request)
            except EndedError as error:
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
                self._free.append(process)
            return found

    def _process(self, packages: str) -> tuple[_Process, bool]:
        """Return a process that is free, or a new one, and whether it is new."""
        try:
            return self._free.pop(), False
        except IndexError:
            return _Process(str(self._module.__file__), packages), True

    def refusal(self, error: EndedError, request: dict[str, Any]) -> SkipError:
        """Return why a file is not read on which a process ended."""
        code = int(error.args[0])
        if sys.platform != "win32" and code == -signal.SIGABRT:
            return SkipError("bomb", f"needs more than {request['memory'] >> 20:,} MB of memory")
        if sys.platform != "win32" and code in (-signal.SIGXCPU, -signal.SIGKILL):
            return SkipError("time limit", f"more than {request['seconds']:g} s of processor time")
        return SkipError("broken", f"the library that reads {self._what} failed on it")

    def end(self) -> None:
        """End its processes."""
        while self._free:
            self._free.pop().end()
