"""Quality of a clustering against the gold one: pairwise and B-cubed precision, recall, F1.

Both clusterings are given as one label per record, in the same order. Pairwise asks which pairs of records are
together; B-cubed averages over records, so that one big cluster does not decide everything.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from likewise.errors import InputError


@dataclass(frozen=True, slots=True)
class Quality:
    """Precision, recall and F1."""

    precision: float
    recall: float
    f1: float


def pairwise(found: Sequence[Hashable], gold: Sequence[Hashable]) -> Quality:
    """Compare the pairs of records that are together.

    >>> pairwise(["a", "a", "b", "b"], ["x", "x", "x", "y"])
    Quality(precision=0.5, recall=0.3333333333333333, f1=0.4)
    """
    cells, rows, columns, _, _ = _table(found, gold)
    both, ours, theirs = (_pairs(counts) for counts in (cells, rows, columns))
    # No pair claimed is not wrong; no pair to be found is not missed.
    return _quality(both / ours if ours else 1.0, both / theirs if theirs else 1.0)


def bcubed(found: Sequence[Hashable], gold: Sequence[Hashable]) -> Quality:
    """Average over the records: the share of a record's cluster that belongs with it, and of its entity that is there.

    >>> bcubed(["a", "a", "b"], ["x", "x", "x"]).recall
    0.5555555555555555
    """
    cells, rows, columns, of_row, of_column = _table(found, gold)
    size = rows.sum()
    if not size:
        return Quality(1.0, 1.0, 1.0)
    square = cells.astype(np.float64) ** 2
    return _quality(float((square / rows[of_row]).sum() / size), float((square / columns[of_column]).sum() / size))


def _table(found: Sequence[Hashable], gold: Sequence[Hashable]) -> tuple[NDArray[np.int64], ...]:
    """Return the non-empty cells of the contingency table, its margins, and each cell's row and column."""
    if len(found) != len(gold):
        raise InputError(f"{len(found)} found labels but {len(gold)} gold labels: one of each per record is needed")
    left, right = _codes(found), _codes(gold)
    width = int(right.max(initial=-1)) + 1
    keys, cells = np.unique(left * max(width, 1) + right, return_counts=True)
    rows, columns = np.bincount(left, minlength=1), np.bincount(right, minlength=1)
    return cells.astype(np.int64), rows, columns, keys // max(width, 1), keys % max(width, 1)


def _codes(labels: Sequence[Hashable]) -> NDArray[np.int64]:
    known: dict[Hashable, int] = {}
    return np.array([known.setdefault(label, len(known)) for label in labels], dtype=np.int64)


def _pairs(counts: NDArray[np.int64]) -> int:
    return int((counts * (counts - 1) // 2).sum())


def _quality(precision: float, recall: float) -> Quality:
    f1 = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
    return Quality(precision, recall, f1)
