"""Near-duplicates among more long texts than fit in memory: terms on disk, lists of one strip in memory.

A strip is as many texts as memory holds the terms and the lists of, and on a cluster no more than gives every worker
some; it meets itself and every block after it, which are mapped one after the other. Pairs are found some at a time,
however many a strip has, sorted on disk, and written as numbers; texts are looked up when they are needed.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from likewise.engines import Apart
from likewise.engines.duckdb import DuckDB
from likewise.jobs.distributed.blocks import Block
from likewise.jobs.distributed.ordered import in_order
from likewise.jobs.distributed.run import Run, strip_lengths
from likewise.jobs.distributed.sides import Sides
from likewise.jobs.distributed.terms import Terms
from likewise.join import Pairs
from likewise.join.near import NEAR, NearLists
from likewise.measure import TextMeasure, TfIdf
from likewise.platform import release_memory, resident_memory
from likewise.records.distinct import ranks
from likewise.storage import atomic_path

LONG = 250
"""Bytes of a text, at the mean, from which on it is worth it: where one machine leaves texts in Arrow's buffers."""
# Bytes that lists take at most: of each term in a text its number, twice; of a text its place, its length, its cut and
# what is left of it by class; of a term its weight and count, its list; and for each thread. Of a term of any text its
# weight and count, which are mapped, and its number in the strip.
_ENTRY, _TEXT, _TERM, _THREAD, _ANY = 8, 96, 56, (4, 8), 17
_SLACK = 48 << 20  # what is mapped and let go, pairs on their way to a file
_TABLES = 96 << 20  # what DuckDB needs in any case
_WRITTEN = 1 << 14  # pairs
_SORTED = 8 << 20  # bytes of pairs that wait until they are sorted
ORDER = (("left_position", 1), ("score", -1), ("right_position", 1))
"""The order of the pairs of a match."""


def is_near(sides: Sides, measures: Sequence[TextMeasure], bytes_each: float, least: float) -> bool:
    """Whether texts are compared this way: one column of long ones, by terms that have one weight."""
    [first, *others] = measures
    if others or len(sides.left) > 1 or sides.equal_on or least < NEAR or bytes_each < LONG:
        return False
    kind = sides.types[0][sides.left[0]]
    if not (pa.types.is_string(kind) or pa.types.is_large_string(kind)) or not isinstance(first, TfIdf):
        return False
    return not first.ready and first.reads_terms and not first.needs_counts and first.options.best_terms is None


@dataclass(frozen=True, slots=True)
class NearTask(Apart):
    """Some blocks, and all after them -> ``pairs/*.parquet``: positions, scores, and what else pairs carry along.

    Those of a strip are in the order of a match, with ranks.
    """

    folder: Path
    terms: Terms
    sides: Sides
    least: float
    threads: int

    def shard(self, state: None, shard: tuple[int, int, int]) -> dict[str, Any]:
        """Find the pairs of one strip."""
        number, first, end = shard
        path = self.folder / f"{number:06d}.parquet"
        if not path.exists():
            with atomic_path(path) as temporary:
                self._write(temporary, self.terms.blocks[first:end], self.terms.blocks[end:])
        return {"pairs": pq.read_metadata(path).num_rows, "bytes": path.stat().st_size}

    def _write(self, path: Path, strip: Sequence[Block], rest: Sequence[Block]) -> None:
        lefts = pa.concat_tables([self._called(block) for block in strip])
        none = _table(Pairs.none(), strip[0], strip[0], lefts, lefts)
        with pq.ParquetWriter(path, none.schema) as writer:
            found = in_order(self._tables(strip, rest, lefts), ORDER, _SORTED, path.parent)
            for table in ranked(found):
                writer.write_table(table)

    def _tables(self, strip: Sequence[Block], rest: Sequence[Block], lefts: pa.Table) -> Iterator[pa.Table]:
        """Yield the pairs of a strip with what they say of the records."""
        at, rights = strip[0], lefts
        for pairs, block in self._pairs(strip, rest):
            if block is not at and len(pairs):
                at, rights = block, self._called(block)
            for first in range(0, len(pairs), _WRITTEN):  # some may have very many
                yield _table(pairs.take(slice(first, first + _WRITTEN)), strip[0], block, lefts, rights)

    def _pairs(self, strip: Sequence[Block], rest: Sequence[Block]) -> Iterator[tuple[Pairs, Block]]:
        """Yield the pairs of a strip with itself, and with each block after it, some at a time."""
        held = self.terms.strip(strip)
        lengths = self.terms.lengths(strip)
        lists = NearLists(held.rows.indptr, held.rows.ids, held.scale, lengths, held.texts, self.least)
        for pairs in lists.pairs(threads=self.threads):
            yield pairs, strip[0]
        for block in rest:
            other = held.of(self.terms.rows(block))
            for pairs in lists.meet(other.indptr, other.ids, self.terms.lengths([block]), threads=self.threads):
                yield pairs, block

    def _called(self, block: Block) -> pa.Table:
        """Return the columns that pairs carry for the records of a block, without their texts."""
        records = block.read(self.sides.extras, self.sides.ids[0], "left", self.sides.types[0])
        return pa.table({"id": records.ids, **{name: records.table.column(name) for name in self.sides.extras}})


def _table(pairs: Pairs, left: Block, right: Block, lefts: pa.Table, rights: pa.Table) -> pa.Table:
    sides = {"left": lefts.take(pa.array(pairs.left)), "right": rights.take(pa.array(pairs.right))}
    columns = {side: table.column("id") for side, table in sides.items()}
    columns |= {"score": pa.array(pairs.score), "rank": pa.nulls(len(pairs), pa.int64())}
    columns |= {
        "left_position": pa.array(pairs.left + left.first),
        "right_position": pa.array(pairs.right + right.first),
    }
    for side, table in sides.items():
        columns |= {f"{side}_{name}": table.column(name) for name in table.column_names[1:]}
    return pa.table(columns)


def ranked(tables: Iterable[pa.Table]) -> Iterator[pa.Table]:
    """Number the partners of each left record, the best first, in tables that come in the order of a match."""
    last = before = -1
    for table in tables:
        left = table.column("left_position").to_numpy()
        rank = ranks(left) + 1
        if left[0] == last:
            rank[left == last] += before
        last, before = int(left[-1]), int(rank[-1])
        yield table.set_column(table.column_names.index("rank"), "rank", pa.array(rank, pa.int64()))


def strips_of(run: Run, terms: Terms) -> list[tuple[int, int, int]]:
    """Cut blocks into strips whose lists fit what is left of the memory: number, first block, the block after the last.

    One that went before is cut as it was: its files are there.
    """
    largest = max((_bytes(terms, block, run.together) for block in terms.blocks), default=0)
    release_memory()
    limit, there = (run.limit, resident_memory()) if run.embedded else (run.memory, 0)
    room = limit - there - len(terms) * _ANY - 2 * largest - _SLACK
    room = run.settled("strip-bytes", max(room, limit // 8))
    ends = _ends(run, terms)
    strips: list[tuple[int, int, int]] = []
    first = size = 0
    for place, block in enumerate(terms.blocks):
        taken = _bytes(terms, block, run.together)
        if place > first and (size + taken > room or block.first in ends):
            strips.append((len(strips), first, place))
            first, size = place, 0
        size += taken
    return [*strips, (len(strips), first, len(terms.blocks))]


def _ends(run: Run, terms: Terms) -> set[int]:
    """Return where strips end so that all workers have some, of the same work each: where blocks do."""
    if run.embedded:
        return set()
    wanted = np.cumsum([*strip_lengths(terms.blocks[-1].end, run.strips, 1 << 62, True)])
    return {next((block.first for block in terms.blocks if block.first >= end), 0) for end in wanted}


def _bytes(terms: Terms, block: Block, threads: int) -> int:
    (entries, distinct), (text, term) = terms.sizes[block.number], _THREAD
    return entries * _ENTRY + len(block) * (_TEXT + text * threads) + distinct * (_TERM + term * threads)


def near_strips(run: Run, terms: Terms, sides: Sides, least: float) -> tuple[Path, ...]:
    """Return the files of all pairs from a score on, each once."""
    with run.stage("pairs"):
        task = NearTask(run.place("pairs"), terms, sides, least, run.together)
        strips = strips_of(run, terms)
        run.map(task, strips, "strips matched")
        release_memory()
        if isinstance(run.engine, DuckDB):  # tables have what is left
            run.engine.limit(max(_TABLES, (run.limit - resident_memory()) // 2))
        return tuple(task.folder / f"{number:06d}.parquet" for number, _, _ in strips)
