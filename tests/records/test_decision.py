"""Decisions without labels on tables that are made here, and on bad ones."""

from dataclasses import replace

import numpy as np
import pytest
from tests.records.made import decision_of

import likewise as lw
from likewise.records.decision import Learnt, Least
from likewise.records.partners import Relation

FIRST = ["ada", "grace", "kurt", "emmy", "alan", "rosa", "noam", "lise", "niels", "marie", "paul", "sofia"]
LAST = ["lovelace", "hopper", "goedel", "noether", "turing", "parks", "chomsky", "meitner", "bohr", "curie", "dirac"]
TOWNS = ["basel", "london", "goettingen", "paris", "vienna", "copenhagen", "stockholm"]


def people(count, seed=1):
    """Return records that are all different."""
    random = np.random.default_rng(seed)
    return [
        {
            "name": f"{random.choice(FIRST)} {random.choice(LAST)} {chr(97 + random.integers(26))}.",
            "town": str(random.choice(TOWNS)),
            "born": f"{random.integers(1850, 1950)}-{random.integers(1, 13):02}-{random.integers(1, 29):02}",
            "key": f"{random.integers(10**6, 10**7)}",
        }
        for _ in range(count)
    ]


def worse(record, random):
    """Return the record as somebody else would write it."""
    name = record["name"]
    cut = int(random.integers(1, len(name) - 1))
    changed = {**record, "name": name[:cut] + name[cut + 1 :]}
    year, month, day = record["born"].split("-")
    if random.random() < 0.3 and int(day) <= 12:
        changed["born"] = f"{year}-{day}-{month}"
    if random.random() < 0.3:
        changed["key"] = None
    if random.random() < 0.2:
        changed["town"] = str(random.choice(TOWNS))
    return changed


def f1(found, gold):
    pairs = {(match.left, match.right) for match in found}
    return 2 * len(pairs & gold) / (len(pairs) + len(gold))


@pytest.fixture(scope="module")
def tables():
    random = np.random.default_rng(5)
    left = people(300)
    right = [worse(record, random) for record in left[:180]] + people(150, seed=9)
    return left, right, {(place, place) for place in range(180)}


def test_two_tables(tables):
    left, right, gold = tables
    found = lw.match(left, right)
    assert f1(found, gold) >= 0.98
    assert found.decision.relation == "1:1"
    assert abs(found.decision.matches - 180) <= 20
    assert found.decision.f1 == pytest.approx(f1(found, gold), abs=0.06)
    assert found.decision.kinds == {"name": "name", "town": "category", "born": "date", "key": "code"}
    assert all(match.probability > 0.3 for match in found)
    assert "decided without labels" in found.decision.to_text()
    assert found.decision.to_json()["relation"] == "1:1"


def test_weights_add_up_and_the_same_comes_out_again(tables):
    left, right, _ = tables
    found, again = lw.match(left, right, explain=True), lw.match(left, right, explain=True, threads=1)
    assert found.table.equals(again.table)
    assert found.evidence.equals(again.evidence)
    one = found[0]
    rows = [row for row in found.evidence.to_pylist() if (row["left"], row["right"]) == (one.left, one.right)]
    assert {row["field"] for row in rows} == {"before", "*", "name", "town", "born", "key", "rivals"}
    chance = min(max(one.probability, 1e-4), 1 - 1e-4)
    assert sum(row["weight"] for row in rows) == pytest.approx(np.log(chance / (1 - chance)))
    said = dict(part.rsplit(" ", 1) for part in one.why.split(", "))
    assert "before" in said
    assert sum(map(float, said.values())) == pytest.approx(np.log(chance / (1 - chance)), abs=0.35)


def test_the_raw_list_is_there_on_request(tables):
    left, right, _ = tables
    for raw in ({"all": True}, {"top": 1}, {"min_score": 0.01}):
        found = lw.match(left, right, **raw)
        assert found.decision is None
        assert len(found) == 300
    assert len(lw.match(left, right, top=3)) == 900


def test_a_wished_precision(tables):
    left, right, gold = tables
    found = lw.match(left, right, precision=0.99)
    assert found.decision.precision >= 0.99
    assert len({(match.left, match.right) for match in found} - gold) <= 0.03 * len(found)


def test_no_match_at_all_is_none():
    found = lw.match(people(200, seed=2), people(220, seed=3))
    assert len(found) == 0
    assert "no match" in found.notes[-1]
    assert found.review.num_rows == 50  # the nearest, to be judged
    assert found.unmatched.num_rows == 420


def test_everything_a_match_and_one_table_inside_the_other():
    random = np.random.default_rng(6)
    left = people(120, seed=4)
    every = {(place, place) for place in range(120)}
    assert f1(lw.match(left, [worse(record, random) for record in left]), every) >= 0.97
    assert f1(lw.match(left, left + people(200, seed=8)), every) >= 0.97


@pytest.mark.parametrize("bad", [lambda n: None, lambda n: "same", lambda n: f"unique{n * 7919}"])
def test_fields_that_say_nothing(tables, bad):
    left, right, gold = tables
    left = [{**record, "bad": bad(place)} for place, record in enumerate(left)]
    right = [{**record, "bad": bad(place + 10_000)} for place, record in enumerate(right)]
    assert f1(lw.match(left, right), gold) >= 0.95


def test_duplicates_in_one_table():
    random = np.random.default_rng(7)
    base = people(150, seed=11)
    rows, truth = [], []
    for number, record in enumerate(base):
        for copy in range(1 + number % 5):
            rows.append(record if not copy else worse(record, random))
            truth.append(number)
    found = lw.dedupe(rows)
    labels, truth = np.array(found.table["cluster"].to_pylist()), np.array(truth)
    same, wanted = labels[:, None] == labels[None, :], truth[:, None] == truth[None, :]
    off = ~np.eye(len(rows), dtype=bool)
    assert 2 * (same & wanted & off).sum() / ((same & off).sum() + (wanted & off).sum()) >= 0.97
    assert found.decision.relation == "m:m"
    assert {"left", "right", "field", "weight"} <= set(found.evidence.column_names)
    assert len(lw.dedupe(people(150, seed=12))) >= 148


@pytest.fixture(scope="module")
def customers():
    """Return customers, their orders (none to three each, the later ones with slips), and whose they are."""
    random = np.random.default_rng(21)
    known, orders, gold = people(160, seed=22), [], set()
    for place, record in enumerate(known[:120]):
        for copy in range(1 + place % 3):
            gold.add((place, len(orders)))
            orders.append(worse(record, random) if copy else record)
    return known, [*orders, *people(60, seed=23)], gold


def test_a_left_record_with_several_partners(customers):
    known, orders, gold = customers
    found = lw.match(known, orders)
    assert found.decision.relation == "1:m"
    assert "a left record may have several partners" in found.decision.to_text()
    assert f1(found, gold) >= 0.97
    assert found.decision.f1 == pytest.approx(f1(found, gold), abs=0.05)
    back = lw.match(orders, known)
    assert back.decision.relation == "m:1"
    assert {(match.right, match.left) for match in back} == {(match.left, match.right) for match in found}
    new = lw.match(known, orders[:5], model=found.model)
    assert new.decision.relation == "1:m"
    assert new.decision.to_text().startswith("decided by a model for the best F1")
    assert f1(new, {pair for pair in gold if pair[1] < 5}) == 1


def test_equal_copies_hide_nothing():
    known = people(200, seed=24)
    found = lw.match(known, [record for record in known[:60] for _ in range(3)])
    assert found.decision.relation == "1:m"
    assert f1(found, {(place // 3, place) for place in range(180)}) == 1


def test_several_partners_on_both_sides(customers):
    known, _, _ = customers
    random = np.random.default_rng(25)
    sides = [[(place, worse(known[place], random)) for place in range(120) for _ in range(4)] for _ in range(2)]
    found = lw.match(*([record for _, record in side] for side in sides))
    assert found.decision.relation == "m:m"
    gold = {(a, b) for a, (x, _) in enumerate(sides[0]) for b, (y, _) in enumerate(sides[1]) if x == y}
    assert f1(found, gold) >= 0.97


def test_the_relation_is_told(customers, tables):
    known, orders, gold = customers
    assert lw.match(known, orders, relation="1:1").decision.relation == "1:1"
    assert f1(lw.match(known, orders, relation="1:m"), gold) >= 0.97
    left, right, _ = tables
    assert lw.match(left, right, relation="m:m").decision.relation == "m:m"
    with pytest.raises(lw.LikewiseError, match="relation is for a decision"):
        lw.match(left, right, relation="1:m", top=1)
    with pytest.raises(lw.LikewiseError, match="within one table"):
        lw.match(left, relation="1:m")


def test_a_few_clusters_of_three_are_enough():
    random = np.random.default_rng(8)
    rows = []
    for number, record in enumerate(people(240, seed=13)):
        copies = 2 if number < 20 else 1 if number < 70 else 0
        rows += [record, *(worse(record, random) for _ in range(copies))]
    found = lw.dedupe(rows)
    assert found.decision.relation == "m:m"
    assert sum(len(cluster.ids) == 3 for cluster in found) >= 18


def test_kinds_told_and_keys(tables):
    left, right, _ = tables
    found = lw.match(left, right, kinds={"key": "text"}, equal_on="town")
    assert found.decision.kinds["key"] == "text"
    assert all(left[match.left]["town"] == right[match.right]["town"] for match in found)


def vars_of(curves):
    return [one for name in curves.__dataclass_fields__ for one in getattr(curves, name)]


def test_what_fields_say_of_the_same_and_of_others():
    decision = decision_of([0.9, 0.6, 0.2], parts=[[1.0, 2.0], [3.0, 4.0], [-5.0, -6.0]])
    curves = decision.summary(None).curves
    assert ("a", 2.0, -5.0) in vars_of(curves)
    assert ("rivals", 3.0, -6.0) in vars_of(curves)
    none = decision_of([0.1, 0.2], parts=[[1.0, 2.0], [3.0, 4.0]])
    assert ("a", 0.0, 2.0) in vars_of(none.summary(None).curves)


def test_what_is_wished_goes_before_what_a_model_gave():
    known = Learnt(Relation.ONE, False, threshold=0.7)
    assert (known.wish(None), known.wish(0.9)) == (Least(0.7), 0.9)
    assert (Learnt(Relation.ONE, False).wish(None), Learnt(Relation.ONE, False).wish(0.9)) == (None, 0.9)


def test_where_no_columns_go_together_the_decision_says_so():
    decision = replace(lw.match(people(30), people(30)).decision, kinds={})
    assert decision.to_text().endswith("fields: none, as no columns go together; all columns are compared as one text")
