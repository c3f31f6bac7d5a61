"""``Result``: what every job gives back, and what can be done with any of them.

A result is a sequence of values (``Match``, ``Cluster``, ``Link``, ``Paraphrase``, ``Hit``) over an Arrow table. A new
kind of result says how a row becomes a value (:meth:`Result._value`) and what its values are called (``_noun``); one
whose values are not the rows of its table overrides ``__len__``, ``__iter__`` and ``_part``.

>>> import likewise as lw
>>> result = lw.match(["Ada Lovelace", "Gödel, Kurt"], ["Kurt Gödel", "Lovelace, Ada"], min_score=0.1)
>>> result
MatchResult(2 pairs)
>>> result[0].right_text, [match.right for match in result[1:]], len(result.head(1))
('Lovelace, Ada', [0], 1)
"""

import os
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Self, TypeVar, overload

from likewise.errors import MissingExtraError, OptionError
from likewise.results.tables import ending_of, format_of, write_table
from likewise.said import counted

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl
    import pyarrow as pa

Value = TypeVar("Value")
Marks = dict[str, list[tuple[int, int]]]
"""Column -> (start, end) of the characters to mark in its text."""

_BATCH = 1024


class Result(Generic[Value]):
    """A finished job: values in their order, with an Arrow table under them.

    It is no ``collections.abc.Sequence``, of which polars would take the values instead of the table.
    """

    __slots__ = ()
    _noun: ClassVar[tuple[str, str]] = ("row", "rows")
    table: "pa.Table"

    # What a kind of result says of itself.

    def _value(self, row: dict[str, Any]) -> Value:
        """Return a row of the table as a value."""
        raise NotImplementedError

    def _part(self, places: slice) -> Self:
        """Return the result with some of its values only."""
        return replace(self, table=sliced(self.to_arrow(), places))  # type: ignore[type-var]

    def _marks(self, value: Value) -> Marks:
        """Return what to mark in the texts of a value where it is shown; nothing by default."""
        return {}

    def _written(self, ending: str) -> "pa.Table":
        """Return the table as a file with this ending has it."""
        return self.to_arrow()

    # A sequence.

    def __len__(self) -> int:
        return int(self.to_arrow().num_rows)

    def __iter__(self) -> Iterator[Value]:
        return map(self._value, self.rows())

    @overload
    def __getitem__(self, place: int) -> Value: ...
    @overload
    def __getitem__(self, place: slice) -> Self: ...
    def __getitem__(self, place: int | slice) -> Value | Self:
        if isinstance(place, slice):
            return self._part(place)
        count = len(self)
        if not -count <= place < count:
            raise IndexError(f"there is no {self._noun[0]} {place}: the result has {counted(count, *self._noun)}")
        return self._at(place % count)

    def _at(self, place: int) -> Value:
        return self._value(self.to_arrow().slice(place, 1).to_pylist()[0])

    def head(self, count: int = 5) -> Self:
        """Return the first values, as a result of the same kind."""
        return self[:count]

    def rows(self) -> Iterator[dict[str, Any]]:
        """Give the rows of the table as dicts."""
        for batch in self.to_arrow().to_batches(_BATCH):
            yield from batch.to_pylist()

    # A table.

    def to_arrow(self) -> "pa.Table":
        """Return the Arrow table."""
        return self.table

    def to_pandas(self) -> "pd.DataFrame":
        """Return a pandas DataFrame."""
        try:
            import pandas  # noqa: F401
        except ImportError as error:
            raise MissingExtraError("pandas", "frames") from error
        return self.to_arrow().to_pandas()

    def to_polars(self) -> "pl.DataFrame":
        """Return a polars DataFrame."""
        try:
            import polars
        except ImportError as error:
            raise MissingExtraError("polars", "frames") from error
        return polars.from_arrow(self.to_arrow())

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """Hand the table to any library that knows Arrow's C stream (``polars.DataFrame(result)``)."""
        return self.to_arrow().__arrow_c_stream__(requested_schema)

    # A file.

    def write(self, path: str | os.PathLike[str]) -> None:
        """Write the table as the name of the file says: .csv, .tsv, .jsonl, .json, .parquet, .xlsx; also .csv.gz."""
        ending = format_of(path)
        write_table(self._written(ending), path, ending)

    def to_csv(self, path: str | os.PathLike[str]) -> None:
        """Write CSV (with tabs if the file is called .tsv)."""
        self._write(path, ".tsv" if ending_of(path) == ".tsv" else ".csv")

    def to_jsonl(self, path: str | os.PathLike[str]) -> None:
        """Write a JSON object a line."""
        self._write(path, ".jsonl")

    def to_parquet(self, path: str | os.PathLike[str]) -> None:
        """Write Parquet."""
        self._write(path, ".parquet")

    def _write(self, path: str | os.PathLike[str], wanted: str) -> None:
        said = ending_of(path)
        if said not in (wanted, None):
            method = {".tsv": "to_csv"}.get(wanted, f"to_{wanted[1:]}")
            raise OptionError(
                f"{method} writes {wanted[1:]}, but the name {os.fspath(path)!r} says {said[1:]}: "
                f"use write(path), which goes by the name, or another name"
            )
        write_table(self._written(wanted), path, wanted)

    # Something to look at.

    def __repr__(self) -> str:
        notes = "" if len(self) else "".join(f"; {note}" for note in getattr(self, "notes", ()))
        return f"{type(self).__name__}({counted(len(self), *self._noun)}{notes})"

    def _repr_html_(self) -> str:
        from likewise.results.notebook import html_table

        shown = list(self.head(_SHOWN))
        first = self.to_arrow().slice(0, _SHOWN)
        marks = [self._marks(value) for value in shown] if len(shown) == first.num_rows else []
        return html_table(first, marks, repr(self), self.to_arrow().num_rows)


_SHOWN = 10  # rows in a notebook


def sliced(table: "pa.Table", places: slice) -> "pa.Table":
    """Return some rows of a table; rows in a row are not copied."""
    import pyarrow as pa

    start, stop, step = places.indices(table.num_rows)
    if step == 1:
        return table.slice(start, max(0, stop - start))
    return table.take(pa.array(range(start, stop, step), pa.int64()))
