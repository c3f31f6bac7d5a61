"""Joins of rows under the rules of who may be linked: all, within a document, across documents, no neighbours.

The join engine knows nothing of documents. Pairs within documents are joined document by document; pairs across them
are taken from the best of all, and, where too many of those lie within, joined document by document as well. All of it
is exact, and memory stays in proportion to what is kept.
"""

from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

from likewise.jobs.link.books import book_partners
from likewise.jobs.link.joins import Joins
from likewise.jobs.link.options import LinkOptions
from likewise.jobs.link.vectors import Ints, Vectors
from likewise.join import Pairs
from likewise.read import ROLES
from likewise.results.units import Book

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

    def best(self, rows: Vectors, lefts: Ints, rights: Ints, owner: Ints, n: int) -> Pairs:
        """Return the n best pairs; ``owner`` is the unit of each row."""
        if self._options.pairs == "within":
            return _merged(self._parts(rows, lefts, rights, owner, n), n)
        fetch = n
        while True:
            found = self._join(rows, lefts, rights, n=fetch)
            kept = self._of_allowed(found, owner)
            if len(kept) >= n or len(found) < fetch:
                return kept.take(slice(n))
            fetch *= 4
            if self._options.pairs == "across" and fetch > _PATIENCE * n:
                return _merged(self._parts(rows, lefts, rights, owner, n), n)

    def above(self, rows: Vectors, lefts: Ints, rights: Ints, owner: Ints, floor: float) -> Pairs:
        """Return every pair that scores ``floor`` or more."""
        if self._options.pairs == "within":
            return _merged(self._parts(rows, lefts, rights, owner, None, floor))
        return self._of_allowed(self._join(rows, lefts, rights, floor=floor), owner).by_score()

    def _of_allowed(self, found: Pairs, owner: Ints) -> Pairs:
        return found.take(self.allowed(owner[found.left], owner[found.right]))

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
    ) -> Iterator[Pairs]:
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
            yield self._of_allowed(found, owner)

    def _join(
        self,
        rows: Vectors,
        lefts: Ints,
        rights: Ints,
        *,
        n: int | None = None,
        floor: float = 0.0,
    ) -> Pairs:
        joins = self._joins
        pairs = joins.above(rows, lefts, rights, floor) if n is None else joins.best(rows, lefts, rights, n)
        return Pairs(lefts[pairs.left], rights[pairs.right], pairs.score)


def _merged(parts: Iterable[Pairs], n: int | None = None) -> Pairs:
    """Merge parts, best first; no more than n pairs are held at a time beyond the part at hand."""
    kept = Pairs.none()
    for part in parts:
        kept = Pairs.together([kept, part]).by_score(n)
    return kept
