"""Find the records of one table that are the same.

:func:`dedupe` joins the table with itself (:mod:`likewise.jobs.match.space`), takes or suggests a threshold
(:mod:`.threshold`, :mod:`.labels`), makes clusters (:mod:`.clusters`) and gives a :class:`DedupeResult`.
"""

from likewise.jobs.dedupe.job import dedupe
from likewise.jobs.dedupe.options import DedupeOptions
from likewise.jobs.dedupe.result import Cluster, DedupeResult
from likewise.jobs.match.threshold import Histogram, Threshold

__all__ = ["Cluster", "DedupeOptions", "DedupeResult", "Histogram", "Threshold", "dedupe"]
