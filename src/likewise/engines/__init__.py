"""Where batches run: an engine moves shards and tables and knows no stage's name.

:class:`Engine` is a handful of verbs: ``map`` runs a :class:`Task` over shards; ``load``, ``create``, ``drop``,
``fetch`` and ``write`` work on tables in SQL that every engine understands. :mod:`likewise.engines.duckdb` is the
embedded default, :mod:`likewise.engines.spark` the cluster. One conformance suite (``tests/engines``) runs on both.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    import pyarrow as pa

WHOLE = "_SUCCESS"
"""The file that says that a folder of Parquet files is whole."""

__all__ = ["WHOLE", "Apart", "Engine", "Task"]


class Task(Protocol):
    """What is done to shards: plain values in, plain values out, results in files that appear whole.

    An engine calls ``begin`` once in each place where it runs the task, ``shard`` for every shard there (from several
    threads, perhaps), and ``end`` with the number of the place. Any of it may be repeated after a failure.
    """

    def begin(self) -> Any:
        """Return what the shards of one place share."""

    def shard(self, state: Any, shard: Any) -> dict[str, Any]:
        """Do one shard and return its counts."""

    def end(self, state: Any, place: int) -> None:
        """Put down what the place has gathered."""


class Apart:
    """A task whose shards share nothing, and leave nothing behind but their files."""

    __slots__ = ()

    def begin(self) -> Any:
        """Nothing is shared."""
        return None

    def end(self, state: Any, place: int) -> None:
        """Nothing is gathered."""


class Engine(Protocol):
    """The verbs of an engine."""

    name: str
    places: int
    """How many shards it does at a time."""

    def map(self, task: Task, shards: Sequence[Any], done: Callable[[int], None]) -> list[dict[str, Any]]:
        """Run ``task`` over ``shards``; return their counts in order. ``done`` is told how many are finished."""

    def load(self, name: str, files: Sequence[Path]) -> None:
        """Make a table of Parquet files."""

    def create(self, name: str, sql: str) -> int:
        """Make a table from a query and return its number of rows."""

    def drop(self, name: str) -> None:
        """Forget a table."""

    def fetch(self, sql: str) -> "pa.Table":
        """Return the result of a query."""

    def write(self, sql: str, folder: Path) -> list[Path]:
        """Write the result of a query as Parquet files, by name in the order of the query; return them.

        What an earlier run wrote whole is left as it is.
        """

    def quoted(self, column: str) -> str:
        """Return a column's name as SQL has it, whatever is in it."""

    def close(self) -> None:
        """Release everything."""
