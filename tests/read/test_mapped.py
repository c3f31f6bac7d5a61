"""Large tables are mapped: they are what they would be in memory, and hold no memory of their own."""

import gc
import weakref

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from likewise.read import mapped, parquet
from likewise.read.tables import read_table


@pytest.fixture
def path(tmp_path):
    table = pa.table({"id": range(5000), "text": [None if row % 7 == 0 else f"text {row} " * 9 for row in range(5000)]})
    pq.write_table(table, tmp_path / "texts.parquet", row_group_size=1700)
    return tmp_path / "texts.parquet"


def test_a_mapped_table_is_the_one_in_memory(path, monkeypatch):
    wanted = read_table(path).table
    monkeypatch.setattr(parquet, "LARGE", 1)
    monkeypatch.setattr(parquet, "_BATCH", 10_000)
    before = pa.total_allocated_bytes()
    found = read_table(path).table
    assert found.equals(wanted)
    assert found.column("text").num_chunks > 3  # no row group was held whole
    assert pa.total_allocated_bytes() - before < found.nbytes / 10
    mapped.let_go()
    assert found.equals(wanted)


def test_some_rows_of_a_mapped_table(path, monkeypatch):
    table = read_table(path).table
    rows = np.array([0, 3, 1699, 1700, 4999])
    wanted = table.take(pa.array(rows))
    monkeypatch.setattr(mapped, "LARGE", 1)
    assert mapped.rows_of(table, rows).equals(wanted)
    assert mapped.rows_of(table, rows[:0]).num_rows == 0


def test_the_file_goes_with_the_table(path, monkeypatch, tmp_path):
    monkeypatch.setattr(parquet, "LARGE", 1)
    place = tmp_path / "temporary"
    place.mkdir()
    monkeypatch.setattr(mapped.tempfile, "tempdir", str(place))
    table = read_table(path).table
    assert list(place.iterdir()) == []
    [held] = [weakref.ref(one) for one in mapped._MAPS]
    del table
    gc.collect()
    assert held() is None


def test_without_room_on_disk_a_table_is_held(path, monkeypatch):
    monkeypatch.setattr(parquet, "LARGE", 1)
    monkeypatch.setattr(parquet, "has_room", lambda size: False)
    assert read_table(path).table.num_rows == 5000
    assert not len(mapped._MAPS)
