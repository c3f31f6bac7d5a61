"""One to one: against every way there is."""

import itertools

import numpy as np
import pytest
from tests.records.made import comparison_of, random_texts, scores_by_hand

from likewise.join.assignment import one_to_one
from likewise.records.assignment import _Here, _Lists, assigned_pairs, reciprocal_pairs


def test_reciprocal_pairs_by_hand():
    for seed in range(8):
        random = np.random.default_rng(seed)
        sides = [random_texts(random, size) for size in (8, 6)]
        one = comparison_of(sides[:1], sides[1:])
        score = scores_by_hand(one)
        found = reciprocal_pairs(one, 0.2)
        expected = [
            (a, int(score[a].argmax()))
            for a in range(8)
            if score[a].max() >= 0.2 and score[:, score[a].argmax()].argmax() == a
        ]
        assert list(zip(found.left.tolist(), found.right.tolist(), strict=True)) == expected


def test_one_to_one_is_the_best_there_is():
    for seed in range(8):
        random = np.random.default_rng(seed)
        sides = [random_texts(random, size, 0.0) for size in (6, 5)]
        one = comparison_of(sides[:1], sides[1:])
        score = scores_by_hand(one)
        for least in (0.0, 0.3):
            score = np.where(score >= least, score, 0.0)
            best = max(sum(score[a, b] for b, a in enumerate(lefts)) for lefts in itertools.permutations(range(6), 5))
            found, told = assigned_pairs(one, least)
            assert found.score.sum() == pytest.approx(best)
            assert len(set(found.left)) == len(set(found.right)) == len(found)
            assert told.startswith(
                f"one to one: {len(found)} pairs with the highest sum of scores there is, {best:,.2f}"
            )


def test_what_the_best_pair_first_would_lose():
    """The best pair first leaves a pair of next to nothing; where it is right, nothing is lost."""
    texts = [["red blue", "red"], ["red blue pen", "blue red"]]
    one = comparison_of([texts[0]], [texts[1]])
    score = scores_by_hand(one)
    lost = max(score[0, 0] + score[1, 1], score[0, 1] + score[1, 0]) - (
        score.max() + score[1 - score.argmax() // 2, 1 - score.argmax() % 2]
    )
    assert f"would have lost about {lost:,.2f}" in assigned_pairs(one, 0.0)[1]
    same = comparison_of([["red", "blue"]], [["red", "blue"]])
    assert "would have lost about 0.00" in assigned_pairs(same, 0.0)[1]


@pytest.mark.parametrize(
    ("least", "asked", "told"),
    [
        (0.1, [9, 8, 7], ""),  # once for each floor is what it takes anyway
        (0.1, [9, 8, 7, 5], "; 12 searches were for partners below 0.2, which a min_score saves"),
        (0.0, [9000, 8, 1000, 5, 5], "; 1,010 searches were for partners below 0.2, which a min_score saves"),
        (0.2, [9, 8, 7, 5], ""),
        (0.6, [9, 8, 7, 5], ""),
    ],
)
def test_searches_that_a_least_score_would_save_are_told(least, asked, told):
    one = comparison_of([["red"]], [["red"]])
    lists = _Lists(_Here(one, False), least, len(asked), asked)
    _, _, searches = lists.told(one_to_one(lists.pairs, 1, 1)).partition("have lost about 0.00")
    assert searches == told
