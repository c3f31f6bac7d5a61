"""Sparse rows of weights, as the core takes them, and what is done to them."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from likewise import _core
from likewise.analyse import Analyser, TermRows
from likewise.analyse.phrases import Phrases

Csr = tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.float64]]
"""Rows as offsets, ids and weights: row ``i`` is ``ids[offsets[i]:offsets[i + 1]]``."""


class Scaled(NamedTuple):
    """Rows whose weights are ``scale[id] / length``: they need not be kept."""

    indptr: NDArray[np.int64]
    ids: NDArray[np.int32]
    scale: NDArray[np.float64]
    lengths: NDArray[np.float64]


def normalise(indptr: NDArray[np.int64], weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the weights of rows brought to length 1; rows of zeros stay."""
    normalised = np.repeat(lengths_of(indptr, weights), np.diff(indptr))
    np.divide(weights, normalised, out=normalised)
    return normalised


def lengths_of(indptr: NDArray[np.int64], weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the length of each row of weights; 1 for a row of zeros, which stays as it is when it is divided."""
    lengths = np.ones(len(indptr) - 1)
    filled = np.diff(indptr) > 0
    if filled.any():
        lengths[filled] = np.sqrt(np.add.reduceat(weights * weights, indptr[:-1][filled]))
        lengths[lengths == 0] = 1
    return lengths


def best_terms(rows: TermRows, idf: NDArray[np.float64], count: int, analyser: Analyser) -> TermRows:
    """Return rows with only the ``count`` terms of highest tf·idf in each; of equal ones the first in the alphabet."""
    owner = np.repeat(np.arange(len(rows)), np.diff(rows.indptr))
    return rows.keep(among_best(rows.counts(), idf, count, analyser)(owner, rows.terms))


def among_best(
    rows: Csr, idf: NDArray[np.float64], count: int, analyser: Analyser
) -> Callable[[NDArray[np.int64], NDArray[np.int32]], NDArray[np.bool_]]:
    """Return what tells whether a term is among the ``count`` of highest tf·idf in a row, for (rows, terms)."""
    indptr, ids, counts = rows
    owner = np.repeat(np.arange(len(indptr) - 1), np.diff(indptr))
    spelled = np.array(analyser.vocabulary.terms()[: int(ids.max(initial=-1)) + 1], dtype=object)
    alphabetic = np.empty(len(spelled), dtype=np.int64)
    alphabetic[np.argsort(spelled)] = np.arange(len(spelled))
    order = np.lexsort((alphabetic[ids] if len(ids) else ids, -(counts * idf[ids]), owner))
    chosen = order[np.arange(len(order)) - indptr[owner[order]] < count]
    size = len(analyser)
    keys = np.sort(owner[chosen] * size + ids[chosen])

    def best(of: NDArray[np.int64], terms: NDArray[np.int32]) -> NDArray[np.bool_]:
        wanted = of * size + terms
        found = np.searchsorted(keys, wanted)
        found[found == len(keys)] = 0
        return keys[found] == wanted if len(keys) else np.zeros(len(wanted), dtype=bool)

    return best


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
