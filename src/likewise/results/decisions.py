"""A decision about records as a value: the relation, what was looked at, and the expected precision and recall."""

import math
import os
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from likewise.errors import InputError
from likewise.results.decision_charts import bars, curves, waterfall, weights
from likewise.said import counted

if TYPE_CHECKING:
    import pyarrow as pa


_PARTNERS = {
    "1:1": "a record has one partner at most",
    "1:m": "a left record may have several partners, a right one has one at most",
    "m:1": "a right record may have several partners, a left one has one at most",
    "m:m": "a record has several partners",
}
_SHOWN = 0.05  # a lighter weight is not shown in a line
_WITHIN = {"1:1": "a record has one duplicate at most, as a rule", "m:m": "a record may have several duplicates"}


class MatchModel(Protocol):
    """What was learnt, to be applied to other records: ``lw.match(..., model=result.model)``, or its file."""

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the model as JSON."""

    def to_json(self) -> dict[str, Any]:
        """Return plain values."""
        ...


@dataclass(frozen=True, slots=True)
class Waterfall:
    """How the log odds of a pair add up: what they are ``before`` any evidence, then what each field adds.

    ``said``: whether the pair is given, and why or why not, in words.
    """

    left: Any
    right: Any
    weights: tuple[tuple[str, float], ...]
    said: str = ""

    @classmethod
    def of(cls, evidence: "pa.Table | None", left: Any, right: Any) -> "Waterfall":
        """Return that of a pair, by the ids of its records."""
        import pyarrow as pa
        import pyarrow.compute as pc

        if evidence is None:
            raise InputError("there are no weights: no model decided")
        ids = [evidence[side].cast(pa.string()) for side in ("left", "right")]
        for a, b in ((str(left), str(right)), (str(right), str(left))):
            found = evidence.filter(pc.and_(pc.equal(ids[0], a), pc.equal(ids[1], b))).to_pylist()
            if found:
                return cls(left, right, tuple((row["field"], row["weight"]) for row in found))
        raise InputError(f"{left!r} and {right!r} are no pair that was given or is doubtful")

    @property
    def probability(self) -> float:
        """The probability that all weights together are."""
        return 1 / (1 + math.exp(-sum(weight for _, weight in self.weights)))

    def to_text(self) -> str:
        """Return it as lines of a terminal: what was decided, then the weights, the heaviest first.

        >>> print(Waterfall("a", 7, (("before", -3.0), ("name", 5.06), ("born", 0.01)), "given").to_text())
        a and 7: given
        log odds +2.1: name +5.1, before -3.0
        """
        order = sorted(self.weights, key=lambda weight: -abs(weight[1]))
        shown = ", ".join(f"{name} {value:+.1f}" for name, value in order if abs(value) >= _SHOWN)
        total = sum(value for _, value in self.weights)
        said = f": {self.said}" if self.said else ""
        return f"{self.left} and {self.right}{said}\nlog odds {total:+.1f}: {shown}"

    def to_json(self) -> dict[str, Any]:
        """Return plain values."""
        return {
            "left": self.left,
            "right": self.right,
            "probability": self.probability,
            "said": self.said,
            "weights": list(self.weights),
        }

    def to_svg(self) -> str:
        """Return the chart."""
        return waterfall(self.weights, f"{self.left} and {self.right}")

    _repr_html_ = to_svg


@dataclass(frozen=True, slots=True)
class DecisionCurves:
    """The numbers behind the charts of a decision.

    ``probabilities``: how many records have their best partner in each twentieth from 0 to 1; ``weights``: the mean
    weight of each field (log odds) over the pairs given and over the other candidates; ``thresholds``: expected
    precision and recall of all pairs from a probability on; ``unlinkable``: the share of records without a partner
    from there on.
    """

    probabilities: tuple[int, ...] = ()
    weights: tuple[tuple[str, float, float], ...] = ()
    thresholds: tuple[tuple[float, float, float], ...] = ()
    unlinkable: tuple[tuple[float, float], ...] = ()


@dataclass(frozen=True, slots=True)
class DecisionSummary:
    """What a decision rests on, and the estimate of what it gives.

    ``relation``: ``1:1`` where records have one partner at most, ``1:m`` where a left record may have several, ``m:1``
    a right one, ``m:m`` both; ``candidates``: pairs that were looked at, the ``partners`` best of each record and more
    by single fields; ``matches``: how many there are by estimate; ``threshold``: the least probability of what is
    given; ``labels``: how many judged pairs it learnt from; ``model``: what was applied, where nothing was learnt;
    ``within``: whether these are records of one table; ``further``: how many matches would be found at most if twice as
    many partners were looked at, where that is known.

    ``recall`` and ``f1`` are ``None`` where only records that are equal in everything are given, as nothing else stands
    out: how many others are the same is not known then.
    """

    relation: str
    kinds: dict[str, str]
    candidates: int
    partners: int
    matches: float
    threshold: float
    precision: float
    recall: float | None
    f1: float | None
    wished: float | None = None
    curves: DecisionCurves = field(default=DecisionCurves(), repr=False)
    labels: int = 0
    model: str | None = None
    within: bool = False
    further: float | None = None

    def __str__(self) -> str:
        return self.to_text()

    def to_json(self) -> dict[str, Any]:
        """Return plain values."""
        return asdict(self)

    def _repr_html_(self) -> str:
        """Return the charts, for a notebook or a page."""
        drawn = self.curves
        precision = [(at, value) for at, value, _ in drawn.thresholds]
        recall = [(at, value) for at, _, value in drawn.thresholds]
        charts = {
            "Probability of each record's best partner": bars(
                drawn.probabilities, "Probabilities", "probability", self.threshold
            ),
            "What fields weigh: pairs given (blue), other candidates (red)": weights(drawn.weights, "Field weights"),
            "What to expect from a probability on": curves(
                {"precision": precision, "recall": recall}, "Precision and recall", "least probability"
            ),
            "Records that cannot be linked": curves(
                {"share of records": drawn.unlinkable}, "Unlinkable records", "least probability"
            ),
        }
        figures = (f"<figure><figcaption>{name}</figcaption>{chart}</figure>" for name, chart in charts.items())
        return f"<div>{''.join(figures)}</div>"

    def to_text(self) -> str:
        """Return it as lines of a terminal."""
        goal = "the best F1" if self.wished is None else f"precision {self.wished:g}"
        kinds = ", ".join(f"{name}: {kind}" for name, kind in self.kinds.items())
        kinds = kinds or "none, as no columns go together; all columns are compared as one text"
        learnt = f"with {counted(self.labels, 'label')}" if self.labels else "without labels"
        learnt = learnt if self.model is None else f"by {self.model}"
        how = (_WITHIN if self.within else _PARTNERS)[self.relation]
        return (
            f"decided {learnt} for {goal}: {how}\n"
            f"{self.candidates:,} candidates ({self.partners} of each record and more by field), "
            f"about {counted(round(self.matches), 'match', 'matches')}{self._further()}\n{self._expected()}\n"
            f"fields: {kinds}"
        )

    def _further(self) -> str:
        """Return what twice as many partners would find at most, if anything is to be found."""
        if self.further is None or not self.f1:
            return ""
        share = 100 * self.further / max(1.0, self.matches)
        return f" (twice as many partners would find {share:.1f} % more at most)"

    def _expected(self) -> str:
        """Return what is expected of what is given, or why nothing is."""
        given = f"given: pairs with a probability of {self.threshold:.2f} or more"
        if self.f1 is None or self.recall is None:
            return (
                f"expected precision {self.precision:.2f}; {given}, which are equal in all that is compared; nothing "
                "else stands out, so how many others are the same is not known (review lists the nearest)"
            )
        if self.f1:
            figures = f"precision {self.precision:.2f}, recall {self.recall:.2f}, F1 {self.f1:.2f}"
            return f"expected, as far as texts can tell: {figures}; {given}"
        if round(self.matches):
            return (
                "nothing is given: there should be matches, but nothing shows which ones, and in any list more pairs "
                "would be wrong than right (review lists the nearest)"
            )
        if self.within:
            return (
                "nothing is given, as nothing stands out: there may be no duplicates, or the compared fields do not "
                "identify a record (min_score=1, --min-score 1 takes what is equal in them for one)"
            )
        several = (
            ", or the compared fields do not identify a record (if several records of a table are the same: "
            "relation='m:m', --relation m:m)"
        )
        return (
            "nothing is given, as nothing stands out: there may be no match, or copies may hide it (all=True, --all "
            f"lists pairs){'' if self.relation == 'm:m' else several}"
        )
