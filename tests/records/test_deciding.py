"""What a model is given as, and what it corrects."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from tests.records.made import decision_of, pairs_of
from tests.records.test_model import model_of

from likewise.errors import InputError, OptionError
from likewise.read.tables import read_table
from likewise.records import deciding
from likewise.records.deciding import _kept, as_model, corrected, known_measure
from likewise.records.decision import KNOTS, Correction, Learnt
from likewise.records.evidence import Evidence
from likewise.records.partners import Relation


def test_what_a_model_is_given_as(tmp_path):
    model = model_of()
    assert as_model(None) is None
    assert as_model(model) is model
    with pytest.raises(OptionError, match="not int"):
        as_model(3)
    assert known_measure(None, None) is None
    assert known_measure("x", None) == known_measure("x", model) == "x"
    assert known_measure(None, model) is model.scores
    records = read_table([{"id": n, "t": "x"} for n in (7, 8, 9)], id="id")
    assert _kept(records, records, None) == ()
    labels = (np.array([0, 2]), np.array([1, 0]), np.array([True, False]))
    assert _kept(records, records, labels) == (("7", "8", True), ("9", "7", False))


def test_a_model_corrects_the_parts_it_was_taught():
    decision = decision_of([0.9, 0.2], parts=[[1.0, 1.0], [-2.0, 0.5]])
    plain = Learnt(Relation.MANY, False)
    assert corrected(decision, plain, None) is decision
    bent = replace(plain, correction=Correction((0.0,) * len(KNOTS), (1.0, 2.0)))
    assert corrected(decision, bent, None).odds.tolist() == pytest.approx([3.0, -1.0])
    with pytest.raises(InputError, match="corrects 3 parts, and 2 speak"):
        corrected(decision, replace(plain, correction=Correction((0.0,) * len(KNOTS), (1.0,) * 3)), None)


def test_copies_that_give_no_more_change_nothing(monkeypatch):
    found = pairs_of([0, 0, 1], [0, 1, 1], 2, 2)
    nothing = Evidence.nothing(3)
    compared = SimpleNamespace(found=found, overall=nothing, whole=None, fields=[], evidence=[])

    def best_copies(alone, told):
        monkeypatch.setattr(deciding, "copies_of", lambda *_: Relation.MANY)
        monkeypatch.setattr(deciding, "decide_compared", lambda *_: replace(decision_of(told), found=found))
        return deciding._best_copies(compared, alone, None)

    # Of two copies that claim a partner the better one is left; what no odds speak for is nobody's.
    alone = replace(decision_of([0.6, 0.0, 0.5]), found=found)
    better = best_copies(alone, [0.9, 0.6, 0.8])
    assert better.relation is Relation.ONE
    assert better.keep.tolist() == [True, False, True]
    assert better.probability.tolist() == pytest.approx([0.9, 0.0, 0.8])
    assert best_copies(better, [0.9, 0.6, 0.8]) is better
    assert best_copies(alone, [0.0, 0.0, 0.0]) is alone
    monkeypatch.setattr(deciding, "copies_of", lambda *_: None)
    assert deciding._best_copies(compared, alone, None) is alone
