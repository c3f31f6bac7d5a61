"""Change the source in small ways, one at a time, and see whether a test fails: those that none notices are printed.

    python scripts/mutants.py join [--sample 60] [--seed 1] [--minutes 10] [--figures FILE]

The argument is a folder of the package. Comparisons are turned or moved by one, ``and`` and ``or`` exchanged, whole
numbers moved by one, signs turned, ``not`` left out, values returned replaced by ``None``. The tests of the folder and
the examples of its docstrings are run once under coverage (``pip install coverage``; kept in ``build/mutants``, where
new tests are added; all are run again with ``--anew``); each change meets those tests only that run its line, the quick
ones first, in a process forked from one that has collected them all; tests that start the command see the source as it
is. ``scripts/mutants.json`` says of changes that no test can notice why that is so.

What came of a change is kept until its module changes, so that a run that ``--minutes`` ended goes on with the next
one; changes that no test noticed are tried again.
"""

import argparse
import ast
import functools
import gc
import hashlib
import importlib.abc
import importlib.util
import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
PLACE = ROOT / "build" / "mutants"
REASONS = ROOT / "scripts" / "mutants.json"
# The tests that are asked; a change with which they never end is noticed, too.
TESTS = {
    "measure": ["tests/measure"],
    "join": ["tests/join"],
    "records": [
        "tests/records",
        "tests/jobs/test_match.py",
        "tests/jobs/test_match_brute_force.py",
        "tests/jobs/test_dedupe.py",
    ],
    "read": ["tests/read"],
}
EXAMPLES = "tests/docs/test_docstrings.py"
NEVER_ENDS = 300
MOST_BYTES = 2 << 30
NOT_HERE = 70  # the change is of no function
SWAPPED: dict[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.And: ast.Or, ast.Or: ast.And,
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.FloorDiv, ast.Div: ast.Mult,
}  # fmt: skip


class Mutation(ast.NodeTransformer):
    """Makes the change with a number; lists those that there are, as line and words (``number`` -1: makes none)."""

    def __init__(self, number: int = -1) -> None:
        self.number = number
        self.seen: list[tuple[int, str]] = []

    def _here(self, node: ast.AST, what: str) -> bool:
        self.seen.append((getattr(node, "lineno", 0), what))
        return len(self.seen) - 1 == self.number

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        self.generic_visit(node)
        for place, operator in enumerate(node.ops):
            other = SWAPPED.get(type(operator))
            if other is not None and self._here(node, f"{type(operator).__name__} -> {other.__name__}"):
                node.ops[place] = other()  # type: ignore[call-overload]
        return node

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.AST:
        self.generic_visit(node)
        if self._here(node, "and <-> or"):
            node.op = SWAPPED[type(node.op)]()  # type: ignore[assignment]
        return node

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        other = SWAPPED.get(type(node.op))
        if other is not None and self._here(node, f"{type(node.op).__name__} -> {other.__name__}"):
            node.op = other()  # type: ignore[assignment]
        return node

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.op, ast.Not | ast.USub) and self._here(node, f"without {type(node.op).__name__}"):
            return node.operand
        return node

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        if type(node.value) is int and self._here(node, f"{node.value} -> {node.value + 1}"):
            return ast.copy_location(ast.Constant(node.value + 1), node)
        return node

    def visit_Return(self, node: ast.Return) -> ast.AST:
        self.generic_visit(node)
        if node.value is not None and not isinstance(node.value, ast.Constant) and self._here(node, "return None"):
            return ast.copy_location(ast.Return(ast.Constant(None)), node)
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        return node  # types and the defaults of options


@functools.cache
def source(path: Path) -> str:
    """Return a module as it was when this began: one may go on working while it runs."""
    return path.read_text(encoding="utf-8")


def changed(path: Path, number: int) -> CodeType:
    """Return the code of a module with one change in it."""
    tree = Mutation(number).visit(ast.parse(source(path)))
    return compile(ast.fix_missing_locations(tree), str(path), "exec")


class Changed(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Imports one module with one change in it."""

    def __init__(self, name: str, path: Path, number: int) -> None:
        self.name, self.path, self.number = name, path, number

    def find_spec(self, name: str, *_: Any) -> Any:
        return importlib.util.spec_from_file_location(name, self.path, loader=self) if name == self.name else None

    def exec_module(self, module: ModuleType) -> None:
        exec(changed(self.path, self.number), module.__dict__)


class Tests:
    """The tests of a folder: which lines each runs, and how long it takes."""

    def __init__(self, folder: str, most_seconds: float) -> None:
        import coverage

        self.most_seconds = most_seconds
        self.lines = coverage.CoverageData(str(PLACE / f"{folder}.coverage"))
        self.lines.read()
        self.seconds: dict[str, float] = json.loads((PLACE / f"{folder}.json").read_text(encoding="utf-8"))

    def of(self, path: Path, line: int) -> list[str]:
        """Return the tests that run a line, quick ones first; where none does, those that run others of the module."""
        by_line = self.lines.contexts_by_lineno(str(path))
        found = set(by_line.get(line, ())) & self.seconds.keys()
        if not found:  # run when the module is imported, or for several tests together
            found = {name for names in by_line.values() for name in names} & self.seconds.keys()
        chosen: list[str] = []
        total = 0.0
        for name in sorted(found, key=lambda name: (self.seconds[name], name)):
            total += self.seconds[name]
            if chosen and total > self.most_seconds:
                break
            chosen.append(name)
        return chosen


class Loop:
    """As a plugin of pytest: runs the collected tests with one change after another, each in a process forked for it.

    The code of the functions that are there is exchanged. A change of what is done when a module is imported needs a
    process that has not imported it, where pytest begins anew.
    """

    def __init__(self, folder: str, *, anew: bool) -> None:
        self.folder, self.anew = folder, anew
        self.items: dict[str, list[Any]] = defaultdict(list)
        self.functions: dict[Path, list[FunctionType]] = defaultdict(list)
        self.try_all: Callable[[], None] = lambda: None

    def pytest_runtestloop(self, session: Any) -> bool:
        for item in session.items:
            name, _, case = item.nodeid.partition("[")
            if name != f"{EXAMPLES}::test_examples_of_docstrings_run":
                self.items[name].append(item)
            elif case.startswith(f"likewise.{self.folder}."):
                self.items[item.nodeid].append(item)
        inside = str(ROOT / "src" / "likewise" / self.folder)
        for function in gc.get_objects():
            if type(function) is FunctionType and function.__code__.co_filename.startswith(inside):
                self.functions[Path(function.__code__.co_filename)].append(function)
        gc.freeze()
        PLACE.mkdir(parents=True, exist_ok=True)
        kept = PLACE / f"{self.folder}.json"
        known = {} if self.anew or not kept.exists() else json.loads(kept.read_text(encoding="utf-8"))
        if new := {name: items for name, items in self.items.items() if name not in known}:
            self.watch(new, known)
        self.try_all()
        return True

    def watch(self, tests: dict[str, list[Any]], known: dict[str, float]) -> None:
        """Run tests without a change, and keep which lines each runs, beside those that are ``known``.

        One that fails is left out from here on.
        """
        import coverage

        kept, fresh = PLACE / f"{self.folder}.coverage", PLACE / f"{self.folder}.coverage.new"
        fresh.unlink(missing_ok=True)
        child = os.fork()
        if not child:
            quietly(NEVER_ENDS * 10)
            running = coverage.Coverage(str(fresh), source=[str(ROOT / "src" / "likewise" / self.folder)])
            seconds = dict(known)
            running.start()
            for name, items in tests.items():
                running.switch_context(name)
                begun = time.process_time()
                if not self.run(items):
                    seconds[name] = time.process_time() - begun
            running.stop()
            running.save()
            if known:
                every = [coverage.CoverageData(str(path)) for path in (kept, fresh)]
                for one in every:
                    one.read()
                every[0].update(every[1])
                fresh.unlink()
            else:
                fresh.replace(kept)
            kept.with_suffix(".json").write_text(json.dumps(seconds), encoding="utf-8")
            os._exit(0)
        if os.waitpid(child, 0)[1]:
            raise SystemExit("the tests do not come to an end")

    def exchange(self, path: Path, number: int) -> int:
        """Give the functions of a module the code of a changed one; return how many are others then."""
        codes, waiting = {}, [changed(path, number)]
        while waiting:
            code = waiting.pop()
            codes[code.co_qualname, code.co_firstlineno] = code
            waiting += [inner for inner in code.co_consts if isinstance(inner, CodeType)]
        found = 0
        for function in self.functions[path]:
            code = codes.get((function.__code__.co_qualname, function.__code__.co_firstlineno), function.__code__)
            if code != function.__code__:
                function.__code__ = code
                found += 1
        return found

    def noticed(self, name: str, path: Path, number: int, tests: list[str]) -> bool:
        """Say whether one of the tests fails with a change."""
        items = [item for test in tests for item in self.items.get(test, ())]
        if not items:
            return False
        child = os.fork()
        if not child:
            outcome = 1
            try:
                quietly()
                outcome = self.run(items) if self.exchange(path, number) else NOT_HERE
            finally:  # also where there is no memory left
                os._exit(outcome)
        _, status = os.waitpid(child, 0)
        code = os.waitstatus_to_exitcode(status)
        return bool(code) if code != NOT_HERE else noticed_anew(name, path, number, tests)

    def run(self, items: list[Any]) -> int:
        """Return 1 if one of the tests fails; the rest are not run then."""
        from _pytest.runner import runtestprotocol

        for item, following in zip(items, [*items[1:], None], strict=True):
            if any(report.failed for report in runtestprotocol(item, log=False, nextitem=following)):
                return 1
        return 0


def quietly(seconds: int = NEVER_ENDS) -> None:
    """Say nothing from here on, and end some time."""
    signal.alarm(seconds)
    resource.setrlimit(resource.RLIMIT_CPU, (seconds // 5, seconds // 5))
    resource.setrlimit(resource.RLIMIT_DATA, (MOST_BYTES, MOST_BYTES))
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)


def noticed_anew(name: str, path: Path, number: int, tests: list[str]) -> bool:
    """Say whether one of the tests fails with a change that is there when the module is imported."""
    program = "import sys, pytest, scripts.mutants as m; m.quietly(); sys.meta_path.insert(0, m.Changed(sys.argv[1], "
    program += "m.Path(sys.argv[2]), int(sys.argv[3]))); sys.exit(pytest.main(sys.argv[4:]))"
    options = ["-q", "-x", "-p", "no:cacheprovider", "--reruns=0"]
    done = subprocess.run([sys.executable, "-c", program, name, str(path), str(number), *options, *tests])
    if done.returncode == usage_error():  # so it is if the change leaves the settings of the tests without an import
        known = [sys.executable, "-m", "pytest", "--collect-only", *options, *tests]
        if subprocess.run(known, stdout=subprocess.DEVNULL).returncode == usage_error():
            raise SystemExit(f"pytest does not know {tests}: run again with --anew")
    return done.returncode != 0


def usage_error() -> int:
    import pytest

    return int(pytest.ExitCode.USAGE_ERROR)


@dataclass(frozen=True)
class Change:
    """One change of a module, known by its line's words: it stays the same one when other lines come and go."""

    path: Path
    module: str
    version: str
    number: int
    line: int
    key: str

    def rank(self, seed: int) -> str:
        """Return where it stands in the order in which changes are drawn."""
        return hashlib.sha256(f"{seed} {self.number} {self.key}".encode()).hexdigest()

    def noticed(self, tests: Tests, loop: Loop, known: dict[str, str]) -> bool:
        """Say whether a test fails with it, now or in an earlier run on the same source."""
        name = f"{self.module} {self.number}"
        if known.get(name) != self.version and loop.noticed(
            self.module, self.path, self.number, tests.of(self.path, self.line)
        ):
            known[name] = self.version
        return known.get(name) == self.version


def drawn(folder: str, sample: int, seed: int) -> tuple[int, list[Change]]:
    """Return how many changes of a folder are possible, and those to try."""
    every = []
    for path in sorted((ROOT / "src" / "likewise" / folder).rglob("*.py")):
        module = ".".join(path.relative_to(ROOT / "src").with_suffix("").parts).removesuffix(".__init__")
        listing, lines = Mutation(), source(path).splitlines()
        listing.visit(ast.parse(source(path)))
        version = hashlib.sha256(source(path).encode()).hexdigest()[:12]
        for number, (line, what) in enumerate(listing.seen):
            every.append(Change(path, module, version, number, line, f"{module}: {lines[line - 1].strip()}: {what}"))
    return len(every), sorted(every, key=lambda one: one.rank(seed))[: sample or None]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", choices=TESTS)
    parser.add_argument("--sample", type=int, default=60, help="so many of them, drawn at random; 0: all")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=float("inf"), help="end then; the next run goes on")
    parser.add_argument("--anew", action="store_true", help="see anew which test runs which line")
    parser.add_argument("--seconds", type=float, default=10.0, help="of tests that each change meets, quick ones first")
    parser.add_argument("--figures", type=Path)
    chosen = parser.parse_args()
    os.chdir(ROOT)
    os.environ["OMP_NUM_THREADS"] = "1"
    sys.path[0] = str(ROOT)  # not this folder, which has a coverage.py of its own
    loop = Loop(chosen.folder, anew=chosen.anew)
    possible, wanted = drawn(chosen.folder, chosen.sample, chosen.seed)
    loop.try_all = lambda: try_all(chosen, possible, wanted, loop)
    import pytest

    with tempfile.TemporaryDirectory() as place:  # what is forked does not clear up behind itself
        tempfile.tempdir = os.environ["TMPDIR"] = place
        code = pytest.main(
            ["-q", "-p", "no:cacheprovider", "--reruns=0", *TESTS[chosen.folder], EXAMPLES], plugins=[loop]
        )
    sys.exit(code)


def try_all(chosen: argparse.Namespace, possible: int, wanted: list[Change], loop: Loop) -> None:
    """Try changes, and tell of those that no test noticed."""
    tests = Tests(chosen.folder, chosen.seconds)
    reasons = json.loads(REASONS.read_text(encoding="utf-8"))
    kept = PLACE / f"{chosen.folder}.noticed.json"
    known = json.loads(kept.read_text()) if kept.exists() else {}
    seen = {"possible": possible, "tried": 0, "noticed": 0, "explained": 0}
    unnoticed, explained = [], []
    until = time.monotonic() + 60 * chosen.minutes
    for one in wanted:
        if time.monotonic() > until:
            break
        seen["tried"] += 1
        if one.noticed(tests, loop, known):
            seen["noticed"] += 1
            kept.write_text(json.dumps(known))
        elif reason := reasons.get(one.key):
            seen["explained"] += 1
            explained.append(f"`{one.key}`: {reason}")
        else:
            unnoticed.append(one.key)
            print(f"{one.path.relative_to(ROOT)}:{one.line} {one.key}", flush=True)
    print(chosen.folder, seen)
    if chosen.figures is not None:
        figures = json.loads(chosen.figures.read_text()) if chosen.figures.exists() else {}
        before = figures.get(chosen.folder, {})
        same = all(before.get(key) == value for key, value in (("seed", chosen.seed), ("tried", seen["tried"])))
        first = before.get("first") if same else seen["noticed"] + seen["explained"]
        told = {"seed": chosen.seed, "first": first, "unnoticed": unnoticed, "reasons": explained}
        figures[chosen.folder] = seen | told
        chosen.figures.write_text(json.dumps(figures, indent=1))


if __name__ == "__main__":
    main()
