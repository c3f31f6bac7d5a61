"""Clusters from pairs: components first, linkage in tasks, and dense numbers from the counts of blocks."""

import shutil
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
from likewise.jobs.distributed.blocks import Block, ranged, ranged_batches
from likewise.jobs.distributed.components import components, components_here
from likewise.jobs.distributed.distinct import KIND, LENGTH, OFTEN, Kinds
from likewise.jobs.distributed.input import ID, Input
from likewise.jobs.distributed.ordered import Key, in_order
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
_SORTED = 16  # rows that wait until they are sorted take so small a part of the memory
_LINKED = 256  # bytes that a pair takes while its component is linked
_NUMBERS, _TEXTS = 1 << 16, 1 << 12  # pairs that are read at a time, the latter perhaps with long texts
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
        if not path.exists():
            with atomic_path(path) as temporary:
                pq.write_table(self._groups(lambda: ranged_batches(self.linked, "root", first, end)), temporary)
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
        path = self.folder / f"{shard.name}.parquet"
        if not path.exists():
            labels = ranged(self.labels, "position", shard.first, shard.end)
            own = labels.column("label").to_numpy()
            opened = own[own == labels.column("position").to_numpy()]
            columns = {"label": opened, "place": np.arange(len(opened)), "block": np.full(len(opened), shard.number)}
            with atomic_path(path) as temporary:
                pq.write_table(
                    pa.table({name: pa.array(values, pa.int64()) for name, values in columns.items()}), temporary
                )
        return {"clusters": pq.read_metadata(path).num_rows}


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
            records = self.sides.read(0, shard)
            numbered = ranged(self.numbered, "position", shard.first, shard.end)
            stands = pc.equal(numbered.column("stood"), numbered.column("position"))
            whole = shard.read(self.columns, None, records.name, self.sides.types[0]).table
            with atomic_path(rest) as temporary:
                pq.write_table(whole.filter(stands), temporary)
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
            tables = in_order(_rooted(_links(pairs, threshold), *found), keys, run.memory // _SORTED, path.parent)
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
            for batch in file.iter_batches(_NUMBERS, columns=[_FOUND[name] for name in names]):
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
    engine.load("opened", [opened / f"{block.name}.parquet" for block in blocks])
    engine.load("start", [run.folder / "start.parquet"])
    numbered = tuple(engine.write(_NUMBERED, run.place("numbered")))
    columns = tuple(name for name in given.schema.names if name != ID)
    task = ClusterTask(run.place("table"), run.place("canonical"), sides, columns, numbered)
    run.map(task, blocks, "blocks written")
    return int(sum(counts)), numbered


def judge(
    run: Run, pairs: Sequence[Path], threshold: float, margin: float, texts: bool = True
) -> tuple[list[Path], list[Path]]:
    """Return the files of the pairs that made the groups, and of the doubtful ones, the closest first.

    Without ``texts`` they have the positions of the records.
    """
    quoted, least, told = run.engine.quoted, double(threshold), _told(texts)
    folder = run.place("judged")
    run.map(JudgeTask(folder, threshold, ("left", "right", "score", *told)), list(enumerate(pairs)), "strips judged")
    left, right = quoted(f"left_{KIND}"), quoted(f"right_{KIND}")
    doubtful = (
        f"SELECT * FROM (SELECT found.*, ABS(score - {least}) AS distance, "
        f"COALESCE(a.label, found.{left}) = COALESCE(b.label, found.{right}) AS same FROM found "
        f"LEFT JOIN made_groups AS a ON found.{left} = a.kind LEFT JOIN made_groups AS b ON found.{right} = b.kind"
        f") AS judged WHERE distance <= {double(margin)} OR (score >= {least}) <> same"
    )
    names = ("left", "right", "score", "same", *told)
    keys = (("distance", 1), ("left_position", 1), ("right_position", 1))
    return [folder / f"{number:06d}.parquet" for number in range(len(pairs))], written(
        run, "review", doubtful, names, keys
    )


def _told(texts: bool) -> tuple[str, str]:
    return ("left_text", "right_text") if texts else ("left_position", "right_position")


def written(run: Run, name: str, sql: str, names: Sequence[str], keys: Sequence[Key]) -> list[Path]:
    """Write rows in the order of numbers. DuckDB fails to sort what is many times its memory; Spark cuts by itself."""
    engine, columns = run.engine, ", ".join(map(run.engine.quoted, names))
    if not run.embedded:
        order = ", ".join(f"{key} {'ASC' if sign > 0 else 'DESC'}" for key, sign in keys)
        return engine.write(f"SELECT {columns} FROM ({sql}) AS pairs ORDER BY {order}", run.place(name))
    path = run.place(name) / "here.parquet"
    if not path.exists():
        more = ", ".join(key for key, _ in keys if key not in names)
        files = engine.write(
            f"SELECT {columns}{', ' if more else ''}{more} FROM ({sql}) AS pairs", run.place(f"unordered/{name}")
        )
        tables = in_order(_read(files), keys, run.memory // _SORTED, path.parent)
        with atomic_path(path) as temporary, pq.ParquetWriter(temporary, pq.read_schema(files[0])) as writer:
            for table in tables:
                writer.write_table(table)
        shutil.rmtree(files[0].parent)
    return [path]


def _read(files: Sequence[Path]) -> Iterator[pa.Table]:
    for path in files:
        with pq.ParquetFile(path) as file:
            for batch in file.iter_batches(_TEXTS):
                yield pa.Table.from_batches([batch])


@dataclass(frozen=True, slots=True)
class JudgeTask(Apart):
    """Files of pairs -> ``judged/*.parquet``: those from a score on, in the order in which they come."""

    folder: Path
    least: float
    columns: tuple[str, ...]

    def shard(self, state: None, shard: tuple[int, Path]) -> dict[str, Any]:
        """Take over the pairs of one file."""
        number, found = shard
        path = self.folder / f"{number:06d}.parquet"
        if not path.exists():
            with pq.ParquetFile(found) as file, atomic_path(path) as temporary:
                schema = pa.schema([file.schema_arrow.field(name) for name in self.columns])
                with pq.ParquetWriter(temporary, schema) as writer:
                    for batch in file.iter_batches(_TEXTS, columns=list(self.columns)):
                        table = pa.Table.from_batches([batch]).select(self.columns)
                        writer.write_table(table.filter(pc.greater_equal(table.column("score"), self.least)))
        return {"pairs": pq.read_metadata(path).num_rows, "bytes": path.stat().st_size}


def double(value: float) -> str:
    """Return a number as SQL that gives it back to the last bit."""
    return f"CAST('{value!r}' AS DOUBLE)"


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
