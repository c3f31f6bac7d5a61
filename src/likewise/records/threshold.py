"""From which score on two records are the same: suggested from labelled pairs, or from the scores themselves.

With labels: the threshold of the best F1, or the lowest one that reaches a wished precision.

Without: the *widest margin*. Each record's list of neighbours, best first, has a step at any threshold: from the last
partner above it to the first below. Where the records of a cluster are alike and the next ones are not, that step is
wide. The threshold is where the steps, squared and added up over all records, are widest. The record itself, scoring 1,
heads its list, so records without a duplicate have a say, too. ``docs/design/match.md`` compares it with others.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from likewise.errors import InputError
from likewise.join import Pairs
from likewise.options import check_range

if TYPE_CHECKING:
    from likewise.records.space import Space

NEIGHBOURS = 20
"""How many partners of each record the widest margin looks at."""
# The distribution of scores is looked at on this many left records, spread over the table.
_SAMPLE = 20_000
_STEPS = 400
_BINS = 20

Scores = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Histogram:
    """Counts of scores in bins; ``edges`` has one entry more than ``counts``. Scores above 1 are in the last bin."""

    edges: tuple[float, ...]
    counts: tuple[int, ...]

    @classmethod
    def of(cls, scores: Scores) -> "Histogram":
        """Count scores in twenty bins from 0 to 1.

        >>> Histogram.of(np.array([0.02, 0.97, 1.2])).counts[-1]
        2
        """
        edges = np.arange(_BINS + 1) / _BINS
        counts, _ = np.histogram(np.clip(scores, 0, 1), edges)
        return cls(tuple(np.round(edges, 6).tolist()), tuple(counts.tolist()))

    def to_text(self, threshold: float, width: int = 40) -> str:
        """Return the histogram as lines of a terminal; the bin of the threshold is marked."""
        largest = max(self.counts, default=0) or 1
        lines = []
        for low, high, count in zip(self.edges, self.edges[1:], self.counts, strict=False):
            last = high == self.edges[-1]
            mark = "<- threshold" if low <= threshold < high or (last and threshold >= high) else ""
            bar = "#" * round(width * count / largest) or ("." if count else "")
            lines.append(f"{low:4.2f}-{high:4.2f} {count:>8} {bar} {mark}".rstrip())
        return "\n".join(lines)


@dataclass(frozen=True, slots=True)
class Threshold:
    """A threshold, how it was found, the distribution it stands in, and, with labels, how good it is."""

    value: float
    method: str
    histogram: Histogram
    precision: float | None = None
    recall: float | None = None
    f1: float | None = None

    def to_json(self) -> dict[str, Any]:
        """Return plain values."""
        return {
            "value": self.value,
            "method": self.method,
            "precision": self.precision,
            "recall": self.recall,
            "f1": self.f1,
            "histogram": {"edges": list(self.histogram.edges), "counts": list(self.histogram.counts)},
        }

    def to_text(self) -> str:
        """Return threshold and histogram as lines of a terminal."""
        quality = ""
        if self.f1 is not None:
            quality = f", precision {self.precision:.3f}, recall {self.recall:.3f}, F1 {self.f1:.3f} on the labels"
        head = f"threshold {self.value:.3f} ({self.method}{quality}); scores of the best partners:"
        return f"{head}\n{self.histogram.to_text(self.value)}"


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


def given(space: "Space", value: float) -> Threshold:
    """Return the threshold that the user gave, with the histogram of the best scores."""
    return Threshold(value, "given", _best_scores(space, 1)[0])


def suggested(space: "Space") -> Threshold:
    """Return the threshold of the widest margin, with the histogram of the best scores."""
    histogram, near, size = _best_scores(space, NEIGHBOURS)
    return Threshold(widest_margin(near, size), "widest margin", histogram)


def labelled(space: "Space", scores: Scores, labels: NDArray[np.bool_], precision: float | None = None) -> Threshold:
    """Return the threshold that labelled pairs suggest, with the histogram of the best scores."""
    value, reached, recall, f1 = from_labels(scores, labels, precision)
    method = "best F1" if precision is None else f"precision {precision:g}"
    return Threshold(value, method, _best_scores(space, 1)[0], reached, recall, f1)


def _best_scores(space: "Space", k: int) -> tuple[Histogram, Pairs, int]:
    """Return the histogram of the best scores, the ``k`` best partners, and the number of left records looked at."""
    size = space.left_size
    step = max(1, -(-size // _SAMPLE))
    rows = None if step == 1 else np.arange(0, size, step, dtype=np.int64)
    near = space.top(k, rows=rows)
    best = np.zeros(size)
    np.maximum.at(best, near.left, near.score)
    return Histogram.of(best if rows is None else best[rows]), near, size
