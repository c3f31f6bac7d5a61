"""Match the records of two tables, or of one with itself: for each the best partners, exactly.

:func:`match` reads both sides (:mod:`likewise.read.tables`), numbers the distinct texts of the compared columns
(:mod:`.columns`), fits the measure (:mod:`.measures`), asks the join engine (:mod:`.space`), chooses
(:mod:`.choose`) and gives a :class:`~likewise.MatchResult`.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from likewise.jobs.match.job import match
    from likewise.jobs.match.options import MatchOptions

__all__ = ["MatchOptions", "match"]

# Loaded on first use: the command line needs the options alone to show its help.
_HOME = {"MatchOptions": "options", "match": "job"}


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
