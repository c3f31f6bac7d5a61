"""From distinct texts to the records that have them, and equal records."""

import numpy as np
from tests.records.made import NOBODY

from likewise.join import Pairs
from likewise.records.columns import Column
from likewise.records.distinct import above_of_texts, same_texts, top_of_texts, with_equals, with_itself


def test_from_texts_to_records():
    column = Column.of(["b", "a", None, "b", "a", "c"])
    other = Column.of(["a", "b", "b", "x"])
    pairs = Pairs(np.array([0, 1]), np.array([1, 0]), np.array([0.5, 0.75]))  # b-b, a-a
    found = above_of_texts(pairs, column, other)
    assert sorted(zip(found.left.tolist(), found.right.tolist(), found.score.tolist(), strict=True)) == [
        (0, 1, 0.5), (0, 2, 0.5), (1, 0, 0.75), (3, 1, 0.5), (3, 2, 0.5), (4, 0, 0.75),
    ]  # fmt: skip
    best = top_of_texts(pairs, column, other, 1, np.array([0, 1, 5]), False)
    assert list(zip(best.left.tolist(), best.right.tolist(), strict=True)) == [(0, 1), (1, 0)]
    assert same_texts(column, other).tolist() == [1, 0, -1]


def test_equal_records_are_partners():
    column = Column.of(["b", "a", None, "b", "b", "c"])
    none = Pairs(NOBODY, NOBODY, np.zeros(0))
    own = lambda texts: np.array([[0.5, 0.0, 0.9][text] for text in texts])  # noqa: E731
    found = with_equals(none, column, own, 0.5)
    assert list(zip(found.left.tolist(), found.right.tolist(), strict=True)) == [(0, 3), (0, 4), (3, 4)]
    assert len(with_equals(none, column, own, 0.51)) == 0
    itself = with_itself(none, column, own, 0.0)
    assert (itself.left.tolist(), itself.right.tolist(), itself.score.tolist()) == ([0], [0], [0.5])
    assert len(with_itself(none, column, lambda texts: np.zeros(len(texts)), 0.0)) == 0
