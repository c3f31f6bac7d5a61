"""Labelled pairs: two ids and whether they are the same record."""

import os
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likewise.errors import ColumnError, InputError
from likewise.read.table_files import row_place
from likewise.read.tables import Records, TableOptions, check_columns, read_table, texts_of
from likewise.read.truth import KNOWN, truth
from likewise.records.model import Model

BOTH = (
    "model and labels exclude each other: a model is applied, nothing is learnt; to go on with the labels that a model "
    "was learnt with, give it as labels, too (--labels model.json --labels more.csv)"
)
"""What is said where a model and labels are given."""
_SIDES = ("left", "right")
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
    In Python, a list of tuples (left, right, match) will do. So does a model, or the file of one, that was learnt with
    labels; and a list of several of these, which are taken together.
    """
    several = source if isinstance(source, list) and not isinstance(source[0], tuple | dict) else [source]
    found = [_read(one, lefts, rights, read) for one in several]
    seen: dict[tuple[int, ...], bool] = {}
    for one, (name, *judged) in zip(several, found, strict=True):
        for row, (a, b, same) in enumerate(zip(*(part.tolist() for part in judged), strict=True)):
            pair = (min(a, b), max(a, b)) if lefts is rights else (a, b)
            if seen.setdefault(pair, same) != same:
                place = row_place(one, row, read, _SIDES)
                raise InputError(f"{name}, {place}: the pair was judged the other way in a row before")
    _, left, right, match = zip(*found, strict=True)
    return np.concatenate(left), np.concatenate(right), np.concatenate(match)


def _read(
    source: Any, lefts: Records, rights: Records, read: TableOptions | None
) -> tuple[str, Rows, Rows, NDArray[np.bool_]]:
    """Return what one table of labels is called, positions of both records, and whether they match."""
    if isinstance(source, str | os.PathLike) and Model.is_one(source):
        source = Model.load(source)
    if isinstance(source, Model):
        if not source.labels:
            raise InputError(f"{source.name} was learnt without labels: it has none to go on with")
        source = list(source.labels)
    if isinstance(source, list) and isinstance(source[0], tuple):
        if any(len(row) != 3 for row in source):
            raise InputError("labels are tuples of three: the left id, the right id, and whether they match")
        source = {name: [row[place] for row in source] for place, name in enumerate((*_SIDES, "match"))}
    table = read_table(source, read, wanted=_SIDES, name="labels")
    check_columns(table.table, _SIDES, table.name)
    name = next((name for name in _NAMES if name in table.table.column_names), None)
    if name is None:
        raise ColumnError(f"{table.name} has no column 'match' that says which pairs are the same")
    sides = []
    for side, records in (("left", lefts), ("right", rights)):
        positions = {str(value): place for place, value in enumerate(records.ids.to_pylist())}
        found = []
        for row, value in enumerate(texts_of(table.table, side, table.name).to_pylist()):
            if value not in positions:
                place = row_place(source, row, read, _SIDES)
                raise InputError(f"{table.name}, {place}: no record of {records.name} has the id {value!r}")
            found.append(positions[value])
        sides.append(np.array(found, np.int64))
    labels = []
    for row, value in enumerate(texts_of(table.table, name, table.name).to_pylist()):
        found_truth = truth(value)
        if found_truth is None:
            place = row_place(source, row, read, _SIDES)
            raise InputError(f"{table.name}, {place}: {name} must be {KNOWN}, not {value!r}")
        labels.append(found_truth)
    return table.name, sides[0], sides[1], np.array(labels, bool)
