"""Proof: results against gold data (:func:`er`, :func:`ir`, :func:`links`, :func:`pairs`), published tables, judging.

Each function is ``likewise evaluate`` of the same name and returns a :class:`Report`. Beside them,
:mod:`likewise.evaluate.gold` reads published data sets, :mod:`likewise.evaluate.reproduce` computes published tables
again, and :mod:`likewise.evaluate.judging` lets people judge.
"""

from likewise.evaluate.results import Report, er, ir, links, pairs

__all__ = ["Report", "er", "ir", "links", "pairs"]
