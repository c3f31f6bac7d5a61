"""The engine that options ask for."""

from pathlib import Path
from typing import Any

from likewise.engines import Engine
from likewise.engines.options import EngineOptions
from likewise.platform import share_memory


def start(options: EngineOptions, session: Any, temporary: Path, threads: int) -> Engine:
    """Return an engine at work; ``session`` is a Spark session that the caller has."""
    session = options.session if session is None else session
    if session is not None or options.engine == "spark":
        from likewise.engines.spark import Spark

        return Spark(temporary, options.master, session, options.memory_bytes)
    from likewise.engines.duckdb import DuckDB

    share_memory()
    # The rest is for what the tasks hold.
    return DuckDB(max(96 << 20, options.room_bytes * 4 // 10), threads, temporary)
