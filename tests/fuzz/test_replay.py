"""Inputs that once failed, the seeds, and a few mutations of each target; `make fuzz` runs an hour of them."""

import random

import pytest
from tests.fuzz.run import corpus, mutate
from tests.fuzz.targets import TARGETS


@pytest.mark.parametrize("name", TARGETS)
def test_inputs_are_taken_or_refused_in_words(name):
    target = TARGETS[name]()
    assert "done" in {target.try_input(data) for data in target.seeds}
    for data in corpus(name):
        target.try_input(data)
    chance = random.Random(name)
    for _ in range(8):
        target.try_input(mutate(chance.choice(target.seeds), target.seeds, chance))
