"""Match the records of two tables, or of one with itself: for each the best partners, exactly.

:func:`match` reads both sides (:mod:`likewise.read.tables`), numbers the distinct texts of the compared columns
(:mod:`.columns`), fits the measure (:mod:`.measures`), asks the join engine (:mod:`.space`), chooses
(:mod:`.choose`) and gives a :class:`MatchResult`.
"""

from likewise.jobs.match.job import match
from likewise.jobs.match.options import MatchOptions
from likewise.jobs.match.result import Match, MatchResult

__all__ = ["Match", "MatchOptions", "MatchResult", "match"]
