"""Write docs/results/reliability.md from the figures that the runners left: `make flips kills fuzz coverage ...`.

    python scripts/reliability.py [FOLDER]

They are kept in docs/results/reliability, where a run adds to what those before it found.
"""

import json
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "results" / "reliability.md"
FIGURES = PAGE.with_suffix("")
HEAD = """# Under attack

Written by `scripts/reliability.py` from what `make asan tsan`, `make flips`, `make kills`, `make fuzz`, `make bombs`,
`make guided`, `make requests`, `make coverage`, `make audit reproducible` and `make mutants` found; a part that is not
here has not been run. Hostile requests are in [Hostile requests](hostile.md), load in
[The service under load](serve.md).
"""


def sanitizers(figures: dict[str, Any]) -> str:
    """Tests of the compiled module under sanitizers."""
    processes = figures.pop("processes", {})
    told = ", ".join(f"{preset} {number:,}" for preset, number in processes.items()) or "none"
    lines = [
        "## Sanitizers\n",
        "The core compiled with address and undefined-behaviour sanitizers and container assertions (asan), or with "
        "the thread sanitizer (tsan): tests of these folders, how many of them were run with the core of that day, "
        "those that failed, and those during which something was reported. Tests that only drive processes (the "
        "command, a service, a cluster) are left out; *examples*: the most that a property was tried with. Processes "
        f"of the last run that something was reported of, also at their end: {told}.\n",
        "| build | tests of | examples | there are | run | failed | reports |",
        "|---|---|--:|--:|--:|--:|--:|",
    ]
    for preset, parts in figures.items():
        lines += [
            f"| {preset} | {part} | {seen.get('examples') or ''} | {seen.get('of', '')} | {seen['tests']:,} "
            f"| {seen['failed']:,} | {seen['reports']:,} |"
            for part, seen in parts.items()
        ]
    return "\n".join(lines)


def calls(figures: dict[str, int]) -> str:
    """Random calls of the compiled module."""
    return (
        f"## Calls of the compiled module\n\n{figures['calls']:,} random calls of its {figures['functions']} functions "
        f"and methods, with sound, wrong and hostile arguments mixed: none ended the process. {figures['sound']} of "
        "the functions were also reached with arguments that they took."
    )


def requests(figures: dict[str, dict[str, int]]) -> str:
    """Requests made from the OpenAPI document."""
    lines = [
        "## Requests made from the interface's own description\n",
        "schemathesis makes requests from the OpenAPI document, sound and unsound ones: no answer may be a server "
        "error, and each must be as described.\n",
        "| requests | routes | made | against the description |",
        "|---|--:|--:|--:|",
    ]
    lines += [f"| {name} | {seen['routes']} | {seen['made']:,} | {seen['wrong']:,} |" for name, seen in figures.items()]
    return "\n".join(lines)


def flips(figures: dict[str, dict[str, int]]) -> str:
    """Single bits of the files that people share."""
    lines = [
        "## Turned bits\n",
        "One bit of a byte is turned, and the file is opened and asked: refused in words, or the same answer.\n",
        "| file | turned | refused | same answer | wrong |",
        "|---|--:|--:|--:|--:|",
    ]
    for name, seen in figures.items():
        found = [seen.get(key, 0) for key in ("refused", "harmless", "wrong")]
        lines.append(f"| {name} | {sum(found):,} | {found[0]:,} | {found[1]:,} | {found[2]:,} |")
    return "\n".join(lines)


def kills(figures: dict[str, dict[str, int]]) -> str:
    """Killed processes and lost power."""
    total = sum(number for seen in figures.values() for key, number in seen.items() if key != "stray files")
    lines = [
        "## Killed processes\n",
        f"{total:,} processes, in all runs so far, were killed (-9) just before a change of a file; for half of "
        "them the power was lost as well, and with it all that was not synced. Afterwards there must be what was "
        "before, or what is new. A judge and a service are killed at a moment of the clock: what was acknowledged "
        "must be there, and the jobs of the service must be finished by the next one.\n",
        "| doing | before | after | damaged or lost | stray files |",
        "|---|--:|--:|--:|--:|",
    ]
    for name, seen in figures.items():
        before, after = (sum(n for key, n in seen.items() if key.startswith(word)) for word in ("before", "after"))
        strays = seen.get("stray files", 0)
        wrong = sum(seen.values()) - before - after - strays
        lines.append(f"| {name} | {before:,} | {after:,} | {wrong:,} | {strays:,} |")
    return "\n".join(lines)


def fuzz(figures: dict[str, dict[str, Any]]) -> str:
    """Mutated inputs."""
    total = sum(seen.get(key, 0) for seen in figures.values() for key in ("done", "refused", "failed"))
    lines = [
        "## Mutated inputs\n",
        f"{total:,} inputs in all runs so far, on the sources of their day. Taken, or refused in words (a reader names "
        "what it skips with a reason, and goes on: that is taken). A failure is an exception of another kind, an input "
        "that gave nothing and of which nothing was said, one that took over ten seconds of processor time or a "
        "gigabyte of memory, a process that died or did not end. Processor time of the slowest input, and most memory "
        "of the whole process. *Once failed*: inputs that failed in a run before this one, mended since, and kept for "
        "the tests. Most inputs are of runs that went on from refused ones as well: where nearly all were refused, few "
        "came far. Runs go on now from what was taken.\n",
        "| target | inputs | refused | failed | once failed | slowest, s | MB |",
        "|---|--:|--:|--:|--:|--:|--:|",
    ]
    for name, seen in figures.items():
        inputs = sum(seen.get(key, 0) for key in ("done", "refused", "failed"))
        row = [seen.get("refused", 0), seen.get("failed", 0), seen.get("slowest", 0), seen.get("memory_mb", 0)]
        kept = len(list((ROOT / "tests" / "fuzz" / "corpus" / name).glob("*")))
        lines.append(f"| {name} | {inputs:,} | {row[0]:,} | {row[1]:,} | {kept} | {row[2]} | {row[3]} |")
    return "\n".join(lines)


def bombs(figures: dict[str, dict[str, Any]]) -> str:
    """Files that mean far more than they are."""
    unbounded = sum(not one["bounded"] for one in figures.values())
    lines = [
        "## Bombs\n",
        "Small files that stand for very much, lines and rows of any length, and nesting, each read in a process of "
        "its own as `match` reads documents, and as a table. It must end within a minute of processor time and two "
        f"gigabytes, and what is not read has a word: {len(figures) - unbounded} of {len(figures)} did.\n",
        "| file | as | kB | s | MB | rows | said |",
        "|---|---|--:|--:|--:|--:|---|",
    ]
    for name, one in figures.items():
        file, how = name.split()
        said = one["said"].replace("|", "\\|")
        lines.append(
            f"| {file} | {how} | {one['bytes'] >> 10:,} | {one['seconds']} | {one['mb']:,} | {one['rows']:,} | {said} |"
        )
    return "\n".join(lines)


def guided(figures: dict[str, dict[str, Any]]) -> str:
    """Mutated inputs, guided by coverage."""
    total = sum(seen.get("done", 0) for seen in figures.values())
    lines = [
        "## Guided by coverage\n",
        f"{total:,} inputs made by libFuzzer (atheris), which keeps those that reach new branches of our modules. A "
        "failure ends a run and is kept for the tests.\n",
        "| target | inputs | reached something new | failed |",
        "|---|--:|--:|--:|",
    ]
    lines += [f"| {name} | {seen['done']:,} | {seen['new']:,} | {seen['failed']:,} |" for name, seen in figures.items()]
    return "\n".join(lines)


def coverage(told: dict[str, Any]) -> str:
    """What the tests run."""
    left = "".join(
        f" Of the tests for {name} not run yet: {', '.join(told[kind]['not run'])}; more is reached by those."
        for kind, name in (("python", "Python"), ("core", "the core"))
        if kind in told and told[kind]["not run"]
    )
    lines = [
        "## What the tests run\n",
        "What the tests reach, also in the processes that they start: packages whose own tests were run; for the core "
        f"the tests that touch it alone.{left}\n",
        "| what | there are | run | share |",
        "|---|--:|--:|--:|",
    ]
    for kind in told.values():
        lines += [f"| {name} | {of:,} | {run:,} | {run / of:.1%} |" for name, (of, run) in kind["figures"].items()]
    return "\n".join(lines)


def mutants(figures: dict[str, dict[str, Any]]) -> str:
    """Changed sources."""
    lines = [
        "## Changed sources\n",
        "A comparison turned, a number moved by one, a result left out: one change at a time, drawn at random from all "
        "that are possible, and the tests that run the line. A change that no test notices is one that a mistake could "
        "make as well; *explained*: one that cannot be noticed, because it changes nothing that is promised. Tests "
        "are written for what a draw shows, and the next one has another number; *at first*: noticed or explained "
        "before that.\n",
        "| folder | draw | possible | tried | at first | noticed | explained | share |",
        "|---|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for name, one in figures.items():
        share = (one["noticed"] + one["explained"]) / one["tried"]
        row = [
            name,
            one.get("seed", 1),
            f"{one['possible']:,}",
            one["tried"],
            one.get("first") or "",
            *(one[key] for key in ("noticed", "explained")),
        ]
        lines.append(f"| {' | '.join(map(str, row))} | {share:.0%} |")
    for head, told in (("Not noticed", "unnoticed"), ("Explained", "reasons")):
        found = [f"- {line}" if told == "reasons" else f"- `{line}`" for one in figures.values() for line in one[told]]
        lines += ["", f"{head}:", "", *(found or ["- none"])]
    return "\n".join(lines)


def audit(figures: dict[str, Any]) -> str:
    """What we depend on."""
    silent = figures["silent"]
    asked = f"Known vulnerabilities were asked of the package index for {figures['packages'] - len(silent)} of them"
    asked += f"; it does not tell of the releases {', '.join(silent)}" if silent else ""
    bad = "".join(f"\n- {line}" for line in figures["bad"]) or "none."
    return (
        f"## What we depend on\n\n{figures['packages']} packages with all extras for users. {asked}. "
        f"Licences that are not allowed, vulnerabilities, and releases that were withdrawn: {bad}"
    )


def reproducible(figures: dict[str, Any]) -> str:
    """The wheel built twice."""
    same = len(set(figures["sha256"])) == 1
    return f"## Built twice\n\n`{figures['wheel']}`, built twice from one commit in two folders: " + (
        f"the same bytes (SHA-256 `{figures['sha256'][0]}`)." if same else "the bytes differ."
    )


def main() -> None:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else FIGURES
    parts = [HEAD]
    every = (sanitizers, calls, flips, kills, fuzz, bombs, guided, requests, coverage, mutants, audit, reproducible)
    for write in every:
        path = folder / f"{write.__name__}.json"
        if path.exists():
            parts.append(write(json.loads(path.read_text(encoding="utf-8"))) + "\n")
    PAGE.write_text("\n".join(parts), encoding="utf-8")


if __name__ == "__main__":
    main()
