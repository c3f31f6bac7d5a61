"""Gold in tables: pairs of ids that belong together, or a column that names each record's entity."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from likewise.errors import ColumnError, FormatError, InputError, OptionError
from likewise.evaluate.gold.sets import GoldSet, gold_set
from likewise.read.table_files import row_place
from likewise.read.tables import Records, check_columns, read_table, texts_of
from likewise.read.truth import KNOWN, truth


def gold_pairs(source: Any) -> set[tuple[str, str]]:
    """Read pairs of ids: columns ``left`` and ``right``, else the first two.

    A column ``label``, ``gold`` or ``correct`` says which rows are right (all, where there is none).
    """
    table = read_table(source, wanted=("left", "right")).table
    names = table.column_names
    if len(names) < 2:
        raise ColumnError(f"{source} has {len(names)} column; gold pairs need two: left and right")
    sides = ("left", "right") if {"left", "right"} <= set(names) else (names[0], names[1])
    lefts, rights = (texts_of(table, side, str(source)).to_pylist() for side in sides)
    label = next((name for name in ("label", "gold", "correct") if name in names), None)
    marks = texts_of(table, label, str(source)).to_pylist() if label else ["1"] * len(lefts)
    pairs = set()
    for row, (a, b, mark) in enumerate(zip(lefts, rights, marks, strict=True)):
        right = truth(mark)
        if right is None:
            place = row_place(source, row, wanted=("left", "right"))
            raise FormatError(f"{source}, {place}: {label} must be {KNOWN}, not {mark!r}")
        if right and a is not None and b is not None:
            pairs.add((a, b))
    if not pairs:
        raise FormatError(f"{source} holds no gold pairs")
    return pairs


def entities(source: Any, entity: str, *, id: str | None = None, pattern: str | None = None) -> dict[str, str]:  # noqa: A002
    """Read the entity of each record: id -> entity. ``pattern`` takes its first group out of the column's value.

    >>> table = [{"rec": "rec-7-org"}, {"rec": "rec-7-dup-0"}]
    >>> entities(table, "rec", pattern=r"rec-(\\d+)")
    {'0': '7', '1': '7'}
    """
    records = read_table(source, id=id, wanted=(entity,))
    values = texts_of(records.table, entity, str(records.name)).to_pylist()
    return dict(zip(_ids(records), (_entity(value, pattern) for value in values), strict=True))


def two_tables(
    left: Any,
    right: Any,
    *,
    gold: Any = None,
    on: Sequence[str] | None = None,
    id: str | None = None,  # noqa: A002 - the word users see
    entity: str | None = None,
    pattern: str | None = None,
    name: str = "tables",
) -> GoldSet:
    """Read two tables as a gold set; the truth is a table of id pairs, or an entity column that both have.

    The text of a record is the columns ``on`` (all but id and entity otherwise), joined by blanks.
    """
    if (gold is None) == (entity is None):
        raise InputError("give either gold (a table of id pairs) or entity (a column that both tables have)")
    sides = [read_table(source, id=id, wanted=[*(on or ()), *([entity] if entity else [])]) for source in (left, right)]
    lefts, rights = (dict(zip(_ids(side), _texts(side, on, entity), strict=True)) for side in sides)
    if gold is not None:
        return gold_set(name, lefts, rights, dict.fromkeys(sorted(gold_pairs(gold)), 1))
    owners = [
        [_entity(value, pattern) for value in texts_of(side.table, str(entity), side.name).to_pylist()]
        for side in sides
    ]
    places: dict[str, list[int]] = {}
    for at, value in enumerate(owners[1]):
        places.setdefault(value, []).append(at)
    pairs = [(at, other) for at, value in enumerate(owners[0]) if value for other in places.get(value, ())]
    table = np.array(pairs, dtype=np.int64).reshape(-1, 2)
    ones = np.ones(len(table), dtype=np.int64)
    return GoldSet(name, list(lefts), list(lefts.values()), list(rights), list(rights.values()), table, ones)


def febrl(folder: str | Path) -> GoldSet:
    """Read Febrl's dataset4a/4b (made-up people, one duplicate each): the number in ``rec_id`` is the person."""
    folder = Path(folder)
    return two_tables(
        folder / "dataset4a.csv", folder / "dataset4b.csv", entity="rec_id", pattern=r"rec-(\d+)", name="febrl4"
    )


def _ids(records: Records) -> list[str]:
    return [str(key) for key in records.ids.to_pylist()]


def _texts(records: Records, on: Sequence[str] | None, entity: str | None) -> list[str]:
    names = list(on) if on else [name for name in records.columns if name != entity]
    check_columns(records.table, names, records.name)
    columns = [texts_of(records.table, name, records.name).to_pylist() for name in names]
    return [" ".join(value.strip() for value in row if value and value.strip()) for row in zip(*columns, strict=True)]


def _entity(value: str | None, pattern: str | None) -> str:
    if value is None or pattern is None:
        return (value or "").strip()
    try:
        match = re.search(pattern, value)
    except re.error as error:
        raise OptionError(f"pattern {pattern!r} is not a regular expression: {error}") from error
    if match is None:
        return ""
    return match[1] if match.re.groups else match[0]
