import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.records.made import comparison_of

from likewise.errors import InputError, OptionError
from likewise.join import Pairs
from likewise.records import threshold
from likewise.records.threshold import from_labels, widest_margin
from likewise.results.threshold import Threshold

scored = st.lists(st.tuples(st.sampled_from([0.0, 0.1, 0.3, 0.5, 0.5, 0.8, 1.2]), st.booleans()), min_size=2)


@given(scored)
@settings(max_examples=300, deadline=None)
def test_best_f1_over_every_possible_threshold(pairs):
    scores, labels = (np.array(column) for column in zip(*pairs, strict=True))
    if labels.all() or not labels.any() or not (scores > 0).any():
        with pytest.raises(InputError):
            from_labels(scores, labels)
        return

    def f1_at(threshold):
        said = scores >= threshold
        return 2 * (said & labels).sum() / (said.sum() + labels.sum())

    value, precision, recall, f1 = from_labels(scores, labels)
    assert f1 == pytest.approx(max(f1_at(score) for score in scores if score > 0))
    assert f1 == pytest.approx(f1_at(value))
    assert precision == pytest.approx((labels & (scores >= value)).sum() / (scores >= value).sum())
    assert recall == pytest.approx((labels & (scores >= value)).sum() / labels.sum())


def test_wished_precision():
    scores = np.array([0.9, 0.8, 0.7, 0.6, 0.5])
    labels = np.array([True, True, False, True, False])
    assert from_labels(scores, labels, 1.0) == (0.75, 1.0, pytest.approx(2 / 3), pytest.approx(0.8))
    assert from_labels(scores, labels, 0.7)[0] == pytest.approx(0.55)
    with pytest.raises(
        InputError, match=r"no threshold reaches precision 0\.9 on the labelled pairs; the best is 0\.500"
    ):
        from_labels(np.array([0.9, 0.8, 0.5]), np.array([False, True, False]), 0.9)
    with pytest.raises(OptionError, match="precision must be between 0 and 1"):
        from_labels(scores, labels, 1.5)


def lists(*rows):
    left = [place for place, row in enumerate(rows) for _ in row]
    score = [value for row in rows for value in row]
    return Pairs(np.array(left, np.int64), np.zeros(len(left), np.int64), np.array(score, float))


@pytest.mark.parametrize(
    ("rows", "low", "high"),
    [
        # half of the records have a duplicate
        ([[0.9, 0.3], [0.85, 0.2], [0.4, 0.3], [0.35]] * 10, 0.4, 0.85),
        # all have one: no record tells how the others look but by its second neighbour
        ([[0.9, 0.3], [0.8, 0.25]] * 10, 0.3, 0.8),
        # none has one
        ([[0.4, 0.3], [0.35, 0.3]] * 10, 0.4, 1.0),
        # large clusters
        ([[0.95, 0.93, 0.9, 0.88, 0.4, 0.3]] * 5, 0.4, 0.88),
        ([], 0.99, 1.0),
        ([[1.3], [1.2]], 0.0, 1.0),
    ],
)
def test_widest_margin(rows, low, high):
    assert low < widest_margin(lists(*rows), len(rows)) <= high


def test_histogram_on_a_terminal():
    threshold = Threshold(0.62, "widest margin", lambda: np.array([0.1, 0.63, 0.95, 0.96, 1.4] * 4))
    lines = threshold.to_text().splitlines()
    assert lines[0] == "threshold 0.620 (widest margin); scores of the best partners:"
    assert lines[13] == f"0.60-0.65        4 {'#' * 13} <- threshold"
    assert lines[20] == f"0.95-1.00       12 {'#' * 40}"
    assert threshold.to_json()["histogram"]["counts"][12] == 4
    few = Threshold(0.62, "given", lambda: np.array([0.1, 0.63]))
    assert few.to_text() == "threshold 0.620 (given)"


def test_the_distribution_of_scores_is_that_of_a_sample(monkeypatch):
    one = comparison_of([["red pen", "red ink", None, "blue", "blue pen", "old", "old ink"]])
    every, near = threshold._best_scores(one, 1)
    assert len(every) == 7
    assert every[near.left].tolist() == near.score.tolist()
    monkeypatch.setattr(threshold, "_SHOWN", 3)
    some, near = threshold._best_scores(one, 1)
    assert some.tolist() == every[::3].tolist()
    assert {*near.left} <= {0, 3, 6}
