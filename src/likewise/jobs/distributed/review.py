"""List the pairs that made clusters, and the doubtful ones for people to review."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from likewise.engines import Apart
from likewise.engines.sql import double
from likewise.jobs.distributed.distinct import KIND
from likewise.jobs.distributed.ordered import written_in_order
from likewise.jobs.distributed.part_files import rows_and_bytes
from likewise.jobs.distributed.run import Run
from likewise.storage import atomic_path

_READ = 1 << 12  # pairs that are read at a time, perhaps with long texts


def list_pairs(
    run: Run, pairs: Sequence[Path], threshold: float, margin: float, texts: bool = True
) -> tuple[list[Path], list[Path]]:
    """Return the files of the pairs that made the groups, and of the doubtful ones, the closest first.

    Without ``texts`` they have the positions of the records.
    """
    quoted, least, told = run.engine.quoted, double(threshold), _told(texts)
    folder = run.place("judged")
    run.map(ListTask(folder, threshold, ("left", "right", "score", *told)), list(enumerate(pairs)), "strips judged")
    left, right = quoted(f"left_{KIND}"), quoted(f"right_{KIND}")
    doubtful = (
        f"SELECT * FROM (SELECT found.*, ABS(score - {least}) AS distance, "
        f"COALESCE(a.label, found.{left}) = COALESCE(b.label, found.{right}) AS same FROM found "
        f"LEFT JOIN made_groups AS a ON found.{left} = a.kind LEFT JOIN made_groups AS b ON found.{right} = b.kind"
        f") AS judged WHERE distance <= {double(margin)} OR (score >= {least}) <> same"
    )
    names = ("left", "right", "score", "same", *told)
    keys = (("distance", 1), ("left_position", 1), ("right_position", 1))
    return [folder / f"{number:06d}.parquet" for number in range(len(pairs))], written_in_order(
        run, "review", doubtful, names, keys
    )


def _told(texts: bool) -> tuple[str, str]:
    return ("left_text", "right_text") if texts else ("left_position", "right_position")


@dataclass(frozen=True, slots=True)
class ListTask(Apart):
    """Files of pairs -> ``judged/*.parquet``: those from a score on, in the order in which they come."""

    folder: Path
    least: float
    columns: tuple[str, ...]

    def shard(self, state: None, shard: tuple[int, Path]) -> dict[str, Any]:
        """Take over the pairs of one file."""
        number, found = shard
        path = self.folder / f"{number:06d}.parquet"
        if not path.exists():
            with pq.ParquetFile(found) as file, atomic_path(path) as temporary:
                schema = pa.schema([file.schema_arrow.field(name) for name in self.columns])
                with pq.ParquetWriter(temporary, schema) as writer:
                    for batch in file.iter_batches(_READ, columns=list(self.columns)):
                        table = pa.Table.from_batches([batch]).select(self.columns)
                        writer.write_table(table.filter(pc.greater_equal(table.column("score"), self.least)))
        return rows_and_bytes(path, "pairs")
