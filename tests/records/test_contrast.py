"""What the contrast learns from: the best candidates of records, and their rivals."""

import numpy as np
import pytest
from tests.records.made import pairs_of

from likewise.records.contrast import _sample
from likewise.records.partners import Relation


def test_where_one_side_has_one_partner_its_best_is_taken_for_right():
    found = pairs_of([0, 0, 1, 1], [0, 1, 0, 1], 2, 2)
    chosen, truth, weight = _sample(found, np.array([5.0, 1.0, 4.0, 2.0]), Relation.TO_ONE)
    assert chosen[truth == 1].tolist() == [0, 2]
    assert sorted(chosen[truth == 0].tolist()) == [0, 1, 2, 3]
    assert [weight[truth == kind].sum() for kind in (0, 1)] == pytest.approx([1, 1])
    wrong = dict(zip(chosen[truth == 0].tolist(), weight[truth == 0].tolist(), strict=True))
    assert wrong[0] <= wrong[1] == wrong[3] >= wrong[2]  # the best may be right, its rivals are not
    chosen, truth, _ = _sample(found, np.array([5.0, 1.0, 4.0, 2.0]), Relation.ONE)
    assert chosen[truth == 1].tolist() == [0]
