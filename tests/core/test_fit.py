"""Least points and rising values against their plain definitions; weights of q-grams that are told late."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from likewise import _core


@pytest.mark.parametrize("seed", range(6))
def test_least_is_where_no_step_that_is_allowed_goes_down(seed):
    random = np.random.default_rng(seed)
    rows, goal = random.normal(size=(9, 4)), 3 * random.normal(size=4)
    curve = rows.T @ rows + 0.1 * np.eye(4)
    found = _core.least(curve.ravel(), goal, np.zeros(4), 10_000)
    slope = curve @ found - goal
    assert (found[:-1] >= 0).all()
    assert np.abs(np.where((found > 0) | (np.arange(4) == 3), slope, 0)).max() < 1e-6
    assert slope.min() > -1e-6


def test_least_stops_after_its_rounds():
    curve, goal = np.array([2.0, 1.0, 1.0, 2.0]), np.array([3.0, -4.0])
    assert _core.least(curve, goal, np.array([9.0, 9.0]), 0).tolist() == [9, 9]
    assert _core.least(curve, goal, np.zeros(2), 1).tolist() == [1.5, -2.75]


@given(st.lists(st.tuples(st.integers(-5, 5), st.integers(1, 4)), max_size=9))
def test_rising_is_the_highest_of_the_lowest_means(items):
    values, weights = (np.array([item[side] for item in items], float) for side in (0, 1))
    found = _core.rising(values, weights)
    for place in range(len(items)):
        means = [
            min(np.average(values[first:end], weights=weights[first:end]) for end in range(place + 1, len(items) + 1))
            for first in range(place + 1)
        ]
        assert found[place] == pytest.approx(max(means))


def test_weights_that_are_told_late_are_those_that_are_told_first():
    """Measures count the q-grams of their words first: that says what they weigh."""
    vocabulary = _core.Vocabulary()
    vocabulary.intern_terms(["barn", "bard", "darn"])
    late, first = (_core.TermGrams(2, 3, _core.Padding.single, True) for _ in range(2))
    late.add(vocabulary)
    known = np.linspace(0.1, 0.9, late.gram_count - 1)  # of the last q-gram nothing is known
    for grams in (late, first):
        grams.set_weights(np.array([0.3, 0.7]), 1.1, known, 2.3)
    first.add(vocabulary)
    for term in range(3):
        for mine, theirs in zip(late.entry(term), first.entry(term), strict=True):
            assert mine.tolist() == theirs.tolist()
    # The last q-gram of the last term: nothing is known of either, and the term has four of that length.
    assert late.entry(2)[1][-1] == pytest.approx(1.1 * 2.3 / 4)
