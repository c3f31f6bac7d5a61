"""Write pairs that the driver knows as positions and numbers as rows with ids and texts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from likewise.engines import Apart
from likewise.jobs.distributed.blocks import Block, ranged
from likewise.jobs.distributed.input import Input
from likewise.jobs.distributed.part_files import files_of, rows_and_bytes, write_once
from likewise.jobs.distributed.run import Run
from likewise.jobs.distributed.sides import Sides
from likewise.records.columns import shown
from likewise.storage import atomic_path


def pair_rows(
    run: Run,
    inputs: Sequence[Input],
    sides: Sides,
    name: str,
    numbers: Mapping[str, Any],
    fields: tuple[str, ...] = (),
) -> tuple[Path, ...]:
    """Let tasks write pairs, given as positions and numbers in the order of the left records; return the files.

    ``fields``: what each of them weighs, a row each.
    """
    path = run.place("given") / f"{name}.parquet"
    with atomic_path(path) as temporary:
        pq.write_table(pa.table(dict(numbers)), temporary)
    folder, blocks = run.place(name), run.blocks_of(inputs[0].files)
    rights = tuple(run.blocks_of(inputs[-1].files))
    run.map(RowTask(folder, path, sides, rights, len(inputs) == 1, fields), blocks, "blocks written")
    return files_of(folder, blocks)


@dataclass(frozen=True, slots=True)
class RowTask(Apart):
    """Pairs of positions with numbers, and the records -> rows with ids and texts, by blocks of left records."""

    folder: Path
    numbers: Path
    sides: Sides
    rights: tuple[Block, ...]
    itself: bool
    fields: tuple[str, ...] = ()

    def shard(self, state: None, shard: Block) -> dict[str, Any]:
        """Write the pairs of one block of left records."""
        path = write_once(self.folder / f"{shard.name}.parquet", lambda: self._rows(shard))
        return rows_and_bytes(path, "pairs")

    def _rows(self, strip: Block) -> pa.Table:
        numbers = ranged([self.numbers], "left", strip.first, strip.end)
        left, right = (numbers.column(name).to_numpy() for name in ("left", "right"))
        lefts = self._called(0, strip, left)
        parts, order = [], []
        for block in self.rights:
            mine = np.flatnonzero((right >= block.first) & (right < block.end))
            if len(mine):
                parts.append(self._called(0 if self.itself else 1, block, right[mine]))
                order.append(mine)
        if not parts:  # one record is read for the types
            path, start, stop = self.rights[0].parts[0]
            one = replace(self.rights[0], parts=((path, start, min(start + 1, stop)),))
            parts, order = [self._called(0 if self.itself else 1, one, right)], [right]
        rights = pa.concat_tables(parts).take(pa.array(np.argsort(np.concatenate(order), kind="stable")))
        others = [name for name in numbers.column_names if name not in ("left", "right")]
        if self.fields:
            rows = pa.array(np.repeat(np.arange(len(left)), len(self.fields)))
            weights = np.column_stack([numbers.column(name).to_numpy() for name in others])
            return pa.table(
                {
                    "left": lefts.column("id").take(rows),
                    "right": rights.column("id").take(rows),
                    "field": pa.array(np.tile(np.array(self.fields, object), len(left)), pa.string()),
                    "weight": pa.array(weights.ravel(), pa.float64()),
                }
            )
        return pa.table(
            {
                "left": lefts.column("id"),
                "right": rights.column("id"),
                **{name: numbers.column(name) for name in others},
                "left_text": lefts.column("text"),
                "right_text": rights.column("text"),
                "left_position": numbers.column("left"),
                "right_position": numbers.column("right"),
            }
        )

    def _called(self, side: int, block: Block, positions: NDArray[np.int64]) -> pa.Table:
        """Return ids and texts of records of a block."""
        records = self.sides.read(side, block)
        rows = positions - block.first
        ids = records.ids.take(pa.array(rows))
        if self.fields:
            return pa.table({"id": ids})
        return pa.table({"id": ids, "text": shown(self.sides.fields(side, records), rows)})
