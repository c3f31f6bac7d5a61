"""Answer in tasks who the best partners of some records are, for what one process then decides.

What one process decides by looking at a few candidates, then at more where those do not settle it (an assignment, a
threshold), needs no texts but these answers. Each is kept in files, so that a run which was stopped asks no task twice.
"""

import contextlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from likewise.engines import Apart
from likewise.jobs.distributed.blocks import Block, plan, ranged
from likewise.jobs.distributed.job import Finished
from likewise.jobs.distributed.pairs import Place, place_of
from likewise.jobs.distributed.part_files import rows_and_bytes, write_once
from likewise.jobs.distributed.run import Run, records_in
from likewise.jobs.distributed.sides import Ready, Sides
from likewise.jobs.distributed.statistics import MEASURE, read_measures
from likewise.join import Pairs
from likewise.join.fields import Prices
from likewise.measure import TextMeasure
from likewise.progress import Progress
from likewise.records.distinct import ranks

Rows = NDArray[np.int64]
Flags = NDArray[np.bool_]
_SCORED = 4096  # pairs that a task scores


@dataclass(frozen=True, slots=True)
class PartnerTask(Apart):
    """Some left records, by position -> a file of the best right ones of each: :meth:`SidesInFiles.partners`."""

    folder: Path
    sides: Sides
    lefts: tuple[Block, ...]
    rights: tuple[Block, ...]
    measures: Path
    itself: bool
    asked: Path
    """Positions, and what must be left of a score where there are prices."""
    priced: Path | None
    """Positions of right records and their prices; with ``among`` no others are partners."""
    among: bool
    count: int
    least: float
    equal: bool
    threads: int = 1

    def begin(self) -> Place:
        """Return the fitted measures, and room for the right side where it is one block."""
        shared = len(self.rights) == 1 and not self.among
        return place_of((self.folder.parent, self.rights, shared), self.measures, shared, self.threads)

    def shard(self, state: Place, shard: tuple[int, int]) -> dict[str, Any]:
        """Find the partners of some of the records, by their places in the list of those that are asked for."""
        path = write_once(partners_file(self.folder, shard), lambda: self._found(state, *shard))
        return {"asked": shard[1] - shard[0], **rows_and_bytes(path, "pairs")}

    def _found(self, state: Place, first: int, end: int) -> pa.Table:
        asked = pq.read_table(self.asked).slice(first, end - first)
        wanted, worth = (column.to_numpy() for column in asked.columns)
        lefts = self.sides.analysed(0, self.sides.read_rows(0, self.lefts, wanted), state.measures, self.threads)
        best, equal, worth = Pairs.none(), np.zeros(0, bool), worth.copy()
        ranked = np.zeros(0)
        for block in self.rights:
            places, prices = self._prices(block)
            if not len(places):
                continue
            rights = self._rights(state, block, places)
            found = self._pairs(state.measures, lefts, rights, worth, prices)
            mine = self.sides.comparison(lefts, rights, state.measures, self.threads).equal(found) if self.equal else ()
            worths = found.score if prices is None else found.score - prices[found.right]
            every = Pairs.together([best, Pairs(found.left, places[found.right], found.score)])
            equal, ranked = np.concatenate([equal, np.array(mine, bool)]), np.concatenate([ranked, worths])
            order = np.lexsort((every.right, -ranked, every.left))
            order = order[ranks(every.left[order]) < self.count]
            best, ranked = every.take(order), ranked[order]
            equal = equal[order] if self.equal else equal
            # Who has as many is of interest to none of a later block that leaves no more.
            last = ranks(best.left) == self.count - 1
            worth[best.left[last]] = ranked[last]
        columns = {"left": wanted[best.left], "right": best.right, "score": best.score}
        return pa.table(columns | ({"equal": equal} if self.equal else {}))

    def _pairs(
        self,
        measures: Sequence[TextMeasure],
        lefts: Ready,
        rights: Ready,
        worth: NDArray[np.float64],
        prices: NDArray[np.float64] | None,
    ) -> Pairs:
        comparison = self.sides.comparison(lefts, rights, measures, self.threads)
        if prices is None:
            return comparison.top(self.count, self.least, None, False, np.maximum(worth, 0.0))
        every = np.arange(len(worth), dtype=np.int64)
        return comparison.top_priced(self.count, self.least, every, Prices(prices, worth))

    def _rights(self, state: Place, block: Block, places: Rows) -> Ready:
        side = 0 if self.itself else 1
        if not self.among:
            return state.right(self.sides, block, None, side)
        return self.sides.analysed(side, self.sides.read_rows(side, [block], places), state.measures, self.threads)

    def _prices(self, block: Block) -> tuple[Rows, NDArray[np.float64] | None]:
        """Return the positions of the records of a block that may be partners, and their prices."""
        if self.priced is None:
            return np.arange(block.first, block.end, dtype=np.int64), None
        table = ranged([self.priced], "position", block.first, block.end)
        return table.column("position").to_numpy(), table.column("price").to_numpy()


def partners_file(folder: Path, shard: tuple[int, int]) -> Path:
    """Return the file of what was found for a part of the records that were asked for, however these are cut."""
    return folder / f"{shard[0]:09d}-{shard[1]:09d}.parquet"


@dataclass(frozen=True, slots=True)
class ScoreTask(Apart):
    """Pairs of positions -> their scores, as this task's counts."""

    sides: Sides
    lefts: tuple[Block, ...]
    rights: tuple[Block, ...]
    measures: Path
    itself: bool

    def begin(self) -> list[TextMeasure]:
        """Return the fitted measures."""
        return read_measures(self.measures)

    def shard(self, state: list[TextMeasure], shard: tuple[list[int], list[int]]) -> dict[str, Any]:
        """Read the records of some pairs, and score them."""
        (a, left), (b, right) = (np.unique(np.array(side, np.int64), return_inverse=True) for side in shard)
        lefts = self.sides.analysed(0, self.sides.read_rows(0, self.lefts, a), state, 1)
        side = 0 if self.itself else 1
        rights = self.sides.analysed(side, self.sides.read_rows(side, self.rights, b), state, 1)
        comparison = self.sides.comparison(lefts, rights, state, 1)
        return {"scores": comparison.scores(left.astype(np.int64), right.astype(np.int64)).tolist()}


@dataclass(frozen=True)
class SidesInFiles:
    """Two sides in files, or one that is both, compared by tasks; what is asked for has a number, from 0 on."""

    run: Run
    files: tuple[Sequence[Path], Sequence[Path]]
    sides: Sides
    itself: bool
    exclude_equal: bool = False
    name: str = "partners"
    numbered: Iterator[int] = field(default_factory=lambda: iter(range(1 << 30)))

    @cached_property
    def left_size(self) -> int:
        """Number of left records."""
        return records_in(self.files[0])

    @cached_property
    def right_size(self) -> int:
        """Number of right records."""
        return records_in(self.files[1])

    @property
    def keyed(self) -> bool:
        """Whether only records with the same key are compared."""
        return bool(self.sides.equal_on)

    @property
    def progress(self) -> Progress | None:
        """The callback that progress is reported to."""
        return self.run.progress

    def top(self, k: int, min_score: float = 0.0, rows: Rows | None = None) -> Pairs:
        """Return the ``k`` best partners of each left record (of ``rows``, or all), as one process finds them."""
        rows = np.arange(self.left_size, dtype=np.int64) if rows is None else rows
        # Of one table a record is found among all, too: one more is asked for in its place.
        found = self.partners(k + self.itself, min_score, rows)[0]
        if not self.itself:
            return found
        others = found.take(found.left != found.right)
        return others.take(ranks(others.left) < k)

    def partners(
        self, k: int, least: float, rows: Rows, prices: Prices | None = None, among: Rows | None = None
    ) -> tuple[Pairs, Flags | None]:
        """Return the ``k`` best partners of some records, and which have equal texts, as one process finds them."""
        folder = self.run.place(f"{self.name}/{next(self.numbered):04d}")
        worth = np.zeros(len(rows)) if prices is None else prices.left[rows]
        asked = write_once(folder / "asked.parquet", lambda: pa.table({"position": rows, "worth": worth}))
        priced = None
        if prices is not None:
            places = np.arange(self.right_size, dtype=np.int64) if among is None else among
            columns = {"position": places, "price": prices.right[places]}
            priced = write_once(folder / "prices.parquet", lambda: pa.table(columns))
        task = PartnerTask(
            folder,
            self.sides,
            tuple(self.run.blocks_of(self.files[0])),
            tuple(plan(self.files[1], self.run.compared)),
            self.run.folder / f"{MEASURE}.json",
            self.itself,
            asked,
            priced,
            among is not None,
            k,
            least,
            self.exclude_equal,
            self.run.together,
        )
        length = max(1, len(rows)) if self.run.embedded else self.run.longest(len(rows))
        length = min(self.run.compared, length)
        shards = [(begin, min(len(rows), begin + length)) for begin in range(0, max(1, len(rows)), length)]
        self.run.map(task, shards, "parts of the records asked for")
        found = pa.concat_tables(pq.read_table(partners_file(folder, shard)) for shard in shards)
        left, right, score, *equal = (column.to_numpy() for column in found.columns)
        return Pairs(left, right, score), equal[0] if equal else None

    def scores(self, left: Rows, right: Rows) -> NDArray[np.float64]:
        """Return the scores of given pairs of records."""
        lefts, rights = (tuple(self.run.blocks_of(files)) for files in self.files)
        task = ScoreTask(self.sides, lefts, rights, self.run.folder / f"{MEASURE}.json", self.itself)
        parts = [slice(begin, begin + _SCORED) for begin in range(0, len(left), _SCORED)]
        shards = [(left[part].tolist(), right[part].tolist()) for part in parts]
        return np.array([score for one in self.run.map(task, shards, "parts scored") for score in one["scores"]])


@dataclass(frozen=True)
class Afterwards:
    """What may be asked when the run is over: its engine is started again."""

    finished: Finished
    there: SidesInFiles

    @property
    def left_size(self) -> int:
        """Number of left records."""
        return self.there.left_size

    def top(self, k: int, min_score: float = 0.0, rows: Rows | None = None) -> Pairs:
        """Return the ``k`` best partners of each left record (of ``rows``, or all)."""
        with contextlib.ExitStack() as stack:
            run = stack.enter_context(self.finished.again())
            stack.enter_context(run.stage("best scores"))
            there = SidesInFiles(run, self.there.files, self.there.sides, self.there.itself, name="partners/best")
            return there.top(k, min_score, rows)
