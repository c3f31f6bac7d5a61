"""Run the benchmarks one after the other: ``python -m benchmarks [NAME ...]``; without names, all of them (hours).

``python -m benchmarks --results [PAGE ...]`` writes the pages of ``docs/results``, or those named, each by its runner
in one go. Each command is shown before it runs, and then how long it took. They want a machine with nothing else to do.
Whole pages of records and near-duplicates want public files in LIKEWISE_SOURCES (default ``build/sources``): those that
``benchmarks/record_sets*.py`` name, and ``source_text.parquet``, which ``benchmarks.source_text`` makes. What is not
there is left out of the page.
"""

import pkgutil
import shlex
import subprocess
import sys
import time
from pathlib import Path

from benchmarks.measuring import DATA

HERE = Path(__file__).resolve().parent
# Modules that others stand on, and runs that need something of their own (a cluster, a second terminal).
NOT_RUN = {
    "__main__",
    "cluster",
    "distributed_page",
    "distributed_peers",
    "distributed_tasks",
    "measuring",
    "mining_baseline",
    "record_decisions",
    "record_peers",
    "record_sets",
}
# Page -> what writes it, the quickest first.
PAGES = {
    "pairs": "benchmarks.pairs",
    "near-duplicates": "benchmarks.near_duplicates",
    "paragraphs": "benchmarks.paragraphs",
    "recognition": "benchmarks.recognition {data}",
    "linking": "benchmarks.linking {data}",
    "mining": "benchmarks.mining_yield {data}",
    "fields": "benchmarks.fields",
    "records": "benchmarks.records {data}",
    "overlap": "benchmarks.overlap {data}",
    "left-out": "benchmarks.left_out {data}",
    "er-quality": "benchmarks.quality {data}",
    "join": "benchmarks.join --million",
    "search": "benchmarks.search",
    "many-names": "benchmarks.join --above 1000000 2000000 10000000",
    "distributed": "benchmarks.distributed",
}


def results(wanted: list[str]) -> None:
    """Write pages of results, one after the other; one that fails is named at the end."""
    failed = []
    for page in _known(wanted, list(PAGES), "page"):
        words = [word.format(data=DATA) for word in shlex.split(PAGES[page])]
        command = [sys.executable, "-m", *words, "--write", f"docs/results/{page}.md"]
        print(f"\n# {page}: {shlex.join(command[1:])}\n", flush=True)
        started = time.perf_counter()
        if subprocess.run(command, cwd=HERE.parent).returncode:
            failed.append(page)
        print(f"\n{page}: {(time.perf_counter() - started) / 60:.1f} minutes", flush=True)
    if failed:
        sys.exit(f"failed: {', '.join(failed)}")


def main() -> None:
    if sys.argv[1:2] == ["--results"]:
        results(sys.argv[2:])
        return
    known = sorted(module.name for module in pkgutil.iter_modules([str(HERE)]) if module.name not in NOT_RUN)
    for name in _known(sys.argv[1:], known, "benchmark"):
        print(f"\n# {name}\n", flush=True)
        if subprocess.run([sys.executable, "-m", f"benchmarks.{name}"], cwd=HERE.parent).returncode:
            sys.exit(f"benchmark {name} failed")


def _known(wanted: list[str], known: list[str], what: str) -> list[str]:
    for name in wanted:
        if name not in known:
            sys.exit(f"no {what} {name}; there are: {', '.join(known)}")
    return wanted or known


if __name__ == "__main__":
    main()
