"""Options of the engines: where work runs, and what it may take."""

import re
from dataclasses import dataclass
from typing import Any

from likewise.errors import OptionError
from likewise.options import check_choice, option

ENGINES = ("duckdb", "spark")
MEMORY = "2GB"
"""What an engine may take where nothing is said."""
_BASE = 224 << 20  # what Python, Arrow and DuckDB take before there is any text
# Below this little is left: of a limit of 256 MB, 400 MB of text took 490, in many times the time. Spark has tables.
_LEAST, _LEAST_OF_TASK = 512 << 20, 256 << 20


@dataclass(frozen=True, slots=True)
class EngineOptions:
    """Where work runs that can outgrow one machine's memory.

    >>> EngineOptions(engine="spark", memory="much")
    Traceback (most recent call last):
    ...
    likewise.errors.OptionError: memory must be a size such as 512MB or 4GB, not 'much'

    Who names a limit wants it kept, which blocks on disk do:

    >>> EngineOptions(memory="512MB").engine
    'duckdb'
    """

    engine: Any = option(
        None,
        "Where the work runs: in blocks on disk (duckdb), on a cluster (spark; in Python also a Spark session), or, if "
        "not given, in the memory of this process.",
        choices=ENGINES,
        cli_type=str | None,
    )
    master: str | None = option(None, "URL of the Spark master (engine spark), such as spark://host:7077 or local[2].")
    memory: str | None = option(
        None,
        "Memory limit (on Spark, of each task), such as 1GB: at least 512MB, on Spark 256MB. What does not fit goes to "
        "disk; what must fit and does not is refused. "
        f"Default with an engine: {MEMORY}; a limit without an engine means duckdb.",
    )
    work: str | None = option(
        None,
        "Folder for intermediate tables, visible to all workers; a run that was stopped continues from it (default: "
        "next to the output, until all is written).",
    )

    def __post_init__(self) -> None:
        if self.engine is None and self.memory is not None:
            object.__setattr__(self, "engine", "duckdb")
        if self.engine is not None and self.session is None:
            check_choice("engine", self.engine, ENGINES)
        if self.master is not None and self.engine != "spark":
            raise OptionError(f"master {self.master!r} is for engine 'spark', not {self.engine!r}")
        least = _LEAST if self.engine == "duckdb" else _LEAST_OF_TASK
        if self.memory_bytes < least:
            raise OptionError(f"memory must be {least >> 20}MB or more, not {self.memory!r}")

    @property
    def session(self) -> Any:
        """The Spark session that was given as engine."""
        return self.engine if hasattr(self.engine, "sparkContext") else None

    @property
    def limit(self) -> str:
        """The memory, as it was named."""
        return MEMORY if self.memory is None else self.memory

    @property
    def memory_bytes(self) -> int:
        """The memory in bytes."""
        found = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([kmgt]?)i?b?\s*", self.limit.lower())
        if not found:
            raise OptionError(f"memory must be a size such as 512MB or 4GB, not {self.memory!r}")
        return int(float(found[1]) * 1024 ** " kmgt".index(found[2] or " "))

    @property
    def room_bytes(self) -> int:
        """What is left of it for tables and texts."""
        return self.memory_bytes - _BASE
