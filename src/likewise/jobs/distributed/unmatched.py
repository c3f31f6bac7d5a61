"""The records that are in no pair."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from likewise.engines import Apart
from likewise.jobs.distributed.blocks import Block, ranged
from likewise.jobs.distributed.input import Input
from likewise.jobs.distributed.part_files import write_once
from likewise.jobs.distributed.run import Run
from likewise.jobs.distributed.sides import Sides
from likewise.records.columns import shown
from likewise.records.tables import unmatched_table
from likewise.results.parts import Parts


@dataclass(frozen=True, slots=True)
class AloneTask(Apart):
    """Blocks of a side, and the positions of it that are in pairs -> ``unmatched/*.parquet``."""

    folder: Path
    sides: Sides
    used: tuple[tuple[Path, ...], ...]
    as_text: bool

    def shard(self, state: None, shard: tuple[int, Block]) -> dict[str, Any]:
        """Write the records of one block that are in no pair."""
        side, block = shard
        path = write_once(self.folder / f"{side}-{block.name}.parquet", lambda: self._unmatched(side, block))
        return {"unmatched": pq.read_metadata(path).num_rows}

    def _unmatched(self, side: int, block: Block) -> pa.Table:
        records = self.sides.read(side, block)
        texts = shown(self.sides.fields(side, records))
        used = ranged(self.used[side], "position", block.first, block.end).column("position").to_numpy()
        table = unmatched_table([("right" if side else "left", records, used - block.first, texts)])
        return table.set_column(1, "id", table.column("id").cast(pa.string())) if self.as_text else table


def write_unmatched(run: Run, inputs: Sequence[Input], sides: Sides, pairs: Sequence[Path]) -> Parts:
    """Return the records of both tables, or of the one, that are in no pair."""
    run.engine.load("found", pairs)
    every = "SELECT left_position AS position FROM found UNION ALL SELECT right_position AS position FROM found"
    asked = (
        [every]
        if len(inputs) == 1
        else [f"SELECT {side}_position AS position FROM found" for side in ("left", "right")]
    )
    distinct = [f"SELECT DISTINCT position FROM ({sql}) AS used ORDER BY position" for sql in asked]
    used = tuple(tuple(run.engine.write(sql, run.place(f"used/{side}"))) for side, sql in enumerate(distinct))
    shards = [(side, block) for side, one in enumerate(inputs) for block in run.blocks_of(one.files)]
    kinds = {_id_type(one, sides.ids[side]) for side, one in enumerate(inputs)}
    folder = run.place("unmatched")
    run.map(AloneTask(folder, sides, used, len(kinds) > 1), shards, "blocks looked through")
    files = tuple(folder / f"{side}-{block.name}.parquet" for side, block in shards)
    return Parts(files, ("side", "id", "text"))


def _id_type(one: Input, id_column: str | None) -> pa.DataType:
    kind = pa.int64() if id_column is None else one.schema.field(id_column).type
    return kind if pa.types.is_integer(kind) or pa.types.is_string(kind) else pa.string()
