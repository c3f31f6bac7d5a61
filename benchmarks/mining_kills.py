"""Kill -9 at random moments, resume, compare bytes: at least twenty kills, every stage hit.

    python -m benchmarks.mining_kills DATA [--kills 24] [--shards 8] [--seed 1]

Every other kill is drawn over the wall time of a whole run; those between wait for a stage in turn, because a run that
goes on from finished shards hurries through the later ones. Each victim is a new process that goes on from what the one
before left; when one gets to the end before its kill, the work is removed and it starts over.
"""

import argparse
import contextlib
import json
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

CHILD = "import json, sys, likewise as lw; lw.mine(**json.loads(sys.argv[1]))"


def stage_of(work: Path) -> str:
    """The stage that a run was in, by what it had left."""
    if (work / "steps.json").exists():
        return "evidence"
    if (work / "rows").is_dir() and list((work / "rows").glob("*.json")):
        return (
            "pairs"
            if len(list((work / "rows").glob("*.json"))) == len(list((work / "sentences").glob("*.json")))
            else "rows"
        )
    if (work / "prune").is_dir() and any((work / "prune").iterdir()):
        return "counting"
    return "sentences" if work.exists() else "start or end"


STAGES = ("sentences", "counting", "rows", "pairs", "evidence")


def wait_for(process: subprocess.Popen, work: Path, stage: str) -> None:
    """Wait until a run is in a stage, or beyond it, or at its end."""
    while process.poll() is None:
        now = stage_of(work)
        if now in STAGES and STAGES.index(now) >= STAGES.index(stage):
            return
        time.sleep(0.002)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--kills", type=int, default=24)
    parser.add_argument("--shards", type=int, default=8)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    shards = [str(path) for path in sorted((options.data / "web" / "enwiki").glob("*.gz"))[: options.shards]]
    with tempfile.TemporaryDirectory() as folder:
        straight, killed = Path(folder) / "straight.parquet", Path(folder) / "killed.parquet"
        work = Path(f"{killed}.work")
        asked = {"paths": shards, "context": 2, "support": 3, "memory": "1GB", "threads": 2}

        def command(output):
            return [sys.executable, "-c", CHILD, json.dumps({**asked, "output": str(output)})]

        started = time.perf_counter()
        subprocess.run(command(straight), check=True)
        span = time.perf_counter() - started
        wanted = straight.read_bytes()
        draw, hit, finished = random.Random(options.seed), Counter(), 0
        kills = 0
        while kills < options.kills:
            process = subprocess.Popen(command(killed))
            if kills % 2:
                wait_for(process, work, STAGES[kills // 2 % len(STAGES)])
                time.sleep(draw.uniform(0, 0.05))
            else:
                with contextlib.suppress(subprocess.TimeoutExpired):
                    process.wait(draw.uniform(0.05, 1.0) * span)
            if process.poll() is None:
                process.send_signal(signal.SIGKILL)
                process.wait()
                kills += 1
                hit[stage_of(work)] += 1
                continue
            finished += 1
            if process.returncode or killed.read_bytes() != wanted:
                sys.exit(f"a resumed run ended with {process.returncode} or with other bytes")
            killed.unlink()
            shutil.rmtree(work, ignore_errors=True)
        subprocess.run(command(killed), check=True)
        if killed.read_bytes() != wanted:
            sys.exit("the last run ended with other bytes")
        print(
            f"{kills} kills over {span:.1f} s, {finished + 1} runs to the end, same bytes every time; hit: {dict(hit)}"
        )


if __name__ == "__main__":
    main()
