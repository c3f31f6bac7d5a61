"""How many partners are looked at: more where the last half of them still holds matches, and what is said of it."""

from dataclasses import replace

import numpy as np
import pytest
from tests.records.made import decision_of, pairs_of
from tests.records.test_decision import people, worse

import likewise as lw
from likewise.records.decision import Learnt
from likewise.records.further import last_half, to_ask_again
from likewise.records.limits import Limits, decided_by
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


def right_ones(found):
    return sum(pair.left == pair.right for pair in found)


def test_where_the_last_partners_hold_matches_more_are_asked_for():
    tables = payments()
    with decided_by(Limits(further=1.0)):
        before = lw.match(*tables)
    found = lw.match(*tables)
    assert (before.decision.partners, before.decision.most) == (20, 20)
    assert (found.decision.partners, found.decision.most) == (20, 80)
    assert before.decision.further > 0.01 * before.decision.matches
    assert found.decision.further < before.decision.further
    assert right_ones(found) >= right_ones(before)
    assert "(20 of each record, 80 of those without a sure partner, and more by field)" in str(found.decision)
    share = 100 * found.decision.further / found.decision.matches
    assert f"(twice as many partners would find {share:.1f} % more at most)" in str(found.decision)
    looked_at = before.weighed.found
    pairs = set(zip(looked_at.left.tolist(), looked_at.right.tolist(), strict=True))
    more = found.weighed.found
    assert pairs < set(zip(more.left.tolist(), more.right.tolist(), strict=True))
    assert np.count_nonzero(more.left == more.right) > np.count_nonzero(looked_at.left == looked_at.right)
    numbers = more.left * more.rights + more.right
    assert np.all(numbers[1:] > numbers[:-1])


def test_where_they_hold_none_nobody_is_asked_again():
    random, rows = np.random.default_rng(5), people(120)
    found = lw.match(rows, [worse(row, random) for row in rows[:80]])
    assert (found.decision.partners, found.decision.most) == (20, 20)
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


def test_who_is_asked_again():
    decision = decision_of([0.95, 0.5, 0.02], keep=[True, False, False], relation=Relation.ONE)
    learnt = replace(decision, learnt=Learnt(Relation.ONE, False))
    for held, rows in ((0.5, [1, 2]), (0.01, []), (None, [])):
        assert to_ask_again(replace(learnt, further=held)).tolist() == rows
    assert to_ask_again(replace(decision, further=0.5)).tolist() == []  # nothing was learnt, nothing is sought
