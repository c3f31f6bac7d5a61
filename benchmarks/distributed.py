"""Match on an engine: what it costs beside one machine, and how long it would take on machines that are not here.

    python -m benchmarks.distributed overhead [--names 1000000]       one machine, blocks on disk, Spark on two cores
    python -m benchmarks.distributed simulate [--names 100000 200000]  tasks measured, then scheduled on executors
    python -m benchmarks.distributed check [--names 100000]           the schedule against Spark with 1 and 2 workers
    python -m benchmarks.distributed beside [--names 100000]          Spark's MinHashLSH and splink on the same names
    python -m benchmarks.distributed memory [--names 200000]          the memory of a process, for a tenth and for all

More than the 200,000 names there are is made by combining them: the first word of one with the rest of another, drawn
with a fixed seed, so that words keep their frequencies and pairs that are alike keep theirs.

A strip of L records that meets R others takes p (L + R) + j P seconds: p is what reading and analysing a record costs,
j what a pair costs that a bound leaves out or lets through. P is L R, or, where each pair is wanted once,
L R - L L / 2: a strip meets itself and what comes after it. Both are fitted to measured tasks. A schedule gives every
task to the executor that is free first, as Spark does.
"""

import argparse
import heapq
import random
import subprocess
import sys
import tempfile
import time
import types
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.measuring import DATA

NAMES = DATA / "bench" / "names_200k.txt"
LAUNCH = 0.1  # seconds that Spark takes to begin and end a task
ASKED: dict[str, dict[str, Any]] = {"above 0.8": {"all_pairs": True, "min_score": 0.8}, "top 10": {"top": 10}}
BYTES = 16  # of a name on disk


def names(count: int) -> list[str]:
    """Return names: those there are, then combinations of them."""
    known = NAMES.read_text(encoding="utf-8").splitlines()
    draw = random.Random(11)
    made = known[:count]
    while len(made) < count:
        one, other = draw.choice(known).split(), draw.choice(known).split()
        made.append(" ".join([one[0], *(other[1:] or other)]))
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
    """Seconds for a record that is read and analysed, and for a pair."""

    record: float
    pair: float

    @classmethod
    def of(cls, strips: Sequence[Strip]) -> "Cost":
        """Fit the costs to measured tasks, each weighed by its own length; neither is less than nothing."""
        matrix = np.array([[one.left + one.right, one.pairs] for one in strips], float)
        weights = 1 / np.array([one.seconds for one in strips])
        record, pair = np.linalg.lstsq(matrix * weights[:, None], np.ones(len(strips)), rcond=None)[0]
        if pair < 0 or record < 0:
            keep = 0 if pair < 0 else 1
            alone = float((1 / (matrix[:, keep] * weights)).mean())
            record, pair = (alone, 0.0) if keep == 0 else (0.0, alone)
        return cls(float(record), float(pair))

    def seconds(self, strip: Strip) -> float:
        return self.record * (strip.left + strip.right) + self.pair * strip.pairs


def plan(count: int, slots: int, block: int, half: bool) -> Iterator[Strip]:
    """Yield the strips of a run: their records, and the records that they meet."""
    length = max(1, min(block, -(-count // (4 * slots))))
    for first in range(0, count, length):
        yield Strip(min(length, count - first), count - first if half else count, half)


def schedule(tasks: Sequence[float], slots: int) -> float:
    """Return when the last task ends, if each goes to the slot that is free first.

    >>> schedule([3, 1, 1, 1], 2)
    3.0
    """
    free = [0.0] * slots
    for seconds in tasks:
        heapq.heapreplace(free, free[0] + seconds)
    return float(max(free))


def measured(count: int, asked: dict[str, Any], blocks: int) -> list[Strip]:
    """Run a match on the embedded engine, a thread, and return its tasks."""
    import likewise as lw
    from likewise.jobs.distributed import job, run

    run.BLOCK, job._STRIPS = -(-count // blocks), blocks
    run.time = types.SimpleNamespace(perf_counter=time.process_time)  # on a busy machine, too
    found: Any = lw.match(names(count), engine="duckdb", threads=1, **asked)
    [stage] = [stage for stage in found.report.stages if stage.name == "pairs"]
    half = "all_pairs" in asked
    firsts = range(0, count, run.BLOCK)
    shapes = [(min(run.BLOCK, count - first), count - first if half else count) for first in firsts]
    took = zip(shapes, stage.task_seconds, strict=True)
    return [Strip(left, right, half, seconds) for (left, right), seconds in took]


def simulate(sizes: Sequence[int]) -> None:
    for title, asked in ASKED.items():
        strips = [strip for size in sizes for blocks in (2, 5) for strip in measured(size, asked, blocks)]
        cost = Cost.of(strips)
        off = [abs(cost.seconds(one) / one.seconds - 1) for one in strips]
        print(f"\n{title}: {len(strips)} tasks of {', '.join(f'{size:,}' for size in sizes)} names; "
              f"{cost.record * 1e6:.2f} us a record, {cost.pair * 1e9:.3f} ns a pair; "
              f"the fit is off by {np.median(off):.0%} in the median")  # fmt: skip
        print("| names | executors of 4 cores | hours | longest task / median | read, GB |\n|---|---|---|---|---|")
        for count in (1_000_000, 10_000_000, 100_000_000, 1_000_000_000):
            for executors in (10, 100, 1000):
                shapes = list(plan(count, 4 * executors, 100_000, "all_pairs" in asked))
                tasks = [cost.seconds(shape) + LAUNCH for shape in shapes]
                took = schedule(tasks, 4 * executors)
                read = sum(shape.right for shape in shapes) * BYTES / 1e9
                skew = max(tasks) / float(np.median(tasks))
                print(f"| {count:,} | {executors:,} | {took / 3600:,.2f} | {skew:.2f} | {read:,.1f} |")


def on_spark(count: int, asked: dict[str, Any], cores: int) -> tuple[float, list[float], int]:
    """Run a match on Spark with so many cores; return its seconds of pairs, those of its tasks, and its pairs."""
    import pyspark

    import likewise as lw

    builder = pyspark.sql.SparkSession.builder.master(f"local[{cores}]").config("spark.ui.enabled", "false")
    session = builder.config("spark.driver.memory", "2g").getOrCreate()
    try:
        with tempfile.TemporaryDirectory() as work:
            frame = session.createDataFrame([(name,) for name in names(count)], "name string")
            found: Any = lw.match(frame, on="name", work=work, **asked)
            [stage] = [stage for stage in found.report.stages if stage.name == "pairs"]
            return stage.seconds, stage.task_seconds, len(found)
    finally:
        session.stop()


def check(count: int) -> None:
    for title, asked in ASKED.items():
        for cores in (1, 2):
            took, tasks, _ = on_spark(count, asked, cores)
            told = schedule([seconds + LAUNCH for seconds in tasks], cores)
            print(f"{title}, {count:,} names, {cores} workers: {took:.1f} s, the schedule says {told:.1f} s "
                  f"({told / took - 1:+.0%}; it should be within 15 %)", flush=True)  # fmt: skip


def overhead(count: int) -> None:
    import likewise as lw

    texts = names(count)
    for title, asked in ASKED.items():
        started = time.perf_counter()
        here = len(lw.match(texts, **asked))
        alone = time.perf_counter() - started
        started = time.perf_counter()
        blocks = len(lw.match(texts, engine="duckdb", **asked))
        embedded = time.perf_counter() - started
        started = time.perf_counter()
        _, _, there = on_spark(count, asked, 2)
        spark = time.perf_counter() - started
        if not here == blocks == there:
            sys.exit(f"{title}: {here:,}, {blocks:,} and {there:,} pairs")
        print(f"{title}, {count:,} names, {here:,} pairs: one machine {alone:.1f} s, blocks on disk {embedded:.1f} s "
              f"({embedded / alone:.2f}x), Spark and its start {spark:.1f} s ({spark / alone:.2f}x)")  # fmt: skip


def beside(count: int) -> None:
    """MinHashLSH of Spark: Jaccard of 3-grams from 0.8 on, beside the exact pairs of the same measure and score."""
    import pyspark
    from pyspark.ml.feature import HashingTF, MinHashLSH
    from pyspark.sql import functions

    import likewise as lw

    texts = [name for name in dict.fromkeys(names(count)) if len(name) >= 3]
    builder = pyspark.sql.SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
    session = builder.config("spark.driver.memory", "4g").getOrCreate()
    try:
        rows = [(place, sorted({name[at : at + 3] for at in range(len(name) - 2)})) for place, name in enumerate(texts)]
        frame = session.createDataFrame(rows, "id long, grams array<string>")
        frame = (
            HashingTF(inputCol="grams", outputCol="features", numFeatures=1 << 20, binary=True).transform(frame).cache()
        )
        frame.count()
        for tables in (1, 5):
            started = time.perf_counter()
            model = MinHashLSH(inputCol="features", outputCol="hashes", numHashTables=tables, seed=1).fit(frame)
            found = model.approxSimilarityJoin(frame, frame, 0.2, "distance")
            found = found.where(functions.col("datasetA.id") < functions.col("datasetB.id"))
            pairs = {(row[0], row[1]) for row in found.select("datasetA.id", "datasetB.id").collect()}
            print(
                f"MinHashLSH, {tables} tables: {len(pairs):,} pairs in {time.perf_counter() - started:.1f} s",
                flush=True,
            )
            exact = _jaccard(rows, 0.8)
            print(f"  of {len(exact):,} exact pairs {len(pairs & exact):,} found", flush=True)
        started = time.perf_counter()
        ours = lw.match(
            session.createDataFrame([(name,) for name in texts], "name string"), all_pairs=True, min_score=0.8
        )
        print(f"likewise, spectra from 0.8 on, exact: {len(ours):,} pairs in {time.perf_counter() - started:.1f} s")
        wanted = {(pair.left, pair.right) for pair in ours}
    finally:
        session.stop()
    started = time.perf_counter()
    try:
        found = with_splink(texts)
    except ImportError:
        print("splink is not installed (pip install splink)")
        return
    print(f"splink on DuckDB, three blocking rules, Jaro-Winkler from 0.92 on: {len(found):,} pairs in "
          f"{time.perf_counter() - started:.1f} s; of ours {len(found & wanted):,}")  # fmt: skip


def with_splink(texts: Sequence[str]) -> set[tuple[int, int]]:
    """Return the pairs of splink: names that share the first word, the last, or four letters, and are alike."""
    import pandas
    import splink.comparison_library as library
    from splink import DuckDBAPI, Linker, SettingsCreator, block_on

    words = [text.split() or [""] for text in texts]
    columns = {"name": texts, "first": [one[0] for one in words], "last": [one[-1] for one in words]}
    frame = pandas.DataFrame({"unique_id": range(len(texts)), **columns, "start": [text[:4] for text in texts]})
    settings = SettingsCreator(
        link_type="dedupe_only",
        comparisons=[library.JaroWinklerAtThresholds("name", [0.92])],
        blocking_rules_to_generate_predictions=[block_on("first"), block_on("last"), block_on("start")],
        retain_intermediate_calculation_columns=True,
    )
    made = Linker(DuckDBAPI().register(frame), settings).inference.predict().as_pandas_dataframe()
    made = made[made["gamma_name"] > 0]
    return {(min(pair), max(pair)) for pair in zip(made["unique_id_l"], made["unique_id_r"], strict=True)}


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


def _jaccard(rows: Sequence[tuple[int, list[str]]], least: float) -> set[tuple[int, int]]:
    """Return all pairs from a Jaccard coefficient on, by an inverted list of the rarest grams of each."""
    counts: dict[str, int] = {}
    for _, grams in rows:
        for gram in grams:
            counts[gram] = counts.get(gram, 0) + 1
    lists: dict[str, list[int]] = {}
    sets = [set(grams) for _, grams in rows]
    found = set()
    for place, grams in rows:
        ordered = sorted(grams, key=lambda gram: (counts[gram], gram))
        prefix = ordered[: len(ordered) - int(np.ceil(least * len(ordered))) + 1]
        for other in {other for gram in prefix for other in lists.get(gram, ())}:
            shared = len(sets[place] & sets[other])
            if shared >= least * (len(sets[place]) + len(sets[other]) - shared):
                found.add((other, place))
        for gram in prefix:
            lists.setdefault(gram, []).append(place)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "what", choices=("overhead", "simulate", "check", "beside", "memory"), nargs="?", default="simulate"
    )
    parser.add_argument("--names", type=int, nargs="+", default=None)
    options = parser.parse_args()
    if not Path(NAMES).exists():
        sys.exit(f"{NAMES} is not there")
    if options.what == "simulate":
        simulate(options.names or [100_000, 200_000])
    else:
        defaults = {"overhead": overhead, "check": check, "beside": beside, "memory": memory}
        defaults[options.what]((options.names or [100_000])[0])


if __name__ == "__main__":
    main()
