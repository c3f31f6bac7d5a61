"""Long texts as the terms they have: a fraction of the room of all their words in order."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from likewise import _core
from likewise.analyse.analyser import Analyser, chosen_rows
from likewise.read.long_texts import LongTexts


class Totals(NamedTuple):
    """What was counted over all texts, each as often as it occurs; arrays are by term."""

    texts: int
    words: int
    document_frequencies: NDArray[np.float64]
    occurrences: NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class CountedRows:
    """Rows of distinct terms, ascending, with how often each is in the text, where that was asked for."""

    indptr: NDArray[np.int64]
    ids: NDArray[np.int32]
    times: NDArray[np.float64] | None = None

    @classmethod
    def of(
        cls, texts: LongTexts, repeats: NDArray[np.int64], analyser: Analyser, times: bool, threads: int | None = None
    ) -> tuple["CountedRows", Totals]:
        """Analyse texts, each of which stands for ``repeats`` of them."""
        counter = _core.TermCounter(times)
        for part, tokens in analyser.tokens(texts, threads):
            counter.add(analyser.vocabulary, tokens, repeats[part])
        (indptr, ids, counts), totals = counter.take()
        return cls(indptr, ids, counts if times else None), Totals(*totals)

    def __len__(self) -> int:
        return len(self.indptr) - 1

    def counts(self) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.float64]]:
        """Return CSR rows of distinct terms with their counts; counts that were not asked for are no numbers."""
        return self.indptr, self.ids, np.broadcast_to(np.nan, len(self.ids)) if self.times is None else self.times

    def take(self, chosen: NDArray[np.int64]) -> "CountedRows":
        """Return some rows, in the order of ``chosen``."""
        indptr, at = chosen_rows(self.indptr, chosen)
        return CountedRows(indptr, self.ids[at], None if self.times is None else self.times[at])
