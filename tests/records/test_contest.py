"""Whether the best partner is right or has beaten the right one: told by how far it is ahead of its rivals."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from likewise.records.candidates import Candidates
from likewise.records.contest import contest, shares
from likewise.records.partners import Relation


def rivals_of(records, apart, random):
    """Each record with the right one and a sibling of it, ``apart`` in odds; whether the best of each is right."""
    record, other = np.repeat(np.arange(records), 2), np.arange(2 * records)
    odds = random.normal(0, 1, 2 * records)
    odds[::2] += apart
    found = Candidates(record, other, records, 2 * records, False)
    return found, odds, odds[::2] > odds[1::2]


@pytest.mark.parametrize("apart", [0.5, 1.0, 2.0])
def test_the_best_is_said_right_as_often_as_it_is(apart):
    found, odds, right = rivals_of(4000, apart, np.random.default_rng(5))
    # Of two normal distributions, the log of the ratio of densities rises by their distance for each unit.
    share = shares(apart, found, odds, Relation.ONE).reshape(-1, 2).max(1)
    assert share.mean() == pytest.approx(right.mean(), abs=0.02)
    near = np.abs(odds[::2] - odds[1::2]) < 0.5
    assert share[near].mean() == pytest.approx(right[near].mean(), abs=0.04)


def test_how_much_being_ahead_says_is_learnt():
    random = np.random.default_rng(6)
    slopes = []
    for apart in (0.5, 1.5, 3.0):
        found, odds, right = rivals_of(3000, apart, random)
        slopes.append(contest(found, odds, Relation.ONE, np.full(3000, float(right.mean()) - 0.01)))
    assert 0 < slopes[0] < slopes[1] < slopes[2]


def test_a_rival_with_a_better_partner_contests_nothing():
    # The first left record has two rights that tie; the second of them is claimed by another record with more.
    found = Candidates(np.array([0, 0, 1]), np.array([0, 1, 1]), 2, 2, False)
    assert shares(1.0, found, np.array([3.0, 3.0, 2.0]), Relation.ONE)[0] == pytest.approx(0.5)
    assert shares(1.0, found, np.array([3.0, 3.0, 5.0]), Relation.ONE)[0] == 1.0
    assert shares(None, found, np.array([3.0, 3.0, 2.0]), Relation.ONE).tolist() == [1.0, 1.0, 1.0]


def test_rivals_whose_records_are_as_well_off_as_its_own_contest_a_pair():
    # Two rights tie with the first left record, and both have one partner more that is better.
    found = Candidates(np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1]), 2, 2, False)
    assert shares(1.0, found, np.array([3.0, 3.0, 5.0, 5.0]), Relation.ONE) == pytest.approx(np.full(4, 0.5))
    # The second has the better of them: the first is contested by nobody, the second by the first.
    uneven = shares(1.0, found, np.array([3.0, 3.0, 4.0, 5.0]), Relation.ONE)
    assert uneven[:2].tolist() == [1.0, pytest.approx(0.5)]


@given(st.integers(0, 2**32 - 1))
def test_shares_are_those_of_a_loop(seed):
    random = np.random.default_rng(seed)
    record, other = (place.ravel() for place in np.indices((4, 5)))
    some = np.flatnonzero(random.random(20) < 0.7)
    found = Candidates(record[some], other[some], 4, 5, False)
    odds = random.integers(-3, 4, len(some)).astype(float)
    best = {one: odds[found.right == one].max() for one in found.right}
    wanted = []
    for left, right, value in zip(found.left, found.right, odds, strict=True):
        rivals = [
            np.exp(mine - value)
            for mine, of, to in zip(odds, found.left, found.right, strict=True)
            if of == left and to != right and best[to] - mine <= best[right] - value
        ]
        wanted.append(1 / (1 + sum(rivals)))
    assert shares(1.0, found, odds, Relation.ONE) == pytest.approx(np.array(wanted))


def test_the_smaller_side_is_asked():
    found = Candidates(np.array([0, 1, 2]), np.array([0, 0, 0]), 3, 1, False)
    assert shares(1.0, found, np.zeros(3), Relation.ONE) == pytest.approx(np.full(3, 1 / 3))


def test_of_equal_odds_nothing_is_learnt():
    found, odds, _ = rivals_of(30, 0.0, np.random.default_rng(1))
    assert contest(found, np.zeros_like(odds), Relation.ONE, np.ones(30)) == 1.0
