"""Reduce records to distinct ones: a hash tells equal records, and only the first of each is compared.

Hashes of 128 bits stand for the texts, so that no text is moved between machines: among a billion kinds two have the
same hash with a chance of less than 1 in 10^20.
"""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from likewise.engines import Apart
from likewise.jobs.distributed.blocks import Block, ranged
from likewise.jobs.distributed.input import Input
from likewise.jobs.distributed.part_files import files_of, rows_and_bytes, write_once
from likewise.jobs.distributed.run import Run
from likewise.jobs.distributed.sides import Sides
from likewise.read.tables import texts_of
from likewise.records.columns import shown

KIND, OFTEN, LENGTH = "#kind", "#often", "#length"
"""Of a distinct record: the position of the first of its kind, how many there are, how long its text is."""
_NUMBERS = """
SELECT one.position, every.kind, every.often FROM kinds AS one JOIN (
    SELECT high, low, MIN(position) AS kind, COUNT(*) AS often FROM kinds GROUP BY high, low
) AS every ON one.high = every.high AND one.low = every.low ORDER BY one.position
"""


@dataclass(frozen=True, slots=True)
class KindTask(Apart):
    """Blocks -> ``kinds/*.parquet``: the hash of each record, and its position."""

    folder: Path
    sides: Sides

    def shard(self, state: None, shard: Block) -> dict[str, Any]:
        """Hash the records of one block."""
        path = write_once(self.folder / f"{shard.name}.parquet", lambda: self._hashed(shard))
        return {"records": len(shard), "bytes": path.stat().st_size}

    def _hashed(self, block: Block) -> pa.Table:
        hashes = np.array([*self._hashes(block)], np.uint64).view(np.int64).reshape(-1, 2)
        positions = np.arange(block.first, block.end)
        return pa.table({"high": hashes[:, 0], "low": hashes[:, 1], "position": positions})

    def _hashes(self, block: Block) -> Iterable[tuple[int, int]]:
        records = self.sides.read(0, block)
        texts = [column.values() for column in self.sides.fields(0, records)]
        keys = [texts_of(records.table, name, records.name).to_pylist() for name in self.sides.equal_on]
        for place, row in enumerate(zip(*texts, *keys, strict=True)):
            alone = not any(row[: len(texts)]) or None in row[len(texts) :]
            yield hashed([str(block.first + place)] if alone else [None, *row])


def hashed(values: Iterable[str | None]) -> tuple[int, int]:
    """Return 128 bits that stand for a row of texts; what is missing is not what is empty."""
    digest = hashlib.blake2b(digest_size=16)
    for value in values:
        text = b"" if value is None else value.encode()
        digest.update(b"-" if value is None else b"+%d:" % len(text))
        digest.update(text)
    bits = digest.digest()
    return int.from_bytes(bits[:8], "little"), int.from_bytes(bits[8:], "little")


def signed(bits: tuple[int, int]) -> tuple[int, int]:
    """Return a hash as numbers that tables hold."""
    high, low = bits
    return high - (high >> 63 << 64), low - (low >> 63 << 64)


@dataclass(frozen=True, slots=True)
class DistinctTask(Apart):
    """Blocks, and the number of each record -> ``distinct/*.parquet``: the records that are the first of their kind."""

    folder: Path
    sides: Sides
    numbers: tuple[Path, ...]

    def shard(self, state: None, shard: Block) -> dict[str, Any]:
        """Take over the first records of one block."""
        path = write_once(self.folder / f"{shard.name}.parquet", lambda: self._firsts(shard))
        return rows_and_bytes(path, "kinds")

    def _firsts(self, block: Block) -> pa.Table:
        records = self.sides.read(0, block)
        numbers = ranged(self.numbers, "position", block.first, block.end)
        lengths = pc.utf8_length(shown(self.sides.fields(0, records))).fill_null(0).cast(pa.int64())
        added = {KIND: numbers.column("kind"), OFTEN: numbers.column("often"), LENGTH: lengths}
        table = records.table
        for name, values in added.items():
            table = table.append_column(name, values)
        return table.filter(pc.equal(numbers.column("kind"), numbers.column("position")))


@dataclass(frozen=True, slots=True)
class SampleTask(Apart):
    """Blocks -> ``sample/*.parquet``: every so many-th record."""

    folder: Path
    sides: Sides
    step: int

    def shard(self, state: None, shard: Block) -> dict[str, Any]:
        """Take over the records of one block that are in the sample."""
        wanted = pa.array(np.arange(shard.first, shard.end) % self.step == 0)
        path = self.folder / f"{shard.name}.parquet"
        write_once(path, lambda: self.sides.read(0, shard).table.filter(wanted))
        return {"records": pq.read_metadata(path).num_rows}


@dataclass(frozen=True, slots=True)
class Kinds:
    """The distinct records, how they are read, and the kind of every record."""

    files: tuple[Path, ...]
    sides: Sides
    numbers: tuple[Path, ...]
    count: int


def distinct_records(run: Run, given: Input, sides: Sides) -> Kinds:
    """Find the first record of each kind."""
    blocks = run.blocks_of(given.files)
    with run.stage("kinds"):
        run.map(KindTask(run.place("kinds"), sides), blocks, "blocks hashed")
        run.engine.load("kinds", files_of(run.place("kinds"), blocks))
        numbers = tuple(run.engine.write(_NUMBERS, run.place("numbers")))
        found = run.map(DistinctTask(run.place("distinct"), sides, numbers), blocks, "blocks of distinct records")
    own = sides.ids[0] or KIND
    whole = {**sides.types[0], **dict.fromkeys((KIND, OFTEN, LENGTH), pa.int64())}
    kept = replace(sides, ids=(own, own), types=(whole, whole), extras=(KIND, OFTEN, LENGTH))
    return Kinds(files_of(run.place("distinct"), blocks), kept, numbers, sum(count["kinds"] for count in found))


def sample(run: Run, kinds: Kinds, step: int) -> tuple[Path, ...]:
    """Return the files of every ``step``-th distinct record."""
    if step == 1:
        return kinds.files
    blocks = run.blocks_of(kinds.files)
    run.map(SampleTask(run.place("sample"), kinds.sides, step), blocks, "blocks sampled")
    return files_of(run.place("sample"), blocks)
