"""Joins of rows under the rules of who may be linked: all, within a document, across documents, no neighbours.

The join engine knows nothing of documents. Pairs within documents are joined document by document; pairs across them
are taken from the best of all, and, where too many of those lie within, joined document by document as well. All of it
is exact, and memory stays in proportion to what is kept.
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from likewise.jobs.link.books import book_partners
from likewise.jobs.link.joins import Joins
from likewise.jobs.link.options import LinkOptions
from likewise.jobs.link.vectors import Ints, Vectors
from likewise.read import ROLES
from likewise.results.units import Book

Found = tuple[Ints, Ints, NDArray[np.float64]]
# Pairs across documents are looked for among so many times the best; behind that, document by document.
_PATIENCE = 16


def partners(roles: tuple[str, ...]) -> NDArray[np.bool_]:
    """Return which roles may be linked with which, as a table by their numbers in :data:`ROLES`."""
    table = np.zeros((len(ROLES), len(ROLES)), dtype=bool)
    for entry in roles:
        if entry == "all":
            return ~table
        here, _, there = entry.partition("-")
        a, b = ROLES.index(here), ROLES.index(there or here)
        table[a, b] = table[b, a] = True
    return table


class Allowed:
    """Pairs of rows that may be linked, best first.

    Without the ``book`` all ``size`` units are of one document and one role.
    """

    def __init__(self, options: LinkOptions, size: int, book: Book | None, joins: Joins) -> None:
        self._options = options
        self._homes = np.zeros(size, dtype=np.int64)
        self._roles = np.zeros(size, dtype=np.int64)
        self._two = False
        self._partners: NDArray[np.bool_] | None = None
        self._together: NDArray[np.bool_] | None = None
        if book is not None:
            self._homes = np.array([unit.document for unit in book.units], dtype=np.int64)
            self._two = book.split is not None
            self._partners = partners(options.roles)
            numbers = {role: number for number, role in enumerate(ROLES)}
            self._roles = np.array([numbers[unit.role] for unit in book.units], dtype=np.int64)
            if options.books:
                names = list(dict.fromkeys(book.names))
                self._books = np.array([names.index(name) for name in book.names], dtype=np.int64)
                self._together = book_partners(names, options.books)
        self._joins = joins

    def best(self, rows: Vectors, lefts: Ints, rights: Ints, owner: Ints, n: int) -> Found:
        """Return the n best pairs; ``owner`` is the unit of each row."""
        if self._options.pairs == "within":
            return _first(self._parts(rows, lefts, rights, owner, n), n)
        fetch = n
        while True:
            found = self._join(rows, lefts, rights, n=fetch)
            kept = _take(found, np.flatnonzero(self.allowed(owner[found[0]], owner[found[1]])))
            if len(kept[0]) >= n or len(found[0]) < fetch:
                return _take(kept, np.arange(min(n, len(kept[0]))))
            fetch *= 4
            if self._options.pairs == "across" and fetch > _PATIENCE * n:
                return _first(self._parts(rows, lefts, rights, owner, n), n)

    def above(self, rows: Vectors, lefts: Ints, rights: Ints, owner: Ints, floor: float) -> Found:
        """Return every pair that scores ``floor`` or more."""
        if self._options.pairs == "within":
            return _first(self._parts(rows, lefts, rights, owner, None, floor), None)
        found = self._join(rows, lefts, rights, floor=floor)
        return _first([_take(found, np.flatnonzero(self.allowed(owner[found[0]], owner[found[1]])))], None)

    def allowed(self, left: Ints, right: Ints) -> NDArray[np.bool_]:
        """Tell which pairs of units may be linked."""
        here, there = self._homes[left], self._homes[right]
        kept = np.ones(len(left), dtype=bool)
        if self._options.pairs == "within":
            kept &= here == there
        elif self._options.pairs == "across":
            kept &= here != there
        if self._partners is not None:
            kept &= self._partners[self._roles[left], self._roles[right]]
        if self._together is not None:
            kept &= self._together[self._books[here], self._books[there]]
        if self._options.neighbours == "drop":
            kept &= (here != there) | (np.abs(left - right) != 1)
        return kept

    def _parts(
        self, rows: Vectors, lefts: Ints, rights: Ints, owner: Ints, n: int | None, floor: float = 0.0
    ) -> Iterator[Found]:
        """Join document by document: each with itself (within), or with all that come behind it (across)."""
        within = self._options.pairs == "within"
        if within and self._two:
            return
        home = self._homes[owner[lefts]]
        edges = np.flatnonzero(np.diff(home)) + 1
        # Neighbours cannot crowd out others: there are fewer of them than units.
        for part in np.split(lefts, edges):
            others = part if within else rights if self._two else rights[rights > part[-1]]
            if not len(others) or (within and len(part) < 2):
                continue
            most = None if n is None else n + len(part) * (self._options.neighbours == "drop")
            found = self._join(rows, part, others, n=most, floor=floor)
            yield _take(found, np.flatnonzero(self.allowed(owner[found[0]], owner[found[1]])))

    def _join(
        self,
        rows: Vectors,
        lefts: Ints,
        rights: Ints,
        *,
        n: int | None = None,
        floor: float = 0.0,
    ) -> Found:
        joins = self._joins
        pairs = joins.above(rows, lefts, rights, floor) if n is None else joins.best(rows, lefts, rights, n)
        return lefts[pairs.left], rights[pairs.right], pairs.score


def _take(found: Found, chosen: Ints) -> Found:
    return found[0][chosen], found[1][chosen], found[2][chosen]


def _first(parts: "Iterator[Found] | list[Found]", n: int | None) -> Found:
    """Merge parts, best first; no more than n pairs are held at a time beyond the part at hand."""
    empty = np.zeros(0, dtype=np.int64)
    kept: Found = (empty, empty, np.zeros(0))
    for part in parts:
        left, right, score = (np.concatenate(both) for both in zip(kept, part, strict=True))
        order = np.lexsort((right, left, -score))
        kept = _take((left, right, score), order if n is None else order[:n])
    return kept
