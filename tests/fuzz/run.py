"""Fuzz the targets: mutated inputs, guided by coverage where atheris is installed.

    python -m tests.fuzz.run [TARGET ...] [--count 1000] [--seconds 60] [--guided] [--figures FILE]

Each target runs in a process of its own. An input that fails is kept in ``tests/fuzz/corpus/TARGET``, from where the
tests replay it. To take more than ten seconds of processor time or a gigabyte of memory is to fail; so is a process
that dies, or that does not end when its time is over.

With ``--figures`` a run goes on where the last one ended: inputs are new, their numbers are added up, and targets that
have ``--count`` inputs are left out. ``--rounds 10`` goes around all targets ten times, ``--seconds`` for each.
"""

import argparse
import contextlib
import copy
import hashlib
import inspect
import json
import multiprocessing
import random
import re
import resource
import shutil
import subprocess
import sys
import time
import traceback
from collections import Counter
from pathlib import Path
from types import FunctionType
from typing import Any

CORPUS = Path(__file__).resolve().parent / "corpus"
MOST_SECONDS = 10.0
MOST_BYTES = 1 << 30
HANGS = 600.0
LONGEST = 1000  # bytes of an input that others are made from; time goes with length, and many short ones find more


def mutate(data: bytes, others: list[bytes], chance: random.Random) -> bytes:
    """Return the input with some pieces changed, left out, repeated, or taken from another input."""
    from tests.fuzz.seeds import TOKENS

    if data[:1] in b"{[" and chance.random() < 0.5:
        with contextlib.suppress(ValueError, RecursionError):
            return mutated_json(data, chance)
    changed = bytearray(data)
    for _ in range(chance.randint(1, 6)):
        at = chance.randrange(len(changed) + 1)
        size = chance.choice((1, 1, 2, 4, 16, 64, 500))
        kind = chance.randrange(8)
        if kind == 0 and changed:
            changed[at % len(changed)] ^= 1 << chance.randrange(8)
        elif kind == 1:
            del changed[at : at + size]
        elif kind == 2:
            changed[at:at] = chance.randbytes(size)
        elif kind == 3:
            changed[at:at] = changed[at : at + size] * chance.choice((1, 2, 50))
        elif kind in (4, 5):
            changed[at:at] = chance.choice(TOKENS) * chance.choice((1, 1, 2, 100))
        elif kind == 6:
            other = chance.choice(others)
            start = chance.randrange(len(other) + 1)
            changed[at : at + size] = other[start : start + size]
        elif chance.random() < 0.3:
            del changed[at:]
    return bytes(changed)


VALUES = [
    None,
    True,
    0,
    -1,
    1.5,
    1e308,
    10**30,
    "",
    "x",
    "\ud800",
    [],
    [0],
    {},
    {"a": 1},
    [[]] * 3,
    float("nan"),
    float("inf"),
]


def mutated_json(data: bytes, chance: random.Random) -> bytes:
    """Return JSON with a value or a name somewhere inside changed, left out or doubled."""
    whole = [json.loads(data)]
    for _ in range(chance.randint(1, 3)):
        holder: Any = whole
        while True:
            keys = list(holder) if isinstance(holder, dict) else list(range(len(holder)))
            if not keys:
                break
            key = chance.choice(keys)
            inside = holder[key]
            if isinstance(inside, dict | list) and inside and chance.random() < 0.85:
                holder = inside
                continue
            kind = chance.randrange(4)
            if kind == 0 and isinstance(holder, dict):
                holder[chance.choice(["", "measure", "options", "x"])] = holder.pop(key)
            elif kind == 1 and holder is not whole:
                del holder[key]
            else:
                holder[key] = copy.deepcopy(chance.choice(VALUES))  # it may be changed further
            break
    return json.dumps(whole[0]).encode()


def corpus(target: str) -> list[bytes]:
    """Return the inputs that are kept for a target."""
    return [path.read_bytes() for path in sorted((CORPUS / target).glob("*"))]


def keep(target: str, data: bytes) -> Path:
    """Keep an input."""
    path = CORPUS / target / hashlib.sha256(data).hexdigest()[:12]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


def own(target: str, count: int, seconds: float, seed: int) -> dict[str, Any]:
    """Run mutated inputs of one target; return what came of them."""
    from tests.fuzz.targets import TARGETS

    made = TARGETS[target]()
    chance = random.Random(seed)
    once_failed = corpus(target)
    inputs = [*made.seeds, *once_failed]
    longest = max(LONGEST, 2 * max(map(len, made.seeds)))
    seen: Counter[str] = Counter()
    failures: dict[str, str] = {}
    slowest, memory, spent = 0.0, 0, 0.0
    end = time.monotonic() + seconds if seconds else float("inf")
    while sum(seen.values()) < count and time.monotonic() < end:
        data = once_failed.pop() if once_failed else mutate(chance.choice(inputs), inputs, chance)
        begun = time.process_time()
        where = ""
        try:
            outcome = made.try_input(data)
        except Exception as error:
            last = traceback.extract_tb(error.__traceback__)[-1]
            where = f"{type(error).__name__} in {Path(last.filename).name}:{last.lineno}"
            told = f"{error}"[:200]
        took = time.process_time() - begun
        before, memory = memory, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
        if took > MOST_SECONDS:
            where, told = "too long", f"{took:.1f} s of processor time"
        elif before <= MOST_BYTES < memory:
            where, told = "too large", f"{memory >> 20} MB of memory"
        seen["failed" if where else outcome] += 1
        if where and where not in failures:
            failures[where] = told
            print(f"{target}: {where}: {told}", keep(target, data), flush=True)
        slowest, spent = max(slowest, took), spent + took
        # What is taken apart and still taken is worth taking further apart. What is slow would only make others slow: a
        # tenth of the inputs took half of the time.
        quick = took < 2 * spent / sum(seen.values())
        if not where and outcome == "done" and seen["done"] % 50 == 1 and len(inputs) < 200 and len(data) <= longest:
            inputs += [data] if quick else []
    return {**seen, "slowest": round(slowest, 2), "memory_mb": memory >> 20, "failures": failures}


def our_functions() -> list[FunctionType]:
    """Return the functions and methods of our modules; import hooks do not see those of an editable installation."""
    found: dict[int, FunctionType] = {}
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] != "likewise":
            continue
        for value in list(vars(module).values()):
            for inner in list(vars(value).values()) if isinstance(value, type) else [value]:
                function = inspect.unwrap(getattr(inner, "__func__", None) or getattr(inner, "fget", None) or inner)
                if isinstance(function, FunctionType) and function.__module__.partition(".")[0] == "likewise":
                    found[id(function.__code__)] = function
    return list(found.values())


def guided(target: str, seconds: float, seed: int) -> None:
    """Run one target under libFuzzer, with the coverage of our own modules as its guide; ends the process."""
    import atheris
    from tests.fuzz.targets import TARGETS

    made = TARGETS[target]()
    for data in made.seeds:
        made.try_input(data)  # what is imported late is there then
    for function in our_functions():
        atheris.instrument_func(function)
    place = Path("build/fuzz") / target
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir(parents=True, exist_ok=True)
    for number, data in enumerate([*made.seeds, *corpus(target)]):
        (place / f"seed-{number}").write_bytes(data)
    limits = [
        f"-max_total_time={int(seconds)}",
        f"-seed={seed % 2**31 + 1}",  # 0 would mean another one each time
        "-timeout=60",
        f"-rss_limit_mb={2 * MOST_BYTES >> 20}",
        "-max_len=20000",
    ]

    def run(data: bytes) -> None:  # anything but None would tell atheris not to learn from the input
        made.try_input(data)

    atheris.Setup([sys.argv[0], str(place), f"-artifact_prefix={place}/crash-", "-print_final_stats=1", *limits], run)
    atheris.Fuzz()


def told_by_libfuzzer(target: str, said: str) -> dict[str, Any]:
    """Return its figures: inputs, those that reached something new, and those that failed, which are kept."""
    stat = {name: int(value) for name, value in re.findall(r"stat::(\w+):\s+(\d+)", said)}
    crashes = sorted((Path("build/fuzz") / target).glob("crash-*"))
    for path in crashes:
        print("failed:", keep(target, path.read_bytes()))
        path.unlink()
    return {
        "done": stat.get("number_of_executed_units", 0),
        "new": stat.get("new_units_added", 0),
        "failed": len(crashes),
        "slowest": stat.get("slowest_unit_time_sec", 0),
        "memory_mb": stat.get("peak_rss_mb", 0),
    }


def added(before: dict[str, Any], now: dict[str, Any]) -> dict[str, Any]:
    """Return the figures of two runs of a target as those of one."""
    both = {**before, **now}
    for key in ("done", "refused", "new"):
        if key in both:
            both[key] = before.get(key, 0) + now.get(key, 0)
    # What failed in an earlier run was replayed by this one: it has failed again, or is mended.
    both["done"], both["failed"] = both.get("done", 0) + before.get("failed", 0), now.get("failed", 0)
    for key in ("slowest", "memory_mb"):
        both[key] = max(before.get(key, 0), now.get(key, 0))
    return both


def executions(figures: dict[str, Any]) -> int:
    """Return how many inputs a target has had."""
    return sum(int(figures.get(key, 0)) for key in ("done", "refused", "failed"))


def in_a_process(name: str, count: int, seconds: float, seed: int) -> dict[str, Any]:
    """Return the figures of a target that has a process of its own.

    It is forked: to import everything anew takes longer than thousands of inputs.
    """
    context = multiprocessing.get_context("fork")
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=lambda: theirs.send(own(name, count, seconds, seed)))
    process.start()
    theirs.close()
    with contextlib.suppress(EOFError):
        if not ours.poll(seconds + HANGS if seconds else None):
            process.kill()
            return {"failed": 1, "failures": {"hangs": f"it did not end {HANGS:g} s after its time"}}
        found: dict[str, Any] = ours.recv()
        process.join()
        print(name, found, flush=True)
        return found
    process.join()
    return {"failed": 1, "failures": {"died": str(process.exitcode)}}


def one_round(names: list[str], chosen: argparse.Namespace) -> bool:
    """Give each target its time, in a process of its own; return whether any still lacks inputs."""
    lacking = False
    for name in names:
        known = json.loads(chosen.figures.read_text()) if chosen.figures and chosen.figures.exists() else {}
        before = known.get(name, {})
        wanted = chosen.count - executions(before)
        if wanted <= 0:
            continue
        seed = chosen.seed + executions(before)
        if chosen.guided:
            command = [sys.executable, "-m", "tests.fuzz.run", name, "--guided", "--seed", str(seed)]
            command += ["--seconds", str(chosen.seconds)]
            done = subprocess.run(command, capture_output=True, text=True, errors="replace")
            now = told_by_libfuzzer(name, done.stderr)
            print(name, now, done.stderr[-2000:] if now["failed"] else "", flush=True)
        else:
            now = in_a_process(name, wanted, chosen.seconds, seed)
        known[name] = added(before, now)
        lacking |= executions(known[name]) < chosen.count
        if chosen.figures is not None:
            chosen.figures.write_text(json.dumps(known, indent=1))
    return lacking


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("targets", nargs="*")
    parser.add_argument("--count", type=int, default=10**9, help="inputs for each target, all runs together")
    parser.add_argument("--seconds", type=float, default=0, help="for each target in a round")
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--guided", action="store_true", help="by coverage, with atheris")
    parser.add_argument("--figures", type=Path, help="add the figures to this JSON file")
    chosen = parser.parse_args()
    names = chosen.targets
    if len(names) == 1 and chosen.figures is None:
        if chosen.guided:
            guided(names[0], chosen.seconds, chosen.seed)
        print(json.dumps({names[0]: own(names[0], chosen.count, chosen.seconds, chosen.seed)}))
        return
    from tests.fuzz.targets import TARGETS

    names = names or list(TARGETS)
    for _ in range(chosen.rounds):
        if not one_round(names, chosen):
            break


if __name__ == "__main__":
    main()
