"""Labelled pairs: two ids and whether they are the same record."""

import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likewise.errors import ColumnError, InputError, OptionError
from likewise.read.table_files import row_place
from likewise.read.tables import Records, TableOptions, check_columns, read_table, texts_of
from likewise.read.truth import KNOWN, truth
from likewise.records.model import Model

_BOTH = (
    "model and labels exclude each other: a model is applied, nothing is learnt; to go on with the labels that a model "
    "was learnt with, give it as labels, too (--labels model.json --labels more.csv)"
)
_SIDES = ("left", "right")
_NAMES = ("match", "label", "same")

Rows = NDArray[np.int64]


def asked_for(labels: Any) -> Any:
    """Return the labels, or ``None`` for an empty list: nobody has judged yet."""
    return None if isinstance(labels, list) and not labels else labels


def check_asked(labels: Any, model: Any) -> None:
    """Refuse labels where a model decides."""
    if labels is not None and model is not None:
        raise OptionError(_BOTH)


@dataclass(frozen=True)
class Judged:
    """A table of labels as it is written: the ids of both records, and what the ``column`` says of them."""

    source: Any
    name: str
    left: Sequence[str | None]
    right: Sequence[str | None]
    column: str
    said: Sequence[str | None]


Called = tuple[str, Mapping[str | None, int]]
"""What a table is called, and the positions of its records by id."""


def read_labels(
    source: Any, lefts: Records, rights: Records, read: TableOptions | None = None
) -> tuple[Rows, Rows, NDArray[np.bool_]]:
    """Return positions of the left and right records of labelled pairs, and whether they match.

    The table has the columns ``left``, ``right`` (ids) and ``match`` (or ``label``, ``same``): 1/0, true/false, yes/no.
    In Python, a list of tuples (left, right, match) will do. So does a model, or the file of one, that was learnt with
    labels; and a list of several of these, which are taken together.
    """
    sides = [_called(lefts)]
    sides.append(sides[0] if rights is lefts else _called(rights))
    return placed(judged_tables(source, read), sides[0], sides[1], read)


def _called(records: Records) -> Called:
    return records.name, {str(value): place for place, value in enumerate(records.ids.to_pylist())}


def judged_tables(source: Any, read: TableOptions | None = None) -> list[Judged]:
    """Return the tables of labels; the ids are not looked for yet."""
    several = source if isinstance(source, list) and not isinstance(source[0], tuple | dict) else [source]
    return [_read(one, read) for one in several]


def fingerprint(tables: Sequence[Judged]) -> str:
    """Return what tells labels from others."""
    said = [[one.left, one.right, one.said] for one in tables]
    return hashlib.sha256(json.dumps(said).encode()).hexdigest()


def placed(
    tables: Sequence[Judged], lefts: Called, rights: Called, read: TableOptions | None = None
) -> tuple[Rows, Rows, NDArray[np.bool_]]:
    """Return positions of the records of labelled pairs, and whether they match; of one table both sides are one."""
    found = [_placed(one, lefts, rights, read) for one in tables]
    seen: dict[tuple[int, ...], bool] = {}
    for one, judged in zip(tables, found, strict=True):
        for row, (a, b, same) in enumerate(zip(*(part.tolist() for part in judged), strict=True)):
            pair = (min(a, b), max(a, b)) if lefts is rights else (a, b)
            if seen.setdefault(pair, same) != same:
                place = row_place(one.source, row, read, _SIDES)
                raise InputError(f"{one.name}, {place}: the pair was judged the other way in a row before")
    left, right, match = zip(*found, strict=True)
    return np.concatenate(left), np.concatenate(right), np.concatenate(match)


def _read(source: Any, read: TableOptions | None) -> Judged:
    """Return one table of labels."""
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
    left, right, said = (texts_of(table.table, column, table.name).to_pylist() for column in (*_SIDES, name))
    return Judged(source, table.name, left, right, name, said)


def _placed(
    one: Judged, lefts: Called, rights: Called, read: TableOptions | None
) -> tuple[Rows, Rows, NDArray[np.bool_]]:
    """Return positions of both records of one table's pairs, and whether they match."""
    sides = []
    for ids, (name, positions) in ((one.left, lefts), (one.right, rights)):
        for row, value in enumerate(ids):
            if value not in positions:
                place = row_place(one.source, row, read, _SIDES)
                raise InputError(f"{one.name}, {place}: no record of {name} has the id {value!r}")
        sides.append(np.array([positions[value] for value in ids], np.int64))
    labels = [truth(value) for value in one.said]
    if None in labels:
        row = labels.index(None)
        place = row_place(one.source, row, read, _SIDES)
        raise InputError(f"{one.name}, {place}: {one.column} must be {KNOWN}, not {one.said[row]!r}")
    return sides[0], sides[1], np.array(labels, bool)
