"""The door for scikit-learn: texts as weighted terms for its classifiers, and nearest texts by any measure.

Both estimators take a list (or column) of texts, or a table, whose rows are read as one text each. Measures
themselves have ``get_params`` and ``set_params`` and can be cloned, so that a search over parameters reaches them.

>>> from likewise.sklearn import NearestTexts
>>> near = NearestTexts(n_neighbors=1).fit(["Gonzalo Gonzalez", "Maria Perez"])
>>> near.kneighbors(["Gonzales, Gonzalo"], return_distance=False).tolist()
[[0]]
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from likewise.errors import MissingExtraError, OptionError
from likewise.join import top
from likewise.measure import TextMeasure, as_measure
from likewise.measure.terms import TermMeasure
from likewise.options import check_integer
from likewise.read.arrow import written

try:
    from scipy.sparse import csr_matrix
    from sklearn.base import BaseEstimator, TransformerMixin
    from sklearn.utils.validation import check_is_fitted, validate_data
except ImportError as error:
    raise MissingExtraError("scikit-learn", "sklearn") from error

__all__ = ["NearestTexts", "TextVectorizer"]


class _TextEstimator(BaseEstimator):  # type: ignore[misc]
    """What both share: texts in, a measure fitted to them."""

    measure: Any
    measure_: TextMeasure

    def _fit_measure(self, X: Any) -> list[str]:  # noqa: N803 - scikit-learn's name
        texts = self._texts(X, reset=True)
        chosen = as_measure(self.measure)
        if not isinstance(chosen, TextMeasure):
            raise OptionError(f"measure must be one of texts, not {chosen}")
        self.measure_ = chosen if chosen.ready else chosen.copy().fit(texts)
        return texts

    def _texts(self, X: Any, *, reset: bool) -> list[str]:  # noqa: N803
        """Return texts as they are, and the rows of a table as one text each."""
        if _is_list_of_texts(X):
            texts = [written(text) or "" for text in X]
            if not texts:
                raise ValueError("Found array with 0 sample(s) while a minimum of 1 is required.")
            return texts
        table = validate_data(self, X, reset=reset, dtype=None)
        return [" ".join(filter(None, map(written, row))) for row in table.tolist()]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.string = True
        return tags


def _is_list_of_texts(given: Any) -> bool:
    """Return whether texts were given one by one, and no table."""
    if isinstance(given, str):
        raise OptionError("a list of texts is wanted, not a single str: put it into a list")
    if hasattr(given, "shape"):
        return len(given.shape) == 1 and getattr(given, "dtype", None) is not None and _holds_texts(given)
    return isinstance(given, Sequence) and bool(given) and all(one is None or isinstance(one, str) for one in given)


def _holds_texts(column: Any) -> bool:
    return all(one is None or isinstance(one, str) or one != one for one in np.asarray(column, dtype=object).tolist())


class TextVectorizer(TransformerMixin, _TextEstimator):  # type: ignore[misc]
    """Texts as sparse rows of weighted terms, by a measure of terms (``tfidf``, ``bm25``, ``tf``, ...).

    The dot product of two rows is the measure's score, so that any linear model sees what the measure sees.

    >>> rows = TextVectorizer("tfidf(weights=tf)").fit_transform(["red fish", "blue fish"])
    >>> rows.shape, round(float((rows @ rows.T)[0, 1]), 6)
    ((2, 3), 0.5)
    """

    def __init__(self, measure: Any = "tfidf(smooth=true)") -> None:
        self.measure = measure

    def fit(self, X: Any, y: Any = None) -> Self:  # noqa: N803
        """Learn the terms and their weights."""
        texts = self._fit_measure(X)
        if not isinstance(self.measure_, TermMeasure):
            raise OptionError(
                f"measure must be one of shared terms (tfidf, bm25, matches, common, tf), not {self.measure_}"
            )
        self.measure_.prepare(texts)
        self.vocabulary_ = list(self.measure_.analyser.vocabulary.terms())
        return self

    def transform(self, X: Any) -> csr_matrix:  # noqa: N803
        """Return a row of weights for each text; terms that were not there at ``fit`` are left out."""
        check_is_fitted(self)
        rows = self.measure_.prepare(self._texts(X, reset=False)).left
        known = rows.ids < len(self.vocabulary_)
        kept = np.concatenate(([0], np.cumsum(known)))[rows.indptr]
        return csr_matrix((rows.weights[known], rows.ids[known], kept), shape=(len(rows), len(self.vocabulary_)))

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[Any]:
        """Return the terms, a column each."""
        check_is_fitted(self)
        return np.array(self.vocabulary_, dtype=object)


class NearestTexts(_TextEstimator):
    """The most similar of the texts it was fitted to, exactly, by any measure.

    A distance is 1 - score, and 0 where the score is above 1.

    >>> near = NearestTexts(n_neighbors=2, measure="spectra").fit(["red fish", "blue fish", "a boat"])
    >>> distances, places = near.kneighbors(["redfish"])
    >>> places.tolist(), bool(distances[0][0] < distances[0][1])
    ([[0, 1]], True)
    """

    def __init__(self, n_neighbors: int = 5, measure: Any = None, threads: int | None = None) -> None:
        self.n_neighbors = n_neighbors
        self.measure = measure
        self.threads = threads

    def fit(self, X: Any, y: Any = None) -> Self:  # noqa: N803
        """Keep the texts, and fit the measure to them where it weighs by a collection."""
        check_integer("n_neighbors", self.n_neighbors, 1)
        self.texts_ = self._fit_measure(X)
        return self

    def kneighbors(
        self,
        X: Any = None,  # noqa: N803
        n_neighbors: int | None = None,
        return_distance: bool = True,
    ) -> Any:
        """Return distances and places of the nearest texts, nearest first; without ``X``, of each fitted text's others.

        Texts that share nothing are at distance 1, in the order of their places.
        """
        check_is_fitted(self)
        count = self.n_neighbors if n_neighbors is None else n_neighbors
        check_integer("n_neighbors", count, 1)
        others = len(self.texts_) - (X is None)
        if count > others:
            raise ValueError(f"n_neighbors must be {others} or less, as there are no more texts, not {count}")
        asked = self.texts_ if X is None else self._texts(X, reset=False)
        places, scores = self._nearest(asked, count, X is None)
        return (np.maximum(1 - scores, 0), places) if return_distance else places

    def _nearest(self, asked: Sequence[str], count: int, itself: bool) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        right = self.measure_.prepare(self.texts_, threads=self.threads)
        left = right if itself else self.measure_.prepare(asked, threads=self.threads)
        found = top(
            self.measure_.scorer(left, right),
            count,
            self_join=itself,
            symmetric=self.measure_.symmetric,
            threads=self.threads,
            bound=self.measure_.bound(left, right),
        )
        places = np.empty((len(asked), count), dtype=np.int64)
        scores = np.zeros((len(asked), count))
        starts = np.searchsorted(found.left, np.arange(len(asked) + 1))
        for row, (start, end) in enumerate(pairwise(starts)):
            best = found.right[start:end]
            taken = {*best.tolist(), *([row] if itself else [])}
            rest = (place for place in range(len(self.texts_)) if place not in taken)
            places[row] = [*best, *(next(rest) for _ in range(count - len(best)))]
            scores[row, : len(best)] = found.score[start:end]
        return places, scores
