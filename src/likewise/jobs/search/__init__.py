"""Search: a query, an index, the hits.

:func:`search` understands a query (:mod:`~likewise.index.query`), leaves out what must not be found
(:mod:`~likewise.index.masks`), asks the index and gives :class:`Hits` with snippets and reasons.
:func:`index_paths` makes the index of folders, files or tables.
"""

from likewise.index.hits import Hit, Hits
from likewise.index.query import Query, parse
from likewise.index.search import SearchOptions, search
from likewise.index.snippet import Snippet
from likewise.jobs.search.collect import CollectOptions, index_paths

__all__ = ["CollectOptions", "Hit", "Hits", "Query", "SearchOptions", "Snippet", "index_paths", "parse", "search"]
