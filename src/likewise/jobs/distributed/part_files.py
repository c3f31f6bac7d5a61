"""The Parquet files that tasks leave behind: one for each shard, whole or absent, and never written twice."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from likewise.jobs.distributed.blocks import Block
from likewise.storage import atomic_path


def write_once(path: Path, make: Callable[[], pa.Table]) -> Path:
    """Write the table that ``make`` returns, unless an earlier run has left the file.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "000000.parquet"
    >>> for size in (1, 2):
    ...     rows_and_bytes(write_once(path, lambda: pa.table({"n": range(size)})), "numbers")["numbers"]
    1
    1
    """
    if not path.exists():
        with atomic_path(path) as temporary:
            pq.write_table(make(), temporary)
    return path


def rows_and_bytes(path: Path, rows: str) -> dict[str, Any]:
    """Return the counts of a file as a task reports them, its rows under the name ``rows``."""
    return {rows: pq.read_metadata(path).num_rows, "bytes": path.stat().st_size}


def files_of(folder: Path, blocks: Iterable[Block]) -> tuple[Path, ...]:
    """Return the files that tasks leave for blocks, in the order of the blocks."""
    return tuple(folder / f"{block.name}.parquet" for block in blocks)
