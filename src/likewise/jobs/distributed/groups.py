"""Make clusters of pairs: components first, then linkage in tasks; clusters are numbered without gaps."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from numpy.typing import NDArray

from likewise.engines import Apart
from likewise.engines.sql import double
from likewise.jobs.distributed.blocks import Block, ranged, ranged_batches
from likewise.jobs.distributed.components import components, components_here
from likewise.jobs.distributed.distinct import KIND, LENGTH, OFTEN, Kinds
from likewise.jobs.distributed.input import ID, Input
from likewise.jobs.distributed.ordered import WAITING, in_order
from likewise.jobs.distributed.part_files import files_of, write_once
from likewise.jobs.distributed.run import Run
from likewise.jobs.distributed.sides import Sides
from likewise.join import Pairs
from likewise.platform import release_memory, resident_memory
from likewise.records.clusters import add_scores, clusters, standing
from likewise.records.columns import shown
from likewise.records.options import COMPLETE
from likewise.storage import atomic_path

FEW = 1_000_000
"""Up to so many pairs, components are found by the driver of a cluster."""
_LINKED = 256  # bytes that a pair takes while its component is linked
_READ = 1 << 16  # pairs that are read at a time
_FOUND = {
    "a": f"left_{KIND}",
    "b": f"right_{KIND}",
    "score": "score",
    "a_often": f"left_{OFTEN}",
    "a_length": f"left_{LENGTH}",
    "b_often": f"right_{OFTEN}",
    "b_length": f"right_{LENGTH}",
}
_LINK = pa.schema(
    [(name, pa.float64() if name == "score" else pa.int64())
     for name in ("root", *_FOUND)]
)  # fmt: skip
"""A pair of distinct records: the least of its component, both, and what is known of them."""
_LABELS = """
SELECT one.position, COALESCE(made.label, one.kind) AS label, COALESCE(made.members, one.often) AS members,
    COALESCE(made.stands, one.kind) AS stood
FROM numbers AS one LEFT JOIN made_groups AS made ON one.kind = made.kind ORDER BY one.position
"""
_NUMBERED = """
SELECT one.position, start.earlier + opened.place AS cluster, one.members, one.stood
FROM labels AS one JOIN opened ON one.label = opened.label JOIN start ON opened.block = start.block
ORDER BY one.position
"""


@dataclass(frozen=True, slots=True)
class GroupTask(Apart):
    """Pairs of some components -> ``groups/*.parquet``: of each kind its group, the size of that, and who stands."""

    folder: Path
    linked: tuple[Path, ...]
    linkage: str

    def shard(self, state: None, shard: tuple[int, int, int]) -> dict[str, Any]:
        """Link the components whose least kinds are in a range."""
        number, first, end = shard
        path = self.folder / f"{number:06d}.parquet"
        write_once(path, lambda: self._groups(lambda: ranged_batches(self.linked, "root", first, end)))
        return {"kinds": pq.read_metadata(path).num_rows}

    def _groups(self, batches: Callable[[], Iterator[pa.RecordBatch]]) -> pa.Table:
        # Of chains no pair needs to be held; whether all pairs of a group are there, only all of them can say.
        nodes, roots, often, lengths = _nodes(batches())
        labels = np.unique(roots, return_inverse=True)[1].astype(np.int64)
        if self.linkage == COMPLETE:
            parts = [_numbered(batch, nodes) for batch in batches()]
            every = (np.concatenate(one) for one in zip(*parts, strict=True)) if parts else (nodes, nodes, often * 1.0)
            labels = clusters(Pairs(*every), len(nodes), self.linkage)
            del parts, every
        sums = often - 1.0
        for batch in batches():
            add_scores(sums, Pairs(*_numbered(batch, nodes)), labels, often)
        stands = nodes[standing(sums, labels, lengths, often)]
        opened = np.unique(labels, return_index=True)[1]
        members = np.bincount(labels, weights=often, minlength=len(opened)).astype(np.int64)
        columns = {"kind": nodes, "label": nodes[opened][labels], "members": members[labels], "stands": stands[labels]}
        return pa.table({name: pa.array(values, pa.int64()) for name, values in columns.items()})


def _nodes(batches: Iterable[pa.RecordBatch]) -> NDArray[np.int64]:
    """Return of each record of some pairs, in four rows, itself, the least of its component, how often, how long."""
    nodes = np.zeros((4, 0), np.int64)
    for batch in batches:
        sides = [[batch.column(name).to_numpy() for name in (side, "root", f"{side}_often", f"{side}_length")]
                 for side in ("a", "b")]  # fmt: skip
        every = np.concatenate([nodes, *map(np.stack, sides)], axis=1)
        nodes = every[:, np.unique(every[0], return_index=True)[1]]
    return nodes


def _numbered(batch: pa.RecordBatch, nodes: NDArray[np.int64]) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Return pairs of nodes by the places of these: ties are broken as they are among all."""
    left, right = (np.searchsorted(nodes, batch.column(side).to_numpy()) for side in ("a", "b"))
    return left, right, batch.column("score").to_numpy()


@dataclass(frozen=True, slots=True)
class OpenTask(Apart):
    """Blocks of records -> ``numbered/*.parquet``: the clusters that begin in the block, counted from 0."""

    folder: Path
    labels: tuple[Path, ...]

    def shard(self, state: None, shard: Block) -> dict[str, Any]:
        """Count the clusters of one block."""
        path = write_once(self.folder / f"{shard.name}.parquet", lambda: self._opened(shard))
        return {"clusters": pq.read_metadata(path).num_rows}

    def _opened(self, block: Block) -> pa.Table:
        labels = ranged(self.labels, "position", block.first, block.end)
        own = labels.column("label").to_numpy()
        opened = own[own == labels.column("position").to_numpy()]
        columns = {"label": opened, "place": np.arange(len(opened)), "block": np.full(len(opened), block.number)}
        return pa.table({name: pa.array(values, pa.int64()) for name, values in columns.items()})


@dataclass(frozen=True, slots=True)
class ClusterTask(Apart):
    """Blocks of records -> ``table/*.parquet`` and ``canonical/*.parquet``, with the columns of one machine."""

    table: Path
    canonical: Path
    sides: Sides
    columns: tuple[str, ...]
    numbered: tuple[Path, ...]

    def shard(self, state: None, shard: Block) -> dict[str, Any]:
        """Write the clusters of the records of one block, and the records that stand for one."""
        path, rest = (folder / f"{shard.name}.parquet" for folder in (self.table, self.canonical))
        if not path.exists():
            numbered = ranged(self.numbered, "position", shard.first, shard.end)
            stands = pc.equal(numbered.column("stood"), numbered.column("position"))
            with atomic_path(rest) as temporary:  # one after the other, as either may hold long texts
                whole = shard.read(self.columns, None, "left", self.sides.types[0]).table
                pq.write_table(whole.filter(stands), temporary)
                del whole
            records = self.sides.read(0, shard)
            table = pa.table(
                {
                    "id": records.ids,
                    "cluster": numbered.column("cluster"),
                    "size": numbered.column("members"),
                    "canonical": stands,
                    "text": shown(self.sides.fields(0, records)),
                }
            )
            with atomic_path(path) as temporary:
                pq.write_table(table, temporary)
        return {"records": len(shard), "bytes": path.stat().st_size + rest.stat().st_size}


def group(run: Run, pairs: Sequence[Path], threshold: float, linkage: str) -> tuple[Path, ...]:
    """Return the files of groups that pairs of distinct records make from a score on."""
    run.engine.load("found", pairs)
    linked = _linked_here(run, pairs, threshold) or _linked(run, pairs, threshold)
    folder, shards = run.place("groups"), _ranges(linked, run.strips, max(1, run.memory // _LINKED))
    run.map(GroupTask(folder, linked, linkage), shards, "groups of components linked")
    return tuple(folder / f"{number:06d}.parquet" for number, _, _ in shards)


def _linked_here(run: Run, pairs: Sequence[Path], threshold: float) -> tuple[Path, ...]:
    """Return the file of pairs in the order of their components, as this process puts them; none if it cannot."""
    path = run.place("linked") / "here.parquet"
    if run.embedded and not path.exists():
        release_memory()
        room = max(run.memory, run.limit - resident_memory())
        found = components_here(lambda: _edges(pairs, threshold), room)
        if found is not None:
            keys = (("root", 1), ("a", 1), ("b", 1))
            tables = in_order(_rooted(_links(pairs, threshold), *found), keys, run.memory // WAITING, path.parent)
            with atomic_path(path) as temporary, pq.ParquetWriter(temporary, _LINK) as writer:
                for table in tables:
                    writer.write_table(table)
    return (path,) if path.exists() else ()


def _linked(run: Run, pairs: Sequence[Path], threshold: float) -> tuple[Path, ...]:
    """Return the files of pairs in the order of their components, as tables of the engine put them."""
    engine = run.engine
    columns = ", ".join(f"{engine.quoted(old)} AS {new}" for new, old in _FOUND.items())
    count = engine.create("matching", f"SELECT {columns} FROM found WHERE score >= {double(threshold)}")
    here = components_here(lambda: _edges(pairs, threshold), run.memory) if count <= FEW else None
    if here is None:
        components(engine, "matching", "component")
    else:
        path = run.folder / "component.parquet"
        with atomic_path(path) as temporary:
            pq.write_table(pa.table(dict(zip(("node", "root"), here, strict=True))), temporary)
        engine.load("component", [path])
    sql = "SELECT root, matching.* FROM matching JOIN component ON a = node ORDER BY root, a, b"
    return tuple(engine.write(sql, run.place("linked")))


def _links(pairs: Sequence[Path], threshold: float, names: Sequence[str] = tuple(_FOUND)) -> Iterator[pa.Table]:
    """Yield pairs from a score on, some at a time, with their columns as links have them."""
    for path in pairs:
        with pq.ParquetFile(path) as file:
            for batch in file.iter_batches(_READ, columns=[_FOUND[name] for name in names]):
                table = pa.table({name: batch.column(_FOUND[name]) for name in names})
                yield table.filter(pc.greater_equal(table.column("score"), threshold))


def _edges(pairs: Sequence[Path], threshold: float) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64]]]:
    """Yield the kinds of both sides of the pairs from a score on, some at a time."""
    for table in _links(pairs, threshold, ("a", "b", "score")):
        yield table.column("a").to_numpy(), table.column("b").to_numpy()


def _rooted(links: Iterable[pa.Table], nodes: NDArray[np.int64], roots: NDArray[np.int64]) -> Iterator[pa.Table]:
    """Yield links with the least record of their component."""
    for table in links:
        root = roots[np.searchsorted(nodes, table.column("a").to_numpy())]
        yield table.add_column(0, "root", pa.array(root, pa.int64())).cast(_LINK)


def number(run: Run, given: Input, kinds: Kinds, groups: Sequence[Path], sides: Sides) -> tuple[int, tuple[Path, ...]]:
    """Write the tables of clusters; return how many clusters there are, and the files of who is in which."""
    engine, blocks = run.engine, run.blocks_of(given.files)
    engine.load("numbers", kinds.numbers)
    engine.load("made_groups", groups)
    labels = tuple(engine.write(_LABELS, run.place("labels")))
    opened = run.place("opened")
    counts = [count["clusters"] for count in run.map(OpenTask(opened, labels), blocks, "blocks numbered")]
    starts = pa.table({"block": np.arange(len(blocks)), "earlier": np.cumsum([0, *counts[:-1]])})
    with atomic_path(run.folder / "start.parquet") as temporary:
        pq.write_table(starts, temporary)
    engine.load("labels", labels)
    engine.load("opened", files_of(opened, blocks))
    engine.load("start", [run.folder / "start.parquet"])
    numbered = tuple(engine.write(_NUMBERED, run.place("numbered")))
    columns = tuple(name for name in given.schema.names if name != ID)
    task = ClusterTask(run.place("table"), run.place("canonical"), sides, columns, numbered)
    run.map(task, blocks, "blocks written")
    return int(sum(counts)), numbered


def _ranges(linked: Sequence[Path], wanted: int, most: int) -> list[tuple[int, int, int]]:
    """Cut components into ranges of their least kinds, of ``most`` pairs or one component, as the footers say."""
    starts: list[tuple[int, int]] = []
    for path in linked:
        with pq.ParquetFile(path) as file:
            column = file.schema_arrow.get_field_index("root")
            groups = [file.metadata.row_group(place) for place in range(file.num_row_groups)]
            starts += [(one.column(column).statistics.min, one.num_rows) for one in groups if one.num_rows]
    starts.sort()
    most = max(1, min(most, -(-sum(rows for _, rows in starts) // wanted)))
    bounds, size = [starts[0][0] if starts else 0], 0
    for begin, rows in starts:
        if size and size + rows > most and begin > bounds[-1]:
            bounds.append(begin)
            size = 0
        size += rows
    bounds.append(np.iinfo(np.int64).max)
    return [(place, *ends) for place, ends in enumerate(pairwise(bounds))]
