"""Search: a query, an index, the hits.

:func:`search` understands a query (:mod:`~likewise.jobs.search.query`), leaves out what must not be found
(:mod:`~likewise.jobs.search.limits`), asks the index and gives :class:`Hits` with snippets and reasons.
:func:`index_paths` makes the index of folders, files or tables.
"""

from likewise.jobs.search.collect import CollectOptions, index_paths
from likewise.jobs.search.engine import SearchOptions, search
from likewise.jobs.search.hits import Hit, Hits
from likewise.jobs.search.query import Query, parse
from likewise.jobs.search.snippet import Snippet

__all__ = ["CollectOptions", "Hit", "Hits", "Query", "SearchOptions", "Snippet", "index_paths", "parse", "search"]
