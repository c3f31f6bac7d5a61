"""The sparse assignment against SciPy's dense one, and its duals against their definition."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment

from likewise.join.assignment import one_to_one, undecided
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


def test_seen_pairs_that_prove_the_optimum_leave_nobody_undecided():
    random = np.random.default_rng(3)
    matrix = random.random((30, 50))
    k = 2
    while True:
        order = np.argsort(-matrix, axis=1)
        left = np.repeat(np.arange(30), k)
        right = order[:, :k].ravel()
        found = one_to_one(Pairs(left, right, matrix[left, right]), 30, 50)
        open_lefts = undecided(found, matrix[np.arange(30), order[:, k - 1]])
        if not len(open_lefts):
            break
        k += 1
    assert k < 50
    assert found.pairs.score.sum() == pytest.approx(optimum(matrix), abs=1e-9)


def test_no_pairs_and_pairs_listed_twice():
    none = np.zeros(0, np.int64)
    assert len(one_to_one(Pairs(none, none, np.zeros(0)), 3, 0).pairs) == 0
    twice = Pairs(np.array([0, 0]), np.array([1, 1]), np.array([0.5, 0.5]))
    assert list(one_to_one(twice, 1, 2).pairs) == [(0, 1, 0.5)]
