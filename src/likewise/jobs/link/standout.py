"""How far a pair stands out: what tells kinship from families of passages that are all made alike.

Entries written after one template, genealogies, tables of contents: each is close to dozens of others, and the cosine
cannot tell. A pair is kin if it is closer than its passages are to others, so the mean of what each has with its ten
nearest is taken off the cosine (the "cross-domain similarity local scaling" that word translation uses for its hubs).
"""

import numpy as np
from numpy.typing import NDArray

from likewise import join
from likewise.jobs.link.rankings import Ranked
from likewise.jobs.link.vectors import BookVectors, Ints

NEAREST = 10


def standouts(vectors: BookVectors, pairs: Ranked, split: int | None, threads: int | None) -> NDArray[np.float64]:
    """Return for each pair its cosine less the mean of both passages' cosines with their ten nearest."""
    active = np.flatnonzero(vectors.terms.active)
    means = np.zeros(len(vectors.terms.active))
    sides: list[tuple[Ints, Ints]] = [(active, active)]
    if split is not None:
        lefts, rights = active[active < split], active[active >= split]
        sides = [(lefts, rights), (rights, lefts)]
    for here, there in sides:
        if len(here) and len(there):
            scorer, _ = vectors.paragraphs.scorer(here, there)
            near = join.top(scorer, NEAREST, self_join=split is None, threads=threads)
            means[here] = np.bincount(near.left, near.score, minlength=len(here)) / NEAREST
    return pairs.score - (means[pairs.left] + means[pairs.right]) / 2
