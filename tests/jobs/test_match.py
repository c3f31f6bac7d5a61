"""What match takes, what it gives, and what it says."""

import numpy as np
import pytest
from tests.records.test_decision import people, worse

import likewise as lw
from likewise.errors import ColumnError, InputError, OptionError
from likewise.evaluate.gold import secondstring


def test_a_least_score_from_the_scores_or_from_labels():
    right = ["Ada Lovelace", "Grace Hopper", "Kurt Goedel", "Emmy Noether"]
    left = ["Lovelace Ada", "Hoper Grace", "Alonzo Church"]
    auto = lw.match(left, right, min_score="auto")
    assert [(match.left, match.right) for match in auto] == [(0, 0), (1, 1)]
    assert auto.threshold.method == "widest margin"
    assert sum(auto.threshold.histogram.counts) == 3
    judged = [(0, 0, 1), (1, 1, 1), (2, 2, 0), (2, 0, 0), (2, 1, 0)]
    best = lw.match(left, right, labels=judged)
    assert (best.threshold.method, best.threshold.f1) == ("best F1", 1.0)
    assert len(best) == 2
    assert lw.match(left, right, labels=judged, precision=1).threshold.method == "precision 1"
    for bad, message in (
        ({"labels": judged, "min_score": 0.5}, "min_score and labels exclude each other"),
        ({"precision": 0.5}, "precision needs labels"),
        ({"min_score": "much"}, "min_score must be a number from 0, or auto, not 'much'"),
        ({"all_pairs": True, "one_to_one": True}, "all_pairs and one_to_one exclude each other"),
    ):
        with pytest.raises(OptionError, match=message):
            lw.match(left, right, **bad)


def test_labels_that_cannot_be():
    rows = [
        {"name": f"{first} {last}", "town": last}
        for first in ("ada", "bo", "cy")
        for last in ("ash", "elm", "oak", "fir", "yew")
    ]
    for bad, message in (
        ([(0, 0, 1), (1, 1, 1), (0, 0, 0)], "labels, row 2: the pair was judged the other way"),
        ([(0, 0)], "labels are tuples of three"),
    ):
        with pytest.raises(InputError, match=message):
            lw.match(rows, rows[::-1], labels=bad)
    with pytest.raises(InputError, match="row 1: the pair was judged the other way"):
        lw.dedupe(rows, labels=[(0, 1, 1), (1, 0, 0)])
    assert lw.match(rows, list(rows), labels=[]).table.equals(lw.match(rows, list(rows)).table)


def test_a_progress_callback_can_stop_the_work():
    random = np.random.default_rng(6)
    names = [" ".join(random.choice(list("abcdefghij"), 30)) for _ in range(20)] + ["x"] * 3
    rows = [{"a": name, "b": name} for name in names] * 100
    seen = []

    def stop(done, total, unit):
        seen.append((done, total, unit))
        raise lw.Cancelled("enough")

    with pytest.raises(lw.Cancelled, match="enough"):
        lw.match(rows, rows, on=["a", "b"], all=True, progress=stop)
    assert seen[0][2] == "blocks"


def test_ids_texts_and_frames():
    pandas = pytest.importorskip("pandas")
    polars = pytest.importorskip("polars")
    left = pandas.DataFrame({"key": ["x", "y"], "name": ["Ada Lovelace", "Grace Hopper"]})
    right = polars.DataFrame({"number": [7, 8], "person": ["Hopper, Grace", "Lovelace, Ada"]})
    result = lw.match(left, right, left_on="name", right_on="person", left_id="key", right_id="number")
    frame = result.to_pandas()
    assert list(frame.columns) == ["left", "right", "score", "rank", "left_text", "right_text"]
    assert frame[["left", "right", "rank"]].values.tolist() == [["x", 8, 1], ["y", 7, 1]]
    assert result.to_polars().shape == (2, 6)
    for match in result:
        assert result.measure.score(match.left_text, match.right_text) == match.score


def test_fields_with_other_names_on_the_right():
    left = [{"name": "Ada", "zip": 4011.0}, {"name": "Kurt", "zip": None}]
    right = [{"person": "Adda", "postcode": "4011"}, {"person": "Curt", "postcode": "99"}]
    result = lw.match(left, right, left_on={"name": 2, "zip": 1}, right_on=["person", "postcode"], explain=True)
    assert [(match.left, match.right) for match in result] == [(0, 0), (1, 1)]
    for match in result:
        assert result.measure.score(left[match.left], right[match.right]) == match.score
        assert result.measure.explain(left[match.left], right[match.right]).total == pytest.approx(match.score)


def test_all_columns_are_one_text():
    left = [{"first": "Ada", "last": "Lovelace"}, {"first": "Kurt", "last": None}]
    right = [{"name": "Lovelace Ada"}]
    result = lw.match(left, right)
    assert [match.left_text for match in result] == ["Ada Lovelace"]
    assert result.table.equals(lw.match(["Ada Lovelace", "Kurt"], ["Lovelace Ada"]).table)


def test_a_null_field_is_no_evidence():
    left = [{"name": "Ada Lovelace", "city": "London"}]
    right = [{"name": "Ada Lovelace", "city": None}, {"name": "Ada Lovelace", "city": "Paris"}]
    result = lw.match(left, right, on=["name", "city"], measure=lw.Spectra(), top=2)
    assert [(match.right, round(match.score, 9)) for match in result] == [(0, 1.0), (1, 0.5)]


def test_an_own_fitted_measure_is_kept_and_an_unfitted_one_is_not_touched():
    fitted = lw.TfIdf().fit(["a b", "a c"])
    assert lw.match(["a b"], ["b"], measure=fitted).measure is fitted
    unfitted = lw.TfIdf()
    assert lw.match(["a b", "c"], ["b"], measure=unfitted).measure.statistics is not None
    assert unfitted.statistics is None
    assert str(lw.match(["a b"], ["b"], measure="spectra(q=3)").measure).startswith("spectra(q=3")


def test_measures_by_field():
    left = [{"name": "ada", "note": "x y"}]
    result = lw.match(left, left, on=["name", "note"], measure={"note": "matches"})
    assert result.measure.fields[1].measure.name == "matches"
    with pytest.raises(OptionError, match="measure names field 'nte'"):
        lw.match(left, left, on=["name", "note"], measure={"nte": "matches"})


def test_explain_adds_up():
    left = [{"name": "Gonzalo Gonzalez", "city": "Lima"}]
    right = [{"name": "Gonzales, Gonzalo", "city": "Lima"}]
    result = lw.match(left, right, on=["name", "city"], measure=lw.Spectra(), explain=True)
    assert "lima" in next(iter(result)).why
    why = result.measure.explain(left[0], right[0])
    assert why.total == pytest.approx(why.score, abs=1e-9)
    assert {span.of(why.left) for span in why.left_spans} >= {"Lima"}
    single = next(iter(lw.match(["ada x"], ["ada y"], measure=lw.Matches(), explain=True)))
    assert single.why == "ada 1.000"


def test_sides_without_anything():
    for left, right in (([], ["a"]), (["a"], []), ([None, " "], ["a"]), ([], None)):
        result = lw.match(left, right)
        assert len(result) == 0
        assert result.table.column_names == ["left", "right", "score", "rank", "left_text", "right_text"]
        assert result.unmatched.num_rows == len(left) + len(right or [])
    assert len(lw.match(["a"], ["a"], top=1000)) == 1


BAD = [
    ({"on": "nme"}, ColumnError, "left has no column 'nme'; did you mean 'name'.* its columns: 'name', 'n'"),
    ({"on": "name", "left_on": "name", "right_on": "name"}, OptionError, "exclude each other"),
    ({"left_on": "name"}, OptionError, "name the columns of both sides: right_on is missing"),
    ({"on": "name", "top": 0}, OptionError, "top must be 1 or more, not 0"),
    ({"on": "name", "top": 1.5}, OptionError, "top must be a whole number, not 1.5"),
    ({"on": "name", "min_score": -0.1}, OptionError, "min_score must be a number from 0, or auto, not -0.1"),
    ({"on": "name", "min_score": float("nan")}, OptionError, "min_score must be a number from 0, or auto, not nan"),
    ({"on": {"name": 0}}, OptionError, "the weight of 'name' must be a finite number above 0"),
    ({"on": ["name", "name"]}, OptionError, "names column 'name' twice"),
    ({"on": 5}, OptionError, "on must name a column, not 5"),
    ({"equal_on": [5]}, OptionError, "equal_on must name a column, not 5"),
    ({"left_id": 5}, OptionError, "left_id must name a column, not 5"),
    ({"on": "name", "tpo": 1}, OptionError, "unknown option 'tpo'"),
    ({"on": "name", "one_to_one": True, "reciprocal": True}, OptionError, "exclude each other"),
    ({"on": "name", "equal_on": "x"}, ColumnError, "no column 'x'"),
    ({"on": "name", "id": "n"}, InputError, "id 1 in column 'n' occurs more than once"),
    ({"on": "name", "measure": 7}, OptionError, "measure must be a measure"),
    ({"on": "name", "measure": "spectre"}, OptionError, "measure must be one of"),
    ({"on": "name", "threads": 0}, OptionError, "threads must be between 1 and 1024"),
]


@pytest.mark.parametrize(("arguments", "error", "message"), BAD)
def test_bad_requests(arguments, error, message):
    table = [{"name": "a", "n": 1}, {"name": "b", "n": 1}]
    with pytest.raises(error, match=message):
        lw.match(table, table, **arguments)


def test_one_to_one_needs_two_sides():
    with pytest.raises(OptionError, match="one_to_one needs two tables"):
        lw.match(["a", "b"], one_to_one=True)
    with pytest.raises(OptionError, match="needs a right table"):
        lw.match(["a", "b"], left_on="text", right_on="text")


@pytest.mark.data
def test_the_default_finds_the_partner(data):
    """The right partner is the best match in at least 97 % of the cases that have one."""
    folder = data / "er"
    people = lw.match(folder / "febrl/dataset4a.csv", folder / "febrl/dataset4b.csv", id="rec_id", all=True)
    assert sum(match.left.split("-")[1] == match.right.split("-")[1] for match in people) / 5000 >= 0.97
    gold = secondstring.read(folder / "restaurant.txt")
    partners = set(map(tuple, gold.gold.tolist()))
    found = {(match.left, match.right) for match in lw.match(gold.lefts, gold.rights, all=True)}
    lefts = {left for left, _ in partners}
    assert len({left for left, _ in partners & found}) / len(lefts) >= 0.97


def test_long_texts_are_compared_by_words_and_it_is_said():
    texts = [" ".join(f"word{(place * step) % 97}" for place in range(60)) for step in range(2, 30)]
    found = lw.match(texts)
    assert found.measure.name == "tfidf"
    assert any("compared by words" in note for note in found.notes)
    assert lw.match(texts, measure="spectra").measure.name == "spectra"
    assert lw.match([text[:40] for text in texts]).measure.name == "spectra"
    assert any("compared by words" in note for note in lw.dedupe(texts).notes)


def test_a_percentage_is_asked_about():
    assert (
        "no pair scores 85; scores are about 0 to 1: was 0.85 meant?" in lw.match(["ada"], ["ada"], min_score=85).notes
    )
    assert not lw.match(["a b"], ["a b"], measure="matches", min_score=2).notes


def test_a_list_needs_no_name_for_its_column():
    table = [{"name": "Ada Lovelace", "city": "London"}, {"name": "Grace Hopper", "city": None}]
    found = lw.match(table, ["Hopper, Grace"], left_on="name", top=1)
    assert (1, 0) in [(one.left, one.right) for one in found]
    found = lw.match(["Hopper, Grace"], table, right_on="name", top=1)
    assert [(one.left, one.right) for one in found] == [(0, 1)]
    with pytest.raises(OptionError, match="name the columns of both sides: right_on is missing"):
        lw.match(table, table, left_on="name")


def test_a_missing_field_leaves_its_place_empty_where_records_are_shown():
    table = [{"name": "Ada", "town": None, "land": "GB"}, {"name": "Ada", "town": "Bath", "land": "GB"}]
    found = lw.match(table[:1], table[1:], on=["name", "town", "land"], top=1, explain=True)
    assert (found[0].left_text, found[0].right_text) == ("Ada |  | GB", "Ada | Bath | GB")
    why = found.measure.explain(table[0], table[1])
    marked = {why.left[span.start : span.end] for part in why.contributions for span in part.left_spans}
    assert marked == {"Ada", "GB"}


def test_what_left_nothing_is_said():
    assert repr(lw.match(["Ada"], ["Bob"], min_score=0.9)) == "MatchResult(0 pairs; no pair scores 0.9 or more)"
    assert lw.match([{"a": None}], [{"a": "Ada"}], top=1).notes == ("left: every cell that is compared is empty",)
    assert "every cell that is compared is empty" in lw.dedupe([None, ""]).notes[0]


@pytest.mark.parametrize("right", [[{"name": "Lovelace, Ada", "born": 1815}], None])
def test_columns_to_join_are_checked_before_the_work(right, monkeypatch):
    left = [{"name": "Ada Lovelace", "born": 1815}, {"name": "Lovelace Ada", "born": 1815}]
    found = lw.match(left, right, on="name", min_score=0.5, columns=["born"])
    assert found.join("inner").table.column_names == ["name", "born", "born_right", "score"]
    assert found.join("inner", ["name"]).table.column_names == ["name", "born", "name_right", "score"]
    monkeypatch.setattr("likewise.jobs.match.build", lambda *_: pytest.fail("the records were compared"))
    with pytest.raises(ColumnError, match=r"has no column 'bron'; did you mean 'born'"):
        lw.match(left, right, on="name", columns=["bron"])


def test_labels_of_several_rounds_are_taken_together(tmp_path):
    left = people(60, 4)
    right = [worse(row, np.random.default_rng(6)) for row in left]
    (tmp_path / "one.csv").write_text("left,right,match\n0,0,1\n1,1,1\n\n1,2,0\n")
    (tmp_path / "two.csv").write_text("left,right,match\n3,3,1\n3,4,0\n")
    first = lw.match(left, right, labels=tmp_path / "one.csv")
    first.model.save(tmp_path / "model.json")
    for labels in (["one.csv", "two.csv"], ["model.json", "two.csv"]):
        both = lw.match(left, right, labels=[tmp_path / name for name in labels])
        assert both.decision.labels == 5
        assert len(both.model.labels) == 5
    assert lw.match(left, right, labels=[first.model, tmp_path / "two.csv"]).decision.labels == 5
    with pytest.raises(OptionError, match=r"--labels model\.json --labels more\.csv"):
        lw.match(left, right, model=tmp_path / "model.json", labels=tmp_path / "two.csv")
    (tmp_path / "two.csv").write_text("left,right,match\n3,3,1\n\n1,2,1\n")
    with pytest.raises(InputError, match=r"two\.csv, line 4: the pair was judged the other way"):
        lw.match(left, right, labels=[tmp_path / "one.csv", tmp_path / "two.csv"])
    with pytest.raises(InputError, match="was learnt without labels"):
        lw.match(left, right, labels=lw.match(left, right).model)


def test_a_minimum_of_one_takes_equal_texts():
    # Sums over q-grams end a unit in the last place below 1 for some texts.
    names = [f"{one} {other}" for one in ("Zürich", "Aa", "Qibla", "Bö") for other in ("am See", "x", "yard 77", "of")]
    scores = [lw.match([name], [name], top=1)[0].score for name in names]
    equal = lw.match(names, names, min_score=1)
    assert {(pair.left, pair.right) for pair in equal} >= {(at, at) for at in range(len(names))}
    assert min(pair.score for pair in equal) >= 1 - 1e-12
    assert len(lw.match(names, names, min_score=1, one_to_one=True)) == len(names)
    assert len(lw.Index.build(names, measure="spectra").match(names, min_score=1)) == len(names)
    assert min(scores + [pair.score for pair in equal]) < 1  # otherwise this says nothing


@pytest.mark.parametrize("engine", [None, "duckdb"])
def test_each_table_has_a_format_and_a_delimiter_of_its_own(tmp_path, engine):
    left, right = tmp_path / "left", tmp_path / "right.csv"
    left.write_text("key:name\na:Ada, Lovelace\nz:Zoë\n")
    right.write_text("key,name\n1,Zoë\n")
    found = lw.match(
        left, right, on="name", id="key", min_score=0.9, left_format="csv", left_delimiter=":", engine=engine
    )
    assert [(one.left, one.right) for one in found] == [("z", "1")]
    with pytest.raises(OptionError, match="left_format must be one of"):
        lw.match(left, right, left_format="text")


@pytest.mark.parametrize("engine", [None, "duckdb"])
def test_a_folder_of_json_objects_is_a_table(tmp_path, engine):
    for name in ("Ada Lovelace", "Grace Hopper"):
        (tmp_path / f"{name}.json").write_text(f'{{"name": "{name}"}}')
    found = lw.match(tmp_path, ["Hopper, Grace"], left_on="name", right_on="text", min_score=0.9, engine=engine)
    assert [(one.left, one.right) for one in found] == [(1, 0)]


@pytest.mark.parametrize("engine", [None, "duckdb"])
def test_each_table_has_a_sheet_and_an_encoding_of_its_own(tmp_path, engine):
    pytest.importorskip("python_calamine")
    book = pytest.importorskip("openpyxl").Workbook()
    for name, rows in (("Old", [["name"], ["Zoë Smith"], ["Ada Lovelace"]]), ("New", [["name"], ["Ada Lovelace"]])):
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    path = tmp_path / "book.xlsx"
    book.save(path)
    found = lw.match(path, path, on="name", top=1, left_sheet="New", right_sheet="Old", engine=engine)
    assert [(one.left, one.right) for one in found] == [(0, 1)]
    texts = tmp_path / "t.csv", tmp_path / "u.csv"
    for path, encoding in zip(texts, ("cp1252", "mac_roman"), strict=True):
        path.write_bytes("name\nZoë\n".encode(encoding))
    found = lw.match(*texts, on="name", top=1, left_encoding="cp1252", right_encoding="mac_roman", engine=engine)
    assert [one.score for one in found] == [pytest.approx(1)]
    with pytest.raises(OptionError, match="right_sheet needs a right table"):
        lw.match(texts[0], on="name", top=1, right_sheet="Old", engine=engine)
    with pytest.raises(OptionError, match="encoding must be the name"):
        lw.match(*texts, left_encoding="utf-9")
