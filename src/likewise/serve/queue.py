"""Long work: a table of runs that survives restarts, and the runner that gives each a process of its own.

Users see a run as a "job": ``/api/jobs``.

States: ``waiting`` -> ``running`` -> ``done`` | ``failed`` | ``cancelled``; a job that was running when the service
stopped waits again when it starts. A job is its row: its process reads its parameters there and writes progress and
result there, so nothing is lost between the two.
"""

import contextlib
import json
import multiprocessing
import secrets
import shutil
import sqlite3
import threading
import time
from dataclasses import dataclass
from multiprocessing.context import SpawnProcess
from typing import Any

from likewise.errors import InputError, LockedError
from likewise.platform import FileLock
from likewise.serve.database import Database
from likewise.serve.folder import STATE, Folder
from likewise.serve.settings import ServeOptions

ACTIVE = ("waiting", "running")
MOST_ATTEMPTS = 3
_POLL_SECONDS = 0.05


class UnknownRunError(InputError):
    """There is no job of that id."""


class QueueFullError(InputError):
    """As many jobs wait as may."""


@dataclass(frozen=True, slots=True)
class Run:
    """A piece of long work, as its row says."""

    id: str
    kind: str
    title: str
    state: str
    parameters: dict[str, Any]
    created: float
    started: float | None
    finished: float | None
    done: int
    total: int | None
    unit: str
    message: str
    result: dict[str, Any] | None

    @property
    def active(self) -> bool:
        """Whether it waits or runs."""
        return self.state in ACTIVE


def _run(row: sqlite3.Row) -> Run:
    values = {name: row[name] for name in Run.__slots__}
    values["parameters"] = json.loads(row["parameters"])
    values["result"] = json.loads(row["result"]) if row["result"] else None
    return Run(**values)


class Queue:
    """The table of jobs and the thread that starts, watches and stops their processes.

    Jobs follow each other as they came (``rowid``), whatever the clock said then.
    """

    def __init__(self, folder: Folder, database: Database, settings: ServeOptions) -> None:
        self.folder, self.database, self.settings = folder, database, settings
        self._running: dict[str, tuple[SpawnProcess, float]] = {}
        self._lock = threading.Lock()
        self._wake = threading.Event()
        self._stopping = False
        self._thread: threading.Thread | None = None
        self._claim: FileLock | None = None

    # The table.

    def submit(self, kind: str, title: str, parameters: dict[str, Any]) -> Run:
        """Put a job in the queue; when this returns it will survive anything."""
        identity = secrets.token_hex(8)
        with self.database.transaction() as connection:
            waiting = connection.execute("SELECT count(*) FROM jobs WHERE state = 'waiting'").fetchone()[0]
            if waiting >= self.settings.waiting_jobs + self.settings.parallel_jobs:
                raise QueueFullError(f"{waiting} jobs wait already; try again when some are done")
            connection.execute(
                "INSERT INTO jobs (id, kind, title, parameters, state, created) VALUES (?, ?, ?, ?, 'waiting', ?)",
                (identity, kind, title, json.dumps(parameters), time.time()),
            )
        self._wake.set()
        return self.get(identity)

    def get(self, identity: str) -> Run:
        """Return a job."""
        rows = self.database.rows("SELECT * FROM jobs WHERE id = ?", identity)
        if not rows:
            raise UnknownRunError(f"there is no job {identity[:40]!r}")
        return _run(rows[0])

    def all(self, kind: str | None = None) -> list[Run]:
        """Return the latest jobs, newest first."""
        rows = self.database.rows(
            "SELECT * FROM jobs WHERE kind = ? OR ? IS NULL ORDER BY rowid DESC LIMIT 200", kind, kind
        )
        return [_run(row) for row in rows]

    def states(self) -> dict[str, float]:
        """Return how many jobs are in each state."""
        counts = dict.fromkeys(("waiting", "running", "done", "failed", "cancelled"), 0.0)
        for row in self.database.rows("SELECT state, count(*) AS number FROM jobs GROUP BY state"):
            counts[row["state"]] = float(row["number"])
        return counts

    def cancel(self, identity: str) -> Run:
        """Stop a job: when this returns its process is gone."""
        self._end(identity, "cancelled", "cancelled")
        with self._lock:
            process, _ = self._running.get(identity, (None, 0.0))
        if process is not None:
            _stop(process)
        return self.get(identity)

    def delete(self, identity: str) -> None:
        """Stop a job and forget it with all that it wrote and all that was decided about it."""
        self.cancel(identity)
        with self.database.transaction() as connection:
            connection.execute("DELETE FROM jobs WHERE id = ?", (identity,))
            connection.execute("DELETE FROM decisions WHERE job = ?", (identity,))
        shutil.rmtree(self.folder.results / identity, ignore_errors=True)

    def _end(self, identity: str, state: str, message: str) -> None:
        with self.database.transaction() as connection:
            connection.execute(
                "UPDATE jobs SET state = ?, message = ?, finished = ? WHERE id = ? AND state IN ('waiting', 'running')",
                (state, message, time.time(), identity),
            )

    # The runner.

    def claim(self) -> None:
        """Take the folder for this service alone; raise :class:`LockedError` where another has it."""
        if self._claim is not None:
            return
        lock = FileLock(self.folder.path / STATE / "lock")  # held as long as the service runs
        if not lock.take():
            lock.drop()
            raise LockedError(f"another likewise serve works on {self.folder.path}")
        self._claim = lock

    def start(self) -> None:
        """Find the jobs that were not finished, and begin to work."""
        self.claim()
        with self.database.transaction() as connection:
            connection.execute(
                "UPDATE jobs SET state = 'failed', finished = ?, message = 'the service stopped too often during it' "
                "WHERE state = 'running' AND attempts >= ?",
                (time.time(), MOST_ATTEMPTS),
            )
            connection.execute("UPDATE jobs SET state = 'waiting', done = 0, total = NULL WHERE state = 'running'")
        self._thread = threading.Thread(target=self._work, name="likewise-jobs", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Let running jobs finish for the time of grace; park the others: they run again after the next start."""
        self._stopping = True
        self._wake.set()
        if self._thread is not None:
            self._thread.join(timeout=5)
        until = time.monotonic() + self.settings.grace_seconds
        self._reap()
        while self._running and time.monotonic() < until:
            time.sleep(_POLL_SECONDS)
            self._reap()
        for identity, (process, _) in self._running.items():
            _stop(process)
            with self.database.transaction() as connection:
                connection.execute("UPDATE jobs SET attempts = attempts - 1 WHERE id = ?", (identity,))
        if self._claim is not None:
            self._claim.drop()

    def _work(self) -> None:
        while not self._stopping:
            self._reap()
            free = self.settings.parallel_jobs - len(self._running)
            rows = self.database.rows("SELECT id FROM jobs WHERE state = 'waiting' ORDER BY rowid LIMIT ?", free)
            for row in rows if free > 0 else ():
                self._launch(row["id"])
            self._wake.wait(_POLL_SECONDS if self._running else 1.0)
            self._wake.clear()

    def _launch(self, identity: str) -> None:
        from likewise.serve.worker import run

        with self.database.transaction() as connection:
            taken = connection.execute(
                "UPDATE jobs SET state = 'running', started = ?, attempts = attempts + 1 "
                "WHERE id = ? AND state = 'waiting'",
                (time.time(), identity),
            ).rowcount
        if not taken:
            return
        process = multiprocessing.get_context("spawn").Process(
            target=run,
            args=(str(self.folder.path), identity, self.settings.job_memory_mb),
            name=f"likewise-job-{identity}",
            daemon=True,
        )
        process.start()
        with self._lock:
            self._running[identity] = (process, time.monotonic())

    def _reap(self) -> None:
        for identity, (process, begun) in list(self._running.items()):
            if process.is_alive():
                if time.monotonic() - begun > self.settings.job_seconds:
                    self._end(identity, "failed", f"stopped after {self.settings.job_seconds:g} s")
                    _stop(process)
                continue
            if not self._stopping or process.exitcode == 0:
                # A process that ends without a word in its row was killed from outside (memory, for example).
                self._end(identity, "failed", f"its process ended unexpectedly (exit code {process.exitcode})")
            if self.get_state(identity) != "done":
                shutil.rmtree(self.folder.results / identity, ignore_errors=True)
            with self._lock:
                self._running.pop(identity, None)
            process.close()

    def get_state(self, identity: str) -> str | None:
        """Return the state of a job, or None if it was deleted."""
        rows = self.database.rows("SELECT state FROM jobs WHERE id = ?", identity)
        return rows[0]["state"] if rows else None


def _stop(process: SpawnProcess) -> None:
    with contextlib.suppress(ValueError):  # closed meanwhile: it had ended
        process.terminate()
        process.join(0.5)
        if process.is_alive():
            process.kill()
            process.join(2)
