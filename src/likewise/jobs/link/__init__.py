"""Link: passages of a book or a corpus that treat the same subject.

:func:`link` reads, segments, compares and returns :class:`Links`. On the way: ``book`` (documents to units), ``terms``
(index terms, once), ``lists`` (ranked lists of pairs, by the join engine), ``presets`` and ``combine`` (lists by name
and what is made of them), ``copies`` (what is no kinship), ``evidence`` (why), ``links`` (the result).
"""

from likewise.jobs.link.job import link
from likewise.jobs.link.links import Link, Links, Vote
from likewise.jobs.link.options import LinkOptions, ListOptions
from likewise.jobs.link.presets import PRESETS

__all__ = ["PRESETS", "Link", "LinkOptions", "Links", "ListOptions", "Vote", "link"]
