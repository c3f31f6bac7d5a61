"""One ranking of scored pairs against the gold: precision, recall, interpolated average precision, best F1.

:class:`Ranking` keeps one point per group of equal scores that holds a correct pair; every figure of this module can be
read off these points, so a ranking of millions of pairs costs one sort. Per-query figures are in
:mod:`likewise.quality.retrieval`.

Ties: a group of equal scores has no order, so a point stands only at its end. ``seed`` shuffles inside the groups
instead and puts a point at every position.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from likewise.errors import InputError, OptionError

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Best:
    """The cut of a ranking at which F1 is best: everything with ``score >= threshold`` is taken.

    Among cuts of equal F1 the one that takes fewest pairs is kept.
    """

    threshold: float
    precision: float
    recall: float
    f1: float
    accuracy: float
    taken: int


@dataclass(frozen=True, slots=True)
class Ranking:
    """Where the correct pairs stand in a list of pairs ordered by score.

    ``found[i]`` of the ``total`` correct pairs are among the best ``position[i]`` of ``size`` pairs, those with a score
    of at least ``threshold[i]``.

    >>> ranking = Ranking.of([0.9, 0.8, 0.8, 0.1], [True, True, False, False])
    >>> ranking.position.tolist(), ranking.found.tolist()
    ([1, 3], [1, 2])
    >>> round(ranking.iap(), 4)
    0.8485
    """

    threshold: Floats
    position: Integers
    found: Integers
    total: int
    size: int

    @classmethod
    def of(
        cls, scores: ArrayLike, correct: ArrayLike, *, total: int | None = None, seed: int | None = None
    ) -> "Ranking":
        """Rank pairs by their scores; ``correct`` says which of them are right.

        ``total`` counts correct pairs that have no score at all (never found) as well. With ``seed`` the pairs of equal
        score are put in a random order, the same for the same seed.
        """
        values = np.asarray(scores, dtype=np.float64).ravel()
        marks = np.asarray(correct, dtype=bool).ravel()
        if values.shape != marks.shape:
            raise InputError(f"{values.size} scores but {marks.size} marks: one of each per pair is needed")
        return cls.among(values, np.flatnonzero(marks), total=total, seed=seed)

    @classmethod
    def among(
        cls, scores: Floats, correct: Integers, *, total: int | None = None, seed: int | None = None
    ) -> "Ranking":
        """Like :meth:`of`, for a flat array of scores and the places of the correct pairs in it."""
        scores = np.ascontiguousarray(scores).ravel()
        if np.isnan(scores).any():
            raise InputError("a score is NaN: every pair needs a number to be ranked by")
        wanted = int(correct.size) if total is None else int(total)
        if wanted < correct.size:
            raise OptionError(f"total must be at least the {correct.size} correct pairs that have a score, not {total}")
        if seed is not None:
            return cls._shuffled(scores, correct, wanted, seed)
        ordered = np.sort(scores)
        threshold, counts = np.unique(scores[correct], return_counts=True)
        threshold, counts = threshold[::-1], counts[::-1]
        position = scores.size - np.searchsorted(ordered, threshold, side="left")
        return cls(threshold, position.astype(np.int64), np.cumsum(counts, dtype=np.int64), wanted, int(scores.size))

    @classmethod
    def _shuffled(cls, scores: Floats, correct: Integers, total: int, seed: int) -> "Ranking":
        order = np.lexsort((np.random.default_rng(seed).random(scores.size), -scores))
        place = np.empty(scores.size, dtype=np.int64)
        place[order] = np.arange(1, scores.size + 1)
        position = np.sort(place[correct])
        found = np.arange(1, position.size + 1, dtype=np.int64)
        return cls(scores[order[position - 1]], position, found, total, int(scores.size))

    @classmethod
    def of_matrix(cls, matrix: ArrayLike, gold: ArrayLike, *, seed: int | None = None) -> "Ranking":
        """Rank every cell of a left x right matrix of scores; ``gold`` holds (left, right) places, one pair a row.

        >>> Ranking.of_matrix([[0.9, 0.1], [0.2, 0.8]], [(0, 0), (1, 1)]).iap()
        1.0
        """
        cells = np.asarray(matrix, dtype=np.float64)
        pairs = np.asarray(gold, dtype=np.int64).reshape(-1, 2)
        return cls.among(cells.ravel(), np.unique(pairs[:, 0] * cells.shape[1] + pairs[:, 1]), seed=seed)

    @property
    def precision(self) -> Floats:
        """Precision at each point."""
        return self.found / self.position

    @property
    def recall(self) -> Floats:
        """Recall at each point."""
        return self.found / max(self.total, 1)

    @property
    def f1(self) -> Floats:
        """F1 (harmonic mean of precision and recall) at each point."""
        return 2.0 * self.found / (self.position + max(self.total, 1))

    def interpolated(self, points: int = 11) -> Floats:
        """Return the interpolated precision at ``points`` evenly spaced recall levels from 0.0 to 1.0.

        At a level it is the best precision at any point whose recall is at least the level, 0 where no point is.
        """
        if points < 2:
            raise OptionError(f"points must be 2 or more, not {points}")
        levels = np.arange(points, dtype=np.int64)
        if not self.found.size:
            return np.zeros(points)
        best = np.append(np.maximum.accumulate(self.precision[::-1])[::-1], 0.0)
        # Whole numbers, because 0.3 * 10 is not 3: found / total >= level / (points - 1).
        first = np.searchsorted(self.found * (points - 1), levels * self.total, side="left")
        return np.asarray(best[first], dtype=np.float64)

    def iap(self, *, full_recall: bool = True) -> float:
        """Return the interpolated average precision: the mean of eleven interpolated precisions.

        ``full_recall=False`` counts the point at recall 1.0 as 0, as Tables 3 and 4 of the spectra paper do (a perfect
        ranking then scores 10/11).
        """
        values = self.interpolated()
        return float(values.mean() if full_recall else values[:-1].sum() / values.size)

    def average_precision(self) -> float:
        """Return the mean over the correct pairs of the precision at the end of their group; 0 for those not found."""
        if not self.total:
            return 0.0
        gained = np.diff(self.found, prepend=0)
        return float((gained * self.precision).sum() / self.total)

    def best_f1(self) -> Best:
        """Return the cut with the best F1.

        >>> best = Ranking.of([0.9, 0.8, 0.3], [True, True, False]).best_f1()
        >>> best.threshold, best.f1, best.accuracy
        (0.8, 1.0, 1.0)
        """
        if not self.found.size:
            negative = (self.size - self.total) / self.size if self.size else 0.0
            return Best(float("inf"), 0.0, 0.0, 0.0, negative, 0)
        at = int(np.argmax(self.f1))
        taken, found = int(self.position[at]), int(self.found[at])
        wrong = (taken - found) + (self.total - found)
        return Best(
            float(self.threshold[at]),
            float(self.precision[at]),
            float(self.recall[at]),
            float(self.f1[at]),
            1.0 - wrong / max(self.size, 1),
            taken,
        )

    def curve(self) -> dict[str, list[float]]:
        """Return the points as lists: threshold, precision, recall, f1."""
        return {
            "threshold": self.threshold.tolist(),
            "precision": self.precision.tolist(),
            "recall": self.recall.tolist(),
            "f1": self.f1.tolist(),
        }

    def summary(self) -> dict[str, Any]:
        """Return the figures people ask for, ready for JSON."""
        best = self.best_f1()
        return {
            "pairs": self.size,
            "correct": self.total,
            "iap": self.iap(),
            "average_precision": self.average_precision(),
            "best_f1": best.f1,
            "best_precision": best.precision,
            "best_recall": best.recall,
            "best_threshold": best.threshold if best.taken else None,
        }


def classification(truth: Sequence[bool] | ArrayLike, predicted: Sequence[bool] | ArrayLike) -> dict[str, float]:
    """Return accuracy, precision, recall and F1 of yes/no predictions.

    >>> classification([True, True, False, False], [True, False, False, False])["accuracy"]
    0.75
    """
    actual = np.asarray(truth, dtype=bool).ravel()
    guess = np.asarray(predicted, dtype=bool).ravel()
    if actual.shape != guess.shape:
        raise InputError(f"{actual.size} gold labels but {guess.size} predictions")
    found = int((actual & guess).sum())
    taken, wanted = int(guess.sum()), int(actual.sum())
    return {
        "pairs": int(actual.size),
        "accuracy": float((actual == guess).mean()) if actual.size else 0.0,
        "precision": found / taken if taken else 0.0,
        "recall": found / wanted if wanted else 0.0,
        "f1": 2 * found / (taken + wanted) if taken + wanted else 0.0,
    }
