import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.reference import linkage as reference

from likewise.errors import OptionError
from likewise.join import Pairs
from likewise.records.clusters import canonical, clusters

SIZE = 9
EVERY = [(left, right) for left in range(SIZE) for right in range(left + 1, SIZE)]


def groups_of(labels):
    return {frozenset(np.flatnonzero(labels == label).tolist()) for label in set(labels.tolist())}


def pairs_of(rows):
    columns = list(zip(*rows, strict=True)) or [(), (), ()]
    return Pairs(np.array(columns[0], np.int64), np.array(columns[1], np.int64), np.array(columns[2], float))


@given(st.lists(st.sampled_from(EVERY), unique=True), st.randoms(use_true_random=False))
@settings(max_examples=300, deadline=None)
def test_equal_to_the_slow_twins(edges, random):
    # Distinct scores: with ties several merges are equally right.
    scores = random.sample(range(1, 100), len(edges))
    rows = [(left, right, score / 100) for (left, right), score in zip(edges, scores, strict=True)]
    pairs = pairs_of(rows)
    assert groups_of(clusters(pairs, SIZE, "components")) == reference.components(SIZE, rows)
    assert groups_of(clusters(pairs, SIZE, "complete")) == reference.complete(SIZE, rows)


def test_groups_are_numbered_by_their_first_record():
    pairs = pairs_of([(3, 1, 0.9), (1, 3, 0.8), (4, 0, 0.7)])
    for linkage in ("components", "complete"):
        assert clusters(pairs, 5, linkage).tolist() == [0, 1, 2, 1, 0]
    assert clusters(pairs_of([]), 2).tolist() == [0, 1]
    with pytest.raises(OptionError, match="linkage must be one of 'complete', 'components', not 'single'"):
        clusters(pairs, 5, "single")


def test_the_record_in_the_middle_stands_for_its_group():
    pairs = pairs_of([(0, 1, 0.8), (1, 2, 0.9), (0, 2, 0.7), (3, 4, 0.9)])
    labels = np.array([0, 0, 0, 1, 1, 2])
    assert canonical(pairs, labels, np.array([1, 1, 1, 5, 9, 1])).tolist() == [1, 4, 5]
    assert canonical(pairs, labels, np.array([1, 1, 1, 5, 5, 1])).tolist() == [1, 3, 5]
