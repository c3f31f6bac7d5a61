"""A column without texts, one of long texts, and rows of a column."""

import numpy as np
import pyarrow as pa

from likewise.read.tables import read_table
from likewise.records.columns import Column, field_columns
from likewise.records.comparison import rows_of


def test_a_column_without_texts():
    column = Column.of([None, " ", ""])
    assert (column.codes.tolist(), list(column.texts), column.all_texts()) == ([-1] * 3, [], [])
    assert column.repeats().tolist() == []
    assert rows_of(column, np.array([2, 0])).codes.tolist() == [-1, -1]


def test_rows_of_a_column_are_numbered_anew():
    column = Column.of(["b", None, "a", "b", "c"])
    found = rows_of(column, np.array([4, 3, 1, 0, 4]))
    assert (found.codes.tolist(), list(found.texts)) == ([0, 1, -1, 1, 0], ["c", "b"])


def test_long_texts_are_columns_as_short_ones_are():
    texts = ["a" * 400, None, "b" * 400, "a" * 400]
    records = read_table(pa.table({"one": texts, "two": texts[::-1]}))
    long, short = field_columns(records, ["one"], False)[0], Column.of(texts)
    assert not isinstance(long.texts, list)
    assert long.sample(1) == short.sample(1) == texts
    assert long.sample(2) == texts[::2]
    (joined,) = field_columns(records, ["one", "two"], True)
    assert joined.values()[0] == f"{texts[0]} {texts[3]}"
    assert len(field_columns(records, ["one", "two"], False)) == 2
