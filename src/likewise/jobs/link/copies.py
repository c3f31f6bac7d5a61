"""What looks alike without being kin: copies of a passage, and sentences that recur all over (boilerplate)."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from likewise import _core, join
from likewise.jobs.link.options import LinkOptions
from likewise.jobs.link.terms import Terms, as_rows, frequencies, inverse, keep_terms, take, tfidf

# Passages whose cosine is this high have the same words but for one or two.
COPY = 0.95
# A sentence is boilerplate if this many passages have it.
RECURS = 3


@dataclass(frozen=True, slots=True)
class Copies:
    """For each unit the first one with (nearly) the same text, itself mostly, and how similar they are."""

    original: NDArray[np.int64]
    score: NDArray[np.float64]


def find_copies(terms: Terms, options: LinkOptions) -> Copies:
    """Find units that have the same words, and group them under the first.

    Each unit is joined to its most similar ones only, so that a licence that stands on a thousand pages costs a
    thousand pairs and not half a million; the groups are the connected ones.
    """
    count = len(terms.active)
    original = np.arange(count, dtype=np.int64)
    score = np.ones(count)
    csr = terms.paragraphs.counts()
    active = np.flatnonzero(terms.active)
    if len(active) < 2:
        return Copies(original, score)
    weighted = tfidf(csr, inverse(frequencies(csr, len(terms.analyser)), count))
    rows = as_rows(take(weighted, active))
    pairs = join.top(_core.DotScorer(rows, rows), 2, self_join=True, min_score=COPY, threads=options.threads)
    for a, b, value in sorted(zip(active[pairs.left], active[pairs.right], pairs.score, strict=True)):
        first, second = sorted((_root(original, a), _root(original, b)))
        if first != second:
            original[second] = first
        score[max(a, b)] = min(value, 1.0)
    for unit in range(count):
        original[unit] = _root(original, unit)
    return Copies(original, score)


def _root(original: NDArray[np.int64], unit: int) -> int:
    while original[unit] != unit:
        original[unit] = original[original[unit]]
        unit = int(original[unit])
    return int(unit)


def find_boilerplate(terms: Terms, options: LinkOptions) -> Terms:
    """Leave sentences out of the comparison that recur in several passages, numbers apart, or hold only numbers."""
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
    good = np.array([bool(key) and len(owners[key]) < RECURS for key in keys], dtype=bool)
    kept = keep_terms(rows, np.repeat(good, np.diff(rows.indptr)))
    indptr, _, _ = terms.by_paragraph(kept).counts()
    return replace(terms, rows=kept, active=terms.active & (np.diff(indptr) >= max(options.min_terms, 1)))
