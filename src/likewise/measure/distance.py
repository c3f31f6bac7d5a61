"""Plain distances of two strings, by RapidFuzz (the extra ``rapidfuzz``): edit distance, Jaro-Winkler and the others.

They compare two texts as strings of characters and know nothing of a collection: a word that every text has counts as
much as a rare one. Scores are similarities from 0 to 1.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from likewise.analyse import AnalyseOptions, TermRows
from likewise.errors import MissingExtraError
from likewise.measure.explanation import Contribution, Explanation
from likewise.measure.tabled import TabledMeasure
from likewise.options import check_choice, option
from likewise.read.document import Span

# Name -> module and name in RapidFuzz; those of `fuzz` are from 0 to 100 there.
DISTANCES = {
    "edit": "distance:Levenshtein",
    "damerau": "distance:DamerauLevenshtein",
    "osa": "distance:OSA",
    "indel": "distance:Indel",
    "hamming": "distance:Hamming",
    "jaro": "distance:Jaro",
    "jaro-winkler": "distance:JaroWinkler",
    "lcs": "distance:LCSseq",
    "prefix": "distance:Prefix",
    "postfix": "distance:Postfix",
    "ratio": "fuzz:ratio",
    "partial-ratio": "fuzz:partial_ratio",
    "token-sort-ratio": "fuzz:token_sort_ratio",
    "token-set-ratio": "fuzz:token_set_ratio",
    "token-ratio": "fuzz:token_ratio",
    "weighted-ratio": "fuzz:WRatio",
}
_SYMMETRIC = ("edit", "damerau", "osa", "indel", "hamming", "lcs", "prefix", "postfix", "ratio")


@dataclass(frozen=True, slots=True)
class DistanceOptions(AnalyseOptions):
    """Which distance, and of what."""

    kind: str = option("edit", "Which distance; a kind is also the name of a measure.", choices=tuple(DISTANCES))
    raw: bool = option(False, "Compare the texts to the letter; otherwise their words in lower case, by single spaces.")

    def __post_init__(self) -> None:
        AnalyseOptions.__post_init__(self)
        check_choice("kind", self.kind, tuple(DISTANCES))


class Distance(TabledMeasure):
    """The distance of two strings, as a similarity from 0 to 1; by RapidFuzz.

    >>> import likewise as lw
    >>> round(Distance(kind="jaro-winkler").score("Martha", "Marhta"), 4)
    0.9611
    >>> [match.right_text for match in lw.match(["sittin"], ["kitten", "sitting"], measure="edit", top=1)]
    ['sitting']
    """

    name = "distance"
    Options: ClassVar[type[AnalyseOptions]] = DistanceOptions
    options: DistanceOptions

    @property
    def symmetric(self) -> bool:
        """Whether score(a, b) equals score(b, a); Jaro's and those of parts may differ a little."""
        return self.options.kind in _SYMMETRIC

    def prepare(self, texts: Sequence[str] | TermRows, *, threads: int | None = None) -> list[str]:
        """Return the texts as they are compared: their words by single spaces, or as they are."""
        plain = super().prepare(texts, threads=threads)
        if self.options.raw:
            return plain
        rows = self.analyser.terms(plain, threads=threads)
        words = [self.analyser.term(term) for term in rows.terms]
        return [" ".join(words[start:end]) for start, end in zip(rows.indptr[:-1], rows.indptr[1:], strict=True)]

    def table(self, lefts: Sequence[str], rights: Sequence[str], threads: int) -> NDArray[np.float64]:
        """Return the similarity of all pairs, on all cores."""
        found, process = _rapidfuzz(self.options.kind)
        scorer = getattr(found, "normalized_similarity", found)
        values = process.cdist(lefts, rights, scorer=scorer, dtype=np.float64, workers=threads or -1)
        return np.asarray(values / 100 if scorer is found else values, dtype=np.float64)

    def explain(self, left: str, right: str) -> Explanation:
        """Return the pieces that both texts have in the same order, each with its share of the score."""
        score = self.score(left, right)
        pieces = _pieces(_lower(left), _lower(right)) if score else []
        if not pieces:
            return super().explain(left, right)
        total = sum(size for _, _, size in pieces)
        parts = tuple(
            Contribution(
                "characters",
                left[a : a + size],
                right[b : b + size],
                score * size / total,
                (Span(a, a + size),),
                (Span(b, b + size),),
            )
            for a, b, size in pieces
        )
        return Explanation(score, left, right, str(self), parts)


def _lower(text: str) -> str:
    """Return the text in lower case, where that leaves every character at its place."""
    lower = text.lower()
    return lower if len(lower) == len(text) else text


def _pieces(left: str, right: str) -> list[tuple[int, int, int]]:
    """Return where the strings agree when one is edited into the other: place left, place right, length."""
    from rapidfuzz.distance import Levenshtein

    blocks = Levenshtein.editops(left, right).as_matching_blocks()
    return [(block.a, block.b, block.size) for block in blocks if block.size]


def _rapidfuzz(kind: str) -> tuple[Any, Any]:
    try:
        from rapidfuzz import distance, fuzz, process
    except ImportError as error:
        raise MissingExtraError("rapidfuzz", "rapidfuzz") from error
    module, _, name = DISTANCES[kind].partition(":")
    return getattr(distance if module == "distance" else fuzz, name), process
