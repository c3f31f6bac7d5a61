"""Sparse rows of weights, as the core takes them, and what is done to them."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likewise import _core
from likewise.analyse import TermRows
from likewise.analyse.phrases import Phrases

Csr = tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.float64]]
"""Rows as offsets, ids and weights: row ``i`` is ``ids[offsets[i]:offsets[i + 1]]``."""


def normalise(indptr: NDArray[np.int64], weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the weights of rows brought to length 1; rows of zeros stay."""
    if len(indptr) == 1:
        return weights
    squares = np.add.reduceat(np.append(weights * weights, 0.0), indptr[:-1]) * (np.diff(indptr) > 0)
    lengths = np.sqrt(squares)
    lengths[lengths == 0] = 1
    normalised: NDArray[np.float64] = weights / np.repeat(lengths, np.diff(indptr))
    return normalised


def best_terms(rows: TermRows, idf: NDArray[np.float64], count: int, name: Callable[[int], str]) -> TermRows:
    """Return rows with only the ``count`` terms of highest tf·idf in each; of equal ones the first in the alphabet."""
    indptr, ids, counts = rows.counts()
    keep = np.zeros(len(rows.terms), dtype=bool)
    for i in range(len(rows)):
        begin, end = indptr[i], indptr[i + 1]
        row = ids[begin:end]
        if end - begin > count:
            weights = counts[begin:end] * idf[row]
            limit = np.partition(weights, len(row) - count)[len(row) - count]
            sure = row[weights > limit]
            ties = sorted(row[weights == limit].tolist(), key=name)[: count - len(sure)]
            row = np.concatenate((sure, np.asarray(ties, dtype=np.int32)))
        span = slice(rows.indptr[i], rows.indptr[i + 1])
        keep[span] = np.isin(rows.terms[span], row)
    kept = np.concatenate(([0], np.cumsum(keep)))[rows.indptr]

    def pick(values: NDArray[Any] | None) -> NDArray[Any] | None:
        return None if values is None else values[keep]

    return TermRows(kept, rows.terms[keep], pick(rows.tokens), pick(rows.starts), pick(rows.ends))


def with_phrases(rows: TermRows, found: Phrases) -> TermRows:
    """Return rows of terms and phrases together, without positions."""
    sizes = np.diff(rows.indptr) + np.diff(found.indptr)
    indptr = np.concatenate(([0], np.cumsum(sizes))).astype(np.int64)
    owner = np.concatenate(
        (
            np.repeat(np.arange(len(rows)), np.diff(rows.indptr)),
            np.repeat(np.arange(len(rows)), np.diff(found.indptr)),
        )
    )
    order = np.argsort(owner, kind="stable")
    return TermRows(indptr, np.concatenate((rows.terms, found.phrases))[order])


def shared(left: Csr, right: Csr) -> list[tuple[int, float]]:
    """Return the ids that row 0 of left and row 1 of right share, with the product of their weights."""
    a = dict(zip(left[1][left[0][0] : left[0][1]].tolist(), left[2][left[0][0] : left[0][1]].tolist(), strict=True))
    b = zip(right[1][right[0][1] : right[0][2]].tolist(), right[2][right[0][1] : right[0][2]].tolist(), strict=True)
    return [(term, a[term] * weight) for term, weight in b if term in a]


def spread(rows: _core.Rows, similar: tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.float64]]) -> _core.Rows:
    """Return rows in which each term is replaced by all terms similar to it, weighed by the similarity."""
    starts, terms, values = similar
    sizes = np.diff(starts)[rows.ids]
    source = np.repeat(np.arange(len(rows.ids)), sizes)
    nth = np.arange(len(source)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    place = np.repeat(starts[rows.ids], sizes) + nth
    owner = np.repeat(np.arange(len(rows)), np.diff(rows.indptr))[source]
    weights = rows.weights[source] * values[place]
    keys = owner.astype(np.int64) << 32 | terms[place]
    distinct, inverse = np.unique(keys, return_inverse=True)
    indptr = np.searchsorted(distinct, np.arange(len(rows) + 1, dtype=np.int64) << 32).astype(np.int64)
    summed = np.bincount(inverse, weights=weights, minlength=len(distinct)).astype(np.float64)
    return _core.Rows(indptr, (distinct & 0xFFFFFFFF).astype(np.int32), summed)
