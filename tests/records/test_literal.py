"""Records that are equal in every field: when that is asked, and what it changes."""

import numpy as np
import pytest
from tests.records.made import decision_of

from likewise.records import literal


@pytest.mark.parametrize(
    ("fields", "judged", "chance", "asked"),
    [
        (2, None, 0.0, True),
        (3, None, 0.0, True),
        (1, None, 0.0, False),  # one field may be equal by chance
        (2, [1, -1], 0.0, False),  # whoever judged knows better
        (2, None, 0.5, False),  # as likely by chance as not
    ],
)
def test_copies_are_the_same_where_that_is_no_chance(monkeypatch, fields, judged, chance, asked):
    decision = decision_of([0.3, 0.2], keep=[False, False])
    object.__setattr__(decision, "judged", None if judged is None else np.array(judged, np.int8))
    monkeypatch.setattr(literal, "chance_of_equality", lambda *_: np.array([chance, 1.0]))
    made = literal.with_copies(decision, [None] * fields, [], None)
    assert (made is not decision) == asked
    if asked:
        assert made.keep.tolist() == [True, False]
        assert made.probability.tolist() == [1.0, 0.2]


def test_equal_records_are_no_others_who_have_a_value():
    codes = [np.array([0, 0, 0, 1, 0]), np.array([0, 0, 0, 0, 1])]
    shares, kinds = literal._of_kinds(codes, np.array([0, 3]))
    assert kinds == 3
    assert [share.tolist() for share in shares] == [[2 / 3, 1 / 3], [2 / 3, 2 / 3]]
    missing, kinds = literal._of_kinds([np.array([-1, 0]), np.array([0, 0])], np.array([0]))
    assert (kinds, [share.tolist() for share in missing]) == (2, [[0.5], [1.0]])
