"""Add to a list of pairs why each of them scores as it does."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from likewise.engines import Apart
from likewise.jobs.distributed.blocks import Block
from likewise.jobs.distributed.fitted import of_records
from likewise.jobs.distributed.pairs import inside
from likewise.jobs.distributed.part_files import rows_and_bytes, write_once
from likewise.jobs.distributed.run import Run
from likewise.jobs.distributed.sides import Sides
from likewise.jobs.distributed.statistics import MEASURE, read_measures
from likewise.join import Pairs
from likewise.measure import Measure
from likewise.records.tables import reasons


@dataclass(frozen=True, slots=True)
class ExplainTask(Apart):
    """Files of pairs -> ``explained/*.parquet``: the same pairs, with the parts that contributed most to each score."""

    folder: Path
    sides: Sides
    lefts: tuple[Block, ...]
    rights: tuple[Block, ...]
    measures: Path

    def begin(self) -> Measure:
        """Return the measure of records."""
        return of_records(read_measures(self.measures), self.sides)

    def shard(self, state: Measure, shard: tuple[str, Path]) -> dict[str, Any]:
        """Explain the pairs of one file."""
        name, pairs = shard
        path = write_once(self.folder / f"{name}.parquet", lambda: self._explained(state, pq.read_table(pairs)))
        return rows_and_bytes(path, "explained")

    def _explained(self, measure: Measure, table: pa.Table) -> pa.Table:
        left, right = (table.column(f"{side}_position").to_numpy() for side in ("left", "right"))
        why = np.full(len(left), "", object)
        for one in self.lefts:
            own = inside(left, one)
            columns = self._columns(0, one) if own.any() else []
            for other in self.rights if own.any() else ():
                rows = np.flatnonzero(own & inside(right, other))
                if len(rows):
                    pairs = Pairs(left[rows] - one.first, right[rows] - other.first, np.zeros(len(rows)))
                    others = columns if one == other and self.sides.left == self.sides.right else None
                    others = self._columns(1, other) if others is None else others
                    why[rows] = reasons(columns, others, pairs, measure, self.sides.left)
        return table.append_column("why", pa.array(why, pa.string()))

    def _columns(self, side: int, block: Block) -> Any:
        return self.sides.fields(side, self.sides.read(side, block))


def explained(run: Run, files: Sequence[Sequence[Path]], sides: Sides, pairs: Sequence[Path]) -> tuple[Path, ...]:
    """Return the files of pairs with why they score as they do."""
    with run.stage("explain"):
        folder, (lefts, rights) = run.place("explained"), (tuple(run.blocks_of(one)) for one in files)
        task = ExplainTask(folder, sides, lefts, rights, run.folder / f"{MEASURE}.json")
        shards = [(f"{number:06d}", path) for number, path in enumerate(pairs)]
        run.map(task, shards, "files of pairs explained")
    return tuple(folder / f"{name}.parquet" for name, _ in shards)
