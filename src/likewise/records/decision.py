"""A decision as a value: candidates, their probabilities, the evidence for each, and what was learnt."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from likewise.records.candidates import Candidates
from likewise.records.contrast import Contrast
from likewise.records.evidence import Evidence, FieldModel
from likewise.records.mixture import Levels
from likewise.records.partners import Relation
from likewise.records.relation import differing_fields
from likewise.records.runner_up import Calibration
from likewise.results.decisions import DecisionCurves, DecisionSummary

Values = NDArray[np.float64]
JOINED = "*"
"""The name of all compared columns as one text."""
RIVALS = "rivals"
"""The name of what other candidates of the two records add or take away."""
FEWEST = 20
"""Below so many records a side there is nothing to learn from."""


@dataclass(frozen=True)
class Least:
    """The least probability that is given, where that is known."""

    probability: float


Wish = float | Least | None
"""What is given: from a precision on, from a probability on, or what has the highest expected F1."""


KNOTS = tuple(map(float, range(-6, 7)))
"""Log odds at which labels bend them; each reaches about one to either side."""


@dataclass(frozen=True)
class Correction:
    """What labels taught: the ``bend`` of the odds at each knot, and a factor for what each field says."""

    bend: tuple[float, ...]
    factors: tuple[float, ...]


@dataclass(frozen=True)
class Learnt:
    """What was learnt from candidates, enough to decide on others; no record is in it.

    By name of the fields that tell: their ``levels``, the ``weights`` of these, the ``tilt`` of rare values. Of two
    tables with rivals: the ``contrast``, on which ``scale`` it is added, and the ``curve`` strength -> probability.
    With labels the ``correction`` of all that. ``threshold`` is the least probability that was given, ``size`` the
    number of records of the smaller side. ``texts``: of a single text that several records have, each is decided once.
    ``contest``: how much being ahead of rivals says (:mod:`.contest`).
    """

    relation: Relation
    self_join: bool
    names: tuple[str, ...] = ()
    levels: tuple[Levels, ...] = ()
    weights: tuple[tuple[float, ...], ...] = ()
    tilt: tuple[float | None, ...] = ()
    prior: float = 0.0
    contrast: Contrast | None = None
    scale: float = 1.0
    curve: tuple[tuple[float, ...], tuple[float, ...]] = ((), ())
    correction: Correction | None = None
    threshold: float | None = None
    size: int = 0
    texts: bool = False
    contest: float | None = None

    def wish(self, precision: float | None) -> Wish:
        """Return what is given: what has the wished precision, or what this gave."""
        return precision if precision is not None or self.threshold is None else Least(self.threshold)


@dataclass(frozen=True)
class Decision:
    """Candidates with their probability, and what each field says about them (``parts``, in log odds).

    ``keep`` are those that are decided to be the same; ``judged``, where there are labels: 1 the same, -1 not.
    ``further``: how many matches twice as many partners of each record would find at most (:mod:`.further`).
    """

    found: Candidates
    fields: tuple[str, ...]
    parts: Values
    prior: float
    odds: Values
    probability: Values
    keep: NDArray[np.bool_]
    relation: Relation
    calibration: Calibration
    evidence: tuple[Evidence, ...] = ()
    kinds: tuple[tuple[str, str], ...] = ()
    partners: int = 0
    learnt: Learnt | None = None
    numbers: tuple[tuple[str, FieldModel], ...] = ()
    judged: NDArray[np.int8] | None = None
    further: float | None = None

    @property
    def least(self) -> float:
        """The least probability that is given: the model's, where one is known, else that of what is kept."""
        return min(self.calibration.threshold, float(self.probability[self.keep].min(initial=1.0)))

    def summary(self, precision: float | None, model: str | None = None) -> DecisionSummary:
        """Return what the decision rests on (a ``model`` of that name, where one is known) and what to expect of it."""
        reached = self.calibration
        return DecisionSummary(
            str(self.relation),
            dict(self.kinds),
            len(self.found),
            self.partners,
            float(reached.matches),
            self.least,
            reached.precision,
            None if np.isnan(reached.recall) else reached.recall,
            None if np.isnan(reached.recall) else reached.f1,
            precision,
            self._curves(),
            0 if self.judged is None else int(np.count_nonzero(self.judged)),
            model,
            self.found.self_join,
            self.further,
        )

    def differing(self) -> list[str]:
        """Return the fields in which most pairs that are kept differ altogether, as members of a group do."""
        if self.relation is not Relation.MANY:
            return []
        kinds = [dict(self.kinds).get(name, "text") for name in self.fields]
        return [self.fields[place] for place in differing_fields(self.evidence, kinds, self.keep)]

    def _curves(self) -> DecisionCurves:
        """Return the numbers of the charts."""
        found, chance = self.found, self.probability
        best = np.zeros(found.lefts)
        np.maximum.at(best, found.left, chance)
        if found.self_join:
            np.maximum.at(best, found.right, chance)
        counts, _ = np.histogram(best, np.linspace(0, 1, 21))
        same = self.keep if self.keep.any() else chance >= 0.5
        means = [self.parts[chosen].mean(0) if chosen.any() else self.parts[:0].sum(0) for chosen in (same, ~same)]
        total = max(1e-9, float(chance.sum()))
        steps = np.linspace(0.02, 0.98, 49)
        given = [chance[chance >= step] for step in steps]
        return DecisionCurves(
            tuple(counts.tolist()),
            tuple(zip(self.fields, means[0].tolist(), means[1].tolist(), strict=True)),
            tuple(
                (float(at), float(part.mean()) if len(part) else 1.0, float(part.sum()) / total)
                for at, part in zip(steps, given, strict=True)
            ),
            tuple((float(at), float((best < at).mean())) for at in steps),
        )
