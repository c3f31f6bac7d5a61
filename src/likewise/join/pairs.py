"""Scored pairs as columns, and what everybody does with them: take some, order them, put lists together."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Pairs:
    """Scored pairs as columns: positions in the left and the right side, and the score.

    Of :func:`~likewise.join.top` and :func:`~likewise.join.above` they come :meth:`by_left`, of
    :func:`~likewise.join.best` :meth:`by_score`. ``stats`` counts the work: ``postings`` (entries of the inverted lists
    that were looked at), ``candidates`` (pairs whose upper bound was completed) and ``scored`` (pairs whose exact score
    was computed).

    >>> pairs = Pairs(np.array([1, 0, 0]), np.array([0, 1, 0]), np.array([0.9, 0.8, 0.9]))
    >>> list(pairs.by_left())
    [(0, 0, 0.9), (0, 1, 0.8), (1, 0, 0.9)]
    >>> list(pairs.by_score(2).moved(10, 0))
    [(10, 0, 0.9), (11, 0, 0.9)]
    >>> len(Pairs.together([pairs, pairs.take(pairs.score > 0.8)]))
    5
    """

    left: NDArray[np.int64]
    right: NDArray[np.int64]
    score: NDArray[np.float64]
    stats: dict[str, int] = field(default_factory=dict, compare=False)

    @classmethod
    def none(cls) -> "Pairs":
        """Return no pairs."""
        return cls(np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0))

    @classmethod
    def together(cls, parts: Iterable["Pairs"]) -> "Pairs":
        """Return the pairs of all parts, one after the other."""
        some = [cls.none(), *parts]
        left, right = (np.concatenate([getattr(part, side) for part in some]) for side in ("left", "right"))
        return cls(left, right, np.concatenate([part.score for part in some]))

    def __len__(self) -> int:
        return len(self.score)

    def __iter__(self) -> Iterator[tuple[int, int, float]]:
        """Give (left, right, score) as Python numbers, for short results and tests."""
        return zip(self.left.tolist(), self.right.tolist(), self.score.tolist(), strict=True)

    def take(self, chosen: NDArray[Any] | slice) -> "Pairs":
        """Return some of the pairs: those of a mask, at some places, or of a slice."""
        return Pairs(self.left[chosen], self.right[chosen], self.score[chosen], self.stats)

    def by_left(self) -> "Pairs":
        """Return the pairs by left, then score from high to low, then right."""
        return self.take(np.lexsort((self.right, -self.score, self.left)))

    def by_score(self, most: int | None = None) -> "Pairs":
        """Return the pairs, or the best of them, by score from high to low, then left, then right."""
        return self.take(np.lexsort((self.right, self.left, -self.score))[:most])

    def moved(self, left: int, right: int) -> "Pairs":
        """Return the pairs with positions that are higher by so much on each side."""
        return Pairs(self.left + left, self.right + right, self.score, self.stats)
