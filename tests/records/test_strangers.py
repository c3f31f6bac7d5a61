"""Pairs of different records of one table, drawn at random."""

import numpy as np
import pytest
from tests.records.test_decision import people

import likewise as lw
from likewise.records import learning, strangers


@pytest.mark.parametrize(("most", "size", "count"), [(15, 6, 15), (14, 6, 14), (12, 6, 12)])
def test_pairs_of_a_table_are_all_or_some_that_are_drawn(monkeypatch, most, size, count):
    monkeypatch.setattr(strangers, "_PAIRS", most)
    a, b = strangers._different(size)
    assert len(a) == count
    assert np.all(a != b)
    assert {*a, *b} <= set(range(size))
    assert count < 15 or len({*zip(a, b, strict=True)}) == 15


@pytest.mark.parametrize(("count", "seed"), [(60, 27), (60, 51), (90, 37), (150, 21)])
def test_as_alike_as_records_of_one_table_is_no_match(monkeypatch, count, seed):
    # Halves of few records agree that some have a partner, and nobody has.
    tables = people(count, seed), people(count, seed + 1)
    assert len(lw.match(*tables)) == 0
    checked = learning.checked
    monkeypatch.setattr(learning, "checked", lambda *given: checked(*given[:5]))
    assert len(lw.match(*tables)) > 0  # without that
