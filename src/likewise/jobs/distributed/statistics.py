"""What measures learn from a collection, counted block by block and added up by the engine.

A term's number is the order in which it first appears, in left before right, as on one machine: sums over terms are
then done in the same order and give the same bits.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from likewise.engines import Apart
from likewise.engines.duckdb import DuckDB
from likewise.errors import OptionError
from likewise.jobs.distributed.blocks import Block
from likewise.jobs.distributed.run import Run, records_in
from likewise.long_json import pieces, with_parts
from likewise.measure import TextMeasure
from likewise.measure.specification import from_json
from likewise.measure.statistics import Statistics
from likewise.measure.terms import TermMeasure
from likewise.read.tables import Records
from likewise.seals import map_file
from likewise.storage import atomic_path, atomic_write

_SCHEMA = pa.schema(
    [
        ("field", pa.int32()),
        ("term", pa.string()),
        ("texts", pa.int64()),
        ("occurrences", pa.int64()),
        ("seen", pa.int64()),
    ]
)


MEASURE = "measure"
"""The name of what the scores are made with."""

_TOGETHER = 1 << 13  # terms
# What this process has learnt in runs that have not ended: tasks that run here need no second copy.
_HELD: dict[Path, list[TextMeasure]] = {}


class Read(Protocol):
    """How blocks become texts."""

    def read(self, side: int, block: Block) -> Records:
        """Return a block's records."""

    def learnt_from(self, side: int, records: Records) -> list[list[str]]:
        """Return for each measure the texts that it learns from."""


@dataclass(frozen=True, slots=True)
class StatisticsTask(Apart):
    """Blocks -> ``statistics/*.parquet``: how often each term is in the block, and when it was first seen."""

    folder: Path
    sides: Read
    measures: tuple[dict[str, Any], ...]

    def begin(self) -> list[TextMeasure]:
        """Return measures that have seen nothing."""
        return [saved_measure(values) for values in self.measures]

    def shard(self, state: list[TextMeasure], shard: tuple[int, Block]) -> dict[str, Any]:
        """Count one block of the left (0) or the right (1) side."""
        side, block = shard
        path = self.folder / f"{side}-{block.name}.parquet"
        if path.exists():
            return _counts(path)
        records = self.sides.read(side, block)
        tables, sizes = [], []
        for field, (texts, measure) in enumerate(zip(self.sides.learnt_from(side, records), state, strict=True)):
            found = _counted(measure, texts)
            terms = found["terms"]
            # Phrases are numbered after all words, whichever block they are in.
            seen = [(" " in term) << 62 | side << 61 | block.number << 32 | place for place, term in enumerate(terms)]
            values = [
                pa.array([field] * len(terms), pa.int32()),
                pa.array(terms, pa.string()),
                pa.array(found["document_frequencies"], pa.int64()),
                pa.array(found["occurrences"], pa.int64()),
                pa.array(seen, pa.int64()),
            ]
            tables.append(pa.Table.from_arrays(values, schema=_SCHEMA))
            sizes.append([found["texts"], found["words"]])
        table = pa.concat_tables(tables).replace_schema_metadata({"sizes": json.dumps(sizes)})
        with atomic_path(path) as temporary:
            pq.write_table(table, temporary)
        return {"sizes": sizes}


def _counted(measure: TextMeasure, texts: list[str]) -> dict[str, Any]:
    """Count the terms of texts; weights are made later, of the counts of all blocks."""
    if measure.reads_terms:
        analyser = measure.new_analyser()
        return Statistics.of(measure.analyse(texts, analyser), len(analyser)).to_json(analyser)
    fitted = measure.copy().fit(texts)
    assert fitted.statistics is not None
    return fitted.statistics.to_json(fitted.analyser)


def _counts(path: Path) -> dict[str, Any]:
    return {"sizes": json.loads(pq.read_schema(path).metadata[b"sizes"])}


def learn(
    run: Run,
    sides: Read,
    measures: Sequence[TextMeasure],
    shards: Sequence[tuple[int, Block]],
    name: str = MEASURE,
    checked: bool = False,
) -> list[TextMeasure]:
    """Return the measures fitted to all blocks; what was learnt stays in a file of that name and is used again.

    ``checked``: words that the memory does not hold are refused.
    """
    path, folder = run.folder / f"{name}.json", run.place("statistics" if name == MEASURE else f"statistics/{name}")
    if not path.exists():
        learnt = [measure.copy() for measure in measures]
        wanted = [place for place, measure in enumerate(measures) if measure.statistics is None]
        if wanted:
            values = tuple(measure.to_json() for measure in measures)
            counts = run.map(StatisticsTask(folder, sides, values), shards, "blocks counted")
            run.engine.load("term_counts", sorted(folder.glob("*.parquet")))
            for place in wanted:
                files = _merged(run, place, folder)
                if isinstance(run.engine, DuckDB):  # tables and words are not in memory together
                    run.engine.release()
                if checked:
                    _check_held(run, learnt[place], records_in(files))
                _teach(learnt[place], files, [count["sizes"][place] for count in counts])
        _write(path, learnt)
        _HELD[path] = learnt
    else:
        _HELD[path] = read_measures(path)
    return _HELD[path]


# Bytes of a word and its counts: where it is a term, and where its q-grams or its letters are held as well.
_WORD, _WORD_OF_LETTERS = 64, 450
_COUNTING = 96 << 20  # what counting leaves behind, and the least segment more than its eighth


def _check_held(run: Run, measure: TextMeasure, words: int) -> None:
    """Refuse in words more different words than this process, which holds them all, has memory for."""
    if not run.embedded:
        return
    room = run.memory * run.engine.places * 10 // 6
    taken = run.limit - room + _COUNTING + words * (_WORD if isinstance(measure, TermMeasure) else _WORD_OF_LETTERS)
    needed = taken * 8 // 7  # an eighth is for the texts
    if needed > run.limit:
        raise OptionError(
            f"the {words:,} different words of these texts, which are held, take about {needed >> 20:,} MB, "
            f"memory is {run.report.options['memory']}: give it more"
        )


def _write(path: Path, measures: Sequence[TextMeasure]) -> None:
    with atomic_write(path, "w", encoding="utf-8") as file:
        file.writelines(pieces([measure.in_parts() for measure in measures]))


def kept(path: Path, measure: TextMeasure) -> Path:
    """Keep one of the measures that were learnt in a file of its own, for tasks that need no other."""
    if not path.exists():
        _write(path, [measure])
    _HELD[path] = [measure]
    return path


def forget(folder: Path) -> None:
    """Let go of what was learnt in a work folder: its run has ended."""
    for path in [path for path in _HELD if path.is_relative_to(folder)]:
        del _HELD[path]


def read_measures(path: Path) -> list[TextMeasure]:
    """Return the measures of a file that :func:`learn` wrote: those that this process has already, or read anew."""
    return _HELD.get(path) or [saved_measure(values) for values in with_parts(map_file(path))]


def saved_measure(values: Mapping[str, Any]) -> TextMeasure:
    """Return a measure from what :meth:`~likewise.measure.base.Measure.to_json` gave."""
    made = from_json(values)
    assert isinstance(made, TextMeasure)
    return made


def _merged(run: Run, field: int, folder: Path) -> list[Path]:
    """Write the terms of all blocks with their counts, in the order in which they were seen."""
    return run.engine.write(
        f"SELECT term, CAST(SUM(texts) AS BIGINT) AS texts, CAST(SUM(occurrences) AS BIGINT) AS occurrences, "
        f"MIN(seen) AS seen FROM term_counts WHERE field = {field} GROUP BY term ORDER BY seen",
        folder / f"all-{field}",
    )


def _teach(measure: TextMeasure, files: Sequence[Path], sizes: list[list[int]]) -> None:
    """Fit a measure to the counts of all blocks, a few terms at a time."""
    size = records_in(files)
    analyser, counts = measure.new_analyser(), np.empty((2, size))
    analyser.reserve(size)
    first = 0
    for path in files:
        with pq.ParquetFile(path) as file:
            for batch in file.iter_batches(_TOGETHER, columns=["term", "texts", "occurrences"], use_threads=False):
                analyser.intern(batch.column(0).to_pylist())
                last = first + len(batch)
                counts[0, first:last], counts[1, first:last] = batch.column(1), batch.column(2)
                first = last
    texts, words = (sum(size[place] for size in sizes) for place in (0, 1))
    measure.fit_to(Statistics(texts, words, *counts), analyser)
