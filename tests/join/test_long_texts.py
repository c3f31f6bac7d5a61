"""Joins of long texts, where most q-grams are in several words: exact as ever, and few pairs are looked at closely."""

import random

import numpy as np
import pytest

import likewise as lw
from likewise import _core
from likewise.join import above, prepare, top

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


def best_by(scorer, count, *, blocks=False, index=None, least=0.0, floors=None, self_join=False, threads=1):
    """Return columns and counts of the best partners, by codes (where the processor has them) or by blocks."""
    mode, sums = _core.JoinMode.top, False if blocks else None
    return _core.join(scorer, None, index, mode, count, least, self_join, None, threads, None, floors=floors, sums=sums)


@pytest.mark.parametrize("coefficient", ["harmonic", "cosine", "jaccard", "containment"])
def test_codes_find_what_blocks_find(coefficient):
    """Of more texts than a block of codes has, some short, empty, equal, or of words that others do not have."""
    texts = paragraphs(560, 5)
    texts += ["", "ka", texts[0], texts[1] + " " + texts[2], "qqq www", "nothing that is in any of the others"]
    measure = lw.Spectra(weights="c.idf.qidf", coefficient=coefficient).fit(texts)
    whole = measure.prepare(texts)
    scorer = measure.scorer(whole, whole)
    for count, least, threads in ((1, 0.0, 1), (3, 0.4, 2), (25, 0.0, 3)):
        by_blocks = best_by(scorer, count, blocks=True, least=least, self_join=True)
        found = best_by(scorer, count, least=least, self_join=True, threads=threads)
        assert [column.tobytes() for column in found[:3]] == [column.tobytes() for column in by_blocks[:3]]


def test_codes_of_two_sides():
    """New texts with words and q-grams that the right side does not have; lists that are there serve a few of them."""
    rights = paragraphs(300, 6)
    lefts = [*paragraphs(80, 7), "", "xylophone zebra quartz", *rights[:3], "ka to mi", " ".join(rights[:9])]
    measure = lw.Spectra(weights="c.idf.qidf").fit(rights)
    left, right = measure.prepare(lefts), measure.prepare(rights)
    scorer = measure.scorer(left, right)
    by_blocks, found = best_by(scorer, 4, blocks=True), best_by(scorer, 4)
    assert [column.tobytes() for column in found[:3]] == [column.tobytes() for column in by_blocks[:3]]
    few = measure.scorer(measure.prepare(lefts[:20]), right)
    kept = prepare(few).index
    assert best_by(few, 4, index=kept)[3] == best_by(few, 4, index=kept, blocks=True)[3]
    floors = np.where(np.arange(len(lefts)) % 2, 0.5, 0.0)
    some = best_by(scorer, 4, floors=floors)
    expected = [pair for pair in zip(*found[:3], strict=True) if pair[2] >= floors[pair[0]]]
    assert [pair for pair in zip(*some[:3], strict=True) if pair[2] >= floors[pair[0]]] == expected


def test_codes_leave_fewer_candidates():
    texts = paragraphs(600, 8)
    measure = lw.Spectra(weights="c.idf.qidf", smooth=True).fit(texts)
    prepared = measure.prepare(texts)
    scorer = measure.scorer(prepared, prepared)
    codes, blocks = (best_by(scorer, 3, self_join=True, blocks=way)[3] for way in (False, True))
    assert codes == blocks or codes["candidates"] < blocks["candidates"]  # equal: a processor without AVX2


@pytest.mark.parametrize("what", ["the largest weights", "small weights", "a great many words"])
def test_texts_that_codes_are_not_for(what):
    texts = paragraphs(60, 9)
    measure = lw.Spectra(q=(2, 4))
    if what == "a great many words":
        texts.append(" ".join(f"{number:05}" for number in range(70_000)))
        measure = lw.Spectra(q=2)
    else:
        weight = 1e30 if what == "the largest weights" else 1e-42
        measure = lw.Spectra(q=(2, 4), term_weights={word: weight for text in texts[:30] for word in text.split()[:40]})
    prepared = measure.prepare(texts)
    scorer = measure.scorer(prepared, prepared)
    by_blocks, found = (best_by(scorer, 3, self_join=True, blocks=way) for way in (True, False))
    assert [column.tobytes() for column in found[:3]] == [column.tobytes() for column in by_blocks[:3]]
