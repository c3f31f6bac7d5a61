"""The join without a common key."""

import pytest

import likewise as lw
from likewise.errors import ColumnError, InputError, OptionError

PEOPLE = [{"id": "a", "name": "Ada Lovelace"}, {"id": "b", "name": "Grace Hopper"}, {"id": "c", "name": "Zzz"}]
BORN = [{"name": "Hopper, Grace", "born": 1906}, {"name": "Lovelace Ada", "born": 1815}]


@pytest.fixture
def found():
    return lw.match(PEOPLE, BORN, on="name", left_id="id", top=1, min_score=0.4)


def test_every_left_record_is_kept_in_its_order(found):
    rows = list(found.join().rows())
    assert [(row["id"], row["name"], row["name_right"], row["born"]) for row in rows] == [
        ("a", "Ada Lovelace", "Lovelace Ada", 1815),
        ("b", "Grace Hopper", "Hopper, Grace", 1906),
        ("c", "Zzz", None, None),
    ]
    assert rows[0]["score"] == found[0].score
    assert rows[2]["score"] is None


def test_inner_anti_and_columns(found):
    assert [row["born"] for row in found.join("inner", columns=["born"]).rows()] == [1815, 1906]
    assert found.join("inner", columns=["born"]).to_arrow().column_names == ["id", "name", "born", "score"]
    assert list(found.join("anti").rows()) == [PEOPLE[2]]


def test_several_partners_and_one_table():
    names = ["Ada Lovelace", "Lovelace Ada", "Ada Lovelace B."]
    found = lw.match(names, top=2)
    assert len(found.join("inner")) == len(found)
    assert found.to_pandas().shape[0] == found.join("inner").to_pandas().shape[0]


def test_bad_requests(found):
    with pytest.raises(OptionError, match="how must be one of"):
        found.join("outer")
    with pytest.raises(ColumnError, match="has no column 'bron'"):
        found.join(columns=["bron"])
    with pytest.raises(InputError, match="not at hand"):
        lw.Index.build(["a b"]).match(["a b"]).join()


def test_ids_that_are_no_column_are_brought_along():
    found = lw.match({"a": "Ada Lovelace", "k": "Kurt Gödel"}, {"x": "Gödel, Kurt", "y": "Lovelace, Ada"}, top=1)
    rows = found.join("inner").to_arrow().to_pylist()
    assert [(row["left"], row["right"]) for row in rows] == [("a", "y"), ("k", "x")]
    plain = lw.match(["Ada Lovelace"], ["Lovelace, Ada"], top=1).join("inner").to_arrow()
    assert not {"left", "right"} & set(plain.column_names)
