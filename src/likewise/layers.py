"""The order of the folders: the path of the data, from left to right.

A module may import what stands to the left of its folder, and its own folder; never to the right, also not inside a
function or for types only. ``tests/test_layers.py`` reads every import and fails on an arrow that points the other way;
``scripts/layers.py`` draws what it finds into ARCHITECTURE.md.
"""

import ast
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

ORDER = (
    "read",
    "segment",
    "analyse",
    "measure",
    "join",
    "results",
    "index",
    "records",
    "quality",
    "engines",
    "jobs",
    "evaluate",
    "report",
    "demo",
    "serve",
    "cli",
)
"""Folders. Modules directly under ``likewise`` (errors, options, ...) are left of all of them.

The package itself, ``likewise.spark`` and its kin, the doors that users import, hand out names of every folder up to
reports; the tour in ``demo`` imports them as a user does, so they stand before it.
"""

DOORS = ("likewise", "likewise.duckdb", "likewise.sklearn", "likewise.spark")
"""What users import."""

Edge = tuple[str, str]


def modules(root: Path) -> dict[str, Path]:
    """Return every module of the package at ``root`` by its name, the compiled core too."""
    found = {}
    for path in sorted([*root.rglob("*.py"), root / "_core.pyi"]):
        parts = (root.name, *path.relative_to(root).with_suffix("").parts)
        found[".".join(parts).removesuffix(".__init__")] = path
    return found


def imports(known: Mapping[str, Path]) -> Iterator[Edge]:
    """Give (importer, imported) for every import of one of our modules by another, wherever it stands."""
    for name, path in known.items():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            for target in _targets(node, known):
                if target != name:
                    yield name, target


def _targets(node: ast.AST, known: Mapping[str, Path]) -> Iterator[str]:
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names if alias.name in known)
    elif isinstance(node, ast.ImportFrom) and node.module is not None and node.module in known:
        for alias in node.names:
            if alias.name == "__version__":  # known before anything is imported
                continue
            inner = f"{node.module}.{alias.name}"
            yield inner if inner in known else node.module


def place(module: str) -> float:
    """Return where a module stands: -1 for those under ``likewise`` itself, then by folder.

    >>> place("likewise.errors") < place("likewise.read.document") < place("likewise.jobs.match") < place("likewise")
    True
    """
    if module in DOORS:
        return ORDER.index("demo") - 0.5
    if module == "likewise.__main__":
        return len(ORDER)
    folder = module.split(".")[1]
    return ORDER.index(folder) if folder in ORDER else -1


def backward(edges: Iterable[Edge]) -> set[Edge]:
    """Return the imports that go from left to right."""
    return {(source, target) for source, target in edges if place(target) > place(source)}


def cycles(edges: Iterable[Edge]) -> list[list[str]]:
    """Return the groups of modules that import each other in a circle (Tarjan's components of two or more)."""
    graph: dict[str, list[str]] = {}
    for source, target in edges:
        graph.setdefault(source, []).append(target)
    number: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    found: list[list[str]] = []

    def visit(module: str) -> None:
        number[module] = low[module] = len(number)
        stack.append(module)
        for target in graph.get(module, ()):
            if target not in number:
                visit(target)
            if target in stack:
                low[module] = min(low[module], low[target])
        if low[module] == number[module]:
            group = stack[stack.index(module) :]
            del stack[stack.index(module) :]
            if len(group) > 1:
                found.append(sorted(group))

    for module in sorted(graph):
        if module not in number:
            visit(module)
    return found
