"""The first few copies of each record, in files of their own; :mod:`likewise.records.copies` says why."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from likewise.engines import Apart
from likewise.jobs.distributed.blocks import Block, ranged
from likewise.jobs.distributed.fields import FieldInFiles, Fields
from likewise.jobs.distributed.part_files import files_of, rows_and_bytes, write_once
from likewise.jobs.distributed.run import Run
from likewise.records.copies import Copies


@dataclass(frozen=True, slots=True)
class EarlyTask(Apart):
    """Blocks, and the positions of the records that are looked at -> ``early/*.parquet``: these records."""

    folder: Path
    columns: tuple[str, ...]
    types: Mapping[str, Any]
    positions: Path

    def shard(self, state: None, shard: Block) -> dict[str, Any]:
        """Take over the records of one block that are looked at."""
        path = write_once(self.folder / f"{shard.name}.parquet", lambda: self._early(shard))
        return rows_and_bytes(path, "records")

    def _early(self, block: Block) -> pa.Table:
        rows = ranged((self.positions,), "position", block.first, block.end).column("position").to_numpy()
        table = block.read(self.columns, None, "left", self.types).table
        return table.take(pa.array(rows - block.first))


def copies_of(fields: Fields) -> Copies | None:
    """Return the copies among the records of one table; where records must agree in a key none is told."""
    whole = fields.told[0].sides
    return None if len(fields.inputs) > 1 or whole.equal_on else Copies.of(FieldInFiles(fields, 0).codes(0))


def early_records(run: Run, fields: Fields, copies: Copies) -> tuple[Path, tuple[Path, ...]]:
    """Return where it is said which records are looked at (``place`` among them, ``position``), and their files."""
    early = {"place": np.arange(len(copies.early)), "position": copies.early}
    positions = write_once(run.place("early") / "positions.parquet", lambda: pa.table(early))
    sides = [one.sides for one in fields.told]
    columns = tuple(dict.fromkeys(name for one in sides for name in one.columns(0)))
    blocks = run.blocks_of(fields.inputs[0].files)
    with run.stage("early"):
        task = EarlyTask(run.place("early/records"), columns, sides[0].types[0], positions)
        run.map(task, blocks, "blocks of records with many copies")
    return positions, files_of(task.folder, blocks)
