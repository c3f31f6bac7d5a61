"""Inputs that once failed, the seeds, and a few mutations of each target; `make fuzz` runs an hour of them."""

import random

import pytest
from tests.fuzz.run import corpus, mutate
from tests.fuzz.seeds import readers
from tests.fuzz.targets import TABLES, TARGETS

from likewise.read.formats import FORMATS, by_ending, sniff


def test_every_format_is_fuzzed():
    """A new line in the table of formats wants a seed, as documents and, where it is one, as a table."""
    met = {
        name: {(by_ending(name) or sniff(name, content[:8192])).name for content in inputs}
        for name, inputs in readers().items()
    }
    assert {one.name for one in FORMATS} == set().union(*met.values())
    assert {one.name for one in FORMATS if one.table} == set().union(*(met[f"a{ending}"] for ending in TABLES))
    assert {f"read{name[1:]}" for name in met} <= set(TARGETS)


@pytest.mark.parametrize("name", TARGETS)
def test_inputs_are_taken_or_refused_in_words(name):
    target = TARGETS[name]()
    assert "done" in {target.try_input(data) for data in target.seeds}
    for data in corpus(name):
        target.try_input(data)
    chance = random.Random(name)
    for _ in range(8):
        target.try_input(mutate(chance.choice(target.seeds), target.seeds, chance))
