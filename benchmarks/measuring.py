"""Measure a piece of work in a process of its own: wall and CPU seconds, peak memory, and its answer.

A case is a function of a benchmark module that takes plain values and returns a plain value (JSON). It runs ``repeat``
times, each in a fresh process, and the medians are reported. What must not count (reading the input) is done before the
first ``yield`` of a case that is a generator: it yields once when it is ready and once with its answer. What checks the
answer, and must not count either, is done after that: a third ``yield`` adds to the answer.

``give_page`` writes the page of a run, and under it the command, the date, the machine and how busy others kept it.
"""

import datetime
import importlib
import inspect
import json
import os
import platform
import resource
import shlex
import statistics
import subprocess
import sys
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
DATA = Path(os.environ.get("LIKEWISE_DATA", ROOT.parent / "shared" / "data"))
SOURCES = Path(os.environ.get("LIKEWISE_SOURCES", ROOT / "build" / "sources"))
"""Public files that some benchmarks make their data from; each says which ones and where they come from."""
PEERS = ROOT / "build" / "peers" / "bin" / "python"
"""Interpreter for peers that cannot share ours (``benchmarks.record_peers`` says what it needs), where there is one."""


@dataclass(frozen=True, slots=True)
class Measured:
    """Medians over the repetitions."""

    name: str
    wall: float
    cpu: float
    memory: float
    """Peak resident set of the process in MB, interpreter and libraries included."""
    answer: Any

    def row(self) -> str:
        return f"| {self.name} | {self.wall:.2f} | {self.cpu:.2f} | {self.memory:.0f} |"


HEADER = "| case | wall s | CPU s | peak MB |\n|---|---:|---:|---:|"


def measure(
    case: Any,
    *arguments: Any,
    name: str | None = None,
    repeat: int = 3,
    timeout: float = 3600,
    python: str = sys.executable,
) -> Measured:
    """Run a case of another module in fresh processes and return the medians."""
    command = [python, "-m", "benchmarks.measuring", case.__module__, case.__qualname__, json.dumps(arguments)]
    module = Path(inspect.getfile(case)).stem
    if case.__module__ == "__main__":
        command[3] = f"benchmarks.{module}"
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT)])}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # what is installed has its bytecode, ours as that of the peers
    runs = []
    for _ in range(repeat):
        pipe = subprocess.PIPE
        process = subprocess.Popen(command, env=environment, stdout=pipe, stderr=pipe, text=True, cwd=ROOT)
        try:
            said, errors = process.communicate(timeout=timeout)
        except subprocess.TimeoutExpired:
            process.terminate()  # what it has started, such as a cluster, ends with it if it has the time
            try:
                process.communicate(timeout=30)
            except subprocess.TimeoutExpired:
                process.kill()
            raise TimeoutError(f"{case.__qualname__}{arguments} takes more than {timeout:g} s") from None
        if process.returncode:
            raise RuntimeError(f"{case.__qualname__}{arguments} failed:\n{errors}")
        runs.append(json.loads(said.splitlines()[-1]))
    middle = {key: statistics.median(run[key] for run in runs) for key in ("wall", "cpu", "memory")}
    return Measured(name or case.__qualname__, **middle, answer=runs[-1]["answer"])


def give_page(lines: Iterable[str], path: str | Path | None, kept: str = "") -> None:
    """Print a page of results with its conditions below it, and write it to its file where one is named.

    ``kept`` follows it in the file: what was not measured by the run, such as judgements.
    """
    text = "\n".join([*lines, "", conditions()]) + "\n" + kept
    print(text)
    if path:
        Path(path).write_text(text, encoding="utf-8")


def conditions() -> str:
    """Say which command made the figures, when, on which machine, and how much of it other processes had."""
    wall, busy, own = (now - before for now, before in zip(_used(), _BEGAN, strict=True))
    cores = os.cpu_count() or 1
    others = max(0.0, busy - own) / (wall * cores)
    real_time = os.sched_getscheduler(0) in (os.SCHED_RR, os.SCHED_FIFO)
    rank = "real-time class" if real_time else f"nice {os.nice(0)}"
    first = f", before which this run came ({rank})" if real_time or os.nice(0) < 0 else ""
    return (
        f"Written by `{command()}` on {datetime.date.today()}: {platform.machine()}, {cores} cores, Python "
        f"{platform.python_version()}; other processes took {others:.0%} of the machine's CPU time meanwhile{first}."
    )


def command() -> str:
    """Return the command of this process as one would type it elsewhere: without the page, and without our folders."""
    words = list(sys.argv[1:])
    if "--write" in words:
        at = words.index("--write")
        del words[at : at + 2]
    shown = ["DATA" if word == str(DATA) else "PATH" if word.startswith("/") else shlex.quote(word) for word in words]
    return " ".join([f"python -m benchmarks.{Path(sys.argv[0]).stem}", *shown])


def _used() -> tuple[float, float, float]:
    """Return the clock, the CPU seconds that the machine worked, and those of this process and what it started."""
    with open("/proc/stat") as file:
        ticks = [int(word) for word in file.readline().split()[1:9]]
    idle = ticks[3] + ticks[4]  # waiting for a disk is idle, too
    own = sum(sum(resource.getrusage(who)[:2]) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return time.perf_counter(), (sum(ticks) - idle) / os.sysconf("SC_CLK_TCK"), own


_BEGAN = _used()


def peak_memory() -> float:
    """Return the most memory this process had, in MB; ``ru_maxrss`` begins with that of the process that started it."""
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) / 1024 for line in status if line.startswith("VmHWM"))


def run(module: str, function: str, arguments: list[Any]) -> None:
    case = getattr(importlib.import_module(module), function)
    steps = case(*arguments)
    if inspect.isgenerator(steps):
        next(steps)
    wall, cpu = time.perf_counter(), time.process_time()
    answer = next(steps) if inspect.isgenerator(steps) else steps
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    memory = peak_memory()
    if inspect.isgenerator(steps):
        answer = next(steps, {}) | answer if isinstance(answer, dict) else answer
    print(json.dumps({"wall": wall, "cpu": cpu, "memory": memory, "answer": answer}))


if __name__ == "__main__":
    run(sys.argv[1], sys.argv[2], json.loads(sys.argv[3]))
