"""Suggest the score from which on two records are the same: from labelled pairs, or from the scores alone.

With labels: the threshold of the best F1, or the lowest one that reaches a wished precision.

Without: the *widest margin*. Each record's list of neighbours, best first, has a step at any threshold: from the last
partner above it to the first below. Where the records of a cluster are alike and the next ones are not, that step is
wide. The threshold is where the steps, squared and added up over all records, are widest. The record itself, scoring 1,
heads its list, so records without a duplicate have a say, too. ``docs/design/match.md`` compares it with others.
"""

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from likewise.errors import InputError, OptionError
from likewise.join import Pairs
from likewise.options import check_range
from likewise.records.candidates import Candidates
from likewise.records.decision import FEWEST
from likewise.records.spacings import within
from likewise.results.threshold import Threshold

GIVEN, MARGIN = "given", "widest margin"
"""How a threshold is called that the user gave, and the one that is found without labels."""
NEIGHBOURS = 20
"""How many partners of each record the widest margin looks at."""
# The distribution of scores is looked at on this many left records, spread over the table; on fewer where the threshold
# is known and the distribution is only shown.
_SAMPLE, _SHOWN = 20_000, 2_000
_STEPS = 400

Scores = NDArray[np.float64]


class Searched(Protocol):
    """What finds the best partners of records, in this process or on an engine."""

    @property
    def left_size(self) -> int: ...  # noqa: D102
    def top(self, k: int, min_score: float = 0.0, rows: NDArray[np.int64] | None = None) -> Pairs:
        """Return the ``k`` best partners of each left record (of ``rows``, or all)."""


def widest_margin(pairs: Pairs, size: int, asked: int = NEIGHBOURS) -> float:
    """Return the threshold at which the steps in the records' lists of neighbours are widest.

    ``pairs`` are the best partners of each record by left, best first, at most ``asked`` of each; a shorter list is
    complete. ``size`` is the number of records.

    >>> lists = Pairs(np.array([0, 1, 2]), np.array([1, 0, 0]), np.array([0.9, 0.9, 0.3]))
    >>> 0.3 < widest_margin(lists, 3) <= 0.9
    True
    """
    score = np.clip(pairs.score, 0, 1)
    begins = np.ones(len(score), bool)
    begins[1:] = pairs.left[1:] != pairs.left[:-1]
    before = np.ones(len(score))
    before[1:][~begins[1:]] = score[:-1][~begins[1:]]
    high, low = before, score
    counts = np.bincount(pairs.left, minlength=size)
    ends = np.flatnonzero(np.append(begins[1:], True)) if len(score) else np.zeros(0, np.int64)
    complete = ends[counts[pairs.left[ends]] < asked]
    # The last step of a complete list leads to 0, and so does the only one of a record without any partner.
    high, low = np.concatenate([high, score[complete]]), np.concatenate([low, np.zeros(len(complete))])
    steps = np.zeros(_STEPS + 2)
    weight = (high - low) ** 2
    np.add.at(steps, np.floor(low * _STEPS).astype(np.int64) + 1, weight)
    np.add.at(steps, np.floor(high * _STEPS).astype(np.int64) + 1, -weight)
    total = np.cumsum(steps)[: _STEPS + 1]
    # Of a plateau the middle: as far from the scores above as from those below.
    best = np.flatnonzero(total >= total.max() - 1e-12 * max(1.0, float(total.max())))
    run = best[: np.argmax(np.append(np.diff(best) > 1, True)) + 1]
    return float((run[0] + run[-1]) / 2 / _STEPS) if total.max() > 0 else 1.0


def from_labels(scores: Scores, labels: NDArray[np.bool_], precision: float | None = None) -> tuple[float, ...]:
    """Return threshold, precision, recall and F1 on labelled pairs.

    Best F1, or, given ``precision``, the lowest threshold that reaches it.

    >>> from_labels(np.array([0.9, 0.7, 0.4]), np.array([True, True, False]))
    (0.55, 1.0, 1.0, 1.0)
    """
    positives = int(labels.sum())
    if not positives or positives == len(labels):
        kind = "match" if positives else "different"
        raise InputError(f"all {len(labels)} labelled pairs are {kind}; a threshold needs pairs of both kinds")
    order = np.argsort(-scores, kind="stable")
    score, right = scores[order], np.cumsum(labels[order])
    # A threshold can only lie between different scores.
    cuts = np.flatnonzero(np.append(score[1:] < score[:-1], True))
    cuts = cuts[score[cuts] > 0]
    if not len(cuts):
        raise InputError("no labelled pair scores above 0")
    found, hits = cuts + 1, right[cuts]
    precisions, recalls = hits / found, hits / positives
    f1 = 2 * hits / (found + positives)
    if precision is None:
        best = int(np.argmax(f1))
    else:
        check_range("precision", precision, 0, 1)
        good = np.flatnonzero(precisions >= precision)
        if not len(good):
            raise InputError(
                f"no threshold reaches precision {precision:g} on the labelled pairs; the best is "
                f"{precisions.max():.3f}"
            )
        best = int(good[-1])
    at = int(cuts[best])
    below = float(score[at + 1]) if at + 1 < len(score) else 0.0
    value = round((float(score[at]) + below) / 2, 12)
    return value, float(precisions[best]), float(recalls[best]), float(f1[best])


def given(comparison: Searched, value: float) -> Threshold:
    """Return the threshold that the user gave."""
    return Threshold(value, GIVEN, lambda: _best_scores(comparison, 1)[0])


def best_in(pairs: Pairs) -> Scores:
    """Return the best score of each record that is in one of the pairs.

    >>> best_in(Pairs(np.array([0, 1]), np.array([1, 4]), np.array([0.7, 0.9])))
    array([0.7, 0.9, 0.9])
    """
    best = np.full(int(pairs.right.max(initial=-1)) + 1, -np.inf)
    np.maximum.at(best, pairs.left, pairs.score)
    np.maximum.at(best, pairs.right, pairs.score)
    return best[best > -np.inf]


def check_threshold(min_score: object, labels: object) -> None:
    """Refuse a minimum score where labels are to suggest one."""
    if labels is not None and min_score is not None:
        raise OptionError("min_score and labels exclude each other: give a minimum score, or let one be suggested")


def suggested(comparison: Searched) -> Threshold:
    """Return the threshold of the widest margin."""
    scores, near = _best_scores(comparison, NEIGHBOURS)
    whole = partner_step(comparison.left_size, NEIGHBOURS) == 1
    return by_margin(near, comparison.left_size, scores, whole)


def by_margin(near: Pairs, size: int, best: Scores, whole: bool) -> Threshold:
    """Return the threshold of the widest margin, given the ``best`` score of each record.

    Whether anything stands out there is known where the lists of neighbours are of the ``whole`` table, not a sample,
    and it is not a small one.
    """
    value = widest_margin(near, size)
    stands = _stands_out(near, size, value) if whole and size >= FEWEST else None
    return Threshold(value, MARGIN, lambda: best, stands_out=stands)


def _stands_out(near: Pairs, size: int, value: float) -> bool:
    """Return whether pairs that reach a score stand out from the nearest pairs of different records."""
    low, high = np.minimum(near.left, near.right), np.maximum(near.left, near.right)
    once = np.unique(low * size + high, return_index=True)[1]
    found = Candidates(low[once], high[once], size, size, True)
    score = near.score[once]
    return within(found, score, score >= value) is not None


def threshold_notes(threshold: Threshold, made: int) -> list[str]:
    """Return a warning: a minimum score above 1 found nothing, or pairs at the widest margin do not stand out."""
    if threshold.method == GIVEN and threshold.value > 1 and not made:
        return [none_from(threshold.value)]
    if not made or threshold.stands_out is not False:
        return []
    return [
        "one text of each record is compared, and cut at the widest margin of its scores; nothing stands out there "
        "from what different records look like: probably there are no duplicates, or this text alone does not tell "
        "(compare more columns, give labels, or name a min_score)"
    ]


def labelled(
    comparison: Searched, scores: Scores, labels: NDArray[np.bool_], precision: float | None = None
) -> Threshold:
    """Return the threshold that labelled pairs suggest."""
    value, reached, recall, f1 = from_labels(scores, labels, precision)
    method = "best F1" if precision is None else f"precision {precision:g}"
    return Threshold(value, method, lambda: _best_scores(comparison, 1)[0], reached, recall, f1)


def none_from(least: float) -> str:
    """Return what to say where no pair reaches the minimum score, asking whether hundredths were meant.

    >>> none_from(85)
    'no pair scores 85; scores are about 0 to 1: was 0.85 meant?'
    """
    if not 1 < least <= 100:
        return f"no pair scores {least:g} or more"
    meant = f": was {least / 100:g} meant?" if least >= 2 else ""
    return f"no pair scores {least:g}; scores are about 0 to 1{meant}"


def partner_step(records: int, asked: int) -> int:
    """Return the step at which records are sampled whose partners, so many of each, are looked for."""
    return max(1, -(-records // (_SAMPLE if asked > 1 else _SHOWN)))


def _best_scores(comparison: Searched, k: int) -> tuple[Scores, Pairs]:
    """Return the best score of each left record (or of a sample of them), and the ``k`` best partners."""
    size = comparison.left_size
    step = partner_step(size, k)
    rows = None if step == 1 else np.arange(0, size, step, dtype=np.int64)
    near = comparison.top(k, rows=rows)
    best = np.zeros(size)
    np.maximum.at(best, near.left, near.score)
    return best if rows is None else best[rows], near
