"""What Python users have in hand: frames with an index, texts by id, missing values of every spelling."""

import datetime
import decimal

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import likewise as lw

NAMES = ["zzz qq", "Ada Lovelace", "Grace Hopper"]
FRAME = pd.DataFrame({"name": NAMES}, index=["z", "a", "g"])


def lefts(left):
    return {match.left: match.left_text for match in lw.match(left, ["Ada Lovelace", "Grace Hopper"], min_score=0.5)}


@pytest.mark.parametrize(
    "left",
    [FRAME, FRAME["name"], FRAME[1:], FRAME.sort_index(), {"a": "Ada Lovelace", "g": "Grace Hopper", "n": None}],
)
def test_the_index_of_a_frame_and_the_keys_of_texts_are_the_ids(left):
    assert lefts(left) == {"a": "Ada Lovelace", "g": "Grace Hopper"}


def test_a_filtered_frame_finds_its_own_rows():
    frame = pd.DataFrame({"name": NAMES})
    result = lw.match(frame[1:], ["Ada Lovelace"], min_score=0.5)
    assert frame.loc[result.to_pandas().left, "name"].tolist() == ["Ada Lovelace"]


@pytest.mark.parametrize(
    "left",
    [
        pd.Index(NAMES),
        pl.LazyFrame({"name": NAMES}),
        pl.Series(NAMES),
        pa.array(NAMES),
        (name for name in NAMES),
        [*NAMES, pd.NA, None, float("nan")],
        [*NAMES, datetime.date(2020, 1, 2), decimal.Decimal("1.5")],
    ],
)
def test_everything_else_goes_by_position(left):
    assert lefts(left) == {1: "Ada Lovelace", 2: "Grace Hopper"}


@pytest.mark.parametrize(
    ("left", "words"),
    [
        (pd.DataFrame({"n": ["a", "b"]}, index=[1, 1]), "1 is in the index of the DataFrame more than once"),
        (pd.DataFrame([["a", "b"]], columns=["n", "n"]), "column 'n' occurs more than once"),
        ([b"Ada"], "item 0 must be a text, not bytes: decode it first"),
        ([("a", "Ada")], "item 0 must be a text, not tuple"),
        ([object()], "item 0 must be a text, not object"),
        (7, "must be a list of texts or dicts"),
    ],
)
def test_what_cannot_be_taken_is_told(left, words):
    with pytest.raises(lw.InputError, match=words):
        lw.match(left, ["Ada"])


@pytest.mark.parametrize("texts", [FRAME, FRAME["name"], {"z": "zzz qq", "a": "Ada Lovelace", "g": "Grace Hopper"}])
def test_an_index_takes_them(texts):
    assert lw.Index.build(texts).search("lovelace").ids == ["a"]


def test_an_index_asks_which_column():
    with pytest.raises(lw.InputError, match="documents have the columns title, body: give the one"):
        lw.Index.build(pd.DataFrame({"title": ["red fish"], "body": ["a"]}))


def test_a_text_is_never_taken_for_a_path():
    soup = "Clear soup is boiled from bones and vegetables for many hours."
    stock = "For stock, bones and vegetables are boiled for many hours, like a clear soup."
    bread = "Dough rises in a warm place until it has doubled in size, every day."
    for source in ([soup, stock, bread], {"a": soup, "b": stock, "c": bread}, pd.Series([soup, stock, bread])):
        found = lw.link(source, preset="21", n=1)
        assert len(found.book.documents) == 3
        assert len(found) == 1
    with pytest.raises(lw.LikewiseError, match="no such file"):
        lw.link(["nowhere.md"])
