"""Texts as people have them: every shape is taken by everything that takes texts, or refused in words."""

import datetime
import logging
import math
import pickle

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import likewise as lw

TEXTS = ["red fish swims", "blue fish swims", "a boat sails"]
SHAPES = {
    "list": lambda: TEXTS,
    "tuple": lambda: tuple(TEXTS),
    "generator": lambda: (text for text in TEXTS),
    "by id": lambda: dict(zip("abc", TEXTS, strict=True)),
    "pandas Series": lambda: pd.Series(TEXTS, index=[5, 6, 7]),
    "pandas Index": lambda: pd.Index(TEXTS),
    "pandas DataFrame": lambda: pd.DataFrame({"title": TEXTS}),
    "pandas DataFrame with text": lambda: pd.DataFrame({"year": [1, 2, 3], "text": TEXTS}),
    "polars Series": lambda: pl.Series(TEXTS),
    "polars DataFrame": lambda: pl.DataFrame({"title": TEXTS}),
    "polars LazyFrame": lambda: pl.LazyFrame({"title": TEXTS}),
    "Arrow Table": lambda: pa.table({"title": TEXTS}),
    "Arrow Array": lambda: pa.array(TEXTS),
    "Arrow ChunkedArray": lambda: pa.chunked_array([TEXTS[:1], TEXTS[1:]]),
    "numpy": lambda: np.array(TEXTS),
    "numpy objects": lambda: np.array(TEXTS, object),
    "dicts": lambda: [{"title": text} for text in TEXTS],
}
GAPS = {
    "None": lambda: [*TEXTS, None],
    "NaN": lambda: [*TEXTS, math.nan],
    "pd.NA": lambda: [*TEXTS, pd.NA],
    "Series of pd.NA": lambda: pd.Series([*TEXTS, pd.NA], dtype="string"),
    "date": lambda: [*TEXTS, datetime.date(2020, 1, 1)],
    "number": lambda: [*TEXTS, 7],
}
WRONG = {
    "str": lambda: "red fish",
    "bytes": lambda: b"red fish",
    "int": lambda: 7,
    "None": lambda: None,
    "object": object,
    "nested": lambda: [["red"], ["fish"]],
    "bytes in a list": lambda: [b"red"],
    "two columns": lambda: pd.DataFrame({"title": TEXTS, "body": TEXTS}),
}
TAKERS = {
    "fit": lambda given: lw.TfIdf(phrases=True).fit(given).statistics.texts,
    "matrix": lambda given: len(lw.TfIdf(weights="tf").matrix(given, ["fish"])),
    "distance": lambda given: len(lw.Distance().matrix(given, ["fish"])),
    "build": lambda given: len(lw.Index.build(given)),
    "add": lambda given: len(lw.Index.build(["first of all"], ids=["z"]).add(given)),
    "index.match": lambda given: len(set(lw.Index.build(TEXTS).match(given).table["left"].to_pylist())),
    "match": lambda given: len(set(lw.match(given, TEXTS, on=None, top=1).table["left"].to_pylist())),
    "dedupe": lambda given: len(lw.dedupe(given, min_score=0.999).table),
    "link": lambda given: len(lw.link(given).book.documents),
}


@pytest.mark.parametrize("taker", TAKERS)
@pytest.mark.parametrize("shape", SHAPES)
def test_every_shape_is_taken(taker, shape):
    assert TAKERS[taker](SHAPES[shape]()) == 3


@pytest.mark.parametrize("shape", sorted(SHAPES.keys() - {"generator"}))
def test_scores_of_every_shape(shape):
    measure = lw.Spectra()
    assert measure.scores(SHAPES[shape](), TEXTS).tolist() == [1, 1, 1]
    assert measure.scores(TEXTS, SHAPES[shape]()).tolist() == [1, 1, 1]


@pytest.mark.parametrize("taker", sorted(TAKERS.keys() - {"index.match", "match"}))
@pytest.mark.parametrize("gap", GAPS)
def test_what_is_missing_says_nothing(taker, gap):
    assert TAKERS[taker](GAPS[gap]()) == 4


@pytest.mark.parametrize("taker", sorted(TAKERS.keys() - {"match", "dedupe", "link"}))
@pytest.mark.parametrize("wrong", WRONG)
def test_what_holds_no_texts_is_refused_in_words(taker, wrong):
    with pytest.raises(lw.InputError, match=r"texts|documents|text"):
        TAKERS[taker](WRONG[wrong]())


@pytest.mark.parametrize("wrong", sorted(WRONG.keys() - {"str", "None"}))
def test_link_refuses_in_words(wrong):
    with pytest.raises(lw.InputError, match=r"texts|documents|text"):
        lw.link(WRONG[wrong]())


def test_ids_come_along():
    for shape in ("by id", "pandas Series"):
        given = SHAPES[shape]()
        ids = list(given.keys())
        assert lw.Index.build(given).ids() == ids
        assert [one.id for one in lw.link(given).book.documents] == [str(one) for one in ids]


def test_a_text_is_no_path(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a b.txt").write_text("Something is written here.", encoding="utf-8")
    assert lw.link(["a b.txt"]).book.documents[0].text == "Something is written here."
    assert lw.link(["a b c.txt is a text", "and so is this"]).book.documents[0].text == "a b c.txt is a text"
    with pytest.raises(lw.InputError, match="among paths"):
        lw.link(["a.txt", 7])


def test_mining_takes_texts():
    line = "The new law {} in the spring of {}. "
    texts = [line.format(verb, year) for verb in ("took effect", "came into force") for year in range(1990, 1999)]
    for given in (texts, dict(enumerate(texts)), pl.LazyFrame({"line": texts}), [lw.Document("all", "".join(texts))]):
        found = lw.mine(given, context=2, support=1).filter(multi_word=True)
        assert ("came into force", "took effect") in [(pair.phrase, pair.paraphrase) for pair in found]
    with pytest.raises(lw.InputError, match="not int"):
        lw.mine(7)


PAIRS = [
    ("red fish", "red fishes", 1),
    ("red fish", "a boat", 0),
    ("blue sea", "the sea is blue", 1),
    ("x", "y z", 0),
] * 3


@pytest.mark.parametrize(
    "shape",
    [
        lambda: iter(PAIRS),
        lambda: pd.DataFrame(PAIRS, columns=["left", "right", "label"]),
        lambda: pl.DataFrame(PAIRS, schema=["left", "right", "label"], orient="row").lazy(),
        lambda: pa.Table.from_pylist([dict(zip(("left", "right", "label"), row, strict=True)) for row in PAIRS]),
        lambda: [dict(zip(("left", "right", "label"), row, strict=True)) for row in PAIRS],
        lambda: {"left": [p[0] for p in PAIRS], "right": [p[1] for p in PAIRS], "label": [p[2] for p in PAIRS]},
    ],
)
def test_recognise_takes_every_shape_of_pairs(shape):
    model = lw.recognise(shape(), folds=2, combine=False)
    assert model.predict(pd.Series(["red fish"]), ["red fish"]).tolist() == [True]


@pytest.mark.parametrize("wrong", [7, ["texts", "only"], [("a", "b")], {"left": ["a"], "right": ["b"]}])
def test_recognise_refuses_in_words(wrong):
    with pytest.raises(lw.InputError, match=r"labelled pairs|no column for the label"):
        lw.recognise(wrong)


def test_what_was_decided_is_logged(caplog):
    caplog.set_level(logging.INFO, "likewise")
    lw.match(["red fish"], ["a red fish", "boat"])
    assert any(record.name == "likewise" and "fewer than" in record.getMessage() for record in caplog.records)


def test_an_index_is_pickled():
    index = pickle.loads(pickle.dumps(lw.Index.build(TEXTS)))
    assert [hit.text for hit in index.search("boat")] == ["a boat sails"]
