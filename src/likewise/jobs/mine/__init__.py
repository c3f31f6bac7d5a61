"""Paraphrase mining: from documents to a table of phrases that say the same, with evidence.

The stages, each a module, each leaving a named table in the work folder:

====================  ============================================  ===============================
stage                 module                                        table
====================  ============================================  ===============================
read, tag, check      :mod:`likewise.jobs.mine.sentences`           ``sentences/*.arrow``
n-grams, anchors      :mod:`likewise.jobs.mine.ngrams`              ``rows/*.parquet``
align                 :mod:`likewise.jobs.mine.align` (SQL)         ``pairs.parquet``, ``samples.parquet``
evidence              :mod:`likewise.jobs.mine.evidence`            ``evidence/``
weigh                 :mod:`likewise.jobs.mine.weigh`               the finished table
====================  ============================================  ===============================

:func:`likewise.jobs.mine.run.mine` runs them (in ``stages``) on an engine and returns
:class:`likewise.results.paraphrases.Paraphrases`. Weighing computes ``features``, and from them a ``probability``;
``closed_class`` stands in for a tagger where there is none; ``options`` has the defaults.
"""
