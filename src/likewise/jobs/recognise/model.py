"""The recogniser: one or two measures, their weights, and a threshold; a JSON file that people can read."""

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likewise.errors import DamagedError, ForeignError, InputError
from likewise.jobs.recognise.signals import Q, Signal
from likewise.measure import Explanation, Spectra, TextMeasure, from_json, parse
from likewise.measure.spectra_coverage import Uncovered, uncovered
from likewise.quality.pairs import LabelledPairs
from likewise.quality.ranking import Ranking, classification
from likewise.quality.significance import bootstrap
from likewise.seals import read_values, sealed
from likewise.storage import atomic_write

FORMAT, VERSION = "likewise recogniser", 1


@dataclass(frozen=True, slots=True)
class Part:
    """A signal in a combination: it adds ``weight * (score - centre) / spread``."""

    signal: Signal
    weight: float = 1.0
    centre: float = 0.0
    spread: float = 1.0


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a pair was decided as it was: each measure's explanation, and what of the right text the left lacks."""

    decision: bool
    score: float
    threshold: float
    measures: tuple[Explanation, ...]
    uncovered: tuple[Uncovered, ...]

    def to_json(self) -> dict[str, Any]:
        """Return plain values."""
        return {
            "decision": self.decision,
            "score": self.score,
            "threshold": self.threshold,
            "measures": [one.to_json() for one in self.measures],
            "uncovered": [
                {
                    "text": one.text,
                    "start": one.span.start,
                    "end": one.span.end,
                    "share": one.share,
                    "weight": one.weight,
                }
                for one in self.uncovered
            ],
        }


@dataclass(frozen=True, slots=True)
class Recogniser:
    """Decides about pairs of texts: yes where the score is at least the threshold; made by :func:`.recognise`."""

    parts: tuple[Part, ...]
    threshold: float
    protocol: Mapping[str, Any] = field(default_factory=dict)

    def scores(self, lefts: Sequence[str], rights: Sequence[str]) -> NDArray[np.float64]:
        """Return the score of every pair: a measure's own, or the weighted sum of two."""
        if len(lefts) != len(rights):
            raise InputError(f"pairs need lists of equal length, not {len(lefts)} and {len(rights)}")
        total = np.zeros(len(lefts))
        for part in self.parts:
            total += part.weight * (part.signal.scores(lefts, rights) - part.centre) / part.spread
        return total

    def predict(self, lefts: Sequence[str], rights: Sequence[str]) -> NDArray[np.bool_]:
        """Return yes or no for every pair."""
        return self.scores(lefts, rights) >= self.threshold

    def evaluate(self, test: Any, *, seed: int = 0) -> dict[str, Any]:
        """Return how well it does on labelled pairs: its own threshold, and beside it the oracle's.

        The oracle picks the threshold of the best F1 on the test pairs themselves, as the paper does; it is what a
        ranking could give, not what a user would get.
        """
        pairs = LabelledPairs.of(test)
        scores = self.scores(pairs.lefts, pairs.rights)
        guess = scores >= self.threshold
        best = Ranking.of(scores, pairs.labels).best_f1()
        interval = bootstrap((guess == pairs.labels).astype(float), seed=seed)
        return {
            "test": pairs.name,
            "honest": classification(pairs.labels, guess),
            "accuracy_interval": [interval.low, interval.high],
            "oracle": {
                "accuracy": best.accuracy,
                "precision": best.precision,
                "recall": best.recall,
                "f1": best.f1,
                "threshold": best.threshold,
            },
        }

    def explain(self, left: str, right: str) -> Reason:
        """Return why a pair is decided as it is, and what of the right text is not covered by the left."""
        score = float(self.scores([left], [right])[0])
        found = []
        for part in self.parts:
            sides = (right, left) if part.signal.swapped else (left, right)
            found.append(part.signal.measure.explain(*sides))
        spectra = next((part.signal.measure for part in self.parts if isinstance(part.signal.measure, Spectra)), None)
        if spectra is None:
            first = self.parts[0].signal.measure
            stem = first.options.stem if isinstance(first, TextMeasure) else None
            spectra = Spectra(q=Q, padding="none", weights="c", stem=stem)
        missing = uncovered(spectra, left, right)
        return Reason(score >= self.threshold, score, self.threshold, tuple(found), missing)

    def to_json(self) -> dict[str, Any]:
        """Return plain values. Word counts stand once, for all measures are fitted to the same texts."""
        collection = next(
            (part.signal.measure.to_json()["statistics"] for part in self.parts if part.signal.measure.adaptive), None
        )
        return {
            "format": FORMAT,
            "version": VERSION,
            "decision": "yes where the sum of weight * (score - centre) / spread is at least the threshold",
            "threshold": self.threshold,
            "measures": [
                {
                    "measure": str(part.signal.measure),
                    "reads": "right to left" if part.signal.swapped else "left to right",
                    "weight": part.weight,
                    "centre": part.centre,
                    "spread": part.spread,
                }
                for part in self.parts
            ],
            "protocol": dict(self.protocol),
            "collection": collection,
        }

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the model as JSON; whole or not at all."""
        with atomic_write(path, "w", encoding="utf-8") as file:
            json.dump(sealed(self.to_json()), file, indent=1, ensure_ascii=False)
            file.write("\n")

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> "Recogniser":
        """Read a model that :meth:`save` wrote; refuse in words what is something else or damaged."""
        values = read_values(path)
        if values.get("format") != FORMAT:
            raise ForeignError(f"{os.fspath(path)} is not a recogniser that Likewise wrote")
        if values.get("version") != VERSION:
            raise ForeignError(
                f"{os.fspath(path)} is of version {values.get('version')}; this Likewise reads version {VERSION}"
            )
        try:
            parts = tuple(_part(one, values["collection"]) for one in values["measures"])
            return cls(parts, float(values["threshold"]), values.get("protocol", {}))
        except (KeyError, TypeError, ValueError) as error:
            raise DamagedError(f"{os.fspath(path)} lacks or garbles {error}") from error


def _part(values: Mapping[str, Any], collection: Mapping[str, Any] | None) -> Part:
    measure = parse(values["measure"])
    if measure.adaptive:
        measure = from_json({**measure.to_json(), "statistics": collection})
    signal = Signal(measure, values["reads"] == "right to left")
    return Part(signal, float(values["weight"]), float(values["centre"]), float(values["spread"]))
