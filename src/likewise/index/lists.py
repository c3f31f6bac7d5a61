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
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from likewise import _core
from likewise.errors import DamagedError
from likewise.index.container import Arrays, pack_strings, unpack_strings
from likewise.measure import BM25, Spectra, TextMeasure
from likewise.measure.terms import TermMeasure

Columns = tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]
Dead = Sequence[NDArray[np.uint8] | None]
CoreProgress = Callable[[int, int], object]


class Loaded(Protocol):
    """A segment's lists, ready to search."""

    def __len__(self) -> int: ...


class Family(Protocol):
    """How texts are kept and searched; one object per open index."""

    measure: TextMeasure

    def build(self, texts: Sequence[str]) -> Arrays:
        """Return the arrays of a new segment."""

    def load(self, arrays: Arrays, texts: Callable[[], list[str]], count: int) -> Loaded:
        """Make a segment of arrays; ``texts`` gives its texts if they are needed."""

    def top(
        self,
        segments: Sequence[Any],
        queries: Sequence[str],
        k: int,
        floor: float,
        dead: Dead,
        threads: int | None,
        progress: CoreProgress | None,
    ) -> Columns:
        """Return (query, text, score) of the best k texts for each query; texts are numbered through the segments."""

    def having(self, arrays: Arrays, segment: Any, term: int) -> NDArray[np.bool_] | None:
        """Say of each text of a segment whether it has a term; ``None`` where what is kept does not tell."""


def family_of(measure: TextMeasure) -> "DotFamily | SpectraFamily | ScanFamily":
    """Return the family of a measure that was just made from its saved form."""
    if isinstance(measure, Spectra):
        return SpectraFamily(measure)
    if isinstance(measure, TermMeasure) and not (measure.options.phrases and measure._count):
        return DotFamily(measure)
    return ScanFamily(measure)


class _Numbers:
    """Ids that are the same in every process, and those that are not."""

    def __init__(self, known: int) -> None:
        self.known = known

    def split(self, ids: NDArray[np.int32], name: Callable[[int], bytes]) -> tuple[NDArray[np.int32], Arrays]:
        """Renumber ids from ``known`` on in the order of the ids; return the renumbered ids and the later names."""
        later = np.unique(ids[ids >= self.known])
        if len(later):
            ids = ids.copy()
            mask = ids >= self.known
            ids[mask] = self.known + np.searchsorted(later, ids[mask]).astype(np.int32)
        data, offsets = pack_strings([name(int(one)) for one in later])
        return ids, {"later": data, "later_offsets": offsets}

    def join(
        self, arrays: Arrays, prefix: str, intern: Callable[[list[bytes]], NDArray[np.int32]]
    ) -> NDArray[np.int32]:
        """Return the ids of the moment of a segment's later names."""
        names = unpack_strings(arrays[prefix + "later"], arrays[prefix + "later_offsets"])
        return intern(names) if names else np.zeros(0, np.int32)

    def table(self, ids: NDArray[np.int32], later: NDArray[np.int32]) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """Return ids of the moment in ascending order, and which list belongs to each."""
        if len(ids) and ids[-1] >= self.known + len(later):
            raise DamagedError("a segment of the index refers to words that it does not have")
        if not len(later):
            return ids, np.arange(len(ids), dtype=np.int32)
        ids = ids.copy()
        mask = ids >= self.known
        ids[mask] = later[ids[mask] - self.known]
        order = np.argsort(ids, kind="stable").astype(np.int32)
        return ids[order], order


def _prefixed(prefix: str, arrays: Arrays) -> Arrays:
    return {prefix + name: array for name, array in arrays.items()}


class DotFamily:
    """Measures that are dot products of weighted terms."""

    def __init__(self, measure: TermMeasure) -> None:
        self.measure: TextMeasure = measure
        self._terms = _Numbers(len(measure.analyser))
        self._query_weights: tuple[NDArray[np.float64], float] | None = None

    def build(self, texts: Sequence[str]) -> Arrays:
        """Return lists of weighted terms."""
        prepared = self.measure.prepare(texts)
        ids, indptr, places, impacts, weights, maxima, levels = _core.invert_dot(prepared.right)
        ids, later = self._terms.split(ids, lambda term: self.measure.analyser.term(term).encode())
        return {
            "ids": ids,
            "indptr": indptr,
            "texts": places,
            "impacts": impacts,
            "weights": weights,
            "maxima": maxima,
            "levels": levels,
            **_prefixed("terms.", later),
        }

    def load(self, arrays: Arrays, texts: Callable[[], list[str]], count: int) -> _core.DotSegment:
        """Make a segment of lists."""
        later = self._terms.join(arrays, "terms.", self._intern)
        ids, list_of = self._terms.table(arrays["ids"], later)
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
        progress: CoreProgress | None,
    ) -> Columns:
        """Search the lists."""
        rows = self.measure.prepare(queries).left
        return _core.DotSearcher(list(segments)).top(rows, k, floor, list(dead), threads or 0, progress)

    def names(self, arrays: Arrays) -> list[str]:
        """Return the term of each list of a segment."""
        later = unpack_strings(arrays["terms.later"], arrays["terms.later_offsets"])
        known = self._terms.known
        term = self.measure.analyser.term
        return [term(one) if one < known else later[one - known].decode() for one in arrays["ids"].tolist()]

    def having(self, arrays: Arrays, segment: _core.DotSegment, term: int) -> NDArray[np.bool_] | None:
        """Look into the term's list."""
        if self.measure.options.best_terms is not None:  # type: ignore[attr-defined]
            return None
        found = np.zeros(len(segment), np.bool_)
        begin, end = segment.list(term)
        found[arrays["texts"][begin:end]] = True
        return found

    def query_weights(self) -> tuple[NDArray[np.float64], float] | None:
        """Return what each known term weighs in a query, and any other, where it depends on nothing else (BM25)."""
        if self._query_weights is None:
            measure = self.measure
            if not isinstance(measure, BM25) or measure.options.phrases or measure.options.best_terms:
                return None
            # No text has a blank for a term, so this one counts as any that was not in the fitted collection.
            unseen = int(measure.analyser.intern([" "])[0])
            ids = np.append(np.arange(self._terms.known, dtype=np.int32), np.int32(unseen))
            left, _ = measure._weigh((np.array([0, len(ids)]), ids, np.ones(len(ids))))
            self._query_weights = np.ascontiguousarray(left[2][:-1]), float(left[2][-1])
        return self._query_weights


class SpectraFamily:
    """Soft cardinality by q-grams."""

    def __init__(self, measure: Spectra) -> None:
        self.measure: TextMeasure = measure
        self._spectra = measure
        self._terms = _Numbers(len(measure.analyser))
        self._grams = _Numbers(measure._grams.gram_count)

    def build(self, texts: Sequence[str]) -> Arrays:
        """Return lists of q-grams and the terms of each text."""
        measure = self._spectra
        rows = measure.analyse(texts)
        prepared = measure.prepare(rows)
        grams, indptr, places, codes, smallest, largest = _core.invert_grams(prepared)
        grams, later_grams = self._grams.split(grams, measure._grams.gram)
        term_indptr, terms, counts = rows.counts()
        terms, later_terms = self._terms.split(terms, lambda term: measure.analyser.term(term).encode())
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
            "frequencies": counts if "tfidf" in measure._parts else np.zeros(0),
            **_prefixed("terms.", later_terms),
            **_prefixed("grams.", later_grams),
        }

    def load(self, arrays: Arrays, texts: Callable[[], list[str]], count: int) -> _core.GramSegment:
        """Make a segment of lists."""
        measure = self._spectra
        later_terms = self._terms.join(
            arrays, "terms.", lambda names: measure.analyser.intern([name.decode() for name in names])
        )
        later_grams = self._grams.join(arrays, "grams.", measure._grams.intern_grams)
        # The exact score needs the q-grams of every term of a text.
        measure._grams.add(measure.analyser.vocabulary)
        ids, list_of = self._grams.table(arrays["ids"], later_grams)
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
        progress: CoreProgress | None,
    ) -> Columns:
        """Search the lists."""
        measure = self._spectra
        prepared = measure.prepare(queries)
        searcher = _core.GramSearcher(list(segments))
        return searcher.top(
            measure._grams, prepared, *measure._coefficient, k, floor, list(dead), threads or 0, progress
        )

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
        progress: CoreProgress | None,
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
                progress(number + 1, len(queries))
        return (
            np.concatenate([column[0] for column in columns] or [np.zeros(0, np.int64)]),
            np.concatenate([column[1] for column in columns] or [np.zeros(0, np.int64)]),
            np.concatenate([column[2] for column in columns] or [np.zeros(0)]),
        )
