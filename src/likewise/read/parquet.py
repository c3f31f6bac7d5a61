"""Parquet: whole as a table, or row by row."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from likewise.read.skipped import SkipError
from likewise.read.source import WHOLE, Piece, Source

if TYPE_CHECKING:
    import pyarrow as pa


def open_parquet(source: Source) -> Any:
    """Open a file; the caller closes it."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    stream = source.open_raw()
    try:
        return pq.ParquetFile(source.path if source.path is not None else stream)
    except (OSError, pa.ArrowException) as error:
        raise SkipError("broken", f"not a Parquet file: {_first_line(error)}") from error
    finally:
        if source.path is not None:
            stream.close()


def parquet_table(source: Source) -> "pa.Table":
    """Return the whole file."""
    import pyarrow as pa

    with open_parquet(source) as file:
        try:
            # By row groups and one thread: all at once takes the room of the table twice, and several times the time.
            groups = [file.read_row_group(number, use_threads=False) for number in range(file.num_row_groups)]
            table = pa.concat_tables(groups) if groups else file.read()
        except (OSError, pa.ArrowException) as error:
            raise SkipError("broken", f"not a Parquet file: {_first_line(error)}") from error
    pa.default_memory_pool().release_unused()
    return table


def parquet_rows(source: Source, column: str, piece: Piece = WHOLE) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the rows with their numbers from 1, batch by batch; there must be a column called ``column``."""
    import pyarrow as pa

    with open_parquet(source) as file:
        names = file.schema_arrow.names
        if column not in names:
            raise SkipError("no text column", f"no column {column!r}; there are {', '.join(names)}")
        number = piece.before
        groups = range(piece.start, file.num_row_groups if piece.end is None else piece.end)
        try:
            for batch in file.iter_batches(batch_size=1024, row_groups=groups):
                for row in batch.to_pylist():
                    number += 1
                    yield number, row
        except (OSError, pa.ArrowException) as error:
            raise SkipError("broken", f"after row {number}: {_first_line(error)}") from error


def _first_line(error: Exception) -> str:
    return str(error).split("\n")[0][:200]
