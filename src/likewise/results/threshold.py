"""A threshold of scores as a value: where it is, how it was found, and the distribution of scores it stands in."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likewise.options import least_score

_BINS = 20
# Of fewer scores than this no histogram is drawn.
_FEW = 20


@dataclass(frozen=True, slots=True)
class Histogram:
    """Counts of scores in bins; ``edges`` has one entry more than ``counts``. Scores above 1 are in the last bin."""

    edges: tuple[float, ...]
    counts: tuple[int, ...]

    @classmethod
    def of(cls, scores: NDArray[np.float64]) -> "Histogram":
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


@dataclass(frozen=True)
class Threshold:
    """A threshold, how it was found, the distribution it stands in, and, with labels, how good it is.

    ``scores`` gives the best score of each record; it is asked when somebody looks at the histogram. ``stands_out``:
    whether what reaches a threshold that nobody gave stands out from what different records look like, where it is
    known.
    """

    value: float
    method: str
    scores: Callable[[], NDArray[np.float64]]
    precision: float | None = None
    recall: float | None = None
    f1: float | None = None
    stands_out: bool | None = None

    @property
    def least(self) -> float:
        """From which score on it is reached."""
        return least_score(self.value)

    def __getstate__(self) -> dict[str, Any]:
        """Return what is pickled: the histogram instead of what would compute it."""
        return {**vars(self), "histogram": self.histogram, "scores": None}

    @cached_property
    def histogram(self) -> Histogram:
        """The distribution of the best scores."""
        return Histogram.of(self.scores())

    def to_json(self) -> dict[str, Any]:
        """Return plain values."""
        return {
            "value": self.value,
            "method": self.method,
            "precision": self.precision,
            "recall": self.recall,
            "f1": self.f1,
            "stands_out": self.stands_out,
            "histogram": {"edges": list(self.histogram.edges), "counts": list(self.histogram.counts)},
        }

    def to_text(self) -> str:
        """Return threshold and histogram as lines of a terminal."""
        quality = ""
        if self.f1 is not None:
            quality = f", precision {self.precision:.3f}, recall {self.recall:.3f}, F1 {self.f1:.3f} on the labels"
        head = f"threshold {self.value:.3f} ({self.method}{quality})"
        if sum(self.histogram.counts) < _FEW:
            return head
        return f"{head}; scores of the best partners:\n{self.histogram.to_text(self.value)}"
