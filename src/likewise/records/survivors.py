"""Survivorship: one merged record per cluster, field by field, by simple rules.

* ``frequent``: the value that most records have; of equals the longest, then the first;
* ``longest``: the longest value, then the first;
* ``newest``: the value of the newest record that has one, by the column ``newest_by`` (dates in their usual forms, or
  numbers), then the last.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from likewise.errors import OptionError
from likewise.options import check_choice
from likewise.records.dates import as_iso, iso_dates, parse_date
from likewise.records.kinds import number
from likewise.records.options import FREQUENT, LONGEST, NEWEST, SURVIVORS

if TYPE_CHECKING:
    import pyarrow as pa

Rows = NDArray[np.int64]


def merged_records(
    table: "pa.Table",
    groups: Rows,
    chosen: Rows,
    rules: Mapping[str, str],
    newest_by: str | None = None,
    id: str | None = None,  # noqa: A002 - the word users see
    day_first: bool | None = None,
) -> "pa.Table":
    """Return one row per cluster, in the order of the record that stands for it (``chosen``), whose ``id`` it keeps.

    ``rules``: column -> rule; ``*`` is that of all other columns. ``day_first``: how ``newest_by`` writes dates, where
    the table is a part of another, which shows it.

    >>> import pyarrow as pa
    >>> table = pa.table({"name": ["A. Byron", "Ada Byron", "Kurt"], "town": ["Rome", "Rome", None]})
    >>> merged_records(table, np.array([0, 0, 2]), np.array([0, 2]), {"*": "frequent", "name": "longest"}).to_pylist()
    [{'name': 'Ada Byron', 'town': 'Rome'}, {'name': 'Kurt', 'town': None}]
    """
    import pyarrow as pa

    check_rules(table, rules, newest_by)
    order = np.sort(chosen)
    members: dict[int, list[int]] = {int(groups[row]): [] for row in order}
    for row, cluster in enumerate(groups.tolist()):
        members[cluster].append(row)
    ages = _ages(table, newest_by, day_first) if NEWEST in rules.values() else None
    columns = {}
    for name in table.column_names:
        values = table[name].to_pylist()
        if name == id:
            columns[name] = pa.array([values[row] for row in order], table[name].type)
            continue
        rule = rules.get(name, rules.get("*", FREQUENT))
        kept = [_survivor(values, members[int(groups[row])], rule, ages) for row in order]
        columns[name] = pa.array(kept, table[name].type)
    return pa.table(columns)


def check_rules(table: "pa.Table", rules: Mapping[str, str], newest_by: str | None = None) -> None:
    """Refuse rules for columns that the table does not have, and unknown rules."""
    unknown = sorted(set(rules) - {"*", *table.column_names})
    if unknown:
        raise OptionError(f"survivor names the column {unknown[0]!r}, which the table has not")
    for name, rule in rules.items():
        check_choice(f"the survivor of {name}", rule, SURVIVORS)
    if NEWEST in rules.values() and newest_by is None:
        raise OptionError("the survivor 'newest' needs newest_by, the column that says how new a record is")
    if NEWEST in rules.values() and newest_by not in table.column_names:
        raise OptionError(f"newest_by names the column {newest_by!r}, which the table has not")


def _survivor(values: Sequence[Any], rows: Sequence[int], rule: str, ages: Sequence[float] | None) -> Any:
    there = [row for row in rows if values[row] is not None and str(values[row]).strip()]
    if len(there) < 2:
        return values[there[0]] if there else None
    if rule == NEWEST and ages is not None:
        return values[max(there, key=lambda row: (ages[row], row))]
    counts = Counter(_counted(values[row]) for row in there) if rule != LONGEST else Counter()
    best = max(there, key=lambda row: (counts[_counted(values[row])], len(str(values[row])), -row))
    return values[best]


def _counted(value: Any) -> Any:
    """Return what stands for a value where equal ones are counted: lists, maps and structs have no hash."""
    return repr(value) if isinstance(value, list | dict) else value


def newest_texts(table: "pa.Table", newest_by: str | None) -> list[str]:
    """Return the texts that say how new records are."""
    return ["" if value is None else str(value) for value in table[newest_by].to_pylist()]


def _ages(table: "pa.Table", newest_by: str | None, day_first: bool | None) -> list[float]:
    """Return for each record a number that is higher the newer it is."""
    texts = newest_texts(table, newest_by)
    return [_age(text) for text in (as_iso(texts) if day_first is None else iso_dates(texts, day_first))]


def _age(text: str) -> float:
    if parts := parse_date(text):
        year, month, day = parts
        return (year * 13.0 + (month or 0)) * 32 + (day or 0)  # a month without its day is behind all days before it
    found = number(text) if text else None
    return -np.inf if found is None else found
