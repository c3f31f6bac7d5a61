"""How it was decided which records are the same, as a value: the relation, what was looked at, what to expect."""

from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class DecisionSummary:
    """What a decision rests on, and the estimate of what it gives; no labels were seen.

    ``relation``: whether records have ``one`` partner at most or ``many``; ``candidates``: pairs that were looked at,
    the ``partners`` best of each record and more by single fields; ``matches``: how many there are by estimate;
    ``threshold``: the least probability of what is given.
    """

    relation: str
    kinds: dict[str, str]
    candidates: int
    partners: int
    matches: float
    threshold: float
    precision: float
    recall: float
    f1: float
    wished: float | None = None

    def to_json(self) -> dict[str, Any]:
        """Return plain values."""
        return asdict(self)

    def to_text(self) -> str:
        """Return it as lines of a terminal."""
        goal = "the best F1" if self.wished is None else f"precision {self.wished:g}"
        kinds = ", ".join(f"{name}: {kind}" for name, kind in self.kinds.items())
        how = "one partner at most" if self.relation == "one" else "several partners"
        return (
            f"decided without labels for {goal}: a record has {how}; {self.candidates} candidates "
            f"({self.partners} of each record and more by field), about {self.matches:.0f} matches\n"
            f"expected: precision {self.precision:.2f}, recall {self.recall:.2f}, F1 {self.f1:.2f}; "
            f"given from probability {self.threshold:.2f} on; --all gives the raw list\nfields: {kinds}"
        )
