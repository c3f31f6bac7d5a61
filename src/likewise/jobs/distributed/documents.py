"""Documents of every kind that Likewise reads, read by tasks: text, Web pages, WARC files, PDF, books, office files."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from likewise.engines import Apart
from likewise.errors import FormatError
from likewise.jobs.distributed.asked import Job
from likewise.jobs.distributed.job import begun
from likewise.jobs.mine.shards import Shard, plan
from likewise.read import Document, ReadOptions, Skipped
from likewise.read.documents import read_file
from likewise.read.paths import Paths
from likewise.results.parts import Parts
from likewise.storage import atomic_path

COLUMNS = ("id", "title", "text", "source")
_SCHEMA = pa.schema([(name, pa.string()) for name in COLUMNS])
_BATCH = 256  # documents that a task holds


@dataclass(frozen=True, slots=True)
class DocumentTask(Apart):
    """Files, or pieces of large ones -> ``documents/*.parquet``."""

    folder: Path
    read: ReadOptions

    def shard(self, state: None, shard: Shard) -> dict[str, Any]:
        """Read the documents of a shard; what cannot be read is counted, or, where it must not be, an error."""
        path = self.folder / f"{shard.name}.parquet"
        skipped: Counter[str] = Counter()
        if not path.exists():
            with atomic_path(path) as temporary, pq.ParquetWriter(temporary, _SCHEMA) as writer:
                for group in _groups(_documents(shard, self.read, skipped)):
                    columns = [pa.array([getattr(one, name) for one in group], pa.string()) for name in COLUMNS]
                    writer.write_table(pa.Table.from_arrays(columns, schema=_SCHEMA))
        counts = {f"skipped, {reason}": count for reason, count in sorted(skipped.items())}
        return {"documents": pq.read_metadata(path).num_rows, "bytes": path.stat().st_size, **counts}


def read_documents(job: Job, paths: Paths, read: ReadOptions) -> Parts:
    """Return documents as a table: ``id``, ``title``, ``text``, ``source``, in the order of one machine."""
    shards = plan(paths, read)
    files = [[path, name, Path(path).stat().st_mtime_ns] for shard in shards for path, name, _ in shard.files]
    with begun(job, "documents", [], {"read": asdict(read), "files": files}) as run:
        folder = run.place("documents")
        with run.stage("documents"):
            run.map(DocumentTask(folder, read), shards, "shards read")
        return Parts(tuple(folder / f"{shard.name}.parquet" for shard in shards), COLUMNS)


def _documents(shard: Shard, read: ReadOptions, skipped: Counter[str]) -> Iterator[Document]:
    def on_skip(skip: Skipped) -> None:
        if read.strict:
            raise FormatError(str(skip))
        skipped[skip.reason] += 1

    for path, name, piece in shard.files:
        yield from read_file(Path(path), name, read, on_skip, piece)


def _groups(documents: Iterator[Document]) -> Iterator[list[Document]]:
    group: list[Document] = []
    for document in documents:
        group.append(document)
        if len(group) == _BATCH:
            yield group
            group = []
    yield group
