"""Likewise finds the texts that say the same thing, at every scope, and shows why.

Three ways in:

- two texts: :func:`compare`, or a measure of your own (:class:`Spectra`, :class:`TfIdf`, :class:`SoftTfIdf`, ...);
- many texts: :func:`match`, :func:`dedupe`, :func:`link`, :class:`Index`, :func:`mine`;
- proof: :class:`Ranking`, :func:`paired`, and ``likewise evaluate``.

Below them the folders name the path of the data, from ``read`` to ``report``. Types and signatures of what is
here are in ``__init__.pyi``, which ``scripts/stubs.py`` writes from the options dataclasses.

>>> import likewise as lw
>>> round(lw.compare("Gonzalo Gonzalez", "Gonzales, Gonzalo").score, 3) > 0.8
True
"""

import sys
from importlib import import_module

if "free-threading" in sys.version:
    # The compiled module relies on the lock of the interpreter where Python threads share objects of it.
    raise ImportError("likewise does not support the free-threaded build of Python yet: use the ordinary one")

# Public name -> module that defines it (module:name where it has another name there). Loaded on first use, because
# numpy and pyarrow alone take 0.1-0.2 s to import.
_HOME = {
    "AnalyseOptions": "likewise.analyse",
    "Analyser": "likewise.analyse",
    "Answer": "likewise.jobs.questions.answers",
    "BM25": "likewise.measure",
    "Cancelled": "likewise.errors",
    "Change": "likewise.results.clusters",
    "Cluster": "likewise.results.clusters",
    "ClusterOptions": "likewise.records.options",
    "CollectOptions": "likewise.jobs.collect",
    "ColumnError": "likewise.errors",
    "Common": "likewise.measure",
    "Contribution": "likewise.measure",
    "DamagedError": "likewise.errors",
    "DedupeOptions": "likewise.records.options",
    "DedupeResult": "likewise.results.clusters",
    "Distance": "likewise.measure",
    "Document": "likewise.read.document",
    "Documents": "likewise.read",
    "EngineError": "likewise.errors",
    "EngineOptions": "likewise.engines.options",
    "Explanation": "likewise.measure",
    "FieldMeasure": "likewise.measure.fields",
    "FieldsMeasure": "likewise.measure.fields",
    "ForeignError": "likewise.errors",
    "FormatError": "likewise.errors",
    "Group": "likewise.results.groups",
    "Groups": "likewise.results.groups",
    "FunctionMeasure": "likewise.measure",
    "Hit": "likewise.index.hits",
    "Hits": "likewise.index.hits",
    "Index": "likewise.index.index",
    "InputError": "likewise.errors",
    "LabelledPairs": "likewise.quality.pairs",
    "LikewiseError": "likewise.errors",
    "Link": "likewise.jobs.link",
    "LinkOptions": "likewise.jobs.link",
    "Links": "likewise.jobs.link",
    "ListOptions": "likewise.jobs.link",
    "LockedError": "likewise.errors",
    "Match": "likewise.results.matches",
    "MatchOptions": "likewise.records.options",
    "MatchResult": "likewise.results.matches",
    "Matches": "likewise.measure",
    "Measure": "likewise.measure",
    "MineOptions": "likewise.jobs.mine.options",
    "MissingExtraError": "likewise.errors",
    "NotFittedError": "likewise.errors",
    "Nuggets": "likewise.jobs.questions.ask",
    "OptionError": "likewise.errors",
    "Paraphrase": "likewise.results.paraphrases",
    "Paraphrases": "likewise.results.paraphrases",
    "Passage": "likewise.segment",
    "Progress": "likewise.progress",
    "QueryError": "likewise.errors",
    "Ranking": "likewise.quality.ranking",
    "ReadOptions": "likewise.read",
    "RecogniseOptions": "likewise.jobs.recognise.options",
    "Recogniser": "likewise.jobs.recognise",
    "Result": "likewise.results.base",
    "RunOptions": "likewise.jobs.mine.options",
    "SearchOptions": "likewise.index.search",
    "Skipped": "likewise.read",
    "SoftCardinality": "likewise.measure",
    "SoftTfIdf": "likewise.measure",
    "Span": "likewise.read.document",
    "Spectra": "likewise.measure",
    "StorageError": "likewise.errors",
    "TableOptions": "likewise.read.tables",
    "Tf": "likewise.measure",
    "TfIdf": "likewise.measure",
    "Threshold": "likewise.results.threshold",
    "bcubed": "likewise.quality.clusters",
    "bootstrap": "likewise.quality.significance",
    "cluster": "likewise.jobs.cluster",
    "cleaner": "likewise.analyse.cleaning",
    "compare": "likewise.jobs.compare",
    "dedupe": "likewise.jobs.dedupe",
    "documents": "likewise.read",
    "expand_query": "likewise.index.widen:expand",
    "index_paths": "likewise.jobs.index_paths",
    "link": "likewise.jobs.link",
    "load_measure": "likewise.measure:load",
    "match": "likewise.jobs.match",
    "mine": "likewise.jobs.mine.run",
    "nuggets": "likewise.jobs.questions.nuggets",
    "paired": "likewise.quality.significance",
    "pairwise": "likewise.quality.clusters",
    "parse_measure": "likewise.measure:parse",
    "parts": "likewise.segment.parts",
    "passages": "likewise.segment",
    "per_query": "likewise.quality.retrieval",
    "read_pairs": "likewise.quality.pairs:read",
    "recognise": "likewise.jobs.recognise",
}

__version__ = "0.1.0"
__all__ = sorted(_HOME)


def __getattr__(name: str) -> object:
    if name in _HOME:
        module, _, inner = _HOME[name].partition(":")
        value = getattr(import_module(module), inner or name)
        globals()[name] = value
        return value
    raise AttributeError(f"module 'likewise' has no attribute {name!r}")


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
