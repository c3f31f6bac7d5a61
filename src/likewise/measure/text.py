"""Measures of texts: options, an analyser, and the statistics of the collection they were fitted to."""

import inspect
from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import fields
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from likewise import _core
from likewise.analyse import AnalyseOptions, Analyser, TermRows
from likewise.errors import InputError, NotFittedError
from likewise.measure.base import Measure
from likewise.measure.explanation import Explanation
from likewise.measure.notation import show
from likewise.measure.statistics import Statistics
from likewise.options import check_names, names_of
from likewise.progress import Progress, counted
from likewise.read.texts import texts_in
from likewise.verb import parameters_of


class TextMeasure(Measure):
    """A similarity of texts."""

    Options: ClassVar[type[AnalyseOptions]]
    options: AnalyseOptions

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if "Options" in vars(cls):
            cls.__signature__ = inspect.Signature(parameters_of(cls.Options))  # type: ignore[attr-defined]

    def __init__(self, **options: Any) -> None:
        check_names(options, names_of(self.Options), type(self).__name__)
        self.options = self.Options(**options)
        self.statistics: Statistics | None = None
        self._start(self.new_analyser())

    def _start(self, analyser: Analyser) -> None:
        """Take up an analyser that has seen nothing but the terms of ``self.statistics``."""
        self.analyser = analyser

    @property
    def ready(self) -> bool:
        """Whether it can score: it is static, or it was fitted."""
        return not self.adaptive or self.statistics is not None

    @abstractmethod
    def prepare(self, texts: Sequence[str] | TermRows, *, threads: int | None = None) -> Any:
        """Analyse and weigh texts once, for any number of comparisons."""

    @abstractmethod
    def explain(self, left: str, right: str) -> Explanation:
        """Return the contributions that make up the score of two texts."""

    def fit(self, texts: Sequence[str]) -> Self:
        """Learn weights from a collection of texts; returns the measure itself."""
        analyser = self.new_analyser()
        return self.fit_to(Statistics.of(self.analyse(texts, analyser), len(analyser)), analyser)

    def fit_to(self, statistics: Statistics, analyser: Analyser) -> Self:
        """Take the weights from what was counted over the vocabulary of ``analyser``, which becomes the measure's."""
        self.statistics = statistics
        self._start(analyser)
        return self

    def fit_when_asked(self, read: Callable[[], tuple[Statistics, Analyser]]) -> Self:
        """Take the weights from what ``read`` returns, once somebody asks for a score: it may be more than is needed.

        >>> from likewise.measure import TfIdf
        >>> known = TfIdf().fit(["red fish", "blue fish"])
        >>> later = TfIdf().fit_when_asked(lambda: (known.statistics, known.analyser))
        >>> later.score("red", "red fish") == known.score("red", "red fish")
        True
        """
        self._read = read
        del self.statistics, self.analyser
        return self

    if not TYPE_CHECKING:  # a name that is nowhere stays an error to who checks types

        def __getattr__(self, name: str) -> Any:
            # Asked only for what is not there.
            if name not in ("statistics", "analyser") or "_read" not in vars(self):
                raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
            self.fit_to(*vars(self).pop("_read")())
            return vars(self)[name]

    @property
    def reads_terms(self) -> bool:
        """Whether the terms are all it needs of a text, so that ``prepare`` can take them instead."""
        return True

    def analyse(self, texts: Sequence[str], analyser: Analyser | None = None, *, positions: bool = False) -> TermRows:
        """Return the terms of texts, as this measure sees them."""
        return (self.analyser if analyser is None else analyser).terms(texts, positions=positions)

    def score(self, left: str, right: str) -> float:
        """Return the similarity of two texts."""
        for text in (left, right):
            if not isinstance(text, str):
                raise InputError(f"score compares two texts, but one is {type(text).__name__}, not a str")
        return super().score(left, right)

    def scores(
        self,
        lefts: Sequence[str],
        rights: Sequence[str],
        *,
        threads: int | None = None,
        progress: Progress | None = None,
    ) -> NDArray[np.float64]:
        """Return the similarity of ``lefts[i]`` and ``rights[i]`` for every i; each distinct text is analysed once."""
        known: dict[str, int] = {}
        left, right = distinct(lefts, known), distinct(rights, known)
        if len(left) != len(right):
            raise InputError(f"scores compares lists of equal length, not {len(left)} texts with {len(right)}")
        prepared = self.prepare(list(known), threads=threads)
        scorer = self.scorer(prepared, prepared)
        return _core.pair_scores(scorer, left, right, threads or 0, counted(progress, "blocks"))

    def to_json(self) -> dict[str, Any]:
        """Return the measure, with what it was fitted to, as plain values."""
        return {
            "measure": self.name,
            "options": self._values(),
            "statistics": self.statistics.to_json(self.analyser) if self.statistics else None,
        }

    def in_parts(self) -> dict[str, Any]:
        """Return what :meth:`to_json` gives, with lists of terms and their counts in parts (:class:`Parts`)."""
        learnt = self.statistics
        bare = type(self)(**self._values()).to_json()
        return bare | {"statistics": learnt.in_parts(self.analyser) if learnt else None}

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Self:
        """Make a measure of this class from what :meth:`to_json` gave."""
        options = {
            name: tuple(value) if isinstance(value, list) else value for name, value in values["options"].items()
        }
        return cls(**options)._taught(values.get("statistics"))

    def copy(self) -> Self:
        """Return a measure of its own with the same options, fitted to the same collection.

        >>> from likewise.measure import TfIdf
        >>> fitted = TfIdf().fit(["red fish", "blue fish"])
        >>> fitted.copy().score("red", "red fish") == fitted.score("red", "red fish")
        True
        """
        learnt = self.statistics
        return type(self)(**self._values())._taught(learnt.in_parts(self.analyser) if learnt else None)

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the options by name, as scikit-learn asks for them.

        >>> from likewise.measure import TfIdf
        >>> TfIdf(weights="tf").get_params()["weights"]
        'tf'
        """
        return self._values()

    def set_params(self, **options: Any) -> Self:
        """Change options in place, as scikit-learn does; what was learned from a collection is forgotten.

        >>> from likewise.measure import TfIdf
        >>> print(TfIdf().set_params(weights="tf"))
        tfidf(weights=tf)
        """
        type(self).__init__(self, **{**self._values(), **options})
        return self

    def _taught(self, statistics: Mapping[str, Any] | None) -> Self:
        if statistics:
            analyser = self.new_analyser()
            self.fit_to(Statistics.from_json(statistics, analyser), analyser)
        return self

    def _values(self) -> dict[str, Any]:
        return {field.name: getattr(self.options, field.name) for field in fields(self.Options)}

    def __str__(self) -> str:
        return show(self.name, self.options)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in self._values().items())})"

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[dict[str, Any]]]:
        return type(self).from_json, (self.to_json(),)

    def new_analyser(self) -> Analyser:
        """Return an analyser by the measure's options that has seen nothing yet."""
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
    if isinstance(texts, list):
        # It looks at each object once; checking the types of all before would take as long as all the rest.
        with suppress(TypeError):
            return _core.factorise(texts, known)
    return _core.factorise(texts_in(texts), known)
