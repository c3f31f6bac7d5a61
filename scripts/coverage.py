"""Which lines the tests run: branches of the Python modules, lines of the compiled core.

    python scripts/coverage.py python|core [--figures FILE] [--anew] [tests ...]

Python needs ``pip install coverage`` and takes the core that is installed. For the core it is built once more, to
count, in ``build/coverage`` (gcov comes with the compiler), and Python is not watched: either alone takes a fraction of
the time. Each folder of tests is a run of its own, also in the processes that it starts; what it ran is added to what
the runs before it did on the same sources, and folders that were run before are left out unless they are named
(``--anew``: all is forgotten). A test that fails ends nothing: what was run was run, and the failure is told at the
end. A package is told of once its own tests were run, and the whole once all were.
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

from sanitized_tests import ROOT, TOUCHING, build


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


def digest(*places: str) -> str:
    """Return a checksum of the sources in some folders."""
    seen = hashlib.sha256()
    for place in places:
        for path in sorted((ROOT / place).rglob("*")):
            if path.suffix in (".py", ".cpp", ".hpp", ".inc"):
                seen.update(str(path.relative_to(ROOT)).encode() + path.read_bytes())
    return seen.hexdigest()


def every_part() -> list[str]:
    """Return the folders of tests, and the files that are in none."""
    return sorted({"/".join(path.relative_to(ROOT).parts[:2]) for path in (ROOT / "tests").rglob("test_*.py")})


SETTINGS = """[run]
branch = True
parallel = True
patch = subprocess
source = {source}
data_file = {folder}/python.coverage
"""
TEST = ["-m", "pytest", "-q", "-p", "no:cacheprovider", "--timeout", "3000"]


class Python:
    """Branches of the modules."""

    parts = tuple(every_part())
    counts = "python.coverage*"
    sources = "src", "core", "bindings"

    def __init__(self) -> None:
        self.folder = ROOT / "build" / "coverage-python"
        self.folder.mkdir(parents=True, exist_ok=True)
        settings = self.folder / "coverage.ini"
        settings.write_text(SETTINGS.format(source=ROOT / "src" / "likewise", folder=self.folder), encoding="utf-8")
        self.environment = {**os.environ, "COVERAGE_RCFILE": str(settings)}
        self.tool = [sys.executable, "-m", "coverage"]

    def run(self, part: str) -> bool:
        """Run the tests of a folder; return whether they passed."""
        code = subprocess.run([*self.tool, "run", *TEST, part], cwd=ROOT, env=self.environment).returncode
        subprocess.run([*self.tool, "combine", "-q", "--append"], cwd=ROOT, env=self.environment, check=True)
        return code == 0

    def figures(self, done: list[str]) -> dict[str, tuple[int, int]]:
        """Return what these tests ran."""
        report = self.folder / "python.json"
        subprocess.run([*self.tool, "json", "-q", "-o", str(report)], cwd=ROOT, env=self.environment, check=True)
        return python_lines(report, done, whole=set(self.parts) <= set(done))


class Core:
    """Lines of the compiled module."""

    parts = tuple(f"tests/{name}" for name in TOUCHING)
    counts = "**/*.gcda"
    sources = "core", "bindings"

    def __init__(self) -> None:
        package = build("coverage")
        self.folder = package.parent
        self.environment = {**os.environ, "PYTHONPATH": str(package)}

    def run(self, part: str) -> bool:
        """Run the tests of a folder; return whether they passed."""
        return subprocess.run([sys.executable, *TEST, part], cwd=ROOT, env=self.environment).returncode == 0

    def figures(self, done: list[str]) -> dict[str, tuple[int, int]]:
        """Return what these tests ran."""
        return {f"C++ lines, {part}/": found for part, found in sorted(core_lines(self.folder).items())} if done else {}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kind", choices=("python", "core"))
    parser.add_argument("tests", nargs="*")
    parser.add_argument("--figures", type=Path)
    parser.add_argument("--anew", action="store_true")
    chosen = parser.parse_intermixed_args()  # options may stand before the tests
    kind = Python() if chosen.kind == "python" else Core()
    known, sources = kind.folder / "done.json", digest(*kind.sources)  # the folders of tests that were run
    before = json.loads(known.read_text(encoding="utf-8")) if known.exists() else {}
    anew = chosen.anew or before.get("sources") != sources  # lines of other sources are others
    for old in kind.folder.glob(kind.counts) if anew else ():
        old.unlink()
    done: list[str] = [] if anew else before["tests"]
    failed = []
    for part in chosen.tests or [part for part in kind.parts if part not in done]:
        failed += [] if kind.run(part) else [part]
        done = sorted({*done, part})
        known.write_text(json.dumps({"sources": sources, "tests": done}), encoding="utf-8")
        note(chosen, kind, done)
    if failed:
        sys.exit(f"tests failed in {', '.join(failed)}")


def note(chosen: argparse.Namespace, kind: Python | Core, done: list[str]) -> None:
    """Print what was run so far, and keep it for the page of results."""
    figures = kind.figures(done)
    for name, (of, run) in figures.items():
        print(f"{name}: {run:,} of {of:,} ({run / of:.1%})")
    if chosen.figures is not None:
        path: Path = chosen.figures
        every = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
        every[chosen.kind] = {"not run": sorted(set(kind.parts) - set(done)), "figures": figures}
        path.write_text(json.dumps(every, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
