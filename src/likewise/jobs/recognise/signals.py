"""Signals: the measures that a recogniser can choose from, computed together because they share their work.

All coefficients of one weighting scheme come from the same three numbers per pair (:meth:`Spectra.pair_parts`).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from likewise.measure import Measure, SoftTfIdf, Spectra, TfIdf
from likewise.measure.coefficient import resemblance

SCHEMES = ("none", "c", "idf", "qidf", "c.idf", "c.qidf", "idf.qidf", "c.idf.qidf")
COEFFICIENTS: tuple[str | float, ...] = (
    "overlap",
    -1.5,
    "harmonic",
    "cosine",
    "dice",
    10.0,
    "max",
    "jaccard",
    "coverage",
)
Q = (1, 4)


@dataclass(frozen=True, slots=True)
class Signal:
    """A measure, perhaps read from right to left (only coverage differs)."""

    measure: Measure
    swapped: bool = False

    def scores(self, lefts: Sequence[str], rights: Sequence[str]) -> NDArray[np.float64]:
        """Return the score of every pair."""
        return self.measure.scores(rights, lefts) if self.swapped else self.measure.scores(lefts, rights)

    def __str__(self) -> str:
        return f"{self.measure}, of left by right" if self.swapped else str(self.measure)


def candidates(
    lefts: Sequence[str], rights: Sequence[str], stem: str | None
) -> Iterator[tuple[Signal, NDArray[np.float64]]]:
    """Give every signal with its scores for the pairs; adaptive weights come from these texts (not the labels)."""
    texts = [*lefts, *rights]
    for scheme in SCHEMES:
        base = Spectra(q=Q, padding="none", weights=scheme, stem=stem)
        if base.adaptive:
            base.fit(texts)
        common, left, right = base.pair_parts(lefts, rights)
        for coefficient in COEFFICIENTS:
            measure = Spectra(q=Q, padding="none", weights=scheme, stem=stem, coefficient=coefficient)
            yield Signal(measure), resemblance(common, left, right, coefficient)
            if coefficient == "coverage":
                yield Signal(measure, True), resemblance(common, right, left, coefficient)
    for weights in ("tfidf", "idf", "boolean"):
        yield _scored(TfIdf(weights=weights, stem=stem), lefts, rights)
    yield _scored(SoftTfIdf(weights="idf", cut=0.7, stem=stem), lefts, rights)


def _scored(measure: Measure, lefts: Sequence[str], rights: Sequence[str]) -> tuple[Signal, NDArray[np.float64]]:
    if measure.adaptive:
        measure.fit([*lefts, *rights])
    return Signal(measure), measure.scores(lefts, rights)
