"""What match gives: a table of pairs with the measure that scored them."""

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from likewise.errors import InputError
from likewise.results.base import Marks, Result
from likewise.results.decision_report import write_report
from likewise.results.joined import How, Joined, join

if TYPE_CHECKING:
    import pyarrow as pa

    from likewise.measure import Measure
    from likewise.read.tables import Records
    from likewise.results.decisions import DecisionSummary, MatchModel, Waterfall
    from likewise.results.threshold import Threshold


@dataclass(frozen=True, slots=True)
class Match:
    """One pair: the ids of the two records, their score, the rank among the left record's partners, the texts."""

    left: Any
    right: Any
    score: float
    rank: int
    left_text: str
    right_text: str
    probability: float | None = None
    why: str | None = None


@dataclass(frozen=True, slots=True, repr=False)
class MatchResult(Result[Match]):
    """Matches as a table: ``left``, ``right``, ``score``, ``rank``, ``left_text``, ``right_text`` (and ``why``).

    ``measure.score(left_text, right_text)`` equals the score (with several fields it takes the two records instead).
    ``unmatched`` lists the records of both sides that are in no pair: ``side``, ``id``, ``text``. ``threshold`` is the
    minimum score where labels suggested it, with its histogram.

    Where it was decided which pairs match, each has a ``probability``; ``decision`` says how it was decided and what to
    expect of it, ``review`` lists the doubtful pairs, the most doubtful first, and ``evidence`` what each field says
    about the pairs of both, as weights in log odds: ``left``, ``right``, ``field``, ``weight``.

    >>> import likewise as lw
    >>> result = lw.match(["Gonzalo Gonzalez", "Ada Lovelace"], ["Lovelace, Ada", "Gonzales Gonzalo"])
    >>> [(match.left, match.right) for match in result]
    [(0, 1), (1, 0)]
    """

    table: "pa.Table"
    unmatched: "pa.Table"
    measure: "Measure"
    notes: tuple[str, ...] = ()
    threshold: "Threshold | None" = None
    decision: "DecisionSummary | None" = None
    review: "pa.Table | None" = None
    evidence: "pa.Table | None" = None
    sources: "tuple[Records, Records] | None" = None
    model: "MatchModel | None" = None
    columns: tuple[str, ...] | None = None
    weighed: "Callable[[Any, Any], Waterfall] | None" = None

    _noun = ("pair", "pairs")

    def _value(self, row: dict[str, Any]) -> Match:
        return Match(**row)

    def waterfall(self, left: Any, right: Any) -> "Waterfall":
        """Return how the log odds of two records add up, field by field, and why they are given, or not.

        Any two records may be asked for, by their ids; a notebook shows the chart.
        """
        from likewise.results.decisions import Waterfall

        return Waterfall.of(self.evidence, left, right) if self.weighed is None else self.weighed(left, right)

    def to_html(self, path: "str | os.PathLike[str]") -> None:
        """Write how it was decided to an HTML page: estimates, charts, and what speaks for and against some pairs."""
        if self.decision is None:
            raise InputError("there is nothing to report: no model decided (a score, or a raw list, was asked for)")
        write_report(path, self.decision, self.to_arrow(), self.review, self.evidence)

    def join(self, how: How = "left", columns: Sequence[str] | None = None) -> Joined:
        """Return both tables side by side, by these pairs: every left record (``left``), those with a partner
        (``inner``), or those without one (``anti``). ``columns`` are the right columns to bring along; by default
        those that ``match`` was told, or all.

        >>> import likewise as lw
        >>> people = [{"name": "Ada Lovelace"}, {"name": "Grace Hopper"}]
        >>> born = [{"name": "Lovelace, Ada", "born": 1815}]
        >>> list(lw.match(people, born, on="name", min_score=0.5).join(columns=["born"]).rows())
        [{'name': 'Ada Lovelace', 'born': 1815, 'score': 1.0}, {'name': 'Grace Hopper', 'born': None, 'score': None}]
        """
        if self.sources is None:
            raise InputError("the tables that were matched are not at hand: join a result of likewise.match")
        return join(self.to_arrow(), *self.sources, how, self.columns if columns is None else columns)

    def _marks(self, value: Match) -> Marks:
        from likewise.measure import TextMeasure

        if not isinstance(self.measure, TextMeasure) or value.left_text is None or value.right_text is None:
            return {}
        why = self.measure.explain(value.left_text, value.right_text)
        return {
            "left_text": [(span.start, span.end) for span in why.left_spans],
            "right_text": [(span.start, span.end) for span in why.right_spans],
        }
