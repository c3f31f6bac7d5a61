"""The numbers of a decision: in one place, set for a while, and chosen again without the set that is left out."""

from dataclasses import asdict, fields

import numpy as np
import pytest
from benchmarks.left_out import SHIPPED, Left, around, choose, compared, f1, table, tried
from benchmarks.record_decisions import likewise, scores
from benchmarks.record_sets import TablePair

from likewise.records.limits import Limits, decided_by, limits


def people() -> TablePair:
    random = np.random.default_rng(5)
    names = ["".join(random.choice(list("abdeiklmnorstu"), 12)) for _ in range(60)]
    left = [{"name": f"{name[:5]} {name[5:]}", "year": 1900 + 13 * place % 97} for place, name in enumerate(names)]
    right = [{**row, "name": str(row["name"])[:4] + str(row["name"])[5:]} for row in left[::2]]
    return TablePair("people", left, right, frozenset((2 * place, place) for place in range(len(right))))


@pytest.mark.parametrize("name", [field.name for field in fields(Limits)])
def test_around_every_number_is_something_smaller_and_something_larger(name):
    value = getattr(SHIPPED, name)
    lower, same, higher = around(name, value)
    assert same == value
    assert abs(lower) < abs(value) < abs(higher)
    assert not 0 < value < 1 or higher < 1  # a share


def figures(name: str | None = None, place: int = 1, gain: float = 0.0) -> dict[tuple[str, float], float]:
    """F1 of a set that gains by one number."""
    found = {(other, value): 0.5 for other, shipped in asdict(SHIPPED).items() for value in around(other, shipped)}
    if name is not None:
        found[name, around(name, getattr(SHIPPED, name))[place]] += gain
    return found


def test_a_set_that_is_left_out_has_no_say():
    sets = [figures("few", 2, 0.3), figures("sure", 0, 0.1), figures()]
    assert choose(sets).few == around("few", SHIPPED.few)[2]
    without = choose(sets[1:])
    assert without.few == SHIPPED.few
    assert without.sure == around("sure", SHIPPED.sure)[0]


def test_of_numbers_that_are_equally_good_the_middle_one_is_chosen_whatever_is_shipped():
    assert choose([figures()]) == SHIPPED
    values = around("few", SHIPPED.few)
    worse = {**figures(), ("few", values[1]): 0.4}
    assert choose([worse]).few == values[0]


def test_a_set_is_decided_on_as_match_does_it():
    two = people()
    found, _, _ = likewise(two)
    assert f1(two, compared(two), SHIPPED) == scores(found, set(two.gold))[0] > 0.9


def test_numbers_that_nobody_asks_for_change_nothing():
    found, read = tried(people())
    assert {"reading_errors", "rivals", "far"} <= read
    assert "few" not in read  # of one table
    assert len({found[name, getattr(SHIPPED, name)] for name in asdict(SHIPPED)}) == 1
    assert {value for (name, _), value in found.items() if name not in read} == {found["few", SHIPPED.few]}


def test_other_numbers_hold_until_the_end_even_of_a_failure():
    def fail() -> None:
        with decided_by(Limits(few=0.4)):
            raise ValueError(limits().few)

    with pytest.raises(ValueError, match=r"0\.4"):
        fail()
    assert limits() == SHIPPED


def test_the_table_ends_with_the_means():
    lines = table([Left("one", 0.9, 0.8, ("few",)), Left("two", 0.7, 0.7, ())])
    assert lines[2] == "| one | 0.900 | 0.800 | -0.100 | few |"
    assert lines[-1] == "| mean | 0.800 | 0.750 | -0.050 |  |"
