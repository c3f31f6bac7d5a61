"""How many best partners are right, told by the runner-ups: of records without a partner they are weaker."""

import numpy as np
import pytest

from likewise.records.runner_up import calibrate, on_curve


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
