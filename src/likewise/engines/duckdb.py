"""The embedded engine: threads of this process for the shards, DuckDB for the tables, within a memory limit."""

import contextlib
import shutil
import tempfile
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from pathlib import Path
from typing import TYPE_CHECKING, Any

from likewise.engines import WHOLE, Task
from likewise.errors import EngineError, MissingExtraError
from likewise.storage import atomic_path

if TYPE_CHECKING:
    import pyarrow as pa

_BATCH = 2048  # rows that it makes at a time in any case: more of long texts are more than memory holds
_GROUP = 4 << 20  # bytes of a row group


class DuckDB:
    """Runs everything here; tables that exceed the memory spill to ``temporary``.

    >>> import pathlib, tempfile
    >>> engine = DuckDB(256 << 20, 1, pathlib.Path(tempfile.mkdtemp()))
    >>> engine.create("numbers", "SELECT 1 AS n UNION ALL SELECT 2 AS n")
    2
    >>> engine.fetch("SELECT n FROM numbers ORDER BY n").column("n").to_pylist()
    [1, 2]
    >>> engine.close()
    """

    name = "duckdb"

    def __init__(self, memory: int, threads: int, temporary: Path) -> None:
        try:
            import duckdb
        except ImportError as error:
            raise MissingExtraError("duckdb", "mine") from error
        self.places = threads
        self._memory = memory
        temporary.mkdir(parents=True, exist_ok=True)
        self._temporary = Path(tempfile.mkdtemp(prefix="duckdb-", dir=temporary))
        self._error = duckdb.Error
        self._connection = duckdb.connect(
            ":memory:",
            config={
                "memory_limit": f"{memory // 1024}KiB",
                "threads": threads,
                "temp_directory": str(self._temporary),
                # Results that must have an order ask for it; keeping it everywhere costs memory.
                "preserve_insertion_order": False,
            },
        )
        # Long queries would otherwise draw a bar on stdout, which is for data. In a notebook that lacks what draws
        # one it is off, and setting it, even to false, is an error.
        if self._run("SELECT current_setting('enable_progress_bar')")[0][0]:
            self._run("SET enable_progress_bar = false")

    def limit(self, memory: int) -> None:
        """Let tables take so many bytes from now on: what else this process holds is known by then."""
        self._memory = memory
        self._run(f"SET memory_limit = '{memory // 1024}KiB'")

    def release(self) -> None:
        """Give memory back that queries have left behind, which is kept for the next one otherwise."""
        self.limit(self._memory)  # DuckDB does when it is told its limit, be it the same

    def map(self, task: Task, shards: Sequence[Any], done: Callable[[int], None]) -> list[dict[str, Any]]:
        """Run ``task`` over ``shards`` on the threads; the first exception stops the rest."""
        state = task.begin()
        # A shard that uses several threads itself takes the place of as many.
        pool = ThreadPoolExecutor(max(1, self.places // getattr(task, "threads", 1)))
        futures: list[Future[dict[str, Any]]] = [pool.submit(task.shard, state, shard) for shard in shards]
        try:
            waiting = set(futures)
            while waiting:
                finished, waiting = wait(waiting, timeout=0.5, return_when=FIRST_COMPLETED)
                for future in finished:
                    future.result()
                done(len(futures) - len(waiting))
        finally:
            # After Ctrl-C or an error the shards that have not begun never will.
            pool.shutdown(wait=True, cancel_futures=True)
        task.end(state, 0)
        return [future.result() for future in futures]

    def load(self, name: str, files: Sequence[Path]) -> None:
        """Make a view of Parquet files."""
        names = ", ".join("'" + str(path).replace("'", "''") + "'" for path in files)
        self._run(f"CREATE OR REPLACE VIEW {name} AS SELECT * FROM read_parquet([{names}])")

    def create(self, name: str, sql: str) -> int:
        """Make a table from a query and return its number of rows."""
        self._run(f"CREATE OR REPLACE TABLE {name} AS {sql}")
        return int(self._run(f"SELECT COUNT(*) FROM {name}")[0][0])

    def drop(self, name: str) -> None:
        """Forget a table."""
        self._run(f"DROP TABLE IF EXISTS {name}")

    def fetch(self, sql: str) -> "pa.Table":
        """Return the result of a query."""
        try:
            return self._connection.sql(sql).to_arrow_table()
        except self._error as error:
            raise EngineError(f"DuckDB: {error}") from error

    def write(self, sql: str, folder: Path) -> list[Path]:
        """Write the result of a query, batch by batch."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        path = folder / "part-00000.parquet"
        if not (folder / WHOLE).exists():
            try:
                batches = self._connection.sql(sql).to_arrow_reader(_BATCH)
                waiting: list[pa.RecordBatch] = []
                with atomic_path(path) as temporary, pq.ParquetWriter(temporary, batches.schema) as writer:
                    for batch in batches:
                        waiting.append(batch)
                        if sum(one.nbytes for one in waiting) >= _GROUP:
                            writer.write_table(pa.Table.from_batches(waiting))
                            waiting = []
                    writer.write_table(pa.Table.from_batches(waiting, batches.schema))
            except self._error as error:
                raise EngineError(f"DuckDB: {error}") from error
            (folder / WHOLE).touch()
        return [path]

    def quoted(self, column: str) -> str:
        """Return a column's name in quotes."""
        return '"' + column.replace('"', '""') + '"'

    def close(self) -> None:
        """Close the database and remove what it spilled."""
        self._connection.close()
        with contextlib.suppress(OSError):
            shutil.rmtree(self._temporary)

    def _run(self, sql: str) -> list[Any]:
        # A result is always read to its end: the connection does nothing else before.
        try:
            return list(self._connection.execute(sql).fetchall())
        except self._error as error:
            raise EngineError(f"DuckDB: {error}") from error
