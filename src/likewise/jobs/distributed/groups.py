"""Clusters from pairs: components first, linkage in tasks, and dense numbers from the counts of blocks."""

from collections.abc import Iterator, Sequence
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
from likewise.jobs.distributed.blocks import Block, ranged
from likewise.jobs.distributed.components import components, components_here
from likewise.jobs.distributed.distinct import KIND, LENGTH, OFTEN, Kinds
from likewise.jobs.distributed.input import ID, Input
from likewise.jobs.distributed.run import Run
from likewise.jobs.distributed.sides import Sides
from likewise.join import Pairs
from likewise.records.clusters import canonical, clusters
from likewise.records.columns import shown
from likewise.storage import atomic_path

FEW = 1_000_000
"""Up to so many pairs, components are found by the driver of a cluster."""
_TOGETHER = 1 << 20  # pairs that DuckDB puts in order at a time: it fails where many need more than its memory
_SORTED = 16  # texts that are sorted at a time take so small a part of the memory
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
                pq.write_table(self._groups(ranged(self.linked, "root", first, end)), temporary)
        return {"kinds": pq.read_metadata(path).num_rows}

    def _groups(self, linked: pa.Table) -> pa.Table:
        sides = [linked.column(name).to_numpy() for name in ("a", "b")]
        nodes, first = np.unique(np.concatenate(sides), return_index=True)
        # Kinds are numbered anew in their order, so that ties are broken as they are among all.
        left, right = (np.searchsorted(nodes, side) for side in sides)
        pairs = Pairs(left, right, linked.column("score").to_numpy())
        often, lengths = (
            np.concatenate([linked.column(f"{side}_{name}").to_numpy() for side in ("a", "b")])[first]
            for name in ("often", "length")
        )
        labels = clusters(pairs, len(nodes), self.linkage)
        stands = nodes[canonical(pairs, labels, lengths, often)]
        opened = np.unique(labels, return_index=True)[1]
        members = np.bincount(labels, weights=often, minlength=len(opened)).astype(np.int64)
        columns = {"kind": nodes, "label": nodes[opened][labels], "members": members[labels], "stands": stands[labels]}
        return pa.table({name: pa.array(values, pa.int64()) for name, values in columns.items()})


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
    engine, quoted = run.engine, run.engine.quoted
    engine.load("found", pairs)
    names = {f"{side}_{word}": quoted(f"{old}_{name}") for side, old in (("a", "left"), ("b", "right"))
             for word, name in (("kind", KIND), ("often", OFTEN), ("length", LENGTH))}  # fmt: skip
    chosen = ", ".join(f"{old} AS {new}" for new, old in names.items() if not new.endswith("kind"))
    pairs_kept = engine.create(
        "matching",
        f"SELECT {names['a_kind']} AS a, {names['b_kind']} AS b, score, {chosen} FROM found "
        f"WHERE score >= {double(threshold)}",
    )
    here = None
    if run.embedded or pairs_kept <= FEW:
        here = components_here(lambda: _edges(pairs, threshold), run.memory)
    if here is None:
        components(engine, "matching", "component")
    else:
        path = run.folder / "component.parquet"
        with atomic_path(path) as temporary:
            pq.write_table(pa.table(dict(zip(("node", "root"), here, strict=True))), temporary)
        engine.load("component", [path])
    linked = _linked(run, run.settled("linked", -(-pairs_kept // _TOGETHER) if run.embedded else 1))
    folder, shards = run.place("groups"), _ranges(linked, run.strips)
    run.map(GroupTask(folder, linked, linkage), shards, "groups of components linked")
    return tuple(folder / f"{number:06d}.parquet" for number, _, _ in shards)


def _linked(run: Run, parts: int) -> tuple[Path, ...]:
    """Return the files of pairs in the order of their components: so many at a time as memory sorts."""
    [most] = run.engine.fetch("SELECT COALESCE(MAX(root), 0) AS most FROM component").column("most").to_pylist()
    bounds = np.linspace(0, most + 1, max(1, parts) + 1).astype(np.int64).tolist()
    return tuple(
        path
        for number, (first, end) in enumerate(pairwise(bounds))
        for path in run.engine.write(
            "SELECT root, matching.* FROM matching JOIN component ON a = node "
            f"WHERE root >= {first} AND root < {end} ORDER BY root, a, b",
            run.place(f"linked/{number:06d}"),
        )
    )


def _edges(pairs: Sequence[Path], threshold: float) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64]]]:
    """Yield the kinds of both sides of the pairs from a score on, some at a time."""
    names = [f"left_{KIND}", f"right_{KIND}", "score"]
    for path in pairs:
        with pq.ParquetFile(path) as file:
            for batch in file.iter_batches(1 << 20, columns=names):
                left, right, score = (batch.column(name).to_numpy() for name in names)
                kept = score >= threshold
                yield left[kept], right[kept]


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


def judge(run: Run, threshold: float, margin: float, texts: bool = True) -> tuple[list[Path], list[Path]]:
    """Return the files of the pairs that made the groups, and of the doubtful ones, the closest first.

    Without ``texts`` they have the positions of the records.
    """
    quoted, least = run.engine.quoted, double(threshold)
    made = f"SELECT * FROM found WHERE score >= {least}"
    names: tuple[str, ...] = ("left", "right", "score")
    pairs = in_order(run, "judged", made, names, "left_position", "score DESC, right_position", texts)
    left, right = quoted(f"left_{KIND}"), quoted(f"right_{KIND}")
    doubtful = (
        f"SELECT * FROM (SELECT found.*, ABS(score - {least}) AS distance, "
        f"COALESCE(a.label, found.{left}) = COALESCE(b.label, found.{right}) AS same FROM found "
        f"LEFT JOIN made_groups AS a ON found.{left} = a.kind LEFT JOIN made_groups AS b ON found.{right} = b.kind"
        f") AS judged WHERE distance <= {double(margin)} OR (score >= {least}) <> same"
    )
    names = (*names, "same")
    return pairs, in_order(run, "review", doubtful, names, "distance", "left_position, right_position", texts)


def in_order(
    run: Run, name: str, sql: str, names: Sequence[str], key: str, then: str, texts: bool = True
) -> list[Path]:
    """Write pairs with their texts, in the order of a number, and ``then``: as many at a time as memory sorts.

    DuckDB spills what it sorts, but fails where long texts are many times its memory; Spark cuts by itself.
    """
    engine = run.engine
    told = ("left_text", "right_text") if texts else ("left_position", "right_position")
    columns = ", ".join(map(engine.quoted, (*names, *told)))
    ends: list[float] = []
    if run.embedded and texts:
        length = "SUM(COALESCE(LENGTH(left_text), 0) + COALESCE(LENGTH(right_text), 0))"
        sizes = engine.fetch(
            f"SELECT {key}, CAST({length} AS DOUBLE) AS size FROM ({sql}) AS pairs GROUP BY {key} ORDER BY {key}"
        )
        lasts = _last_of_each(sizes.column("size").to_pylist(), run.memory / _SORTED)
        ends = [sizes.column(key)[place].as_py() for place in lasts[:-1]]
    after = [f"{key} > {double(end)}" for end in ends]
    until = [f"{key} <= {double(end)}" for end in ends]
    ranges = zip(["TRUE", *after], [*until, "TRUE"], strict=True)
    return [
        path
        for number, (low, high) in enumerate(ranges)
        for path in engine.write(
            f"SELECT {columns} FROM ({sql}) AS pairs WHERE {low} AND {high} ORDER BY {key}, {then}",
            run.place(f"{name}/{number:06d}"),
        )
    ]


def _last_of_each(sizes: Sequence[float], most: float) -> list[int]:
    """Return the last place of each run of sizes that together are ``most`` at most, or a single one.

    >>> _last_of_each([3, 1, 2, 9, 1], 5)
    [1, 2, 3, 4]
    """
    lasts, together = [], 0.0
    for place, size in enumerate(sizes):
        if place and together + size > most:
            lasts.append(place - 1)
            together = 0.0
        together += size
    return [*lasts, len(sizes) - 1]


def double(value: float) -> str:
    """Return a number as SQL that gives it back to the last bit."""
    return f"CAST('{value!r}' AS DOUBLE)"


def _ranges(linked: Sequence[Path], wanted: int) -> list[tuple[int, int, int]]:
    """Cut components into ranges of their least kinds, by what the footers of the files say of them."""
    starts: set[int] = set()
    for path in linked:
        with pq.ParquetFile(path) as file:
            column = file.schema_arrow.get_field_index("root")
            for place in range(file.num_row_groups):
                group = file.metadata.row_group(place)
                if group.num_rows:
                    starts.add(group.column(column).statistics.min)
    ordered = sorted(starts) or [0]
    step = max(1, -(-len(ordered) // wanted))
    bounds = [*ordered[::step], np.iinfo(np.int64).max]
    return [(place, bounds[place], bounds[place + 1]) for place in range(len(bounds) - 1)]
