"""Copies within one table: the first few of each record are compared, the others follow the first.

A record with more copies than partners are looked at would see nobody but them, and all of them say the same.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from likewise.records.distinct import ranks

Rows = NDArray[np.int64]
FIRST = 5
"""How many copies of one record are looked at."""


@dataclass(frozen=True)
class Copies:
    """Records with more copies than are compared: the place of each among its copies, and the first of these."""

    place: Rows
    first: Rows

    @classmethod
    def of(cls, codes: Rows) -> "Copies | None":
        """Return the copies among records, by the number of what is compared (-1: nothing); ``None`` if there are few.

        >>> some = Copies.of(np.array([0, 0, 1, 0, 0, 0, 0, -1]))
        >>> some.early.tolist(), [side.tolist() for side in some.pairs()]
        ([0, 1, 2, 3, 4, 5, 7], [[0, 0], [1, 6]])
        """
        order = np.argsort(codes, kind="stable")
        order = order[codes[order] >= 0]
        within = ranks(codes[order])
        if not np.any(within >= FIRST):
            return None
        place, first = np.zeros(len(codes), np.int64), np.arange(len(codes))
        place[order], first[order] = within, order[np.arange(len(order)) - within]
        return cls(place, first)

    @property
    def early(self) -> Rows:
        """The records that are compared."""
        return np.flatnonzero(self.place < FIRST)

    def pairs(self) -> tuple[Rows, Rows]:
        """Return pairs of the first of many copies with the second, and with those that are not compared."""
        many = np.isin(self.first, self.first[self.place >= FIRST])
        chosen = np.flatnonzero(many & ((self.place == 1) | (self.place >= FIRST)))
        return self.first[chosen], chosen

    def late(self, left: Rows, right: Rows) -> NDArray[np.bool_]:
        """Return which pairs join a first copy with one that is not compared."""
        late: NDArray[np.bool_] = (self.place[right] >= FIRST) & (self.first[right] == left)
        return late
