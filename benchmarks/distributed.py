"""Match on an engine: what it costs beside one machine, and how long it would take on machines that are not here.

    python -m benchmarks.distributed overhead [--names 1000000] [--top-names 400000] [--documents 100]
    python -m benchmarks.distributed simulate [--sizes 250000 500000 1000000 2000000]
    python -m benchmarks.distributed check [--names 200000]
    python -m benchmarks.distributed beside [--names 100000]
    python -m benchmarks.distributed memory [--names 200000]
    python -m benchmarks.distributed --write docs/results/distributed.md      all but memory, to a page

*overhead*: the same Parquet file matched on one machine, in blocks on disk, and on Spark with two workers; names, and
megabytes of documents. *simulate*: tasks are measured, then scheduled on executors. *check*: the schedule against Spark
with 1 and 2 workers. *beside*: Spark's MinHashLSH and splink on the same names. *memory*: what a process takes for a
tenth of the names and for all.

More than the 200,000 names there are is made by combining them: the first word of one with the rest of another, drawn
with a fixed seed, so that words keep their frequencies and pairs that are alike keep theirs. A document is 5 kB of
paragraphs, drawn alike; one in ten is another one with a paragraph less.

A strip of L records that meets R others takes p (L + R) + j P seconds: p is what reading and analysing a record costs,
j what a pair costs that a bound leaves out or lets through. P is L R, or, where each pair is wanted once,
L R - L L / 2: a strip meets itself and what comes after it. Both are fitted to measured tasks, on one core. A schedule
gives every task to the core that is free first, as Spark does.
"""

import argparse
import gzip
import heapq
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from benchmarks.distributed_peers import beside
from benchmarks.measuring import DATA

NAMES = DATA / "bench" / "names_200k.txt"
LAUNCH = 0.1  # seconds that Spark takes to begin and end a task
ASKED: dict[str, dict[str, Any]] = {"above 0.8": {"all_pairs": True, "min_score": 0.8}, "top 10": {"top": 10}}
BYTES = 16  # of a name on disk
COMPARED = 600_000  # names of a side that a task of 2 GB compares at a time


def names(count: int) -> list[str]:
    """Return names: those there are, then combinations of them."""
    known = NAMES.read_text(encoding="utf-8").splitlines()
    draw = random.Random(11)
    made = known[:count]
    while len(made) < count:
        one, other = draw.choice(known).split(), draw.choice(known).split()
        made.append(" ".join([one[0], *(other[1:] or other)]))
    return made


def documents(megabytes: int) -> list[str]:
    """Return documents of 5 kB; one in ten is the one before it, less a paragraph."""
    with gzip.open(DATA / "bench" / "paras_100k.txt.gz", "rt", encoding="utf-8") as file:
        known = file.read().splitlines()
    draw = random.Random(11)
    made: list[str] = []
    parts: list[str] = []
    while len(made) < 200 * megabytes:
        if len(made) % 10 == 9:
            parts = parts[1:]
        else:
            parts = []
            while sum(map(len, parts)) < 5000:
                parts.append(draw.choice(known))
        made.append(" ".join(parts))
    return made


@dataclass(frozen=True)
class Strip:
    """A task: how many records it has, how many it meets, each pair of its own once or not, and how long it took."""

    left: int
    right: int
    half: bool
    seconds: float = 0.0

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
    def of(cls, strips: Sequence[Strip], begin: float) -> "Cost":
        """Fit the costs to measured tasks, each weighed by its own length; neither is less than nothing."""
        matrix = np.array([[one.left + one.right, one.pairs] for one in strips], float)
        weights = 1 / np.array([one.seconds for one in strips])
        record, pair = np.linalg.lstsq(matrix * weights[:, None], np.ones(len(strips)), rcond=None)[0]
        if pair < 0 or record < 0:
            keep = 0 if pair < 0 else 1
            alone = float((1 / (matrix[:, keep] * weights)).mean())
            record, pair = (alone, 0.0) if keep == 0 else (0.0, alone)
        return cls(float(record), float(pair), begin)

    def seconds(self, strip: Strip, shared: bool = False) -> float:
        """Return what a task takes; ``shared``: its process has the right side already."""
        return self.record * (strip.left + (0 if shared else strip.right)) + self.pair * strip.pairs


def plan(count: int, slots: int, half: bool) -> Iterator[Strip]:
    """Yield the strips of a run: their records, and the records that they meet."""
    from likewise.jobs.distributed.run import SHORTEST, strip_lengths

    wanted = max(slots, min(4 * slots, count // SHORTEST))
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


def predicted(cost: Cost, count: int, slots: int, half: bool) -> tuple[float, list[float], list[Strip]]:
    """Return the seconds of a run's pairs, those of its tasks, and the tasks."""
    shapes = list(plan(count, slots, half))
    shared = not half and count <= COMPARED  # a process keeps a right side that is one block
    tasks = [cost.seconds(shape, shared) + LAUNCH for shape in shapes]
    begin = cost.begin * min(count, 2_000_000)
    return schedule(tasks, slots, begin + cost.record * count * shared), tasks, shapes


class Enough(Exception):  # noqa: N818 - nothing is wrong
    """The tasks that were wanted are measured."""


def measured(count: int, asked: dict[str, Any]) -> tuple[list[Strip], float]:
    """Return some tasks of a match, measured on one core, and how long a process takes to begin.

    A short strip at the beginning, a longer one in the middle, and a short one near the end.
    """
    import likewise as lw
    from likewise.jobs.distributed import match
    from likewise.jobs.distributed.blocks import cut
    from likewise.jobs.distributed.blocks import plan as blocks
    from likewise.jobs.distributed.pairs import PairTask, let_go
    from likewise.jobs.distributed.statistics import forget

    found: list[Strip] = []
    begins: list[float] = []
    short, longer = max(1, count // 80), max(1, count // 20)
    middle, late = count // 2, count * 9 // 10
    lengths = [short, middle - short, longer, late - middle - longer, short, count - late - short]

    def some(run: Any, files: Any, sides: Any, name: str, top: int, least: float, *_: Any) -> Any:
        half = not top
        strips = cut(files[0], [one for one in lengths if one])
        rights = tuple(strips if half else blocks(files[1], COMPARED))
        task = PairTask(run.place(name), sides, rights, run.folder / "measure.json", top, least, True, half=half)
        for place in (0, 2, 4):
            let_go()
            forget(run.folder)
            started = time.process_time()
            state = task.begin()
            begun = time.process_time()
            task.shard(state, strips[place])
            begins.append(begun - started)
            meets = count - strips[place].first if half else count
            found.append(Strip(len(strips[place]), meets, half, time.process_time() - begun))
        raise Enough

    before, match.strips = match.strips, some  # type: ignore[assignment]
    try:
        lw.match(names(count), engine="duckdb", threads=1, **asked)
    except Enough:
        return found, float(np.median(begins))
    finally:
        match.strips = before
    raise AssertionError("no task was measured")


def costs(sizes: Sequence[int]) -> dict[str, tuple[Cost, str]]:
    """Return for each question what its tasks cost, and a sentence on how it was found."""
    made = {}
    for title, asked in ASKED.items():
        strips, begins = [], []
        for size in sizes:
            some, begin = measured(size, asked)
            strips += some
            begins.append(begin / size)
        cost = Cost.of(strips, 0.0)
        off = [abs(cost.seconds(one) / one.seconds - 1) for one in strips]
        said = (
            f"{title}: {len(strips)} tasks among {', '.join(f'{size:,}' for size in sizes)} names; "
            f"{cost.record * 1e6:.2f} µs a record, {cost.pair * 1e9:.3f} ns a pair; the fit is off by "
            f"{np.median(off):.0%} in the median, {max(off):.0%} at most"
        )
        print(said, flush=True)
        made[title] = (replace(cost, begin=float(np.mean(begins))), said)
    return made


def simulate(fitted: dict[str, tuple[Cost, str]]) -> str:
    lines = ["## Predicted", ""]
    for title, (cost, said) in fitted.items():
        lines += [said + ".", ""]
        lines += ["| names | executors of 4 cores | hours | core hours | tasks | longest / median | read, GB |"]
        lines += ["|---:|---:|---:|---:|---:|---:|---:|"]
        for count in (1_000_000, 10_000_000, 100_000_000, 1_000_000_000):
            for executors in (10, 100, 1000):
                took, tasks, shapes = predicted(cost, count, 4 * executors, "above" in title)
                read = sum(shape.right for shape in shapes) * BYTES / 1e9
                skew = max(tasks) / float(np.median(tasks))
                lines.append(
                    f"| {count:,} | {executors:,} | {took / 3600:,.2f} | {sum(tasks) / 3600:,.1f} | {len(tasks):,} | "
                    f"{skew:.2f} | {read:,.1f} |"
                )
        lines.append("")
    return "\n".join(lines)


def spark(cores: int) -> Any:
    """Return a session of Spark in this machine."""
    import pyspark

    builder = pyspark.sql.SparkSession.builder.master(f"local[{cores}]").config("spark.ui.enabled", "false")
    quiet = builder.config("spark.driver.memory", "2g").config("spark.ui.showConsoleProgress", "false")
    return quiet.getOrCreate()


def check(count: int, fitted: dict[str, tuple[Cost, str]]) -> str:
    import likewise as lw

    lines = ["## The schedule against Spark", "", f"Seconds of the stage that finds pairs, {count:,} names.", ""]
    lines += ["| asked for | workers | Spark | predicted | |", "|---|---:|---:|---:|---:|"]
    with tempfile.TemporaryDirectory() as folder:
        path = _file(names(count), folder)
        for cores in (1, 2):
            session = spark(cores)
            try:
                lw.match(names(1000), engine=session, top=1)  # Python starts in the workers
                for title, asked in ASKED.items():
                    report = lw.match(path, on="text", engine=session, **asked).report
                    [stage] = [stage for stage in report.stages if stage.name == "pairs"]
                    told = predicted(fitted[title][0], count, max(2, cores), "above" in title)
                    took = schedule(told[1], cores, told[0] - schedule(told[1], max(2, cores)))
                    off = f"{took / stage.seconds - 1:+.0%}"
                    lines.append(f"| {title} | {cores} | {stage.seconds:.1f} | {took:.1f} | {off} |")
                    print(lines[-1], flush=True)
            finally:
                session.stop()
    return "\n".join([*lines, ""])


def overhead(count: int, top_count: int, megabytes: int) -> str:
    cases: list[tuple[str, Any, int, dict[str, Any]]] = [
        ("above 0.8", names, count, ASKED["above 0.8"]),
        ("top 10", names, top_count, ASKED["top 10"]),
        ("above 0.8", documents, megabytes, ASKED["above 0.8"]),
    ]
    lines = ["## Overhead", "", "Seconds from a Parquet file to the pairs; two cores, memory 2 GB.", ""]
    lines += [
        "| input | asked for | pairs | one machine | blocks on disk | Spark, two workers | longest / median task |"
    ]
    lines += ["|---|---|---:|---:|---:|---:|---:|"]
    for title, make, size, asked in cases:
        if size:
            what = f"{size:,} names" if make is names else f"{size:,} MB of documents"
            lines.append(f"| {what} | {title} | {_compared(make(size), asked)} |")
            print(lines[-1], flush=True)
    return "\n".join([*lines, ""])


def _compared(texts: list[str], asked: dict[str, Any]) -> str:
    import likewise as lw

    with tempfile.TemporaryDirectory() as folder:
        path = _file(texts, folder)
        del texts

        def timed(**at: Any) -> tuple[float, Any]:
            started = time.perf_counter()
            found = lw.match(path, on="text", **asked, **at)
            return time.perf_counter() - started, found

        alone, found = timed()
        pairs = len(found)
        del found
        embedded, blocks = timed(engine="duckdb")
        session = spark(2)
        try:
            lw.match(names(1000), engine=session, top=1)  # Python starts in the workers
            there, found = timed(engine=session)
        finally:
            session.stop()
    if not pairs == len(blocks) == len(found):
        sys.exit(f"{asked}: {pairs:,}, {len(blocks):,} and {len(found):,} pairs")
    [stage] = [stage for stage in found.report.stages if stage.name == "pairs"]
    return (
        f"{pairs:,} | {alone:.1f} | {embedded:.1f} ({embedded / alone:.2f}x) | {there:.1f} ({there / alone:.2f}x; "
        f"{there / embedded:.2f}x of blocks) | {stage.skew:.2f} of {len(stage.task_seconds)}"
    )


def _file(texts: Sequence[str], folder: str) -> str:
    path = f"{folder}/texts.parquet"
    pq.write_table(pa.table({"text": texts}), path, row_group_size=1 << 16)
    return path


def memory(count: int) -> None:
    """A process that matches on the embedded engine, with one thread: what it takes beyond what it has imported."""
    program = (
        "import sys, likewise as lw, pandas, duckdb, pyarrow.dataset\n"
        "from likewise.jobs.distributed import match\nfrom likewise.platform import peak_memory\n"
        "before = peak_memory()\n"
        "found = lw.match(sys.argv[1], engine='duckdb', threads=1, memory=sys.argv[2], all_pairs=True, min_score=0.8)\n"
        "print(before >> 20, peak_memory() >> 20)"
    )
    for asked in ("256MB", "512MB", "1GB"):
        for size in (count // 10, count):
            with tempfile.TemporaryDirectory() as folder:
                path = Path(folder) / "names.txt"
                path.write_text("\n".join(names(size)), encoding="utf-8")
                told = subprocess.run([sys.executable, "-c", program, path, asked], stdout=subprocess.PIPE, check=True)
            before, peak = map(int, told.stdout.split())
            print(f"{asked} asked, {size:,} names: {peak} MB at most, {peak - before} more than imports", flush=True)


HEAD = """# Beyond one machine

Written by `benchmarks/distributed.py`, which says how names and documents were made; on a machine with two cores.
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("all", "overhead", "simulate", "check", "beside", "memory"), nargs="?",
                        default="all")  # fmt: skip
    parser.add_argument("--names", type=int, default=None)
    parser.add_argument("--top-names", type=int, default=400_000, help="for the best ten of each (overhead)")
    parser.add_argument("--documents", type=int, default=100, help="megabytes (overhead)")
    parser.add_argument("--sizes", type=int, nargs="+", default=[250_000, 500_000, 1_000_000, 2_000_000])
    parser.add_argument("--write", type=Path, help="the page of results")
    given = parser.parse_args()
    if not NAMES.exists():
        sys.exit(f"{NAMES} is not there")
    if given.what == "memory":
        return memory(given.names or 200_000)
    pages = [HEAD]
    if given.what in ("all", "overhead"):
        pages.append(overhead(1_000_000 if given.names is None else given.names, given.top_names, given.documents))
    if given.what in ("all", "simulate", "check"):
        fitted = costs(given.sizes)
        if given.what != "check":
            pages.append(simulate(fitted))
        if given.what != "simulate":
            pages.append(check(given.names or 200_000 if given.what == "check" else 200_000, fitted))
    if given.what in ("all", "beside"):
        pages.append(beside(names((given.names or 100_000) if given.what == "beside" else 100_000)))
    print("\n".join(pages[1:]))
    if given.write:
        given.write.write_text("\n".join(pages), encoding="utf-8")
    return None


if __name__ == "__main__":
    main()
