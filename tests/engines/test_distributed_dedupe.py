"""Clusters made block by block are those of one machine, row for row."""

import random

import hypothesis
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import strategies
from tests.engines.test_distributed import LEFT, RECORDS

import likewise as lw
from likewise import _core
from likewise.engines.duckdb import DuckDB
from likewise.errors import OptionError
from likewise.jobs.distributed import blocks, groups, job, on_demand, ordered, review, run
from likewise.jobs.distributed.components import NODE_BYTES, components, components_here
from likewise.records import threshold

CASES = {
    "texts, threshold suggested": (LEFT, None, {}),
    "texts": (LEFT, None, {"min_score": 0.5}),
    "chains": (LEFT, None, {"min_score": 0.35, "linkage": "components", "margin": 0.2}),
    "no review": (LEFT, None, {"min_score": 0.6, "margin": 0}),
    "fields": (RECORDS, None, {"on": {"name": 2, "city": 1}, "min_score": 0.5}),
    "columns as one text": (RECORDS, None, {"min_score": 0.5}),
    "equal city": (RECORDS + RECORDS[::-1], None, {"on": "name", "equal_on": "city", "min_score": 0.4}),
    "a direction": (LEFT, lw.Spectra(coefficient="coverage"), {"min_score": 0.6}),
    "words": (LEFT + LEFT[:50], lw.TfIdf(), {"min_score": 0.5}),
    "percent": (LEFT, None, {"min_score": 70}),
    "nothing alike": (["one", "two", "", None, "three"], None, {"min_score": 0.9}),
    "no rows": (pa.table({"name": pa.array([], pa.string())}), None, {"min_score": 0.5}),
}


def on_engine(monkeypatch, table, block=60, strips=2, **named):
    monkeypatch.setattr(run, "BLOCK", block)
    monkeypatch.setattr(run, "LARGEST", block)
    monkeypatch.setattr(job, "_STRIPS", strips)
    return lw.dedupe(table, engine="duckdb", threads=2, **named)


def tables(result):
    return [table.to_pylist() for table in (result.table, result.canonical, result.pairs, result.review)]


@pytest.mark.parametrize("case", CASES)
def test_an_engine_gives_the_clusters_of_one_machine(case, monkeypatch):
    table, measure, named = CASES[case]
    found = on_engine(monkeypatch, table, measure=measure, **named)
    here = lw.dedupe(table, measure=measure, **named)
    assert tables(found) == tables(here)
    assert found.table.equals(here.table)
    assert len(found) == len(here)
    assert found.notes == here.notes
    assert found.threshold.to_json() == here.threshold.to_json()
    assert str(found.measure) == str(here.measure)


@pytest.mark.parametrize("linkage", ["complete", "components"])
def test_pairs_put_in_order_a_few_at_a_time_are_those_of_one_machine(monkeypatch, linkage):
    sizes, in_order = [], ordered.in_order

    def seen(tables, keys, most, folder):
        for table in in_order(tables, keys, most, folder):
            sizes.append(len(table))
            yield table

    for module in (groups, ordered):
        monkeypatch.setattr(module, "in_order", seen)
        monkeypatch.setattr(module, "WAITING", 1 << 17)  # 4 kB of 2 GB
    monkeypatch.setattr(groups, "_READ", 20)
    monkeypatch.setattr(ordered, "_READ", 10)
    monkeypatch.setattr(review, "_READ", 10)
    named = {"min_score": 0.35, "linkage": linkage, "margin": 0.2}
    found = on_engine(monkeypatch, LEFT, **named)
    here = lw.dedupe(LEFT, **named)
    assert tables(found) == tables(here)
    assert sum(sizes) == len(here.pairs) + len(here.review)
    assert max(sizes) < 150


def test_components_are_linked_a_few_at_a_time(monkeypatch, tmp_path):
    """A task holds the pairs of so many as its memory holds, or of one."""
    monkeypatch.setattr(groups, "WAITING", 1 << 20)
    monkeypatch.setattr(groups, "_READ", 5)
    monkeypatch.setattr(groups, "_LINKED", 1 << 26)  # 8 pairs of 2 GB
    asked = []
    monkeypatch.setattr(
        groups, "ranged_batches", lambda *given: asked.append(given[2:]) or blocks.ranged_batches(*given)
    )
    found = on_engine(monkeypatch, LEFT, min_score=0.5, work=str(tmp_path))
    assert tables(found) == tables(lw.dedupe(LEFT, min_score=0.5))
    roots = pq.read_table(tmp_path / "linked").column("root").to_numpy()
    held = [np.sum((roots >= first) & (roots < end)) for first, end in set(asked)]
    assert sum(held) == len(roots)
    largest = np.bincount(roots).max()
    assert len(held) > 6
    assert max(held) <= 8 + largest + 8  # a group of rows more


def test_merged_records_are_made_some_clusters_at_a_time(monkeypatch):
    """Whoever merges holds the members of as many clusters as its memory holds, and reads parts of what was spread."""
    monkeypatch.setattr(on_demand, "_RECORD", 1 << 24)  # 32 records of 2 GB
    monkeypatch.setattr(on_demand, "_SPREAD", 1 << 26)
    held = []

    def counted(files, column, first, end):
        table = blocks.ranged(files, column, first, end)
        held.extend([(first, end, len(table))] if column == "stood" else [])
        return table

    monkeypatch.setattr(on_demand, "ranged", counted)
    table = LEFT + LEFT[::3]
    found = on_engine(monkeypatch, table, 10, min_score=0.5, linkage="components")
    assert found.merged.to_pylist() == lw.dedupe(table, min_score=0.5, linkage="components").merged.to_pylist()
    held.sort()
    assert [first for first, _, _ in held[1:]] == [end for _, end, _ in held[:-1]]
    assert (held[0][0], held[-1][1]) == (0, len(table))
    assert len(held) > 4
    assert all(rows <= 32 for first, end, rows in held if end - first > 10)
    assert sum(rows for _, _, rows in held) == sum(size > 1 for size in found.table.column("size").to_pylist())


def test_the_threshold_of_a_sample_is_that_of_one_machine(monkeypatch):
    monkeypatch.setattr(threshold, "_SAMPLE", 40)
    found, here = on_engine(monkeypatch, LEFT), lw.dedupe(LEFT)
    assert found.threshold.to_json() == here.threshold.to_json()
    assert tables(found) == tables(here)


def test_components_by_sql_are_those_of_one_process(monkeypatch):
    monkeypatch.setattr(groups, "components_here", lambda edges, memory: None)
    named = {"min_score": 0.35, "linkage": "components"}
    assert tables(on_engine(monkeypatch, LEFT, **named)) == tables(lw.dedupe(LEFT, **named))


@pytest.mark.parametrize("block", [7, 1000])
def test_the_size_of_blocks_changes_nothing(block, monkeypatch):
    assert tables(on_engine(monkeypatch, LEFT[:40], block, min_score=0.4)) == tables(
        lw.dedupe(LEFT[:40], min_score=0.4)
    )


def test_a_stopped_run_goes_on_and_gives_the_same(monkeypatch, tmp_path):
    """Also where there are more places and less memory than before: what is there was cut for others."""
    first = tables(on_engine(monkeypatch, LEFT, min_score=0.5, work=str(tmp_path / "w")))
    for name in ("table/000001.parquet", "groups/000000.parquet", "pairs/000002.parquet", "labels/_SUCCESS"):
        (tmp_path / "w" / name).unlink()
    assert tables(on_engine(monkeypatch, LEFT, 25, strips=9, min_score=0.5, work=str(tmp_path / "w"))) == first


def test_what_labels_teach_is_learnt_as_on_one_machine(monkeypatch):
    labels = [(0, 1, False), (2, 3, False), (4, len(RECORDS) + 4, True)]
    assert tables(on_engine(monkeypatch, RECORDS * 2, labels=labels)) == tables(lw.dedupe(RECORDS * 2, labels=labels))


def test_what_one_process_must_clean_is_refused_where_it_does_not_fit(monkeypatch):
    with pytest.raises(OptionError, match=r"takes one process about \d GB, memory is 512MB: .* name a min_score"):
        on_engine(monkeypatch, RECORDS * 200, clean=str.lower, memory="512MB")


@hypothesis.settings(derandomize=True, max_examples=15, deadline=None)
@hypothesis.given(strategies.lists(strategies.tuples(strategies.integers(0, 25), strategies.integers(0, 25))))
def test_components_are_those_of_the_core(tmp_path_factory, edges):
    engine = DuckDB(256 << 20, 1, tmp_path_factory.mktemp("components"))
    try:
        values = ", ".join(f"({a}, {b})" for a, b in [(0, 0), *edges])
        engine.create("edges", f"SELECT col0 AS a, col1 AS b FROM (VALUES {values}) AS pairs")
        components(engine, "edges", "found")
        found = {row["node"]: row["root"] for row in engine.fetch("SELECT node, root FROM found").to_pylist()}
    finally:
        engine.close()
    left, right = (np.array([edge[side] for edge in edges], np.int64) for side in (0, 1))
    first = _core.components(26, left, right).tolist()
    assert all(found.get(node, node) == root for node, root in enumerate(first))
    parts = [(left[at : at + 3], right[at : at + 3]) for at in range(0, len(left), 3)]
    nodes, roots = components_here(lambda: parts, 26 * NODE_BYTES)
    assert nodes.tolist() == sorted({*left.tolist(), *right.tolist()})
    assert roots.tolist() == [first[node] for node in nodes]
    assert len(nodes) == 0 or components_here(lambda: parts, (nodes[-1] + 1) * NODE_BYTES - 1) is None


def test_a_long_chain_takes_few_rounds(tmp_path):
    engine = DuckDB(256 << 20, 1, tmp_path)
    order = random.Random(5).sample(range(2000), 2000)
    pq.write_table(pa.table({"a": order[:-1], "b": order[1:]}), tmp_path / "edges.parquet")
    try:
        engine.load("edges", [tmp_path / "edges.parquet"])
        assert components(engine, "edges", "found") <= 12
        assert engine.fetch("SELECT COUNT(*) AS n, MAX(root) AS r FROM found").to_pylist() == [{"n": 2000, "r": 0}]
    finally:
        engine.close()
