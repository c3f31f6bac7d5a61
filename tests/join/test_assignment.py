"""The sparse assignment against SciPy's dense one, and its duals against their definition."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment

from likewise.join.assignment import greedy_sum, one_to_one
from likewise.join.join import Pairs


def pairs_of(matrix):
    left, right = np.nonzero(matrix)
    return Pairs(left, right, matrix[left, right])


def optimum(matrix):
    rows, columns = linear_sum_assignment(matrix, maximize=True)
    return matrix[rows, columns].sum()


matrices = st.tuples(st.integers(1, 8), st.integers(1, 8)).flatmap(
    lambda shape: st.lists(
        st.lists(st.sampled_from([0, 0, 0, 0.25, 0.5, 0.5, 0.75, 1, 1.3]), min_size=shape[1], max_size=shape[1]),
        min_size=shape[0],
        max_size=shape[0],
    )
)


def check(matrix):
    found = one_to_one(pairs_of(matrix), *matrix.shape)
    pairs = found.pairs
    assert len(set(pairs.left.tolist())) == len(set(pairs.right.tolist())) == len(pairs)
    assert (matrix[pairs.left, pairs.right] == pairs.score).all()
    assert pairs.score.sum() == pytest.approx(optimum(matrix), abs=1e-9)
    slack = found.left_dual[:, None] + found.right_dual[None, :] - matrix
    assert (slack >= -1e-9).all()
    assert (found.left_dual >= 0).all()
    assert (found.right_dual >= 0).all()
    assert found.left_dual.sum() + found.right_dual.sum() == pytest.approx(pairs.score.sum(), abs=1e-9)


@given(matrices)
@settings(max_examples=300, deadline=None)
def test_equals_scipy(rows):
    check(np.array(rows, float))


@pytest.mark.parametrize(
    ("shape", "density"), [((60, 60), 1.0), ((150, 40), 0.2), ((40, 150), 0.1), ((200, 200), 0.02)]
)
def test_equals_scipy_on_larger_graphs(shape, density):
    random = np.random.default_rng(7)
    check(random.random(shape) * (random.random(shape) < density))


def test_greedy_takes_the_best_pair_that_is_left():
    matrix = np.random.default_rng(3).random((30, 50)).round(1)
    left, right, total = set(range(30)), set(range(50)), 0.0
    for score, a, b in sorted((-matrix[a, b], a, b) for a in range(30) for b in range(50)):
        if a in left and b in right:
            left.remove(a)
            right.remove(b)
            total -= score
    assert greedy_sum(pairs_of(matrix), 30, 50) == pytest.approx(total, abs=1e-9)


def test_no_pairs_and_pairs_listed_twice():
    none = np.zeros(0, np.int64)
    assert len(one_to_one(Pairs(none, none, np.zeros(0)), 3, 0).pairs) == 0
    twice = Pairs(np.array([0, 0]), np.array([1, 1]), np.array([0.5, 0.5]))
    assert list(one_to_one(twice, 1, 2).pairs) == [(0, 1, 0.5)]


def test_a_pair_that_scores_nothing_is_never_chosen():
    pairs = Pairs(np.array([0, 1, 1]), np.array([0, 0, 1]), np.array([0.5, 0.4, 0.0]))
    assert list(one_to_one(pairs, 2, 2).pairs) == [(0, 0, 0.5)]
