"""How far a pair stands out: what tells kinship from families of passages that are all made alike.

Entries written after one template, genealogies, tables of contents: each is close to dozens of others, and the cosine
cannot tell. A pair is kin if it is closer than its passages are to others, so the mean of what each has with its ten
nearest is taken off the cosine (the "cross-domain similarity local scaling" that word translation uses for its hubs).
"""

import numpy as np
from numpy.typing import NDArray

from likewise import _core, join
from likewise.jobs.link.joins import Ints
from likewise.jobs.link.lists import Ranked
from likewise.jobs.link.terms import Terms, as_rows, frequencies, inverse, take, tfidf

NEAREST = 10


def standouts(terms: Terms, pairs: Ranked, split: int | None, threads: int | None) -> NDArray[np.float64]:
    """Return for each pair its cosine less the mean of both passages' cosines with their ten nearest."""
    csr = terms.paragraphs.counts()
    weighted = tfidf(csr, inverse(frequencies(csr, len(terms.analyser)), len(terms.active)))
    active = np.flatnonzero(terms.active)
    means = np.zeros(len(terms.active))
    if split is None:
        sides: list[tuple[Ints, Ints]] = [(active, active)]
    else:
        lefts, rights = active[active < split], active[active >= split]
        sides = [(lefts, rights), (rights, lefts)]
    for here, there in sides:
        if len(here) and len(there):
            left = as_rows(take(weighted, here))
            right = left if split is None else as_rows(take(weighted, there))
            near = join.top(_core.DotScorer(left, right), NEAREST, self_join=split is None, threads=threads)
            means[here] = np.bincount(near.left, near.score, minlength=len(here)) / NEAREST
    return pairs.score - (means[pairs.left] + means[pairs.right]) / 2
