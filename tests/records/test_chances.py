"""Odds that end, and what are more than few."""

import numpy as np
import pytest
from tests.records.made import decision_of, pairs_of

from likewise.records.chances import at_most, by_score, more_than_few
from likewise.records.evidence import Evidence
from likewise.records.limits import Limits, decided_by
from likewise.records.partners import Relation


def test_no_odds_are_endless():
    for made in (at_most(decision_of([0.0, 1.0]), np.ones(2), None),):
        assert np.isfinite(made.odds).all()
        assert made.odds.tolist() == pytest.approx([-np.log(9999), np.log(9999)])
    found = pairs_of([0, 1], [0, 1], 2, 2)
    overall = Evidence(np.zeros(2, bool), np.array([1.0, 0.0]), np.zeros(2, bool), np.ones(2))
    made = by_score(found, overall, None, Relation.ONE)
    assert np.isfinite(made.odds).all()
    assert made.fields == ("*", "rivals")
    np.testing.assert_allclose(made.parts.sum(1) + made.prior, made.odds)


def test_more_than_few():
    found = pairs_of([], [], 100, 200)
    with decided_by(Limits(few_between=0.1, reading_errors=1.0)):
        # m - sqrt(m) > 10
        border = ((1 + 41**0.5) / 2) ** 2
        assert more_than_few(found, border + 1e-6)
        assert not more_than_few(found, border - 1e-6)
        assert not more_than_few(pairs_of([], [], 100, 100, True), 90)
