"""Labelled pairs: two ids and whether they are the same record."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from likewise.errors import ColumnError, InputError
from likewise.read.tables import Records, TableOptions, check_columns, read_table, texts_of
from likewise.read.truth import KNOWN, truth

_NAMES = ("match", "label", "same")

Rows = NDArray[np.int64]


def asked_for(labels: Any) -> Any:
    """Return the labels, or ``None`` for an empty list: nobody has judged yet."""
    return None if isinstance(labels, list) and not labels else labels


def read_labels(
    source: Any, lefts: Records, rights: Records, read: TableOptions | None = None
) -> tuple[Rows, Rows, NDArray[np.bool_]]:
    """Return positions of the left and right records of labelled pairs, and whether they match.

    The table has the columns ``left``, ``right`` (ids) and ``match`` (or ``label``, ``same``): 1/0, true/false, yes/no.
    In Python, a list of tuples (left, right, match) will do.
    """
    if isinstance(source, list) and isinstance(source[0], tuple):
        if any(len(row) != 3 for row in source):
            raise InputError("labels are tuples of three: the left id, the right id, and whether they match")
        source = {name: [row[place] for row in source] for place, name in enumerate(("left", "right", "match"))}
    table = read_table(source, read, wanted=["left", "right"], name="labels")
    check_columns(table.table, ["left", "right"], table.name)
    name = next((name for name in _NAMES if name in table.table.column_names), None)
    if name is None:
        raise ColumnError(f"{table.name} has no column 'match' that says which pairs are the same")
    sides = []
    for side, records in (("left", lefts), ("right", rights)):
        positions = {str(value): place for place, value in enumerate(records.ids.to_pylist())}
        found = []
        for row, value in enumerate(texts_of(table.table, side, table.name).to_pylist()):
            if value not in positions:
                raise InputError(f"{table.name}, row {row}: no record of {records.name} has the id {value!r}")
            found.append(positions[value])
        sides.append(np.array(found, np.int64))
    labels = []
    for row, value in enumerate(texts_of(table.table, name, table.name).to_pylist()):
        found_truth = truth(value)
        if found_truth is None:
            raise InputError(f"{table.name}, row {row}: {name} must be {KNOWN}, not {value!r}")
        labels.append(found_truth)
    seen: dict[tuple[int, ...], bool] = {}
    for row, (a, b, same) in enumerate(zip(sides[0].tolist(), sides[1].tolist(), labels, strict=True)):
        pair = (min(a, b), max(a, b)) if lefts is rights else (a, b)
        if seen.setdefault(pair, same) != same:
            raise InputError(f"{table.name}, row {row}: the pair was judged the other way in a row before")
    return sides[0], sides[1], np.array(labels, bool)
