"""Parquet: whole as a table, or row by row."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from likewise.read.mapped import LARGE, has_room, mapped_table
from likewise.read.skipped import SkipError
from likewise.read.source import WHOLE, Piece, Source

if TYPE_CHECKING:
    import pyarrow as pa

_BATCH = 16 << 20  # bytes


def open_parquet(source: Source) -> Any:
    """Open a file; the caller closes it."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    stream = source.open_raw()
    try:
        return pq.ParquetFile(source.path if source.path is not None else stream)
    except (OSError, pa.ArrowException, UnicodeDecodeError) as error:  # names of columns are decoded late
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
            if _is_mapped(file):
                table = mapped_table(file.schema_arrow, _batches(file))
            else:
                groups = [_sound(file.read_row_group(at, use_threads=False)) for at in range(file.num_row_groups)]
                table = pa.concat_tables(groups) if groups else file.read()
        except (OSError, pa.ArrowException, UnicodeDecodeError) as error:
            raise SkipError("broken", f"not a Parquet file: {_first_line(error)}") from error
    pa.default_memory_pool().release_unused()
    return table


def _is_mapped(file: Any) -> bool:
    """Whether a Parquet file holds so much that it is better mapped than held."""
    return _bytes(file) >= LARGE and has_room(2 * _bytes(file))


def _bytes(file: Any) -> int:
    return sum(file.metadata.row_group(number).total_byte_size for number in range(file.num_row_groups))


def _batches(file: Any) -> "Iterator[pa.RecordBatch]":
    """Yield rows, a few megabytes at a time: those of others may have row groups that no memory holds."""
    rows = max(1, _BATCH * file.metadata.num_rows // _bytes(file))
    for number in range(file.num_row_groups):
        yield from map(_sound, file.iter_batches(rows, row_groups=[number], use_threads=False))


def _sound(rows: Any) -> Any:
    """Return rows that were looked at: Arrow believes a file that says that its bytes are text."""
    import pyarrow as pa

    try:
        rows.validate(full=True)
    except pa.ArrowException as error:
        raise SkipError("broken", f"it holds other than it says: {_first_line(error)}") from error
    return rows


def parquet_rows(source: Source, column: str, piece: Piece = WHOLE) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the rows with their numbers from 1, batch by batch; there must be a column called ``column``."""
    import pyarrow as pa

    with open_parquet(source) as file:
        names = file.schema_arrow.names
        if column not in names:
            raise SkipError("no text column", f"no column {column!r} (text_column); there are {', '.join(names)}")
        number = piece.before
        groups = range(piece.start, file.num_row_groups if piece.end is None else piece.end)
        try:
            for batch in file.iter_batches(batch_size=1024, row_groups=groups):
                for row in batch.to_pylist():
                    number += 1
                    yield number, row
        except (OSError, pa.ArrowException, UnicodeDecodeError) as error:
            raise SkipError("broken", f"after row {number}: {_first_line(error)}") from error


def _first_line(error: Exception) -> str:
    return str(error).split("\n")[0][:200]
