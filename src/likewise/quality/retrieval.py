"""Per-query quality of ranked lists: MAP, nDCG@k, P@k, R@k, reciprocal rank, eleven-point IAP.

A run gives each query a ranked list of documents; the gold (*qrels*) grades documents per query, a grade above 0 being
relevant. :func:`per_query` returns one array per figure, aligned with the judged queries, so that two runs can be
compared query by query (:mod:`likewise.quality.significance`); ``means`` averages them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from likewise.errors import InputError, OptionError

Qrels = Mapping[str, Mapping[str, int]]
Run = Mapping[str, Mapping[str, float]]


@dataclass(frozen=True, slots=True)
class PerQuery:
    """Figures per judged query: ``values["map"][i]`` belongs to ``queries[i]``."""

    queries: tuple[str, ...]
    values: Mapping[str, NDArray[np.float64]] = field(default_factory=dict)

    def means(self) -> dict[str, float]:
        """Return each figure's mean over the judged queries."""
        return {name: float(column.mean()) if column.size else 0.0 for name, column in self.values.items()}


def per_query(run: Run, qrels: Qrels, cutoffs: Sequence[int] = (1, 5, 10, 20, 100)) -> PerQuery:
    """Compare a run (query -> document -> score) with the gold (query -> document -> grade).

    Documents of equal score are ordered by id. A judged query that the run lacks counts 0; queries without a relevant
    document are left out, for no list could be right or wrong for them.

    >>> figures = per_query({"q": {"a": 2.0, "b": 1.0}}, {"q": {"b": 1}})
    >>> figures.means()["map"], figures.means()["mrr"], figures.means()["P@1"]
    (0.5, 0.5, 0.0)
    """
    for cutoff in cutoffs:
        if cutoff < 1:
            raise OptionError(f"cutoffs must be 1 or more, not {cutoff}")
    queries = tuple(query for query, grades in qrels.items() if any(grade > 0 for grade in grades.values()))
    lists = [sorted(run.get(query, {}).items(), key=lambda item: (-item[1], item[0])) for query in queries]
    for query, ranked in zip(queries, lists, strict=True):
        if any(score != score for _, score in ranked):
            raise InputError(f"query {query!r} has a score that is NaN")
    width = max((len(ranked) for ranked in lists), default=0)
    gains = np.zeros((len(queries), width))
    for row, (query, ranked) in enumerate(zip(queries, lists, strict=True)):
        grades = qrels[query]
        gains[row, : len(ranked)] = [max(grades.get(document, 0), 0) for document, _ in ranked]
    ideal = [sorted((grade for grade in qrels[query].values() if grade > 0), reverse=True) for query in queries]
    return PerQuery(queries, _figures(gains, ideal, cutoffs))


def of_matrix(
    matrix: NDArray[np.float64], gold: NDArray[np.int64], grades: NDArray[np.int64] | None = None,
    cutoffs: Sequence[int] = (1, 5, 10, 20, 100),
) -> PerQuery:  # fmt: skip
    """Like :func:`per_query` for a queries x documents matrix and (query, document) places; ties by document place."""
    marks = np.zeros(matrix.shape)
    marks[gold[:, 0], gold[:, 1]] = 1 if grades is None else np.maximum(grades, 0)
    judged = np.flatnonzero((marks > 0).any(axis=1))
    order = np.argsort(-matrix[judged], axis=1, kind="stable")
    gains = np.take_along_axis(marks[judged], order, axis=1)
    ideal = [np.sort(row[row > 0])[::-1].tolist() for row in marks[judged]]
    return PerQuery(tuple(str(row) for row in judged), _figures(gains, ideal, cutoffs))


def _figures(
    gains: NDArray[np.float64], ideal: Sequence[Sequence[float]], cutoffs: Sequence[int]
) -> dict[str, NDArray[np.float64]]:
    count, width = gains.shape
    wanted = np.array([len(grades) for grades in ideal], dtype=np.int64)
    hits = gains > 0
    found = np.cumsum(hits, axis=1, dtype=np.int64)
    ranks = np.arange(1, width + 1)
    values: dict[str, NDArray[np.float64]] = {}
    safe = np.maximum(wanted, 1)
    values["map"] = (hits * found / ranks).sum(axis=1) / safe
    first = np.where(hits.any(axis=1), hits.argmax(axis=1) + 1, 0) if width else np.zeros(count, dtype=np.int64)
    values["mrr"] = np.divide(1.0, first, out=np.zeros(count), where=first > 0)
    values["iap11"] = _eleven(hits, found, wanted)
    discount = 1.0 / np.log2(ranks + 1)
    for cutoff in cutoffs:
        reached = found[:, min(cutoff, width) - 1] if width else np.zeros(count, dtype=np.int64)
        values[f"P@{cutoff}"] = reached / cutoff
        values[f"R@{cutoff}"] = reached / safe
        got = (gains[:, :cutoff] * discount[:cutoff]).sum(axis=1)
        best = np.array([sum(g / np.log2(i + 2) for i, g in enumerate(grades[:cutoff])) for grades in ideal])
        values[f"nDCG@{cutoff}"] = np.divide(got, best, out=np.zeros(count), where=best > 0)
    return values


def _eleven(hits: NDArray[np.bool_], found: NDArray[np.int64], wanted: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the mean of the interpolated precision at recall 0.0, 0.1 ... 1.0 for each row."""
    count, width = hits.shape
    if not width:
        return np.zeros(count)
    precision = np.where(hits, found / np.arange(1, width + 1), 0.0)
    best = np.maximum.accumulate(precision[:, ::-1], axis=1)[:, ::-1]
    best = np.concatenate([best, np.zeros((count, 1))], axis=1)
    total = np.zeros(count)
    for level in range(11):
        # Whole numbers: found / wanted >= level / 10. The first place that reaches the level, or the zero at the end.
        reached = found * 10 >= level * wanted[:, None]
        place = np.where(reached.any(axis=1), reached.argmax(axis=1), width)
        total += best[np.arange(count), place]
    return total / 11.0
