"""The one interface of all measures."""

import json
import os
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from likewise import _core
from likewise.errors import InputError
from likewise.measure.explanation import Explanation
from likewise.measure.sparse import Scaled
from likewise.measure.storage import GramStorage, TermStorage
from likewise.progress import Progress, counted
from likewise.seals import sealed
from likewise.storage import atomic_write


class Measure(ABC):
    """A similarity: how texts (or records with several fields) are analysed, weighed and compared.

    Measures that weigh by a collection (*adaptive* ones) are fitted to it first; static ones need no ``fit``. Scores
    are 0 or more, higher is more similar; they are around 0 to 1 but, soft ones, not bound by 1.
    """

    name: ClassVar[str]
    """The word for this measure everywhere: specification, command line, JSON."""

    # What a measure of its own kind must say.

    @property
    def adaptive(self) -> bool:
        """Whether scores depend on a collection, so that ``fit`` is needed."""
        return False

    @property
    @abstractmethod
    def ready(self) -> bool:
        """Whether it can score: it is static, or it was fitted."""

    @property
    def symmetric(self) -> bool:
        """Whether score(a, b) equals score(b, a)."""
        return True

    @abstractmethod
    def fit(self, texts: Sequence[Any]) -> Self:
        """Learn weights from a collection; returns the measure itself."""

    @abstractmethod
    def prepare(self, texts: Any, *, threads: int | None = None) -> Any:
        """Analyse and weigh texts once, for any number of comparisons."""

    @abstractmethod
    def scorer(self, left: Any, right: Any) -> _core.PairScorer:
        """Return the exact scorer of prepared texts, as the join engine takes it."""

    def bound(self, left: Any, right: Any) -> _core.DotScorer | None:
        """Return dot products that are never below the score, where the scorer itself is no dot product or spectra.

        ``None``: the scorer needs none, or there is none (the join then looks at every pair).
        """
        return None

    def scaled(self, rows: Any) -> Scaled | None:
        """Return rows of counted terms as the search for near-duplicates takes them; ``None``: it does not.

        That is for cosines whose weights depend on the term and the length of the text alone.
        """
        return None

    def storage(self) -> TermStorage | GramStorage | None:
        """Return what an index keeps of texts to search them by this measure; ``None``: nothing, it scores every text.

        >>> from likewise.measure import Spectra
        >>> Spectra(coefficient="dice").storage().coefficient.p
        1.0
        """
        return None

    @abstractmethod
    def explain(self, left: Any, right: Any) -> Explanation:
        """Return the contributions that make up the score of two texts."""

    @abstractmethod
    def to_json(self) -> dict[str, Any]:
        """Return the measure, with what it was fitted to, as plain values."""

    @abstractmethod
    def copy(self) -> Self:
        """Return a measure of its own with the same options, fitted to the same collection."""

    # What all measures share.

    def score(self, left: Any, right: Any) -> float:
        """Return the similarity of two texts."""
        prepared = self.prepare([left, right], threads=1)
        return self.scorer(prepared, prepared).score(0, 1)

    def scores(
        self,
        lefts: Sequence[Any],
        rights: Sequence[Any],
        *,
        threads: int | None = None,
        progress: Progress | None = None,
    ) -> NDArray[np.float64]:
        """Return the similarity of ``lefts[i]`` and ``rights[i]`` for every i."""
        if len(lefts) != len(rights):
            raise InputError(f"scores compares lists of equal length, not {len(lefts)} texts with {len(rights)}")
        left, right = self.prepare(lefts, threads=threads), self.prepare(rights, threads=threads)
        rows = np.arange(len(lefts), dtype=np.int64)
        return _core.pair_scores(self.scorer(left, right), rows, rows, threads or 0, counted(progress, "blocks"))

    def matrix(
        self,
        lefts: Sequence[Any],
        rights: Sequence[Any],
        *,
        threads: int | None = None,
        progress: Progress | None = None,
    ) -> NDArray[np.float64]:
        """Return the similarity of every left text and every right text, as a two-dimensional array."""
        left = self.prepare(lefts, threads=threads)
        right = left if rights is lefts else self.prepare(rights, threads=threads)
        return _core.matrix(self.scorer(left, right), threads or 0, counted(progress, "blocks"))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the measure to a JSON file that :func:`likewise.measure.load` and ``--measure FILE`` read."""
        with atomic_write(path, "w", encoding="utf-8") as file:
            json.dump(sealed(self.to_json()), file, ensure_ascii=False)
            file.write("\n")
