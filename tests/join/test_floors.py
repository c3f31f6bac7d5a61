"""What partners must reach because there are others: nothing of interest is lost, and less is looked at."""

import random

import numpy as np
import pytest

import likewise as lw
from likewise.join import prepare, top

_DRAW = random.Random(5)
_PARTS = ["an", "bel", "cor", "da", "el", "fi", "gor", "hu", "in", "jo", "ka", "lu", "mar", "no", "os"]
TEXTS = [" ".join("".join(_DRAW.choices(_PARTS, k=2)) for _ in range(2)) for _ in range(600)]


@pytest.mark.parametrize("measure", [lw.Spectra(), lw.TfIdf(), lw.SoftTfIdf(), lw.Spectra(coefficient="coverage")])
def test_every_partner_that_reaches_the_floor_is_found(measure):
    measure = measure.copy().fit(TEXTS)
    left, right = measure.prepare(TEXTS[:40]), measure.prepare(TEXTS[40:])
    scorer, bound = measure.scorer(left, right), measure.bound(left, right)
    every = top(scorer, 5, bound=bound)
    # A floor that is a score itself: what ties with it is of interest.
    floors = np.zeros(40)
    np.maximum.at(floors, every.left[2::3], every.score[2::3])
    wanted = {pair for pair in every if pair[2] >= floors[pair[0]]}
    found = top(scorer, 5, bound=bound, prepared=prepare(scorer, bound=bound), floors=floors)
    assert {pair for pair in found if pair[2] >= floors[pair[0]]} == wanted
    assert 0 < len(wanted) < len(every)


def test_floors_are_for_each_left_text_and_not_for_a_self_join():
    measure = lw.Spectra()
    left, right = measure.prepare(TEXTS[:4]), measure.prepare(TEXTS[4:9])
    with pytest.raises(ValueError, match="for each left text"):
        top(measure.scorer(left, right), 1, floors=np.zeros(3))
    with pytest.raises(ValueError, match="not for a self-join"):
        top(measure.scorer(left, left), 1, self_join=True, floors=np.zeros(4))
