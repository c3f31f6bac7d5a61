"""Near-duplicates among more long texts than memory holds: their terms on disk, the lists of a strip of them in memory.

Texts are analysed once, block by block, over one vocabulary, as one machine does; what is kept of a block are the
numbers of its terms, the terms that it is the first to have, and how many of its texts have each. So a run that was
stopped has its vocabulary again without reading a text. A strip is as many texts as memory holds the terms and the
lists of; it meets itself and every block after it, which are mapped one after the other. Pairs are written as they are
found, as numbers: their texts are looked up by whoever asks for them.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from likewise.analyse import Analyser
from likewise.analyse.counted import CountedRows
from likewise.engines import Apart
from likewise.engines.duckdb import DuckDB
from likewise.index.container import map_arrays, pack_strings, unpack_strings
from likewise.jobs.distributed.analysed import write
from likewise.jobs.distributed.blocks import Block
from likewise.jobs.distributed.kinds import OFTEN
from likewise.jobs.distributed.run import Run
from likewise.jobs.distributed.sides import Sides
from likewise.join import Pairs
from likewise.join.near import NEAR, NearLists
from likewise.measure import TextMeasure, TfIdf
from likewise.measure.statistics import Statistics
from likewise.platform import release_memory, resident_memory
from likewise.read.long_texts import LongTexts
from likewise.records.distinct import ranks
from likewise.storage import atomic_path

LONG = 250
"""Bytes of a text, at the mean, from which on it is worth it: where one machine leaves texts in Arrow's buffers."""
# Bytes that lists take at most: of each term in a text its number, twice; of a text its place, its length, its cut and
# what is left of it by class; of a term its weight and count, its list; and for each thread.
_ENTRY, _TEXT, _TERM, _THREAD = 8, 96, 48, (4, 8)
_SLACK = 48 << 20  # what is mapped and let go, pairs on their way to a file
_TABLES = 96 << 20  # what DuckDB needs in any case
_WRITTEN = 1 << 16  # pairs


def is_near(run: Run, sides: Sides, measures: Sequence[TextMeasure], bytes_each: float, least: float) -> bool:
    """Whether texts are compared this way: in this process, one column of long ones, by terms that have one weight."""
    [first, *others] = measures
    if others or not run.embedded or len(sides.left) > 1 or sides.equal_on or least < NEAR or bytes_each < LONG:
        return False
    kind = sides.types[0][sides.left[0]]
    if not (pa.types.is_string(kind) or pa.types.is_large_string(kind)) or not isinstance(first, TfIdf):
        return False
    return not first.ready and first.reads_terms and not first.needs_counts and first.options.best_terms is None


@dataclass(frozen=True, slots=True)
class Counted:
    """The terms of the texts of one block, as they are on disk; mapped until the next is asked for."""

    rows: CountedRows
    new: list[str]
    """Terms that no block before it has."""
    sizes: tuple[int, int]
    """How many texts and words it stands for."""
    terms: NDArray[np.int32]
    texts: NDArray[np.int64]
    """How many texts have each of the terms."""
    occurrences: NDArray[np.int64]

    @classmethod
    def of(cls, block: Block, sides: Sides, analyser: Analyser, threads: int) -> "Counted":
        """Analyse the texts of a block; a distinct record stands for several."""
        records = sides.read(0, block)
        texts, codes = LongTexts.distinct(records.table.column(sides.left[0]))
        there = codes >= 0
        repeats = np.bincount(codes[there], minlength=len(texts))
        if OFTEN in sides.extras:
            repeats = records.table.column(OFTEN).to_numpy()[there]
        known = len(analyser)
        found, totals = CountedRows.of(texts, repeats, analyser, False, threads)
        if len(texts) < there.sum():
            found = found.take(codes[there])
        sizes = np.zeros(len(codes), np.int64)
        sizes[there] = np.diff(found.indptr)
        indptr = np.concatenate([np.zeros(1, np.int64), np.cumsum(sizes)])
        terms = np.flatnonzero(totals.document_frequencies).astype(np.int32)
        return cls(
            CountedRows(indptr, found.ids),
            [analyser.term(term) for term in range(known, len(analyser))],
            (totals.texts, totals.words),
            terms,
            totals.document_frequencies[terms].astype(np.int64),
            totals.occurrences[terms].astype(np.int64),
        )

    @classmethod
    def read(cls, path: Path) -> "Counted":
        """Map what :meth:`write` wrote."""
        made = map_arrays(path)
        new = [term.decode("utf-8", "surrogatepass") for term in unpack_strings(made["new"], made["new.places"])]
        texts, words = made["sizes"].tolist()
        rows = CountedRows(made["indptr"], made["ids"])
        return cls(rows, new, (texts, words), made["terms"], made["texts"], made["occurrences"])

    def write(self, path: Path) -> None:
        """Write it to a file that appears whole."""
        new, places = pack_strings(self.new)
        made: dict[str, NDArray[Any]] = {"indptr": self.rows.indptr, "ids": self.rows.ids}
        made |= {"new": new, "new.places": places, "sizes": np.array(self.sizes, np.int64)}
        write(path, {**made, "terms": self.terms, "texts": self.texts, "occurrences": self.occurrences})


@dataclass(frozen=True, slots=True)
class Terms:
    """The terms of all texts, by block, and the measure that was fitted to them."""

    folder: Path
    blocks: tuple[Block, ...]
    measure: TfIdf
    entries: tuple[int, ...]
    """How many terms the texts of each block have."""

    def rows(self, block: Block) -> CountedRows:
        """Map the terms of one block."""
        made = map_arrays(self.folder / f"{block.name}.arrays")
        return CountedRows(made["indptr"], made["ids"])

    def strip(self, blocks: Sequence[Block]) -> CountedRows:
        """Return the terms of some blocks, held."""
        ids = np.empty(sum(self.entries[block.number] for block in blocks), np.int32)
        indptr = [np.zeros(1, np.int64)]
        at = 0
        for block in blocks:
            rows = self.rows(block)
            ids[at : at + len(rows.ids)] = rows.ids
            indptr.append(rows.indptr[1:] + at)
            at += len(rows.ids)
        return CountedRows(np.concatenate(indptr), ids)


def count_terms(run: Run, files: Sequence[Path], sides: Sides, measure: TextMeasure) -> Terms:
    """Analyse all texts, block by block, and fit the measure to them."""
    folder, blocks = run.place("terms"), run.blocks_of(files)
    analyser, sizes, entries = measure.new_analyser(), np.zeros(2, np.int64), []
    totals = np.zeros((2, 0))
    done = run.done(len(blocks), "blocks counted")
    for number, block in enumerate(blocks):
        path = folder / f"{block.name}.arrays"
        if path.exists():
            found = Counted.read(path)
            analyser.intern(found.new)
        else:
            found = Counted.of(block, sides, analyser, run.together)
            found.write(path)
        if len(analyser) > totals.shape[1]:  # by more than is needed now, so that it is not copied for every block
            totals = np.pad(totals, ((0, 0), (0, len(analyser) + len(analyser) // 4 - totals.shape[1])))
        totals[0, found.terms] += found.texts
        totals[1, found.terms] += found.occurrences
        sizes += found.sizes
        entries.append(len(found.rows.ids))
        release_memory()
        done(number + 1)
    texts, words = sizes.tolist()
    frequencies, occurrences = totals[:, : len(analyser)].copy()
    assert isinstance(measure, TfIdf)
    fitted = measure.copy().fit_to(Statistics(texts, words, frequencies, occurrences), analyser)
    return Terms(folder, tuple(blocks), fitted, tuple(entries))


@dataclass(frozen=True, slots=True)
class NearTask(Apart):
    """Some blocks, and all after them -> ``pairs/*.parquet``: positions, scores, and what else pairs carry along."""

    folder: Path
    terms: Terms
    sides: Sides
    least: float
    threads: int
    ordered: bool = False
    """Whether the pairs of a strip are in the order of a match, with ranks: then they are held, as numbers."""
    _scaled: dict[str, Any] = field(default_factory=dict)

    def begin(self) -> None:
        """Work out the length of every text, once."""
        lengths = []
        for block in self.terms.blocks:
            scaled = self.terms.measure.scaled(self.terms.rows(block))
            assert scaled is not None
            lengths.append(scaled.lengths)
            self._scaled["scale"] = scaled.scale
        self._scaled["lengths"] = np.concatenate([np.zeros(0), *lengths])

    def let_go(self) -> None:
        """Forget what strips have shared."""
        self._scaled.clear()

    def shard(self, state: None, shard: tuple[int, int, int]) -> dict[str, Any]:
        """Find the pairs of one strip."""
        number, first, end = shard
        path = self.folder / f"{number:06d}.parquet"
        if not path.exists():
            with atomic_path(path) as temporary:
                self._write(temporary, self.terms.blocks[first:end], self.terms.blocks[end:])
        return {"pairs": pq.read_metadata(path).num_rows, "bytes": path.stat().st_size}

    def _write(self, path: Path, strip: Sequence[Block], rest: Sequence[Block]) -> None:
        lefts = pa.concat_tables([self._called(block) for block in strip])
        waiting = [_table(Pairs(*(np.zeros(0, np.int64),) * 2, np.zeros(0)), strip[0], strip[0], lefts, lefts)]
        with pq.ParquetWriter(path, waiting[0].schema) as writer:
            for pairs, block in self._pairs(strip, rest):
                if len(pairs):
                    rights = lefts if block is strip[0] else self._called(block)
                    waiting.append(_table(pairs, strip[0], block, lefts, rights))
                if not self.ordered and sum(map(len, waiting)) >= _WRITTEN:
                    writer.write_table(pa.concat_tables(waiting))
                    waiting = waiting[:1]
            table = pa.concat_tables(waiting)
            writer.write_table(_ranked(table) if self.ordered else table)

    def _pairs(self, strip: Sequence[Block], rest: Sequence[Block]) -> Iterator[tuple[Pairs, Block]]:
        """Yield the pairs of a strip with itself, and with each block after it."""
        rows, first, end = self.terms.strip(strip), strip[0].first, strip[-1].end
        lengths, scale = self._scaled["lengths"], self._scaled["scale"]
        statistics = self.terms.measure.statistics
        assert statistics is not None
        texts = statistics.document_frequencies
        lists = NearLists(rows.indptr, rows.ids, scale, lengths[first:end], texts, self.least)
        yield lists.pairs(threads=self.threads), strip[0]
        for block in rest:
            other = self.terms.rows(block)
            yield (
                lists.meet(other.indptr, other.ids, lengths[block.first : block.end], threads=self.threads),
                block,
            )

    def _called(self, block: Block) -> pa.Table:
        """Return what pairs say of the records of a block, without their texts."""
        records = block.read(self.sides.extras, self.sides.ids[0], "left", self.sides.types[0])
        return pa.table({"id": records.ids, **{name: records.table.column(name) for name in self.sides.extras}})


def _table(pairs: Pairs, left: Block, right: Block, lefts: pa.Table, rights: pa.Table) -> pa.Table:
    sides = {"left": lefts.take(pa.array(pairs.left)), "right": rights.take(pa.array(pairs.right))}
    columns = {side: table.column("id") for side, table in sides.items()}
    columns |= {"score": pa.array(pairs.score), "rank": pa.nulls(len(pairs), pa.int64())}
    columns |= {
        "left_position": pa.array(pairs.left + left.first),
        "right_position": pa.array(pairs.right + right.first),
    }
    for side, table in sides.items():
        columns |= {f"{side}_{name}": table.column(name) for name in table.column_names[1:]}
    return pa.table(columns)


def _ranked(table: pa.Table) -> pa.Table:
    """Return pairs by left record, the best first, as a match has them."""
    left, right, score = (table.column(name).to_numpy() for name in ("left_position", "right_position", "score"))
    order = np.lexsort((right, -score, left))
    rank = pa.array(ranks(left[order]) + 1, pa.int64())
    return table.take(pa.array(order)).set_column(table.column_names.index("rank"), "rank", rank)


def strips_of(run: Run, terms: Terms) -> list[tuple[int, int, int]]:
    """Cut blocks into strips whose lists fit what is left of the memory: number, first block, the block after the last.

    One that went before is cut as it was: its files are there.
    """
    each, every = _THREAD
    vocabulary = len(terms.measure.analyser) * (_TERM + every * run.together)
    largest = max((_bytes(terms, block, each * run.together) for block in terms.blocks), default=0)
    release_memory()
    room = run.limit - resident_memory() - vocabulary - 2 * largest - _SLACK
    room = run.settled("strip-bytes", max(room, run.limit // 8))
    strips: list[tuple[int, int, int]] = []
    first = size = 0
    for place, block in enumerate(terms.blocks):
        taken = _bytes(terms, block, each * run.together)
        if place > first and size + taken > room:
            strips.append((len(strips), first, place))
            first, size = place, 0
        size += taken
    return [*strips, (len(strips), first, len(terms.blocks))]


def _bytes(terms: Terms, block: Block, each: int) -> int:
    return terms.entries[block.number] * _ENTRY + len(block) * (_TEXT + each)


def near_strips(run: Run, terms: Terms, sides: Sides, least: float, ordered: bool = False) -> tuple[Path, ...]:
    """Return the files of all pairs from a score on, each once."""
    with run.stage("pairs"):
        task = NearTask(run.place("pairs"), terms, sides, least, run.together, ordered)
        strips = strips_of(run, terms)
        run.map(task, strips, "strips matched")
        task.let_go()
        release_memory()
        if isinstance(run.engine, DuckDB):  # the vocabulary stays, and tables have what it leaves
            run.engine.limit(max(_TABLES, (run.limit - resident_memory()) // 2))
        return tuple(task.folder / f"{number:06d}.parquet" for number, _, _ in strips)
