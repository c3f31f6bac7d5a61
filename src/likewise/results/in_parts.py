"""Results of an engine: those in memory, but with tables as :class:`~likewise.results.parts.Parts` until asked for."""

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import MISSING, fields
from functools import partial
from typing import TYPE_CHECKING, Any

from likewise.errors import InputError
from likewise.results.clusters import DedupeResult, Tables
from likewise.results.joined import How, Joined
from likewise.results.matches import Match, MatchResult
from likewise.results.parts import Parts
from likewise.results.stage_report import StageReport
from likewise.results.threshold import Threshold

if TYPE_CHECKING:
    import pyarrow as pa

    from likewise.measure import Measure
    from likewise.results.decisions import DecisionSummary, MatchModel


class JoinedParts(Joined):
    """Records of both tables side by side, in ``parts`` that tasks wrote."""

    __slots__ = ("parts",)
    parts: Parts

    def __init__(self, parts: Parts) -> None:
        _fill(self, Joined, parts=parts)

    @property
    def table(self) -> "pa.Table":
        """The rows, read into memory."""
        return self.parts.to_arrow()

    def __len__(self) -> int:
        return len(self.parts)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        for batch in self.parts.to_batches():
            yield from batch.to_pylist()

    def to_spark(self, session: Any) -> Any:
        """Return the rows as a Spark DataFrame."""
        return self.parts.to_spark(session)

    def write(self, path: str | os.PathLike[str]) -> None:
        """Write the rows without holding them: one file as its name says, or a folder of Parquet files."""
        self.parts.write(path)

    def _part(self, places: slice) -> Joined:  # type: ignore[override]
        return Joined(self.table)._part(places)


class MatchParts(MatchResult):
    """A match that ran on an engine: what :class:`MatchResult` has, in ``parts`` on disk until it is asked for."""

    __slots__ = ("alone", "evidence_parts", "joining", "parts", "report", "review_parts")
    parts: Parts
    alone: Callable[[], Parts]
    review_parts: Parts | None
    evidence_parts: Parts | None
    joining: Callable[[How, Sequence[str] | None], Parts] | None
    report: StageReport

    def __init__(
        self,
        parts: Parts,
        alone: Callable[[], Parts],
        measure: "Measure",
        notes: tuple[str, ...],
        report: StageReport,
        *,
        threshold: Threshold | None = None,
        decision: "DecisionSummary | None" = None,
        review: Parts | None = None,
        evidence: Parts | None = None,
        model: "MatchModel | None" = None,
        joining: Callable[[How, Sequence[str] | None], Parts] | None = None,
        columns: tuple[str, ...] | None = None,
    ) -> None:
        decided = {"threshold": threshold, "decision": decision, "model": model}
        written = {"parts": parts, "alone": alone, "review_parts": review, "evidence_parts": evidence}
        joined = {"joining": joining, "columns": columns}
        _fill(self, MatchResult, measure=measure, notes=notes, report=report, **decided, **written, **joined)

    @property
    def table(self) -> "pa.Table":
        """The pairs, read into memory."""
        return self.parts.to_arrow()

    @property
    def unmatched_parts(self) -> Parts:
        """The records in no pair, which tasks write when they are first asked for."""
        return self.alone()

    @property
    def unmatched(self) -> "pa.Table":
        """The records in no pair, read into memory."""
        return self.unmatched_parts.to_arrow()

    @property
    def review(self) -> "pa.Table | None":
        """The doubtful pairs, where a model decided, read into memory."""
        return None if self.review_parts is None else self.review_parts.to_arrow()

    @property
    def evidence(self) -> "pa.Table | None":
        """What each field says of the pairs that are given or doubtful, read into memory."""
        return None if self.evidence_parts is None else self.evidence_parts.to_arrow()

    def __len__(self) -> int:
        return len(self.parts)

    def __iter__(self) -> Iterator[Match]:
        for batch in self.parts.to_batches():
            yield from map(self._value, batch.to_pylist())

    def to_spark(self, session: Any) -> Any:
        """Return the pairs as a Spark DataFrame."""
        return self.parts.to_spark(session)

    def join(self, how: How = "left", columns: Sequence[str] | None = None) -> JoinedParts:
        """Return both tables side by side, as :meth:`MatchResult.join` does: tasks write the rows to files."""
        if self.joining is None:
            raise InputError("the tables that were matched are not at hand: join a result of likewise.match")
        return JoinedParts(self.joining(how, self.columns if columns is None else columns))

    def write(self, path: str | os.PathLike[str]) -> None:
        """Write the pairs without holding them: one file as its name says, or a folder of Parquet files."""
        self.parts.write(path)

    def _part(self, places: slice) -> MatchResult:  # type: ignore[override]
        whole = MatchResult(self.table, self.unmatched, self.measure, self.notes)
        return whole._part(places)


class DedupeParts(DedupeResult):
    """A dedupe that ran on an engine: what :class:`DedupeResult` has, in ``parts`` on disk until it is asked for."""

    __slots__ = ("clusters", "merging", "parts", "report")
    parts: dict[str, Parts]
    merging: Callable[[], Parts]
    clusters: int
    report: StageReport

    def __init__(
        self,
        parts: dict[str, Parts],
        clusters: int,
        threshold: Threshold,
        measure: "Measure",
        notes: tuple[str, ...],
        report: StageReport,
        *,
        merging: Callable[[], Parts],
        decision: "DecisionSummary | None" = None,
        model: "MatchModel | None" = None,
    ) -> None:
        decided = {"clusters": clusters, "threshold": threshold, "decision": decision, "model": model}
        written = {"parts": parts, "merging": merging}
        _fill(self, DedupeResult, measure=measure, notes=notes, report=report, **decided, **written)

    @property
    def table(self) -> "pa.Table":
        """The cluster of each record, read into memory."""
        return self.parts["table"].to_arrow()

    @property
    def canonical(self) -> "pa.Table":
        """The table without its duplicates, read into memory."""
        return self.parts["canonical"].to_arrow()

    @property
    def pairs(self) -> "pa.Table":
        """The pairs that made the clusters, read into memory."""
        return self.parts["pairs"].to_arrow()

    @property
    def review(self) -> "pa.Table":
        """The doubtful pairs, read into memory."""
        return self.parts["review"].to_arrow()

    @property
    def evidence(self) -> "pa.Table | None":
        """What each field says of the pairs that are given or doubtful, where a model decided, read into memory."""
        return self.parts["evidence"].to_arrow() if "evidence" in self.parts else None

    @property
    def merged_parts(self) -> Parts:
        """One merged record per cluster, which tasks write when they are first asked for."""
        if "merged" not in self.parts:
            self.parts["merged"] = self.merging()
        return self.parts["merged"]

    @property
    def merged(self) -> "pa.Table":
        """One merged record per cluster, read into memory."""
        return self.merged_parts.to_arrow()

    def __len__(self) -> int:
        return self.clusters

    def to_spark(self, session: Any) -> Any:
        """Return the clusters as a Spark DataFrame; ``parts`` has the other tables."""
        return self.parts["table"].to_spark(session)

    def write(self, path: str | os.PathLike[str]) -> None:
        """Write the clusters without holding them: one file as its name says, or a folder of Parquet files."""
        self.parts["table"].write(path)

    def _part(self, places: slice) -> DedupeResult:  # type: ignore[override]
        whole = DedupeResult(
            self.table,
            Tables({name: partial(getattr, self, name) for name in ("canonical", "merged", "pairs", "review")}),
            self.threshold,
            self.measure,
            self.notes,
        )
        return whole._part(places)


def _fill(result: Any, kind: type, **values: Any) -> None:
    """Fill in a frozen result: what is not among the values keeps its default."""
    for field in fields(kind):
        computed = isinstance(getattr(type(result), field.name, None), property)
        if not computed and field.name not in values and field.default is not MISSING:
            object.__setattr__(result, field.name, field.default)
    for name, value in values.items():
        object.__setattr__(result, name, value)
