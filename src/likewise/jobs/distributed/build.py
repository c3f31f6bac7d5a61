"""An index built by tasks: weights learnt as for a match, then a segment each, put together at the end.

Segments are cut where one machine cuts them, from the same texts and with the same measure, and have the same bytes;
where the memory does not allow that they are shorter, and find the same.
"""

import pickle
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from likewise.engines import Apart
from likewise.errors import OptionError
from likewise.index.container import write_arrays
from likewise.index.index import DEFAULT_MEASURE, Index
from likewise.index.segment import SEGMENT_CHARACTERS, SEGMENT_TEXTS, Item, encode_documents
from likewise.index.snapshot import Snapshot
from likewise.jobs.collect import CollectOptions, in_order, is_whole
from likewise.jobs.distributed.asked import Job
from likewise.jobs.distributed.blocks import Block, cut
from likewise.jobs.distributed.documents import SCHEMA, DocumentTask, as_given, documents_on, stamps
from likewise.jobs.distributed.input import Input, Source
from likewise.jobs.distributed.job import begun, check_ids
from likewise.jobs.distributed.run import Run, block_size, bytes_each
from likewise.jobs.distributed.statistics import MEASURE, learn, read_measures
from likewise.jobs.shards import plan_files
from likewise.measure import TextMeasure, as_measure
from likewise.measure.terms import TermMeasure
from likewise.options import json_of
from likewise.platform import release_memory, resident_memory
from likewise.read import ReadOptions
from likewise.read.paths import Paths
from likewise.read.skipped import OnSkip
from likewise.read.tables import Records, texts_of
from likewise.storage import atomic_path

_SEGMENT = 8  # bytes that a segment takes while it is built, for a character of its texts
# The most that it took of all, with its texts as they come and go; and what the process has before.
_AT_MOST, _BEFORE = 24, 96 << 20
_SLACK = 32 << 20  # what comes and goes besides
_LEAST = 1_000_000  # characters of a segment, however little memory there is


@dataclass(frozen=True, slots=True)
class Texts:
    """What becomes an index: the column of texts, that of ids, and those that become fields."""

    on: str
    id_column: str | None
    fields: tuple[str, ...]
    types: Mapping[str, Any]

    def read(self, side: int, block: Block) -> Records:
        """Return a block's records."""
        return block.read([self.on, *self.fields], self.id_column, "table", self.types)

    def texts(self, records: Records) -> list[str]:
        """Return the text of each record; one that is missing is empty."""
        return [text or "" for text in texts_of(records.table, self.on, records.name).to_pylist()]

    def learnt_from(self, side: int, records: Records) -> list[list[str]]:
        """Return what the measure learns from."""
        return [self.texts(records)]

    def items(self, records: Records) -> list[Item]:
        """Return records as an index keeps them."""
        columns = [(name, records.table.column(name).to_pylist()) for name in self.fields]
        return [
            Item(one, text, "", {name: values[row] for name, values in columns if values[row] is not None})
            for row, (one, text) in enumerate(zip(records.ids.to_pylist(), self.texts(records), strict=True))
        ]


@dataclass(frozen=True, slots=True)
class Collected:
    """What becomes an index: documents or their parts, as :class:`DocumentTask` wrote them."""

    def read(self, side: int, block: Block) -> Records:
        """Return a block's records."""
        return block.read(SCHEMA.names, "id", "documents", dict(zip(SCHEMA.names, SCHEMA.types, strict=True)))

    def learnt_from(self, side: int, records: Records) -> list[list[str]]:
        """Return what the measure learns from."""
        return [[item.searched for item in self.items(records)]]

    def items(self, records: Records) -> list[Item]:
        """Return records as an index keeps them."""
        return [
            Item(row["id"], row["text"], row["source"], pickle.loads(row["fields"]), row["title"])
            for row in records.table.to_pylist()
        ]


@dataclass(frozen=True, slots=True)
class LengthTask(Apart):
    """Blocks -> ``lengths/*.parquet``: characters of each text, which say where segments end."""

    folder: Path
    texts: Texts | Collected

    def shard(self, state: None, shard: Block) -> dict[str, Any]:
        """Measure the texts of one block."""
        path = self.folder / f"{shard.name}.parquet"
        if not path.exists():
            lengths = pa.array([len(item.text) for item in self.texts.items(self.texts.read(0, shard))], pa.int64())
            with atomic_path(path) as temporary:
                pq.write_table(pa.table({"length": lengths}), temporary)
        return {"records": len(shard)}


@dataclass(frozen=True, slots=True)
class SegmentTask(Apart):
    """Blocks -> ``segments/*.arrays``."""

    folder: Path
    texts: Texts | Collected
    measures: Path
    threads: int = 1
    """Places that a segment takes: all of them where two segments at a time would not fit the memory."""

    def begin(self) -> Snapshot:
        """Return an empty index with the measure, which is shared where this process learnt it."""
        return Snapshot.holding(read_measures(self.measures)[0])

    def shard(self, state: Snapshot, shard: Block) -> dict[str, Any]:
        """Write one segment."""
        path = self.folder / f"{shard.name}.arrays"
        records = self.texts.read(0, shard)
        last = pc.max(records.ids).as_py() if pa.types.is_integer(records.ids.type) else None
        if not path.exists():
            items = self.texts.items(records)
            del records  # the items have the texts
            arrays = {**state.family.build([item.searched for item in items]), "documents": encode_documents(items)}
            with atomic_path(path) as temporary:
                temporary.unlink()
                write_arrays(temporary, arrays)
            state.measure.analyser.forget_words()
        return {"texts": len(shard), "next id": 0 if last is None else last + 1, "bytes": path.stat().st_size}


def build_on(
    job: Job, given: Any, path: Path, on: str, id_column: str | None, fields: Sequence[str], measure: Any
) -> Index:
    """Build the index that :meth:`likewise.Index.build` builds, on an engine; write it to ``path`` and open it."""
    chosen = _measure(measure)
    source = Source(given, "table", id_column, (on, *fields), job.read)
    identity = {"measure": chosen.to_json(), "on": on, "id": id_column, "fields": list(fields)}
    with begun(job, "index", [source], identity) as run:
        with run.stage("keep"):
            table = source.bring(run, run.place("left"))
            table.check([on, *fields, *([id_column] if id_column else [])])
        types = dict(zip(table.schema.names, table.schema.types, strict=True))
        return _built(run, table, Texts(on, table.id_column, tuple(fields), types), chosen, path, {})


def index_on(
    job: Job,
    paths: Paths,
    path: Path,
    measure: Any,
    options: CollectOptions,
    read: ReadOptions,
    settings: Mapping[str, Any],
    on_skip: OnSkip | None,
) -> Index:
    """Build the index that :func:`likewise.index_paths` builds, on an engine; write it to ``path`` and open it."""
    chosen = _measure(measure)
    named = in_order(paths, options)
    shards = plan_files(named, read, lambda name: is_whole(name, options))
    identity = {
        "measure": chosen.to_json(),
        "options": json_of(options),
        "read": json_of(read),
        "files": stamps(shards),
    }
    with begun(job, "index", [], identity) as run:
        with run.stage("documents"):
            task = DocumentTask(run.place("documents"), read, options, as_given(named))
            files, skipped = documents_on(run, shards, task)
        for one in skipped:
            if on_skip is not None:
                on_skip(one)
        return _built(run, Input("documents", files, SCHEMA, "id"), Collected(), chosen, path, settings)


def _measure(measure: Any) -> TextMeasure:
    chosen = as_measure(measure, DEFAULT_MEASURE)
    if not isinstance(chosen, TextMeasure):
        raise OptionError(f"an index keeps texts and needs a measure of texts, not {chosen}")
    return chosen


def _built(
    run: Run, table: Input, texts: Texts | Collected, chosen: TextMeasure, path: Path, settings: Mapping[str, Any]
) -> Index:
    check_ids(run, table)
    size = block_size(run.memory, bytes_each(table.files), isinstance(chosen, TermMeasure))
    run = replace(run, block=run.settled("block", size))
    blocks = run.blocks_of(table.files)
    with run.stage("learn"):
        [fitted] = learn(run, texts, [chosen.copy()], [(0, block) for block in blocks], checked=True)
    run.report.options["measure"] = str(chosen)
    empty = Snapshot.holding(fitted)
    with run.stage("segments"):
        run.map(LengthTask(run.place("lengths"), texts), blocks, "blocks measured")
        longest = run.settled("segment", segment_characters(*_room(run)))
        portions = cut(table.files, _sizes(run, blocks, longest))
        folder = run.place("segments")
        threads = 1 if run.memory > _SEGMENT * SEGMENT_CHARACTERS else run.together
        counts = run.map(
            SegmentTask(folder, texts, run.folder / f"{MEASURE}.json", threads), portions, "segments built"
        )
    made = [(folder / f"{block.name}.arrays", len(block)) for block in portions if len(block)]
    return Index.of_segments(empty, made, path, max((count["next id"] for count in counts), default=0), settings)


def _room(run: Run) -> tuple[int, int]:
    """Return the memory of a segment, and what of it is taken: here by this process, with the words of the measure."""
    if not run.embedded:
        return run.memory, _BEFORE
    release_memory()
    return run.limit, max(_BEFORE, resident_memory() + _SLACK)


def segment_characters(memory: int, taken: int) -> int:
    """Return how many characters a segment may have that is built within a memory of which some is taken.

    An eighth of the memory is for segments, whatever is taken: an index of very many segments is slow.

    >>> segment_characters(2 << 30, 96 << 20), segment_characters(256 << 20, 96 << 20)
    (32000000, 6990506)
    >>> segment_characters(512 << 20, 512 << 20)
    2796202
    """
    return min(SEGMENT_CHARACTERS, max(_LEAST, max(memory - taken, memory // 8) // _AT_MOST))


def _sizes(run: Run, blocks: Sequence[Block], longest: int) -> Iterator[int]:
    """Yield how many texts each segment has: where one machine ends one, neither too many nor too long."""
    texts = characters = 0
    for block in blocks:
        with pq.ParquetFile(run.folder / "lengths" / f"{block.name}.parquet") as file:
            for batch in file.iter_batches():
                for length in batch.column(0).to_pylist():
                    if texts == SEGMENT_TEXTS or (texts and characters + length > longest):
                        yield texts
                        texts = characters = 0
                    texts, characters = texts + 1, characters + length
    yield max(1, texts)
