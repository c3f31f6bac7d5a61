"""A column without texts, and rows of a column."""

import numpy as np

from likewise.records.columns import Column
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
