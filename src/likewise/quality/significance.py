"""How sure a difference is: bootstrap confidence intervals and paired tests, seeded.

Both work on one value per item (average precision per query, right/wrong per pair), resampled or sign-flipped in
blocks, so that thousands of rounds stay cheap.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from likewise.errors import InputError
from likewise.options import check_integer, check_range

_BLOCK = 2**22  # cells of one resampling block: 32 MB of float64


@dataclass(frozen=True, slots=True)
class Interval:
    """An estimate with its bootstrap confidence interval."""

    value: float
    low: float
    high: float
    confidence: float


@dataclass(frozen=True, slots=True)
class Difference:
    """The mean difference ``b - a`` of two runs over the same items, its interval, and a two-sided p-value."""

    difference: float
    low: float
    high: float
    p_value: float
    better: int
    worse: int


def bootstrap(values: ArrayLike, *, confidence: float = 0.95, rounds: int = 10_000, seed: int = 0) -> Interval:
    """Return the mean of per-item values with a percentile bootstrap interval.

    >>> bootstrap([1.0, 1.0, 1.0]).low
    1.0
    """
    sample = _sample("values", values)
    _check(confidence, rounds)
    means = _resampled_means(sample, rounds, seed)
    tail = (1.0 - confidence) / 2.0
    low, high = np.quantile(means, [tail, 1.0 - tail])
    return Interval(float(sample.mean()), float(low), float(high), confidence)


def bootstrap_figure(
    figure: Callable[[NDArray[np.int64]], float], size: int, *, confidence: float = 0.95, rounds: int = 1_000,
    seed: int = 0,
) -> Interval:  # fmt: skip
    """Return any figure with its interval; ``figure`` gets the places of the resampled items (for F1, IAP)."""
    check_integer("size", size, 1)
    _check(confidence, rounds)
    random = np.random.default_rng(seed)
    draws = np.array([figure(random.integers(0, size, size)) for _ in range(rounds)])
    tail = (1.0 - confidence) / 2.0
    low, high = np.quantile(draws, [tail, 1.0 - tail])
    return Interval(float(figure(np.arange(size))), float(low), float(high), confidence)


def paired(a: ArrayLike, b: ArrayLike, *, confidence: float = 0.95, rounds: int = 10_000, seed: int = 0) -> Difference:
    """Compare two runs item by item: randomisation test (signs of the differences flipped at random) and interval.

    >>> paired([0.1] * 20, [0.9] * 20).p_value < 0.001
    True
    """
    left, right = _sample("a", a), _sample("b", b)
    if left.size != right.size:
        raise InputError(f"a paired test needs the same items: a has {left.size} values, b has {right.size}")
    _check(confidence, rounds)
    gaps = right - left
    observed = abs(gaps.mean())
    random = np.random.default_rng(seed)
    extreme = 0
    for start in range(0, rounds, step := max(1, _BLOCK // gaps.size)):
        count = min(step, rounds - start)
        signs = random.integers(0, 2, (count, gaps.size), dtype=np.int8) * 2 - 1
        extreme += int((np.abs(signs @ gaps) / gaps.size >= observed - 1e-12).sum())
    interval = bootstrap(gaps, confidence=confidence, rounds=rounds, seed=seed)
    return Difference(
        float(gaps.mean()),
        interval.low,
        interval.high,
        # The observed arrangement is one of the possible ones, hence the two ones.
        (extreme + 1) / (rounds + 1),
        int((gaps > 0).sum()),
        int((gaps < 0).sum()),
    )


def _sample(name: str, values: ArrayLike) -> NDArray[np.float64]:
    sample = np.asarray(values, dtype=np.float64).ravel()
    if not sample.size:
        raise InputError(f"{name} is empty: at least one item is needed")
    if np.isnan(sample).any():
        raise InputError(f"{name} holds a NaN")
    return sample


def _check(confidence: float, rounds: int) -> None:
    check_range("confidence", confidence, 0.5, 0.9999)
    check_integer("rounds", rounds, 1)


def _resampled_means(sample: NDArray[np.float64], rounds: int, seed: int) -> NDArray[np.float64]:
    random = np.random.default_rng(seed)
    means = np.empty(rounds)
    for start in range(0, rounds, step := max(1, _BLOCK // sample.size)):
        count = min(step, rounds - start)
        means[start : start + count] = sample[random.integers(0, sample.size, (count, sample.size))].mean(axis=1)
    return means
