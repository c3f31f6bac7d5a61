"""The join engine's door: scored pairs of two sides, or of one side with itself, exactly.

Three questions, the same arguments throughout::

    top(scorer, k)              for each left text its k best right texts
    above(scorer, min_score)    every pair that scores min_score or more
    best(scorer, n)             the n best pairs of all

``scorer`` comes from a measure; what else they take is :class:`JoinOptions`.

What is reported, in every mode:

* only pairs with a score above 0, also where ``min_score`` is 0: texts that share nothing do not match;
* scores as the scorer gives them, to the last bit; ties are broken by left, then right position;
* with ``self_join`` no text is paired with itself. :func:`top` lists a pair under both texts; :func:`above` and
  :func:`best` list it once, with ``left < right``, or, where the measure is not symmetric, in the direction that scores
  higher.

The same bytes come out for any number of threads, and memory is bounded by the index and the result.
"""

import math
from dataclasses import dataclass
from typing import Any, TypedDict, Unpack

import numpy as np
from numpy.typing import NDArray

from likewise import _core
from likewise.errors import OptionError
from likewise.join.pairs import Pairs
from likewise.options import check_integer
from likewise.progress import Progress, counted


@dataclass(frozen=True, slots=True)
class Prepared:
    """The inverted lists of a right side, made once by :func:`prepare` for many joins with new left sides."""

    index: _core.JoinIndex
    right_size: int


class JoinOptions(TypedDict, total=False):
    """What :func:`top`, :func:`above` and :func:`best` all take besides their scorer; any of it may be left out."""

    bound: _core.DotScorer | None
    """A dot product over the same texts whose value is never below the score.

    Scorers of the families *dot product* and *spectra* have bounds of their own; of any other, without ``bound``, every
    pair is scored.
    """
    self_join: bool
    """Whether both sides are the same texts; then no text is paired with itself."""
    symmetric: bool | None
    """Whether both directions of a pair score the same; ``None``: as the scorer says."""
    prepared: Prepared | None
    """The inverted lists of the right side, from :func:`prepare`."""
    threads: int | None
    """Number of threads; ``None``: all cores."""
    progress: Progress | None
    """The callback that progress is reported to."""


def prepare(scorer: _core.PairScorer, *, bound: _core.DotScorer | None = None) -> Prepared:
    """Build the inverted lists of the right side of ``scorer``; pass the result to later joins as ``prepared``.

    The later scorers must have the very same right side (of ``bound``, where one is given).
    """
    index = _core.JoinIndex.build(scorer, bound)
    return Prepared(index, _core.join_sizes(scorer)[1])


def top(
    scorer: _core.PairScorer,
    k: int,
    *,
    min_score: float = 0.0,
    floors: NDArray[np.float64] | None = None,
    **options: Unpack[JoinOptions],
) -> Pairs:
    """Return for each left text its ``k`` best right texts that score ``min_score`` or more.

    ``floors``, where the right texts are some of many: what a partner of each left text must reach to be of interest,
    because it has ``k`` others as good; 0 where that is not known. Some that do not reach it may be returned.

    >>> from likewise import Matches
    >>> measure = Matches()
    >>> left, right = measure.prepare(["red house", "garden"]), measure.prepare(["the red house", "a house", "sea"])
    >>> list(top(measure.scorer(left, right), 1))
    [(0, 0, 2.0)]
    """
    check_integer("k", k, 1)
    return _join(_core.JoinMode.top, scorer, k, min_score, floors, **options)


def above(scorer: _core.PairScorer, min_score: float, **options: Unpack[JoinOptions]) -> Pairs:
    """Return every pair that scores ``min_score`` or more (and more than 0).

    >>> from likewise import Matches
    >>> measure = Matches()
    >>> texts = measure.prepare(["the red house", "a red door", "the red roof"])
    >>> list(above(measure.scorer(texts, texts), 2, self_join=True))
    [(0, 2, 2.0)]
    """
    return _join(_core.JoinMode.above, scorer, 0, min_score, **options)


def best(scorer: _core.PairScorer, n: int, *, min_score: float = 0.0, **options: Unpack[JoinOptions]) -> Pairs:
    """Return the ``n`` best pairs of all that score ``min_score`` or more.

    >>> from likewise import Matches
    >>> measure = Matches()
    >>> texts = measure.prepare(["the red house", "a red door", "the red roof"])
    >>> list(best(measure.scorer(texts, texts), 2, self_join=True))
    [(0, 2, 2.0), (0, 1, 1.0)]
    """
    check_integer("n", n, 1)
    return _join(_core.JoinMode.best, scorer, n, min_score, **options)


def _threads(threads: int | None) -> int:
    if threads is None:
        return 0
    check_integer("threads", threads, 1)
    return threads


def _check_min_score(value: Any) -> float:
    number = isinstance(value, int | float | np.integer | np.floating) and not isinstance(value, bool)
    if not number or not math.isfinite(value) or value < 0:
        raise OptionError(f"min_score must be a finite number of 0 or more, not {value!r}")
    return float(value)


def _join(
    mode: _core.JoinMode,
    scorer: _core.PairScorer,
    count: int,
    min_score: float,
    floors: NDArray[np.float64] | None = None,
    *,
    bound: _core.DotScorer | None = None,
    self_join: bool = False,
    symmetric: bool | None = None,
    prepared: Prepared | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Pairs:
    min_score = _check_min_score(min_score)
    count = min(count, 2**62)
    lefts, rights = _core.join_sizes(scorer)
    if self_join and lefts != rights:
        raise OptionError(f"self_join needs the same texts on both sides, not {lefts} and {rights}")
    if prepared is not None and prepared.right_size != rights:
        raise OptionError(f"prepared is of {prepared.right_size} texts, the right side has {rights}")
    left, right, score, stats = _core.join(
        scorer,
        bound=bound,
        index=None if prepared is None else prepared.index,
        mode=mode,
        count=count,
        min_score=min_score,
        self_join=self_join,
        symmetric=symmetric,
        threads=_threads(threads),
        progress=counted(progress, "blocks"),
        floors=floors,
    )
    return Pairs(left, right, score, stats)
