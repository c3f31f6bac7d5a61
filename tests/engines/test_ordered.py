"""Rows in order, of which there are more than memory holds: those of a sort of all, and few of them at a time."""

import hypothesis
import pyarrow as pa
import pytest
from hypothesis import strategies

from likewise.jobs.distributed import ordered
from likewise.jobs.distributed.near import ranked
from likewise.jobs.distributed.ordered import in_order

KEYS = (("group", 1), ("score", -1), ("place", 1))
ROWS = strategies.lists(strategies.tuples(strategies.integers(0, 5), strategies.floats(0, 1, width=16)))


def some(rows, first=0):
    group, score = zip(*rows, strict=True) if rows else ((), ())
    places = range(first, first + len(rows))
    columns = [pa.array(group, pa.int64()), pa.array(score, pa.float64()), pa.array(places, pa.int64())]
    return pa.table([*columns, pa.array(map(str, places), pa.string())], ["group", "score", "place", "text"])


@hypothesis.settings(derandomize=True, max_examples=60, deadline=None)
@hypothesis.given(strategies.lists(ROWS, max_size=20), strategies.sampled_from([1, 200, 2000]))
def test_rows_are_those_of_a_sort_of_all(tmp_path_factory, parts, most):
    firsts = [sum(map(len, parts[:place])) for place in range(len(parts))]
    tables = [some(rows, first) for rows, first in zip(parts, firsts, strict=True)]
    found = [row for table in in_order(tables, KEYS, most, tmp_path_factory.getbasetemp()) for row in table.to_pylist()]
    every = [row for table in tables for row in table.to_pylist()]
    assert found == sorted(every, key=lambda row: (row["group"], -row["score"], row["place"]))


@pytest.mark.parametrize("runs", [3, 20, 70])
def test_few_rows_are_held(tmp_path, monkeypatch, runs):
    """However many runs there are, those that are merged at a time hold no more than was sorted at a time."""
    monkeypatch.setattr(ordered, "_TOGETHER", 4)
    tables = [some([((place * 7 + run) % 11, 0.5) for place in range(64)], run * 64) for run in range(runs)]
    most, held, together = tables[0].nbytes, [], ordered._merged

    def counted(runs, keys):
        for table in together(runs, keys):
            held.append(sum(run.rows.nbytes for run in runs if run.rows is not None) + table.nbytes)
            yield table

    monkeypatch.setattr(ordered, "_merged", counted)
    sizes = [len(table) for table in in_order(tables, KEYS, most, tmp_path)]
    assert sum(sizes) == runs * 64
    assert max(held) < 3 * most
    assert max(sizes) < 3 * 64
    assert not list(tmp_path.iterdir())


def test_partners_are_numbered_from_one_table_to_the_next():
    left = [1, 1, 4, 4, 4, 4, 4, 9]
    table = pa.table({"left_position": left, "rank": pa.nulls(len(left), pa.int64())})
    for size in (1, 2, 3, 8):
        parts = [table.slice(first, size) for first in range(0, len(left), size)]
        assert [rank for part in ranked(parts) for rank in part.column("rank").to_pylist()] == [1, 2, 1, 2, 3, 4, 5, 1]
