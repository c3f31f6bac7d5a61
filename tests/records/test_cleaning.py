"""Words that stand for no value."""

import pytest

from likewise.read.tables import read_table
from likewise.records.cleaning import placeholder_note, placeholders, stands_for_none, without_values


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


@pytest.mark.parametrize(
    ("value", "none"), [(None, False), ("n/a", True), ("n/a".ljust(19), True), ("n/a".ljust(20), False)]
)
def test_a_short_word_may_stand_for_none(value, none):
    assert stands_for_none(value) == none
