"""Results of a finished run that are made when asked for: unmatched records, joined tables, merged records.

Tasks write them, on the engine that did the run: it is started again in the same work folder.
"""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from likewise.engines import Apart
from likewise.errors import InputError
from likewise.jobs.distributed.blocks import Block, plan, ranged
from likewise.jobs.distributed.input import ID, Input
from likewise.jobs.distributed.job import Finished
from likewise.jobs.distributed.part_files import files_of, rows_and_bytes, write_once
from likewise.jobs.distributed.run import Run, bytes_each, records_in
from likewise.jobs.distributed.sides import Sides
from likewise.jobs.distributed.unmatched import write_unmatched
from likewise.options import check_choice
from likewise.read.tables import check_columns
from likewise.records.dates import day_or_month
from likewise.records.options import NEWEST, DedupeOptions, parse_survivors
from likewise.records.survivors import check_rules, merged_records, newest_texts
from likewise.results.joined import HOWS, How, brought, side_by_side
from likewise.results.parts import Parts
from likewise.storage import atomic_path

_PIECES = 64
"""Parts of a file of which a task reads those that it needs, and skips the others."""
_SPREAD = 4  # what records take, in their own bytes, while they are spread
_MERGED, _RECORD = 8, 1_000  # the same while they are merged; and besides for each


@dataclass(frozen=True, slots=True)
class OnDemand:
    """A finished match, and the results that can be made of it later."""

    finished: Finished
    inputs: Sequence[Input]
    narrow: bool
    """Whether no columns were kept but those that are compared."""

    def joining(self, pairs: tuple[Path, ...]) -> "Joining":
        """Return a function that joins both tables."""
        return Joining(self.finished, self.inputs, pairs, self.narrow)

    def unmatched(self, sides: Sides, pairs: tuple[Path, ...]) -> Callable[[], Parts]:
        """Return a function that lets tasks write the records in no pair, once."""

        def written() -> Parts:
            with self.finished.again() as run, run.stage("unmatched"):
                return write_unmatched(run, self.inputs, sides, pairs)

        return cache(written)


@dataclass(frozen=True, slots=True)
class Joining:
    """Both tables and the pairs of a match, to be put side by side."""

    finished: Finished
    inputs: Sequence[Input]
    pairs: tuple[Path, ...]
    narrow: bool

    def __call__(self, how: How, columns: Sequence[str] | None) -> Parts:
        """Let tasks write the records of both tables side by side."""
        check_choice("how", how, HOWS)
        if self.narrow:
            raise InputError("only what is compared was kept of the DataFrames: name the columns to join in match, too")
        left, right = _named(self.inputs[0], "left"), check_brought(self.inputs[-1], columns)
        wanted = brought(right.schema.names, right.id_column, columns)
        asked = hashlib.sha256(repr((how, wanted)).encode()).hexdigest()[:16]
        with self.finished.again() as run, run.stage("join"):
            folder = run.place(f"joined/{asked}")
            blocks, rights = run.blocks_of(left.files), tuple(run.blocks_of(right.files))
            task = JoinTask(folder, self.pairs, (left, right), rights, how, tuple(wanted))
            run.map(task, blocks, "blocks joined")
        files = files_of(folder, blocks)
        return Parts(files, tuple(pq.read_schema(files[0]).names))


def check_brought(one: Input, columns: Sequence[str] | None) -> Input:
    """Return the right side as it is joined; refuse columns that it does not have."""
    right = _named(one, "right")
    check_columns(right.schema.empty_table(), list(columns or ()), one.name)
    return right


def _named(one: Input, name: str) -> Input:
    """Return a side as it is joined: ids that came beside the table are a column, the first, unless there is one."""
    fields = [field for field in one.schema if field.name != ID]
    if ID in one.schema.names and name not in one.columns:
        fields.insert(0, pa.field(name, one.schema.field(ID).type))
        return replace(one, schema=pa.schema(fields), id_column=name)
    return replace(one, schema=pa.schema(fields), id_column=None if one.id_column == ID else one.id_column)


@dataclass(frozen=True, slots=True)
class JoinTask(Apart):
    """Blocks of left records, pairs, and the right records of these -> ``joined/*/*.parquet``."""

    folder: Path
    pairs: tuple[Path, ...]
    inputs: tuple[Input, Input]
    rights: tuple[Block, ...]
    how: How
    wanted: tuple[str, ...]

    def shard(self, state: None, shard: Block) -> dict[str, Any]:
        """Join one block of left records."""
        path = write_once(self.folder / f"{shard.name}.parquet", lambda: self._joined(shard))
        return rows_and_bytes(path, "rows")

    def _joined(self, block: Block) -> pa.Table:
        left = self._read(0, block, self.inputs[0].schema.names)
        pairs = ranged(self.pairs, "left_position", block.first, block.end)
        a, b = (pairs.column(f"{side}_position").to_numpy() for side in ("left", "right"))
        positions = np.unique(b)
        parts = []
        for other in self.rights if self.how != "anti" else ():
            mine = positions[(positions >= other.first) & (positions < other.end)]
            if len(mine):
                parts.append(self._read(1, other, self.wanted).take(pa.array(mine - other.first)))
        if not parts:  # none is read but for the types
            first = self.rights[0]
            path, start, stop = first.parts[0]
            parts = [
                self._read(1, replace(first, parts=((path, start, min(start + 1, stop)),)), self.wanted).slice(0, 0)
            ]
        rows = (a - block.first, np.searchsorted(positions, b))
        return side_by_side(pairs, rows, left, pa.concat_tables(parts), self.wanted, self.how)

    def _read(self, side: int, block: Block, names: Sequence[str]) -> pa.Table:
        one = self.inputs[side]
        # The first column may be that of the ids that came beside the table.
        kept = {name: name if name in pq.read_schema(block.parts[0][0]).names else ID for name in names}
        types = {kept[field.name]: field.type for field in one.schema if field.name in kept}
        return block.read(list(kept.values()), None, one.name, types).table.rename_columns(list(kept))


@dataclass(frozen=True, slots=True)
class Merging:
    """The clusters of a dedupe and the records, of which one is made of each cluster."""

    finished: Finished
    given: Input
    numbered: tuple[Path, ...]
    options: DedupeOptions

    def __call__(self) -> Parts:
        """Let tasks write the merged records."""
        one, rules = self.given, parse_survivors(self.options.survivor)
        types = {name: one.schema.field(name).type for name in one.columns}
        with self.finished.again() as run, run.stage("merge"):
            spread, dated = run.place("spread"), self.options.newest_by if NEWEST in rules.values() else None
            # As long as memory allows: whoever merges some clusters looks into every file of records that were spread.
            size = max(run.block, int(run.memory / (_SPREAD * max(1.0, bytes_each(one.files)))))
            size = run.settled("spread-block", min(size, -(-records_in(one.files) // run.engine.places) or 1))
            shards = plan(one.files, size)
            counts = run.map(SpreadTask(spread, self.numbered, types, dated), shards, "blocks read")
            day_first = sum(count["days"] for count in counts) > sum(count["months"] for count in counts)
            task = MergeTask(
                run.place("merged"),
                run.folder / "canonical",
                files_of(spread, shards),
                self.numbered,
                types,
                rules,
                dated,
                self.options.id,
                day_first,
            )
            blocks = run.blocks_of(one.files)
            run.map(task, self._portions(run, blocks), "clusters merged")
        return Parts(files_of(task.folder, blocks), tuple(types))

    def _portions(self, run: Run, blocks: Sequence[Block]) -> list[list[Block]]:
        """Put blocks together as long as memory holds the records that are merged: the members of their clusters."""
        ends, sizes = np.array([block.end for block in blocks]), np.zeros(len(blocks), np.int64)
        for path in self.numbered:
            with pq.ParquetFile(path) as file:
                for batch in file.iter_batches(columns=["position", "stood", "members"]):
                    position, stood, members = (batch.column(name).to_numpy() for name in batch.schema.names)
                    mine = position == stood
                    np.add.at(sizes, np.searchsorted(ends, position[mine], "right"), members[mine])
        each = _MERGED * bytes_each(self.given.files) + _RECORD
        most = min(run.memory / each, -(-ends[-1] // run.strips))
        portions: list[list[Block]] = []
        held = 0
        for block, size in zip(blocks, sizes.tolist(), strict=True):
            if not portions or held + size > most:
                portions.append([])
                held = 0
            portions[-1].append(block)
            held += size
        return portions


def check_survivors(one: Input, options: DedupeOptions) -> None:
    """Refuse unknown rules, and rules for unknown columns."""
    check_rules(one.schema.empty_table(), parse_survivors(options.survivor), options.newest_by)


@dataclass(frozen=True, slots=True)
class SpreadTask(Apart):
    """Blocks of records -> ``spread/*.parquet``: those in a cluster of several, in the order of who stands for it."""

    folder: Path
    numbered: tuple[Path, ...]
    types: Mapping[str, Any]
    newest_by: str | None

    def shard(self, state: None, shard: Block) -> dict[str, Any]:
        """Write the records of one block for the tasks that merge them; count how its dates are written."""
        path = self.folder / f"{shard.name}.parquet"
        table = shard.read(list(self.types), None, "table", self.types).table
        if not path.exists():
            numbered = ranged(self.numbered, "position", shard.first, shard.end)
            several = np.flatnonzero(numbered.column("members").to_numpy() > 1)
            stood = numbered.column("stood").to_numpy()[several]
            order = np.argsort(stood, kind="stable")
            rows = table.take(pa.array(several[order])).rename_columns([f"c{at}" for at in range(len(self.types))])
            rows = rows.append_column("stood", pa.array(stood[order], pa.int64()))
            rows = rows.append_column("position", pa.array((several + shard.first)[order], pa.int64()))
            with atomic_path(path) as temporary:
                # Of texts the least and the greatest of every part would be in memory with the footers of all files.
                pieces = -(-len(rows) // _PIECES) or 1
                pq.write_table(rows, temporary, row_group_size=pieces, write_statistics=["stood"])
        days, months = (0, 0) if self.newest_by is None else day_or_month(newest_texts(table, self.newest_by))
        return {"days": days, "months": months, "bytes": path.stat().st_size}


@dataclass(frozen=True, slots=True)
class MergeTask(Apart):
    """Some blocks of canonical records, and all members of their clusters -> ``merged/*.parquet``."""

    folder: Path
    canonical: Path
    spread: tuple[Path, ...]
    numbered: tuple[Path, ...]
    types: Mapping[str, Any]
    rules: Mapping[str, str]
    newest_by: str | None
    id_column: str | None
    day_first: bool

    def shard(self, state: None, shard: Sequence[Block]) -> dict[str, Any]:
        """Merge the clusters for which a record of some blocks stands."""
        paths = files_of(self.folder, shard)
        if not all(path.exists() for path in paths):
            several = ranged(self.spread, "stood", shard[0].first, shard[-1].end)
            for block, path in zip(shard, paths, strict=True):
                with atomic_path(path) as temporary:
                    pq.write_table(self._merged(block, several), temporary)
        sizes = [path.stat().st_size for path in paths]
        return {"records": sum(pq.read_metadata(path).num_rows for path in paths), "bytes": sum(sizes)}

    def _merged(self, block: Block, several: pa.Table) -> pa.Table:
        names, of = list(self.types), several.column("stood")
        several = several.filter(pc.and_(pc.greater_equal(of, block.first), pc.less(of, block.end)))
        numbered = ranged(self.numbered, "position", block.first, block.end)
        position, stood, members = (numbered.column(name).to_numpy() for name in ("position", "stood", "members"))
        standing = position == stood
        single = members[standing] == 1
        alone = pq.read_table(self.canonical / f"{block.name}.parquet").filter(pa.array(single))
        of, places = (several.column(name).to_numpy() for name in ("stood", "position"))
        groups = np.concatenate([position[standing][single], of])
        order = np.argsort(places := np.concatenate([position[standing][single], places]), kind="stable")
        table = pa.concat_tables([alone, several.select(range(len(names))).rename_columns(names).cast(alone.schema)])
        table, groups, places = table.take(pa.array(order)), groups[order], places[order]
        chosen = np.flatnonzero(groups == places)
        return merged_records(table, groups, chosen, self.rules, self.newest_by, self.id_column, self.day_first)
