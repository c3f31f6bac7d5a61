"""Values at, below and above what rules ask for, and empty ones: each function of a table of cases."""

import itertools
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pyarrow as pa
import pytest

from likewise.errors import InputError, OptionError
from likewise.join import Pairs
from likewise.measure import TfIdf
from likewise.read.tables import read_table
from likewise.records import model as models
from likewise.records import tables, threshold
from likewise.records.assignment import assigned_pairs, reciprocal_pairs
from likewise.records.blocks import _both_ways, _select, _shared_keys
from likewise.records.build import copied_note, copies_note, why_nothing
from likewise.records.by_texts import _relation
from likewise.records.candidates import Candidates, of_right_records, other_ways
from likewise.records.chances import at_most, by_score, more_than_few
from likewise.records.cleaning import placeholder_note, placeholders, without_values
from likewise.records.columns import Column
from likewise.records.comparison import Comparison, first, rows_of, without
from likewise.records.dates import day_or_month, parse_date
from likewise.records.deciding import _kept, as_model, corrected, known_measure
from likewise.records.decision import KNOTS, Correction, Decision, Learnt
from likewise.records.degrees import coordinates, degrees
from likewise.records.distinct import above_of_texts, same_texts, top_of_texts, with_equals, with_itself
from likewise.records.evidence import Evidence, Field, as_they_appear, digits_in, nearest, usual_distance
from likewise.records.from_right import lasts
from likewise.records.kinds import at_least, form_of, kind_of, normalised, number, sample_step, written
from likewise.records.labels import asked_for
from likewise.records.limits import Limits, decided_by
from likewise.records.measures import default_measure, fit_columns, stride, typical_length
from likewise.records.pairing import _apart, _same_letters, _Words, with_names_of
from likewise.records.partners import Relation
from likewise.records.runner_up import Calibration
from likewise.records.state import rejoined
from likewise.records.survivors import merged_records

NOBODY = np.zeros(0, np.int64)


def pairs_of(left, right, lefts, rights, self_join=False):
    return Candidates(np.array(left, np.int64), np.array(right, np.int64), lefts, rights, self_join)


def decision_of(
    probability, parts=None, odds=None, keep=None, fields=("a", "rivals"), relation=Relation.MANY, prior=0.0
):
    probability = np.array(probability, float)
    size = len(probability)
    parts = np.zeros((size, len(fields))) if parts is None else np.array(parts, float)
    odds = parts.sum(1) + prior if odds is None else np.array(odds, float)
    keep = probability >= 0.5 if keep is None else np.array(keep, bool)
    found = pairs_of(range(size), range(size), size, size)
    calibration = Calibration(0.5, 1.0, 0.75, 0.5, 0.6, ((), ()))
    return Decision(found, tuple(fields), parts, prior, odds, probability, keep, relation, calibration)


# Dates and numbers.

MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
OTHER = {
    "jän": 1, "ene": 1, "gen": 1, "fév": 2, "fev": 2, "mär": 3, "maa": 3, "mrt": 3, "avr": 4, "abr": 4, "mai": 5,
    "mei": 5, "mag": 5, "juin": 6, "giu": 6, "juil": 7, "lug": 7, "aoû": 8, "aou": 8, "ago": 8, "set": 9, "okt": 10,
    "ott": 10, "out": 10, "déc": 12, "dez": 12, "dic": 12,
}  # fmt: skip


def test_months_have_names():
    for name, month in {**{name: place for place, name in enumerate(MONTHS, 1)}, **OTHER}.items():
        assert parse_date(f"4 {name} 1999") == (1999, month, 4)
        assert parse_date(f"{name.title()} 4, 1999") == (1999, month, 4)
    assert parse_date("4 foo 1999") is None
    assert parse_date("juni 1999") == (1999, 6, None)
    assert parse_date("juli 4, 1999") == (1999, 7, 4)


@pytest.mark.parametrize(
    ("text", "day_first", "parts"),
    [
        ("3/4/1999", False, (1999, 3, 4)),
        ("3/4/1999", True, (1999, 4, 3)),
        ("3.4.1999", False, (1999, 4, 3)),
        ("12/12/1999", True, (1999, 12, 12)),
        ("13/12/1999", False, (1999, 12, 13)),
        ("12/13/1999", True, (1999, 12, 13)),
        ("13/13/1999", False, None),
        ("31/1/1999", False, (1999, 1, 31)),
        ("32/1/1999", False, None),
        ("1-2-30", False, (2030, 1, 2)),
        ("1-2-31", False, (1931, 1, 2)),
        ("19990304", False, (1999, 3, 4)),
        ("19991304", False, None),
        ("14990304", False, None),
        ("1999", False, None),
        ("1999-12", False, (1999, 12, None)),
        ("  1999-01-31 ", False, (1999, 1, 31)),
        ("1999-01-02T10:11", False, (1999, 1, 2)),
        ("3/4/99 10:11", False, (1999, 3, 4)),
        ("1st of May 1999", False, None),
        ("1st May 99", False, (1999, 5, 1)),
        ("May 1999", False, (1999, 5, None)),
        ("May 31, 1999", False, (1999, 5, 31)),
        ("May 32, 1999", False, None),
        ("0 May 1999", False, None),
    ],
)
def test_dates_at_their_borders(text, day_first, parts):
    assert parse_date(text, day_first) == parts


def test_dates_show_which_part_is_the_day():
    assert day_or_month(["12/12/1999", "13/1/1999", "1/13/1999", "14/1/1999", "soon"]) == (2, 1)
    assert day_or_month([]) == (0, 0)
    assert form_of(["13/1/1999", "1/2/1999"], "date") == (1, 0)
    assert written(["1/2/1999", "soon"], "date", (1, 0)) == ["1999-02-01", "soon"]
    assert written(["1/2/1999"], "date", (1, 1)) == ["1999-01-02"]
    assert written(["1/2/1999"], "date", (0, 1)) == ["1999-01-02"]


def test_numbers_show_how_they_are_written():
    assert form_of(["1.5", "2.25", "3,5", "1.299", "x"], "number") == (2, 1)
    assert form_of(["1.5"], "name") == (0, 0)
    assert written(["1.299,5 €", "12,5", "none"], "money", (0, 2)) == ["1299.5 €", "12.5", "none"]
    assert written(["1,5", "1.5"], "number", (1, 1)) == ["1,5", "1.5"]
    assert written(["1,5"], "number", (0, 0)) == ["1,5"]
    assert written(["1,5"], "name", (0, 1)) == ["1,5"]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1e400", None),
        ("9" * 400, None),
        ("1,299", 1299.0),
        ("1,29", 1.29),
        ("1,2", 1.2),
        ("1,2999", 1.2999),
        ("1.299.000,5", 1299000.5),
        ("-.5", -0.5),
        ("−3", -3.0),
        ("12 parsecs", None),
        ("12 miles", 12.0),
        ("", None),
        ("$", None),
    ],
)
def test_numbers_at_their_borders(text, value):
    assert number(text) == value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("N 51.65", 51.65),
        ("N 51.6", None),
        ("51.6543 N", 51.6543),
        ("51.654 N", None),
        ("51.654° N", 51.654),
        ("51° 59' N", 51 + 59 / 60),
        ("51° 60' N", None),
        ("51° 1' 59\" S", -(51 + 1 / 60 + 59 / 3600)),
        ("51° 1' 60\" S", None),
        ("360°", 360.0),
        ("361°", None),
        ("-12.5°", -12.5),
        ("−12.5°", -12.5),
        ("+12.5°", 12.5),
        ("-12.5° N", None),
        ("N 12° W", None),
        ("12.5° 30'", None),
        ("O 12° 30'", -12.5),
        ("E 12° 30'", 12.5),
        ("S3", None),
        ("5.25 W", None),
        ("12", None),
    ],
)
def test_angles_at_their_borders(text, value):
    assert degrees(text) == (None if value is None else pytest.approx(value))


def test_two_angles():
    assert coordinates("51.5°; -3°") == (51.5, -3.0)
    assert coordinates("1°, 2°, 3°") is None
    assert coordinates("51.5°, here") is None
    assert coordinates("here, 51.5°") is None
    assert coordinates(" (1.5 -2.5) ") == (1.5, -2.5)


def test_equal_however_it_is_written():
    assert normalised("phone", "030 1234567") == normalised("phone", "+49 30 1234567 ext. 5")
    assert normalised("phone", "none") == "none"
    assert normalised("code", "--") == "--"
    assert normalised("number", "x1") == "x1"
    assert normalised("number", "1.0") == normalised("number", "1")
    assert normalised("date", "soon") == "soon"
    assert normalised("date", "4 May 1999") == normalised("date", "1999-05-04")
    assert normalised("category", " A  b") == "a b"
    assert normalised("email", "A@B.org") == "a@b.org"
    assert normalised("name", "...") == "..."


def test_a_share_of_values():
    for hits, size in itertools.product(range(5), range(1, 5)):
        if hits <= size:
            values = [1] * hits + [0] * (size - hits)
            for least in (0.25, 0.5, 0.75, 1.0):
                for order in (values, values[::-1]):
                    assert at_least(order, bool, least) == (hits / size >= least), (order, least)
    assert not at_least([], bool, 0.5)


def test_samples():
    assert [sample_step(size) for size in (0, 1, 3999, 4000, 6000)] == [1, 1, 1, 2, 3]
    assert [stride(size) for size in (0, 1, 1999, 2000, 3000)] == [1, 1, 1, 2, 3]
    assert kind_of(["a b c"] * 20, 1000, 20, ()) == "category"  # twelve, or one in fifty
    assert kind_of(["a b c"] * 20, 999, 20, ()) == "name"
    assert kind_of(["a b c d"] * 20, 1000, 20, ()) == "name"


# Columns and measures.


def test_long_texts_are_compared_by_words():
    assert [typical_length(texts) for texts in ([], [None], ["ab", None, "abcd"], ["a", "abc", ""])] == [0, 0, 3, 2]
    assert default_measure(["x" * 249]).name == "spectra"
    assert default_measure(["x" * 250]).name == "tfidf"


def test_a_column_without_texts():
    column = Column.of([None, " ", ""])
    assert (column.codes.tolist(), list(column.texts), column.all_texts()) == ([-1] * 3, [], [])
    assert column.repeats().tolist() == []
    assert rows_of(column, np.array([2, 0])).codes.tolist() == [-1, -1]


def test_rows_of_a_column_are_numbered_anew():
    column = Column.of(["b", None, "a", "b", "c"])
    found = rows_of(column, np.array([4, 3, 1, 0, 4]))
    assert (found.codes.tolist(), list(found.texts)) == ([0, 1, -1, 1, 0], ["c", "b"])


def comparison_of(left, right=None, keys=None, other_keys=None):
    """Columns of both sides, or of one table, by words."""
    lefts = [Column.of(values) for values in left]
    rights = lefts if right is None else [Column.of(values) for values in right]
    fitted = [fit_columns(a, b, TfIdf(smooth=True)) for a, b in zip(lefts, rights, strict=True)]
    lefts, rights, measures = (list(part) for part in zip(*fitted, strict=True))
    rights = lefts if right is None else rights
    return Comparison(lefts, rights, measures, [1.0] * len(lefts), right is None, keys, other_keys)


@pytest.mark.parametrize("keyed", [False, True])
@pytest.mark.parametrize("fields", [1, 2])
def test_kinds_of_records(keyed, fields):
    """The slow twin: records that have the same texts and key are of one kind; without any they are alone."""
    for seed in range(25):
        random = np.random.default_rng(seed)
        size = int(random.integers(1, 9))
        columns = [random.choice(["a", "b", None], size).tolist() for _ in range(fields)]
        keys = random.integers(-1, 3, size) if keyed else None
        firsts, kinds = comparison_of(columns, keys=keys, other_keys=keys).distinct_records()
        known, expected = {}, []
        for row in range(size):
            texts = tuple(column[row] for column in columns)
            whole = any(texts) and (keys is None or keys[row] >= 0)
            expected.append(known.setdefault((texts, keys is not None and keys[row]) if whole else row, row))
        assert firsts[kinds].tolist() == expected
        assert firsts.tolist() == sorted(set(expected))


def scores_by_hand(comparison):
    lefts, rights = comparison.left_size, comparison.right_size
    a, b = (side.ravel() for side in np.indices((lefts, rights)))
    return comparison.scores(a, b).reshape(lefts, rights)


WORDS = ["red", "blue", "pen", "ink", "old"]


def random_texts(random, size, empty=0.15):
    return [
        None if random.random() < empty else " ".join(random.choice(WORDS, random.integers(1, 4))) for _ in range(size)
    ]


def agree(comparison):
    lefts, rights = comparison.left_keys, comparison.right_keys
    if lefts is None:
        return np.ones((comparison.left_size, comparison.right_size), bool)
    return (lefts[:, None] == rights[None, :]) & (lefts[:, None] >= 0)


@pytest.mark.parametrize("keyed", [False, True])
@pytest.mark.parametrize("fields", [1, 2])
@pytest.mark.parametrize("self_join", [False, True])
def test_best_partners_and_all_pairs_by_hand(keyed, fields, self_join):
    for seed in range(6):
        random = np.random.default_rng(seed)
        sizes = (7, 7) if self_join else (7, 5)
        sides = [[random_texts(random, size) for _ in range(fields)] for size in sizes]
        keys = [random.integers(-1, 2, size) if keyed else None for size in sizes]
        one = comparison_of(sides[0], None if self_join else sides[1], keys[0], keys[0 if self_join else 1])
        score = np.where(agree(one), scores_by_hand(one), 0.0)
        if self_join:
            np.fill_diagonal(score, 0.0)
        texts = [list(zip(*side, strict=True)) for side in (sides[0], sides[0 if self_join else 1])]
        equal = np.array([[a == b and any(a) for b in texts[1]] for a in texts[0]])
        for least, k, unequal in itertools.product((0.0, 0.5), (1, 3), (False, True)):
            allowed = (score > 0) & (score >= least) & ~(equal & unequal)
            expected = [
                (a, b)
                for a in range(sizes[0])
                for b in sorted(np.flatnonzero(allowed[a]), key=lambda b, a=a: (-score[a, b], b))[:k]
            ]
            found = one.top(k, least, exclude_equal=unequal)
            assert list(zip(found.left.tolist(), found.right.tolist(), strict=True)) == expected
            assert found.score.tolist() == [score[pair] for pair in expected]
            some = np.array([5, 1])
            part = one.top(k, least, some, exclude_equal=unequal)
            chosen = {*zip(part.left.tolist(), part.right.tolist(), strict=True)}
            assert chosen == {pair for pair in expected if pair[0] in (1, 5)}
            every = one.above(least or 0.01, exclude_equal=unequal)
            pairs = {(a, b) for a, b in zip(*np.nonzero(allowed & (score >= (least or 0.01))), strict=True)}
            pairs = {(min(pair), max(pair)) for pair in pairs} if self_join else pairs
            assert sorted(zip(every.left.tolist(), every.right.tolist(), strict=True)) == sorted(pairs)


def test_reciprocal_pairs_by_hand():
    for seed in range(8):
        random = np.random.default_rng(seed)
        sides = [random_texts(random, size) for size in (8, 6)]
        one = comparison_of(sides[:1], sides[1:])
        score = scores_by_hand(one)
        found = reciprocal_pairs(one, 0.2)
        expected = [
            (a, int(score[a].argmax()))
            for a in range(8)
            if score[a].max() >= 0.2 and score[:, score[a].argmax()].argmax() == a
        ]
        assert list(zip(found.left.tolist(), found.right.tolist(), strict=True)) == expected


def test_one_to_one_is_the_best_there_is():
    for seed in range(8):
        random = np.random.default_rng(seed)
        sides = [random_texts(random, size, 0.0) for size in (6, 5)]
        one = comparison_of(sides[:1], sides[1:])
        score = scores_by_hand(one)
        for least in (0.0, 0.3):
            score = np.where(score >= least, score, 0.0)
            best = max(sum(score[a, b] for b, a in enumerate(lefts)) for lefts in itertools.permutations(range(6), 5))
            found, told = assigned_pairs(one, least)
            assert found.score.sum() == pytest.approx(best)
            assert len(set(found.left)) == len(set(found.right)) == len(found)
            assert told.startswith(
                f"one to one: {len(found)} pairs with the highest sum of scores there is, {best:,.2f}"
            )


def test_seen_from_the_right():
    random = np.random.default_rng(5)
    one = comparison_of([random_texts(random, 6)], [random_texts(random, 5)])
    before = one.reversed().top(2)
    one.top(1)  # texts are prepared
    after = one.reversed().top(2)
    assert before.left.tolist() == after.left.tolist()
    assert before.right.tolist() == after.right.tolist()
    assert scores_by_hand(one.reversed()).tolist() == scores_by_hand(one).T.tolist()


def test_pairs_that_are_left_out():
    pairs = Pairs(np.array([0, 0, 0, 1]), np.array([3, 2, 1, 0]), np.array([0.9, 0.8, 0.7, 0.6]))
    kept = without(pairs, np.array([False, True, False, False]))
    assert kept.right.tolist() == [3, 1, 0]
    assert first(pairs, 2).right.tolist() == [3, 2, 0]
    assert first(pairs, 1).right.tolist() == [3, 0]


# Distinct texts.


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


# Candidates and evidence.


def test_how_many_candidates():
    assert [other_ways(count) for count in (1, 10, 12, 13)] == [5, 5, 6, 6]
    assert [of_right_records(count) for count in (1, 20, 23, 24)] == [5, 5, 5, 6]
    found = Pairs(np.array([0, 1, 2, 0]), np.array([0, 0, 0, 1]), np.array([0.9, 0.8, 0.7, 0.6]))
    assert lasts(found.right, found.score, 3, 2).tolist() == [0.8, 0, 0]
    assert lasts(found.right, found.score, 3, 1).tolist() == [0.9, 0.6, 0]
    assert lasts(found.right, found.score, 3, 4).tolist() == [0, 0, 0]


def test_halves_of_the_records_that_are_asked():
    found = pairs_of([0, 1, 2, 2], [4, 3, 0, 1], 3, 5)
    for relation, side in ((Relation.ONE, "left"), (Relation.TO_ONE, "left"), (Relation.TO_MANY, "right")):
        for half, (mine, part) in enumerate(found.halves(relation)):
            assert mine.tolist() == [record % 2 == half for record in getattr(found, side)]
            assert getattr(part, side).tolist() == (getattr(found, side)[mine] // 2).tolist()
            sizes = {"left": ((2, 1)[half], 5), "right": (3, (3, 2)[half])}[side]
            assert (part.lefts, part.rights) == sizes
            assert not part.self_join
    assert pairs_of([], [], 5, 5).asked_from_left(Relation.ONE)
    assert not pairs_of([], [], 6, 5).asked_from_left(Relation.ONE)
    assert pairs_of([], [], 6, 5).asked_from_left(Relation.TO_ONE)
    assert not pairs_of([], [], 5, 6).asked_from_left(Relation.TO_MANY)


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
    assert usual == pytest.approx(3 * np.log(2))
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


# Decisions.


def test_no_odds_are_endless():
    for made in (at_most(decision_of([0.0, 1.0]), np.ones(2), None),):
        assert np.isfinite(made.odds).all()
        assert made.odds.tolist() == pytest.approx([-np.log(9999), np.log(9999)])
    found = pairs_of([0, 1], [0, 1], 2, 2)
    overall = Evidence(np.zeros(2, bool), np.array([1.0, 0.0]), np.zeros(2, bool), np.ones(2))
    made = by_score(found, overall, None, Relation.ONE)
    assert np.isfinite(made.odds).all()
    assert made.fields == ("*", "rivals")
    np.testing.assert_allclose(made.parts.sum(1) + made.prior, made.odds)


def test_more_than_few():
    found = pairs_of([], [], 100, 200)
    with decided_by(Limits(few_between=0.1, reading_errors=1.0)):
        # m - sqrt(m) > 10
        border = ((1 + 41**0.5) / 2) ** 2
        assert more_than_few(found, border + 1e-6)
        assert not more_than_few(found, border - 1e-6)
        assert not more_than_few(pairs_of([], [], 100, 100, True), 90)


def test_which_side_has_several():
    found = pairs_of([0, 0, 1, 2], [0, 1, 2, 2], 3, 3)
    assert _relation(found, np.array([1, 0, 1, 0], bool)) is Relation.ONE
    assert _relation(found, np.array([1, 1, 1, 0], bool)) is Relation.TO_MANY
    assert _relation(found, np.array([1, 0, 1, 1], bool)) is Relation.TO_ONE
    assert _relation(found, np.array([1, 1, 1, 1], bool)) is Relation.MANY


def test_what_a_decision_says():
    decision = decision_of([0.9, 0.6, 0.2], keep=[1, 1, 0])
    assert decision.least == 0.5
    assert tables.doubt_note(decision) == []
    low = Calibration(0.5, 1.0, 0.499, 0.5, 0.6, ((), ()))
    assert "50 in 100" in tables.doubt_note(replace(decision, calibration=low))[0]
    assert tables.doubt_note(replace(decision, calibration=replace(low, precision=0.5))) == []
    assert tables.doubt_note(replace(decision, calibration=low, keep=np.zeros(3, bool))) == []


def test_weights_in_words():
    decision = decision_of([0.5, 0.5], parts=[[1.0, -2.0], [0.04, 0.05]], prior=-3.0)
    assert tables.weights_in_words(decision, np.array([1, 0])) == [
        "before -3.0, rivals +0.1",
        "before -3.0, rivals -2.0, a +1.0",
    ]
    left = read_table([{"id": f"l{n}", "t": "x"} for n in range(2)], id="id")
    right = read_table([{"id": f"r{n}", "t": "x"} for n in range(2)], id="id")
    table = tables.evidence_table(left, right, decision, np.array([1]))
    assert table.to_pylist() == [
        {"left": "l1", "right": "r1", "field": "before", "weight": -3.0},
        {"left": "l1", "right": "r1", "field": "a", "weight": 0.04},
        {"left": "l1", "right": "r1", "field": "rivals", "weight": 0.05},
    ]


@pytest.mark.parametrize("parts", [1, 5, 6, 7])
def test_five_reasons_are_shown(parts):
    shown = [SimpleNamespace(left=f"w{n}", right=f"w{n}" if n else "v0", value=(n + 1) / 8) for n in range(parts)]
    said = tables._reason(SimpleNamespace(contributions=shown))
    words = [f"w{n} {(n + 1) / 8:.3f}" if n else "w0 ~ v0 0.125" for n in reversed(range(parts))]
    rest = sum((n + 1) / 8 for n in range(max(0, parts - 5)))
    assert said == "; ".join(words[:5] + ([f"others {rest:.3f}"] if parts > 5 else []))


def test_who_is_alone():
    texts = pa.array(["a", "b", "c"])
    records = read_table([{"id": f"{n}", "t": text} for n, text in enumerate("abc")], id="id")
    numbers = read_table([{"id": n, "t": text} for n, text in enumerate("abc")], id="id")
    found = tables.unmatched_table([("left", records, np.array([1]), texts), ("right", numbers, NOBODY, texts)])
    assert [(row["side"], str(row["id"]), row["text"]) for row in found.to_pylist()] == [
        ("left", "0", "a"), ("left", "2", "c"), ("right", "0", "a"), ("right", "1", "b"), ("right", "2", "c"),
    ]  # fmt: skip


def test_clusters_are_counted_by_their_first_record():
    numbers, sizes, stands = tables.cluster_numbers(np.array([5, 2, 5, 7]), np.array([2, 1]))
    assert (numbers.tolist(), sizes.tolist(), stands.tolist()) == (
        [0, 1, 0, 2],
        [2, 1, 2, 1],
        [False, True, True, False],
    )
    assert [part.tolist() for part in tables.cluster_numbers(NOBODY, NOBODY)] == [[], [], []]


def test_the_best_of_each_and_the_doubtful():
    found = pairs_of([0, 0, 2], [1, 2, 3], 5, 5, True)
    assert tables.best_scores(found, np.array([0.5, 0.9, 0.1])).tolist() == [0.9, 0.5, 0.9, 0.1, 0.0]
    pairs = Pairs(np.array([0, 1, 2, 3, 4]), np.array([1, 2, 3, 4, 5]), np.array([0.5, 0.625, 0.375, 0.75, 0.25]))
    groups = np.array([0, 0, 1, 1, 1, 2])
    # 0-1 is together at the threshold; 1-2 is above it and apart; 2-3 below it and together; 3-4 and 4-5 are far
    assert tables.doubtful(pairs, groups, 0.5, 0.125).tolist() == [0, 1, 2]
    assert tables.doubtful(pairs, groups, 0.5, 0.124).tolist() == [0, 1, 2]
    assert tables.doubtful(pairs, np.array([0, 0, 0, 1, 1, 2]), 0.5, 0.125).tolist() == [0, 1, 2]
    assert tables.doubtful(pairs, np.array([0, 0, 0, 1, 1, 2]), 0.5, 0.12).tolist() == [0]


def test_given_pairs_are_in_order():
    decision = decision_of([0.9, 0.1, 0.8])
    given, chosen = tables.given_pairs(decision, lambda a, b, rows: rows / 4.0)
    assert (given.left.tolist(), given.right.tolist(), chosen.tolist()) == ([0, 2], [0, 2], [0, 2])
    within = replace(decision, found=pairs_of([0, 0, 1], [1, 2, 2], 3, 3, True))
    given, chosen = tables.given_pairs(within, lambda a, b, rows: np.array([0.9, 0.1, 0.8])[rows])
    assert list(zip(given.left.tolist(), given.right.tolist(), chosen.tolist(), strict=True)) == [
        (0, 1, 0), (1, 0, 0), (1, 2, 2), (2, 1, 2),
    ]  # fmt: skip
    assert given.score.tolist() == [0.9, 0.9, 0.8, 0.8]


# Notes and tables.


def test_copies_are_told_of():
    assert copied_note("table", 1, 10) == []
    assert copied_note("table", 2, 19)[0].startswith("table: 2 records equal to others")
    one = comparison_of([["a", "a", "b", None]], [["a", "b", "c"]])
    sides = [read_table([{"t": "a"}] * size, name=name) for size, name in ((4, "left"), (3, "right"))]
    assert [note.split(":")[0] for note in copies_note(one, *sides)] == ["left"]
    assert copies_note(comparison_of([["a", "a"]] * 2, [["a", "b"]] * 2), *sides) == []


def test_why_nothing_is_compared():
    empty, full = comparison_of([[None, ""]], [["a"]]), comparison_of([["a"]], [["b"]])
    sides = [read_table([{"t": "a"}], name=name) for name in ("left", "right")]
    assert why_nothing(empty, *sides) == ["left: every cell that is compared is empty"]
    assert why_nothing(full, *sides) == []
    assert why_nothing(full, read_table(pa.table({"t": pa.array([], pa.string())}), name="left"), sides[1]) == [
        "left has no rows"
    ]


def test_words_that_stand_for_none():
    assert placeholders({"none": 2}, 10, 10) == {}
    assert placeholders({"none": 3}, 10, 10) == {"none": 3}
    assert placeholders({"none": 2, "n/a": 1}, 1, 10) == {"none": 2, "n/a": 1}
    assert placeholders({"none": 3}, 1, 11) == {}
    assert placeholders({"\\N": 1, "none": 1}, 1, 11) == {"\\N": 1}
    assert placeholder_note("name", {"none": 1, "x": 2}) == "name: 'x' is no value (3 records)"
    assert placeholder_note("name", {"none": 1}) == "name: 'none' is no value (1 record)"
    records = read_table([{"a": "x", "b": "x"}, {"a": "y", "b": "x"}])
    assert without_values(records, {"a": frozenset(["x"]), "z": frozenset(["x"])}).table.to_pylist() == [
        {"a": None, "b": "x"},
        {"a": "y", "b": "x"},
    ]


def test_columns_with_the_same_letters():
    assert _same_letters(["First_Name", "b"], ["first name", "FIRSTNAME", "c"]) == {"First_Name": "first name"}
    left, right = read_table([{"a": 1, "both": 2}]), read_table([{"b": 1, "both": 2}])
    assert _apart(left, right) == (["a"], ["b"])
    renamed, notes = with_names_of(left, right, {"a": "b"})
    assert renamed.table.column_names == ["a", "both"]
    assert notes == ["compared with each other, by what they hold: 'a' and 'b'"]
    for count, more in ((8, ""), (9, ", ...")):
        left = read_table([{"x": 1, **{f"l{n}": 1 for n in range(count)}}])
        _, notes = with_names_of(left, read_table([{"x": 1}]), {})
        few = ", ".join(f"'l{n}'" for n in range(8))
        assert notes == [
            f"without a partner in the other table: {few}{more} (left_on and right_on name columns that go together)"
        ]
    words = _Words.of(read_table([{"t": "A b"}, {"t": None}, {"t": "C"}]), "t")
    assert (words.words, words.length) == ({"a", "b", "c"}, 1.5)
    assert _Words.of(read_table([{"t": None, "u": 1}]), "t").length == 0.0


@pytest.mark.parametrize(
    ("words", "brief"),
    [
        ("abc", True),
        (["abcd", "a"], False),
        (["a", "b", "c", "d", "long"], False),
        (["a", "b", "c", "d", "e", "long"], True),
    ],
)
def test_brief_words(words, brief):
    assert _Words("text", frozenset(words), 1.0, np.zeros(0)).brief == brief


@pytest.mark.parametrize(
    ("values", "sound"),
    [
        ({"alone": 1.0}, True),
        ({"alone": 0.0}, False),
        ({"alone": 1.001}, False),
        ({"common": {"a": 1.0}}, True),
        ({"common": {"a": 1.001}}, False),
        ({"common": {"a": 0.0}}, False),
        ({"scale": [True, 1.0]}, True),
        ({"scale": [True, 0.0]}, False),
        ({"kind": "nothing"}, False),
    ],
)
def test_a_field_of_a_model_at_its_borders(values, sound):
    plain = {"kind": "number", "measure": None, "scale": None, "common": {}, "alone": 0.5, **values}
    if sound:
        assert models._field_json(models._field(plain)) == {**plain, "scale": plain["scale"] and tuple(plain["scale"])}
    else:
        with pytest.raises(ValueError):
            models._field(plain)


def test_labels_that_are_empty_are_none():
    assert asked_for([]) is None
    assert asked_for(None) is None
    assert asked_for([("a", "b", True)]) == [("a", "b", True)]


def test_old_records_go_with_most_of_their_cluster():
    before = {"a": 0, "b": 0, "c": 0, "d": 1}
    # a and b are alone together, c joined d: two stay, one goes: c comes back
    assert rejoined(before, list("abcd"), np.array([0, 0, 2, 2])).tolist() == [0, 0, 2, 2]
    # one stays and one joins others: it is taken along
    assert rejoined({"a": 0, "b": 0, "d": 1}, list("abd"), np.array([0, 1, 1])).tolist() == [1, 1, 1]
    # two stay apart and nobody joins others: together again, under the first
    assert rejoined({"a": 0, "b": 0}, list("ab"), np.array([0, 1])).tolist() == [0, 0]
    assert rejoined({}, list("ab"), np.array([0, 1])).tolist() == [0, 1]
    # of two groups that they join, the one with more of them
    before = dict.fromkeys("abc", 0) | {"x": 1, "y": 2}
    assert rejoined(before, list("abcxy"), np.array([0, 1, 1, 0, 1])).tolist() == [0, 1, 1, 0, 1]


def test_survivors_of_clusters():
    table = pa.table(
        {
            "id": ["1", "2", "3", "4"],
            "name": ["A", "Bo", "Bo", None],
            "seen": ["2020-01-01", "2021-01-01", "2019-01-01", "2018-01-01"],
        }
    )
    groups, chosen = np.array([0, 0, 0, 3]), np.array([3, 1])
    made = merged_records(table, groups, chosen, {"name": "newest", "seen": "longest"}, "seen", "id").to_pylist()
    assert made == [
        {"id": "2", "name": "Bo", "seen": "2020-01-01"},
        {"id": "4", "name": None, "seen": "2018-01-01"},
    ]
    frequent = merged_records(table, groups, chosen, {}, id="id").to_pylist()
    assert [row["name"] for row in frequent] == ["Bo", None]
    dates = pa.table({"name": ["x", "y"], "seen": ["1/2/2020", "2/1/2020"]})
    for day_first, newest in ((True, "x"), (False, "y"), (None, "y")):
        made = merged_records(dates, np.array([0, 0]), np.array([0]), {"*": "newest"}, "seen", None, day_first)
        assert made.to_pylist()[0]["name"] == newest


def test_what_the_best_pair_first_would_lose():
    """The best pair first leaves a pair of next to nothing; where it is right, nothing is lost."""
    texts = [["red blue", "red"], ["red blue pen", "blue red"]]
    one = comparison_of([texts[0]], [texts[1]])
    score = scores_by_hand(one)
    lost = max(score[0, 0] + score[1, 1], score[0, 1] + score[1, 0]) - (
        score.max() + score[1 - score.argmax() // 2, 1 - score.argmax() % 2]
    )
    assert f"would have lost about {lost:,.2f}" in assigned_pairs(one, 0.0)[1]
    same = comparison_of([["red", "blue"]], [["red", "blue"]])
    assert "would have lost about 0.00" in assigned_pairs(same, 0.0)[1]


def test_the_distribution_of_scores_is_that_of_a_sample(monkeypatch):
    one = comparison_of([["red pen", "red ink", None, "blue", "blue pen", "old", "old ink"]])
    every, near = threshold._best_scores(one, 1)
    assert len(every) == 7
    assert every[near.left].tolist() == near.score.tolist()
    monkeypatch.setattr(threshold, "_SHOWN", 3)
    some, near = threshold._best_scores(one, 1)
    assert some.tolist() == every[::3].tolist()
    assert {*near.left} <= {0, 3, 6}


def test_what_fields_say_of_the_same_and_of_others():
    decision = decision_of([0.9, 0.6, 0.2], parts=[[1.0, 2.0], [3.0, 4.0], [-5.0, -6.0]])
    curves = decision.summary(None).curves
    assert ("a", 2.0, -5.0) in vars_of(curves)
    assert ("rivals", 3.0, -6.0) in vars_of(curves)
    none = decision_of([0.1, 0.2], parts=[[1.0, 2.0], [3.0, 4.0]])
    assert ("a", 0.0, 2.0) in vars_of(none.summary(None).curves)


def vars_of(curves):
    return [one for name in curves.__dataclass_fields__ for one in getattr(curves, name)]


# What a model is asked.


def model_of(relation=Relation.ONE, self_join=False, **learnt):
    measure = TfIdf().fit(["a b", "b c"])
    return models.Model(Learnt(relation, self_join, **learnt), measure, measure, {"a": None}, {})


def test_a_model_is_of_one_table_or_of_two():
    for made in (False, True):
        for asked in (False, True):
            if made == asked:
                model_of(self_join=made).check(asked, ["a"])
            else:
                with pytest.raises(InputError, match="learnt on one table" if made else "learnt on two tables"):
                    model_of(self_join=made).check(asked, ["a"])
    for fields in (["b"], [], ["a", "b"]):
        with pytest.raises(InputError):
            model_of().check(False, fields)


def test_the_relation_of_a_model():
    one, many = model_of(), model_of(Relation.MANY)
    assert one.for_relation(None) is one
    assert one.for_relation(Relation.ONE) is one
    for model, asked in ((one, Relation.MANY), (many, Relation.ONE), (one, Relation.TO_ONE)):
        with pytest.raises(OptionError, match="was learnt for the relation"):
            model.for_relation(asked)
    assert model_of(Relation.MANY, texts=True).for_relation(Relation.ONE).learnt.relation is Relation.ONE
    with pytest.raises(OptionError):
        model_of(Relation.MANY, texts=True).for_relation(Relation.TO_ONE)


def test_what_a_model_is_given_as(tmp_path):
    model = model_of()
    assert as_model(None) is None
    assert as_model(model) is model
    with pytest.raises(OptionError, match="not int"):
        as_model(3)
    assert known_measure(None, None) is None
    assert known_measure("x", None) == known_measure("x", model) == "x"
    assert known_measure(None, model) is model.scores
    records = read_table([{"id": n, "t": "x"} for n in (7, 8, 9)], id="id")
    assert _kept(records, records, None) == ()
    labels = (np.array([0, 2]), np.array([1, 0]), np.array([True, False]))
    assert _kept(records, records, labels) == (("7", "8", True), ("9", "7", False))


def test_a_model_corrects_the_parts_it_was_taught():
    decision = decision_of([0.9, 0.2], parts=[[1.0, 1.0], [-2.0, 0.5]])
    plain = Learnt(Relation.MANY, False)
    assert corrected(decision, plain, None) is decision
    bent = replace(plain, correction=Correction((0.0,) * len(KNOTS), (1.0, 2.0)))
    assert corrected(decision, bent, None).odds.tolist() == pytest.approx([3.0, -1.0])
    with pytest.raises(InputError, match="corrects 3 parts, and 2 speak"):
        corrected(decision, replace(plain, correction=Correction((0.0,) * len(KNOTS), (1.0,) * 3)), None)
