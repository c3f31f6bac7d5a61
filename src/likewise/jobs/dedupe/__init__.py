"""Find the records of one table that are the same.

:func:`dedupe` joins the table with itself (:mod:`likewise.records.space`), takes or suggests a threshold
(:mod:`likewise.records.threshold`), makes clusters (:mod:`.clusters`) and gives a :class:`DedupeResult`.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from likewise.jobs.dedupe.job import dedupe
    from likewise.jobs.dedupe.options import DedupeOptions
    from likewise.jobs.dedupe.result import Cluster, DedupeResult

__all__ = ["Cluster", "DedupeOptions", "DedupeResult", "dedupe"]

# Loaded on first use: the command line needs the options alone to show its help.
_HOME = {"Cluster": "result", "DedupeOptions": "options", "DedupeResult": "result", "dedupe": "job"}


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
