"""The terms of long texts on disk, block by block: all that finding near-duplicates needs of them.

Texts are analysed once. In one process that is done over one vocabulary, as one machine does it; what is kept of a
block are the numbers of its terms, the terms that it is the first to have, and how many of its texts have each. So a
run that was stopped has its vocabulary again without reading a text. On a cluster every block has numbers of its own:
the driver adds the vocabularies up in the order of the blocks, which gives terms the numbers of one machine, and tasks
number their blocks anew.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likewise.analyse import Analyser
from likewise.analyse.term_counts import CountedRows
from likewise.engines import Apart
from likewise.index.container import map_arrays, pack_strings, unpack_strings
from likewise.jobs.distributed.analysed import write
from likewise.jobs.distributed.blocks import Block, plan
from likewise.jobs.distributed.distinct import OFTEN
from likewise.jobs.distributed.run import Run, records_in
from likewise.jobs.distributed.sides import Sides
from likewise.jobs.distributed.statistics import saved_measure
from likewise.measure import TextMeasure, TfIdf
from likewise.measure.cosine import scaled_by
from likewise.measure.statistics import Statistics
from likewise.platform import release_memory
from likewise.read.long_texts import LongTexts

_FEWEST = 500  # texts of a block that is a task of a cluster
_ALL = "all.arrays"


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
    """The terms of all texts, by block, with the weights of terms and the lengths of texts."""

    folder: Path
    weighed: Path
    blocks: tuple[Block, ...]
    entries: tuple[int, ...]
    """How many terms the texts of each block have."""

    def weights(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Map what each term weighs, and how many texts have it."""
        made = map_arrays(self.weighed / _ALL)
        return made["scale"], made["texts"]

    def rows(self, block: Block) -> CountedRows:
        """Map the terms of one block."""
        return _rows(map_arrays(self.folder / f"{block.name}.arrays"))

    def lengths(self, blocks: Sequence[Block]) -> NDArray[np.float64]:
        """Return the lengths of the texts of some blocks."""
        return np.concatenate([map_arrays(self.weighed / f"{block.name}.arrays")["lengths"] for block in blocks])

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


def _rows(made: dict[str, NDArray[Any]]) -> CountedRows:
    return CountedRows(made["indptr"], made["ids"])


@dataclass(frozen=True, slots=True)
class CountTask(Apart):
    """Blocks -> ``terms/*.arrays``, each with numbers of its own."""

    folder: Path
    sides: Sides
    measure: dict[str, Any]

    def begin(self) -> TextMeasure:
        """Return a measure that has seen nothing."""
        return saved_measure(self.measure)

    def shard(self, state: TextMeasure, shard: Block) -> dict[str, Any]:
        """Count the terms of one block."""
        path = self.folder / f"{shard.name}.arrays"
        if not path.exists():
            Counted.of(shard, self.sides, state.new_analyser(), 1).write(path)
        return {"records": len(shard), "bytes": path.stat().st_size}


@dataclass(frozen=True, slots=True)
class WeighTask(Apart):
    """Blocks -> ``weighed/*.arrays``: the lengths of texts; terms, too, where blocks had numbers of their own."""

    folder: Path
    weighed: Path
    anew: bool

    def begin(self) -> NDArray[np.float64]:
        """Map what each term weighs."""
        scale: NDArray[np.float64] = map_arrays(self.weighed / _ALL)["scale"]
        return scale

    def shard(self, state: NDArray[np.float64], shard: Block) -> dict[str, Any]:
        """Weigh the texts of one block."""
        path = self.weighed / f"{shard.name}.arrays"
        if not path.exists():
            rows = _rows(map_arrays(self.folder / f"{shard.name}.arrays"))
            made: dict[str, NDArray[Any]] = {}
            if self.anew:
                rows = numbered(rows, map_arrays(self.weighed / f"{shard.name}.places")["places"])
                made = {"indptr": rows.indptr, "ids": rows.ids}
            write(path, {**made, "lengths": scaled_by(rows, state).lengths})
        return {"bytes": path.stat().st_size}


def numbered(rows: CountedRows, places: NDArray[np.int32]) -> CountedRows:
    """Return rows whose terms have other numbers, ascending again.

    >>> numbered(CountedRows(np.array([0, 2, 3]), np.array([0, 1, 1], np.int32)), np.array([7, 5], np.int32)).ids
    array([5, 7, 5], dtype=int32)
    """
    # The row is the upper half of a key, so that one sort does all of them.
    keys = np.repeat(np.arange(len(rows), dtype=np.int64) << 32, np.diff(rows.indptr))
    keys |= places[rows.ids]
    keys.sort()
    return CountedRows(np.array(rows.indptr), keys.astype(np.int32))


def count_terms(run: Run, files: Sequence[Path], sides: Sides, measure: TextMeasure) -> tuple[Terms, TfIdf]:
    """Analyse all texts, block by block, and fit the measure to them."""
    assert isinstance(measure, TfIdf)
    folder, weighed, blocks = run.place("terms"), run.place("weighed"), _blocks(run, files)
    if not run.embedded:
        run.map(CountTask(folder, sides, measure.to_json()), blocks, "blocks counted")
    analyser, sizes, entries = measure.new_analyser(), np.zeros(2, np.int64), []
    totals = np.zeros((2, 0))
    done = run.done(len(blocks), "blocks counted")
    for number, block in enumerate(blocks):
        path = folder / f"{block.name}.arrays"
        if path.exists():
            found = Counted.read(path)
            places = analyser.intern(found.new)
        else:
            found = Counted.of(block, sides, analyser, run.together)
            found.write(path)
        terms = found.terms
        if not run.embedded:
            write(weighed / f"{block.name}.places", {"places": places})
            terms = places[terms]
        if len(analyser) > totals.shape[1]:  # by more than is needed now, so that it is not copied for every block
            totals = np.pad(totals, ((0, 0), (0, len(analyser) + len(analyser) // 4 - totals.shape[1])))
        totals[0, terms] += found.texts
        totals[1, terms] += found.occurrences
        sizes += found.sizes
        entries.append(len(found.rows.ids))
        release_memory()
        done(number + 1)
    texts, words = sizes.tolist()
    frequencies, occurrences = totals[:, : len(analyser)].copy()
    fitted = measure.copy().fit_to(Statistics(texts, words, frequencies, occurrences), analyser)
    write(weighed / _ALL, {"scale": fitted.scale(), "texts": frequencies})
    run.map(WeighTask(folder, weighed, not run.embedded), blocks, "blocks weighed")
    return Terms(folder if run.embedded else weighed, weighed, tuple(blocks), tuple(entries)), fitted


def _blocks(run: Run, files: Sequence[Path]) -> list[Block]:
    """Return the blocks of texts: of a cluster so many that all workers have some."""
    if run.embedded:
        return run.blocks_of(files)
    several = -(-records_in(files) // (2 * run.strips))
    return plan(files, run.settled("terms-block", min(run.block, max(_FEWEST, several))))
