"""Borders of what is decided by rules: kinds of columns, pairs of columns, ids that go on, what is judged next."""

from types import SimpleNamespace

import numpy as np
import pytest

from likewise.measure import TfIdf
from likewise.records.columns import Column
from likewise.records.dates import agreement, parse_date
from likewise.records.evidence import numbers_in
from likewise.records.kinds import detect, kind_of, sample_step
from likewise.records.measures import fit_columns
from likewise.records.options import parse_on
from likewise.records.pairing import _distance, _shortened, _Words
from likewise.records.state import carry_over
from likewise.records.tables import nearest, unsure


def many(*parts):
    """Return a column of parts, each so many times, every time another."""
    return [form.format(n) for form, count in parts for n in range(10, 10 + count)]


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        # so many of ten are enough
        (many(("a{}@b.org", 8), ("none", 2)), "email"),
        (many(("a{}@b.org", 7), ("none of it all", 3)), "code"),
        (many(("1999-03-{}", 8), ("none", 2)), "date"),
        (many(("{}.5", 9), ("none", 1)), "number"),
        # a phone has seven digits to fifteen
        (["123-4567", "234-5678"], "phone"),
        (["12345 678901 2345", "22345 678901 2345"], "phone"),
        (["12345 678901 23456", "22345 678901 23456"], "category"),
        (["1234-56", "2345-67"], "code"),
        # numbers of one length are keys, unless they are years; places come back, and are five digits at most
        (["1500", "2100", "1999", "1500"], "number"),
        (["1499", "1498", "1497", "1499"] * 3, "postcode"),
        (["2101", "2102", "2103", "2101"] * 3, "postcode"),
        (["12345", "12346", "12345", "12346", "22345"] * 3, "postcode"),
        (["123456", "123466", "123456", "123466", "223456"] * 3, "code"),
        (["101", "102", "103", "101"], "number"),
        # few above many: amounts, no keys
        (["1000", "1001", "9999", "9998"] + ["1002"] * 9, "number"),
        # up to twelve, of three words at most, are categories
        ([f"kind {chr(97 + n)}" for n in range(12)] * 2, "category"),
        ([f"kind {chr(97 + n)}" for n in range(13)] * 2, "name"),
        ([f"a kind of {chr(97 + n)}" for n in range(5)], "name"),
        ([f"a kind of the {chr(97 + n)}" for n in range(5)], "text"),
        (["x" * 59 + chr(97 + n) for n in range(20)], "text"),
        (["x" * 58 + chr(97 + n) for n in range(20)], "name"),
        (["yes", "maybe", "no"], "category"),
    ],
)
def test_kinds_at_their_borders(values, kind):
    assert detect(values) == kind


def test_one_value_of_so_many_is_looked_at():
    step = sample_step(10**7)
    assert step > 1
    assert sample_step(10) == 1
    assert 10**7 // step <= 2 * (10**7 // sample_step(10**7))
    assert kind_of([], 0, 0, ()) == "text"


@pytest.mark.parametrize(
    ("right", "expected"),
    [
        ((1999, 3, 4), 1.0),
        ((1999, 4, 3), 0.85),
        ((1999, 3, 5), 0.7),
        ((1998, 3, 4), 0.7),
        ((1999, 5, 6), 0.4),
        ((2000, 5, 6), 0.2),
        ((1998, 5, 6), 0.2),
        ((2001, 5, 6), 0.0),
        ((1999, 3, 0), 0.6),
        ((1999, 0, 0), 0.6),
        ((1999, 5, 0), 0.2),
        ((2000, 3, 0), 0.2),
        ((2001, 3, 0), 0.0),
    ],
)
def test_how_far_dates_agree(right, expected):
    assert agreement(np.array([[1999, 3, 4]]), np.array([right])).tolist() == [expected]


def test_the_first_month_and_the_first_day_are_said():
    """A part of 1 is a part: only 0 is none."""
    a, b = np.array([[1999, 1, 1]] * 3), np.array([[1999, 1, 1], [1999, 1, 2], [2005, 1, 1]])
    assert agreement(a, b).tolist() == [1.0, 0.7, 0.7]


def test_two_digits_of_a_year():
    assert [parse_date(f"1/2/{year}")[0] for year in ("00", "30", "31", "99")] == [2000, 2030, 1931, 1999]
    assert [parse_date(text) for text in ("1999-12-31", "1999-13-01", "1999-00-01", "1999-01-32", "1999-01-00")] == [
        (1999, 12, 31),
        None,
        None,
        None,
        None,
    ]


def words(kind, words=("a",), length=1.0, numbers=()):
    return _Words(kind, frozenset(words), length, np.array(numbers, float))


def test_columns_that_hold_the_same():
    assert words("name", "abcd").alike(words("text", "abx")) == pytest.approx(2 / 12**0.5)
    assert words("name").alike(words("date")) == 0
    assert words("name", ()).alike(words("name")) == 0
    assert words("name", length=3).alike(words("name", length=1)) == 1
    assert words("name", length=3.1).alike(words("name", length=1)) == 0
    assert words("name", length=1).alike(words("name", length=3.1)) == 0
    one, two = np.arange(10.0), np.append(np.arange(9.0), 20)
    assert _distance(one, one) == 0
    assert _distance(one, two) == pytest.approx(0.1)
    assert words("number", numbers=one).alike(words("number", numbers=two)) == pytest.approx(1 - 5 * 0.1)
    assert words("number", numbers=one).alike(words("number", numbers=one + 5)) == 0
    assert _shortened("lat", "Latitude")
    assert not _shortened("la", "Latitude")


def test_numbers_in_texts_count_only_those_that_are_there():
    """Three of ten texts that are there have a number; records without a text do not count."""
    texts = ["a 1", "b 2", "c 3"] + [f"x{chr(97 + n)}" for n in range(7)]
    assert numbers_in(Column.of(texts + [None] * 10)) is not None
    assert numbers_in(Column.of([*texts, "one more"] + [None] * 10)) is None


def test_an_id_goes_to_whoever_shares_most():
    before = {"a": 0, "b": 0, "c": 1, "d": 1, "e": 1}
    # each of two groups has a record of cluster 1 and one of 0: the first group takes the lower id
    numbers, following, changes = carry_over(before, list("acbde"), np.array([0, 0, 2, 2, 4]), 2)
    assert numbers.tolist() == [0, 0, 1, 1, 2]
    assert following == 3
    assert {(change.kind, change.before, change.after) for change in changes} == {
        ("merged", (0, 1), (0,)),
        ("merged", (0, 1), (1,)),
        ("split", (0,), (0, 1)),
        ("split", (1,), (0, 1, 2)),
    }
    numbers, following, changes = carry_over({"a": 5, "b": 7}, ["b"], np.array([0]), 8)
    assert (numbers.tolist(), following) == ([7], 8)
    assert [(change.kind, change.before) for change in changes] == [("gone", (5,))]
    # two groups with as many records of one cluster: the first one keeps its id
    numbers, _, _ = carry_over({"a": 3, "b": 3}, ["b", "a"], np.array([0, 1]), 9)
    assert numbers.tolist() == [3, 9]


def test_what_is_judged_next():
    decision = SimpleNamespace(probability=np.array([0.05, 0.1, 0.45, 0.6, 0.9, 0.95]), odds=np.arange(60.0))
    decision.keep = decision.odds == 59
    assert unsure(decision).tolist() == [2, 3, 1, 4]
    assert nearest(decision).tolist() == list(range(58, 8, -1))


def test_a_measure_is_fitted_to_both_sides():
    left, right = Column.of(["alpha beta", "alpha"]), Column.of(["alpha gamma", "delta"])
    *_, measure = fit_columns(left, right, TfIdf())
    both = TfIdf().fit(["alpha beta", "alpha", "alpha gamma", "delta"])
    for pair in (("alpha beta", "alpha"), ("alpha gamma", "delta alpha")):
        assert measure.score(*pair) == pytest.approx(both.score(*pair))
        assert measure.score(*pair) != pytest.approx(TfIdf().fit(["alpha beta", "alpha"]).score(*pair))


def test_columns_and_their_weights():
    assert parse_on("on", "a:b") == {"a:b": 1.0}, "one name alone has no weight, whatever it looks like"
    assert parse_on("on", ["a", "b=2"]) == {"a": 1.0, "b": 2.0}
    assert parse_on("on", "a=2") == {"a": 2.0}
