"""How many matches there may be among partners that nobody looked at."""

from dataclasses import replace

import numpy as np
import pytest
from tests.records.made import decision_of, pairs_of
from tests.records.test_decision import people, worse

import likewise as lw
from likewise.records.further import last_half
from likewise.records.partners import Relation

MEMOS = ["rent", "salary", "order of paper", "invoice", "payment to shop", "transfer", "ticket", "gift"]


def payments(count=700):
    """Return payments as two banks write them: the memo cut, days later, less a fee; a text says little of them."""
    random = np.random.default_rng(3)
    left, right = [], []
    for _ in range(count):
        memo, day, amount = str(random.choice(MEMOS)), int(random.integers(60)), float(random.lognormal(5, 1.2))
        left.append({"memo": memo, "date": str(np.datetime64("2023-01-01") + day), "amount": f"{amount:.2f}"})
        later = np.datetime64("2023-01-01") + day + int(random.choice([0, 0, 1, 2, 3]))
        less = amount * (1 - float(random.choice([0, 0.01, 0.03])))
        right.append({"memo": memo[:9], "date": str(later), "amount": f"{less:.2f}"})
    return left, right


def test_what_twice_as_many_partners_would_find_is_said():
    found = lw.match(*payments())
    assert found.decision.further > 0.01 * found.decision.matches
    share = 100 * found.decision.further / found.decision.matches
    assert f"(twice as many partners would find {share:.1f} % more at most)" in str(found.decision)


def test_where_the_last_partners_hold_nothing_none_is_missed():
    random, rows = np.random.default_rng(5), people(120)
    found = lw.match(rows, [worse(row, random) for row in rows[:80]])
    assert found.decision.further < 0.5


@pytest.mark.parametrize(
    ("relation", "self_join", "held"),
    [
        (Relation.ONE, False, 0.6),
        (Relation.TO_ONE, False, 0.6),
        (Relation.TO_MANY, False, None),
        (Relation.MANY, False, None),
        (Relation.ONE, True, None),
    ],
)
def test_the_second_half_of_the_partners_of_left_records(relation, self_join, held):
    decision = decision_of([0.9, 0.05, 0.4, 0.2, 0.1, 0.3], relation=relation)
    found = pairs_of([0, 0, 0, 0, 1, 1], [1, 2, 3, 4, 5, 6], 7, 7, self_join)
    decision = replace(decision, found=found)
    # Of the first four the two that score least, of the others none: there are but two.
    score = np.array([0.9, 0.8, 0.5, 0.4, 0.3, 0.2])
    assert last_half(decision, score, 4) == (None if held is None else pytest.approx(held))
