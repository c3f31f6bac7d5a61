"""Ranks and greedy choice among rivals against their plain definitions."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from likewise import _core

pairs = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4), st.sampled_from([-1.0, 0.0, 0.5, 2.0])), max_size=30)


@given(pairs, st.integers(1, 4))
def test_ranks(rows, count):
    record, strength = np.array([a for a, _, _ in rows], np.int64), np.array([s for _, _, s in rows], float)
    found = _core.ranks(record, strength, 5, count)
    for place in range(len(rows)):
        before = [
            other
            for other in np.flatnonzero(record == record[place])
            if (-strength[other], other) < (-strength[place], place)
        ]
        assert found[place] == min(count, len(before))


@given(pairs)
def test_take_once(rows):
    left, right = (np.array([row[side] for row in rows], np.int64) for side in (0, 1))
    order = np.argsort([-row[2] for row in rows], kind="stable") if rows else np.zeros(0, np.int64)
    seen, expected = set(), np.zeros(len(rows), bool)
    for place in order.tolist():
        mine = {("left", left[place]), ("right", right[place])}
        if not mine & seen:
            seen |= mine
            expected[place] = True
    assert (_core.take_once(order, left, right, 5, 5) == expected).all()
