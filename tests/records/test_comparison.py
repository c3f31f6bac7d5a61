"""Best partners and all pairs against scores that are looked at one by one."""

import itertools

import numpy as np
import pytest
from tests.records.made import comparison_of, random_texts, scores_by_hand

from likewise.join import Pairs
from likewise.records.comparison import first


@pytest.mark.parametrize("keyed", [False, True])
@pytest.mark.parametrize("fields", [1, 2])
def test_kinds_of_records(keyed, fields):
    """The slow twin: records that have the same texts and key are of one kind; without any they are alone."""
    for seed in range(25):
        random = np.random.default_rng(seed)
        size = int(random.integers(1, 9))
        columns = [random.choice(["a", "b", None], size).tolist() for _ in range(fields)]
        keys = random.integers(-1, 3, size) if keyed else None
        firsts, kinds = comparison_of(columns, keys=keys, other_keys=keys).distinct_records()
        known, expected = {}, []
        for row in range(size):
            texts = tuple(column[row] for column in columns)
            whole = any(texts) and (keys is None or keys[row] >= 0)
            expected.append(known.setdefault((texts, keys is not None and keys[row]) if whole else row, row))
        assert firsts[kinds].tolist() == expected
        assert firsts.tolist() == sorted(set(expected))


def agree(comparison):
    lefts, rights = comparison.left_keys, comparison.right_keys
    if lefts is None:
        return np.ones((comparison.left_size, comparison.right_size), bool)
    return (lefts[:, None] == rights[None, :]) & (lefts[:, None] >= 0)


@pytest.mark.parametrize("keyed", [False, True])
@pytest.mark.parametrize("fields", [1, 2])
@pytest.mark.parametrize("self_join", [False, True])
def test_best_partners_and_all_pairs_by_hand(keyed, fields, self_join):
    for seed in range(6):
        random = np.random.default_rng(seed)
        sizes = (7, 7) if self_join else (7, 5)
        sides = [[random_texts(random, size) for _ in range(fields)] for size in sizes]
        keys = [random.integers(-1, 2, size) if keyed else None for size in sizes]
        one = comparison_of(sides[0], None if self_join else sides[1], keys[0], keys[0 if self_join else 1])
        score = np.where(agree(one), scores_by_hand(one), 0.0)
        if self_join:
            np.fill_diagonal(score, 0.0)
        texts = [list(zip(*side, strict=True)) for side in (sides[0], sides[0 if self_join else 1])]
        equal = np.array([[a == b and any(a) for b in texts[1]] for a in texts[0]])
        for least, k, unequal in itertools.product((0.0, 0.5), (1, 3), (False, True)):
            allowed = (score > 0) & (score >= least) & ~(equal & unequal)
            expected = [
                (a, b)
                for a in range(sizes[0])
                for b in sorted(np.flatnonzero(allowed[a]), key=lambda b, a=a: (-score[a, b], b))[:k]
            ]
            found = one.top(k, least, exclude_equal=unequal)
            assert list(zip(found.left.tolist(), found.right.tolist(), strict=True)) == expected
            assert found.score.tolist() == [score[pair] for pair in expected]
            some = np.array([5, 1])
            part = one.top(k, least, some, exclude_equal=unequal)
            chosen = {*zip(part.left.tolist(), part.right.tolist(), strict=True)}
            assert chosen == {pair for pair in expected if pair[0] in (1, 5)}
            every = one.above(least or 0.01, exclude_equal=unequal)
            pairs = {(a, b) for a, b in zip(*np.nonzero(allowed & (score >= (least or 0.01))), strict=True)}
            pairs = {(min(pair), max(pair)) for pair in pairs} if self_join else pairs
            assert sorted(zip(every.left.tolist(), every.right.tolist(), strict=True)) == sorted(pairs)


def test_seen_from_the_right():
    random = np.random.default_rng(5)
    one = comparison_of([random_texts(random, 6)], [random_texts(random, 5)])
    before = one.reversed().top(2)
    one.top(1)  # texts are prepared
    after = one.reversed().top(2)
    assert before.left.tolist() == after.left.tolist()
    assert before.right.tolist() == after.right.tolist()
    assert scores_by_hand(one.reversed()).tolist() == scores_by_hand(one).T.tolist()


def test_pairs_that_are_left_out():
    pairs = Pairs(np.array([0, 0, 0, 1]), np.array([3, 2, 1, 0]), np.array([0.9, 0.8, 0.7, 0.6]))
    kept = pairs.take(np.array([True, False, True, True]))
    assert kept.right.tolist() == [3, 1, 0]
    assert first(pairs, 2).right.tolist() == [3, 2, 0]
    assert first(pairs, 1).right.tolist() == [3, 0]
