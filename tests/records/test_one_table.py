"""One table whose records have one duplicate at most: the mixture and the runner-ups, whichever leaves less open."""

import random
from dataclasses import replace

import numpy as np
import pytest

import likewise as lw
from likewise.records.candidates import Candidates
from likewise.records.chances import between_tables, both_opinions, leaves_less_open, within_one_table
from likewise.records.decision import Learnt
from likewise.records.mixture import Mixture
from likewise.records.partners import Relation

RECORDS, RIVALS = 1200, 6


def stacked(pairs: int, shift: float = 0.0):
    """Records, the first of them in ``pairs`` of duplicates, all with rivals; a mixture that is off by ``shift``."""
    draw = np.random.default_rng(8)
    left = np.concatenate([2 * np.arange(pairs), np.repeat(np.arange(RECORDS), RIVALS)])
    right = np.concatenate([2 * np.arange(pairs) + 1, draw.integers(0, RECORDS, RECORDS * RIVALS)])
    low, high = np.minimum(left, right), np.maximum(left, right)
    some = np.unique(low * RECORDS + high, return_index=True)[1]
    some = some[low[some] < high[some]]
    found = Candidates(low[some], high[some], RECORDS, RECORDS, True)
    same = some < pairs
    odds = draw.normal(0, 1, len(found)) + np.where(same, 6.0, -3.0)
    chance = 1 / (1 + np.exp(shift - odds))
    return found, same, Mixture(((),), (None,), 0.0, odds[:, None], odds, chance)


def decided(found, mixture, known=None):
    """What the runner-ups say, where the joined text says nothing more than the mixture."""
    mean = both_opinions(mixture, np.zeros((len(found), 2)))
    return between_tables(found, ("name",), mixture, mean, (), None, Relation.ONE, known)


def alone(found, mixture):
    return within_one_table(found, ("name",), mixture, (), None)


@pytest.fixture(scope="module")
def doubted():
    return stacked(500, shift=6.0)


def test_right_ones_that_the_mixture_doubts_are_given(doubted) -> None:
    found, same, mixture = doubted
    careful, decision = alone(found, mixture), decided(found, mixture)
    assert same[careful.keep].mean() > 0.9  # the mixture is too careful, not wrong
    assert careful.keep[same].mean() < 0.8
    assert leaves_less_open(decision, careful)
    assert decision.keep[same].mean() > 0.95
    assert same[decision.keep].mean() > 0.95
    assert decision.calibration.precision == pytest.approx(same[decision.keep].mean(), abs=0.05)
    assert decision.calibration.recall == pytest.approx(decision.keep[same].mean(), abs=0.05)


def test_what_each_part_says_adds_up(doubted) -> None:
    found, _, mixture = doubted
    decision = decided(found, mixture)
    assert np.allclose(decision.prior + decision.parts.sum(1), decision.odds)


def test_no_record_is_in_two_pairs(doubted) -> None:
    found, _, mixture = doubted
    keep = decided(found, mixture).keep
    assert np.bincount(np.concatenate([found.left[keep], found.right[keep]])).max() == 1


def test_where_the_mixture_leaves_less_open_it_counts() -> None:
    found, same, mixture = stacked(40)
    unlike = np.where(same, mixture.odds - 6.0, mixture.odds)  # strengths tell little
    certain = replace(mixture, odds=unlike, parts=unlike[:, None], probability=np.where(same, 0.99, 0.001))
    assert leaves_less_open(alone(found, certain), decided(found, certain))


def test_members_of_a_group_are_neither_given_nor_rivals(doubted) -> None:
    found, same, mixture = doubted
    members = same & (found.left % 4 == 0)
    without = replace(mixture, probability=np.where(members, 0.0, mixture.probability))
    decision = decided(found, without)
    assert not decision.keep[members].any()
    assert decision.keep[same & ~members].mean() > 0.95


def test_a_model_says_of_the_same_records_what_was_said_when_it_was_learnt(doubted) -> None:
    found, _, mixture = doubted
    first = decided(found, mixture)
    curve, slope = first.calibration.curve, first.calibration.contest
    known = Learnt(Relation.ONE, True, curve=curve, contest=slope)
    assert curve[0]
    assert np.array_equal(decided(found, mixture, known).keep, first.keep)


def series(size: int, copies: int) -> tuple[list[dict[str, str]], set[tuple[int, int]]]:
    """Films in series, of which the parts differ in year, length and place; copies with a slip, from another list."""
    chance, words = random.Random(3), [f"{a}{b}{c}" for a in "bdklmnrst" for b in "aeio" for c in ("ra", "lin", "sto")]
    rows = []
    for _ in range(size // 4):
        title = " ".join(chance.sample(words, 3))
        for part in range(4):
            year, place = str(1950 + 5 * part + chance.randrange(5)), chance.choice(words)
            rows.append(
                {"title": f"{title} {part + 1}", "year": year, "length": str(chance.randint(60, 180)), "place": place}
            )
    same = set()
    for place in chance.sample(range(size), copies):
        row = dict(rows[place])
        row[chance.choice(["year", "length", "place"])] = ""
        if chance.random() < 0.5:
            row["title"] = row["title"][:-2]
        same.add((place, len(rows)))
        rows.append(row)
    return rows, same


def test_a_saved_model_decides_the_same_in_one_table(tmp_path) -> None:
    rows, same = series(1000, 600)
    result = lw.dedupe(rows)
    given = {(cluster.ids[0], cluster.ids[1]) for cluster in result if len(cluster.ids) == 2}
    assert len(given & same) >= 0.9 * max(len(given), len(same))
    result.model.save(tmp_path / "model.json")
    again = lw.dedupe(rows, model=tmp_path / "model.json")
    assert again.table.equals(result.table)
    assert result.model.learnt.contrast is not None
