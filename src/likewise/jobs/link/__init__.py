"""Link: passages of a book or a corpus that treat the same subject.

:func:`link` (in ``job``) reads, segments, compares and returns :class:`Links`. On the way:

* ``book`` cuts documents into units, ``books`` names several, ``cache`` keeps what an earlier run read;
* ``sentences`` finds the index terms, ``vectors`` weighs them, ``opened`` holds both; ``joins`` says where joins run;
* ``nearest`` chooses links for each passage; ``rankings`` makes ranked lists of pairs, of which ``allowed`` says which
  count, and ``presets``, ``expression`` and ``published`` what is made of them;
* ``copies`` marks what is only repeated, ``evidence`` says why two passages are linked;
* ``subjects`` and ``grams`` find the terms of a subject index, ``glossary`` those of a glossary; ``back_matter`` makes
  both. ``options`` has all defaults.
"""

from likewise.jobs.link.job import link
from likewise.jobs.link.options import LinkOptions, ListOptions
from likewise.jobs.link.presets import PRESETS
from likewise.results.linked_book import Link, Vote
from likewise.results.links import Links

__all__ = ["PRESETS", "Link", "LinkOptions", "Links", "ListOptions", "Vote", "link"]
