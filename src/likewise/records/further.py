"""How many matches there may be among partners that nobody looked at.

Partners of a record are looked at in the order of their scores, and the further down the rarer is a match: in each
doubling there are fewer than in the one before. So what the last half of the partners holds is what twice as many would
find at most.

This is about partners by the whole record. A match that shares too little with its partner to be near it in any list is
not counted.
"""

import numpy as np
from numpy.typing import NDArray

from likewise import _core
from likewise.records.decision import Decision
from likewise.records.partners import Relation

Rows = NDArray[np.int64]
Values = NDArray[np.float64]


def last_half(decision: Decision, score: Values, asked: int) -> float | None:
    """Return how many matches are expected in the second half of the best ``asked`` partners of the left records.

    ``score`` is that of the whole record. ``None`` where left records may have several partners, or within one table:
    there a long list of partners is nothing to wonder at.
    """
    found = decision.found
    if found.self_join or not decision.relation.left_once or decision.relation is Relation.MANY:
        return None
    rank = _core.ranks(found.left, score, found.lefts, asked)
    return float(decision.probability[(rank >= asked // 2) & (rank < asked)].sum())
