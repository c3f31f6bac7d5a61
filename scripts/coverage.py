"""Which lines the tests run: branches of the Python modules, lines of the compiled core.

    python scripts/coverage.py [--figures FILE] [--anew] [tests ...]

Needs ``pip install coverage`` and gcov, which comes with the compiler. The core is built once more, without
optimisation, in ``build/coverage``. Each folder of tests is a run of its own, also in the processes that it starts;
what it ran is added to what the runs before it did on the same sources, and folders that were run before are left out
unless they are named (``--anew``: all is forgotten). A test that fails ends nothing: what was run was run, and the
failure is told at the end. A package is told of once its own tests were run, and the whole once all were.
"""

import argparse
import gzip
import hashlib
import json
import os
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

from sanitized_tests import ROOT, build


def core_lines(folder: Path) -> dict[str, tuple[int, int]]:
    """Return for core/ and bindings/ how many lines there are, and how many were run."""
    seen: dict[tuple[str, int], int] = defaultdict(int)
    with tempfile.TemporaryDirectory() as place:
        counts = [str(path.resolve()) for path in folder.rglob("*.gcda")]
        subprocess.run(["gcov", "--json-format", *counts], cwd=place, check=True, stdout=subprocess.DEVNULL)
        for path in Path(place).glob("*.json.gz"):
            for file in json.loads(gzip.decompress(path.read_bytes()))["files"]:
                source = (ROOT / file["file"]).resolve()
                part = source.relative_to(ROOT).parts[0] if source.is_relative_to(ROOT) else ""
                for line in file["lines"] if part in ("core", "bindings") else ():
                    seen[str(source.relative_to(ROOT)), line["line_number"]] += line["count"]
    found: dict[str, tuple[int, int]] = {}
    for (name, _), count in seen.items():
        part = name.split("/")[0]
        lines, run = found.get(part, (0, 0))
        found[part] = lines + 1, run + (count > 0)
    return found


def python_lines(report: Path, done: list[str], *, whole: bool) -> dict[str, tuple[int, int]]:
    """Return how many branches of each package there are whose tests were run, and how many were run; of all, if so."""
    found = json.loads(report.read_text(encoding="utf-8"))
    branches: dict[str, tuple[int, int]] = {}
    for name, file in found["files"].items():
        part = Path(name).relative_to(Path("src") / "likewise").parts[0]
        of, run = branches.get(part, (0, 0))
        branches[part] = of + file["summary"]["num_branches"], run + file["summary"]["covered_branches"]
    totals = found["totals"]
    all_of_them = {
        "Python lines": (totals["num_statements"], totals["covered_lines"]),
        "Python branches": (totals["num_branches"], totals["covered_branches"]),
    }
    own = {
        part: pair for part, pair in branches.items() if pair[0] and {f"tests/{part}", f"tests/test_{part}"} & {*done}
    }
    return (all_of_them if whole else {}) | {f"Python branches, {part}": pair for part, pair in sorted(own.items())}


def digest() -> str:
    """Return a checksum of all sources."""
    seen = hashlib.sha256()
    for place in ("src", "core", "bindings"):
        for path in sorted((ROOT / place).rglob("*")):
            if path.suffix in (".py", ".cpp", ".hpp", ".inc"):
                seen.update(str(path).encode() + path.read_bytes())
    return seen.hexdigest()


DONE = "done.json"  # the folders of tests that were run
SETTINGS = """[run]
branch = True
parallel = True
patch = subprocess
source = {source}
data_file = {folder}/python.coverage
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tests", nargs="*")
    parser.add_argument("--figures", type=Path)
    parser.add_argument("--anew", action="store_true")
    chosen = parser.parse_args()
    package = build("coverage")
    folder = package.parent
    known, sources = folder / DONE, digest()
    before = json.loads(known.read_text(encoding="utf-8")) if known.exists() else {}
    anew = chosen.anew or before.get("sources") != sources  # lines of other sources are others
    for old in [*folder.rglob("*.gcda"), *folder.glob("python.coverage*")] if anew else ():
        old.unlink()
    done: list[str] = [] if anew else before["tests"]
    settings = folder / "coverage.ini"
    settings.write_text(SETTINGS.format(source=ROOT / "src" / "likewise", folder=folder), encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(package), "COVERAGE_RCFILE": str(settings)}
    tool = [sys.executable, "-m", "coverage"]
    failed = []
    every = {"/".join(path.relative_to(ROOT).parts[:2]) for path in (ROOT / "tests").rglob("test_*.py")}
    for part in chosen.tests or sorted(every - set(done)):
        command = [*tool, "run", "-m", "pytest", "-q", "-p", "no:cacheprovider", "--timeout", "3000", part]
        failed += [part] if subprocess.run(command, cwd=ROOT, env=environment).returncode else []
        subprocess.run([*tool, "combine", "-q", "--append"], cwd=ROOT, env=environment, check=True)
        done = sorted({*done, part})
        known.write_text(json.dumps({"sources": sources, "tests": done}), encoding="utf-8")
    report = folder / "python.json"
    subprocess.run([*tool, "json", "-q", "-o", str(report)], cwd=ROOT, env=environment, check=True)
    left = sorted(every - set(done))
    figures = python_lines(report, done, whole=not left)
    if not left:
        figures |= {f"C++ lines, {part}/": found for part, found in sorted(core_lines(folder).items())}
    for name, (of, run) in figures.items():
        print(f"{name}: {run:,} of {of:,} ({run / of:.1%})")
    if chosen.figures is not None:
        chosen.figures.write_text(json.dumps({"not run": left, "figures": figures}, indent=1), encoding="utf-8")
    if failed:
        sys.exit(f"tests failed in {', '.join(failed)}")


if __name__ == "__main__":
    main()
