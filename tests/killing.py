"""Kill a process at a counted point: at its n-th change of a file, however fast the machine is.

``PRELUDE`` goes before the code of the process; the code calls ``watch(n)`` once everything is imported. With 0 nothing
is killed, and the number of changes is printed at the end. Opening for writing, renaming, removing and making folders
count; the process dies just before the change is made.
"""

import os
import signal
import subprocess
import sys
from pathlib import Path

import likewise

PRELUDE = """
import atexit, os, signal, sys, threading
def watch(point):
    seen, lock = [0], threading.Lock()
    def look(event, arguments):
        writes = event == "open" and isinstance(arguments[2], int) and arguments[2] & (os.O_WRONLY | os.O_RDWR)
        if writes or event in ("os.rename", "os.remove", "os.mkdir", "os.rmdir", "os.link"):
            with lock:
                seen[0] += 1
                if seen[0] == point:
                    os.kill(os.getpid(), signal.SIGKILL)
    sys.addaudithook(look)
    if not point:
        atexit.register(lambda: print("changes", seen[0]))
"""


def run(code: str, point: int, *arguments: object) -> int:
    """Run ``code``, which calls ``watch(int(sys.argv[1]))``; return how many changes it made, -1 if it was killed."""
    package = Path(likewise.__file__).resolve().parent.parent
    done = subprocess.run(
        [sys.executable, "-c", PRELUDE + code, str(point), *map(str, arguments)],
        env=os.environ | {"PYTHONPATH": str(package)},
        capture_output=True,
        text=True,
    )
    if done.returncode == -signal.SIGKILL:
        return -1
    assert done.returncode == 0, done.stderr
    return int(done.stdout.split()[-1]) if not point else 0


def points(changes: int, number: int) -> list[int]:
    """Return so many points over a run, the first and the last change among them."""
    return sorted({1 + round(i * (changes - 1) / (number - 1)) for i in range(number)})
