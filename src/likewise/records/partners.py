"""The relation of two tables: how many partners a record of each side may have (1:1, 1:m, m:1, m:m)."""

from enum import StrEnum


class Relation(StrEnum):
    """The relation of two tables; within one table, pairs (``ONE``) or groups (``MANY``).

    >>> Relation("1:m").left_once, Relation("1:m").right_once
    (False, True)
    """

    ONE = "1:1"
    TO_MANY = "1:m"
    TO_ONE = "m:1"
    MANY = "m:m"

    @property
    def left_once(self) -> bool:
        """Whether a left record has one partner at most."""
        return self in (Relation.ONE, Relation.TO_ONE)

    @property
    def right_once(self) -> bool:
        """Whether a right record has one partner at most."""
        return self in (Relation.ONE, Relation.TO_MANY)
