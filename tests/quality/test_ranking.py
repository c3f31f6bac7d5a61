import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from tests.reference import ranking as twin

from likewise.errors import InputError, OptionError
from likewise.quality.ranking import Ranking, classification

pairs = st.lists(
    st.tuples(st.sampled_from([0.0, 0.1, 0.25, 0.5, 0.7, 1.0, 1.3]), st.booleans()), min_size=1, max_size=40
)


@given(pairs)
def test_equals_the_slow_twin(pairs):
    scores, correct = zip(*pairs, strict=True)
    total = sum(correct)
    assume(total)
    ranking = Ranking.of(scores, correct)
    points = twin.tie_points(scores, correct)
    assert ranking.interpolated().tolist() == pytest.approx(twin.interpolated(points, total), abs=1e-12)
    assert ranking.iap() == pytest.approx(twin.iap(points, total), abs=1e-12)
    best = ranking.best_f1()
    assert best.f1 == pytest.approx(twin.best_f1(points, total), abs=1e-12)
    predicted = [score >= best.threshold for score in scores]
    figures = classification(correct, predicted)
    assert figures["f1"] == pytest.approx(best.f1)
    assert figures["accuracy"] == pytest.approx(best.accuracy)
    assert figures["precision"] == pytest.approx(best.precision)


@pytest.mark.parametrize(
    ("scores", "correct", "full", "without_last"),
    [
        ([3, 2, 1], [1, 1, 0], 1.0, 10 / 11),  # a perfect ranking
        ([1, 1], [1, 0], 0.5, 5 / 11),  # one group of ties: one point, at its end
        ([2, 1], [0, 1], 0.5, 5 / 11),
        ([2, 1], [0, 0], 0.0, 0.0),
    ],
)
def test_iap(scores, correct, full, without_last):
    ranking = Ranking.of(scores, correct)
    assert ranking.iap() == pytest.approx(full)
    assert ranking.iap(full_recall=False) == pytest.approx(without_last)


def test_recall_levels_are_exact():
    # 0.3 * 10 is not 3 in floating point: with ten correct pairs each level must be reached by exactly its pair.
    scores = np.arange(20, 0, -1)
    correct = np.arange(20) % 2 == 0
    expected = [1.0] + [(k + 1) / (2 * k + 1) for k in range(10)]
    assert Ranking.of(scores, correct).interpolated().tolist() == pytest.approx(expected)


def test_total_counts_what_was_never_found():
    ranking = Ranking.of([1.0], [True], total=2)
    assert ranking.recall.tolist() == [0.5]
    assert ranking.interpolated().tolist() == [1.0] * 6 + [0.0] * 5


@given(pairs, st.integers(0, 5))
def test_shuffle_is_seeded_and_between_best_and_worst_order(pairs, seed):
    scores, correct = (np.array(column) for column in zip(*pairs, strict=True))
    if not correct.sum():
        return
    shuffled = Ranking.of(scores, correct, seed=seed)
    assert shuffled.iap() == Ranking.of(scores, correct, seed=seed).iap()
    lucky = Ranking.of(scores + 1e-6 * correct, correct).iap()
    unlucky = Ranking.of(scores - 1e-6 * correct, correct).iap()
    assert unlucky - 1e-12 <= shuffled.iap() <= lucky + 1e-12
    assert math.isclose(shuffled.found[-1], correct.sum())


def test_matrix_and_flat_agree():
    random = np.random.default_rng(1)
    matrix = random.random((7, 9)).round(1)
    gold = np.array([(0, 0), (3, 8), (6, 2)])
    marks = np.zeros((7, 9), dtype=bool)
    marks[gold[:, 0], gold[:, 1]] = True
    assert Ranking.of_matrix(matrix, gold).iap() == Ranking.of(matrix, marks).iap()


def test_a_million_pairs_are_quick():
    random = np.random.default_rng(1)
    scores = random.random(1_000_000)
    ranking = Ranking.among(scores, random.integers(0, scores.size, 2000))
    assert 0 <= ranking.iap() <= 1


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda: Ranking.of([1, 2], [True]), InputError, "2 scores but 1 marks"),
        (lambda: Ranking.of([math.nan], [True]), InputError, "NaN"),
        (lambda: Ranking.of([1], [True], total=0), OptionError, "total"),
        (lambda: Ranking.of([1], [True]).interpolated(1), OptionError, "points"),
        (lambda: classification([True], []), InputError, "1 gold labels but 0"),
    ],
)
def test_bad_input_is_told_in_words(call, error, words):
    with pytest.raises(error, match=words):
        call()
