"""What match gives: a table of pairs with the measure that scored them."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from likewise.errors import MissingExtraError

if TYPE_CHECKING:
    import pyarrow as pa

    from likewise.measure import Measure
    from likewise.records.measures import FieldsMeasure
    from likewise.records.threshold import Threshold


@dataclass(frozen=True, slots=True)
class Match:
    """One pair: the ids of the two records, their score, the rank among the left record's partners, the texts."""

    left: Any
    right: Any
    score: float
    rank: int
    left_text: str | None
    right_text: str | None
    why: str | None = None


@dataclass(frozen=True, slots=True)
class MatchResult:
    """Matches as a table: ``left``, ``right``, ``score``, ``rank``, ``left_text``, ``right_text`` (and ``why``).

    ``measure.score(left_text, right_text)`` equals the score (with several fields it takes the two records instead).
    ``unmatched`` lists the records of both sides that are in no pair: ``side``, ``id``, ``text``. ``threshold`` is the
    least score where it was suggested (``min_score="auto"``, or labels), with its histogram.

    >>> import likewise as lw
    >>> result = lw.match(["Gonzalo Gonzalez", "Ada Lovelace"], ["Lovelace, Ada", "Gonzales Gonzalo"])
    >>> [(match.left, match.right) for match in result]
    [(0, 1), (1, 0)]
    """

    table: "pa.Table"
    unmatched: "pa.Table"
    measure: "Measure | FieldsMeasure"
    notes: tuple[str, ...] = ()
    threshold: "Threshold | None" = None

    def __len__(self) -> int:
        return int(self.table.num_rows)

    def __iter__(self) -> Iterator[Match]:
        for batch in self.table.to_batches():
            for row in batch.to_pylist():
                yield Match(**row)

    def to_arrow(self) -> "pa.Table":
        """Return the Arrow table."""
        return self.table

    def to_pandas(self) -> Any:
        """Return a pandas DataFrame."""
        return to_pandas(self.table)

    def to_polars(self) -> Any:
        """Return a polars DataFrame."""
        return to_polars(self.table)

    def to_csv(self, path: str | os.PathLike[str]) -> None:
        """Write the table to a file: CSV, TSV, JSONL or Parquet, as its name says."""
        write(self.table, path)

    write = to_csv


def to_pandas(table: "pa.Table") -> Any:
    """Return an Arrow table as a pandas DataFrame."""
    try:
        import pandas  # noqa: F401
    except ImportError as error:
        raise MissingExtraError("pandas", "frames") from error
    return table.to_pandas()


def to_polars(table: "pa.Table") -> Any:
    """Return an Arrow table as a polars DataFrame."""
    try:
        import polars
    except ImportError as error:
        raise MissingExtraError("polars", "frames") from error
    return polars.from_arrow(table)


def write(table: "pa.Table", path: str | os.PathLike[str]) -> None:
    """Write a table as the name of the file says."""
    from likewise.results.tables import write_table

    write_table(table, path)
