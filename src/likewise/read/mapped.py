"""Large tables in memory-mapped files: the system loads only what is looked at, and nothing is held twice.

The file has no name any more when the table is there, so it goes with the table, however the process ends. What was
looked at stays in memory until :func:`let_go` is called, or the system needs the room.
"""

import contextlib
import mmap
import shutil
import tempfile
import weakref
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray

LARGE = 64 << 20
"""Bytes from which on a table is mapped."""
_MAPS: "weakref.WeakSet[mmap.mmap]" = weakref.WeakSet()


def has_room(size: int) -> bool:
    """Whether a table of so many bytes can be mapped here."""
    return hasattr(mmap, "MADV_DONTNEED") and shutil.disk_usage(tempfile.gettempdir()).free > size


def mapped_table(schema: "pa.Schema", batches: "Iterable[pa.RecordBatch]") -> "pa.Table":
    """Return a table of batches that come one after the other; none is held.

    >>> import pyarrow as pa
    >>> batch = pa.record_batch({"text": ["one", "two"]})
    >>> mapped_table(batch.schema, [batch, batch]).column("text").to_pylist()
    ['one', 'two', 'one', 'two']
    """
    import pyarrow as pa

    with tempfile.NamedTemporaryFile(prefix="likewise-") as file:
        with pa.OSFile(file.name, "wb") as sink, pa.ipc.new_stream(sink, schema) as writer:
            for batch in batches:
                writer.write_batch(batch)
        mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    _MAPS.add(mapped)
    return pa.ipc.open_stream(pa.py_buffer(mapped)).read_all()


def rows_of(table: "pa.Table", rows: "NDArray[np.int64]") -> "pa.Table":
    """Return some rows of a table, ascending; those of a large one are mapped, too."""
    import numpy as np
    import pyarrow as pa

    if table.nbytes < LARGE or not has_room(table.nbytes):
        return table.take(pa.array(rows))

    def batches() -> "Iterator[pa.RecordBatch]":
        first = 0
        for batch in table.to_batches():
            here = rows[np.searchsorted(rows, first) : np.searchsorted(rows, first + len(batch))] - first
            yield batch.take(pa.array(here))
            first += len(batch)
            let_go()

    return mapped_table(table.schema, batches())


def let_go() -> None:
    """Let the system take back the pages of mapped tables; they are read again when needed."""
    for mapped in list(_MAPS):
        with contextlib.suppress(OSError, ValueError):
            mapped.madvise(mmap.MADV_DONTNEED)
