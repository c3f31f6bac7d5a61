"""What a job on an engine is given. Cheap to import: callers may only want to know whether an engine is asked for."""

from dataclasses import dataclass
from typing import Any

from likewise.engines.options import EngineOptions
from likewise.progress import Progress
from likewise.read.options import TableOptions


@dataclass(frozen=True, slots=True)
class Job:
    """Where a job runs, and what it is given besides its own options."""

    running: EngineOptions
    read: TableOptions
    threads: int | None = None
    progress: Progress | None = None


def is_frame(source: Any) -> bool:
    """Whether something is a Spark DataFrame."""
    return hasattr(source, "sparkSession") and hasattr(source, "schema")
