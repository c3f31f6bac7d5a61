import pytest

from likewise.errors import ColumnError, InputError
from likewise.evaluate.gold import tables

LEFT = [
    {"id": "a", "name": "Ada", "city": "London", "who": "1"},
    {"id": "b", "name": "Grace", "city": None, "who": "2"},
]
RIGHT = [{"id": "x", "name": "Grace H.", "city": "NY", "who": "2"}, {"id": "y", "name": "A.", "city": "L", "who": "3"}]


def test_two_tables_with_pairs():
    found = tables.two_tables(LEFT, RIGHT, gold=[{"left": "b", "right": "x"}], on=["name"], id="id")
    assert list(found.lefts) == ["Ada", "Grace"]
    assert found.gold.tolist() == [[1, 0]]


def test_two_tables_with_an_entity_column():
    found = tables.two_tables(LEFT, RIGHT, entity="who", id="id")
    assert list(found.lefts) == ["Ada London", "Grace"]
    assert found.gold.tolist() == [[1, 0]]
    assert found.qrels() == {"b": {"x": 1}}


def test_bad_input():
    with pytest.raises(InputError, match="either gold"):
        tables.two_tables(LEFT, RIGHT)
    with pytest.raises(ColumnError, match="no column 'town'"):
        tables.two_tables(LEFT, RIGHT, entity="who", on=["town"])
    with pytest.raises(ColumnError, match="need two"):
        tables.gold_pairs([{"left": "a"}])


@pytest.mark.data
def test_febrl(data):
    found = tables.febrl(data / "er" / "febrl")
    assert (len(found.lefts), len(found.rights), len(found.gold)) == (5000, 5000, 5000)
