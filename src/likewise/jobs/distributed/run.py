"""A run on an engine: its folder, how its work is cut into blocks and strips, and its report."""

import contextlib
import json
import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from likewise.engines import Engine, Task
from likewise.jobs.distributed.blocks import Block, cut, plan
from likewise.platform import peak_memory, release_memory
from likewise.progress import Progress
from likewise.results.stage_report import StageReport
from likewise.storage import atomic_write

BLOCK = 100_000
"""Most records that a task reads at a time."""
LARGEST = 1_000_000
"""Most records of a side that a task compares at a time: what is analysed once need not be analysed again."""
SHORTEST = 25_000
"""Fewest records that are worth a strip: with fewer, analysing what they meet costs as much as comparing it."""
SHORTEST_ONCE = 200_000
"""The same where each pair is wanted once: what a strip meets is looked up in its lists, which costs as much again."""
# What a text takes, in its own bytes, while it is analysed and once its lists are built: as q-grams, as words; and
# besides for each record.
_GRAMS, _WORDS, _RECORD = 80, (16, 8), 600


def block_size(memory: int, text_bytes: float, by_words: bool = False) -> int:
    """Return how many records of a side a task reads at a time.

    >>> block_size(2 << 30, 20), block_size(2 << 30, 5_000), block_size(2 << 30, 5_000, by_words=True)
    (100000, 2680, 13321)
    """
    return min(BLOCK, _fitting(memory, text_bytes, _WORDS[0] if by_words else _GRAMS))


def compared_size(memory: int, text_bytes: float, by_words: bool = False) -> int:
    """Return how many records of a side a task compares at a time.

    >>> compared_size(2 << 30, 20), compared_size(8 << 30, 20)
    (488064, 1000000)
    """
    return min(LARGEST, _fitting(memory, text_bytes, _WORDS[1] if by_words else _GRAMS))


def _fitting(memory: int, text_bytes: float, times: int) -> int:
    """Return how many records of a side fit the memory of a task, which holds a block of both."""
    return max(1, int(memory / (2 * (times * text_bytes + _RECORD))))


@dataclass(frozen=True, slots=True)
class Timed:
    """A task that also says how long each shard took, and the most memory that its process has had."""

    task: Any

    @property
    def threads(self) -> int:
        """How many threads a shard uses."""
        return getattr(self.task, "threads", 1)

    def begin(self) -> Any:
        """Begin the task."""
        return self.task.begin()

    def shard(self, state: Any, shard: Any) -> dict[str, Any]:
        """Do one shard."""
        started = time.perf_counter()
        counts = self.task.shard(state, shard)
        release_memory()
        return {**counts, "seconds": time.perf_counter() - started, "peak": peak_memory()}

    def end(self, state: Any, place: int) -> None:
        """End the task."""
        self.task.end(state, place)


@dataclass(frozen=True, slots=True)
class Run:
    """A run: its engine, a folder that all workers see, how work is cut, and where progress and counts are reported."""

    engine: Engine
    folder: Path
    progress: Progress | None = None
    strips: int = 8
    places: int = 0
    """How many tasks ran at a time when the run began; 0: those of the engine."""
    block: int = BLOCK
    compared: int = BLOCK
    """Records of a side that a task compares at a time."""
    shares: bool = False
    """Whether rows of terms are kept for others: their numbers are the same in all processes, where all learnt them."""
    memory: int = 2 << 30
    """What a task may take."""
    limit: int = 2 << 30
    """What this process may take, where tasks run in it."""
    report: StageReport = field(default_factory=lambda: StageReport("run", {}))

    @contextlib.contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Report that a stage begins, and time it."""
        self.report.begin(name)
        if self.progress is not None:
            self.progress(0, None, name)
        started = time.perf_counter()
        yield
        self.report.end(name, time.perf_counter() - started)

    def map(self, task: Task, shards: Sequence[Any], unit: str) -> list[dict[str, Any]]:
        """Run a task over shards."""
        counts = self.engine.map(Timed(task), shards, self.done(len(shards), unit))
        self.report.add(counts)
        return counts

    def done(self, total: int, unit: str) -> Callable[[int], None]:
        """Return a callback that reports how many shards of the stage are done."""
        said = f"{self.report.stages[-1].name}: {unit}" if self.report.stages else unit
        return lambda count: None if self.progress is None else self.progress(count, total, said)

    def settled(self, name: str, value: int) -> int:
        """Return a number as it was when the run began, because files that exist already were cut by it."""
        path = self.folder / f"{name}.json"
        if not path.exists():
            with atomic_write(path, "w", encoding="utf-8") as file:
                json.dump(value, file)
        return int(json.loads(path.read_text(encoding="utf-8")))

    def place(self, name: str) -> Path:
        """Return the folder of a table; make it if it does not exist."""
        made = self.folder / name
        made.mkdir(parents=True, exist_ok=True)
        return made

    @property
    def together(self) -> int:
        """How many threads compare one strip: on the embedded engine all of them, so that one lot is in memory."""
        return self.engine.places if self.embedded else 1

    @property
    def embedded(self) -> bool:
        """Whether tasks run in this process."""
        return self.engine.name == "duckdb"

    def strips_of(self, files: Sequence[Path], half: bool) -> list[Block]:
        """Return the blocks that tasks begin with: several for each worker, so that none waits long for the last.

        ``half``: a strip meets only itself and what comes after it, so later ones are longer.
        """
        size = records_in(files)
        wanted = 1 if self.embedded else self._wanted(size, SHORTEST_ONCE if half else SHORTEST)
        return cut(files, strip_lengths(size, wanted, self.compared, half))

    def _wanted(self, size: int, shortest: int = SHORTEST) -> int:
        """Return how many strips there are of so many records."""
        return strip_count(size, min(self.places or self.engine.places, self.strips), self.strips, shortest)

    def longest(self, size: int) -> int:
        """Return how long a strip of so many records is, so that all workers have one."""
        return max(1, -(-size // self._wanted(size)))

    def blocks_of(self, files: Sequence[Path]) -> list[Block]:
        """Return the blocks that tasks hold one after the other."""
        return plan(files, self.block)


def records_in(files: Sequence[Path]) -> int:
    """Return how many records files have."""
    return sum(map(len, plan(files, 1 << 30)))


def bytes_each(files: Sequence[Path]) -> float:
    """Return how long a record of Parquet files is, as their footers say."""
    footers = [pq.read_metadata(path) for path in files]
    size: int = sum(one.row_group(group).total_byte_size for one in footers for group in range(one.num_row_groups))
    rows: int = sum(one.num_rows for one in footers)
    return size / max(1, rows)


def strip_count(size: int, places: int, most: int, shortest: int) -> int:
    """Return how many strips records are cut into: as many for each place, so that none is idle while the last is done.

    >>> [strip_count(size, 2, 8, 200_000) for size in (1_000, 600_000, 1_000_000, 5_000_000)]
    [2, 2, 4, 8]
    """
    wanted = min(most, size // shortest)
    return max(places, wanted - wanted % places)


def strip_lengths(size: int, wanted: int, most: int, half: bool) -> Iterator[int]:
    """Yield lengths of strips, at most ``most``, that give the same work each.

    >>> list(strip_lengths(100, 4, 100, False)), list(strip_lengths(100, 4, 30, True))
    ([25, 25, 25, 25], [13, 16, 21, 30, 20])
    """
    first = 0
    for number in range(1, wanted + 1):
        share = number / wanted
        end = round(size * (1 - math.sqrt(1 - share) if half else share))
        while first < end:
            length = min(end - first, most)
            yield length
            first += length
