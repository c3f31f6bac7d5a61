"""Any two records are weighed as the candidates of a decision are, here and from a folder, and it is said why."""

from dataclasses import replace

import numpy as np
import pytest
from tests.records.test_decision import people, worse

import likewise as lw
from likewise.errors import InputError
from likewise.records.model import Model
from likewise.records.weighed import Weighed


def two_tables(fields=("name", "town", "born", "key"), paid=False):
    random, left = np.random.default_rng(5), people(140)
    right = [worse(row, random) for row in left[:90]] + people(60, seed=9)
    tables = [[{name: row[name] for name in fields} for row in rows] for rows in (left, right)]
    for place, row in enumerate([row for rows in tables for row in rows] if paid else []):
        row["paid"] = f"{10 + place % 140},50"
    return tables


def one_table(copies):
    random, rows = np.random.default_rng(6), people(120, seed=3)
    return [*rows, *(worse(row, random) for row in rows[:60] for _ in range(copies))]


def left_out(weighed, place):
    """Return the same without one of the candidates."""
    rest = np.arange(len(weighed.found)) != place
    parts = {name: getattr(weighed, name)[rest] for name in ("parts", "plain", "probability", "keep")}
    return replace(weighed, found=weighed.found.take(rest), **parts)


def asked(weighed, place):
    return weighed.left.ids[int(weighed.found.left[place])].as_py(), weighed.right.ids[
        int(weighed.found.right[place])
    ].as_py()


CASES = {
    "one partner": (lambda: lw.match(*two_tables(paid=True)), 1e-12),
    "a single text": (lambda: lw.match(*two_tables(["name"])), 1e-12),
    "said to be 1:1": (lambda: lw.match(*two_tables(), relation="1:1"), 1e-12),
    # Where records have several partners a likely one makes a value rarer: that is no longer so of the pair left out.
    "several partners": (lambda: lw.dedupe(one_table(3)), 1.0),
    "one table": (lambda: lw.dedupe(one_table(1)), 1e-12),
}


@pytest.mark.parametrize("case", CASES)
def test_a_pair_that_was_not_looked_at_weighs_what_it_would_as_a_candidate(case):
    find, near = CASES[case]
    weighed = find().weighed
    assert weighed.keep.any()
    for place in [*np.flatnonzero(weighed.keep)[:5], *np.flatnonzero(weighed.probability == 0)[::400]]:
        pair = asked(weighed, place)
        fields = [one for one in weighed(*pair).weights if one[0] != "rivals"]
        others = [one for one in left_out(weighed, place)(*pair).weights if one[0] != "rivals"]
        assert [name for name, _ in others] == [name for name, _ in fields]
        assert np.abs(np.array([a - b for (_, a), (_, b) in zip(fields, others, strict=True)])).max() <= near


def test_the_same_from_a_folder(tmp_path):
    found = lw.match(*two_tables(paid=True))
    found.weighed.write(tmp_path)
    found.model.save(tmp_path / "m.json")
    again = Weighed.open(tmp_path, Model.load(tmp_path / "m.json"))
    one = found[0]
    far = next(b for b in range(140) if not np.any((again.found.left == 3) & (again.found.right == b)))
    for pair in ((one.left, one.right), (3, far)):
        assert again(*pair) == found.waterfall(*pair)
        assert again.texts(*pair) == found.weighed.texts(*pair)
    assert Weighed.open(tmp_path / "nothing", None) is None


def test_it_is_said_why():
    found = lw.match(*two_tables())
    weighed = found.weighed
    given = {(pair.left, pair.right) for pair in found}
    a, b = next((a, b) for a, b in sorted(given) if a == b)
    assert found.waterfall(a, b).said.startswith("given, as its probability is 1.00 (")
    rival = next(
        other for other in range(150) if other != b and (weighed.found.left[weighed.found.right == other] == a).any()
    )
    assert f"not given, as a record has one partner at most: {a} goes with {b} (" in found.waterfall(a, rival).said
    alone = set(range(140)) - {left for left, _ in given}, set(range(150)) - {right for _, right in given}
    x, y = min(alone[0]), min(alone[1])
    said = found.waterfall(x, y).said
    assert said.startswith("not given, as its probability is less than 0.0001 (")
    looked_at = bool(np.any((weighed.found.left == x) & (weighed.found.right == y)))
    assert ("not compared, as 20 others are nearer" in said) is not looked_at


def test_of_one_table_it_is_said_whether_they_are_in_one_cluster():
    found = lw.dedupe(one_table(1))
    a, b = next(cluster.ids for cluster in found if len(cluster.ids) == 2)
    for pair in ((a, b), (b, a)):
        assert found.waterfall(*pair).said.endswith("is enough); in one cluster")
    assert found.waterfall(a, b).weights == found.waterfall(b, a).weights
    assert found.waterfall(a, b - 1).said.endswith("in different clusters")
    assert found.weighed.texts(a, b) == found.weighed.texts(b, a)[::-1]


def test_where_nothing_stands_out_that_is_said():
    found = lw.match(people(60, seed=41), people(60, seed=42))
    assert len(found) == 0
    weighed = found.weighed
    pair = asked(weighed, 0)
    assert (
        found.waterfall(*pair).said
        == "not given, as no pair is: nothing stands out from what a wrong partner looks like"
    )
    far = next((0, b) for b in range(60) if not np.any((weighed.found.left == 0) & (weighed.found.right == b)))
    with pytest.raises(InputError, match="were not compared, as others are nearer, and nothing was learnt"):
        found.waterfall(*far)


def test_labels_correct_a_pair_that_was_not_looked_at():
    tables = two_tables()
    plain = lw.match(*tables)
    doubtful = [(row["left"], row["right"], row["left"] == row["right"]) for row in plain.review.to_pylist()]
    found = lw.match(*tables, labels=[*doubtful, *((place, place, True) for place in range(40))])
    weighed = found.weighed
    bent = replace(found.model.learnt, correction=found.model.learnt.correction or _correction(weighed))
    weighed = replace(weighed, model=replace(found.model, learnt=bent))
    far = next((3, b) for b in range(140) if not np.any((weighed.found.left == 3) & (weighed.found.right == b)))
    weights = dict(weighed(*far).weights)
    before = dict(found.weighed(*far).weights)
    assert weights["labels"] == pytest.approx(sum(w for w in [0.5 * np.exp(-0.5 * (sum(before.values()) + 6) ** 2)]))


def _correction(weighed):
    from likewise.records.decision import KNOTS, Correction

    return Correction((0.5, *(0.0 for _ in KNOTS[1:])), tuple(1.0 for name in weighed.fields if name != "judged"))


@pytest.mark.parametrize(
    ("left", "right", "says"),
    [("x", 0, "no record of left has the id 'x'"), (0, 999, "no record of right has the id 999")],
)
def test_ids_that_nobody_has(left, right, says):
    found = lw.match(*two_tables())
    with pytest.raises(InputError, match=says):
        found.waterfall(left, right)


def test_a_record_beside_itself_is_no_pair():
    found = lw.dedupe(one_table(1))
    with pytest.raises(InputError, match="3 is one record: name two"):
        found.waterfall(3, 3)
