"""Borders of what is decided by rules: kinds of columns, pairs of columns, ids that go on, what is judged next."""

from types import SimpleNamespace

import numpy as np
import pyarrow as pa
import pytest
from tests.fuzz import flips

import likewise as lw
from likewise.measure import TfIdf
from likewise.read.tables import read_table
from likewise.records import strangers, tables
from likewise.records.by_texts import held_again
from likewise.records.candidates import Candidates
from likewise.records.cleaning import stands_for_none
from likewise.records.columns import Column, field_columns
from likewise.records.contrast import _sample
from likewise.records.dates import agreement, parse_date
from likewise.records.decision import Learnt, Least
from likewise.records.evidence import _parts, numbers_in
from likewise.records.kinds import detect, kind_of, sample_step
from likewise.records.measures import fit_columns
from likewise.records.options import parse_on
from likewise.records.pairing import _distance, _shortened, _Words
from likewise.records.partners import Relation
from likewise.records.relation import _closer, _copied
from likewise.records.runner_up import _side_by_side
from likewise.records.state import carry_over
from likewise.records.tables import literal_note, nearest, unsure


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
    names = ("anna", "bert", "carl", "dora")
    assert words("name", names).alike(words("text", ("anna", "bert", "xaver"))) == pytest.approx(2 / 12**0.5)
    # Of short words four in five must be the same.
    assert words("name", "abcdefg").alike(words("text", "abcdx")) == pytest.approx(4 / 35**0.5)
    assert words("name", "abcdefg").alike(words("text", "abcx")) == 0
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
    chance = np.array([0.03, 0.05, 0.1, 0.45, 0.48, 0.6, 0.9, 0.95, 0.97])
    decision = SimpleNamespace(probability=chance, odds=np.arange(60.0))
    decision.keep = decision.odds == 59
    # One of each band of odds, the most doubtful of it, then the next of each; what is nearly sure is no doubt.
    assert unsure(decision).tolist() == [4, 5, 2, 6, 3, 7, 1]
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


def pairs_of(left, right, lefts, rights, self_join=False):
    return Candidates(np.array(left, np.int64), np.array(right, np.int64), lefts, rights, self_join)


def test_every_pair_is_counted_once():
    assert pairs_of([], [], 4, 4, self_join=True).every == 6
    assert pairs_of([], [], 4, 5).every == 20


@pytest.mark.parametrize(("most", "size", "count"), [(15, 6, 15), (14, 6, 14), (12, 6, 12)])
def test_pairs_of_a_table_are_all_or_some_that_are_drawn(monkeypatch, most, size, count):
    monkeypatch.setattr(strangers, "_PAIRS", most)
    a, b = strangers._different(size)
    assert len(a) == count
    assert np.all(a != b)
    assert {*a, *b} <= set(range(size))
    assert count < 15 or len({*zip(a, b, strict=True)}) == 15


@pytest.mark.parametrize(("literal", "given", "said"), [(2, 5, False), (2, 4, False), (3, 5, True), (0, 0, False)])
def test_copies_are_told_of_where_they_are_most_of_what_is_given(literal, given, said):
    keep = np.array([True] * given + [False] * 9)
    same = np.array([True] * literal + [False] * (given - literal) + [True] * 9)
    assert bool(literal_note(SimpleNamespace(keep=keep), same)) == said


def closer_by_hand(found, score, claim, left_once, alike):
    """The slow twin: each partner with two claimants and another candidate says once which are more alike."""
    mine, partner = (found.left, found.right) if left_once else (found.right, found.left)
    said = []
    for one in np.unique(partner):
        rows = sorted(np.flatnonzero(partner == one), key=lambda row: -score[row])
        claimants, others = ([mine[row] for row in rows if claim[row] == kind] for kind in (True, False))
        if len(claimants) > 1 and others:
            apart = max(alike[claimants[0], others[0]], alike[claimants[1], others[0]])
            copies = alike[claimants[0], claimants[1]]
            said.append(float(copies > apart) + 0.5 * (copies == apart))
    return float(np.mean(said)) if len(said) >= 5 else 0.0


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("relation", [Relation.TO_ONE, Relation.TO_MANY])
def test_claimants_are_compared_as_by_hand(seed, relation):
    random = np.random.default_rng(seed)
    lefts, rights = 20, 5 + seed
    left, right = np.nonzero(random.random((lefts, rights)) < 0.4)
    if seed % 2:  # nobody asks for the first record
        lefts, rights, left, right = lefts + 1, rights + 1, left + 1, right + 1
    found = pairs_of(left, right, lefts, rights)
    score, claim = random.permutation(len(left)) / 7, random.random(len(left)) < 0.5
    alike = random.integers(0, 4, (lefts, lefts)) / 4
    alike = np.maximum(alike, alike.T)
    whole = SimpleNamespace(alike=lambda side, a, b: alike[a, b])
    expected = closer_by_hand(found, score, claim, relation.left_once, alike)
    assert _closer(found, score, claim, relation, whole) == expected
    assert relation is Relation.TO_MANY or expected > 0


@pytest.mark.parametrize(("values", "share"), [([], 0.0), ([-1], 0.0), ([0, 1, -1], 0.0), ([0, 0, 1, 1, 0, -1], 0.6)])
def test_the_share_of_records_whose_text_another_has(values, share):
    assert held_again(SimpleNamespace(values=lambda side: np.array(values, np.int64)), 0) == pytest.approx(share)


def test_no_records_are_no_copies():
    assert not _copied(SimpleNamespace(texts=lambda side: (0, 0)), 0)
    assert not _copied(SimpleNamespace(texts=lambda side: (9, 9)), 1)
    assert _copied(SimpleNamespace(texts=lambda side: (9, 1)), 1)


@pytest.mark.parametrize(("records", "bins"), [(30, 3), (120, 3), (160, 4), (2000, 20)])
def test_runner_ups_lie_in_bins_of_the_same_size(records, bins):
    best, second = _side_by_side(np.arange(records) + 0.25, np.arange(records) + 0.25)
    assert np.array_equal(best, second)
    counts = np.bincount(second)
    assert len(counts) == bins
    assert counts.max() - counts.min() <= 1


@pytest.mark.parametrize(
    ("text", "parts"),
    [("never", (0, 0, 0)), ("March 1970", (1970, 3, 0)), ("1970-03-02", (1970, 3, 2))],
)
def test_a_part_of_a_date_that_is_not_said_is_nothing(text, parts):
    assert _parts(text) == parts


def test_long_texts_are_columns_as_short_ones_are():
    texts = ["a" * 400, None, "b" * 400, "a" * 400]
    records = read_table(pa.table({"one": texts, "two": texts[::-1]}))
    long, short = field_columns(records, ["one"], False)[0], Column.of(texts)
    assert not isinstance(long.texts, list)
    assert long.sample(1) == short.sample(1) == texts
    assert long.sample(2) == texts[::2]
    (joined,) = field_columns(records, ["one", "two"], True)
    assert joined.values()[0] == f"{texts[0]} {texts[3]}"
    assert len(field_columns(records, ["one", "two"], False)) == 2


def test_where_one_side_has_one_partner_its_best_is_taken_for_right():
    found = pairs_of([0, 0, 1, 1], [0, 1, 0, 1], 2, 2)
    chosen, truth, weight = _sample(found, np.array([5.0, 1.0, 4.0, 2.0]), Relation.TO_ONE)
    assert chosen[truth == 1].tolist() == [0, 2]
    assert sorted(chosen[truth == 0].tolist()) == [0, 1, 2, 3]
    assert [weight[truth == kind].sum() for kind in (0, 1)] == pytest.approx([1, 1])
    wrong = dict(zip(chosen[truth == 0].tolist(), weight[truth == 0].tolist(), strict=True))
    assert wrong[0] <= wrong[1] == wrong[3] >= wrong[2]  # the best may be right, its rivals are not
    chosen, truth, _ = _sample(found, np.array([5.0, 1.0, 4.0, 2.0]), Relation.ONE)
    assert chosen[truth == 1].tolist() == [0]


def test_equal_texts_are_left_out_and_others_take_their_place():
    rows = ["soup of the day", "soup of a day", "soup of one day", "soup for a day"]
    found = lw.match(rows, rows[::-1], top=2, exclude_equal=True)
    assert [match.left for match in found] == [0, 0, 1, 1, 2, 2, 3, 3]
    assert all(match.left_text != match.right_text for match in found)


def test_what_was_judged_is_as_sure_as_can_be():
    judged = [("0", "0", True), ("1", "1", False)]
    found = lw.match(flips.PEOPLE, flips.OTHERS, id="key", labels=judged)
    chance = {(match.left, match.right): match.probability for match in found}
    assert chance["0", "0"] == pytest.approx(1 / (1 + np.exp(-12.0)), abs=1e-9)
    assert ("1", "1") not in chance
    assert ("2", "2") in chance


@pytest.mark.parametrize(
    ("value", "none"), [(None, False), ("n/a", True), ("n/a".ljust(19), True), ("n/a".ljust(20), False)]
)
def test_a_short_word_may_stand_for_none(value, none):
    assert stands_for_none(value) == none


def test_what_is_wished_goes_before_what_a_model_gave():
    known = Learnt(Relation.ONE, False, threshold=0.7)
    assert (known.wish(None), known.wish(0.9)) == (Least(0.7), 0.9)
    assert (Learnt(Relation.ONE, False).wish(None), Learnt(Relation.ONE, False).wish(0.9)) == (None, 0.9)


@pytest.mark.parametrize(("parts", "others"), [(tables._WHY, False), (tables._WHY + 1, True)])
def test_a_reason_tells_of_others_where_there_are_any(parts, others):
    contributions = [SimpleNamespace(left=f"w{n}", right=f"w{n}", value=1 / (n + 1)) for n in range(parts)]
    found = tables._reason(SimpleNamespace(contributions=contributions)).split("; ")
    assert found[0] == "w0 1.000"
    assert len(found) == parts
    assert found[-1].startswith("others") == others
