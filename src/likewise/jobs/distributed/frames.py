"""Spark DataFrames in and out: what a PySpark job imports."""

from dataclasses import dataclass
from typing import Any

from likewise.engines.options import EngineOptions
from likewise.jobs.distributed.asked import Job
from likewise.jobs.distributed.dedupe import dedupe_on
from likewise.jobs.distributed.match import match_on
from likewise.measure import Measure
from likewise.options import merge
from likewise.progress import Progress
from likewise.read.options import TableOptions
from likewise.records.options import DedupeOptions, MatchOptions
from likewise.results.stage_report import StageReport
from likewise.results.threshold import Threshold


def match(
    left: Any,
    right: Any = None,
    *,
    measure: Any = None,
    options: MatchOptions | None = None,
    work: str | None = None,
    memory: str = "2GB",
    progress: Progress | None = None,
    **named: Any,
) -> Any:
    """Find for each left record its best partners on the right, or every pair from a score on; return a DataFrame.

    ``left`` and ``right`` are Spark DataFrames; without ``right`` the left one is compared with itself. ``measure`` and
    the options are those of :func:`likewise.match`. ``work`` is a folder that driver and executors see under the same
    path; a run that was stopped goes on from what is in it. Records are numbered in the order of the DataFrame, which
    is their id where no column is named, and breaks ties. ``memory`` is that of a task.
    """
    settings: MatchOptions = merge(MatchOptions, options, named)
    return match_on(_job(work, memory, progress), left, right, measure, settings).to_spark(left.sparkSession)


@dataclass(frozen=True, slots=True)
class DedupedFrames:
    """What dedupe gives, as DataFrames with the columns of one machine: see :class:`likewise.DedupeResult`."""

    table: Any
    canonical: Any
    pairs: Any
    review: Any
    clusters: int
    threshold: Threshold
    measure: Measure
    notes: tuple[str, ...]
    report: StageReport


def dedupe(
    table: Any,
    *,
    measure: Any = None,
    options: DedupeOptions | None = None,
    work: str | None = None,
    memory: str = "2GB",
    progress: Progress | None = None,
    **named: Any,
) -> DedupedFrames:
    """Find the records of a DataFrame that are the same, and the one that stands for each.

    The options are those of :func:`likewise.dedupe`; records of several fields need a ``min_score``.
    """
    settings: DedupeOptions = merge(DedupeOptions, options, named)
    found = dedupe_on(_job(work, memory, progress), table, measure, settings)
    frames = {name: parts.to_spark(table.sparkSession) for name, parts in found.parts.items()}
    return DedupedFrames(**frames, clusters=len(found), threshold=found.threshold, measure=found.measure,
                         notes=found.notes, report=found.report)  # fmt: skip


def _job(work: str | None, memory: str, progress: Progress | None) -> Job:
    return Job(EngineOptions(work=work, memory=memory), TableOptions(), None, progress)
