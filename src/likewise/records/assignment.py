"""Choose among scored pairs: the best partners of each record, pairs that are best for both sides, or one to one."""

from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from likewise.errors import OptionError
from likewise.join import Pairs
from likewise.join.assignment import TOLERANCE, Assignment, greedy_sum, one_to_one
from likewise.join.fields import Prices
from likewise.progress import Progress
from likewise.records.comparison import Comparison
from likewise.records.options import TWO_TABLES

Rows = NDArray[np.int64]
_FIRST = 4
"""Candidates of each left record to begin with."""
_FLOORS = (0.5, 0.2)
"""Candidates are looked for from the first score on; where that decides nothing, from the next, and last from the
least that was asked for."""
_MANY = 64
"""Partners with fallen prices that are looked for at once; few records have as many."""


def reciprocal_pairs(comparison: Comparison, min_score: float, exclude_equal: bool = False) -> Pairs:
    """Return the pairs in which each record is the other's best partner, asked from its own side."""
    forth = comparison.top(1, min_score, exclude_equal=exclude_equal)
    back = forth if comparison.self_join else comparison.reversed().top(1, min_score, exclude_equal=exclude_equal)
    best = np.full(comparison.right_size, -1, np.int64)
    best[back.left] = back.right
    return forth.take(best[forth.right] == forth.left)


class Finder(Protocol):
    """What finds the partners of left records, in this process or on an engine."""

    @property
    def left_size(self) -> int: ...  # noqa: D102
    @property
    def right_size(self) -> int: ...  # noqa: D102
    @property
    def keyed(self) -> bool:
        """Whether only records with the same key are compared."""

    @property
    def progress(self) -> Progress | None: ...  # noqa: D102
    def partners(
        self, k: int, least: float, rows: Rows, prices: Prices | None = None, among: Rows | None = None
    ) -> tuple[Pairs, NDArray[np.bool_] | None]:
        """Return the ``k`` best partners of left ``rows`` from ``least`` on, and which have equal texts, where asked.

        With ``prices`` the best are those of which most is left, more than the price of the left record; with these
        ``among`` some right records only.
        """


@dataclass(frozen=True)
class _Here:
    """A comparison, asked for partners."""

    comparison: Comparison
    exclude_equal: bool

    @property
    def left_size(self) -> int:
        return self.comparison.left_size

    @property
    def right_size(self) -> int:
        return self.comparison.right_size

    @property
    def keyed(self) -> bool:
        return self.comparison.left_keys is not None

    @property
    def progress(self) -> Progress | None:
        return self.comparison.progress

    def partners(
        self, k: int, least: float, rows: Rows, prices: Prices | None = None, among: Rows | None = None
    ) -> tuple[Pairs, NDArray[np.bool_] | None]:
        if prices is None:
            found = self.comparison.top(k, least, None if len(rows) == self.left_size else rows)
        elif among is None:
            found = self.comparison.top_priced(k, least, rows, prices)
        else:
            part, every = self.comparison.part(rows, among), np.arange(len(rows), dtype=np.int64)
            found = part.top_priced(k, least, every, Prices(prices.right[among], prices.left[rows]))
            found = Pairs(rows[found.left], among[found.right], found.score)
        return found, self.comparison.equal(found) if self.exclude_equal else None


def assigned_pairs(comparison: Comparison, min_score: float, exclude_equal: bool = False) -> tuple[Pairs, str]:
    """Return what :func:`assigned` does, for two sides in this process."""
    if comparison.self_join:
        raise OptionError(TWO_TABLES)
    return assigned(_Here(comparison, exclude_equal), min_score)


def assigned(finder: Finder, min_score: float) -> tuple[Pairs, str]:
    """Return the one-to-one assignment with the highest sum of scores over *all* pairs from ``min_score`` on.

    It is solved on a few candidates of each left record. Its duals are prices: a pair that was not listed can change
    the result only if its score is above what the two records are worth. Records that may have such pairs are asked for
    them, best first, and it is solved again, until none is left. Also returned is what the proof took, in words.
    """
    lists = _Lists(finder, min_score)
    lists.fetch(np.arange(finder.left_size, dtype=np.int64), None)
    while True:
        solved = one_to_one(lists.pairs, finder.left_size, finder.right_size)
        better = lists.check_fallen(solved)
        rows = lists.undecided(solved)
        if finder.progress is not None:
            finder.progress(finder.left_size - len(rows), finder.left_size, "decided")
        if len(rows):
            lists.fetch(rows, solved)
        elif not better:
            return solved.pairs, lists.told(solved)


@dataclass
class _Lists:
    """The pairs found so far, and for each left record what an unseen pair can still be worth."""

    finder: Finder
    min_score: float
    pairs: Pairs = field(init=False)
    rounds: int = 0
    asked: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.pairs = Pairs.none()
        # No unseen pair of a left record leaves more than this, when the prices of the round it was asked in are paid.
        self._left_over = np.full(self.finder.left_size, np.inf)
        self._round = np.zeros(self.finder.left_size, np.int64)
        self._prices: list[NDArray[np.float64]] = []
        self._floors = [floor for floor in _FLOORS if floor > self.min_score] + [self.min_score]

    def undecided(self, solved: Assignment) -> Rows:
        """Return the left records for which an unseen pair could improve the assignment."""
        fallen = [float(np.max(old - solved.right_dual, initial=0.0)) for old in self._prices]
        return np.flatnonzero(self._left_over + np.array(fallen)[self._round] > solved.left_dual + TOLERANCE)

    def check_fallen(self, solved: Assignment) -> bool:
        """Look at pairs that matter only because a price has fallen; return whether there are any.

        That is all there is to do for records that would be decided if no price had fallen.
        """
        finder, better = self.finder, False
        prices = _prices(solved)
        rows = self.undecided(solved)
        rows = rows[self._left_over[rows] <= solved.left_dual[rows] + TOLERANCE]
        for number in np.unique(self._round[rows]).tolist():
            fallen = np.flatnonzero(self._prices[number] > solved.right_dual + TOLERANCE / 4)
            mine = rows[self._round[rows] == number]
            if 4 * len(fallen) > finder.right_size or finder.keyed:
                continue
            found, equal = finder.partners(_MANY, self.min_score, mine, prices, fallen)
            self._left_over[mine] = prices.left[mine]
            for row in np.flatnonzero(np.bincount(found.left, minlength=finder.left_size) >= _MANY).tolist():
                of_row = found.left == row
                self._left_over[row] = np.min(found.score[of_row] - prices.right[found.right[of_row]])
            self._round[mine] = len(self._prices)
            better |= self._add(found, equal)
        self._prices.append(solved.right_dual)
        return better

    def fetch(self, rows: Rows, solved: Assignment | None) -> None:
        """Look at more pairs of some left records: those that the duals allow, best first."""
        finder = self.finder
        floor = self._floors[min(self.rounds, len(self._floors) - 1)]
        k = _FIRST << self.rounds
        # Records that must agree in a key are few: they are asked for without prices.
        priced = None if solved is None or finder.keyed else _prices(solved)
        found, equal = finder.partners(k, floor, rows, priced)
        prices = np.zeros(finder.right_size) if priced is None else priced.right
        # A list of all that were asked for says what others can have at most; a shorter one, that there are none.
        complete = np.full(finder.left_size, -np.inf) if priced is None else priced.left
        if floor > self.min_score:
            complete = np.maximum(complete, floor)
        last = np.full(finder.left_size, np.inf)
        np.minimum.at(last, found.left, found.score - prices[found.right])
        full = np.bincount(found.left, minlength=finder.left_size) >= k
        self._left_over[rows] = np.where(full, np.maximum(last, complete), complete)[rows]
        self._round[rows] = len(self._prices)
        self._prices.append(prices)
        self._add(found, equal)
        self.rounds += 1
        self.asked.append(len(rows))

    def _add(self, found: Pairs, equal: NDArray[np.bool_] | None) -> bool:
        """Keep new pairs, of texts that are not ``equal``; return whether there were any."""
        if equal is not None:
            found = found.take(~equal)
        every, before = Pairs.together([self.pairs, found]), len(self.pairs)
        _, first = np.unique(every.left * self.finder.right_size + every.right, return_index=True)
        self.pairs = every.take(first)
        return len(self.pairs) > before

    def told(self, solved: Assignment) -> str:
        """Return a sentence that says how good the assignment is, and what would have been cheaper."""
        total = float(solved.pairs.score.sum())
        lost = total - greedy_sum(self.pairs, self.finder.left_size, self.finder.right_size)
        text = f"one to one: {len(solved.pairs):,} pairs with the highest sum of scores there is, {total:,.2f}"
        text += f"; taking the best pair first would have lost about {max(lost, 0.0):,.2f}"
        if self.min_score < _FLOORS[-1] and self.rounds > len(self._floors):
            searches = sum(self.asked[len(_FLOORS) :])
            text += f"; {searches:,} searches were for partners below {_FLOORS[-1]:g}, which a min_score saves"
        return text


def _prices(solved: Assignment) -> Prices:
    """Return the prices of right records, and what left records have already."""
    return Prices(solved.right_dual, solved.left_dual + TOLERANCE / 2)
