"""Third stage of the path: a text becomes terms (folded, stopped, stemmed), phrases and part-of-speech tags.

:class:`Analyser` turns batches of texts into :class:`TermRows`; it asks Python (:mod:`likewise.analyse.words`) only for
words it has never seen.
"""

from likewise.analyse.analyser import AnalyseOptions, Analyser, TermRows

__all__ = ["AnalyseOptions", "Analyser", "TermRows"]
