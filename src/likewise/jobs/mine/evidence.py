"""Fourth stage: what the corpus says about each pair beyond the places that its phrases share.

The core counts whole numbers in the sentences (:class:`likewise.jobs.mine.stages.EvidenceTask`); here they are added up
by the engine and turned into figures of pairs: how alike the words around two phrases are, how much of its partners
each shares with the other, whether the two are members of a list.
"""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from likewise import _core

Array = np.ndarray[Any, Any]

# A word seen beside a phrase once says nothing yet, and such words are most of the table.
NEIGHBOURS = """
SELECT phrase, word, CAST(SUM(count) AS INTEGER) AS count FROM beside GROUP BY phrase, word HAVING SUM(count) >= 2
"""
ORDERED_NEIGHBOURS = "SELECT phrase, word, count FROM neighbours ORDER BY phrase, word"
# Levy, Goldberg and Dagan (2015): frequent words count for less than their share.
_SMOOTHING = 0.75


@dataclass(frozen=True)
class Evidence:
    """The counts of a run: ``counts`` holds those of phrases, then four of pairs; ``neighbours`` is a file."""

    counts: Array
    neighbours: Path | None

    def split(self, phrases: int) -> tuple[Array, Array]:
        """Return the occurrences of phrases, and the counts of pairs as rows: listed, either, contrast, both."""
        return self.counts[:phrases], self.counts[phrases:].reshape(4, -1)

    @cached_property
    def beside(self) -> tuple[Array, Array, Array]:
        """The words beside phrases: numbers of phrases, of words, and counts, in order."""
        if self.neighbours is None:
            return (np.zeros(0, np.int32),) * 3
        with pa.memory_map(str(self.neighbours)) as source:
            table = pa.ipc.open_file(source).read_all()
        phrase, word, count = (table.column(name).to_numpy() for name in ("phrase", "word", "count"))
        return phrase, word, count


def likeness(beside: tuple[Array, Array, Array], phrases: int, numbers: Array) -> Array:
    """Return the cosine of the words around each pair's phrases, weighed by positive pointwise mutual information.

    >>> rows = [np.array(column, np.int32) for column in ([0, 0, 1, 1, 2], [1, 2, 1, 2, 3], [9, 9, 9, 9, 9])]
    >>> [round(float(x), 6) for x in likeness(tuple(rows), 3, np.array([[0, 1], [0, 2]], np.int32))]
    [1.0, 0.0]
    """
    phrase, word, count = beside
    if not len(phrase):
        return np.zeros(len(numbers))
    rows = np.bincount(phrase, count, phrases)
    columns = np.bincount(word, count) ** _SMOOTHING
    weights = np.log(count / rows[phrase] * (columns.sum() / columns[word]))
    weights = np.maximum(weights, 0.0)
    return _cosines(_offsets(phrase, phrases), word, weights, numbers)


def partners(numbers: Array, weights: Array, phrases: int) -> tuple[Array, Array, Array]:
    """Return the graph of pairs as sparse rows: offsets, partners in order, the weights of the pairs."""
    left, right = np.concatenate([numbers, numbers[:, ::-1]]).T
    order = np.lexsort((right, left))
    return _offsets(left[order], phrases), right[order].astype(np.int32), np.concatenate([weights, weights])[order]


def common_partners(numbers: Array, weights: Array, phrases: int) -> Array:
    """Return how much of their partners the phrases of each pair share: the cosine of their rows.

    >>> numbers = np.array([[0, 1], [0, 2], [1, 2], [2, 3]], np.int32)
    >>> [round(float(x), 3) for x in common_partners(numbers, np.ones(4), 4)]
    [0.5, 0.408, 0.408, 0.0]
    """
    return _cosines(*partners(numbers, weights, phrases), numbers)


def _cosines(offsets: Array, columns: Array, values: Array, numbers: Array) -> Array:
    products = _core.row_products(offsets, columns, values, np.ascontiguousarray(numbers).ravel())
    squares = np.add.reduceat(np.append(values**2, 0.0), offsets[:-1]) * (np.diff(offsets) > 0)
    norms = np.sqrt(squares[numbers[:, 0]] * squares[numbers[:, 1]])
    cosines: Array = np.divide(products, norms, out=np.zeros(len(numbers)), where=norms > 0)
    return cosines


def _offsets(rows: Array, count: int) -> Array:
    return np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=count))]).astype(np.int64)


def ranks(numbers: Array, strength: Array) -> Array:
    """Return the rank of each pair among the pairs of its one phrase and of its other, strongest first.

    >>> numbers = np.array([[0, 1], [0, 2], [1, 2]])
    >>> ranks(numbers, np.array([3.0, 2.0, 1.0])).tolist()
    [[1.0, 1.0], [2.0, 1.0], [2.0, 2.0]]
    """
    return _ranked(numbers, strength)[0].reshape(2, -1).T


def best_of(numbers: Array, strength: Array, phrases: int, count: int = 3) -> Array:
    """Return, for each phrase, the mean strength of its strongest pairs: some are like everything else.

    >>> best_of(np.array([[0, 1], [0, 2], [1, 2]]), np.array([3.0, 2.0, 1.0]), 3, 1).tolist()
    [3.0, 3.0, 2.0]
    """
    places, sides = _ranked(numbers, strength)
    chosen = places <= count
    among = np.concatenate([strength, strength])[chosen]
    found: Array = np.bincount(sides[chosen], among, phrases) / np.bincount(sides[chosen], minlength=phrases)
    return found


def _ranked(numbers: Array, strength: Array) -> tuple[Array, Array]:
    """Ranks of the pairs at their one phrase, then at their other; and these phrases."""
    sides = numbers.T.ravel()
    order = np.lexsort((-np.concatenate([strength, strength]), sides))
    starts = np.flatnonzero(np.diff(sides[order], prepend=-1))
    found = np.empty(len(sides))
    found[order] = np.arange(len(sides)) - np.repeat(starts, np.diff(starts, append=len(sides))) + 1
    return found, sides
