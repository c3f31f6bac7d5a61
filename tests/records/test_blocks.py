"""Which records share a key."""

from types import SimpleNamespace

import numpy as np

from likewise.join import Pairs
from likewise.records.blocks import _both_ways, _select, _shared_keys


def test_blocks_of_keys():
    wanted, mine, theirs = np.array([0, 2, 3, 4]), np.array([1, 9, 1, -1, 0]), np.array([0, 1, 1, -1, 5])
    lefts, left_ptr, rights, right_ptr = _shared_keys(wanted, mine, theirs)
    assert (lefts.tolist(), left_ptr.tolist()) == ([4, 0, 2], [0, 1, 3])
    assert (rights.tolist(), right_ptr.tolist()) == ([0, 1, 2], [0, 1, 3])
    ptr, rows = _select(left_ptr, lefts, np.array([False, True]))
    assert (ptr.tolist(), rows.tolist()) == ([0, 2], [0, 2])
    ptr, rows = _select(left_ptr, lefts, np.array([False, False]))
    assert (ptr.tolist(), rows.tolist()) == ([0], [])
    pairs = Pairs(np.array([0]), np.array([1]), np.array([0.5]))
    assert _both_ways(SimpleNamespace(self_join=False), pairs) is pairs
    both = _both_ways(SimpleNamespace(self_join=True), pairs)
    assert (both.left.tolist(), both.right.tolist(), both.score.tolist()) == ([0, 1], [1, 0], [0.5, 0.5])
