"""The compared columns of both sides, as numbered distinct texts."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from likewise.analyse import TermRows
from likewise.analyse.term_counts import CountedRows
from likewise.errors import ColumnError
from likewise.measure.fields import side_by_side
from likewise.measure.text import distinct
from likewise.read.long_texts import LongTexts, is_long, texts_at
from likewise.read.tables import Records, check_columns, texts_of

if TYPE_CHECKING:
    import pyarrow as pa

_LONG = 250  # bytes


@dataclass(frozen=True, slots=True)
class Column:
    """One compared column of one side: the distinct texts, and which one each record has (-1: none).

    A text that is null, empty or blank is no text. ``terms`` are those of the texts, where the measure that compares
    them has been fitted to them: each text is analysed once.
    """

    texts: Sequence[str]
    codes: NDArray[np.int64]
    terms: TermRows | CountedRows | None = None

    @classmethod
    def of(cls, values: Sequence[str | None]) -> "Column":
        """Number the distinct texts."""
        known: dict[str, int] = {}
        present = np.array([bool(value and value.strip()) for value in values], bool)
        codes = np.full(len(values), -1, np.int64)
        codes[present] = distinct([value for value in values if value and value.strip()], known)
        return cls(list(known), codes)

    @classmethod
    def of_array(cls, values: "pa.Array") -> "Column":
        """Number the distinct texts of an Arrow array; only those are looked at.

        >>> import pyarrow as pa
        >>> Column.of_array(pa.array(["b", None, " ", "a", "b"])).codes.tolist()
        [0, -1, -1, 1, 0]
        """
        found = values.dictionary_encode()
        texts = found.dictionary.to_pylist()
        present = np.array([not text.isspace() and text != "" for text in texts], bool)
        numbers = np.append(np.where(present, np.cumsum(present) - 1, -1), -1).astype(np.int64)
        codes = numbers[found.indices.fill_null(len(texts)).to_numpy(zero_copy_only=False)]
        return cls([text for text, there in zip(texts, present.tolist(), strict=True) if there], codes)

    def __len__(self) -> int:
        return len(self.codes)

    def values(self) -> list[str | None]:
        """Return the text of each record."""
        texts: list[str | None] = [*self.texts, None]
        return [texts[code] for code in self.codes.tolist()]

    def of_row(self, row: int) -> str | None:
        """Return the text of one record."""
        code = int(self.codes[row])
        return None if code < 0 else self.texts[code]

    def sample(self, step: int) -> list[str | None]:
        """Return the text of every ``step``-th record."""
        codes = self.codes[::step]
        if isinstance(self.texts, LongTexts):
            rows = np.arange(0, len(self.codes), step)[codes >= 0]
            present = iter(texts_at(self.texts.column, rows).to_pylist())
            return [None if code < 0 else next(present) for code in codes.tolist()]
        return [None if code < 0 else self.texts[code] for code in codes.tolist()]

    def to_prepare(self, chosen: NDArray[np.int64] | None = None) -> Sequence[str] | TermRows | CountedRows:
        """Return what a measure prepares: the terms where they are known, else the texts (all, or the chosen ones)."""
        if self.terms is not None:
            return self.terms if chosen is None else self.terms.take(chosen)
        return self.texts if chosen is None else [self.texts[code] for code in chosen.tolist()]

    def repeats(self) -> NDArray[np.int64]:
        """Return how many records have each text."""
        return np.bincount(self.codes[self.codes >= 0], minlength=len(self.texts))

    def all_texts(self) -> list[str]:
        """Return the texts of all records that have one, as often as they occur: what weights are learnt from."""
        return [self.texts[code] for code in self.codes[self.codes >= 0].tolist()]


def choose_columns(records: Records, wanted: Sequence[str], equal_on: Sequence[str]) -> list[str]:
    """Return the columns to compare: those wanted, or all but the id and those that must agree."""
    if wanted and list(wanted) != ["*"]:
        check_columns(records.table, wanted, records.name)
        return list(wanted)
    found = [name for name in records.comparable if name not in equal_on]
    if not found:
        raise ColumnError(f"{records.name} has no column to compare besides the id")
    return found


def field_columns(records: Records, names: Sequence[str], joined: bool) -> list[Column]:
    """Return each named column, or all of them joined to one text."""
    check_columns(records.table, names, records.name)
    if len(names) == 1 and is_long(records.table.column(names[0]), _LONG):
        return [Column(*LongTexts.distinct(records.table.column(names[0])))]
    columns = [texts_of(records.table, name, records.name) for name in names]
    if not joined or len(columns) == 1:
        return [Column.of_array(values) for values in columns]
    rows = zip(*(values.to_pylist() for values in columns), strict=True)
    return [Column.of([" ".join(part for part in row if part) for row in rows])]


def shown(columns: Sequence[Column], rows: NDArray[np.int64] | None = None) -> Any:
    """Return the records, or some of them, as an Arrow array of texts to show: their fields, side by side."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if len(columns) == 1 and isinstance(columns[0].texts, LongTexts):
        column, blank = columns[0].texts.column, columns[0].codes < 0
        column = pc.if_else(pa.array(blank), None, column) if blank.sum() > column.null_count else column
        return column if rows is None else column.take(pa.array(rows)).cast(pa.string())
    if rows is not None:
        columns = [replace(column, codes=column.codes[rows]) for column in columns]
    if len(columns) == 1:
        return pa.array(columns[0].values(), pa.string())
    values = zip(*(column.values() for column in columns), strict=True)
    return pa.array([side_by_side(row) or None for row in values], pa.string())


def keys(sides: Sequence[Records], equal_on: Sequence[str]) -> list[NDArray[np.int64]]:
    """Return for each side the keys of its records as numbers: equal ones agree in all columns, -1 with none."""
    found: list[NDArray[np.int64]] = [np.zeros(len(side), np.int64) for side in sides]
    sizes = np.cumsum([len(side) for side in sides])[:-1]
    for name in equal_on:
        known: dict[Any, int] = {}
        values = [value for side in sides for value in texts_of(side.table, name, side.name).to_pylist()]
        codes = np.array([-1 if value is None else known.setdefault(value, len(known)) for value in values], np.int64)
        before = np.concatenate(found)
        together = np.where((codes < 0) | (before < 0), -1, before * (len(known) + 1) + codes)
        # Numbers stay small: renumber over both sides.
        _, numbers = np.unique(together, return_inverse=True)
        found = np.split(np.where(together < 0, -1, numbers).astype(np.int64), sizes)
    return found
