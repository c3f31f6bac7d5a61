"""Measures that count shared terms: matches, common, tf."""

import numpy as np
from numpy.typing import NDArray

from likewise.measure.sparse import Csr
from likewise.measure.terms import TermMeasure


class Matches(TermMeasure):
    """The number of distinct shared terms, with ``phrases`` plus the shared phrases.

    >>> Matches().score("to be or not to be", "let it be, or not")
    3.0
    """

    name = "matches"
    _count = "matches"

    def _weigh(self, rows: Csr) -> tuple[Csr, Csr]:
        weighted = (rows[0], rows[1], np.ones(len(rows[1])))
        return weighted, weighted


class Common(TermMeasure):
    """The sum over shared terms of the smaller of the two counts.

    >>> Common().score("to be or not to be", "be that as it may be")
    2.0
    """

    name = "common"
    _count = "common"

    # A minimum is no product, but it counts the features (term, 1), (term, 2), ... that both texts have. The first is
    # the term itself; the others are interned as the term, a space and as many plus signs.

    def _weigh(self, rows: Csr) -> tuple[Csr, Csr]:
        indptr, ids, counts = rows
        times = counts.astype(np.int64)
        owner = np.repeat(np.arange(len(indptr) - 1), np.diff(indptr))
        repeat = np.repeat(np.arange(len(ids)), times)
        nth = np.arange(len(repeat)) - np.repeat(np.cumsum(times) - times, times)
        features = self._features(ids[repeat], nth)
        order = np.lexsort((features, owner[repeat]))
        sizes = np.bincount(owner[repeat], minlength=len(indptr) - 1)
        weighted = (
            np.concatenate(([0], np.cumsum(sizes))).astype(np.int64),
            features[order],
            np.ones(len(repeat)),
        )
        return weighted, weighted

    def _features(self, terms: NDArray[np.int32], nth: NDArray[np.int64]) -> NDArray[np.int32]:
        features = terms.astype(np.int64).copy()
        later = np.flatnonzero(nth)
        if len(later):
            names = [f"{self.analyser.term(terms[i])} {'+' * int(nth[i])}" for i in later.tolist()]
            features[later] = self.analyser.intern(names)
        return features.astype(np.int32)

    def _term_of(self, feature: int) -> int:
        name = self.analyser.term(feature).rstrip("+").rstrip(" ")
        return self.analyser.vocabulary.find_term(name)


class Tf(TermMeasure):
    """The sum over shared terms of the product of the two counts: SMART's inner product.

    >>> Tf().score("to be or not to be", "be that as it may be")
    4.0
    """

    name = "tf"
    _count = "tf"

    def _weigh(self, rows: Csr) -> tuple[Csr, Csr]:
        return rows, rows
