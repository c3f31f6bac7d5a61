"""What is shown of a decision, in words and rows."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pyarrow as pa
import pytest
from tests.records.made import NOBODY, decision_of, pairs_of

import likewise as lw
from likewise.join import Pairs
from likewise.read.tables import read_table
from likewise.records import tables
from likewise.records.runner_up import Calibration
from likewise.records.tables import likeliest_left_out, literal_note, unsure


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


def test_members_of_groups_are_told():
    assert tables.group_note(SimpleNamespace(differing=list)) == []
    [note] = tables.group_note(SimpleNamespace(differing=lambda: ["name", "born"]))
    assert "differ altogether in 'name', 'born'" in note
    assert "(on='name')" in note


def test_reasons_of_columns_of_two_names():
    left, right = [{"who": "ada lovelace", "town": "basel"}], [{"name": "ada byron", "town": "basel"}]
    options = {"left_on": ["who", "town"], "right_on": ["name", "town"], "top": 1, "explain": True}
    [found] = lw.match(left, right, measure="matches", **options)
    assert found.why == "ada 0.500; basel 0.500"


def test_what_is_judged_next():
    chance = np.array([0.03, 0.05, 0.1, 0.45, 0.48, 0.6, 0.9, 0.95, 0.97])
    decision = SimpleNamespace(probability=chance, odds=np.arange(60.0))
    decision.keep = decision.odds == 59
    # One of each band of odds, the most doubtful of it, then the next of each; what is nearly sure is no doubt.
    assert unsure(decision).tolist() == [4, 5, 2, 6, 3, 7, 1]
    assert likeliest_left_out(decision).tolist() == list(range(58, 8, -1))


@pytest.mark.parametrize(("literal", "given", "said"), [(2, 5, False), (2, 4, False), (3, 5, True), (0, 0, False)])
def test_copies_are_told_of_where_they_are_most_of_what_is_given(literal, given, said):
    keep = np.array([True] * given + [False] * 9)
    same = np.array([True] * literal + [False] * (given - literal) + [True] * 9)
    assert bool(literal_note(SimpleNamespace(keep=keep), same)) == said


@pytest.mark.parametrize(("parts", "others"), [(tables._WHY, False), (tables._WHY + 1, True)])
def test_a_reason_tells_of_others_where_there_are_any(parts, others):
    contributions = [SimpleNamespace(left=f"w{n}", right=f"w{n}", value=1 / (n + 1)) for n in range(parts)]
    found = tables._reason(SimpleNamespace(contributions=contributions)).split("; ")
    assert found[0] == "w0 1.000"
    assert len(found) == parts
    assert found[-1].startswith("others") == others
