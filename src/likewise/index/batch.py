"""Many texts at once against an index: the join engine, where its lists in memory pay.

For single queries an index searches the lists that it keeps on disk. Spectra and soft measures gain a lot from the
bounds of the join engine, which needs all texts analysed in memory; for a batch that is soon repaid, and what was
analysed is kept for the next batch.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from likewise import join
from likewise.index.lists import Columns, CoreProgress, DotFamily
from likewise.index.segment import State
from likewise.measure import TextMeasure

# A batch of at least so many texts, against texts of at most so many characters (analysed, they take some 30 times it).
SMALLEST = 200
MOST_CHARACTERS = 16_000_000


class Analysed:
    """The texts of one state of an index, ready for the join engine."""

    def __init__(self, state: State, measure: TextMeasure) -> None:
        self.state = state
        texts: list[str] = []
        numbers = []
        first = 0
        for segment in state.segments:
            alive = np.arange(segment.count) if segment.dead is None else np.flatnonzero(segment.dead == 0)
            column = segment.texts()
            texts += [column[place] for place in alive.tolist()]
            numbers.append(alive + first)
            first += segment.count
        self.numbers = np.concatenate(numbers) if numbers else np.zeros(0, np.int64)
        self.right = measure.prepare(texts)
        scorer = measure.scorer(self.right, self.right)
        self.lists = join.prepare(scorer, bound=measure.bound(self.right, self.right))


def pays(family: Any, state: State, texts: Sequence[str]) -> bool:
    """Say whether a batch is better joined than searched text by text."""
    if isinstance(family, DotFamily) or len(texts) < SMALLEST:
        return False
    size: int = sum(segment.table.column("text").nbytes for segment in state.segments)
    return 0 < size <= MOST_CHARACTERS


def top(
    analysed: Analysed,
    measure: TextMeasure,
    texts: Sequence[str],
    k: int,
    min_score: float,
    threads: int | None,
    progress: CoreProgress | None,
) -> Columns:
    """Return (text of the batch, text of the index, score) of the best k for each text of the batch."""

    def step(done: int, total: int | None, unit: str, /) -> None:
        if progress is not None:
            progress(done, total or 0)

    left = measure.prepare(texts)
    pairs = join.top(
        measure.scorer(left, analysed.right),
        k,
        bound=measure.bound(left, analysed.right),
        min_score=min_score,
        prepared=analysed.lists,
        threads=threads,
        progress=None if progress is None else step,
    )
    return pairs.left, analysed.numbers[pairs.right], pairs.score
