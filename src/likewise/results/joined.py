"""Two tables side by side, by the pairs that a match found: the join that has no common key."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from likewise.options import check_choice
from likewise.read.tables import Records, check_columns
from likewise.results.base import Result

if TYPE_CHECKING:
    import pyarrow as pa

How = Literal["left", "inner", "anti"]
HOWS = ("left", "inner", "anti")
ALL = ("*",)
"""What says that all columns of the right table are brought along."""


@dataclass(frozen=True, slots=True, repr=False)
class Joined(Result[dict[str, Any]]):
    """Records of both tables side by side: the left columns, the right ones, the score, the probability."""

    table: "pa.Table"
    _noun = ("row", "rows")

    def _value(self, row: dict[str, Any]) -> dict[str, Any]:
        return row


def join(
    pairs: "pa.Table", left: Records, right: Records, how: How = "left", columns: Sequence[str] | None = None
) -> Joined:
    """Return the records of both tables side by side.

    ``left`` keeps every left record, ``inner`` those with a partner, ``anti`` those without one. ``columns`` are the
    right columns to bring along, all by default (the ids always); one that the left table has, too, gets the ending
    ``_right``. Behind them stand the score and, where it was decided, the probability.
    """
    import pyarrow.compute as pc

    check_choice("how", how, HOWS)
    left, right = _with_ids(left, "left"), check_joined(right, columns or ())
    a = pc.index_in(pairs.column("left"), value_set=left.ids).to_numpy()
    b = pc.index_in(pairs.column("right"), value_set=right.ids).to_numpy()
    wanted = brought(right.table.column_names, right.id_column, columns)
    return Joined(side_by_side(pairs, (a, b), left.table, right.table, wanted, how))


def brought(names: Sequence[str], id_column: str | None, columns: Sequence[str] | None) -> list[str]:
    """Return the right columns that are brought along: the ids always, by which the pair is found again."""
    wanted = list(names if columns is None else columns)
    return wanted if id_column is None or id_column in wanted else [id_column, *wanted]


def side_by_side(
    pairs: "pa.Table",
    rows: tuple[NDArray[np.int64], NDArray[np.int64]],
    left: "pa.Table",
    right: "pa.Table",
    wanted: Sequence[str],
    how: How,
) -> "pa.Table":
    """Return rows of two tables side by side: those that ``pairs`` are of, and left ones that are in none."""
    import pyarrow as pa

    a, b = rows
    alone = np.setdiff1d(np.arange(left.num_rows), a)
    if how == "anti":
        return left.take(pa.array(alone))
    missing = alone if how == "left" else alone[:0]
    lefts = np.concatenate([a, missing])
    order = np.argsort(lefts, kind="stable")
    rights = pa.array(np.concatenate([b, np.zeros(len(missing), b.dtype)]), mask=np.arange(len(lefts)) >= len(a))
    found = left.take(pa.array(lefts))
    for name in wanted:
        free = name if name not in found.column_names else f"{name}_right"
        found = found.append_column(free, right.column(name).take(rights))
    for name in ("score", "probability", "why"):
        if name in pairs.column_names:
            said = pairs.column(name).combine_chunks()
            free = name if name not in found.column_names else f"match_{name}"
            found = found.append_column(free, pa.concat_arrays([said, pa.nulls(len(missing), said.type)]))
    return found.take(pa.array(order))


def check_joined(right: Records, columns: Sequence[str]) -> Records:
    """Return the right records as they are joined, which have these columns, or else are told to lack them."""
    right = _with_ids(right, "right")
    check_columns(right.table, list(columns), right.name)
    return right


def _with_ids(records: Records, name: str) -> Records:
    """Return records whose ids, where they are more than positions (the index of a frame), are a column."""
    positions = [*range(len(records))]
    if records.id_column is not None or name in records.table.column_names or records.ids.to_pylist() == positions:
        return records
    return replace(records, table=records.table.add_column(0, name, records.ids), id_column=name)
