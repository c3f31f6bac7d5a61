"""Merged records: most frequent, longest, newest."""

import numpy as np
import pyarrow as pa
import pytest

import likewise as lw
from likewise.errors import OptionError
from likewise.records.survivors import merged_records

ROWS = [
    {"key": 1, "name": "Ada Lovelace", "phone": "11", "seen": "2021-05-01", "city": "London"},
    {"key": 2, "name": "Lovelace Ada", "phone": None, "seen": "2024-01-09", "city": "London"},
    {"key": 3, "name": "Ada K. Lovelace", "phone": "22", "seen": "02.03.2023", "city": "Paris"},
    {"key": 4, "name": "Kurt Goedel", "phone": "33", "seen": None, "city": None},
]


@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        ("frequent", ("Ada K. Lovelace", "11", "London")),
        ("longest", ("Ada K. Lovelace", "11", "London")),
        ({"*": "newest", "name": "longest"}, ("Ada K. Lovelace", "22", "London")),
        (["newest"], ("Lovelace Ada", "22", "London")),
    ],
)
def test_a_record_for_each_cluster(rules, expected):
    found = lw.dedupe(ROWS, id="key", on="name", min_score=0.6, survivor=rules, newest_by="seen")
    assert len(found) == 2
    first, second = found.merged.to_pylist()
    assert (first["name"], first["phone"], first["city"]) == expected
    assert first["key"] in (1, 2, 3)
    assert second == ROWS[3]


def test_rules_that_cannot_be():
    with pytest.raises(OptionError, match="survivor must be"):
        lw.dedupe(ROWS, id="key", min_score=0.6, survivor="best")
    with pytest.raises(OptionError, match="needs newest_by"):
        lw.dedupe(ROWS, id="key", min_score=0.6, survivor="newest")
    with pytest.raises(OptionError, match="which the table has not"):
        lw.dedupe(ROWS, id="key", min_score=0.6, survivor="nam=longest")


def test_lists_maps_and_structs_are_kept_as_other_values_are():
    people = [{"n": "Ada"}, {"n": "Ada"}, {"n": "Augusta Ada"}, {"n": "Kurt"}]
    table = pa.table({"who": people, "tags": [["a"], ["b", "c"], ["b", "c"], None]})
    merged = merged_records(table, np.array([0, 0, 0, 3]), np.array([0, 3]), {})
    assert merged.to_pylist() == [{"who": {"n": "Ada"}, "tags": ["b", "c"]}, {"who": {"n": "Kurt"}, "tags": None}]
    longest = merged_records(table, np.array([0, 0, 0, 3]), np.array([0, 3]), {"who": "longest"})
    assert longest["who"][0].as_py() == {"n": "Augusta Ada"}


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
