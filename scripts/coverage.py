"""Which lines the tests run: branches of the Python modules, lines of the compiled core.

    python scripts/coverage.py [--figures FILE] [pytest arguments ...]

Needs ``pip install coverage`` and gcov, which comes with the compiler. The core is built once more, without
optimisation, in ``build/coverage``.
"""

import argparse
import gzip
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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--figures", type=Path)
    chosen, arguments = parser.parse_known_args()
    package = build("coverage")
    folder = package.parent
    for old in folder.rglob("*.gcda"):
        old.unlink()
    environment = {**os.environ, "PYTHONPATH": str(package), "COVERAGE_FILE": str(folder / "python.coverage")}
    command = [sys.executable, "-m", "coverage", "run", "--branch", "--source", str(ROOT / "src" / "likewise")]
    tests = ["-m", "pytest", "-q", "-p", "no:cacheprovider", "--timeout", "3000", *arguments]
    subprocess.run([*command, *tests], cwd=ROOT, env=environment, check=True)
    report = folder / "python.json"
    told = [sys.executable, "-m", "coverage", "json", "-q", "-o", str(report)]
    subprocess.run(told, cwd=ROOT, env=environment, check=True)
    totals = json.loads(report.read_text(encoding="utf-8"))["totals"]
    figures = {
        "Python lines": (totals["num_statements"], totals["covered_lines"]),
        "Python branches": (totals["num_branches"], totals["covered_branches"]),
        **{f"C++ lines, {part}/": found for part, found in sorted(core_lines(folder).items())},
    }
    for name, (of, run) in figures.items():
        print(f"{name}: {run:,} of {of:,} ({run / of:.1%})")
    if chosen.figures is not None:
        chosen.figures.write_text(json.dumps(figures, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
