"""Several fields as one measure: scores, fitting, saving, printing."""

import pickle

import pytest

import likewise as lw
from likewise.errors import InputError, OptionError
from likewise.measure import FieldMeasure, FieldsMeasure, load, parse

LEFT = [{"name": "Ada Lovelace", "city": "London"}, {"name": "Alan Turing", "city": None}]
RIGHT = [{"nom": "Lovelace, Ada", "city": "Paris"}, {"nom": "Turing A.", "city": "London"}]


def fields(**options):
    name = FieldMeasure("name", 3, lw.Spectra(weights="c.idf", smooth=True), "nom")
    return FieldsMeasure([name, FieldMeasure("city", 1, lw.TfIdf(weights="tf"))])


def test_score_is_the_weighted_mean_over_fields_that_both_have():
    measure = fields()
    assert measure.adaptive
    assert not measure.ready
    measure.fit(LEFT + RIGHT)
    names = measure.fields[0].measure
    assert measure.score(LEFT[0], RIGHT[0]) == 3 * names.score("Ada Lovelace", "Lovelace, Ada") / 4
    assert measure.score(LEFT[1], RIGHT[1]) == 3 * names.score("Alan Turing", "Turing A.") / 3
    assert measure.scores(LEFT, RIGHT).tolist() == [
        measure.score(one, other) for one, other in zip(LEFT, RIGHT, strict=True)
    ]
    assert measure.matrix(LEFT, RIGHT).shape == (2, 2)
    assert measure.score({}, {}) == 0
    assert not measure.symmetric


def test_fields_are_saved_loaded_copied_pickled_printed_and_parsed(tmp_path):
    measure = fields().fit(LEFT + RIGHT)
    measure.save(tmp_path / "measure.json")
    expected = measure.matrix(LEFT, RIGHT).tolist()
    for again in (load(tmp_path / "measure.json"), measure.copy(), pickle.loads(pickle.dumps(measure))):
        assert again.matrix(LEFT, RIGHT).tolist() == expected
        assert str(again) == str(measure)
    assert str(parse(str(measure))) == str(measure)
    assert parse(str(measure)).fields[0].right_name == "nom"


def test_explanation_adds_up_with_spans_in_the_joined_texts():
    measure = fields().fit(LEFT + RIGHT)
    why = measure.explain(LEFT[0], {"nom": "Ada Byron", "city": "London"})
    assert why.total == pytest.approx(why.score)
    assert why.left == "Ada Lovelace | London"
    city = next(part for part in why.contributions if part.left == "london")
    assert [span.of(why.left) for span in city.left_spans] == ["London"]
    assert [span.of(why.right) for span in city.right_spans] == ["London"]


def test_the_summary_names_a_measure_that_all_fields_have_once():
    assert fields().summary == str(fields())
    same = FieldsMeasure([FieldMeasure("name", 1, lw.Tf(), "nom"), FieldMeasure("city", 1, lw.Tf())])
    assert same.summary == f"{lw.Tf()} of name ~ nom, city"


def test_what_is_no_record_or_has_no_weight_is_refused():
    with pytest.raises(InputError, match=r"a record .* is wanted, not str"):
        fields().fit(["Ada"])
    with pytest.raises(OptionError, match="at least one field"):
        FieldsMeasure([])


def test_fields_can_score_once_each_of_them_can():
    fields = FieldsMeasure([FieldMeasure("name", 1, lw.Tf()), FieldMeasure("city", 1, lw.TfIdf())])
    assert fields.ready is False
    assert fields.fit([{"name": "Ada", "city": "London"}]).ready is True
