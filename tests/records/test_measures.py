"""Texts are analysed once, and what is learnt from them is what a fit to all records gives."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import likewise as lw
from likewise.analyse import Analyser
from likewise.measure import TfIdf
from likewise.records.columns import Column
from likewise.records.measures import default_measure, fit_columns, typical_length

texts = st.lists(st.none() | st.text("ab \u00e9.", max_size=8), max_size=12)
measures = st.sampled_from(["spectra(weights=c.idf.qidf)", "tfidf", "bm25", "soft-tfidf", "tfidf(phrases=true)"])


@settings(derandomize=True, max_examples=150)
@given(texts, texts, measures, st.booleans())
def test_equals_fit_to_all_records(lefts, rights, named, one_side):
    left = Column.of(lefts)
    right = left if one_side else Column.of(rights)
    wanted = lw.parse_measure(named)
    a, b, measure = fit_columns(left, right, wanted)
    plain = wanted.copy().fit([*left.all_texts(), *([] if one_side else right.all_texts())])
    assert measure.to_json() == plain.to_json()
    mine = measure.scorer(measure.prepare(a.to_prepare()), measure.prepare(b.to_prepare()))
    theirs = plain.scorer(plain.prepare(left.texts), plain.prepare(right.texts))
    for i in range(len(left.texts)):
        for j in range(len(right.texts)):
            assert mine.score(i, j) == theirs.score(i, j)


@pytest.fixture
def analysed(monkeypatch):
    """Collect every text that is analysed."""
    seen: list[str] = []
    terms = Analyser.terms

    def collecting(self, texts, **options):
        seen.extend(texts)
        return terms(self, texts, **options)

    monkeypatch.setattr(Analyser, "terms", collecting)
    return seen


@pytest.mark.parametrize(
    "job",
    [
        lambda left, right: lw.match(left, right, top=2),
        lambda left, right: lw.match(left, right, one_to_one=True, all=True),
        lambda left, right: lw.match(left, right, reciprocal=True),
        lambda left, right: lw.match([*left, *right], top=1),
        lambda left, right: lw.dedupe([*left, *right], min_score=0.5),
    ],
    ids=["top", "one to one", "reciprocal", "self", "dedupe"],
)
def test_each_text_is_analysed_once(job, analysed):
    left = [f"the house of number {i % 7}" for i in range(30)]
    right = [f"a house with number {i % 5}" for i in range(30)]
    job(left, right)
    assert sorted(analysed) == sorted({*left, *right})


def test_blocks_take_the_terms_at_hand(analysed):
    rows = [{"name": f"house {i}", "city": f"c{i % 3}"} for i in range(12)]
    lw.match(rows, on="name", equal_on="city", top=1)
    assert sorted(analysed) == sorted(row["name"] for row in rows)


def test_default_measure_follows_the_length():
    assert default_measure(["short"]).name == "spectra"
    assert default_measure(["x" * 300]).name == "tfidf"
    assert np.isfinite(default_measure().fit(["a", "b"]).score("a", "a"))


def test_long_texts_are_compared_by_words():
    assert [typical_length(texts) for texts in ([], [None], ["ab", None, "abcd"], ["a", "abc", ""])] == [0, 0, 3, 2]
    assert default_measure(["x" * 249]).name == "spectra"
    assert default_measure(["x" * 250]).name == "tfidf"


def test_a_measure_is_fitted_to_both_sides():
    left, right = Column.of(["alpha beta", "alpha"]), Column.of(["alpha gamma", "delta"])
    *_, measure = fit_columns(left, right, TfIdf())
    both = TfIdf().fit(["alpha beta", "alpha", "alpha gamma", "delta"])
    for pair in (("alpha beta", "alpha"), ("alpha gamma", "delta alpha")):
        assert measure.score(*pair) == pytest.approx(both.score(*pair))
        assert measure.score(*pair) != pytest.approx(TfIdf().fit(["alpha beta", "alpha"]).score(*pair))
