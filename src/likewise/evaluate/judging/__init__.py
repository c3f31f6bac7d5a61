"""Judging by people: a blind sample of pairs, one key each, kept at once, and the tables of the papers filled from it.

``schemes`` says which verdicts there are, ``sampling`` which pairs are shown, ``study`` keeps both in SQLite,
``terminal`` asks, ``agreement``, ``tables`` and ``book_tables`` say what came out.
"""

from likewise.evaluate.judging.sampling import Item, Ranking, columns, overlap, sample
from likewise.evaluate.judging.schemes import SCHEMES, Scheme
from likewise.evaluate.judging.study import Study
from likewise.evaluate.judging.tables import table

__all__ = ["SCHEMES", "Item", "Ranking", "Scheme", "Study", "columns", "overlap", "sample", "table"]
