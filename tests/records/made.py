"""Small columns, comparisons, candidates and decisions that are made by hand."""

import numpy as np

from likewise.measure import TfIdf
from likewise.records.candidates import Candidates
from likewise.records.columns import Column
from likewise.records.comparison import Comparison
from likewise.records.decision import Decision
from likewise.records.measures import fit_columns
from likewise.records.partners import Relation
from likewise.records.runner_up import Calibration

NOBODY = np.zeros(0, np.int64)
WORDS = ["red", "blue", "pen", "ink", "old"]


def pairs_of(left, right, lefts, rights, self_join=False):
    return Candidates(np.array(left, np.int64), np.array(right, np.int64), lefts, rights, self_join)


def decision_of(
    probability, parts=None, odds=None, keep=None, fields=("a", "rivals"), relation=Relation.MANY, prior=0.0
):
    probability = np.array(probability, float)
    size = len(probability)
    parts = np.zeros((size, len(fields))) if parts is None else np.array(parts, float)
    odds = parts.sum(1) + prior if odds is None else np.array(odds, float)
    keep = probability >= 0.5 if keep is None else np.array(keep, bool)
    found = pairs_of(range(size), range(size), size, size)
    calibration = Calibration(0.5, 1.0, 0.75, 0.5, 0.6, ((), ()))
    return Decision(found, tuple(fields), parts, prior, odds, probability, keep, relation, calibration)


def comparison_of(left, right=None, keys=None, other_keys=None):
    """Columns of both sides, or of one table, by words."""
    lefts = [Column.of(values) for values in left]
    rights = lefts if right is None else [Column.of(values) for values in right]
    fitted = [fit_columns(a, b, TfIdf(smooth=True)) for a, b in zip(lefts, rights, strict=True)]
    lefts, rights, measures = (list(part) for part in zip(*fitted, strict=True))
    rights = lefts if right is None else rights
    return Comparison(lefts, rights, measures, [1.0] * len(lefts), right is None, keys, other_keys)


def scores_by_hand(comparison):
    lefts, rights = comparison.left_size, comparison.right_size
    a, b = (side.ravel() for side in np.indices((lefts, rights)))
    return comparison.scores(a, b).reshape(lefts, rights)


def random_texts(random, size, empty=0.15):
    return [
        None if random.random() < empty else " ".join(random.choice(WORDS, random.integers(1, 4))) for _ in range(size)
    ]
