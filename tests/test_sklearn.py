"""The door for scikit-learn: its own checks, against brute force, and in its own machinery."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import check_estimator

import likewise as lw
from likewise.sklearn import NearestTexts, TextVectorizer

TEXTS = ["red fish", "blue fish", "a red boat", "the sea", "fish and chips", "red red boat"]
MEASURES = [
    lw.Spectra(q="2:3", weights="c.idf"),
    lw.TfIdf(stop="smart"),
    lw.BM25(k1=2.0),
    lw.SoftTfIdf(),
    lw.SoftCardinality(),
    lw.Matches(),
    lw.Distance(kind="jaro"),
    lw.FieldsMeasure([lw.FieldMeasure("name", 2, lw.Spectra())]),
]


@pytest.mark.parametrize("estimator", [TextVectorizer(), NearestTexts()], ids=lambda one: type(one).__name__)
def test_scikit_learns_own_checks(estimator):
    results = check_estimator(estimator, on_skip=None, on_fail=None)
    assert not [(one["check_name"], one["exception"]) for one in results if one["status"] == "failed"]
    assert sum(one["status"] == "passed" for one in results) > 30


@pytest.mark.parametrize("measure", MEASURES, ids=str)
def test_measures_are_cloned(measure):
    other = clone(measure)
    assert other is not measure
    assert str(other) == str(measure)
    assert other.get_params().keys() == measure.get_params().keys()


def test_parameters_of_measures_are_set():
    measure = lw.TfIdf().fit(TEXTS)
    assert measure.set_params(weights="idf") is measure
    assert not measure.ready
    with pytest.raises(lw.OptionError, match="did you mean 'weights'"):
        measure.set_params(weight="idf")


@pytest.mark.parametrize("measure", ["tfidf", "bm25", "tf", "matches"])
def test_dot_products_of_rows_are_scores(measure):
    vectorizer = TextVectorizer(measure)
    rows = vectorizer.fit_transform(TEXTS).toarray()
    fitted = vectorizer.measure_
    if fitted.name != "bm25":  # whose two sides differ
        np.testing.assert_allclose(rows @ rows.T, fitted.matrix(TEXTS, TEXTS), atol=1e-12)
    assert rows.shape[1] == len(vectorizer.get_feature_names_out())
    assert vectorizer.transform(["quite unknown words"]).nnz == 0


def test_a_measure_without_terms_is_refused():
    with pytest.raises(lw.OptionError, match="one of shared terms"):
        TextVectorizer("spectra").fit(TEXTS)


@pytest.mark.parametrize("measure", [None, "tfidf(smooth=true)", "edit"])
def test_neighbours_are_those_of_brute_force(measure):
    near = NearestTexts(n_neighbors=3, measure=measure, threads=1).fit(TEXTS)
    for asked in (None, ["red fishes", "boat", "zzz"]):
        distances, places = near.kneighbors(asked)
        scores = near.measure_.matrix(TEXTS if asked is None else asked, TEXTS)
        if asked is None:
            np.fill_diagonal(scores, -1)
        order = np.argsort(-scores, axis=1, kind="stable")[:, :3]
        np.testing.assert_array_equal(places, order)
        np.testing.assert_allclose(distances, np.maximum(1 - np.take_along_axis(scores, order, 1), 0))


def test_too_many_neighbours_are_refused():
    with pytest.raises(ValueError, match="5 or less"):
        NearestTexts(n_neighbors=6).fit(TEXTS).kneighbors()


def test_a_search_over_parameters_reaches_the_measure():
    texts = [f"good {word}" for word in "abcdef"] + [f"bad {word}" for word in "abcdef"]
    pipeline = make_pipeline(TextVectorizer(lw.TfIdf(smooth=True)), LogisticRegression())
    grid = {"textvectorizer__measure__weights": ["tf", "tfidf"], "textvectorizer__measure__stop": [None, "smart"]}
    search = GridSearchCV(pipeline, grid, cv=2, error_score="raise").fit(texts, [1] * 6 + [0] * 6)
    assert search.predict(["good z", "bad z"]).tolist() == [1, 0]


def test_frames_and_columns(tmp_path):
    import pandas as pd

    frame = pd.DataFrame({"name": ["Ada", "Grace"], "city": ["London", "New York"]})
    near = NearestTexts(n_neighbors=1).fit(frame)
    assert near.feature_names_in_.tolist() == ["name", "city"]
    assert near.kneighbors(frame, return_distance=False).tolist() == [[0], [1]]
    assert NearestTexts(1).fit(frame["name"]).kneighbors(["ada"], return_distance=False).tolist() == [[0]]
