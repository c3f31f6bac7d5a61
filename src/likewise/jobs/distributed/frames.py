"""Spark DataFrames in and out."""

from typing import Any

from likewise.engines.options import EngineOptions
from likewise.jobs.distributed.asked import Job
from likewise.jobs.distributed.match import match_on
from likewise.options import merge
from likewise.progress import Progress
from likewise.read.options import TableOptions
from likewise.records.options import MatchOptions


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
    job = Job(EngineOptions(work=work, memory=memory), TableOptions(), None, progress)
    return match_on(job, left, right, measure, settings).to_spark(left.sparkSession)
