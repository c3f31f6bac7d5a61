"""Every published figure as a row: what was measured how, the value, and how near ours must come.

The rows are in ``published.csv`` beside this package. A row without tolerance is shown but not held against us: figures
that the paper quotes from others, and figures known to be odd, with the reason in ``note``.
"""

import csv
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

TASKS = ("er", "ir", "paraphrase", "entailment")


@dataclass(frozen=True, slots=True)
class Published:
    """One published figure."""

    id: str
    source: str
    """``paper``, or ``check`` for a figure of our own that was computed independently of this package."""
    table: str
    task: str
    set: str
    measure: str
    q: str
    padding: str
    weights: str
    coefficient: str
    stem: str
    variant: str
    """A slip of the published computation that must be repeated to get its figure, or empty."""
    metric: str
    expected: float
    tolerance: float | None
    note: str

    @property
    def command(self) -> str:
        """The command that computes this row."""
        return f"likewise reproduce DATA --rows {self.id}"


@cache
def rows() -> tuple[Published, ...]:
    """Return all rows, in the order of the paper.

    >>> len(rows()) > 300 and rows()[0].expected
    0.9091
    """
    text = files("likewise.evaluate").joinpath("published.csv").read_text(encoding="utf-8")
    found = []
    for record in csv.DictReader(text.splitlines()):
        numbers = {
            "expected": float(record.pop("expected")),
            "tolerance": _optional(record.pop("tolerance")),
        }
        found.append(Published(**record, **numbers))  # type: ignore[arg-type]
    return tuple(found)


def _optional(value: str) -> float | None:
    return float(value) if value else None
