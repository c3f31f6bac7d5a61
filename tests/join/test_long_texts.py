"""Joins of long texts, where most q-grams are in several words: exact as ever, and few pairs are looked at closely."""

import random

import numpy as np
import pytest

import likewise as lw
from likewise.join import above, top

SYLLABLES = ["ka", "to", "mi", "ren", "sol", "ti", "ba", "lo", "che", "ri"]


def paragraphs(count: int, seed: int) -> list[str]:
    """Texts of sixty words, some of them frequent, a tenth of the texts being others with a few words changed."""
    draw = random.Random(seed)
    words = ["".join(draw.choices(SYLLABLES, k=draw.randint(1, 4))) for _ in range(800)]
    texts = [" ".join(draw.choices(words, [1 / (n + 3) for n in range(800)], k=60)) for _ in range(count)]
    changed = [" ".join(word if draw.random() > 0.2 else draw.choice(words) for word in text.split()) for text in texts]
    return texts + changed[: count // 10]


@pytest.mark.parametrize("weights", ["none", "c", "c.idf.qidf", "c.tfidf"])
@pytest.mark.parametrize("coefficient", ["harmonic", "overlap", "jaccard", "coverage"])
def test_pruned_is_brute_force(weights, coefficient):
    texts = paragraphs(150, 1)
    measure = lw.Spectra(weights=weights, coefficient=coefficient, smooth=True).fit(texts)
    left, right = measure.prepare(texts), measure.prepare(texts[40:])
    for scorer, self_join in ((measure.scorer(left, left), True), (measure.scorer(left, right), False)):
        matrix = measure.matrix(texts, texts if self_join else texts[40:])
        if self_join:
            np.fill_diagonal(matrix, 0)
        found = top(scorer, 3, self_join=self_join)
        for row in range(len(texts)):
            order = np.lexsort((np.arange(matrix.shape[1]), -matrix[row]))[:3]
            assert found.right[found.left == row].tolist() == order.tolist()
            assert found.score[found.left == row].tolist() == matrix[row][order].tolist()
        least = float(np.quantile(matrix, 0.99))
        pairs = above(scorer, least, self_join=self_join)
        if not self_join:
            assert {(a, b) for a, b, _ in pairs} == {(int(a), int(b)) for a, b in np.argwhere(matrix >= least)}


@pytest.mark.parametrize("weights", ["none", "idf", "tfidf"])
@pytest.mark.parametrize("coefficient", ["containment", "coverage", "jaccard"])
def test_a_short_text_inside_a_long_one(weights, coefficient):
    """A part of a text, with words between, is found by containment alone; pruned is brute force whatever the sizes."""
    whole = paragraphs(120, 3)
    draw = random.Random(4)
    parts = [" ".join(word for word in text.split()[10:30] if draw.random() > 0.1) for text in whole[:40]]
    measure = lw.Spectra(q=0, weights=weights, coefficient=coefficient, smooth=True).fit(whole)
    scorer = measure.scorer(measure.prepare(parts), measure.prepare(whole))
    matrix = measure.matrix(parts, whole)
    found = top(scorer, 1)
    assert found.right.tolist() == matrix.argmax(1).tolist()
    assert found.score.tolist() == matrix.max(1).tolist()
    if coefficient == "containment":
        assert matrix[np.arange(40), np.arange(40)].min() > 1 - 1e-12
    for least in (0.2, 0.5, 0.9, 1.0):
        pairs = above(scorer, least)
        expected = np.argwhere(matrix >= least)
        assert list(zip(pairs.left.tolist(), pairs.right.tolist(), strict=True)) == sorted(
            map(tuple, expected.tolist()), key=lambda pair: (pair[0], -matrix[pair], pair[1])
        )
        assert pairs.score.tolist() == [matrix[a, b] for a, b in zip(pairs.left, pairs.right, strict=True)]


def test_few_pairs_are_looked_at():
    """Once every pair of such texts was completed and corrected, which made the join quadratic in full scores."""
    texts = paragraphs(400, 2)
    measure = lw.Spectra(weights="c.idf.qidf", smooth=True).fit(texts)
    prepared = measure.prepare(texts)
    stats = top(measure.scorer(prepared, prepared), 1, self_join=True, threads=1).stats
    pairs = len(texts) * (len(texts) - 1) // 2
    assert stats["candidates"] < pairs // 2
    assert stats["scored"] < pairs // 10
