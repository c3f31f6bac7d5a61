"""Fourth stage of the path: terms become weights and scores, each with its explanation.

Every measure has one interface (:class:`Measure`): ``fit``, ``score``, ``scores``, ``matrix``, ``explain``, a
specification that prints and parses (``str(measure)``, :func:`parse`), and ``save`` / :func:`load`. The modules:

=====================  ================================================================================================
what they share        ``base``, ``text`` (measures of texts), ``explanation``, ``statistics``, ``storage`` (an index)
shared terms           ``terms``; ``counting``, ``cosine``, ``bm25``; ``sparse`` rows of weights
similar terms          ``soft``; ``soft_tfidf``, ``soft_cardinality``; ``coefficient``
q-grams of terms       ``spectra``, ``spectra_explanation``, ``spectra_coverage``
any function           ``tabled``, ``distance``
records                ``fields``: several fields as one measure
by name                ``specification`` (read), ``notation`` (options as text), ``arguments`` (what a user may give)
=====================  ================================================================================================
"""

from likewise.measure.arguments import as_measure
from likewise.measure.base import Measure
from likewise.measure.bm25 import BM25
from likewise.measure.cosine import TfIdf
from likewise.measure.counting import Common, Matches, Tf
from likewise.measure.distance import Distance
from likewise.measure.explanation import Contribution, Explanation
from likewise.measure.fields import FieldMeasure, FieldsMeasure
from likewise.measure.soft_cardinality import SoftCardinality
from likewise.measure.soft_tfidf import SoftTfIdf
from likewise.measure.specification import from_json, load, parse
from likewise.measure.spectra import Spectra
from likewise.measure.tabled import FunctionMeasure
from likewise.measure.text import TextMeasure

__all__ = [
    "BM25",
    "Common",
    "Contribution",
    "Distance",
    "Explanation",
    "FieldMeasure",
    "FieldsMeasure",
    "FunctionMeasure",
    "Matches",
    "Measure",
    "SoftCardinality",
    "SoftTfIdf",
    "Spectra",
    "TextMeasure",
    "Tf",
    "TfIdf",
    "as_measure",
    "from_json",
    "load",
    "parse",
]
