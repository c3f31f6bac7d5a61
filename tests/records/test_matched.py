"""A kept match that is looked at again: which pairs are on which side of a threshold, in which order, and why."""

import json

import numpy as np
import pyarrow as pa
import pytest
from tests.records.test_decision import people, worse

import likewise as lw
from likewise.errors import InputError
from likewise.read.tables import read_table
from likewise.records.matched import BINS, MatchedPairs, _once, _with_doubtful, keep

SCORES = [0.51, 0.91, 0.71, 0.91, 0.21]


@pytest.fixture
def matched(tmp_path):
    """Return five pairs, of which 0.91 comes twice."""
    import pyarrow.parquet as pq

    ids = [str(place) for place in range(5)]
    columns = {"left": ids, "right": ["b", "c", "c", "d", "e"], "score": SCORES}
    texts = {"left_text": [f"text {one}" for one in ids], "right_text": list("vwxyz")}
    pq.write_table(pa.table(columns | texts), tmp_path / "pairs.parquet")
    return MatchedPairs.open(tmp_path / "pairs.parquet")


def lefts(rows):
    return [row["left"] for row in rows]


def test_pairs_are_best_first_and_equals_as_they_were(matched):
    assert matched.scores.tolist() == [0.91, 0.91, 0.71, 0.51, 0.21]
    assert matched.table["left"].to_pylist() == ["1", "3", "2", "0", "4"]
    assert len(matched) == 5
    assert [matched.above(limit) for limit in (1.0, 0.91, 0.8, 0.51, 0.21, 0.0)] == [0, 2, 2, 4, 5, 5]


@pytest.mark.parametrize(
    ("side", "order", "offset", "limit", "expected"),
    [
        ("above", "best", 0, 10, ["1", "3", "2"]),
        ("above", "best", 1, 1, ["3"]),
        ("above", "nearest", 0, 10, ["2", "3", "1"]),
        ("above", "nearest", 1, 1, ["3"]),
        ("above", "nearest", 2, 5, ["1"]),
        ("above", "best", 3, 5, []),
        ("above", "nearest", 4, 5, []),
        ("below", "best", 0, 10, ["0", "4"]),
        ("below", "nearest", 0, 10, ["0", "4"]),
        ("below", "nearest", 1, 10, ["4"]),
        ("below", "nearest", 0, 1, ["0"]),
        ("below", "best", 2, 1, []),
        ("above", "best", 0, 0, []),
    ],
)
def test_a_page_of_one_side_of_the_threshold(matched, side, order, offset, limit, expected):
    assert lefts(matched.rows(0.6, side, order, offset, limit)) == expected


def test_the_histogram_counts_every_pair(matched):
    edges, counts = matched.histogram()
    assert (edges[0], edges[-1], len(edges), len(counts), sum(counts)) == (0.0, 1.0, BINS + 1, BINS, 5)
    assert {place: count for place, count in enumerate(counts) if count} == {8: 1, 20: 1, 28: 1, 36: 2}


def test_the_histogram_reaches_to_the_highest_score(matched, tmp_path):
    high = MatchedPairs(tmp_path, matched.table, np.array([2.0, 1.0]))
    assert high.histogram()[0][-1] == 2.0
    none = MatchedPairs(tmp_path, matched.table.slice(0, 0), np.zeros(0))
    assert none.histogram()[0][-1] == 1.0
    assert none.rows(0.5, "above", "nearest", 0, 5) == []


def test_what_was_judged_outweighs_the_threshold(matched):
    def of(found):
        return dict(zip(found["left"].to_pylist(), found["decision"].to_pylist(), strict=True))

    assert of(matched.chosen(0.6, {})) == {"1": None, "3": None, "2": None}
    assert of(matched.chosen(0.6, {("4", "e"): "accept", ("1", "c"): "reject", ("0", "b"): "reject"})) == {
        "3": None,
        "2": None,
        "4": "accept",
    }
    # a pair that was put off is not accepted
    assert of(matched.chosen(0.6, {("3", "d"): "skip"})) == {"1": None, "2": None}


def test_groups_are_largest_first_and_of_two_or_more(matched):
    groups = matched.clusters(0.6, {}, "components")
    assert [[one["id"] for one in group] for group in groups] == [["1", "2", "c"], ["3", "d"]]
    assert groups[1] == [{"id": "3", "text": "text 3"}, {"id": "d", "text": "y"}]
    assert matched.clusters(0.95, {}, "components") == []


def test_a_threshold_that_was_decided_goes_before_another(matched, tmp_path):
    assert matched.suggested(0.3) == 0.3
    assert MatchedPairs(tmp_path, matched.table, matched.scores, {"threshold": 0.8}).suggested(0.3) == 0.8


PEOPLE = [{"id": str(n), "name": name, "town": town} for n, (name, town) in enumerate([
    ("Ada Lovelace", "London"), ("Kurt Goedel", "Wien"), ("Alan Turing", "London"), ("Emmy Noether", "Erlangen"),
])]  # fmt: skip
OTHERS = [{"id": "a", "name": "Lovelace Ada", "town": "London"}, {"id": "b", "name": "K. Gödel", "town": None}]


@pytest.mark.parametrize("on", [["name", "town"], ["name"]])
def test_a_kept_match_explains_its_pairs(tmp_path, on):
    left, right = (read_table(rows, id="id") for rows in (PEOPLE, OTHERS))
    found = lw.match(PEOPLE, OTHERS, id="id", on=on, top=1, min_score=0.1)
    keep(found, left, right, tmp_path)
    kept = MatchedPairs.open(tmp_path / "pairs.parquet")
    best = max(found, key=lambda pair: pair.score)
    assert (best.left, best.right) == ("0", "a")
    why = kept.explain("0", "a")
    assert sum(part.value for part in why.contributions) == pytest.approx(best.score)
    assert why.score == pytest.approx(best.score)
    with pytest.raises(InputError, match="the result has no pair of '3' and '0'"):
        kept.explain("3", "0")


def test_doubtful_pairs_are_kept_once_beside_those_given():
    given = pa.table({"left": [1, 2], "right": [5, 6], "probability": [0.9, 0.6], "score": [0.8, 0.7]})
    review = pa.table({"left": [2, 2, 3], "right": [6, 5, 7], "probability": [0.6, 0.4, 0.3], "why": ["", "", ""]})
    found = _with_doubtful(given, review, tuple)
    assert found.to_pydict() == {"left": [1, 2, 2, 3], "right": [5, 6, 5, 7], "probability": [0.9, 0.6, 0.4, 0.3]}
    assert _with_doubtful(given, None, tuple) is given


def test_a_decided_match_is_looked_at_by_probability(tmp_path):
    left, random = people(120, 1), np.random.default_rng(5)
    right = [worse(row, random) for row in left[:80]]
    found = lw.match(left, right)
    keep(found, *(read_table(rows) for rows in (left, right)), tmp_path)
    kept = MatchedPairs.open(tmp_path / "pairs.parquet")
    assert kept.scores.tolist() == sorted(kept.table["probability"].to_pylist(), reverse=True)
    assert kept.suggested(2.0) == json.loads((tmp_path / "decision.json").read_text())["threshold"]
    first = kept.table.slice(0, 1).to_pylist()[0]
    assert kept.waterfall(str(first["left"]), str(first["right"])).weights


def test_pairs_of_one_table_are_kept_once():
    given = pa.table({"left": [1, 2, 2, 7], "right": [2, 1, 7, 2], "score": [0.8, 0.8, 0.5, 0.6]})
    assert [(row["left"], row["right"]) for row in _once(given).to_pylist()] == [(1, 2), (7, 2)]
    review = pa.table({"left": [2, 3], "right": [1, 1], "score": [0.8, 0.3]})
    assert _with_doubtful(_once(given), review, frozenset)["left"].to_pylist() == [1, 7, 3]
    assert _with_doubtful(given, review, tuple).num_rows == 5  # of two tables the other direction is another pair


def test_a_threshold_of_one_takes_what_rounding_left_below(tmp_path):
    table = pa.table({"left": [1, 2], "right": [1, 2], "score": [1 - 2**-53, 0.999]})
    pairs = MatchedPairs(tmp_path, table, table["score"].to_numpy())
    assert pairs.above(1.0) == 1


def test_equal_texts_are_left_out_and_others_take_their_place():
    rows = ["soup of the day", "soup of a day", "soup of one day", "soup for a day"]
    found = lw.match(rows, rows[::-1], top=2, exclude_equal=True)
    assert [match.left for match in found] == [0, 0, 1, 1, 2, 2, 3, 3]
    assert all(match.left_text != match.right_text for match in found)
