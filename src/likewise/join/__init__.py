"""Fifth stage of the path: scored pairs, exactly: the best of each text, all above a score, the best overall.

:func:`top`, :func:`above` and :func:`best` (:mod:`likewise.join.join`) take a scorer, which knows the texts of both
sides and the exact score of any pair, and return :class:`Pairs`. How the engine avoids looking at all pairs is told in
``docs/design/join.md``.
"""

from likewise.join.join import Prepared, above, best, prepare, top
from likewise.join.pairs import Pairs

__all__ = ["Pairs", "Prepared", "above", "best", "prepare", "top"]
