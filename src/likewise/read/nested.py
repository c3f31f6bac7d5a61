"""Objects in records become columns: ``{"name": {"first": "Ada"}}`` has a column ``name.first``."""

from collections.abc import Iterable, Mapping
from typing import Any

# As many objects with the same fields in an object are taken for data: names in twenty languages, amounts by year.
_MANY = 5


def without_objects(rows: list[Any]) -> tuple[list[Any], list[str]]:
    """Return records in which the fields of objects are columns, and the names of these columns.

    An object whose keys are data is left as it is: most records lack most of them, or there are many that hold
    objects of the same fields. What is no list of records stays what it is.

    >>> without_objects([{"id": 7, "name": {"first": "Ada", "last": None}}, {"id": 8, "name": None}])
    ([{'id': 7, 'name.first': 'Ada', 'name.last': None}, {'id': 8}], ['name.first', 'name.last'])
    >>> without_objects([{"stock": {"Rome": 3}}, {"stock": {"Oslo": 1}}, {"stock": {"Bonn": 4}}])[1]
    []
    """
    made: list[str] = []
    if not all(isinstance(row, Mapping) for row in rows):
        return rows, made
    flat = rows
    names = list(dict.fromkeys(name for row in rows for name in row))
    while names:
        known = set(map(str, names)) | set(made)
        inner: list[str] = []
        for name in names:
            keys = _fields(row.get(name) for row in flat)
            columns = {key: f"{name}.{key}" for key in keys}
            if columns and known.isdisjoint(columns.values()):
                flat = [_opened(row, name, columns) for row in flat]
                inner += columns.values()
        made = [name for name in made if name not in {one.rpartition(".")[0] for one in inner}] + inner
        names = inner
    return flat, made


def _fields(values: Iterable[Any]) -> list[Any]:
    """Return the keys of objects that are fields; none of what is no objects, or whose keys are data."""
    held = [value for value in values if value is not None]
    if not held or not all(isinstance(value, Mapping) for value in held):
        return []
    keys = list(dict.fromkeys(key for value in held for key in value))
    if 2 * sum(map(len, held)) < len(keys) * len(held):
        return []
    inner = [one for value in held for one in value.values() if one is not None]
    alike = bool(inner) and all(isinstance(one, Mapping) and one for one in inner)
    return [] if alike and len(keys) >= _MANY and set.intersection(*map(set, inner)) else keys


def _opened(row: Mapping[Any, Any], name: Any, columns: Mapping[Any, str]) -> Mapping[Any, Any]:
    """Return a record with the fields of an object in the place of the object."""
    if name not in row:
        return row
    opened: dict[Any, Any] = {}
    for other, value in row.items():
        if other == name:
            opened.update((columns[key], one) for key, one in (value or {}).items())
        else:
            opened[other] = value
    return opened
