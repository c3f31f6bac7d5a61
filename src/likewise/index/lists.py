"""What a segment of an index keeps of its texts, by family of measures, and how it is searched.

Three families, each with the same three steps: ``build`` turns texts into arrays, ``load`` takes arrays (mapped from a
file, or fresh) and the vocabulary of the moment, ``top`` finds the best texts of all segments for queries.

* :class:`DotFamily`: tf-idf, BM25 and the counts; lists of terms.
* :class:`SpectraFamily`: lists of q-grams, and the terms of each text for the exact score.
* :class:`ScanFamily`: everything else (soft measures, counted phrases): nothing is kept but the texts, which are
  analysed when they are first searched; every text is scored.

Ids of terms and q-grams are those of the measure as it was saved, which are the same in every process; words that came
later are written with the segment and get the id of the moment when it is loaded.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likewise import _core
from likewise.index.container import Arrays
from likewise.index.stable_ids import StableIds
from likewise.measure import TextMeasure
from likewise.measure.storage import GramStorage, TermStorage
from likewise.progress import Progress, counted

Columns = tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]
Dead = Sequence[NDArray[np.uint8] | None]
_TOGETHER = 1 << 16  # terms that are weighed at a time: what comes and goes is several times the weights


def family_of(measure: TextMeasure) -> "DotFamily | SpectraFamily | ScanFamily":
    """Return the family of a measure that was just made from its saved form."""
    storage = measure.storage()
    if isinstance(storage, GramStorage):
        return SpectraFamily(measure, storage)
    return ScanFamily(measure) if storage is None else DotFamily(measure, storage)


class DotFamily:
    """Measures that are dot products of weighted terms."""

    def __init__(self, measure: TextMeasure, storage: TermStorage) -> None:
        self.measure = measure
        self._storage = storage
        self._terms = StableIds(len(measure.analyser), "terms")
        self._query_weights: tuple[NDArray[np.float64], float] | None = None

    def build(self, texts: Sequence[str]) -> Arrays:
        """Return lists of weighted terms."""
        prepared = self.measure.prepare(texts)
        ids, indptr, places, impacts, weights, maxima, levels = _core.invert_dot(prepared.right)
        ids, later = self._terms.externalise(ids, lambda term: self.measure.analyser.term(term).encode())
        return {
            "ids": ids,
            "indptr": indptr,
            "texts": places,
            "impacts": impacts,
            "weights": weights,
            "maxima": maxima,
            "levels": levels,
            **later,
        }

    def load(self, arrays: Arrays, texts: Callable[[], list[str]], count: int) -> _core.DotSegment:
        """Make a segment of lists."""
        later = self._terms.internalise(arrays, self._intern)
        ids, list_of = self._terms.lookup(arrays["ids"], later)
        return _core.DotSegment(
            ids,
            list_of,
            arrays["indptr"],
            arrays["texts"],
            arrays["impacts"],
            arrays["weights"],
            arrays["maxima"],
            arrays["levels"],
            count,
        )

    def _intern(self, names: list[bytes]) -> NDArray[np.int32]:
        return self.measure.analyser.intern([name.decode() for name in names])

    def top(
        self,
        segments: Sequence[_core.DotSegment],
        queries: Sequence[str],
        k: int,
        floor: float,
        dead: Dead,
        threads: int | None,
        progress: Progress | None,
    ) -> Columns:
        """Search the lists."""
        rows = self.measure.prepare(queries).left
        return _core.DotSearcher(list(segments)).top(
            rows, k, floor, list(dead), threads or 0, counted(progress, "texts")
        )

    def names(self, arrays: Arrays) -> list[str]:
        """Return the term of each list of a segment."""
        later = self._terms.names(arrays)
        known = self._terms.known
        term = self.measure.analyser.term
        return [term(one) if one < known else later[one - known].decode() for one in arrays["ids"].tolist()]

    def having(self, arrays: Arrays, segment: _core.DotSegment, term: int) -> NDArray[np.bool_] | None:
        """Look into the term's list."""
        if not self._storage.complete:
            return None
        found = np.zeros(len(segment), np.bool_)
        begin, end = segment.list(term)
        found[arrays["texts"][begin:end]] = True
        return found

    def query_weights(self) -> tuple[NDArray[np.float64], float] | None:
        """Return what each known term weighs in a query, and any other, where it depends on nothing else (BM25)."""
        if self._query_weights is None:
            weigh = self._storage.query_weights
            if weigh is None:
                return None
            # No text has a blank for a term, so this one counts as any that was not in the fitted collection.
            unseen = int(self.measure.analyser.intern([" "])[0])
            weights = np.empty(self._terms.known)
            for first in range(0, len(weights), _TOGETHER):
                last = min(first + _TOGETHER, len(weights))
                weights[first:last] = weigh(np.arange(first, last, dtype=np.int32))
            self._query_weights = weights, float(weigh(np.array([unseen], np.int32))[0])
        return self._query_weights


class SpectraFamily:
    """Soft cardinality by q-grams."""

    def __init__(self, measure: TextMeasure, storage: GramStorage) -> None:
        self.measure = measure
        self._storage = storage
        self._terms = StableIds(len(measure.analyser), "terms")
        self._grams = StableIds(storage.grams.gram_count, "grams")

    def build(self, texts: Sequence[str]) -> Arrays:
        """Return lists of q-grams and the terms of each text."""
        measure = self.measure
        rows = measure.analyse(texts)
        prepared = measure.prepare(rows)
        grams, indptr, places, codes, smallest, largest = _core.invert_grams(prepared)
        grams, later_grams = self._grams.externalise(grams, self._storage.grams.gram)
        term_indptr, terms, counts = rows.counts()
        terms, later_terms = self._terms.externalise(terms, lambda term: measure.analyser.term(term).encode())
        return {
            "ids": grams,
            "indptr": indptr,
            "texts": places,
            "codes": codes,
            "smallest": smallest,
            "largest": largest,
            "cardinalities": prepared.cardinalities,
            "term_indptr": term_indptr,
            "term_ids": terms,
            "frequencies": counts if self._storage.frequencies else np.zeros(0),
            **later_terms,
            **later_grams,
        }

    def load(self, arrays: Arrays, texts: Callable[[], list[str]], count: int) -> _core.GramSegment:
        """Make a segment of lists."""
        analyser, grams = self.measure.analyser, self._storage.grams
        later_terms = self._terms.internalise(arrays, lambda names: analyser.intern([name.decode() for name in names]))
        later_grams = self._grams.internalise(arrays, grams.intern_grams)
        # The exact score needs the q-grams of every term of a text.
        grams.add(analyser.vocabulary)
        ids, list_of = self._grams.lookup(arrays["ids"], later_grams)
        return _core.GramSegment(
            ids,
            list_of,
            arrays["indptr"],
            arrays["texts"],
            arrays["codes"],
            arrays["smallest"],
            arrays["largest"],
            arrays["cardinalities"],
            arrays["term_indptr"],
            arrays["term_ids"],
            arrays["frequencies"],
            self._terms.known,
            later_terms,
        )

    def top(
        self,
        segments: Sequence[_core.GramSegment],
        queries: Sequence[str],
        k: int,
        floor: float,
        dead: Dead,
        threads: int | None,
        progress: Progress | None,
    ) -> Columns:
        """Search the lists."""
        grams, coefficient = self._storage.grams, self._storage.coefficient
        searcher, call = _core.GramSearcher(list(segments)), counted(progress, "texts")
        prepared = self.measure.prepare(queries)
        return searcher.top(grams, prepared, coefficient, k, floor, list(dead), threads or 0, call)

    def having(self, arrays: Arrays, segment: _core.GramSegment, term: int) -> NDArray[np.bool_] | None:
        """Look for the term among those of each text."""
        places = np.flatnonzero(arrays["term_ids"] == segment.stored(term))
        found = np.zeros(len(segment), np.bool_)
        found[np.searchsorted(arrays["term_indptr"], places, side="right") - 1] = True
        return found


@dataclass(slots=True)
class _Scanned:
    """Texts that are analysed when they are first searched."""

    texts: Callable[[], list[str]]
    count: int
    prepared: Any = None

    def __len__(self) -> int:
        return self.count


class ScanFamily:
    """Measures without lists of their own: every text is scored."""

    def __init__(self, measure: TextMeasure) -> None:
        self.measure = measure

    def build(self, texts: Sequence[str]) -> Arrays:
        """Return nothing: the texts are enough."""
        return {}

    def load(self, arrays: Arrays, texts: Callable[[], list[str]], count: int) -> _Scanned:
        """Remember where the texts are."""
        return _Scanned(texts, count)

    def having(self, arrays: Arrays, segment: _Scanned, term: int) -> NDArray[np.bool_] | None:
        """Nothing is kept that would tell."""
        return None

    def top(
        self,
        segments: Sequence[_Scanned],
        queries: Sequence[str],
        k: int,
        floor: float,
        dead: Dead,
        threads: int | None,
        progress: Progress | None,
    ) -> Columns:
        """Score every text that is not dead."""
        # All texts first: an analysis made later may know terms that an earlier one does not.
        for segment in segments:
            if segment.prepared is None:
                segment.prepared = self.measure.prepare(segment.texts())
        left = self.measure.prepare(queries)
        columns: list[Columns] = []
        for number in range(len(queries)):
            first, texts, scores = 0, [], []
            for segment, gone in zip(segments, dead or [None] * len(segments), strict=True):
                alive = np.arange(segment.count) if gone is None else np.flatnonzero(gone == 0)
                scorer = self.measure.scorer(left, segment.prepared)
                found = _core.pair_scores(scorer, np.full(len(alive), number, np.int64), alive, threads or 0)
                kept = (found > 0) & (found >= floor)
                texts.append(alive[kept] + first)
                scores.append(found[kept])
                first += segment.count
            text, score = np.concatenate(texts or [np.zeros(0, np.int64)]), np.concatenate(scores or [np.zeros(0)])
            order = np.lexsort((text, -score))[:k]
            columns.append((np.full(len(order), number, np.int64), text[order], score[order]))
            if progress is not None:
                progress(number + 1, len(queries), "texts")
        return (
            np.concatenate([column[0] for column in columns] or [np.zeros(0, np.int64)]),
            np.concatenate([column[1] for column in columns] or [np.zeros(0, np.int64)]),
            np.concatenate([column[2] for column in columns] or [np.zeros(0)]),
        )
