"""Pairs of different records of one table, drawn at random."""

import numpy as np
import pytest

from likewise.records import strangers


@pytest.mark.parametrize(("most", "size", "count"), [(15, 6, 15), (14, 6, 14), (12, 6, 12)])
def test_pairs_of_a_table_are_all_or_some_that_are_drawn(monkeypatch, most, size, count):
    monkeypatch.setattr(strangers, "_PAIRS", most)
    a, b = strangers._different(size)
    assert len(a) == count
    assert np.all(a != b)
    assert {*a, *b} <= set(range(size))
    assert count < 15 or len({*zip(a, b, strict=True)}) == 15
