"""A score with a cutoff is the score where it reaches the cutoff, and below it otherwise."""

import numpy as np
import pytest

from likewise import _core
from likewise.measure import parse

TEXTS = ["martha jones", "marhta johnes", "dixon", "dickson", "dwayne duane", "martha", "jon", "jones dixon", ""]
MEASURES = ("spectra", "tfidf", "matches(phrases=true)", "soft-tfidf", "soft-tfidf(pairs=all)", "soft-cardinality")


def single(name):
    """Return the scorer of a measure over the texts with themselves."""
    measure = parse(name).fit(TEXTS)
    prepared = measure.prepare(TEXTS)
    return measure.scorer(prepared, prepared)


def fields(name):
    """Return the mean of a measure over two fields."""
    scorer = single(name)
    values = np.array([0, 1, 2, 3, 4, 5, -1, 7, 8], np.int32)
    return _core.FieldsScorer([scorer, scorer], [2.0, 1.0], [values] * 2, [values[::-1].copy()] * 2, 9, 9)


@pytest.mark.parametrize("make", [single, fields])
@pytest.mark.parametrize("name", MEASURES)
def test_cutoff(name, make):
    scorer = make(name)
    size = len(TEXTS)
    left, right = np.repeat(np.arange(size), size), np.tile(np.arange(size), size)
    exact = _core.pair_scores(scorer, left, right)
    for cutoff in (0.0, 0.2, 0.5, 0.9, 1.0, *sorted(set(exact.tolist()))[:20]):
        cut = _core.pair_scores(scorer, left, right, cutoff=cutoff)
        reached = exact >= cutoff
        assert (cut[reached] == exact[reached]).all()
        assert (cut[~reached] < cutoff).all()
    assert scorer.score(0, 1, float(exact[1])) == exact[1]
