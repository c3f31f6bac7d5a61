"""Fifth stage of the path: scored pairs, exactly: top per text, above a score, best overall; the index on disk.

:func:`top`, :func:`above` and :func:`best` (:mod:`likewise.join.join`) take a scorer, which knows the texts of both
sides and the exact score of any pair, and return :class:`Pairs`. How the engine avoids looking at all pairs is told in
``docs/design/join.md``.
"""

from likewise.join.join import Pairs, Prepared, above, best, prepare, top

__all__ = ["Pairs", "Prepared", "above", "best", "prepare", "top"]
