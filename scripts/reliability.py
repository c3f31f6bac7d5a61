"""Write docs/results/reliability.md from the figures that the runners left: `make flips kills fuzz coverage ...`.

python scripts/reliability.py [FOLDER]
"""

import json
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "results" / "reliability.md"
HEAD = """# Under attack

Written by `scripts/reliability.py` from what `make flips`, `make kills`, `make fuzz`, `make coverage`,
`make reproducible` and `scripts/mutants.py` found; a part without a table has not been run. Hostile requests are in
[Hostile requests](hostile.md), load in [The service under load](serve.md).
"""


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
        f"{total:,} processes were killed (-9) just before a change of a file; for half of them the power was lost as "
        "well, and with it all that was not synced. Afterwards there must be what was before, or what is new.\n",
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
        f"{total:,} inputs. "
        "Taken, or refused in words; a failure is an exception of another kind, or an input that gave nothing and of "
        "which nothing was said. Processor time of the slowest input, and most memory of the whole process. "
        "*Once failed*: inputs that failed in a run before this one, mended since, and kept for the tests.\n",
        "| target | inputs | refused | failed | once failed | slowest, s | MB |",
        "|---|--:|--:|--:|--:|--:|--:|",
    ]
    for name, seen in figures.items():
        inputs = sum(seen.get(key, 0) for key in ("done", "refused", "failed"))
        row = [seen.get("refused", 0), seen.get("failed", 0), seen.get("slowest", 0), seen.get("memory_mb", 0)]
        kept = len(list((ROOT / "tests" / "fuzz" / "corpus" / name).glob("*")))
        lines.append(f"| {name} | {inputs:,} | {row[0]:,} | {row[1]:,} | {kept} | {row[2]} | {row[3]} |")
    return "\n".join(lines)


def coverage(figures: dict[str, list[int]]) -> str:
    """What the tests run."""
    lines = ["## What the tests run\n", "| what | there are | run | share |", "|---|--:|--:|--:|"]
    lines += [f"| {name} | {of:,} | {run:,} | {run / of:.1%} |" for name, (of, run) in figures.items()]
    return "\n".join(lines)


def mutants(figures: dict[str, dict[str, int]]) -> str:
    """Changed sources."""
    lines = [
        "## Changed sources\n",
        "A comparison turned, a number moved by one, a result left out: one change at a time, drawn at random from all "
        "that are possible, and the tests of the module run. A change that no test notices is one that a mistake could "
        "make as well.\n",
        "| module | possible | tried | noticed |",
        "|---|--:|--:|--:|",
    ]
    lines += [f"| {name} | {one['possible']} | {one['tried']} | {one['noticed']} |" for name, one in figures.items()]
    return "\n".join(lines)


def reproducible(figures: dict[str, Any]) -> str:
    """The wheel built twice."""
    same = len(set(figures["sha256"])) == 1
    return f"## Built twice\n\n`{figures['wheel']}`, built twice from one commit in two folders: " + (
        f"the same bytes (SHA-256 `{figures['sha256'][0]}`)." if same else "the bytes differ."
    )


def main() -> None:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "build" / "reliability"
    parts = [HEAD]
    for write in (flips, kills, fuzz, coverage, mutants, reproducible):
        path = folder / f"{write.__name__}.json"
        if path.exists():
            parts.append(write(json.loads(path.read_text(encoding="utf-8"))) + "\n")
    PAGE.write_text("\n".join(parts), encoding="utf-8")


if __name__ == "__main__":
    main()
