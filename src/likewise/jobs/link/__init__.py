"""Link: passages of a book or a corpus that treat the same subject.

:func:`link` reads, segments, compares and returns :class:`Links`. On the way: ``book`` (documents to units),
``sentences`` (index terms, once), ``vectors`` (what the measures make of them, once), ``copies`` (what is no kinship),
``rankings`` (ranked lists of pairs, by the join; ``allowed`` says which pairs count), ``presets`` and ``expression``
(lists by name, and what is made of them), ``standout`` (their order), ``evidence`` (why).
"""

from likewise.jobs.link.job import link
from likewise.jobs.link.options import LinkOptions, ListOptions
from likewise.jobs.link.presets import PRESETS
from likewise.results.linked_book import Link, Vote
from likewise.results.links import Links

__all__ = ["PRESETS", "Link", "LinkOptions", "Links", "ListOptions", "Vote", "link"]
