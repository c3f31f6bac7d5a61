"""Labels that are given."""

import numpy as np
import pytest
from tests.fuzz import flips

import likewise as lw
from likewise.records.labels import asked_for


def test_labels_that_are_empty_are_none():
    assert asked_for([]) is None
    assert asked_for(None) is None
    assert asked_for([("a", "b", True)]) == [("a", "b", True)]


def test_what_was_judged_is_as_sure_as_can_be():
    judged = [("0", "0", True), ("1", "1", False)]
    found = lw.match(flips.PEOPLE, flips.OTHERS, id="key", labels=judged)
    chance = {(match.left, match.right): match.probability for match in found}
    assert chance["0", "0"] == pytest.approx(1 / (1 + np.exp(-12.0)), abs=1e-9)
    assert ("1", "1") not in chance
    assert ("2", "2") in chance
