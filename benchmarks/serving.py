"""What the runs against a real service share: ``likewise serve`` in a process of its own, and its memory."""

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import likewise


@contextmanager
def served(folder: Path, *flags: str) -> Iterator[tuple[str, int]]:
    """Start a service on a folder; give its address and process id; stop it at the end."""
    package = Path(likewise.__file__).resolve().parent.parent
    command = [sys.executable, "-c", "from likewise.cli import main; main()", "serve", str(folder), "--port", "0"]
    process = subprocess.Popen(
        [*command, *flags], env=os.environ | {"PYTHONPATH": str(package)}, stderr=subprocess.PIPE, text=True
    )
    try:
        assert process.stderr is not None
        line = process.stderr.readline()
        if "http://" not in line:
            raise RuntimeError(line + process.stderr.read())
        # A pipe that nobody reads would hold up the service once it is full.
        threading.Thread(target=process.stderr.read, daemon=True).start()
        yield line.split()[1].rstrip("/"), process.pid
    finally:
        process.terminate()
        process.wait(30)


def resident_mb(pid: int) -> float:
    """Return the memory of a process that is in RAM."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS"):
            return int(line.split()[1]) / 1024
    return 0.0
