"""Blocks: consecutive rows of Parquet files on a path that every worker sees; how they are cut and read.

The order of the files and of the rows in them is the order of the records: ties are broken by it, as on one machine.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import repeat
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from pyarrow import dataset

from likewise.read.tables import Records, check_columns, texts_of

# Rows that are read at a time, and bytes: those before a block are read, too, and long texts are a part of the memory.
_BATCH, _BUFFER = 512, 1 << 20


@dataclass(frozen=True, slots=True)
class Block:
    """Consecutive records of one side: where they are, and the position of the first."""

    number: int
    first: int
    parts: tuple[tuple[str, int, int], ...]
    """File, first row, and the row after the last."""

    def __len__(self) -> int:
        return sum(stop - start for _, start, stop in self.parts)

    @property
    def name(self) -> str:
        """The name of the files of this block."""
        return f"{self.number:06d}"

    @property
    def end(self) -> int:
        """The position after the last record."""
        return self.first + len(self)

    def after(self, position: int) -> "Block":
        """Return the records from a position on.

        >>> Block(0, 10, (("a", 0, 5), ("b", 0, 5))).after(17)
        Block(number=0, first=17, parts=(('b', 2, 5),))
        """
        parts, at = [], self.first
        for path, start, stop in self.parts:
            skipped = max(0, min(position - at, stop - start))
            at += stop - start
            if start + skipped < stop:
                parts.append((path, start + skipped, stop))
        return Block(self.number, max(self.first, position), tuple(parts))

    def read(self, columns: Sequence[str], id_column: str | None, side: str, types: Mapping[str, Any]) -> Records:
        """Return the records; without a column of ids their positions are their ids.

        ``types`` are those of the whole table: files of it may lack a column, or know less of its type.
        """
        wanted = list(dict.fromkeys([*columns, *([] if id_column is None else [id_column])]))
        table = pa.concat_tables(
            _fitted(_rows(path, start, stop, wanted), wanted, types) for path, start, stop in self.parts
        )
        check_columns(table, wanted, side)
        ids = pa.array(range(self.first, self.end), pa.int64())
        if id_column is not None:
            ids = table.column(id_column).combine_chunks()
            if not (pa.types.is_integer(ids.type) or pa.types.is_string(ids.type)):
                ids = texts_of(table, id_column, side)
        return Records(table, ids, side, id_column)


def _fitted(table: pa.Table, names: Sequence[str], types: Mapping[str, Any]) -> pa.Table:
    columns = {name: table.column(name) for name in names if name in table.column_names}
    for name, kind in types.items():
        if name in names:
            # Of a block no column is so large, and those of all blocks must go together.
            kind = pa.string() if pa.types.is_large_string(kind) else kind
            columns[name] = columns[name].cast(kind) if name in columns else pa.nulls(table.num_rows, kind)
    return pa.table({name: columns[name] for name in names if name in columns})


def _rows(path: str, start: int, stop: int, columns: list[str]) -> pa.Table:
    """Read rows of a file, and of its row groups only those that have them."""
    with pq.ParquetFile(path, buffer_size=_BUFFER) as file:
        groups: list[int] = []
        batches: list[pa.RecordBatch] = []
        offset = before = 0
        for group in range(file.num_row_groups):
            rows = file.metadata.row_group(group).num_rows
            if offset < stop and offset + rows > start:
                before = offset if not groups else before
                groups.append(group)
            offset += rows
        # A few rows at a time: those of others may have row groups that no memory holds.
        for batch in file.iter_batches(_BATCH, row_groups=groups, columns=columns):
            first, before = max(start - before, 0), before + len(batch)
            if first < len(batch):
                batches.append(batch.slice(first, max(0, stop - before + len(batch) - first)))
            if before >= stop:
                break
        schema = pa.schema([field for field in file.schema_arrow if field.name in columns])
        return pa.Table.from_batches(batches, batches[0].schema if batches else schema)


def plan(files: Sequence[Path], size: int) -> list[Block]:
    """Cut the records of Parquet files, one after the other, into blocks of ``size``."""
    return cut(files, repeat(size))


def cut(files: Sequence[Path], sizes: Iterable[int]) -> list[Block]:
    """Cut the records of Parquet files, one after the other, into blocks of the sizes given."""
    blocks: list[Block] = []
    parts: list[tuple[str, int, int]] = []
    wanted = iter(sizes)
    first = room = position = 0
    for path in files:
        rows, at = pq.read_metadata(path).num_rows, 0
        while at < rows:
            if not parts:
                first, room = position, next(wanted)
            taken = min(room, rows - at)
            parts.append((str(path), at, at + taken))
            at, position, room = at + taken, position + taken, room - taken
            if not room:
                blocks.append(Block(len(blocks), first, tuple(parts)))
                parts = []
    if parts:
        blocks.append(Block(len(blocks), first, tuple(parts)))
    # A table without rows is a block, too: it has columns.
    return blocks or [Block(0, 0, ((str(path), 0, 0),)) for path in files[:1]]


def ranged(files: Sequence[Path], column: str, first: int, end: int) -> pa.Table:
    """Return the rows of files in the order of ``column``, an integer, that are from ``first`` to before ``end``."""
    values = dataset.field(column)
    return dataset.dataset([str(path) for path in files]).to_table(filter=(values >= first) & (values < end))


def ranged_batches(files: Sequence[Path], column: str, first: int, end: int) -> Iterator[pa.RecordBatch]:
    """Yield the rows that :func:`ranged` returns, some at a time."""
    values = dataset.field(column)
    yield from dataset.dataset([str(path) for path in files]).to_batches(
        filter=(values >= first) & (values < end), batch_readahead=1, fragment_readahead=1, use_threads=False
    )
