"""Pairs through the rarest q-gram that two texts share: the same as all pairs, for less work."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.join.test_join import MEASURES, WORDS, made_up, scorer_of
from tests.reference import join as reference

from likewise import Spectra, _core, join

SPECTRA = [name for name, make in MEASURES.items() if isinstance(make(), Spectra)]
SYMMETRIC = [name for name in SPECTRA if name != "coverage"]


def rarest(scorer, level, self_join=False, threads=1):
    """Return the pairs as (left, right, score), and what they cost; never by blocks."""
    left, right, score, stats = _core.join(
        scorer, None, None, _core.JoinMode.above, 0, level, self_join, None, threads, None, rarest=True
    )
    return list(zip(left.tolist(), right.tolist(), score.tolist(), strict=True)), stats


def check(name, left, right=None):
    measure = MEASURES[name]()
    if measure.adaptive:
        measure.fit(left + (right or []))
    scorer, _ = scorer_of(measure, left, right)
    matrix = _core.matrix(scorer)
    for level in (0.01, 0.5, 0.8, 1.0, 1.2):
        expected = reference.above(matrix, level, True) if right is None else reference.above(matrix, level)
        assert rarest(scorer, level, right is None)[0] == expected


@pytest.mark.parametrize("name", SPECTRA)
def test_two_sides(name):
    check(name, made_up(1, 60), made_up(2, 300))


@pytest.mark.parametrize("name", SYMMETRIC)
def test_one_side(name):
    check(name, made_up(3, 400, 9))


sides = st.lists(st.lists(st.sampled_from(WORDS), max_size=6).map(" ".join), min_size=1, max_size=14)


@pytest.mark.parametrize("name", ["spectra", "static c q=3", "tf in spectra", "p = 2.5", "jaccard"])
@settings(max_examples=20, deadline=None)
@given(left=sides, right=sides)
def test_any_texts(name, left, right):
    check(name, left, right)
    check(name, left)


def names(count):
    """Names of one to three words; words are drawn by chance, some often, and some of them twice with other endings."""
    random = np.random.default_rng(7)
    letters, weights = list("abcdefghijklmnopqrstuvwxyz"), 1 / np.sqrt(np.arange(1, 27))
    words = ["".join(random.choice(letters, random.integers(3, 10), p=weights / weights.sum())) for _ in range(3000)]
    words += [f"{word}s" for word in words[:1000]]
    rank = 1 / np.sqrt(np.arange(1, 4001))
    return [" ".join(random.choice(words, random.integers(1, 4), p=rank / rank.sum())) for _ in range(count)]


@pytest.mark.parametrize("weights", ["c", "c.idf.qidf"])
def test_it_is_chosen_where_it_is_less_work(weights):
    """A sample says so: at a high threshold, never at a low one. The pairs are the same, with any threads."""
    measure = Spectra(q=3, weights=weights).fit(texts := names(20_000))
    scorer, _ = scorer_of(measure, texts)
    kept = join.prepare(scorer)

    def above(level, **options):
        columns = _core.join(
            scorer,
            None,
            kept.index,
            _core.JoinMode.above,
            0,
            level,
            True,
            None,
            options.pop("threads", 1),  # counts of several depend on which of them comes first
            None,
            **options,
        )
        return [column.tobytes() for column in columns[:3]], columns[3]

    for level in (0.7, 0.9):
        blocks, cost = above(level, rarest=False)
        for threads in (1, 2, 5):
            found, stats = above(level, rarest=True, threads=threads)
            assert found == blocks
            assert threads > 1 or stats["postings"] < cost["postings"]
            # Some of what the bits let through shares too little, which sketches tell without the scorer.
            assert stats["scored"] < stats["candidates"]
    assert above(0.95)[1] == above(0.95, rarest=True)[1]
    assert above(0.1)[1] == above(0.1, rarest=False)[1]


@pytest.mark.parametrize("weights", ["c", "c.idf.qidf"])
def test_long_and_short_texts_together(weights):
    """Thousands of q-grams in a text, more than sketches can tell apart, beside texts of a word or two."""
    random, words = np.random.default_rng(5), sorted(set(" ".join(names(3000)).split()))
    long = [" ".join(random.choice(words, 900)) for _ in range(6)]
    near = [" ".join(text.split()[:-40] + words[i : i + 40]) for i, text in enumerate(long)]
    texts = [*names(300), *long, *near]
    scorer, _ = scorer_of(Spectra(q=3, weights=weights).fit(texts), texts)
    expected = reference.above(_core.matrix(scorer), 0.8, True)
    assert {(300 + i, 306 + i) for i in range(6)} <= {pair[:2] for pair in expected}
    assert rarest(scorer, 0.8, True)[0] == expected
