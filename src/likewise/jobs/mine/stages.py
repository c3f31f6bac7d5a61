"""The stages as tasks that an engine runs over shards. Each leaves files that appear whole, so that a rerun goes on."""

import threading
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from likewise import _core
from likewise.engines import Apart
from likewise.jobs.mine.ngrams import SCHEMA, extract, pruner
from likewise.jobs.mine.options import MineOptions
from likewise.jobs.mine.sentences import analyse, batches, to_core
from likewise.jobs.mine.weigh import numbered
from likewise.jobs.shards import Shard, finish, finished
from likewise.platform import sync as sync_to_disk
from likewise.read import Document, ReadOptions, Skipped
from likewise.read.documents import read_file
from likewise.storage import atomic_path, atomic_write

_MOST_MESSAGES = 20
_SLICE = 1 << 20


@dataclass(frozen=True, slots=True)
class SentenceTask(Apart):
    """Files -> ``sentences/*.arrow``."""

    folder: Path
    options: MineOptions
    read: ReadOptions

    def shard(self, state: None, shard: Shard) -> dict[str, Any]:
        """Read, split, tag and check the documents of a shard."""
        marker, table_path = self.folder / f"{shard.name}.json", self.folder / f"{shard.name}.arrow"
        done = finished(marker, table_path)
        if done is not None:
            return done
        counts: Counter[str] = Counter()
        skipped: Counter[str] = Counter()
        messages: list[str] = []

        def on_skip(skip: Skipped) -> None:
            skipped[skip.reason] += 1
            if len(messages) < _MOST_MESSAGES:
                messages.append(str(skip))

        def documents() -> Iterator[Document]:
            for path, name, piece in shard.files:
                yield from read_file(Path(path), name, self.read, on_skip, piece)

        with atomic_path(table_path, sync=False) as temporary:
            writer = None
            with pa.OSFile(str(temporary), "wb") as sink:
                for group in batches(documents()):
                    batch, found = analyse(group, self.options)
                    counts.update(found)
                    counts["characters"] += sum(len(document.text) for document in group)
                    if batch.num_rows:
                        if writer is None:
                            writer = pa.ipc.new_stream(sink, batch.schema)
                        writer.write_batch(batch)
                if writer is not None:
                    writer.close()
        return finish(marker, table_path, {**counts, "skipped": dict(sorted(skipped.items())), "messages": messages})


def read_sentences(folder: Path, shard: Shard) -> Iterator[pa.RecordBatch]:
    """Yield the batches of a shard's sentences, mapped into memory."""
    path = folder / f"{shard.name}.arrow"
    if path.stat().st_size:
        with pa.memory_map(str(path)) as source:
            yield from pa.ipc.open_stream(source)


@dataclass(frozen=True, slots=True)
class CountTask(Apart):
    """Sentences -> a table of counters by hash of candidates, or of anchors given the candidates' table."""

    sentences: Path
    folder: Path
    options: MineOptions
    bits: int
    kind: str

    def begin(self) -> _core.MinePruner:
        """Return an empty pruner, or one that knows the candidates."""
        made = pruner(self.options, self.bits)
        if self.kind == "anchors":
            made.add_table(_core.MineCounts.candidates, (self.folder / "candidates.bin").read_bytes())
        return made

    def shard(self, state: _core.MinePruner, shard: Shard) -> dict[str, Any]:
        """Count the rows of a shard; threads share the table."""
        for batch in read_sentences(self.sentences, shard):
            core = to_core(batch, self.options.fold_case)
            if self.kind == "anchors":
                state.count_anchors(core)
            else:
                state.count_candidates(core)
        return {}

    def end(self, state: _core.MinePruner, place: int) -> None:
        """Write the table of this place."""
        with atomic_path(self.folder / f"{self.kind}-{place}.part", sync=False) as temporary:
            temporary.write_bytes(state.table(_core.MineCounts[self.kind]))


def merge_tables(folder: Path, kind: str) -> None:
    """Add up the tables of all places; sums stay within a byte, and are never too small."""
    parts = sorted(folder.glob(f"{kind}-*.part"))
    if len(parts) == 1:
        sync_to_disk(parts[0])
        parts[0].replace(folder / f"{kind}.bin")
        return
    with atomic_path(folder / f"{kind}.bin") as temporary:
        if parts:
            total = np.fromfile(parts[0], np.uint8)
            for part in parts[1:]:
                with open(part, "rb") as file:  # by slices: the driver of a cluster may be small
                    for start in range(0, len(total), _SLICE):
                        here = total[start : start + _SLICE]
                        here += np.minimum(np.frombuffer(file.read(_SLICE), np.uint8), 255 - here)
            total.tofile(temporary)
    for part in parts:
        part.unlink()


def both_tables(options: MineOptions, tables: Path, bits: int, anchors: str = "anchors") -> _core.MinePruner:
    """Return a pruner with the tables of a folder."""
    made = pruner(options, bits)
    made.add_table(_core.MineCounts.candidates, (tables / "candidates.bin").read_bytes())
    made.add_table(_core.MineCounts.anchors, (tables / f"{anchors}.bin").read_bytes())
    return made


HASHES = pa.schema([("anchor", pa.int64()), ("candidate", pa.int64())])


@dataclass(frozen=True, slots=True)
class HashTask(Apart):
    """Sentences -> ``hashes/*.parquet``: the rows that the tables let through, as hashes of anchor and candidate."""

    sentences: Path
    tables: Path
    folder: Path
    options: MineOptions
    bits: int

    def begin(self) -> _core.MinePruner:
        """Return a pruner with both tables."""
        return both_tables(self.options, self.tables, self.bits)

    def shard(self, state: _core.MinePruner, shard: Shard) -> dict[str, Any]:
        """Write the hashes of a shard."""
        with (
            atomic_path(self.folder / f"{shard.name}.parquet", sync=False) as temporary,
            pq.ParquetWriter(temporary, HASHES, compression="none", use_dictionary=False) as writer,
        ):
            for batch in read_sentences(self.sentences, shard):
                anchors, candidates = state.hashes(to_core(batch, self.options.fold_case))
                writer.write_table(pa.table([anchors, candidates], schema=HASHES))
        return {}


def keep_anchors(tables: Path, hashes: np.ndarray[Any, np.dtype[np.int64]], bits: int) -> None:
    """Write the table ``shared.bin``, which lets these anchors through: the first bits of a hash number its slot."""
    table = np.zeros(1 << bits, np.uint8)
    table[hashes.view(np.uint64) >> np.uint64(64 - bits)] = 2
    with atomic_path(tables / "shared.bin") as temporary:
        table.tofile(temporary)


@dataclass(frozen=True, slots=True)
class RowTask(Apart):
    """Sentences -> ``rows/*.parquet``, less what the tables rule out."""

    sentences: Path
    tables: Path
    folder: Path
    options: MineOptions
    bits: int
    anchors: str

    def begin(self) -> _core.MinePruner:
        """Return a pruner with both tables."""
        return both_tables(self.options, self.tables, self.bits, self.anchors)

    def shard(self, state: _core.MinePruner, shard: Shard) -> dict[str, Any]:
        """Write the rows of a shard."""
        marker, table_path = self.folder / f"{shard.name}.json", self.folder / f"{shard.name}.parquet"
        done = finished(marker, table_path)
        if done is not None:
            return done
        counts: Counter[str] = Counter()
        with (
            atomic_path(table_path, sync=False) as temporary,
            pq.ParquetWriter(temporary, SCHEMA, compression="lz4") as writer,
        ):
            for batch in read_sentences(self.sentences, shard):
                table, found = extract(batch, to_core(batch, self.options.fold_case), state)
                counts.update(found)
                writer.write_table(table)
        return finish(marker, table_path, dict(counts))


BESIDE = ("listed", "either", "contrast", "both")
NEIGHBOURS = pa.schema([("phrase", pa.int32()), ("word", pa.int32()), ("count", pa.int32())])


class Gathered:
    """Evidence of one place: counts that threads add to."""

    def __init__(self, evidence: _core.MineEvidence, phrases: int, pairs: int) -> None:
        self.evidence = evidence
        self.counts = {
            "occurrences": np.zeros(phrases, np.int64),
            **{name: np.zeros(pairs, np.int64) for name in BESIDE},
        }
        self.lock = threading.Lock()


@dataclass(frozen=True, slots=True)
class EvidenceTask(Apart):
    """Sentences and pairs -> how often phrases occur and stand side by side; ``*.parquet``: the words beside them."""

    sentences: Path
    pairs: Path
    folder: Path
    options: MineOptions

    def begin(self) -> Gathered:
        """Read the pairs."""
        phrases, numbers = numbered(pq.read_table(self.pairs, columns=["phrase", "paraphrase"]))
        evidence = _core.MineEvidence(phrases, numbers.ravel(), self.options.max_phrase, self.options.tagged)
        return Gathered(evidence, len(phrases), len(numbers))

    def shard(self, state: Gathered, shard: Shard) -> dict[str, Any]:
        """Count in the sentences of a shard."""
        path = self.folder / f"{shard.name}.parquet"
        with (
            atomic_path(path, sync=False) as temporary,
            pq.ParquetWriter(temporary, NEIGHBOURS, compression="lz4") as out,
        ):
            for batch in read_sentences(self.sentences, shard):
                found = state.evidence.count(to_core(batch, self.options.fold_case))
                out.write_table(pa.table([found[name] for name in NEIGHBOURS.names], schema=NEIGHBOURS))
                with state.lock:
                    for name, total in state.counts.items():
                        total += found[name]
        return {}

    def end(self, state: Gathered, place: int) -> None:
        """Write the counts of this place."""
        with atomic_write(self.folder / f"{place:05d}.npy") as file:
            np.save(file, np.concatenate(list(state.counts.values())))
