"""Read documents of every kind in tasks: text, Web pages, WARC files, PDF, books, office files."""

import pickle
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from likewise.engines import Apart
from likewise.jobs.collect import CollectOptions, texts_of_file
from likewise.jobs.distributed.run import Run
from likewise.jobs.shards import Shard
from likewise.read import Document, ReadOptions, Skipped
from likewise.read.corpus import FACTS, facts
from likewise.read.documents import read_file
from likewise.storage import atomic_path

COLUMNS = ("id", "title", "text", "source", *FACTS)
# The fields of a document are any values, and come back as they were.
SCHEMA = pa.schema([*((name, pa.string()) for name in COLUMNS), ("fields", pa.binary())])
_BATCH = 256  # documents that a task holds
_SKIPPED = b"skipped"


@dataclass(frozen=True, slots=True)
class DocumentTask(Apart):
    """Files, or pieces of large ones -> ``documents/*.parquet``, with what was skipped written in them.

    ``collected`` says which parts of documents and tables become texts of an index; their title is where they stand.
    """

    folder: Path
    read: ReadOptions
    collected: CollectOptions | None = None
    called: Mapping[str, str] = field(default_factory=dict)
    """Files whose path, as it was given, is not the whole one that a worker needs."""
    with_text: bool = False
    """Whether documents without text are skipped."""

    def shard(self, state: None, shard: Shard) -> dict[str, Any]:
        """Read the documents of a shard; what cannot be read is reported, or, if ``strict``, an error."""
        path = self.folder / f"{shard.name}.parquet"
        skipped: list[Skipped] = []
        if not path.exists():
            with atomic_path(path) as temporary, pq.ParquetWriter(temporary, SCHEMA) as writer:
                documents = iter(self.documents(shard, skipped))
                while some := list(islice(documents, _BATCH)):
                    rows = [self._row(one) for one in some]
                    columns = zip(zip(*rows, strict=True), SCHEMA.types, strict=True)
                    writer.write_table(pa.table([pa.array(*column) for column in columns], schema=SCHEMA))
                writer.add_key_value_metadata({_SKIPPED: pickle.dumps(skipped)})
        footer = pq.read_metadata(path)
        skipped = pickle.loads(footer.metadata[_SKIPPED])
        reasons = Counter(f"skipped, {one.reason}" for one in skipped)
        return {"documents": footer.num_rows, "bytes": path.stat().st_size, "skipped": skipped, **reasons}

    def documents(self, shard: Shard, skipped: list[Skipped]) -> Iterator[Document]:
        """Yield the documents of a shard; add what was skipped to ``skipped``."""
        for path, name, piece in shard.files:
            if self.collected is None:
                found = read_file(Path(path), name, self.read, skipped.append, piece)
            else:
                found = texts_of_file(Path(path), name, piece, self.collected, self.read, skipped.append)
            called = self.called.get(path, path)
            for one in found:
                if self.with_text and not one.text.strip():
                    skipped.append(Skipped(one.id, None, "no text"))
                    continue
                yield replace(one, source=one.source.replace(path, called, 1)) if called != path else one
            skipped[:] = [replace(one, source=one.source.replace(path, called, 1)) for one in skipped]

    def _row(self, document: Document) -> tuple[Any, ...]:
        title, *told = facts(document)
        if not self.with_text:  # of a record, what is not known is null
            title = document.title if self.collected is None else document.heading
        return document.id, title, document.text, document.source, *told, pickle.dumps(document.fields)


def documents_on(run: Run, shards: Sequence[Shard], task: DocumentTask) -> tuple[tuple[Path, ...], list[Skipped]]:
    """Return the files of documents, and what was skipped."""
    counts = run.map(task, shards, "shards read")
    files = tuple(task.folder / f"{shard.name}.parquet" for shard in shards)
    return files, [one for count in counts for one in count["skipped"]]


def as_given(named: Iterable[tuple[Path, str]]) -> dict[str, str]:
    """Return the paths as they were given, by absolute path, where the two differ."""
    return {str(path.absolute()): str(path) for path, _ in named if not path.is_absolute()}


def stamps(shards: Sequence[Shard]) -> list[Any]:
    """Return what identifies these files and their present contents."""
    return [[path, name, Path(path).stat().st_mtime_ns] for shard in shards for path, name, _ in shard.files]
