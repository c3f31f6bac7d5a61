"""Fourth stage of the path: terms become weights and scores, each with its explanation.

Every measure has one interface (:class:`Measure`): ``fit``, ``score``, ``scores``, ``matrix``, ``explain``, a
specification that prints and parses (``str(measure)``, :func:`parse`), and ``save`` / :func:`load`.
"""

from likewise.measure.base import Measure
from likewise.measure.explanation import Contribution, Explanation
from likewise.measure.soft import SoftCardinality, SoftTfIdf
from likewise.measure.specification import from_json, load, parse
from likewise.measure.spectra import Spectra
from likewise.measure.terms import BM25, Common, Matches, Tf, TfIdf

__all__ = [
    "BM25",
    "Common",
    "Contribution",
    "Explanation",
    "Matches",
    "Measure",
    "SoftCardinality",
    "SoftTfIdf",
    "Spectra",
    "Tf",
    "TfIdf",
    "from_json",
    "load",
    "parse",
]
