"""Match the records of two tables, or of one with itself: for each the best partners, exactly.

:func:`match` reads both sides (:mod:`likewise.read.tables`), numbers the distinct texts of the compared columns
(:mod:`.columns`), fits the measure (:mod:`.measures`), asks the join engine (:mod:`.space`), chooses
(:mod:`.choose`) and gives a :class:`MatchResult`.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from likewise.jobs.match.job import match
    from likewise.jobs.match.options import MatchOptions
    from likewise.jobs.match.result import Match, MatchResult

__all__ = ["Match", "MatchOptions", "MatchResult", "match"]

# Loaded on first use: the command line needs the options alone to show its help.
_HOME = {"Match": "result", "MatchOptions": "options", "MatchResult": "result", "match": "job"}


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
