"""Candidate pairs: the best by the joined text, from both sides, and the best by each identifying field.

There are no blocking rules. The lists come from the exact join, so a pair is left out only where so many others are
more alike in every respect. Copies of one record (equal in all that is compared) would fill the lists of each other,
and nobody else would be seen: in a table of its own only the first few are looked at, and the others go with the first.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from likewise.records.comparison import Comparison
from likewise.records.copies import Copies
from likewise.records.distinct import ascending
from likewise.records.evidence import Field
from likewise.records.from_right import from_right
from likewise.records.kinds import KINDS
from likewise.records.partners import Relation
from likewise.records.together import nearest_together

Rows = NDArray[np.int64]
# A field with so many distinct values for each record, of so many characters at most, can name a partner by itself.
_IDENTIFYING = 0.1
_SHORT = 80


@dataclass(frozen=True)
class Candidates:
    """Pairs by position in the left and right records; in one table left < right, each once, in order.

    ``late`` are the pairs of a first copy with one behind the first few (:mod:`.copies`).
    """

    left: Rows
    right: Rows
    lefts: int
    rights: int
    self_join: bool
    late: NDArray[np.bool_] | None = None

    def __len__(self) -> int:
        return len(self.left)

    @property
    def every(self) -> int:
        """The number of all pairs of records, candidates or not."""
        return self.lefts * (self.lefts - 1) // 2 if self.self_join else self.lefts * self.rights

    def asked_from_left(self, relation: Relation) -> bool:
        """Return whether the best partner is looked for from the left: from the side whose records have one at most."""
        return self.lefts <= self.rights if relation is Relation.ONE else relation.left_once

    def take(self, chosen: NDArray[np.bool_]) -> "Candidates":
        """Return some of the candidates, without marks of late copies."""
        return Candidates(self.left[chosen], self.right[chosen], self.lefts, self.rights, self.self_join)

    def twice(self) -> "Candidates":
        """Return the candidates of one table as those of two equal ones: each pair in both directions.

        >>> some = Candidates(np.array([0, 1]), np.array([2, 2]), 3, 3, True).twice()
        >>> some.left.tolist(), some.right.tolist()
        ([0, 2, 1, 2], [2, 0, 2, 1])
        """
        left = np.column_stack([self.left, self.right]).ravel()
        right = np.column_stack([self.right, self.left]).ravel()
        return Candidates(left, right, self.lefts, self.lefts, False)

    def halves(self, relation: Relation) -> Iterator[tuple[NDArray[np.bool_], "Candidates"]]:
        """Yield each half of the records that are asked: which candidates are theirs, and these alone.

        >>> some = Candidates(np.array([0, 1, 2]), np.array([5, 6, 7]), 3, 9, False)
        >>> [(part.left.tolist(), part.right.tolist(), part.lefts) for _, part in some.halves(Relation.ONE)]
        [([0, 1], [5, 7], 2), ([0], [6], 1)]
        """
        from_left = self.asked_from_left(relation)
        record, records = (self.left, self.lefts) if from_left else (self.right, self.rights)
        for half in (0, 1):
            mine = record % 2 == half
            place, size = record[mine] // 2, (records + 1 - half) // 2
            if from_left:
                yield mine, Candidates(place, self.right[mine], size, self.rights, False)
            else:
                yield mine, Candidates(self.left[mine], place, self.lefts, size, False)


def candidates(
    joined: Comparison, fields: Sequence[Field], count: int, more: tuple[Rows, Rows] | None = None
) -> Candidates:
    """Return ``count`` partners of each left record by the joined text, fewer by other ways, and ``more``."""
    copies = Copies.of(joined.left[0].codes) if joined.self_join and joined.left_keys is None else None
    if copies is None:
        lists = _lists(joined, fields, count)
    else:
        some = candidates(joined.select(copies.early), [field.select(copies.early) for field in fields], count)
        lists = [(copies.early[some.left], copies.early[some.right]), copies.pairs()]
    if more is not None:
        lists.append(more)
    left, right = (np.concatenate(side) for side in zip(*lists, strict=True))
    if joined.self_join:
        left, right = np.minimum(left, right), np.maximum(left, right)
    numbers = ascending(left * joined.right_size + right)
    left, right = numbers // joined.right_size, numbers % joined.right_size
    if joined.self_join:
        left, right = left[left != right], right[left != right]
    if joined.left_keys is not None and joined.right_keys is not None:
        agree = (joined.left_keys[left] == joined.right_keys[right]) & (joined.left_keys[left] >= 0)
        left, right = left[agree], right[agree]
    late = None if copies is None else copies.late(left, right)
    return Candidates(left, right, joined.left_size, joined.right_size, joined.self_join, late)


def _lists(joined: Comparison, fields: Sequence[Field], count: int) -> list[tuple[Rows, Rows]]:
    """Return the partners of all records, by the joined text and by the fields."""
    half, few = other_ways(count), of_right_records(count)
    forth = joined.top(count)
    lists = [(forth.left, forth.right)]
    if not joined.self_join:
        lists.append(from_right(joined, forth, count, few))
    if len(fields) > 1:
        for field in fields:
            if _identifies(field):
                lists += _by_field(field, joined.self_join, half, joined.threads)
        lists += _together(fields, half)
    return lists


def other_ways(count: int) -> int:
    """Return how many partners each field proposes, where the joined text proposes ``count``."""
    return max(5, count // 2)


def of_right_records(count: int) -> int:
    """Return how many partners of right records are proposed: most are among the ``count`` of left ones already."""
    return max(5, count // 4)


def _identifies(field: Field) -> bool:
    distinct = len(field.left.texts), len(field.right.texts)
    return identifies(distinct, (len(field.left), len(field.right)), sum(map(len, field.left.texts)))


def identifies(distinct: tuple[int, int], records: tuple[int, int], letters: int) -> bool:
    """Return whether a field can name a partner by itself: of so many distinct texts, the left ones of ``letters``."""
    if not min(distinct) or min(distinct) <= _IDENTIFYING * min(records):
        return False
    return letters / distinct[0] < _SHORT


def _by_field(field: Field, self_join: bool, count: int, threads: int | None) -> list[tuple[Rows, Rows]]:
    lists = []
    if field.measure is not None:
        both = Comparison([field.left], [field.right], [field.measure], [1.0], self_join, threads=threads)
        found = both.ready([field.prepared], {}).top(count)
        lists.append((found.left, found.right))
    if in_a_row(field.kind):
        lists.append(field.nearest(count))
    return lists


def in_a_row(kind: str) -> bool:
    """Return whether the values of a kind of field are ordered, so that some are near each other."""
    return KINDS[kind].measured and kind != "coordinates"


def _together(fields: Sequence[Field], count: int) -> list[tuple[Rows, Rows]]:
    """Return pairs that are near in several measured fields at once, if one of these fields identifies records."""
    measured = [field for field in fields if in_a_row(field.kind)]
    proposing = [_identifies(field) for field in measured]
    if len(measured) < 2 or not any(proposing):
        return []
    return [nearest_together([field.measured() for field in measured], proposing, count)]
