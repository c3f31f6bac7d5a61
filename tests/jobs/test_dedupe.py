import unicodedata

import numpy as np
import pyarrow.parquet as pq
import pytest

import likewise as lw
from likewise.errors import ColumnError, ForeignError, InputError, OptionError

PEOPLE = [
    {"key": "a", "name": "Ada Lovelace", "city": "London"},
    {"key": "b", "name": "Lovelace, Ada", "city": "London"},
    {"key": "c", "name": "Grace Hopper", "city": "New York"},
    {"key": "d", "name": "Ada Lovelace", "city": "London"},
    {"key": "e", "name": None, "city": None},
    {"key": "f", "name": None, "city": None},
    {"key": "g", "name": "Hopper, Grace M.", "city": "New York"},
]


def groups(result):
    return [cluster.ids for cluster in result]


@pytest.mark.parametrize("linkage", ["complete", "components"])
@pytest.mark.parametrize("on", ["name", ["name", "city"], {"name": 3, "city": 1}])
def test_clusters(on, linkage):
    result = lw.dedupe(PEOPLE, on=on, id="key", min_score=0.7, linkage=linkage)
    assert groups(result) == [("a", "b", "d"), ("c", "g"), ("e",), ("f",)]
    assert result.table.column_names == ["id", "cluster", "size", "canonical", "text"]
    assert result.table["size"].to_pylist() == [3, 3, 2, 3, 1, 1, 2]
    # The name that occurs twice stands for its cluster; of two different ones the longer.
    assert result.canonical["key"].to_pylist() == ["a", "e", "f", "g"]
    assert result.canonical.column_names == ["key", "name", "city"]
    assert len(result) == 4
    assert result.threshold.method == "given"


def test_without_a_threshold_one_is_suggested_and_shown():
    names = [f"{first} {last}" for first in ("Ada", "Grace", "Kurt") for last in ("Lovelace", "Hopper", "Goedel")]
    result = lw.dedupe([*names, "Lovelacy Ada", "Hoper Kurt"], on=None)
    assert (0, 9) in groups(result)
    assert (7, 10) in groups(result)
    assert result.threshold.method == "widest margin"
    assert sum(result.threshold.histogram.counts) == 11


def test_clusters_are_those_of_brute_force():
    random = np.random.default_rng(3)
    words = ["ada", "adda", "love", "lovel", "grace", "gracie", "hop"]
    texts = [" ".join(random.choice(words, 2)) for _ in range(60)]
    for linkage in ("components", "complete"):
        result = lw.dedupe(texts, min_score=0.6, linkage=linkage)
        labels = np.array(result.table["cluster"].to_pylist())
        scores = result.measure.matrix(texts, texts)
        if linkage == "components":
            reached = {(a, b) for a, b in np.argwhere(scores >= 0.6).tolist()}
            assert all(labels[a] == labels[b] for a, b in reached)
        else:
            same = labels[:, None] == labels[None, :]
            assert (scores[same] >= 0.6).all()
        assert all(labels[a] == labels[b] for a, x in enumerate(texts) for b, y in enumerate(texts) if x == y)
        for row in result.pairs.to_pylist():
            assert row["score"] == scores[row["left"], row["right"]] >= 0.6
        firsts = {text: place for place, text in reversed(list(enumerate(texts)))}
        distinct = sorted(firsts.values())
        wanted = {(a, b) for a in distinct for b in distinct if a < b and scores[a, b] >= 0.6}
        assert {(row["left"], row["right"]) for row in result.pairs.to_pylist()} == wanted


def test_review_lists_what_is_close_to_the_threshold_and_what_was_torn_apart():
    texts = ["aaaa bbbb", "bbbb cccc", "cccc dddd"]
    result = lw.dedupe(texts, measure=lw.Spectra(), min_score=0.45, margin=0.01)
    score = result.measure.score(texts[0], texts[1])
    assert score == pytest.approx(0.5)
    # One of the two pairs is above the threshold and yet apart, because complete linkage follows no chain.
    assert [(row["left"], row["right"], row["same"]) for row in result.review.to_pylist()] == [(1, 2, False)]
    chained = lw.dedupe(texts, measure=lw.Spectra(), min_score=0.45, margin=0.01, linkage="components")
    assert groups(chained) == [(0, 1, 2)]
    close = lw.dedupe(texts, measure=lw.Spectra(), min_score=0.52, margin=0.05)
    assert [row["same"] for row in close.review.to_pylist()] == [False, False]


def test_equal_on():
    rows = [{"n": "ada", "s": "x"}, {"n": "ada", "s": "y"}, {"n": "ada", "s": "x"}, {"n": "adda", "s": "y"}]
    rows += [{"n": "ada", "s": None}, {"n": "ada", "s": None}]
    result = lw.dedupe(rows, on="n", equal_on="s", measure=lw.Spectra(), min_score=0.3)
    assert groups(result) == [(0, 2), (1, 3), (4,), (5,)]


def test_labels():
    labels = [("a", "b", 1), ("a", "d", True), ("c", "g", "yes"), ("a", "c", 0), ("b", "g", "no")]
    result = lw.dedupe(PEOPLE, on="name", id="key", labels=labels)
    assert result.threshold.method == "best F1"
    assert result.threshold.f1 == 1.0
    assert groups(result) == [("a", "b", "d"), ("c", "g"), ("e",), ("f",)]
    wished = lw.dedupe(PEOPLE, on="name", id="key", labels=labels, precision=1.0)
    assert wished.threshold.method == "precision 1"


def test_a_corrected_review_list_serves_as_labels(tmp_path):
    first = lw.dedupe(PEOPLE, on="name", id="key", min_score=0.5, margin=0.6)
    from likewise.results.tables import write_table

    write_table(first.review, tmp_path / "review.csv")
    again = lw.dedupe(PEOPLE, on="name", id="key", labels=tmp_path / "review.csv")
    assert again.threshold.method == "best F1"
    assert groups(again) == groups(first)


BAD = [
    ({"labels": [("a", "z", 1)]}, InputError, "labels, row 0: no record of table has the id 'z'"),
    ({"labels": [("a", "b", "perhaps")]}, InputError, "match must be 1 or 0, .* not 'perhaps'"),
    ({"labels": {"left": ["a"], "right": ["b"]}}, ColumnError, "no column 'match'"),
    ({"labels": [("a", "b", 1)]}, InputError, "all 1 labelled pairs are match"),
    ({"labels": [("a", "b", 1)], "min_score": 0.5}, OptionError, "min_score and labels exclude each other"),
    ({"precision": 0.9}, OptionError, "precision needs labels"),
    ({"precision": 0.9, "min_score": 0.5}, OptionError, "exclude each other"),
    ({"min_score": float("nan")}, OptionError, "min_score must be a number from 0, or auto"),
    ({"linkage": "single"}, OptionError, "linkage must be one of"),
    ({"margin": -1}, OptionError, "margin must be 0 or more"),
    ({"on": "nme"}, ColumnError, "table has no column 'nme'"),
]


@pytest.mark.parametrize(("arguments", "error", "message"), BAD)
def test_bad_requests(arguments, error, message):
    with pytest.raises(error, match=message):
        lw.dedupe(PEOPLE, **({"on": "name", "id": "key"} | arguments))


def test_nothing_to_do():
    for table in ([], ["one"], [None, None]):
        result = lw.dedupe(table)
        assert len(result) == result.table.num_rows == len(table)


@pytest.mark.data
def test_people_with_typing_errors(data):
    result = lw.dedupe(data / "er/febrl/dataset1.csv", id="rec_id")
    labels = result.table.to_pandas()
    truth = labels["id"].str.split("-").str[1]
    pairs = labels.groupby("cluster").size().pipe(lambda size: (size * (size - 1) // 2).sum())
    right = labels.groupby(["cluster", truth]).size().pipe(lambda size: (size * (size - 1) // 2).sum())
    assert right / pairs >= 0.99
    assert right / 500 >= 0.97


def test_names_that_nothing_stands_out_of_are_told():
    names = [name.lower() for at in range(0x20, 0x2500, 11) if (name := unicodedata.name(chr(at), None))]
    found = lw.dedupe(names)
    assert len(found) < len(names)  # something reaches the widest margin of any table
    assert found.threshold.stands_out is False
    assert any("probably there are no duplicates" in note for note in found.notes)
    twice = lw.dedupe(names + [f"{name[1:]} x" for name in names[::4]])
    assert twice.threshold.stands_out is True
    assert not any("probably" in note for note in twice.notes)


def test_a_file_that_is_no_state_is_told_before_the_options(tmp_path):
    (tmp_path / "base.csv").write_text("key,name\na,Ada\n")
    with pytest.raises(ForeignError, match=r"base\.csv is not a state of dedupe"):
        lw.dedupe(tmp_path / "base.csv", id="key", add=[{"key": "b", "name": "Bo"}])


def test_columns_that_are_no_text_are_left_out_unless_they_are_named():
    rows = [{"key": at, "name": f"name {at % 20}", "tags": ["a", str(at)], "at": {f"{at}": 1}} for at in range(40)]
    found = lw.dedupe(rows, id="key")
    assert found.notes[0] == "table: not compared: 'tags' (lists), 'at' (objects)"
    assert len(found) == 20
    with pytest.raises(ColumnError, match=r"^table: column 'tags' holds lists, which cannot be compared as texts$"):
        lw.dedupe(rows, id="key", on=["name", "tags"])
    assert not any("not compared" in note for note in lw.dedupe(rows, id="key", on="name").notes)


def test_the_index_of_a_pandas_frame_in_parquet_is_no_field(tmp_path):
    import pandas as pd

    frame = pd.DataFrame({"name": [f"name {at % 20}" for at in range(40)], "town": ["Ghent", "Bruges"] * 20})
    frame.index = [7 * at % 40 for at in range(40)]
    frame.to_parquet(tmp_path / "frame.parquet")
    assert "__index_level_0__" in pq.read_schema(tmp_path / "frame.parquet").names
    found = lw.dedupe(tmp_path / "frame.parquet")
    assert list(found.decision.kinds) == ["name", "town"]
    assert any("'__index_level_0__' (the index of a pandas frame)" in note for note in found.notes)
    assert "__index_level_0__" in found.canonical.column_names
