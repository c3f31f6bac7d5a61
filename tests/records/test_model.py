"""Models of matches as files: applied without learning, the same numbers, refused in words."""

import json
import pickle
from dataclasses import replace

import numpy as np
import pytest
from tests.fuzz import flips
from tests.records.test_decision import f1, people, worse

import likewise as lw
from likewise.errors import DamagedError, ForeignError, InputError, OptionError
from likewise.measure import TfIdf
from likewise.records import model as models
from likewise.records.decision import KNOTS, Correction, Learnt
from likewise.records.model import Model
from likewise.records.partners import Relation
from likewise.seals import sealed, unsealed


@pytest.fixture(scope="module")
def tables():
    random = np.random.default_rng(5)
    left = people(200)
    return left, [worse(record, random) for record in left[:120]] + people(100, seed=9)


def test_a_saved_model_gives_the_same_numbers(tables, tmp_path):
    left, right = tables
    found = lw.match(left, right, explain=True)
    found.model.save(tmp_path / "model.json")
    again = lw.match(left, right, explain=True, model=tmp_path / "model.json")
    assert again.table.equals(found.table)
    assert again.evidence.equals(found.evidence)
    assert again.model.learnt == found.model.learnt


def test_a_model_of_numbers_is_saved(tables, tmp_path):
    left, right = ([{**row, "paid": 3.0 * 1.1 ** (len(row["name"]) % 40)} for row in side] for side in tables)
    found = lw.match(left, right, kinds={"paid": "number"})
    found.model.save(tmp_path / "model.json")
    assert lw.match(left, right, model=tmp_path / "model.json").table.equals(found.table)
    joined = found.join("inner", columns=["paid"]).to_arrow()
    assert sorted(joined["probability"].to_pylist()) == sorted(found.table["probability"].to_pylist())


def test_new_records_are_decided_on_without_learning(tables, tmp_path):
    left, right = tables
    model = lw.match(left, right).model
    random = np.random.default_rng(8)
    base = people(60, seed=21)
    new = [worse(record, random) for record in base[:40]]
    assert f1(lw.match(base, new, model=model), {(place, place) for place in range(40)}) >= 0.9
    few = lw.match(base[:3], new[:3], model=model)
    assert [(match.left, match.right) for match in few] == [(0, 0), (1, 1), (2, 2)]
    assert few.decision is not None


def test_duplicates_by_a_model(tmp_path):
    random = np.random.default_rng(7)
    base = people(100, seed=11)
    rows = [row for record in base for row in (record, worse(record, random), worse(record, random))]
    found = lw.dedupe(rows)
    found.model.save(tmp_path / "model.json")
    kept = pickle.loads(pickle.dumps(found))
    assert kept.table.equals(found.table)
    assert kept.threshold.to_json() == found.threshold.to_json()
    assert "curves" not in repr(found.decision)
    assert str(found.decision) == found.decision.to_text()
    again = lw.dedupe(rows, model=tmp_path / "model.json")
    assert abs(len(again) - len(found)) <= 3
    assert len(lw.dedupe(rows[:9], model=found.model)) == 3


def test_what_is_refused(tables, tmp_path):
    left, right = tables
    model = lw.match(left, right).model
    with pytest.raises(InputError, match="two tables"):
        lw.dedupe(left, model=model)
    path = tmp_path / "model.json"
    for content, error in (("[]", ForeignError), ("{", ForeignError), ('{"format": "x"}', ForeignError)):
        path.write_text(content)
        with pytest.raises(error, match="not a model of matches"):
            lw.match(left, right, model=path)
    model.save(path)
    values = json.loads(path.read_text())
    path.write_text(json.dumps({**values, "version": 99}))
    with pytest.raises(ForeignError, match="version 99"):
        lw.match(left, right, model=path)
    path.write_text(json.dumps({**values, "learnt": {}}))
    with pytest.raises(DamagedError, match="has changed since it was written"):
        lw.match(left, right, model=path)
    path.write_text(json.dumps(sealed({**unsealed(values, path), "learnt": {}})))
    with pytest.raises(DamagedError, match="cannot be read"):
        lw.match(left, right, model=path)
    with pytest.raises(OptionError, match="model must be"):
        lw.match(left, right, model=3)


def test_few_records_get_the_numbers_they_had_among_many(tables, tmp_path):
    left, right = tables
    found = lw.match(left, right, on=["name", "key"])
    found.model.save(tmp_path / "model.json")
    few = lw.match(left, right[:5], on=["name", "key"], model=tmp_path / "model.json")
    before = {(pair.left, pair.right): pair for pair in found if pair.right < 5}
    assert {(pair.left, pair.right) for pair in few} >= before.keys()
    for pair in few:
        if (pair.left, pair.right) in before:
            same = before[pair.left, pair.right]
            assert pair.score == same.score
            # Rivals are gone, and nothing else; one whose own partner is gone too contests a little.
            assert pair.probability >= same.probability - 1e-4
    assert few.model.learnt.threshold == found.model.learnt.threshold


def test_a_model_of_other_fields_is_refused(tables):
    left, right = tables
    model = lw.match(left, right, on=["name", "key"]).model
    with pytest.raises(InputError, match="compares name, key: 'key' is not compared here, only name "):
        lw.match(left, right, on="name", model=model)
    other = [{"colour": "red" if at % 2 else "blue"} for at in range(len(right))]
    with pytest.raises(InputError, match="'name' is not compared here, nor is another column"):
        lw.match([{"name": row["name"], "key": row["key"]} for row in left], other, model=model)
    with pytest.raises(InputError, match="it does not know"):
        lw.match(left, right, model=model)


def test_kinds_of_fields_that_are_not_compared_are_refused(tables):
    with pytest.raises(OptionError, match="not 'nam'"):
        lw.match(*tables, kinds={"nam": "name"})


@pytest.mark.parametrize(
    ("where", "value"),
    [
        ("learnt.size", -1),
        ("learnt.prior", "much"),
        ("learnt.prior", True),
        ("learnt.prior", 1e300),
        ("learnt.names", ["name"]),
        ("learnt.relation", "2:2"),
        ("learnt.curve", [[2.0, 1.0], [0.5, 1.0]]),
        ("learnt.curve", [[], []]),
        ("learnt.contrast.features", []),
        ("learnt.levels", None),
        ("learnt.correction", {"bend": [0.0], "factors": [1.0, 1.0, 1.0, 1.0, 1.0]}),
        ("learnt.correction", [0.0, 1.0, 1.0]),
        ("fields.city.kind", "colour"),
        ("fields.city.kind", "date"),
        ("fields.city.alone", 1.5),
        ("fields.city.common", {"london": 0}),
        ("fields.born.scale", [True, 0.0]),
        ("fields.born.scale", [1]),
    ],
)
def test_a_model_that_somebody_wrote_is_refused_where_its_parts_do_not_fit(learnt_model, where, value):
    values = json.loads(json.dumps(learnt_model.to_json()))
    *above, last = where.split(".")
    holder = values
    for name in above:
        holder = holder[name]
    assert last in holder
    Model.from_json(values)
    values["fields"]["city"]["alone"] = 1.0  # every record has it
    Model.from_json(values)
    holder[last] = value
    with pytest.raises((ValueError, TypeError)):
        Model.from_json(values)


def test_a_correction_of_other_parts_is_refused(learnt_model):
    changed = replace(
        learnt_model, learnt=replace(learnt_model.learnt, correction=Correction((0.0,) * len(KNOTS), (1.0,)))
    )
    with pytest.raises(InputError, match="corrects 1 parts, and 5 speak"):
        lw.match(flips.PEOPLE, flips.OTHERS, id="key", model=changed)


@pytest.fixture(scope="module")
def learnt_model():
    return lw.match(flips.PEOPLE, flips.OTHERS, id="key").model


@pytest.mark.parametrize(
    ("values", "sound"),
    [
        ({"alone": 1.0}, True),
        ({"alone": 0.0}, False),
        ({"alone": 1.001}, False),
        ({"common": {"a": 1.0}}, True),
        ({"common": {"a": 1.001}}, False),
        ({"common": {"a": 0.0}}, False),
        ({"scale": [True, 1.0]}, True),
        ({"scale": [True, 0.0]}, False),
        ({"kind": "nothing"}, False),
    ],
)
def test_a_field_of_a_model_at_its_borders(values, sound):
    plain = {"kind": "number", "measure": None, "scale": None, "common": {}, "alone": 0.5, **values}
    if sound:
        assert models._field_json(models._field(plain)) == {**plain, "scale": plain["scale"] and tuple(plain["scale"])}
    else:
        with pytest.raises(ValueError):
            models._field(plain)


def model_of(relation=Relation.ONE, self_join=False, **learnt):
    measure = TfIdf().fit(["a b", "b c"])
    return models.Model(Learnt(relation, self_join, **learnt), measure, measure, {"a": None}, {})


def test_a_model_is_of_one_table_or_of_two():
    for made in (False, True):
        for asked in (False, True):
            if made == asked:
                model_of(self_join=made).check(asked, ["a"])
            else:
                with pytest.raises(InputError, match="learnt on one table" if made else "learnt on two tables"):
                    model_of(self_join=made).check(asked, ["a"])
    for fields in (["b"], [], ["a", "b"]):
        with pytest.raises(InputError):
            model_of().check(False, fields)


def test_the_relation_of_a_model():
    one, many = model_of(), model_of(Relation.MANY)
    assert one.for_relation(None) is one
    assert one.for_relation(Relation.ONE) is one
    for model, asked in ((one, Relation.MANY), (many, Relation.ONE), (one, Relation.TO_ONE)):
        with pytest.raises(OptionError, match="was learnt for the relation"):
            model.for_relation(asked)
    assert model_of(Relation.MANY, texts=True).for_relation(Relation.ONE).learnt.relation is Relation.ONE
    with pytest.raises(OptionError):
        model_of(Relation.MANY, texts=True).for_relation(Relation.TO_ONE)
