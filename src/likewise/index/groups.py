"""Groups of alternatives: for each text the one that fits it best counts.

A *reading* of a query takes one alternative of every group. The score of a text is the best that any reading gives it.
Where the score is a sum over words that do not know of each other (BM25), that is the sum of the best alternatives, and
one pass over the lists is enough, however many readings there are. Otherwise the readings are tried one by one, those
nearest to the query as written (every group's first alternative) first, at most :data:`MOST_READINGS`.
"""

import itertools
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from likewise import _core
from likewise.index.masks import Limits
from likewise.index.query import Part, Query
from likewise.index.snapshot import Snapshot

MOST_READINGS = 64
Reading = tuple[tuple[Part, ...], ...]


def readings(query: Query, limit: int) -> Iterator[Reading]:
    """Give readings: first as written, then with one group changed, then with two, and so on; at most ``limit``."""
    groups = [clause.parts for clause in query.wanted if clause.kind == "group"]
    return itertools.islice(_all_readings(groups), limit)


def _all_readings(groups: Sequence[tuple[tuple[Part, ...], ...]]) -> Iterator[Reading]:
    for changed in range(len(groups) + 1):
        for which in itertools.combinations(range(len(groups)), changed):
            choices = [group[1:] if number in which else group[:1] for number, group in enumerate(groups)]
            yield from itertools.product(*choices)


def reading_text(query: Query, reading: Reading) -> str:
    """Return the words of a reading as one text, in the order of the query."""
    words: list[str] = []
    chosen = iter(reading)
    for clause in query.wanted:
        row = next(chosen) if clause.kind == "group" else clause.parts[0]
        words += [part.text for part in row]
    return " ".join(words)


def sum_of_best(
    snapshot: Snapshot,
    query: Query,
    limits: Limits,
    dead: Sequence[NDArray[np.uint8] | None],
    top: int,
    min_score: float,
) -> tuple[NDArray[np.int64], NDArray[np.float64], tuple[str, ...]]:
    """Return numbers, scores and readings of the best texts, where a score is a sum over words."""
    searcher = _core.DotSearcher(snapshot.lists)

    def scores_of(row: Sequence[Part]) -> NDArray[np.float64]:
        rows = snapshot.measure.prepare([" ".join(part.text for part in row)]).left
        scores = searcher.scores(rows.ids, rows.weights)
        phrases = [part for part in row if part.phrase]
        if phrases:
            scores *= np.concatenate(limits.all_of(phrases)) if snapshot.segments else 1.0
        return scores

    fixed = [part for clause in query.wanted if clause.kind != "group" for part in clause.parts[0]]
    groups = [clause.parts for clause in query.wanted if clause.kind == "group"]
    total = scores_of(fixed) if fixed else np.zeros(len(searcher))
    choices: list[NDArray[np.int64]] = []
    for group in groups:
        each = np.stack([scores_of(row) for row in group])
        choices.append(each.argmax(axis=0))
        total += each.max(axis=0)
    gone = [np.zeros(s.count, np.uint8) if d is None else d for s, d in zip(snapshot.segments, dead, strict=True)]
    if gone:
        total[np.concatenate(gone) != 0] = 0
    alive = np.flatnonzero((total > 0) & (total >= min_score))
    if len(alive) > top:
        limit = np.partition(total[alive], len(alive) - top)[len(alive) - top]
        alive = alive[total[alive] >= limit]
    alive = alive[np.lexsort((alive, -total[alive]))][:top]
    texts = []
    for number in alive.tolist():
        reading = tuple(group[int(choice[number])] for group, choice in zip(groups, choices, strict=True))
        texts.append(reading_text(query, reading))
    return alive, total[alive], tuple(texts)
