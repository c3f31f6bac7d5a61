"""What a field says of a pair, by hand: shares, distances, who is nearest, and what a model keeps of it."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from likewise.records.columns import Column
from likewise.records.evidence import (
    Evidence,
    Field,
    FieldModel,
    _parts,
    as_they_appear,
    digits_in,
    nearest,
    numbered,
    numbers_in,
    usual_distance,
)
from likewise.records.kinds import magnitudes
from likewise.records.together import _surprise, nearest_together

LEFT = Column.of(["rome", "Rome", "oslo", None])
RIGHT = Column.of(["ROME", "bern", "bern", "bern", "bern"])
ALL = np.repeat(np.arange(4), 5), np.tile(np.arange(5), 4)


def test_equal_is_how_it_is_written_and_shares_are_the_larger_of_both_sides():
    found = Field.of("town", "category", LEFT, RIGHT).compare(*ALL)
    equal = np.array([[1, 0, 0, 0, 0], [1, 0, 0, 0, 0], [0] * 5, [0] * 5], bool)
    assert found.equal.reshape(4, 5).tolist() == equal.tolist()
    assert found.null.reshape(4, 5).tolist() == [[False] * 5] * 3 + [[True] * 5]
    # rome: half of the left records, a fifth of the right ones; bern: four fifths of the right ones
    assert found.share.reshape(4, 5).tolist() == [[0.5] + [0.8] * 4] * 2 + [[0.25] + [0.8] * 4] + [[1.0] * 5]
    assert (found.alike[found.equal] == 1).all()
    assert (found.alike[found.null] == 0).all()
    assert found.distance is None
    assert found.exact().alike.tolist() == equal.ravel().astype(float).tolist()
    few = found.take(np.array([0, 7]))
    assert (few.equal.tolist(), few.share.tolist()) == ([True, False], [0.5, 0.8])


def test_what_a_decision_asks_of_a_field_of_each_side():
    field = Field.of("town", "name", LEFT, RIGHT)
    assert [field.texts(side) for side in (0, 1)] == [(3, 3), (5, 2)]
    assert [field.codes(side).tolist() for side in (0, 1)] == [[0, 1, 2, -1], [0, 1, 1, 1, 1]]
    assert [field.values(side).tolist() for side in (0, 1)] == [[0, 0, 1, -1], [0, 1, 1, 1, 1]]
    a, b = np.array([0, 0, 1]), np.array([1, 2, 2])
    assert [field.alike(side, a, b).tolist() for side in (0, 1)] == [[1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]
    assert [field.nearest_texts(side).tolist() for side in (0, 1)] == [[1.0, 1.0], []]  # rome and Rome


def test_scores_are_the_same_whether_each_pair_of_texts_is_scored_once_or_each_pair_of_records():
    field = Field.of("town", "name", LEFT, RIGHT)
    every = field.compare(*ALL).alike
    one_by_one = [field.compare(np.array([a]), np.array([b])).alike[0] for a, b in zip(*ALL, strict=True)]
    assert every.tolist() == one_by_one


def test_a_model_keeps_the_values_that_several_have():
    kept = Field.of("town", "category", LEFT, RIGHT).model()
    assert kept.common == {"rome": 0.5, "bern": 0.8}
    assert kept.alone == 0.25
    assert kept.scale is None
    other = Column.of(["bern", "Paris"])
    rows = np.arange(2)
    found = Field.by("town", other, other, FieldModel("category", kept.measure, None, kept.common, kept.alone))
    assert found.compare(rows, rows).share.tolist() == [0.8, 0.25]
    assert found.model().common == kept.common


def test_shares_can_be_those_of_more_records():
    often = np.array([0.1, 0.2, 0.3, 0.9]), np.array([0.25, 0.05, 0.05, 0.05, 0.05])
    field = Field("town", "category", LEFT, RIGHT, None, often=often)
    found = field.compare(np.array([0, 2, 2]), np.array([0, 0, 1]))
    assert found.share.tolist() == [0.25, 0.3, 0.3]


@pytest.mark.parametrize(
    ("kind", "left", "right", "distance"),
    [
        # differences, in units of the usual one
        ("number", ["10", "20", "30"], ["20", "x", "10"], [10 / 10, np.nan, 20 / 10]),
        # coordinates: degrees as on a plane
        ("coordinates", ["0.0, 0.0", "3.0, 4.0"], ["3.0, 4.0", "3.0, 4.0"], [5, 0]),
    ],
)
def test_distances_by_hand(kind, left, right, distance):
    a, b = Column.of(left), Column.of(right)
    field = Field(
        "x", kind, a, b, None, known=FieldModel(kind, None, (False, 10.0 if kind == "number" else 1.0), {}, 1)
    )
    rows = np.arange(len(left))
    np.testing.assert_allclose(field.compare(rows, rows).distance, distance)


def test_ratios_count_where_values_are_spread_wide():
    a = Column.of(["1", "10", "-5"])
    field = Field("x", "number", a, a, None, known=FieldModel("number", None, (True, 2.0), {}, 1))
    found = field.compare(np.array([0, 1, 2, 2]), np.array([1, 0, 2, 0])).distance
    np.testing.assert_allclose(found, [np.log(10) / 2, np.log(10) / 2, 0, np.inf])


def test_the_usual_distance():
    six = np.array([[10.0], [11], [12], [13], [14], [15]])
    # a third apart: 4, 4, 2, 2, 2, 2
    assert usual_distance("number", six) == (False, 2.0)
    assert usual_distance("number", np.append(six, [[np.nan]], 0)) == (False, 2.0)
    assert usual_distance("number", np.full((4, 1), 7.0)) == (False, 1.0), "where all are the same"
    assert usual_distance("number", np.full((4, 1), np.nan)) == (False, 1.0)
    wide = np.array([[1.0], [1], [1], [64], [64], [64]])
    assert usual_distance("number", wide) == (True, pytest.approx(3 * np.log(64))), "of ratios three are one"
    assert usual_distance("money", wide)[0]
    assert usual_distance("date", wide) == (False, 63.0)
    assert not usual_distance("number", wide - 1)[0], "zeros have no ratio"
    assert not usual_distance("number", np.array([[10.0]] * 3 + [[50.0]] * 3))[0], "five times is not wide"
    assert usual_distance("number", np.array([[10.0]] * 3 + [[51.0]] * 3))[0]


def test_a_date_is_measured_in_days_and_a_part_that_is_not_said_is_in_the_middle():
    found = magnitudes("date", ["2000-03-04", "2000-03-05", "2000-04-04", "2001-03-04", "2000-03"])[:, 0]
    days = found - found[0]
    assert days[1] == pytest.approx(1)
    assert days[2] == pytest.approx(30.44)
    assert days[3] == pytest.approx(365.2425)
    assert days[4] == pytest.approx(11), "the 15th"
    assert magnitudes("coordinates", ["47.5, -7.25", "north"]).tolist()[0] == [47.5, -7.25]


values = st.lists(st.sampled_from([0.0, 1.0, 1.0, 2.5, 4.0, 9.0, np.nan]), min_size=1, max_size=12)


@given(values, values, st.integers(1, 6))
def test_nearest_are_the_values_around(x, y, count):
    """Of each left value the neighbours in the right ones' order: the first that are not below it, and those before."""
    left, right = nearest(np.array(x), np.array(y), count)
    order = sorted((value, place) for place, value in enumerate(y) if not np.isnan(value))
    expected = []
    for row, value in enumerate(x):
        if order and not np.isnan(value):
            at = sum(other < value for other, _ in order) - count // 2
            expected += [(row, order[min(max(0, at + step), len(order) - 1)][1]) for step in range(count)]
    assert list(zip(left.tolist(), right.tolist(), strict=True)) == expected


@given(values, values, st.integers(1, 3))
def test_nearest_together_are_the_most_surprising(x, y, count):
    """One field alone: as few right values as possible are as near."""
    a, b = np.array(x), np.array(y)
    fields = [(a, b), (np.arange(len(x)) * 1.0, np.full(len(y), np.nan))]
    left, right = nearest_together(fields, [True, False], count)
    there = b[~np.isnan(b)]

    def surprise(row, other):
        near = np.count_nonzero(np.abs(there - a[row]) <= abs(a[row] - b[other]))
        return np.log(len(there) / near)

    for row in range(len(x)):
        mine = right[left == row].tolist()
        every = [] if np.isnan(a[row]) else np.flatnonzero(~np.isnan(b)).tolist()
        assert len(mine) == min(count, len(every))
        best = sorted((surprise(row, other) for other in every), reverse=True)[:count]
        assert sorted((surprise(row, other) for other in mine), reverse=True) == pytest.approx(best)


def test_a_nearness_surprises_by_how_few_are_as_near():
    given = np.array([1.0, 2.0, 3.0, 10.0])
    found = _surprise(np.array([2.0, 2.0, 2.0, np.nan]), np.array([2.0, 3.0, 10.0, 1.0]), given)
    np.testing.assert_allclose(found, [np.log(4 / 1), np.log(4 / 3), 0, 0])


def test_words_with_digits_are_a_field_from_three_texts_in_ten_on():
    texts = ["Sony LX-200 b4", "no number"] + [f"text {chr(97 + n)}" for n in range(8)]
    assert numbers_in(Column.of(texts)) is None
    assert numbers_in(Column.of(texts), few=True).values()[:2] == ["lx200 b4", None]
    assert [numbered(10, having) for having in (2, 3, 4)] == [False, True, True]
    assert numbered(10, 0, few=True)
    assert not numbered(0, 0, few=True)


def test_no_evidence():
    none = Evidence.nothing(2)
    assert (none.null.all(), none.alike.any(), none.equal.any(), none.share.tolist()) == (True, False, False, [1, 1])


def test_nearest_of_nothing():
    there, nothing = np.array([1.0, 2.0]), np.full(2, np.nan)
    for x, y in ((there, nothing), (nothing, there), (nothing, nothing)):
        assert [side.tolist() for side in nearest(x, y, 2)] == [[], []]
    left, right = nearest(np.array([1.9]), np.array([1.0, 2.0, 3.0]), 1)
    assert (left.tolist(), right.tolist()) == ([0], [1])


def test_a_field_of_one_record():
    one, two = Column.of(["1"]), Column.of(["2"])
    model = Field("n", "number", one, two, None).model()
    assert (model.alone, dict(model.common)) == (1.0, {})
    said = Field("n", "number", one, Column.of(["1"]), None).compare(np.array([0]), np.array([0]))
    assert (said.share.tolist(), said.equal.tolist(), said.alike.tolist()) == ([1.0], [True], [1.0])
    assert said.distance.tolist() == [0.0]


def test_usual_distances():
    assert usual_distance("number", np.zeros((0, 1))) == (False, 1.0)
    assert usual_distance("number", np.full((5, 1), np.nan)) == (False, 1.0)
    assert usual_distance("number", np.full((5, 1), 3.0)) == (False, 1.0)
    assert usual_distance("date", np.arange(9.0)[:, None] + 1) == (False, 3.0)
    ratio, usual = usual_distance("number", 2.0 ** np.arange(9)[:, None])
    assert ratio
    assert usual == pytest.approx(3 * 3 * np.log(2))
    # five times as much is no ratio yet, nor is what may be 0
    five = np.array([[1.0]] * 10 + [[5.0]] * 10)
    assert not usual_distance("number", five)[0]
    assert usual_distance("number", five * [[1.0]] + np.array([[0.0]] * 10 + [[0.1]] * 10))[0]
    assert not usual_distance("number", five - 1)[0]
    assert not usual_distance("date", five + np.array([[0.0]] * 10 + [[9.0]] * 10))[0]


def test_what_appears_first():
    rows = np.array([[2, 1], [1, 2], [2, 1], [0, 0]])
    assert as_they_appear(rows, np.array([True, True, True, False])).tolist() == [0, 1, 0, -1]
    assert as_they_appear(np.zeros(0), np.zeros(0, bool)).tolist() == []
    column = digits_in(Column.of(["A-1 b2 c", "none", None, "--1--"]))
    assert column.values() == ["a1 b2", None, None, "1"]


def test_evidence_is_taken():
    mine = Evidence(np.array([True, False]), np.array([0.0, 0.5]), np.array([False, False]), np.ones(2), np.arange(2.0))
    part = mine.take(np.array([1]))
    assert (part.null.tolist(), part.alike.tolist(), part.distance.tolist()) == ([False], [0.5], [1.0])
    assert mine.exact().alike.tolist() == [0, 0]
    nothing = Evidence.nothing(2)
    assert nothing.null.all()
    assert nothing.share.tolist() == [1, 1]
    assert not nothing.alike.any()


def test_numbers_in_texts_count_only_those_that_are_there():
    """Three of ten texts that are there have a number; records without a text do not count."""
    texts = ["a 1", "b 2", "c 3"] + [f"x{chr(97 + n)}" for n in range(7)]
    assert numbers_in(Column.of(texts + [None] * 10)) is not None
    assert numbers_in(Column.of([*texts, "one more"] + [None] * 10)) is None


@pytest.mark.parametrize(
    ("text", "parts"),
    [("never", (0, 0, 0)), ("March 1970", (1970, 3, 0)), ("1970-03-02", (1970, 3, 2))],
)
def test_a_part_of_a_date_that_is_not_said_is_nothing(text, parts):
    assert _parts(text) == parts
