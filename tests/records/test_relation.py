"""Members of groups, and copies on one side, told from what is compared."""

import random
from collections import Counter
from types import SimpleNamespace

import numpy as np
import pytest
from tests.records.made import pairs_of

import likewise as lw
from likewise.records.candidates import Candidates
from likewise.records.evidence import Evidence
from likewise.records.partners import Relation
from likewise.records.relation import _closer, _copied, members_of, siblings


def said(alike, equal=()):
    """Return the evidence of a field without nulls; ``equal`` are places."""
    alike, same = np.array(alike, float), np.zeros(len(alike), bool)
    same[list(equal)] = True
    return Evidence(np.zeros(len(alike), bool), alike, same, np.full(len(alike), 0.01))


def test_neighbours_with_another_name_are_no_matches_where_they_are_many():
    name = said([1.0] * 7 + [0.9, 0.1, 0.0], range(7))
    street = said([0.8] * 9 + [1.0], [9])
    likely = np.ones(10, bool)
    # The pair with an equal street was renamed, maybe; that with a like one is a neighbour.
    assert members_of([name, street], ["name", "text"], likely).tolist() == [False] * 8 + [True, False]
    assert members_of([name, street], ["text", "text"], likely) is None
    assert members_of([name], ["name"], likely) is None
    few = np.concatenate([name.alike, np.ones(10)])
    more = [said(few, [*range(7), *range(10, 20)]), said(np.full(20, 0.8))]
    assert members_of(more, ["name", "text"], np.ones(20, bool)).sum() == 2
    assert members_of([said(np.ones(20), range(20)), more[1]], ["name", "text"], np.ones(20, bool)) is None


def test_rows_of_one_name_are_rivals_where_each_has_a_twin():
    rng = random.Random(3)
    rows = [
        {"name": f"site {rng.choice('abcdefgh')}{rng.randint(1, 40)}", "x": str(round(rng.uniform(-179, 179), 2))}
        for _ in range(300)
    ]
    found = lw.match(rows, [dict(row) for row in rows])
    assert found.decision.relation == "1:1"
    assert sorted((match.left, match.right) for match in found) == [(at, at) for at in range(300)]


def provinces(most: int) -> tuple[list[dict[str, str | None]], list[int]]:
    """Countries of eight provinces of one form of name, 90 with up to so many copies; and what each row is."""
    rng = random.Random(0)
    word = lambda k: "".join(rng.choices(("ba", "re", "mi", "to", "lu", "ka", "ne", "vo", "si", "du"), k=k))  # noqa: E731
    rows: list[dict[str, str | None]] = []
    for _ in range(40):
        land, ending, kind = word(2), word(1), word(3)
        rows += [{"name": f"{word(4)}{ending} {kind}", "code": f"{land}-{word(4)}", "type": kind} for _ in range(8)]
    what = list(range(len(rows)))
    for at in rng.sample(what, 90):
        for _ in range(rng.randint(1, most)):
            name, slip = rows[at]["name"], rng.randrange(1, 5)
            changed = {"name": name[:slip] + name[slip + 1 :]} if rng.random() < 0.5 else {"code": None}
            rows.append({**rows[at], **changed})
            what.append(at)
    return rows, what


@pytest.mark.parametrize("most", [1, 3])
def test_the_provinces_of_a_country_are_no_copies(most):
    rows, what = provinces(most)
    true = {(a, b) for b in range(320, len(rows)) for a in range(b) if what[a] == what[b]}
    given = {(a, b) for cluster in lw.dedupe(rows) for a in cluster.ids for b in cluster.ids if a < b}
    assert len(given & true) >= 0.9 * len(true)
    assert len(given) <= (1.1 if most == 1 else 1.4) * len(true)


def test_who_differs_in_all_that_tells_records_apart_is_a_member():
    # Of ten likely pairs two differ in name and code, both of which few records share; one lacks the code.
    name, code = said([1.0] * 7 + [0.5, 0.5, 0.5], range(7)), said([1.0] * 7 + [0.4, 0.4, 0.0], range(7))
    code.null[9] = True
    likely = np.ones(10, bool)
    assert members_of([name, code], ["text", "text"], likely, 100).tolist() == [False] * 7 + [True, True, False]
    assert members_of([name, code], ["text", "text"], likely) is None  # of two tables
    fewer = [one.take(np.arange(9)) for one in (name, code)]
    fewer = [one.take(np.array([0, *range(8)])) for one in fewer]
    assert members_of(fewer, ["text", "text"], np.ones(9, bool), 100) is None
    assert members_of(fewer, ["text", "text"], np.ones(9, bool), 100, kin=True).sum() == 1


def test_copies_agree_as_often_where_they_are_three():
    # Forty records with one copy, twenty with two; every fifth of the pairs differs in the code.
    pairs = [(3 * at, 3 * at + 1) for at in range(40)]
    pairs += [(3 * at + a, 3 * at + b) for at in range(40, 60) for a, b in ((0, 1), (0, 2), (1, 2))]
    left, right = np.array(pairs).T
    found, likely = Candidates(left, right, 180, 180, True), np.ones(100, bool)
    differ = set(range(0, 100, 5))
    assert not siblings(found, likely, [said(np.ones(100), set(range(100)) - differ)])
    # Of three only one pair has the code: the third is a sibling.
    only = [at for at in range(100) if at < 40 or at % 3 == 1]
    assert siblings(found, likely, [said(np.ones(100), only)])


def test_texts_that_both_sides_hold_several_times_are_decided_once(tmp_path):
    rng = random.Random(4)
    word = lambda k: "".join(rng.choices(("ba", "re", "mi", "to", "lu", "ka", "ne", "vo", "si", "du"), k=k))  # noqa: E731
    lasts = [word(4) for _ in range(60)]
    people = list(dict.fromkeys(f"{word(4)} {rng.choice(lasts)}" for _ in range(300)))
    both = [people[:200], people[100:]]
    left, right = ([name for name in side for _ in range(rng.choice((1, 2, 2, 3)))] for side in both)
    assert not list(lw.match(left, right))  # they may be different people of one name
    found = lw.match(left, right, relation="m:m")
    same = {(a, b) for a, x in enumerate(left) for b, y in enumerate(right) if x == y}
    given = {(match.left, match.right) for match in found}
    assert same <= given
    assert len(given) <= 1.1 * len(same)
    found.model.save(tmp_path / "m.json")
    again = lw.match(left, right, model=tmp_path / "m.json")
    assert {(match.left, match.right) for match in again} == given
    # Of other people nothing stands out, however often each is written.
    others = [name for name in (f"{word(4)} {rng.choice(lasts)}" for _ in range(200)) for _ in range(2)]
    assert len(lw.match(left, [name for name in others if name not in people], relation="m:m")) == 0


def test_one_of_several_with_the_same_name_is_no_more_probable_than_that():
    rng = random.Random(6)
    word = lambda k: "".join(rng.choices(("ba", "re", "mi", "to", "lu", "ka", "ne", "vo", "si", "du"), k=k))  # noqa: E731
    lasts = [word(4) for _ in range(120)]
    customers = [{"name": rng.choice(lasts), "street": f"{word(4)} {rng.randint(1, 99)}"} for _ in range(300)]
    orders, owner = [], []
    for number, one in enumerate(customers):
        for _ in range(rng.choice((0, 1, 2, 3))):
            street = None if rng.random() < 0.25 else one["street"]
            orders.append({"name": f"{rng.choice('ABCDEFGH')}. {one['name']}", "street": street})
            owner.append(number)
    found = lw.match(customers, orders, relation="1:m")
    shared = Counter(one["name"] for one in customers)
    blind = [m for m in found if orders[m.right]["street"] is None and shared[customers[m.left]["name"]] > 1]
    assert all(match.probability < 0.9 for match in blind)
    real = sum(owner[match.right] == match.left for match in found) / len(found)
    assert abs(real - found.decision.precision) < 0.05


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


def test_no_records_are_no_copies():
    assert not _copied(SimpleNamespace(texts=lambda side: (0, 0)), 0)
    assert not _copied(SimpleNamespace(texts=lambda side: (9, 9)), 1)
    assert _copied(SimpleNamespace(texts=lambda side: (9, 1)), 1)
