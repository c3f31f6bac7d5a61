"""Match on an engine: what it costs beside one machine, and how long it would take on machines that are not here.

    python -m benchmarks.distributed [PART ...] [--minutes 40]     a part, or one measurement by its name
    python -m benchmarks.distributed --list                        the measurements, which are there
    python -m benchmarks.distributed page                          docs/results/distributed.md from what is there

Every measurement is a process of its own and leaves a file in docs/results/distributed (``--parts``), where figures are
kept; one that is there is not done again. One that takes longer than ``--limit`` is stopped, and the page says so. All
can be stopped at any time, or told when to begin no other (``--minutes``); the page is written from what is there, and
says what is not. The parts:

*overhead*: the same Parquet file matched on one machine, in blocks on disk, and on Spark with two workers; names, and
megabytes of documents. *tasks*: tasks of growing inputs, measured on one core; a simulator schedules such tasks on
executors. *check*: the schedule against a cluster with 1 and 2 workers, for a size that no task was measured of.
*memory*: what the process of a task takes of the memory it was given, for an input and for ten times that. *beside*:
Spark's MinHashLSH and splink (``--peers``: a Python that has it) on the same names.

More than the 200,000 names there are is made by combining them: the first word of one with the rest of another, drawn
with a fixed seed, so that words keep their frequencies and pairs that are alike keep theirs. A document is 5 kB of
paragraphs, drawn alike; one in ten is another one with a paragraph less.
"""

import argparse
import gzip
import json
import os
import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from benchmarks.cluster import session
from benchmarks.measuring import DATA, ROOT, measure

NAMES = DATA / "bench" / "names_200k.txt"
PAGE = ROOT / "docs" / "results" / "distributed.md"
ASKED: dict[str, dict[str, Any]] = {"above 0.8": {"all_pairs": True, "min_score": 0.8}, "top 10": {"top": 10}}
LSH_NAMES = 200_000  # what MinHashLSH joins grows with the square: one pair in a hundred shares a hash
PLACES = {"memory": "one machine", "blocks": "blocks on disk", "cluster": "Spark, two workers"}


def _known() -> list[str]:
    return NAMES.read_text(encoding="utf-8").splitlines()


def combined(count: int) -> list[str]:
    """Return names made of those there are: the first word of one with the rest of another."""
    known = _known()
    draw = random.Random(11)
    made: list[str] = []
    while len(made) < count:
        one, other = draw.choice(known).split(), draw.choice(known).split()
        made.append(" ".join([one[0], *(other[1:] or other)]))
    return made


def names(count: int) -> list[str]:
    """Return names: those there are, then combinations of them."""
    known = _known()
    return [*known[:count], *combined(count - len(known))]


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


MAKERS: dict[str, tuple[Callable[[int], list[str]], str]] = {
    "names": (names, "{:,} names"),
    "combined": (combined, "{:,} names"),
    "documents": (documents, "{:,} MB of documents"),
}


def stored(kind: str, size: int, folder: str) -> str:
    """Return a Parquet file of texts."""
    path = f"{folder}/texts.parquet"
    pq.write_table(pa.table({"text": MAKERS[kind][0](size)}), path, row_group_size=1 << 16)
    return path


def overhead(kind: str, size: int, title: str, where: str) -> Iterator[Any]:
    """Match a file in one of the places; ready is who has the file, and Python in Spark's workers."""
    import likewise as lw

    with ExitStack() as stack:
        path = stored(kind, size, stack.enter_context(tempfile.TemporaryDirectory()))
        at: dict[str, Any] = {"memory": {}, "blocks": {"engine": "duckdb"}}.get(where, {})
        if where == "cluster":
            at = {"engine": session("cluster", stack)}
            lw.match(names(1000), top=1, **at)
        yield None
        found: Any = lw.match(path, on="text", **ASKED[title], **at)
        stages = {} if where == "memory" else {stage.name: stage for stage in found.report.stages}
        yield {
            "pairs": len(found),
            "stages": {name: stage.seconds for name, stage in stages.items()},
            "tasks": stages["pairs"].task_seconds if stages else [],
            "bytes": sum(stage.counts.get("bytes", 0) for stage in stages.values()),
        }


@dataclass(frozen=True)
class Part:
    """A measurement: a function of this folder and its arguments, and the file that keeps what it gave."""

    name: str
    function: str
    arguments: tuple[Any, ...]
    python: str = sys.executable
    folder: Path = field(default=Path(), compare=False)
    limit: float = field(default=3600, compare=False)

    @property
    def path(self) -> Path:
        said = "-".join(str(one).replace(" ", "") for one in self.arguments if "/" not in str(one))
        return self.folder / f"{self.name}-{self.function.split('.')[1]}-{said}.json"

    def found(self) -> dict[str, Any] | None:
        """Return what was measured: seconds, memory, answer; or after how many seconds it was ``stopped``."""
        return dict(json.loads(self.path.read_text(encoding="utf-8"))) if self.path.exists() else None

    def run(self) -> dict[str, Any]:
        """Measure, and keep it; what takes longer than the limit is stopped, which is kept, too."""
        module, function = self.function.split(".")
        case = getattr(__import__(f"benchmarks.{module}", fromlist=[function]), function)
        try:
            made = asdict(measure(case, *self.arguments, repeat=1, timeout=self.limit, python=self.python))
        except TimeoutError:
            made = {"name": self.name, "stopped": self.limit}
        self.path.parent.mkdir(parents=True, exist_ok=True)
        made["day"] = time.strftime("%Y-%m-%d")
        made["load"] = os.getloadavg()[1]
        self.path.write_text(f"{json.dumps(made)}\n", encoding="utf-8")
        return made


def parts(given: argparse.Namespace) -> list[Part]:
    """Return all measurements, the most wanted first."""
    wanted = []
    for kind, size, title in (
        ("names", given.names, "above 0.8"),
        ("names", given.top_names, "top 10"),
        ("documents", given.documents, "above 0.8"),
    ):
        wanted += [("overhead", "distributed.overhead", (kind, size, title, where)) for where in PLACES]
    tasks = [("tasks", "distributed_tasks.tasks", (size, title)) for size in given.sizes for title in ASKED]
    check = [("check", "distributed_tasks.check", (given.check_names, title, n)) for title in ASKED for n in (1, 2)]
    busy = [("tasks", "distributed_tasks.busy", (given.busy_names, title)) for title in ASKED]
    memory = [
        ("memory", "distributed_tasks.memory", (kind, times * size, "256MB"))
        for kind, size in (("combined", given.memory_names), ("documents", given.memory_documents))
        for times in (1, 10)
    ]
    beside = [
        ("beside", f"distributed_peers.{peer}", (size, str(given.pairs)))
        for size in given.beside_names
        for peer in ("exact", "likewise", "splink", "lsh_1", "lsh_5")
        if size <= LSH_NAMES or "lsh" not in peer
    ]
    every = [*wanted[:3], *tasks[:6], *busy, *check, *memory, *beside, *wanted[3:], *tasks[6:]]
    python = {"distributed_peers.splink": given.peers}
    return [Part(*one, python.get(one[1], sys.executable), given.parts, given.limit) for one in every]


def _measured(wanted: Sequence[Part], minutes: float) -> None:
    """Do what is not there, as long as there is time; what fails is said, and the rest goes on."""
    started = time.perf_counter()
    for part in wanted:
        if part.found() is not None:
            continue
        if minutes and time.perf_counter() - started > 60 * minutes:
            print("there is more: run it again", flush=True)
            break
        print(f"{part.path.stem} ...", end=" ", flush=True)
        begun = time.perf_counter()
        try:
            made = part.run()
            said = f"stopped after {made['stopped']:g} s" if "stopped" in made else f"{made['wall']:.1f} s"
            print(f"{said}; {time.perf_counter() - begun:.0f} s in all", flush=True)
        except RuntimeError as error:
            print(f"failed: {str(error).strip().splitlines()[-1]}", flush=True)


def main() -> None:
    from benchmarks.distributed_page import page

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    choices = ("overhead", "tasks", "check", "beside", "memory", "page")
    parser.add_argument(
        "what", nargs="*", metavar="PART", help=f"{', '.join(choices)}, or a name of --list; page: measure nothing"
    )
    parser.add_argument("--names", type=int, default=1_000_000, help="for all pairs (overhead)")
    parser.add_argument("--top-names", type=int, default=300_000, help="for the best ten of each (overhead)")
    parser.add_argument("--documents", type=int, default=1000, help="megabytes (overhead)")
    parser.add_argument(
        "--sizes",
        type=int,
        nargs="+",
        default=[150_000, 600_000, 1_000_000, 2_000_000, 4_000_000, 8_000_000],
    )
    parser.add_argument("--busy-names", type=int, default=600_000, help="one of --sizes, measured on all cores at once")
    parser.add_argument("--memory-names", type=int, default=50_000, help="and ten times that")
    parser.add_argument("--memory-documents", type=int, default=20, help="megabytes, and ten times that")
    parser.add_argument("--check-names", type=int, default=300_000)
    parser.add_argument("--beside-names", type=int, nargs="+", default=[200_000, 1_000_000])
    parser.add_argument("--peers", default=sys.executable, help="a Python that has splink and what Likewise needs")
    parser.add_argument("--parts", type=Path, default=PAGE.with_suffix(""), help="where measurements are kept")
    parser.add_argument(
        "--pairs", type=Path, default=ROOT / "build" / "distributed", help="where pairs of peers are kept, for recall"
    )
    parser.add_argument("--minutes", type=float, default=0, help="begin no other measurement after that")
    parser.add_argument(
        "--limit", type=float, default=400, help="seconds of a measurement, all told: one that takes longer is stopped"
    )
    parser.add_argument("--list", action="store_true", help="show the measurements, and measure nothing")
    parser.add_argument("--write", type=Path, help=f"the page of results; of page {PAGE.relative_to(ROOT)}")
    given = parser.parse_args()
    if not NAMES.exists():
        sys.exit(f"{NAMES} is not there")
    every = parts(given)
    if unknown := set(given.what) - {*choices, *(part.path.stem for part in every)}:
        sys.exit(f"no part {', '.join(unknown)}; there are: {', '.join(choices)}, and the names of --list")
    if given.list:
        for part in every:
            print("there  " if part.found() else "missing", part.path.stem)
        return
    chosen = [part for part in every if not given.what or {part.name, part.path.stem} & set(given.what)]
    _measured(chosen, given.minutes)
    written = given.write or (PAGE if "page" in given.what else None)
    if written is not None:
        written.write_text(page(every), encoding="utf-8")


if __name__ == "__main__":
    main()
