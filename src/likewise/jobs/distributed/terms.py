"""The terms of long texts on disk, block by block: all that finding near-duplicates needs of them.

Texts are analysed once, a block over a vocabulary of its own, which is let go of: what is kept are the numbers of the
terms, bits that stand for each, and how many texts have it. The bits are brought together a part at a time
(:mod:`~likewise.jobs.distributed.numbering`), which gives terms the numbers of one machine, and blocks are numbered
anew. No process holds all words, unless somebody asks the measure for a score of other texts.
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
from likewise.jobs.distributed.numbering import Places, hashed, number
from likewise.jobs.distributed.run import Run, records_in
from likewise.jobs.distributed.sides import Sides
from likewise.jobs.distributed.statistics import saved_measure
from likewise.measure import TextMeasure, TfIdf
from likewise.measure.cosine import scaled_by
from likewise.measure.statistics import Statistics
from likewise.platform import release_memory
from likewise.read.long_texts import LongTexts

_FEWEST = 500  # texts of a block that is a task of a cluster
_ALL, _FIRSTS = "all.arrays", "firsts"


@dataclass(frozen=True, slots=True)
class Counted:
    """The terms of the texts of one block, numbered as they come in it."""

    rows: CountedRows
    words: list[bytes]
    """The terms, by number."""
    sizes: tuple[int, int]
    """How many texts and words it stands for."""
    texts: NDArray[np.int64]
    """How many texts have each of the terms."""
    occurrences: NDArray[np.int64]

    @classmethod
    def of(cls, block: Block, sides: Sides, analyser: Analyser, threads: int) -> "Counted":
        """Analyse the texts of a block with an analyser that has seen nothing; a distinct record stands for several."""
        records = sides.read(0, block)
        texts, codes = LongTexts.distinct(records.table.column(sides.left[0]))
        there = codes >= 0
        repeats = np.bincount(codes[there], minlength=len(texts))
        if OFTEN in sides.extras:
            repeats = records.table.column(OFTEN).to_numpy()[there]
        found, totals = CountedRows.of(texts, repeats, analyser, False, threads)
        if len(texts) < there.sum():
            found = found.take(codes[there])
        sizes = np.zeros(len(codes), np.int64)
        sizes[there] = np.diff(found.indptr)
        indptr = np.concatenate([np.zeros(1, np.int64), np.cumsum(sizes)])
        counts = np.zeros((2, len(analyser)), np.int64)
        for row, one in zip(counts, (totals.document_frequencies, totals.occurrences), strict=True):
            row[: len(one)] = one
        return cls(
            CountedRows(indptr, found.ids),
            [word.encode("utf-8", "surrogatepass") for word in analyser.vocabulary.terms()],
            (totals.texts, totals.words),
            *counts,
        )

    def write(self, path: Path) -> None:
        """Write it to a file that appears whole."""
        words, places = pack_strings(self.words)
        made: dict[str, NDArray[Any]] = {"indptr": self.rows.indptr, "ids": self.rows.ids}
        made |= {"words": words, "words.places": places, "sizes": np.array(self.sizes, np.int64)}
        write(path, {**made, **hashed(self.words), "texts": self.texts, "occurrences": self.occurrences})


@dataclass(frozen=True, slots=True)
class Terms:
    """The terms that several texts have, by block, with the weights of terms and the lengths of texts."""

    weighed: Path
    blocks: tuple[Block, ...]
    sizes: tuple[tuple[int, int], ...]
    """How many terms the texts of each block have: each as often as it is there, and different ones."""

    def __len__(self) -> int:
        """Return the number of terms."""
        return len(map_arrays(self.weighed / _ALL)["texts"])

    def rows(self, block: Block) -> CountedRows:
        """Map the terms of one block."""
        made = map_arrays(self.weighed / f"{block.name}.arrays")
        return CountedRows(made["indptr"], made["ids"])

    def lengths(self, blocks: Sequence[Block]) -> NDArray[np.float64]:
        """Return the lengths of the texts of some blocks."""
        return np.concatenate([map_arrays(self.weighed / f"{block.name}.arrays")["lengths"] for block in blocks])

    def strip(self, blocks: Sequence[Block]) -> "Strip":
        """Return the terms of some blocks, held, with numbers of their own."""
        made = map_arrays(self.weighed / _ALL)
        there = np.zeros(len(made["texts"]), bool)
        for block in blocks:
            there[self.rows(block).ids] = True
        own = np.flatnonzero(there)
        places = np.full(len(there), -1, np.int32)
        places[own] = np.arange(len(own), dtype=np.int32)
        ids = np.empty(sum(self.sizes[block.number][0] for block in blocks), np.int32)
        indptr = [np.zeros(1, np.int64)]
        at = 0
        for block in blocks:
            rows = self.rows(block)
            np.take(places, rows.ids, out=ids[at : at + len(rows.ids)])
            indptr.append(rows.indptr[1:] + at)
            at += len(rows.ids)
        held = CountedRows(np.concatenate(indptr), ids)
        return Strip(held, made["scale"][own], made["texts"][own].astype(np.float64), places)


@dataclass(frozen=True, slots=True)
class Strip:
    """The terms of some texts, numbered anew in their order; a term that none of them has cannot be shared with any."""

    rows: CountedRows
    scale: NDArray[np.float64]
    """What each term weighs."""
    texts: NDArray[np.float64]
    """How many texts of all have it."""
    places: NDArray[np.int32]
    """By number among all terms: the number here, or -1."""

    def of(self, rows: CountedRows) -> CountedRows:
        """Return of other texts the terms that are here."""
        return chosen(rows, self.places[rows.ids])


@dataclass(frozen=True, slots=True)
class CountTask(Apart):
    """Blocks -> ``terms/*.arrays``, each with numbers of its own."""

    folder: Path
    sides: Sides
    measure: dict[str, Any]
    threads: int

    def begin(self) -> TextMeasure:
        """Return a measure that has seen nothing."""
        return saved_measure(self.measure)

    def shard(self, state: TextMeasure, shard: Block) -> dict[str, Any]:
        """Count the terms of one block."""
        path = self.folder / f"{shard.name}.arrays"
        if not path.exists():
            Counted.of(shard, self.sides, state.new_analyser(), self.threads).write(path)
        return {"records": len(shard), "bytes": path.stat().st_size}


@dataclass(frozen=True, slots=True)
class WeighTask(Apart):
    """Blocks -> ``weighed/*.arrays``: the terms that several texts have, numbered as all are; the lengths of texts."""

    folder: Path
    weighed: Path
    begins: tuple[int, ...]
    """Where the terms of each block begin among those of all blocks."""

    def begin(self) -> dict[str, NDArray[Any]]:
        """Map what each term weighs."""
        return map_arrays(self.weighed / _ALL)

    def shard(self, state: dict[str, NDArray[Any]], shard: Block) -> dict[str, Any]:
        """Weigh the texts of one block."""
        path = self.weighed / f"{shard.name}.arrays"
        if not path.exists():
            made = map_arrays(self.folder / f"{shard.name}.arrays")
            places = Places.of(self.weighed / _FIRSTS, self.begins[shard.number], made["order"], state["firsts"])
            rows = numbered(CountedRows(made["indptr"], made["ids"]), places.ranks)
            lengths = scaled_by(rows, state["scale"][places.numbers]).lengths
            several = len(state["texts"])
            kept = chosen(rows, np.where(places.numbers < several, places.numbers, -1)[rows.ids])
            distinct = np.array([np.count_nonzero(places.numbers < several)])
            write(path, {"indptr": kept.indptr, "ids": kept.ids, "lengths": lengths, "distinct": distinct})
        made = map_arrays(path)
        return {"terms": len(made["ids"]), "distinct": int(made["distinct"][0]), "bytes": path.stat().st_size}


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


def chosen(rows: CountedRows, numbers: NDArray[np.int32]) -> CountedRows:
    """Return rows whose entries have other numbers, in the same order, without those that have -1.

    >>> found = chosen(CountedRows(np.array([0, 2, 3]), np.array([0, 1, 1], np.int32)), np.array([-1, 5, 6], np.int32))
    >>> found.indptr, found.ids
    (array([0, 1, 2]), array([5, 6], dtype=int32))
    """
    kept = numbers >= 0
    before = np.concatenate([np.zeros(1, np.int64), np.cumsum(kept)])
    return CountedRows(before[rows.indptr], numbers[kept])


def count_terms(run: Run, files: Sequence[Path], sides: Sides, measure: TextMeasure) -> tuple[Terms, TfIdf]:
    """Analyse all texts, block by block, and fit the measure, which reads its words when it is asked to score."""
    assert isinstance(measure, TfIdf)
    folder, weighed, blocks = run.place("terms"), run.place("weighed"), _blocks(run, files)
    run.map(CountTask(folder, sides, measure.to_json(), run.together), blocks, "blocks counted")
    paths = [folder / f"{block.name}.arrays" for block in blocks]
    counts = [map_arrays(path) for path in paths]
    begins = np.cumsum([0, *(len(one["order"]) for one in counts)]).tolist()
    texts, words = np.sum([one["sizes"] for one in counts], axis=0).tolist()
    del counts
    if not (weighed / _ALL).exists():
        found = number(paths, weighed / _FIRSTS, run.memory)
        # After those that have a number, one for all that a single text has.
        seen = np.append(found.texts, 1).astype(np.float64)
        scale = measure.scale_of(Statistics(texts, words, seen, seen), len(seen))
        write(weighed / _ALL, {"firsts": found.firsts, "texts": found.texts, "scale": scale})
        del found, seen, scale
        release_memory()
    made = run.map(WeighTask(folder, weighed, tuple(begins)), blocks, "blocks weighed")
    terms = Terms(weighed, tuple(blocks), tuple((one["terms"], one["distinct"]) for one in made))
    return terms, measure.copy().fit_when_asked(lambda: _learnt(paths, measure))


def _learnt(paths: Sequence[Path], measure: TfIdf) -> tuple[Statistics, Analyser]:
    """Read the words of all blocks, in their order, and what was counted of them."""
    analyser, sizes, totals = measure.new_analyser(), np.zeros(2, np.int64), np.zeros((2, 0))
    for path in paths:
        made = map_arrays(path)
        new = unpack_strings(made["words"], made["words.places"])
        places = analyser.intern([word.decode("utf-8", "surrogatepass") for word in new])
        if len(analyser) > totals.shape[1]:  # by more than is needed now, so that it is not copied for every block
            totals = np.pad(totals, ((0, 0), (0, len(analyser) + len(analyser) // 4 - totals.shape[1])))
        totals[0, places] += made["texts"]
        totals[1, places] += made["occurrences"]
        sizes += made["sizes"]
    texts, words = sizes.tolist()
    return Statistics(texts, words, *totals[:, : len(analyser)].copy()), analyser


def _blocks(run: Run, files: Sequence[Path]) -> list[Block]:
    """Return the blocks of texts: of a cluster so many that all workers have some."""
    if run.embedded:
        return run.blocks_of(files)
    several = -(-records_in(files) // (2 * run.strips))
    return plan(files, run.settled("terms-block", min(run.block, max(_FEWEST, several))))
