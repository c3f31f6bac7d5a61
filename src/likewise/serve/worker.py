"""What runs in the process of a job: the verb that its kind names, with progress written to the job's row.

Each kind is a function in :mod:`likewise.serve.verbs` that takes parameters, the folder to write to, and a progress
callback, and returns what the service shows about the result.
"""

import json
import os
import signal
import threading
import time
from multiprocessing import parent_process
from pathlib import Path

from likewise.errors import LikewiseError
from likewise.platform import limit_memory
from likewise.serve.database import Database
from likewise.serve.folder import Folder

_REPORT_SECONDS = 0.2


class Reporter:
    """A progress callback that writes to the job's row, a few times a second."""

    def __init__(self, database: Database, identity: str) -> None:
        self._database, self._identity, self._last = database, identity, 0.0

    def __call__(self, done: int, total: int | None, unit: str, /) -> None:
        """Take note."""
        now = time.monotonic()
        if now - self._last < _REPORT_SECONDS and done != total:
            return
        self._last = now
        with self._database.transaction() as connection:
            connection.execute(
                "UPDATE jobs SET done = ?, total = ?, unit = ? WHERE id = ?", (done, total, unit, self._identity)
            )


def run(folder_path: str, identity: str, memory_mb: int) -> None:
    """Do a job: the target of its process."""
    # Ctrl-C reaches the whole group of processes; the service decides what happens to its jobs.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _end_with_parent()
    limit_memory(memory_mb << 20)
    folder = Folder(Path(folder_path))
    database = Database(folder.database)
    row = database.rows("SELECT kind, parameters FROM jobs WHERE id = ?", identity)[0]
    target = folder.results / identity
    target.mkdir(parents=True, exist_ok=True)
    state, message, result = "done", "", None
    try:
        from likewise.serve.verbs import KINDS

        report = Reporter(database, identity)
        result = KINDS[row["kind"]](json.loads(row["parameters"]), folder, target, report)
    except LikewiseError as error:
        state, message = "failed", folder.say(str(error))
    except MemoryError:
        state, message = "failed", f"this needs more memory than a job may take ({memory_mb} MB)"
    except Exception as error:
        state, message = "failed", folder.say(f"unexpected {type(error).__name__}: {error}")
    with database.transaction() as connection:
        connection.execute(
            "UPDATE jobs SET state = ?, message = ?, result = ?, finished = ? WHERE id = ? AND state = 'running'",
            (state, message, json.dumps(result), time.time(), identity),
        )
    database.close()


def _end_with_parent() -> None:
    """End this process when the service is gone, however it went: after a restart the job runs again."""
    parent = parent_process()
    if parent is None:
        return

    def watch() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
