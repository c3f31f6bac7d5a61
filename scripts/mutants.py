"""Change the source in small ways, one at a time, and see whether a test fails: those that none notices are printed.

    python scripts/mutants.py src/likewise/join/assignment.py tests/join/test_assignment.py [--sample 20] [--seed 1]

Comparisons are turned or moved by one, ``and`` and ``or`` exchanged, whole numbers moved by one, signs turned, ``not``
left out, values returned replaced by ``None``. The module is changed while it is imported, in the process of the tests
only; tests that start the command see it as it is.
"""

import argparse
import ast
import importlib.abc
import importlib.util
import json
import os
import random
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
SWAPPED: dict[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.And: ast.Or, ast.Or: ast.And,
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.FloorDiv, ast.Div: ast.Mult,
}  # fmt: skip


class Mutation(ast.NodeTransformer):
    """Makes the change with a number, or counts them all (``number`` -1)."""

    def __init__(self, number: int) -> None:
        self.number, self.seen, self.what = number, 0, ""

    def _here(self, node: ast.AST, what: str) -> bool:
        self.seen += 1
        if self.seen - 1 != self.number:
            return False
        self.what = f"line {getattr(node, 'lineno', '?')}: {what}"
        return True

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


class Changed(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Imports one module with one change in it."""

    def __init__(self, name: str, path: Path, number: int) -> None:
        self.name, self.path, self.number = name, path, number

    def find_spec(self, name: str, *_: Any) -> Any:
        return importlib.util.spec_from_file_location(name, self.path, loader=self) if name == self.name else None

    def exec_module(self, module: ModuleType) -> None:
        tree = Mutation(self.number).visit(ast.parse(self.path.read_text(encoding="utf-8")))
        exec(compile(ast.fix_missing_locations(tree), str(self.path), "exec"), module.__dict__)


if "LIKEWISE_MUTANT" in os.environ:  # pytest -p scripts.mutants
    sys.meta_path.insert(0, Changed(*[kind(value) for kind, value in zip(
        (str, Path, int), os.environ["LIKEWISE_MUTANT"].split(":"), strict=True)]))  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("module", type=Path)
    parser.add_argument("tests", nargs="+")
    parser.add_argument("--sample", type=int, default=0, help="so many of them, drawn at random")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--figures", type=Path)
    chosen = parser.parse_args()
    path = chosen.module.resolve()
    name = ".".join(path.relative_to(ROOT / "src").with_suffix("").parts).removesuffix(".__init__")
    counting = Mutation(-1)
    counting.visit(ast.parse(path.read_text(encoding="utf-8")))
    numbers = list(range(counting.seen))
    if chosen.sample and chosen.sample < len(numbers):
        numbers = sorted(random.Random(chosen.seed).sample(numbers, chosen.sample))
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-p",
        "scripts.mutants",
        "-p",
        "no:cacheprovider",
        "-q",
        "-x",
        *chosen.tests,
    ]
    killed = 0
    for number in numbers:
        environment = os.environ | {"LIKEWISE_MUTANT": f"{name}:{path}:{number}"}
        done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
        killed += done.returncode != 0
        if done.returncode == 0:
            mutation = Mutation(number)
            mutation.visit(ast.parse(path.read_text(encoding="utf-8")))
            print(f"{chosen.module}: nobody notices {mutation.what}", flush=True)
    print(f"{chosen.module}: {killed} of {len(numbers)} noticed ({counting.seen} possible)")
    if chosen.figures is not None:
        figures = json.loads(chosen.figures.read_text()) if chosen.figures.exists() else {}
        figures[name] = {"tried": len(numbers), "noticed": killed, "possible": counting.seen}
        chosen.figures.write_text(json.dumps(figures, indent=1))


if __name__ == "__main__":
    main()
