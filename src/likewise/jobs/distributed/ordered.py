"""External sorting: rows of more tables than fit in memory, sorted in runs on disk and merged as they are read."""

import shutil
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from likewise.jobs.distributed.run import Run
from likewise.storage import atomic_path

Key = tuple[str, int]
"""A column of numbers, and 1 where they ascend, -1 where they descend."""
WAITING = 16
"""Rows that wait until they are sorted take at most one part in so many of the memory of a task."""
_READ = 1 << 12  # rows that are read at a time, perhaps with long texts
_TOGETHER = 32
"""Runs that are merged at a time, each of which holds a piece: all of them no more than was sorted at a time."""


def in_order(tables: Iterable[pa.Table], keys: Sequence[Key], most: int, folder: Path) -> Iterator[pa.Table]:
    """Give the rows of all tables in the order of some columns, a few at a time.

    At most ``most`` bytes of rows, or one table, wait to be sorted, which takes three times as much; runs are in a file
    without a name in ``folder``.

    >>> tables = [pa.table({"n": [3, 1], "of": [1, 1]}), pa.table({"n": [2, 4], "of": [1, 0]})]
    >>> [row["n"] for one in in_order(tables, [("of", -1), ("n", 1)], 20, Path()) for row in one.to_pylist()]
    [1, 2, 3, 4]
    """
    with tempfile.TemporaryFile(dir=folder) as file:
        runs: list[_Run] = []
        waiting: list[pa.Table] = []
        size = 0
        for table in tables:
            if waiting and size + table.nbytes > most:
                runs.append(_Run.written([_sorted(waiting, keys)], keys, most // _TOGETHER, file))
                waiting, size = [], 0
            waiting.append(table)
            size += table.nbytes
        if runs:
            runs.append(_Run.written([_sorted(waiting, keys)], keys, most // _TOGETHER, file))
        elif waiting:
            yield _sorted(waiting, keys)
        waiting.clear()
        while len(runs) > _TOGETHER:
            some = [_merged(runs[first : first + _TOGETHER], keys) for first in range(0, len(runs), _TOGETHER)]
            runs = [_Run.written(one, keys, most // _TOGETHER, file) for one in some]
        yield from _merged(runs, keys)


def written_in_order(run: Run, name: str, sql: str, names: Sequence[str], keys: Sequence[Key]) -> list[Path]:
    """Write the rows of a query in the order of some columns of numbers; return the files.

    DuckDB fails to sort what is many times its memory, so its rows are sorted here; Spark cuts its work by itself.
    """
    engine, columns = run.engine, ", ".join(map(run.engine.quoted, names))
    if not run.embedded:
        order = ", ".join(f"{key} {'ASC' if sign > 0 else 'DESC'}" for key, sign in keys)
        return engine.write(f"SELECT {columns} FROM ({sql}) AS pairs ORDER BY {order}", run.place(name))
    path = run.place(name) / "here.parquet"
    if not path.exists():
        more = ", ".join(key for key, _ in keys if key not in names)
        files = engine.write(
            f"SELECT {columns}{', ' if more else ''}{more} FROM ({sql}) AS pairs", run.place(f"unordered/{name}")
        )
        tables = in_order(_read(files), keys, run.memory // WAITING, path.parent)
        with atomic_path(path) as temporary, pq.ParquetWriter(temporary, pq.read_schema(files[0])) as writer:
            for table in tables:
                writer.write_table(table)
        shutil.rmtree(files[0].parent)
    return [path]


def _read(files: Sequence[Path]) -> Iterator[pa.Table]:
    for path in files:
        with pq.ParquetFile(path) as file:
            for batch in file.iter_batches(_READ):
                yield pa.Table.from_batches([batch])


def _sorted(tables: Sequence[pa.Table], keys: Sequence[Key]) -> pa.Table:
    table = pa.concat_tables(tables)
    return table.take(pa.array(np.lexsort(_values(table, keys)[::-1])))


def _values(table: pa.Table, keys: Sequence[Key]) -> list[NDArray[Any]]:
    """Return the columns that say the order, ascending."""
    return [table.column(name).to_numpy() * sign for name, sign in keys]


def _merged(runs: Sequence["_Run"], keys: Sequence[Key]) -> Iterator[pa.Table]:
    """Give the rows of sorted runs, each time up to the smallest last row held of any run that has more to come."""
    while runs := [run for run in runs if run.held()]:
        last = min((run.last() for run in runs if run.rest), default=None)
        yield _sorted([run.until(last) for run in runs], keys)


@dataclass(slots=True)
class _Run:
    """Sorted rows in a file, of which one piece is held."""

    keys: Sequence[Key]
    file: Any
    rest: list[tuple[int, int]]
    """Where the pieces are that were not read yet, the first one last."""
    rows: pa.Table | None = None

    @classmethod
    def written(cls, tables: Iterable[pa.Table], keys: Sequence[Key], size: int, file: Any) -> "_Run":
        """Append a run to a file, in pieces of so many bytes."""
        places = []
        for table in tables:
            step = max(1, size * len(table) // max(1, table.nbytes))
            for first in range(0, len(table), step):
                begin = file.seek(0, 2)
                with pa.ipc.new_stream(file, table.schema) as writer:
                    writer.write_table(table.slice(first, step))
                places.append((begin, file.tell() - begin))
        return cls(keys, file, places[::-1])

    def held(self) -> bool:
        """Read the next piece where none is held; return whether there is one."""
        if (self.rows is None or not len(self.rows)) and self.rest:
            begin, size = self.rest.pop()
            self.file.seek(begin)
            self.rows = pa.ipc.open_stream(self.file.read(size)).read_all()
        return self.rows is not None and len(self.rows) > 0

    def last(self) -> tuple[Any, ...]:
        """Return the last row that is held, as its keys say."""
        assert self.rows is not None
        return tuple(values[0] for values in _values(self.rows.slice(len(self.rows) - 1), self.keys))

    def until(self, last: tuple[Any, ...] | None) -> pa.Table:
        """Take the rows up to one; ``None``: all that are held."""
        assert self.rows is not None
        low, high = 0, len(self.rows)
        if last is not None:
            for values, value in zip(_values(self.rows, self.keys), last, strict=True):
                here = values[low:high]
                low, high = low + np.searchsorted(here, value, "left"), low + np.searchsorted(here, value, "right")
        taken, self.rows = self.rows.slice(0, high), self.rows.slice(high)
        return taken
