"""What must survive a restart, in one SQLite file: jobs, decisions about pairs, judgements.

WAL with full sync: what was acknowledged is on disk. Several processes write (the service and its jobs), so every write
is one short transaction that waits for its turn.
"""

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from likewise.errors import DamagedError

VERSION = 1
_TABLES = """
CREATE TABLE IF NOT EXISTS jobs (
    id TEXT PRIMARY KEY, kind TEXT NOT NULL, title TEXT NOT NULL, parameters TEXT NOT NULL, state TEXT NOT NULL,
    created REAL NOT NULL, started REAL, finished REAL,
    done INTEGER NOT NULL DEFAULT 0, total INTEGER, unit TEXT NOT NULL DEFAULT '',
    message TEXT NOT NULL DEFAULT '', result TEXT, attempts INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE IF NOT EXISTS decisions (
    job TEXT NOT NULL, left_id TEXT NOT NULL, right_id TEXT NOT NULL, decision TEXT NOT NULL, at REAL NOT NULL,
    PRIMARY KEY (job, left_id, right_id)
);
"""


class Database:
    """One connection for all threads of a process; use it through :meth:`transaction` and :meth:`rows`."""

    def __init__(self, path: Path) -> None:
        self._lock = threading.RLock()
        try:
            self._connection = sqlite3.connect(path, timeout=30, check_same_thread=False, isolation_level=None)
            self._connection.row_factory = sqlite3.Row
            self._connection.execute("PRAGMA journal_mode=WAL")
            self._connection.execute("PRAGMA synchronous=FULL")
            self._connection.executescript(_TABLES)
            self._connection.execute(f"PRAGMA user_version={VERSION}")
        except sqlite3.DatabaseError as error:
            raise DamagedError(f"{path} cannot be used: {error}; move it away to start with an empty one") from error

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """Give the connection for one write, all or nothing."""
        with self._lock:
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield self._connection
            except BaseException:
                self._connection.execute("ROLLBACK")
                raise
            self._connection.execute("COMMIT")

    def rows(self, statement: str, *values: Any) -> list[sqlite3.Row]:
        """Return the rows of a query."""
        with self._lock:
            return self._connection.execute(statement, values).fetchall()

    def close(self) -> None:
        """Close the connection."""
        with self._lock:
            self._connection.close()
