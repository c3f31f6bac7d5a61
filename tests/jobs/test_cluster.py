"""Clusters of pairs that were made elsewhere."""

import pytest

import likewise as lw
from likewise.errors import ColumnError, InputError, OptionError

PAIRS = {"unique_id_l": ["a", "b", "d"], "unique_id_r": ["b", "c", "e"], "match_probability": [0.99, 0.6, 0.2]}


def test_as_splink_writes_them():
    assert [group.ids for group in lw.cluster(PAIRS, min_score=0.5)] == [("a", "b", "c"), ("d",), ("e",)]
    assert [group.ids for group in lw.cluster(PAIRS, min_score=0.9)] == [("a", "b"), ("d",), ("c",), ("e",)]
    complete = lw.cluster(PAIRS, linkage="complete")
    assert [group.ids for group in complete] == [("a", "b"), ("d", "e"), ("c",)]
    assert complete[1].ids == ("d", "e")
    assert complete.table.to_pylist()[0] == {"id": "a", "cluster": 0, "size": 2}


def test_pairs_without_a_score_and_names_of_columns(tmp_path):
    path = tmp_path / "pairs.csv"
    path.write_text("x,y\n1,2\n2,3\n")
    assert [group.ids for group in lw.cluster(path, left="x", right="y")] == [("1", "2", "3")]
    assert len(lw.cluster(path, left="x", right="y", ids=["1", "2", "3", "4"])) == 2


def test_what_is_refused(tmp_path):
    with pytest.raises(ColumnError, match="name them by left and right"):
        lw.cluster([{"x": 1, "y": 2}])
    with pytest.raises(OptionError, match="named together"):
        lw.cluster(PAIRS, left="unique_id_l")
    with pytest.raises(ColumnError, match="no column 'sure'"):
        lw.cluster(PAIRS, score="sure")
    with pytest.raises(InputError, match="not among the ids"):
        lw.cluster(PAIRS, ids=["a", "b"])
    with pytest.raises(InputError, match="must be a number"):
        lw.cluster([{"left": "a", "right": "b", "score": "high"}])


@pytest.mark.parametrize(
    "pair", [{"left": None, "right": "c", "score": 0.8}, {"left": "b", "right": "c", "score": None}]
)
def test_a_pair_that_lacks_an_id_or_its_score_joins_nothing(pair):
    with pytest.raises(InputError, match=r"pairs, row 1: \w+ is empty"):
        lw.cluster([{"left": "a", "right": "b", "score": 0.9}, pair])
