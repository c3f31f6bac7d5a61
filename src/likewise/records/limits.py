"""Every number of a decision that was chosen by experiment, in one place.

They are the same for every table. `benchmarks/left_out.py` chooses each again without looking at one set, for each set
in turn, and shows what that set then gets.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """From where on records are said to have several partners, copies, siblings, or none that stand out."""

    # Records with a partner that have so many at even odds or better have several; below, one. Within one table a few
    # clusters of three are enough: nobody expects pairs there.
    several: float = 1.05
    several_between: float = 1.5
    # Of two tables so many at most: what more records share is a class, such as a model of aeroplanes.
    most_between: float = 20.0
    # ... and so large a share of the chains of such pairs is closed; chains that are not closed are rivals. Of two
    # tables nearly every one, as one partner is what people expect, if partners stand out.
    closed: float = 0.75
    closed_between: float = 0.95
    # Records of one side are copies of one another where such a share of the claims is for a partner that others claim
    # too, such a share of these partners does not stand out from the other side (half of it, where claims are mostly
    # shared), and so many of the claimants of one partner are more alike than either is to who is next.
    shared: float = 0.05
    hidden: float = 0.2
    mostly: float = 0.25
    closer: float = 0.85
    # Records of one table with the same single text are copies; or, where more than such a share has the text of
    # another, different ones that it does not name.
    held_again: float = 0.25
    # Records that are equal in every field are the same from such a probability on; how often a field is equal where
    # another is counts as if so many pairs more, for each record, were seen that hang together by chance.
    literal_chance: float = 0.9
    literal_before: float = 0.1
    # Below this score values differ altogether. So many of the likely pairs have only a likeness in common beside
    # another name (neighbours), or are less than half alike in all that tells records apart (siblings).
    unlike: float = 0.3
    half_alike: float = 0.6
    neighbours: float = 0.1
    siblings: float = 0.2
    # Few share a name if it is that of so many records. Siblings agree less often than copies by so many standard
    # errors. Fields agree so many times as often together as by chance where pairs are of two populations.
    sharing: float = 2.5
    sibling_errors: float = 3.0
    together: float = 2.0
    # Best partners of two tables stand out unless their leads are by less than so many standard errors too small.
    far: float = 2.0
    # Within one table so many records at least stand out, so many standard errors more than by chance, and of them half
    # at most by chance, or three in four where they are few: a fifth of the table or less.
    outstanding: int = 4
    outstanding_errors: float = 1.5
    by_chance: float = 0.5
    few: float = 0.2
    few_by_chance: float = 0.75
    # In small tables of which nothing stands out, no more than so many pairs are as alike as records of one table.
    only_by_chance: float = 0.8
    # Of two tables so few of the smaller one; then partners, too, must stand out so, half of them at most by chance.
    few_between: float = 0.15
    # Of fewer records than that on a side, no pair is surer than by how far it stands out: weights learnt from few
    # records fit them too well, unless so many pairs stand out and each half of the records says of the other that more
    # than few have a partner.
    small: int = 1000
    enough: float = 25.0
    # Where such a share of the smaller table is in pairs of such a probability or more, these tell what matches look
    # like; what scores below all of them, and no higher than wrong ones, is left over.
    partnered: float = 0.4
    plainly: float = 0.9
    # What is surely the same has so small a share that stands out by chance, or little above the least.
    sure: float = 0.15
    above: float = 1.5
    # Where few are taken for the same, siblings may outnumber duplicates: then a pair is no more probable than so many
    # times the share of those standing out as much that do so not by chance.
    lenient: float = 2.0
    # Standard errors added to each reading of how many lack a partner: better to miss a match than to invent one.
    reading_errors: float = 1.0
    # Codes run in series where so large a share of those of one table has another one in it that is so much alike.
    in_series: float = 0.1
    near_code: float = 0.7
    # How much the strength of a runner-up counts beside that of the best one: less than 1, as they hang together.
    runner_up_counts: float = 0.7
    # Runner-ups of each record that are taken for wrong.
    rivals: int = 4
    # So many of a record's candidates, the best by all other fields, say how common near numbers are among rivals.
    nearest: int = 5
    # Weights of equal values are tilted by the square root of their rarity once so many unlike pairs are equal.
    equals: float = 20.0
    # Groups: the log odds of two records that were no candidates, and no single pair says more than so much.
    no_candidate: float = -5.0
    most: float = 8.0


_USED: ContextVar[Limits] = ContextVar("limits", default=Limits())  # noqa: B039 - it is frozen


def limits() -> Limits:
    """Return the numbers that are decided by."""
    return _USED.get()


@contextmanager
def decided_by(other: Limits) -> Iterator[None]:
    """Decide by other numbers, within a ``with``.

    >>> with decided_by(Limits(few=0.1)):
    ...     limits().few
    0.1
    """
    token = _USED.set(other)
    try:
        yield
    finally:
        _USED.reset(token)
