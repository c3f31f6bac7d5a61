"""Likewise finds the texts that say the same thing, at every scope, and shows why.

Three ways in:

- two texts: :func:`compare`, or a measure of your own (:class:`Spectra`, :class:`TfIdf`, :class:`SoftTfIdf`, ...);
- many texts: :func:`match`, :func:`dedupe`, :func:`link`, :class:`Index`, :func:`mine`;
- proof: :mod:`likewise.evaluate`.

Below them the folders name the path of the data: ``read`` -> ``segment`` -> ``analyse`` -> ``measure`` -> ``join`` ->
``jobs`` -> ``evaluate`` / ``report``.

>>> import likewise as lw
>>> round(lw.compare("Gonzalo Gonzalez", "Gonzales, Gonzalo").score, 3) > 0.8
True
"""

from importlib import import_module

TYPE_CHECKING = False  # as in typing, which takes longer to import than all of this

# Public name -> module that defines it. Loaded on first use, because numpy and pyarrow alone take 0.1-0.2 s to import.
_HOME = {
    "BM25": "likewise.measure",
    "Cancelled": "likewise.errors",
    "Common": "likewise.measure",
    "DedupeResult": "likewise.results.clusters",
    "Document": "likewise.read.document",
    "Explanation": "likewise.measure",
    "Index": "likewise.index.index",
    "LikewiseError": "likewise.errors",
    "Links": "likewise.jobs.link",
    "Match": "likewise.results.matches",
    "MatchResult": "likewise.results.matches",
    "Matches": "likewise.measure",
    "Paraphrase": "likewise.results.paraphrases",
    "Paraphrases": "likewise.results.paraphrases",
    "Recogniser": "likewise.jobs.recognise",
    "SoftCardinality": "likewise.measure",
    "SoftTfIdf": "likewise.measure",
    "Span": "likewise.read.document",
    "Spectra": "likewise.measure",
    "Tf": "likewise.measure",
    "TfIdf": "likewise.measure",
    "compare": "likewise.jobs.compare",
    "dedupe": "likewise.jobs.dedupe",
    "link": "likewise.jobs.link",
    "match": "likewise.jobs.match",
    "mine": "likewise.jobs.mine.run",
    "recognise": "likewise.jobs.recognise",
    "recognize": "likewise.jobs.recognise",
}

__version__ = "0.1.0"
__all__ = sorted(_HOME)


def __getattr__(name: str) -> object:
    if name in _HOME:
        value = getattr(import_module(_HOME[name]), name)
        globals()[name] = value
        return value
    raise AttributeError(f"module 'likewise' has no attribute {name!r}")


def __dir__() -> list[str]:
    return [*__all__, "__version__"]


if TYPE_CHECKING:
    from likewise.errors import Cancelled, LikewiseError
    from likewise.index.index import Index
    from likewise.jobs.compare import compare
    from likewise.jobs.dedupe import dedupe
    from likewise.jobs.link import Links, link
    from likewise.jobs.match import match
    from likewise.jobs.mine.run import mine
    from likewise.jobs.recognise import Recogniser, recognise, recognize
    from likewise.measure import BM25, Common, Explanation, Matches, SoftCardinality, SoftTfIdf, Spectra, Tf, TfIdf
    from likewise.read.document import Document, Span
    from likewise.results.clusters import DedupeResult
    from likewise.results.matches import Match, MatchResult
    from likewise.results.paraphrases import Paraphrase, Paraphrases
