import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.reference import ranking as twin

from likewise.errors import InputError
from likewise.quality.clusters import bcubed, pairwise

labels = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=25)


@given(labels)
def test_equals_the_slow_twin(both):
    found, gold = ([str(label) for label in column] for column in zip(*both, strict=True))
    precision, recall = twin.bcubed(found, gold)
    ours = bcubed(found, gold)
    assert (ours.precision, ours.recall) == pytest.approx((precision, recall))
    shared, claimed, wanted = twin.pair_counts(found, gold)
    pairs = pairwise(found, gold)
    assert pairs.precision == pytest.approx(shared / claimed if claimed else 1.0)
    assert pairs.recall == pytest.approx(shared / wanted if wanted else 1.0)


def test_perfect_and_empty():
    assert pairwise(["a", "b"], [1, 2]).f1 == 1.0
    assert bcubed([], []).f1 == 1.0
    with pytest.raises(InputError, match="2 found labels but 1"):
        pairwise(["a", "b"], ["a"])
