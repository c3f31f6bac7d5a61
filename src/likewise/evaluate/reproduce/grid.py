"""All 55 spectra [s:e] with 1 <= s <= e <= 10 of a data set, with the work of a single q done once.

For spectra of several q, |A|, |B| and what they have in common are sums over q of single-q values (eq. 4.5). So ten
matrices per padding, added up step by step, give all 55; unigrams are never padded and are shared by the paddings.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from likewise.evaluate.gold import GoldSet
from likewise.measure import Spectra
from likewise.measure.coefficient import resemblance
from likewise.quality.ranking import Ranking

Q_MAX = 10
PADDINGS = ("full", "single", "none")
Parts = tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]


@dataclass(frozen=True, slots=True)
class Cell:
    """The two figures of one spectrum: plain IAP, and the one that counts recall 1.0 as 0."""

    iap: float
    iap10: float
    curve: tuple[float, ...]


Grid = dict[str, dict[tuple[int, int], Cell]]  # padding -> (s, e) -> figures


def spectra_grid(gold: GoldSet, weights: str = "c") -> Grid:
    """Return the figures of all spectra, for the harmonic coefficient."""
    unigrams = single_q(gold, 1, "none", weights)
    grid: Grid = {}
    for padding in PADDINGS:
        parts = [unigrams, *(single_q(gold, q, padding, weights) for q in range(2, Q_MAX + 1))]
        grid[padding] = {spectrum: _figures(scores, gold) for spectrum, scores in _all_spectra(parts)}
    return grid


def single_q(gold: GoldSet, q: int, padding: str, weights: str) -> Parts:
    """Return the common cardinality of every pair, and both sides' cardinalities, for one q."""
    measure = Spectra(q=q, padding=padding, weights=weights)
    if measure.adaptive:
        measure.fit(gold.texts)
    return measure.parts(gold.lefts, gold.rights)


def _all_spectra(parts: list[Parts]) -> Iterator[tuple[tuple[int, int], NDArray[np.float64]]]:
    for start in range(1, len(parts) + 1):
        common, left, right = (array.copy() for array in parts[start - 1])
        for end in range(start, len(parts) + 1):
            if end > start:
                more = parts[end - 1]
                common += more[0]
                left += more[1]
                right += more[2]
            yield (start, end), resemblance(common, left[:, None], right[None, :], "harmonic")


def _figures(scores: NDArray[np.float64], gold: GoldSet) -> Cell:
    ranking = Ranking.of_matrix(steady(scores), gold.gold)
    return Cell(ranking.iap(), ranking.iap(full_recall=False), tuple(ranking.interpolated().tolist()))


def steady(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Round away the last bits, so that scores which are equal by the formulas are ties however they were added up."""
    return np.round(scores, 11)
