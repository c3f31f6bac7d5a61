"""What looks alike without being related: copies of a passage, and sentences that recur everywhere (boilerplate)."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likewise import _core
from likewise.analyse import TermRows
from likewise.jobs.link.joins import Joins
from likewise.jobs.link.sentences import SentenceTerms
from likewise.jobs.link.vectors import BookVectors

# Passages whose cosine is this high have the same words but for one or two.
COPY = 0.95
# A sentence is boilerplate if this many passages have it.
RECURS = 3
# Words of a sentence that may be a frame with one slot: in a shorter one too little is fixed.
FRAME = (4, 12)


@dataclass(frozen=True, slots=True)
class Copies:
    """For each unit the first one with (nearly) the same text, itself mostly, and how similar they are."""

    original: NDArray[np.int64]
    score: NDArray[np.float64]


def find_copies(vectors: BookVectors, joins: Joins) -> Copies:
    """Find units that have the same words, and group them under the first.

    Each unit is joined to its most similar ones only, so that a licence that stands on a thousand pages costs a
    thousand pairs and not half a million; the groups are the connected ones.
    """
    active = np.flatnonzero(vectors.terms.active)
    count = len(vectors.terms.active)
    score = np.ones(count)
    if len(active) < 2:
        return Copies(np.arange(count, dtype=np.int64), score)
    pairs = joins.top(vectors.paragraphs, active, active, 2, COPY)
    left, right = active[pairs.left], active[pairs.right]
    score[np.maximum(left, right)] = np.minimum(pairs.score, 1.0)
    return Copies(_core.components(count, left, right), score)


def find_boilerplate(terms: SentenceTerms) -> NDArray[np.bool_]:
    """Tell which sentences recur in several passages, numbers apart, or hold only numbers."""
    rows = terms.rows
    spelled = terms.analyser.vocabulary.terms()
    numeric = np.array([any(letter.isdigit() for letter in term) for term in spelled], dtype=bool)
    owners: dict[bytes, set[int]] = {}
    keys: list[bytes] = []
    for sentence in range(len(rows)):
        ids = rows.terms[rows.indptr[sentence] : rows.indptr[sentence + 1]]
        key = ids[~numeric[ids]].tobytes()
        keys.append(key)
        seen = owners.setdefault(key, set())
        if len(seen) < RECURS:
            seen.add(int(terms.owner[sentence]))
    said = np.array([not key or len(owners[key]) >= RECURS for key in keys], dtype=bool)
    return said | _frames(rows.keep(~numeric[rows.terms]), terms.owner)


def _frames(rows: TermRows, owner: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Tell which sentences are the same but for one word, in several passages: "Source code: Lib/….py".

    Each short sentence is hashed once for each of its words, with a gap in its place.
    """
    sizes = np.diff(rows.indptr)
    sentence = np.repeat(np.arange(len(rows)), sizes)
    place = np.arange(len(rows.terms)) - rows.indptr[sentence]
    with np.errstate(over="ignore"):
        powers = np.cumprod(np.full(int(sizes.max(initial=0)) + 1, 0x9E3779B97F4A7C15, dtype=np.uint64))
        parts = (rows.terms.astype(np.uint64) + np.uint64(1)) * powers[place]
        whole = np.concatenate((np.zeros(1, np.uint64), np.cumsum(parts)))[rows.indptr]
        gaps = np.diff(whole)[sentence] - parts + powers[sizes[sentence]] * (place.astype(np.uint64) + np.uint64(1))
    short = np.flatnonzero((sizes[sentence] >= FRAME[0]) & (sizes[sentence] <= FRAME[1]))
    _, of = np.unique(gaps[short], return_inverse=True)
    kinds = [_distinct(of, owner[sentence[short]]), _distinct(of, rows.terms[short])]
    common = (np.minimum(*kinds) > RECURS)[of]
    found = np.zeros(len(rows), dtype=bool)
    found[sentence[short[common]]] = True
    return found


def _distinct(group: NDArray[np.int64], value: NDArray[Any]) -> NDArray[np.int64]:
    """Return for each group how many values it has."""
    pairs = np.unique(np.stack((group, value.astype(np.int64))), axis=1)
    return np.bincount(pairs[0], minlength=int(group.max(initial=-1)) + 1)
