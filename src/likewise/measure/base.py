"""The one interface of all measures."""

import json
import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from likewise import _core
from likewise.analyse import AnalyseOptions, Analyser, TermRows
from likewise.errors import InputError, NotFittedError, OptionError
from likewise.measure.explanation import Explanation
from likewise.measure.statistics import Statistics
from likewise.storage import atomic_write

CoreProgress = Callable[[int, int], object]


class Measure(ABC):
    """A similarity of texts: how they are analysed, weighted and compared.

    Measures that weigh by a collection (*adaptive* ones) are fitted to it first; static ones need no ``fit``. Scores
    are 0 or more, higher is more similar; they are around 0 to 1 but, soft ones, not bound by 1.
    """

    name: ClassVar[str]
    """The word for this measure everywhere: specification, command line, JSON."""
    Options: ClassVar[type[AnalyseOptions]]
    options: AnalyseOptions

    def __init__(self, **options: Any) -> None:
        try:
            self.options = self.Options(**options)
        except TypeError as error:
            known = ", ".join(field.name for field in fields(self.Options))
            raise OptionError(f"{type(self).__name__}: {error}; known options: {known}") from None
        self.statistics: Statistics | None = None
        self._start(self._new_analyser())

    # What a measure of its own kind must say.

    @property
    def adaptive(self) -> bool:
        """Whether scores depend on a collection, so that ``fit`` is needed."""
        return False

    @property
    def symmetric(self) -> bool:
        """Whether score(a, b) equals score(b, a)."""
        return True

    @abstractmethod
    def prepare(self, texts: Sequence[str] | TermRows, *, threads: int | None = None) -> Any:
        """Analyse and weigh texts once, for any number of comparisons."""

    @abstractmethod
    def scorer(self, left: Any, right: Any) -> _core.PairScorer:
        """Return the exact scorer of prepared texts, as the join engine takes it."""

    def bound(self, left: Any, right: Any) -> _core.DotScorer | None:
        """Return dot products that are never below the score, where the scorer itself is no dot product or spectra.

        ``None``: the scorer needs none, or there is none (the join then looks at every pair).
        """
        return None

    @abstractmethod
    def explain(self, left: str, right: str) -> Explanation:
        """Return the contributions that make up the score of two texts."""

    def _start(self, analyser: Analyser) -> None:
        """Take up an analyser that has seen nothing but the terms of ``self.statistics``."""
        self.analyser = analyser

    # What all measures share.

    def fit(self, texts: Sequence[str]) -> Self:
        """Learn weights from a collection of texts; returns the measure itself."""
        analyser = self._new_analyser()
        rows = self.analyse(texts, analyser)
        self.statistics = Statistics.of(rows, len(analyser))
        self._start(analyser)
        return self

    def analyse(self, texts: Sequence[str], analyser: Analyser | None = None, *, positions: bool = False) -> TermRows:
        """Return the terms of texts, as this measure sees them."""
        return (self.analyser if analyser is None else analyser).terms(texts, positions=positions)

    def score(self, left: str, right: str) -> float:
        """Return the similarity of two texts."""
        prepared = self.prepare([left, right], threads=1)
        return self.scorer(prepared, prepared).score(0, 1)

    def scores(
        self,
        lefts: Sequence[str],
        rights: Sequence[str],
        *,
        threads: int | None = None,
        progress: CoreProgress | None = None,
    ) -> NDArray[np.float64]:
        """Return the similarity of ``lefts[i]`` and ``rights[i]`` for every i."""
        known: dict[str, int] = {}
        left, right = distinct(lefts, known), distinct(rights, known)
        if len(left) != len(right):
            raise InputError(f"scores compares lists of equal length, not {len(left)} texts with {len(right)}")
        prepared = self.prepare(list(known), threads=threads)
        return _core.pair_scores(self.scorer(prepared, prepared), left, right, threads or 0, progress)

    def matrix(
        self,
        lefts: Sequence[str],
        rights: Sequence[str],
        *,
        threads: int | None = None,
        progress: CoreProgress | None = None,
    ) -> NDArray[np.float64]:
        """Return the similarity of every left text and every right text, as a two-dimensional array."""
        left = self.prepare(lefts, threads=threads)
        right = left if rights is lefts else self.prepare(rights, threads=threads)
        return _core.matrix(self.scorer(left, right), threads or 0, progress)

    def to_json(self) -> dict[str, Any]:
        """Return the measure, with what it was fitted to, as plain values."""
        return {
            "measure": self.name,
            "options": {field.name: getattr(self.options, field.name) for field in fields(self.Options)},
            "statistics": self.statistics.to_json(self.analyser) if self.statistics else None,
        }

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Self:
        """Make a measure of this class from what :meth:`to_json` gave."""
        options = {
            name: tuple(value) if isinstance(value, list) else value for name, value in values["options"].items()
        }
        measure = cls(**options)
        if values.get("statistics"):
            analyser = measure._new_analyser()
            measure.statistics = Statistics.from_json(values["statistics"], analyser)
            measure._start(analyser)
        return measure

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the measure to a JSON file that :func:`likewise.measure.load` and ``--measure FILE`` read."""
        with atomic_write(path, "w", encoding="utf-8") as file:
            json.dump(self.to_json(), file, ensure_ascii=False)
            file.write("\n")

    def __str__(self) -> str:
        from likewise.measure.specification import specification

        return specification(self)

    def __repr__(self) -> str:
        given = ", ".join(f"{field.name}={getattr(self.options, field.name)!r}" for field in fields(self.Options))
        return f"{type(self).__name__}({given})"

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[dict[str, Any]]]:
        return type(self).from_json, (self.to_json(),)

    def _new_analyser(self) -> Analyser:
        return Analyser(
            AnalyseOptions(**{field.name: getattr(self.options, field.name) for field in fields(AnalyseOptions)})
        )

    def _fitted(self) -> Statistics:
        if self.statistics is None:
            raise NotFittedError(
                f"{self} weighs by a collection: call fit(texts) first, or choose weights that need none"
            )
        return self.statistics

    def _rows(
        self, texts: Sequence[str] | TermRows, *, positions: bool = False, threads: int | None = None
    ) -> TermRows:
        if isinstance(texts, TermRows):
            return texts
        return self.analyser.terms(texts, positions=positions, threads=threads)


def distinct(texts: Sequence[str], known: dict[str, int]) -> NDArray[np.int64]:
    """Return for each text its number among the distinct ones, which ``known`` collects."""
    if isinstance(texts, str):
        raise InputError("a list of texts is wanted, not a single str: put it into a list")
    try:
        return _core.factorise(texts if isinstance(texts, list) else list(texts), known)
    except TypeError as error:
        raise InputError(str(error)) from None
