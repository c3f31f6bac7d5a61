"""BM25, the usual ranking of documents for a query."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from likewise.measure.sparse import Csr
from likewise.measure.storage import TermStorage
from likewise.measure.terms import TermMeasure, TermOptions
from likewise.options import check_range, option


@dataclass(frozen=True, slots=True)
class BM25Options(TermOptions):
    """Options of BM25."""

    k1: float = option(1.2, "Saturation of repeated terms (k1).")
    b: float = option(0.75, "Length normalisation, from 0 to 1 (b).")

    def __post_init__(self) -> None:
        TermOptions.__post_init__(self)
        check_range("k1", self.k1, 0)
        check_range("b", self.b, 0, 1)


class BM25(TermMeasure):
    """BM25 as Lucene computes it: the left text is the query, the right one the document. Not symmetric.

    idf = ln(1 + (M - m + 0.5) / (m + 0.5)); a term adds idf · tf / (tf + k1 · (1 - b + b · length / mean length)).

    >>> bm25 = BM25().fit(["red fish", "blue fish", "one fish two fish"])
    >>> bm25.score("blue", "blue fish") > bm25.score("fish", "blue fish")
    True
    """

    name = "bm25"
    Options = BM25Options
    options: BM25Options

    @property
    def adaptive(self) -> bool:
        """BM25 always weighs by a collection."""
        return True

    @property
    def symmetric(self) -> bool:
        """Query and document are weighed differently."""
        return False

    def storage(self) -> TermStorage | None:
        """Return that terms are kept, and what each weighs in a query."""
        kept = super().storage()
        alone = kept is not None and not self.options.phrases and self.options.best_terms is None
        return replace(kept, query_weights=self._query_weights) if kept is not None and alone else kept

    def _query_weights(self, ids: NDArray[np.int32]) -> NDArray[np.float64]:
        return self._weigh((np.array([0, len(ids)]), ids, np.ones(len(ids))))[0][2]

    def _weigh(self, rows: Csr) -> tuple[Csr, Csr]:
        statistics = self._fitted()
        indptr, ids, counts = rows
        seen = statistics.document_frequency_of(ids)
        idf = np.log1p((np.maximum(statistics.texts - seen, 0) + 0.5) / (seen + 0.5))
        lengths = np.add.reduceat(np.append(counts, 0.0), indptr[:-1])  # of one without terms: any, it has no use
        mean = max(statistics.words / max(statistics.texts, 1), 1e-9)
        k1, b = self.options.k1, self.options.b
        discount = np.repeat(k1 * (1 - b + b * lengths / mean), np.diff(indptr))
        return (indptr, ids, counts * idf), (indptr, ids, counts / (counts + discount))
