"""Tasks measured on one core, a model of what they cost, and a schedule of them on executors.

A strip of L records that meets R others takes p N + j P seconds: p is what reading and analysing a record costs, j what
a pair costs that a bound leaves out or lets through. N is L + R and P is L R; where each pair is wanted once, a strip
meets itself and what comes after it, so N is R and P is L R - L L / 2. Both costs are fitted to the measured tasks of
all sizes together: those of one run have as many pairs each, so that few sizes cannot tell records from pairs. What a
pair costs changes with the size, as bounds leave out more or less of it. Costs are multiplied by what tasks take longer
where every core has one. A schedule gives every task to the core that is free first, as Spark does.

The names are all combined ones: collections of every size are of one kind then, and so are the parts of each.
"""

import heapq
import json
import math
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

import numpy as np

from benchmarks.cluster import session
from benchmarks.distributed import ASKED, combined, stored

LAUNCH = 0.1  # seconds that Spark takes to begin and end a task
COMPARED = 600_000  # names of a side that a task of 2 GB compares at a time
MOST = 25_000_000_000  # pairs of a task that is measured: half a minute


@dataclass(frozen=True)
class Strip:
    """A task: how many records it has, how many it meets, each pair of its own once or not, and how long it took."""

    left: int
    right: int
    half: bool
    seconds: float = 0.0

    @property
    def records(self) -> int:
        return self.right if self.half else self.left + self.right

    @property
    def pairs(self) -> float:
        return self.left * self.right - (self.left**2 / 2 if self.half else 0)


@dataclass(frozen=True)
class Cost:
    """Seconds for a record that is read and analysed, for a pair, and, for a name, to begin in a process.

    What a process reads to begin is the vocabulary, which grows with the names, but not beyond some millions.
    """

    record: float
    pair: float
    begin: float = 0.0

    @classmethod
    def of(cls, strips: Sequence[Strip], begin: float = 0.0) -> "Cost":
        """Fit the costs to measured tasks, each weighed by its own length; neither is less than nothing.

        >>> cost = Cost.of([Strip(1000, 9000, False, 0.019), Strip(2000, 4000, False, 0.014)])
        >>> round(cost.record * 1e6, 6), round(cost.pair * 1e9, 6)
        (1.0, 1.0)
        """
        matrix = np.array([[one.records, one.pairs] for one in strips], float)
        weights = 1 / np.array([one.seconds for one in strips])
        record, pair = np.linalg.lstsq(matrix * weights[:, None], np.ones(len(strips)), rcond=None)[0]
        if pair < 0 or record < 0:
            keep = 0 if pair < 0 else 1
            alone = float((1 / (matrix[:, keep] * weights)).mean())
            record, pair = (alone, 0.0) if keep == 0 else (0.0, alone)
        return cls(float(record), float(pair), begin)

    def seconds(self, strip: Strip, shared: bool = False) -> float:
        """Return what a task takes; ``shared``: its process has the right side already."""
        return self.record * (strip.left if shared else strip.records) + self.pair * strip.pairs


@dataclass(frozen=True)
class Costs:
    """Measured tasks of collections of several sizes, and how much longer they take where every core has one."""

    strips: dict[int, list[Strip]]
    begins: dict[int, float]
    busy: float = 1.0

    def at(self, count: int, without: int = 0) -> Cost:
        """Return what tasks of a collection cost, by all that were measured but those of one size.

        The cost of a pair follows the logarithm of the size as far as sizes were measured; what it takes to begin is
        that of the two sizes that are nearest.
        """
        others = [size for size in self.strips if size != without] or list(self.strips)
        near = sorted(others, key=lambda size: abs(math.log(size / count)))[:2]
        begin = float(np.mean([self.begins[size] for size in near]))
        measured = [(size, strip) for size in others for strip in self.strips[size]]
        matrix = np.array([[one.records, one.pairs, one.pairs * math.log(size)] for size, one in measured], float)
        weights = 1 / np.array([one.seconds for _, one in measured])
        scale = np.abs(matrix).max(axis=0)  # pairs are counted in billions, records in millions
        solved = np.linalg.lstsq(matrix * weights[:, None] / scale, np.ones(len(measured)), rcond=None)[0] / scale
        record, pair, growth = map(float, solved)
        pair += growth * math.log(min(max(count, min(others)), max(others)))
        if len(others) < 2 or record < 0 or pair < 0:
            return Cost.of([strip for _, strip in measured], begin)
        return Cost(record, pair, begin)


def plan(count: int, slots: int, half: bool) -> Iterator[Strip]:
    """Yield the strips of a run: their records, and the records that they meet."""
    from likewise.jobs.distributed.run import SHORTEST, SHORTEST_ONCE, strip_count, strip_lengths

    wanted = strip_count(count, slots, 4 * slots, SHORTEST_ONCE if half else SHORTEST)
    first = 0
    for length in strip_lengths(count, wanted, COMPARED, half):
        yield Strip(length, count - first if half else count, half)
        first += length


def schedule(tasks: Sequence[float], slots: int, begin: float = 0.0) -> float:
    """Return when the last task ends, if each goes to the slot that is free first.

    >>> schedule([3, 1, 1, 1], 2)
    3.0
    """
    free = [begin] * slots
    for seconds in tasks:
        heapq.heapreplace(free, free[0] + seconds)
    return float(max(free))


def predicted(cost: Cost, count: int, slots: int, half: bool, busy: float) -> tuple[float, list[float], list[Strip]]:
    """Return the seconds of a run's pairs, those of its tasks, and the tasks; a run is cut for two slots at least."""
    shapes = list(plan(count, max(2, slots), half))
    shared = not half and count <= COMPARED  # a process keeps a right side that is one block
    seconds = [busy * cost.seconds(shape, shared) + LAUNCH for shape in shapes]
    begin = cost.begin * min(count, 2_000_000)
    return schedule(seconds, slots, busy * (begin + cost.record * count * shared)), seconds, shapes


class Enough(Exception):  # noqa: N818 - nothing is wrong
    """The tasks that were wanted are measured."""


def tasks(count: int, title: str) -> dict[str, Any]:
    """Return some tasks of a match, measured on one core, and how long a process takes to begin.

    Where each pair is wanted once, the first strip of such a run, which meets all, the last, and one between them; else
    strips of two lengths, which meet all.
    """
    import likewise as lw
    from likewise.jobs.distributed import match
    from likewise.jobs.distributed.blocks import cut
    from likewise.jobs.distributed.blocks import plan as blocks
    from likewise.jobs.distributed.pairs import PairTask, let_go
    from likewise.jobs.distributed.statistics import forget

    found: list[list[float]] = []
    begins: list[float] = []
    short, longer = min(count // 40, 12_500, MOST // count), min(count // 10, 50_000, 4 * MOST // count)
    best = ((0, short), (count // 2, min(longer, 25_000, 2 * MOST // count)))

    def some(run: Any, files: Any, sides: Any, name: str, top: int, least: float, *_: Any) -> Any:
        half = not top
        lengths, wanted = _lengths(count, best) if top else _some_of_a_run(count)
        strips = cut(files[0], lengths)
        rights = tuple(blocks(files[1], COMPARED))
        task = PairTask(run.place(name), sides, rights, run.folder / "measure.json", top, least, True, half=half)
        for place in wanted:
            let_go()
            forget(run.folder)
            started = time.process_time()
            state = task.begin()
            begun = time.process_time()
            task.shard(state, strips[place])
            begins.append(begun - started)
            meets = count - strips[place].first if half else count
            found.append([len(strips[place]), meets, half, time.process_time() - begun])
        raise Enough

    before, match.strips = match.strips, some  # type: ignore[assignment]
    try:
        lw.match(combined(count), engine="duckdb", **ASKED[title])
    except Enough:
        return {"strips": found, "begin": float(np.median(begins)) / count}
    finally:
        match.strips = before
    raise AssertionError("no task was measured")


def busy(count: int, title: str) -> dict[str, Any]:
    """Return the same tasks, measured while every other core does them, too; what each process found."""
    asked = json.dumps([count, title])
    command = [sys.executable, "-m", "benchmarks.measuring", "benchmarks.distributed_tasks", "tasks", asked]
    started = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(os.cpu_count() or 1)]
    said = [process.communicate()[0] for process in started]
    return {"strips": [json.loads(one.splitlines()[-1])["answer"]["strips"] for one in said]}


def _lengths(count: int, strips: Sequence[tuple[int, int]]) -> tuple[list[int], list[int]]:
    """Return lengths that cut records into some strips and what lies between, and which places the strips have."""
    lengths: list[int] = []
    wanted = []
    first = 0
    for begin, length in [*strips, (count, 0)]:
        while first < begin:
            lengths.append(min(COMPARED, begin - first))
            first += lengths[-1]
        if length:
            wanted.append(len(lengths))
            lengths.append(length)
            first += length
    return lengths, wanted


def _some_of_a_run(count: int) -> tuple[list[int], list[int]]:
    """Return the lengths of the strips of a run, each of few enough pairs, and the places of the first, middle, last.

    >>> _some_of_a_run(800_000)
    ([107180, 127135, 165685, 400000], [0, 2, 3])
    """
    slots = max(2, -(-count * count // (8 * MOST)))
    lengths = [strip.left for strip in plan(count, slots, half=True)]
    return lengths, sorted({0, len(lengths) // 2, len(lengths) - 1})


def check(count: int, title: str, workers: int) -> dict[str, Any]:
    """Return how long a cluster takes for the stage that finds pairs, and its tasks."""
    import likewise as lw

    with ExitStack() as stack:
        path = stored("combined", count, stack.enter_context(tempfile.TemporaryDirectory()))
        spark = session("cluster", stack, workers)
        lw.match(combined(1000), engine=spark, top=1)  # Python starts in the workers
        found: Any = lw.match(path, on="text", engine=spark, **ASKED[title])
        [stage] = [stage for stage in found.report.stages if stage.name == "pairs"]
        return {"seconds": stage.seconds, "tasks": stage.task_seconds}


def memory(kind: str, size: int, asked: str) -> dict[str, Any]:
    """Return the most memory, in MB, that the process of a task had: for a few records, and for all; and the tasks."""
    import likewise as lw

    with ExitStack() as stack:
        path = stored(kind, size, stack.enter_context(tempfile.TemporaryDirectory()))
        spark = session("cluster", stack)
        few: Any = lw.match(combined(1000), engine=spark, memory=asked, **ASKED["above 0.8"])
        found: Any = lw.match(path, on="text", engine=spark, memory=asked, **ASKED["above 0.8"])
        peaks = [max(stage.peak for stage in one.report.stages) / 1e6 for one in (few, found)]
        return {"few": peaks[0], "most": peaks[1], "tasks": len(found.report.stages[2].task_seconds)}
