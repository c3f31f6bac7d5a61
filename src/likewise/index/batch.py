"""Many texts at once against an index: the join engine, where its lists in memory pay.

For single queries an index searches the lists that it keeps on disk. Spectra and soft measures gain a lot from the
bounds of the join engine, which needs all texts analysed in memory; for a batch that is soon repaid, and what was
analysed is kept for the next batch.
"""

from collections.abc import Sequence

import numpy as np

from likewise import join
from likewise.index.lists import Columns, DotFamily, ScanFamily, SpectraFamily
from likewise.index.segment import Segment
from likewise.measure import TextMeasure
from likewise.progress import Progress

# A batch of at least so many texts, against texts of at most so many characters (analysed, they take some 30 times it).
SMALLEST = 200
MOST_CHARACTERS = 16_000_000


def is_worth_joining(
    family: DotFamily | SpectraFamily | ScanFamily, segments: Sequence[Segment], texts: Sequence[str]
) -> bool:
    """Say whether a batch is better joined than searched text by text."""
    if isinstance(family, DotFamily) or len(texts) < SMALLEST:
        return False
    size: int = sum(segment.table.column("text").nbytes for segment in segments)
    return 0 < size <= MOST_CHARACTERS


class InMemory:
    """The texts of an index, ready for the join engine."""

    def __init__(self, segments: Sequence[Segment], measure: TextMeasure) -> None:
        texts: list[str] = []
        numbers = []
        first = 0
        for segment in segments:
            alive = np.arange(segment.count) if segment.dead is None else np.flatnonzero(segment.dead == 0)
            column = segment.texts()
            texts += [column[place] for place in alive.tolist()]
            numbers.append(alive + first)
            first += segment.count
        self._measure = measure
        self._numbers = np.concatenate(numbers) if numbers else np.zeros(0, np.int64)
        self._right = measure.prepare(texts)
        scorer = measure.scorer(self._right, self._right)
        self._lists = join.prepare(scorer, bound=measure.bound(self._right, self._right))

    def top(
        self, texts: Sequence[str], k: int, min_score: float, threads: int | None, progress: Progress | None
    ) -> Columns:
        """Return (text of the batch, text of the index, score) of the best k for each text of the batch."""
        left = self._measure.prepare(texts)
        pairs = join.top(
            self._measure.scorer(left, self._right),
            k,
            bound=self._measure.bound(left, self._right),
            min_score=min_score,
            prepared=self._lists,
            threads=threads,
            progress=progress,
        )
        return pairs.left, self._numbers[pairs.right], pairs.score
