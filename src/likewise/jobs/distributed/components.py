"""Connected components of pairs: in this process, which holds numbers of each record, or by SQL.

By SQL it takes a number of rounds that grows with the logarithm of the longest chain. Large-star and small-star in turn
(Kiveris, Lattanzi, Mirrokni, Rastogi and Vassilvitskii, 2014): every node is hung below the least one of its
neighbourhood, until all hang below the least of their component.
"""

from collections.abc import Callable, Iterable
from itertools import count

import numpy as np
from numpy.typing import NDArray

from likewise import _core
from likewise.engines import Engine

Nodes = NDArray[np.int64]
NODE_BYTES = 40
"""What a number takes while components are found in one process."""

_BEGIN = "SELECT DISTINCT GREATEST(a, b) AS a, LEAST(a, b) AS b FROM {edges} WHERE a <> b"
_LARGE = """
WITH ways AS (SELECT a, b FROM {edges} UNION ALL SELECT b AS a, a AS b FROM {edges}),
     lowest AS (SELECT a AS node, LEAST(MIN(b), a) AS low FROM ways GROUP BY a)
SELECT DISTINCT ways.b AS a, lowest.low AS b FROM ways JOIN lowest ON ways.a = lowest.node WHERE ways.b > ways.a
"""
_SMALL = """
WITH lowest AS (SELECT a AS node, MIN(b) AS low FROM {edges} GROUP BY a)
SELECT one.b AS a, lowest.low AS b FROM {edges} AS one JOIN lowest ON one.a = lowest.node WHERE one.b <> lowest.low
UNION SELECT node AS a, low AS b FROM lowest
"""
_ENDED = "SELECT a AS node, b AS root FROM {edges} UNION SELECT b AS node, b AS root FROM {edges}"


def components(engine: Engine, edges: str, name: str) -> int:
    """Make a table of ``node`` and ``root``, the least node of its component, from pairs ``a``, ``b``.

    Return how many rounds it took. Numbers alone are moved, never texts.

    >>> import pathlib, tempfile
    >>> from likewise.engines.duckdb import DuckDB
    >>> engine = DuckDB(256 << 20, 1, pathlib.Path(tempfile.mkdtemp()))
    >>> _ = engine.create("chain", "SELECT range AS a, range + 1 AS b FROM range(9)")
    >>> _ = components(engine, "chain", "found")
    >>> engine.fetch("SELECT COUNT(*) AS nodes, MAX(root) AS root FROM found").to_pylist()
    [{'nodes': 10, 'root': 0}]
    >>> engine.close()
    """
    rows = engine.create("star_0", _BEGIN.format(edges=edges))
    for turn in count(1):
        before, now = f"star_{turn - 1}", f"star_{turn}"
        engine.create("large_star", _LARGE.format(edges=before))
        made = engine.create(now, _SMALL.format(edges="large_star"))
        changed = made != rows or engine.create("changed", f"SELECT a, b FROM {now} EXCEPT SELECT a, b FROM {before}")
        for old in (before, "large_star", "changed"):
            engine.drop(old)
        rows = made
        if not changed:
            engine.create(name, _ENDED.format(edges=now))
            engine.drop(now)
            return turn
    raise AssertionError("the stars never settle")


def components_here(edges: Callable[[], Iterable[tuple[Nodes, Nodes]]], memory: int) -> tuple[Nodes, Nodes] | None:
    """Return the nodes of pairs and the least node of the component of each; ``None`` if they do not fit the memory.

    ``edges`` gives both sides of the pairs, some at a time, and is asked twice. Pairs are not held; what is, is as long
    as the highest number of a node.

    >>> edges = [(np.array([7, 3]), np.array([5, 4])), (np.array([5]), np.array([9]))]
    >>> nodes, roots = components_here(lambda: edges, 999)
    >>> nodes.tolist(), roots.tolist()
    ([3, 4, 5, 7, 9], [3, 3, 5, 5, 5])
    """
    size = 1 + max((int(side.max()) for sides in edges() for side in sides if len(side)), default=-1)
    if size * NODE_BYTES > memory:
        return None
    roots, seen = np.arange(size), np.zeros(size, bool)
    for sides in edges():
        left, right = (roots[side] for side in sides)
        roots = _core.components(size, np.minimum(left, right), np.maximum(left, right))[roots]
        for side in sides:
            seen[side] = True
    nodes = np.flatnonzero(seen)
    return nodes, roots[nodes]
