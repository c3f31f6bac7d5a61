"""Search: an index, a query, the hits. The verbs are in :mod:`likewise.jobs.search.run`."""
