"""When few have a partner, or many, and what is left of a decision where nothing matches."""

from dataclasses import replace

import numpy as np
import pytest
from tests.records.made import decision_of, pairs_of

from likewise.records.candidates import of_right_records
from likewise.records.chances import among_rivals, many_expected, more_than_few
from likewise.records.checks import _many, _none, checked_within, few
from likewise.records.decision import Learnt
from likewise.records.partners import Relation


def lone(count, lefts, rights=None, self_join=False):
    return pairs_of(range(count), range(count), lefts, lefts if rights is None else rights, self_join)


@pytest.mark.parametrize(
    ("likely", "lefts", "rights", "self_join", "are_few"),
    [
        (10, 100, None, True, True),  # of one table a fifth of the records, two of each pair
        (11, 100, None, True, False),
        (15, 100, 500, False, True),  # of two, 15 in a hundred of the smaller one
        (16, 100, 500, False, False),
        (16, 500, 100, False, False),
        (0, 100, 100, False, True),
    ],
)
def test_few_have_a_partner(likely, lefts, rights, self_join, are_few):
    found = lone(50, lefts, rights, self_join)
    assert few(found, np.where(np.arange(50) < likely, 0.5, 0.49)) is are_few


@pytest.mark.parametrize(("chance", "lefts", "many"), [(0.49, 1000, False), (0.495, 1000, True), (0.495, 999, False)])
def test_many_expected_are_not_few_although_none_is_likely(chance, lefts, many):
    """330 pairs of nearly even odds: 163 matches, by a standard error more than 15 in a hundred of a large table."""
    found, probability = lone(330, lefts, 3000), np.full(330, chance)
    assert many_expected(found, probability) is many
    assert few(found, probability) is not many
    assert _many(found, probability) is many
    assert not many_expected(replace(found, self_join=True), np.ones(330))


@pytest.mark.parametrize(("matches", "many"), [(162.7, False), (162.9, True), (150.0, False), (900.0, True)])
def test_more_than_few_is_by_a_standard_error(matches, many):
    assert more_than_few(lone(1, 1000, 2000), matches) is many
    assert more_than_few(lone(1, 2000, 1000), matches) is many
    assert not more_than_few(lone(1, 1000, self_join=True), matches)


def test_where_nothing_matches_nothing_is_given_or_learnt():
    for self_join, relation in ((True, Relation.ONE), (False, Relation.MANY)):
        decision = replace(decision_of([0.9, 0.2]), learnt=Learnt(Relation.MANY, self_join))
        decision = replace(decision, found=replace(decision.found, self_join=self_join))
        none = _none(decision)
        assert none.relation is relation
        assert none.learnt is None
        assert none.keep.tolist() == [False, False]
        assert none.probability.tolist() == [0.0, 0.0]
        told = none.calibration
        assert (told.threshold, told.matches, told.precision, told.recall, told.f1) == (2.0, 0.0, 1.0, 0.0, 0.0)


def test_rivals_share_where_they_may_have_several_partners():
    found = pairs_of([0, 0, 1, 1], [0, 1, 1, 2], 2, 3)
    odds = np.log(np.array([3.0, 1.0, 1.0, 4.0]))
    assert among_rivals(found, odds, Relation.ONE).tolist() == [1.0] * 4
    sides = {one: one.left_once for one in (Relation.TO_MANY, Relation.TO_ONE)}
    assert sorted(sides.values()) == [False, True]
    for relation, left_once in sides.items():
        expected = [0.75, 0.25, 0.2, 0.8] if left_once else [1.0, 0.5, 0.5, 1.0]
        assert among_rivals(found, odds, relation).tolist() == pytest.approx(expected)


def test_how_many_candidates_right_records_give():
    assert [of_right_records(count) for count in (1, 23, 24, 20, 40)] == [5, 5, 6, 5, 10]


@pytest.mark.parametrize(("standing", "sure", "capped"), [(30, True, False), (30, False, True), (8, True, True)])
def test_weights_of_few_records_are_trusted_where_enough_stands_out_and_both_halves_say_so(standing, sure, capped):
    """Of 100 records 40 are given as surely the same; so many of them stand out by a score that learnt nothing."""
    draw, size = np.random.default_rng(3), 100
    left, other = np.repeat(np.arange(size), 6), np.tile(np.arange(6), size)
    found = pairs_of(left, (left + other * 7) % size, size, size)
    score = draw.random(len(left)) * 0.3
    score[(other == 0) & (left < standing)] += 0.6
    probability = np.where((other == 0) & (left < 40), 0.95, 0.0)
    decision = replace(decision_of(probability, relation=Relation.ONE), found=found)
    made = checked_within(decision, [score], None, sure, small=True)
    mates = np.flatnonzero(probability)
    assert (made is decision) is not capped
    assert made.probability[mates[:standing]].mean() > 0.8
    if capped:
        assert made.probability[mates[standing:]].mean() < 0.5
