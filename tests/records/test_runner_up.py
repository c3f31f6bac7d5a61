"""How many best partners are right, told by the runner-ups: of records without a partner they are weaker."""

import numpy as np
import pytest

from likewise.records.runner_up import _by_both, _side_by_side, calibrate, on_curve


def strengths_of(records, share, random):
    """Best and runner-up of records: the right one, the best and the second best of many wrong ones, siblings first."""
    right = random.random(records) < share
    wrong = np.sort(random.normal(0, 1, (records, 12)), axis=1)
    wrong[:, -1] += np.where(random.random(records) < 0.4, 3.0, 0.0)
    match = random.normal(5, 1.5, records)
    best = np.where(right, np.maximum(match, wrong[:, -1]), wrong[:, -1])
    runner_up = np.where(right, np.minimum(match, wrong[:, -1]), wrong[:, -2])
    return best, runner_up, right & (match > wrong[:, -1])


@pytest.mark.parametrize("share", [0.0, 0.3, 0.5, 0.8])
def test_fewer_siblings_of_records_without_a_partner_are_taken_for_one(share):
    best, runner_up, right = strengths_of(3000, share, np.random.default_rng(7))
    alone, both = (on_curve(calibrate(best, runner_up, told), best) for told in (False, True))
    assert right.sum() < both.sum() < 0.97 * alone.sum()
    middle = (best > 3) & (best < 5)
    assert right[middle].mean() < both[middle].mean() < alone[middle].mean()


def test_what_all_have_a_partner_of_stays_so():
    best, runner_up, _ = strengths_of(500, 1.0, np.random.default_rng(9))
    told = on_curve(calibrate(best + 5, runner_up, both=True), best + 5)
    assert told.mean() > 0.97


def test_a_strong_runner_up_speaks_for_the_best():
    """Two records in two bins, one surely right: each count begins at one, and says seven tenths of what it could."""
    before, first, second = np.array([1.0, 0.0]), np.array([0, 1]), np.array([1, 0])
    # The best of the wrong ones: the runner-up of the right one and the best of the other, both in bin 1. The second
    # best of the wrong ones: the runner-up of the other, in bin 0.
    ratios = [(3 / 4) / (1 / 3), (1 / 4) / (2 / 3)]
    for right in (0.5, 0.8):
        odds = [right / (1 - right) * ratio**0.7 for ratio in ratios]
        found = _by_both(np.full(2, right), before, first, second)
        assert found.tolist() == pytest.approx([one / (1 + one) for one in odds])
    # Where the weaker bin would say more, both say the same.
    level = _by_both(np.full(2, 0.5), before, 1 - first, 1 - second)
    assert level[0] == level[1]


@pytest.mark.parametrize(("records", "bins"), [(30, 3), (120, 3), (160, 4), (2000, 20)])
def test_runner_ups_lie_in_bins_of_the_same_size(records, bins):
    best, second = _side_by_side(np.arange(records) + 0.25, np.arange(records) + 0.25)
    assert np.array_equal(best, second)
    counts = np.bincount(second)
    assert len(counts) == bins
    assert counts.max() - counts.min() <= 1
