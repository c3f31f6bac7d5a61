"""What an adaptive measure learns from a collection: how many texts there are, and in how many each term is."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likewise.analyse import Analyser, TermRows
from likewise.errors import InputError
from likewise.long_json import Parts

_PART = 1 << 15  # terms that are Python's at a time


@dataclass(frozen=True, slots=True)
class Statistics:
    """Counts over a collection; arrays are by term id. A term beyond them counts as seen once."""

    texts: int
    """Number of texts (M)."""
    words: int
    """Number of word occurrences (N)."""
    document_frequencies: NDArray[np.float64]
    """In how many texts each term is (m_t)."""
    occurrences: NDArray[np.float64]
    """How often each term occurs."""

    @classmethod
    def of(cls, rows: TermRows, size: int, repeats: NDArray[np.int64] | None = None) -> "Statistics":
        """Count the terms of rows, each row ``repeats`` times; ``size`` is the number of terms in the vocabulary."""
        indptr, ids, counts = rows.counts()
        if repeats is None:
            seen, occurring = np.bincount(ids, minlength=size), np.bincount(rows.terms, minlength=size)
            return cls(len(rows), len(rows.terms), seen.astype(np.float64), occurring.astype(np.float64))
        times = np.repeat(repeats.astype(np.float64), np.diff(indptr))
        texts = np.bincount(ids, weights=times, minlength=size).astype(np.float64)
        occurrences = np.bincount(ids, weights=counts * times, minlength=size).astype(np.float64)
        return cls(int(repeats.sum()), int(np.diff(rows.indptr) @ repeats), texts, occurrences)

    def __add__(self, other: "Statistics") -> "Statistics":
        """Return the counts of two collections over one vocabulary, together."""
        return Statistics(
            self.texts + other.texts,
            self.words + other.words,
            self.document_frequencies + other.document_frequencies,
            self.occurrences + other.occurrences,
        )

    def document_frequency_of(self, ids: NDArray[np.int32]) -> NDArray[np.float64]:
        """Return in how many texts each of the terms is: a query or one new text costs no pass over the vocabulary."""
        seen = np.ones(len(ids))
        known = ids < len(self.document_frequencies)
        seen[known] = np.maximum(self.document_frequencies[ids[known]], 1)
        return seen

    def idf_of(self, ids: NDArray[np.int32], smooth: bool) -> NDArray[np.float64]:
        """Return the idf of each of the terms; of many texts by a table of the vocabulary, which takes less room."""
        if len(ids) <= len(self.document_frequencies):
            return log_ratio(self.texts, self.document_frequency_of(ids), smooth)
        return self.idf(int(ids.max()) + 1, smooth)[ids]

    def idf(self, size: int, smooth: bool) -> NDArray[np.float64]:
        """Return ln(M / m_t) for ``size`` terms; smoothed: ln(1 + M / m_t), which is above 0 for every term."""
        seen = np.ones(size)
        known = min(size, len(self.document_frequencies))
        seen[:known] = np.maximum(self.document_frequencies[:known], 1)
        return log_ratio(self.texts, seen, smooth)

    def to_json(self, analyser: Analyser) -> dict[str, Any]:
        """Return plain values, terms by name."""
        saved = self.in_parts(analyser).items()
        return {name: value.whole() if isinstance(value, Parts) else value for name, value in saved}

    def in_parts(self, analyser: Analyser) -> dict[str, Any]:
        """Return the same, with lists in parts: of millions of terms few are Python's at a time."""
        firsts = range(0, len(self.document_frequencies), _PART)
        end = len(self.document_frequencies)

        def numbers(counts: NDArray[np.float64]) -> Parts:
            return Parts(lambda: (counts[first : first + _PART].astype(int).tolist() for first in firsts))

        terms = analyser.vocabulary.terms
        return {
            "texts": self.texts,
            "words": self.words,
            "terms": Parts(lambda: (terms(first, min(first + _PART, end)) for first in firsts)),
            "document_frequencies": numbers(self.document_frequencies),
            "occurrences": numbers(self.occurrences),
        }

    @classmethod
    def from_json(cls, values: Mapping[str, Any], analyser: Analyser) -> "Statistics":
        """Read what :meth:`to_json` or :meth:`in_parts` gave into an analyser that has not seen anything yet."""
        try:
            counts = [_numbers(values[name]) for name in ("document_frequencies", "occurrences")]
            texts, words = int(values["texts"]), int(values["words"])
            analyser.reserve(min(counts[0].size, counts[1].size))
            terms = 0
            for part in values["terms"] if isinstance(values["terms"], Parts) else [values["terms"]]:
                if not isinstance(part, list) or not all(isinstance(term, str) for term in part):
                    raise InputError("the terms of a saved measure must be texts")
                "".join(part).encode()  # no half of a character
                analyser.intern(part)
                terms += len(part)
        except InputError:
            raise
        except (ValueError, TypeError, OverflowError) as error:
            raise InputError(f"the counts of a saved measure must be numbers ({error})") from error
        if any(count.shape != (terms,) or not np.isfinite(count).all() for count in counts):
            raise InputError("a saved measure must have a count for each of its terms")
        return cls(texts, words, *counts)


def _numbers(values: Any) -> NDArray[np.float64]:
    if not isinstance(values, Parts):
        return np.asarray(values, dtype=np.float64)
    return np.concatenate([np.zeros(0), *(np.asarray(part, dtype=np.float64) for part in values)])


def log_ratio(total: float, part: NDArray[np.float64], smooth: bool) -> NDArray[np.float64]:
    """Return ln(total / part), never below 0; smoothed: ln(1 + total / part)."""
    ratio = max(total, 1) / part
    return np.log1p(ratio) if smooth else np.maximum(np.log(ratio), 0.0)
