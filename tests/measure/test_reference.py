"""Every measure equals its slow twin, on texts of several scripts that hypothesis makes up."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.reference import measures as twin

from likewise import BM25, Common, Matches, SoftCardinality, SoftTfIdf, Spectra, Tf, TfIdf
from likewise.measure.spectra_explanation import MOST_PAIRS

ALPHABET = "abcdeé aab AB  ß12 жзий ΣΑς عَربي दिल्ली 漢字かがカดีไ한글,.-'İı₂ﬁＡ\u0301"
texts = st.text(alphabet=ALPHABET, max_size=24)
collections = st.lists(texts, min_size=1, max_size=5)
schemes = st.sampled_from(
    [
        "none",
        "c",
        "idf",
        "qidf",
        "c.idf",
        "c.qidf",
        "idf.qidf",
        "c.idf.qidf",
        "tfidf",
        "c.tfidf",
        "tfidf.qidf",
        "c.tfidf.qidf",
    ]
)
coefficients = st.one_of(
    st.sampled_from(
        ["harmonic", "dice", "cosine", "quadratic", "overlap", "containment", "max", "jaccard", "coverage"]
    ),
    st.floats(-4, 4).filter(lambda p: abs(p) > 0.05),
)
paddings = st.sampled_from(["none", "single", "full"])
q_ranges = st.tuples(st.integers(0, 6), st.integers(0, 3)).map(lambda pair: (pair[0], pair[0] + pair[1]))


def close(ours, theirs):
    return math.isclose(ours, theirs, rel_tol=1e-9, abs_tol=1e-9)


@settings(max_examples=250, deadline=None)
@given(texts, texts, collections, q_ranges, paddings, schemes, coefficients)
def test_spectra(left, right, collection, q, padding, weights, coefficient):
    slow = twin.Spectra(q, padding, weights, coefficient, collection)
    spectra = Spectra(q=q, padding=padding, weights=weights, coefficient=coefficient).fit(collection)
    expected = slow.score(left, right)
    if expected < 0:  # rounding around nothing in common
        expected = 0.0
    score = spectra.score(left, right)
    assert close(score, expected)
    # One score, the same bits, whichever way it is asked for.
    assert spectra.scores([left, right], [right, left])[0] == score
    assert spectra.matrix([left, right], [left, right])[0, 1] == score
    assert close(spectra.explain(left, right).total, score)


@settings(max_examples=150, deadline=None)
@given(texts, texts, collections)
def test_term_measures(left, right, collection):
    assert Matches().score(left, right) == twin.matches(left, right)
    assert Common().score(left, right) == twin.common(left, right)
    assert Tf().score(left, right) == twin.tf(left, right)
    for weights in ("tfidf", "idf", "tf", "boolean"):
        cosine = TfIdf(weights=weights).fit(collection)
        assert close(cosine.score(left, right), twin.cosine(left, right, weights, collection))
        assert close(cosine.explain(left, right).total, cosine.score(left, right))
    if any(twin.terms(text) for text in collection):
        bm25 = BM25().fit(collection)
        assert close(bm25.score(left, right), twin.bm25(left, right, collection))
        assert close(bm25.explain(left, right).total, bm25.score(left, right))


@settings(max_examples=100, deadline=None)
@given(texts, texts, collections, st.sampled_from([0.0, 0.5, 0.7, 0.9]), st.sampled_from(["best", "all"]))
def test_soft_tfidf(left, right, collection, cut, pairs):
    for weights in ("tfidf", "idf", "boolean"):
        soft = SoftTfIdf(weights=weights, cut=cut, pairs=pairs).fit(collection)
        assert close(soft.score(left, right), twin.soft_tfidf(left, right, weights, collection, cut, pairs))
        assert close(soft.explain(left, right).total, soft.score(left, right))
    # Any function serves as inner similarity, and gives what the same one in the core gives.
    mine = SoftTfIdf(weights="boolean", cut=cut, pairs=pairs, similarity=twin.jaro_winkler)
    assert close(mine.score(left, right), twin.soft_tfidf(left, right, "boolean", (), cut, pairs))


@settings(max_examples=100, deadline=None)
@given(texts, texts, st.sampled_from([0.0, 0.4]), coefficients, st.sampled_from([1.0, 2.0, 3.5]))
def test_soft_cardinality(left, right, cut, coefficient, softness):
    expected = max(twin.soft_cardinality(left, right, coefficient, cut, softness), 0.0)
    soft = SoftCardinality(cut=cut, coefficient=coefficient, softness=softness)
    assert close(soft.score(left, right), expected)
    assert close(soft.explain(left, right).total, expected)


MEASURES = [
    Spectra(q=(2, 3)),
    Spectra(q=3, weights="c.tfidf.qidf", coefficient=2.5),
    TfIdf(),
    Tf(phrases=True),
    Matches(phrases=True),
    Common(),
    BM25(),
    SoftTfIdf(),
    SoftCardinality(),
]


@pytest.mark.parametrize("measure", MEASURES, ids=str)
@settings(max_examples=25, deadline=None)
@given(st.lists(texts, min_size=1, max_size=4), st.lists(texts, min_size=1, max_size=4), st.integers(1, 8))
def test_pairs_matrix_and_threads_agree(measure, lefts, rights, threads):
    measure.fit(lefts + rights)
    matrix = measure.matrix(lefts, rights, threads=threads)
    assert matrix.shape == (len(lefts), len(rights))
    pairs = [(left, right) for left in lefts for right in rights]
    scores = measure.scores([left for left, _ in pairs], [right for _, right in pairs], threads=threads)
    assert np.array_equal(matrix.ravel(), scores)
    assert matrix[0, 0] == measure.score(lefts[0], rights[0])


def test_long_texts_are_explained_by_a_bounded_number_of_parts():
    words = ["".join(letters) for letters in itertools.product("abcdefg", repeat=3)]
    left, right = " ".join(words), " ".join(word[::-1] + "x" for word in words)
    why = Spectra().explain(left, right)
    assert len(why.contributions) < MOST_PAIRS + 10_000
    assert math.isclose(why.total, why.score, rel_tol=1e-9)
    assert {part.kind for part in why.contributions} >= {"terms", "q-gram"}


def test_a_common_beginning_counts_up_to_its_fourth_letter():
    for left, right in (("marketing", "marketers"), ("soupspoon", "soupspun")):
        found = SoftTfIdf(weights="boolean", cut=0.5).score(left, right)
        assert found == pytest.approx(twin.jaro_winkler(left, right), abs=1e-15)
