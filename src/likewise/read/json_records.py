"""Records of whole JSON texts: where they stand in what programs, services and data bases write."""

import json
from collections import Counter
from collections.abc import Iterator
from itertools import chain
from typing import Any

from likewise.read.geojson import is_collection
from likewise.read.header import is_header
from likewise.read.json_lines import why_no_json
from likewise.read.skipped import SkipError

# Where names of columns stand beside rows, and where these are: as pandas, CKAN and others write tables.
_NAMES, _ROWS = ("columns", "fields", "header", "headers"), ("data", "rows", "records", "values")
# Records under keys of their own may lack the field that most have, if there are as many.
_MANY_KEYS = 20
_Found = tuple[list[Any], str]


def json_records(content: str) -> _Found:
    """Return the records of a whole JSON text, and where they stand where they are no list by themselves.

    Records are a list, the only list of objects in an object, names of columns beside rows, columns as pandas writes
    them in three ways, objects under keys of their own, or rows under a header; any of them may be inside of objects,
    and the outermost counts. A list of lists of objects, as pages of a service, is one list.

    >>> json_records('{"count": 1, "results": [{"name": "Ada"}]}')
    ([{'name': 'Ada'}], "the records under 'results'")
    >>> json_records('{"columns": ["name"], "index": [0], "data": [["Ada"]]}')
    ([{'name': 'Ada'}], "the records under 'data'")
    >>> json_records('{"fields": [{"id": "name"}], "records": [["Ada"]]}')
    ([{'name': 'Ada'}], "the records under 'records'")
    >>> json_records('[["name", "born"], ["Ada", 1815]]')
    ([{'name': 'Ada', 'born': 1815}], 'first row is the header')
    >>> json_records('{"status": "ok", "hits": {"total": 1, "hits": [{"name": "Ada"}]}}')
    ([{'name': 'Ada'}], "the records under 'hits.hits'")
    >>> json_records('{"name": {"0": "Ada", "1": "Grace"}}') == json_records('{"name": ["Ada", "Grace"]}')
    True
    >>> json_records('{"AD": {"name": "Andorra"}, "BE": {"name": "Belgium"}}')
    ([{'key': 'AD', 'name': 'Andorra'}, {'key': 'BE', 'name': 'Belgium'}], "the key of each record in 'key'")
    """
    try:
        value = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise SkipError("broken", why_no_json(error)) from error
    if isinstance(value, list):
        return _in_pages(value) or _in_rows(value) or (value, "")
    level: list[tuple[str, Any]] = [("", value)]
    while level := [(path, held) for path, held in level if isinstance(held, dict)]:
        for tables in (_lists, _apart):
            found = [one for path, held in level for one in tables(path, held)]
            if len(found) == 1:
                return found[0][1]
            if found:
                named = ", ".join(repr(path) for path, _ in found[:9])
                raise _no_records(f"; there are several, under {named}")
        level = [(_inside(path, key), inner) for path, held in level for key, inner in held.items()]
    raise _no_records()


def _no_records(why: str = "") -> SkipError:
    return SkipError("broken", f"a list of records is wanted, [{{...}}, {{...}}]{why}; JSON by line is .jsonl")


def _inside(path: str, key: str) -> str:
    return f"{path}.{key}" if path else key


def _lists(path: str, held: dict[str, Any]) -> Iterator[tuple[str, _Found]]:
    """Yield the lists of records right in an object, with where each is."""
    named = _named(held)
    if is_collection(held):
        lists = {"features": held["features"]}
    elif named is not None:
        lists = dict([named])
    else:
        lists = {key: rows for key, rows in held.items() if _are_objects(rows)}
    for key, rows in lists.items():
        place = _inside(path, key)
        yield place, (rows, f"the records under {place!r}")


def _apart(path: str, held: dict[str, Any]) -> Iterator[tuple[str, _Found]]:
    """Yield the records of an object that is a table in columns, or holds a record under each key."""
    found = _columns(held) or _keyed(held)
    if found is not None and (not path or len(found[0]) > 1):
        yield path, (found[0], f"{found[1]}, under {path!r}" if path else found[1])


def _are_objects(rows: Any) -> bool:
    return isinstance(rows, list) and any(isinstance(row, dict) for row in rows)


def json_record(content: str) -> dict[str, Any] | None:
    """Return the object of a JSON text that holds a single record; ``None`` of one that holds a table, or none.

    >>> json_record('{"name": "Ada", "born": 1815}'), json_record('[{"name": "Ada"}]')
    ({'name': 'Ada', 'born': 1815}, None)
    """
    try:
        value = json.loads(content)
    except (ValueError, RecursionError):
        return None
    if not isinstance(value, dict) or not value:
        return None
    # What stands deeper in an object belongs to it where each file holds one; so do several lists.
    lists = len(list(_lists("", value)))
    return None if lists == 1 or (not lists and any(_apart("", value))) else value


def _in_rows(value: list[Any]) -> _Found | None:
    """Return the records of rows that are lists of one length; the first may be the header."""
    widths = {len(row) if isinstance(row, list) else 0 for row in value}
    if len(widths) != 1 or widths == {0}:
        return None
    cells = [["" if cell is None else str(cell) for cell in row] for row in value]
    names = value[0]
    if all(isinstance(name, str) for name in names) and len(set(names)) == len(names) and is_header(cells):
        return [dict(zip(names, row, strict=True)) for row in value[1:]], "first row is the header"
    names = [f"column{at}" for at in range(1, len(names) + 1)]
    return [dict(zip(names, row, strict=True)) for row in value], "no header"


def _in_pages(value: list[Any]) -> _Found | None:
    """Return the records of lists of objects, one after the other."""
    if not value or not all(isinstance(page, list) for page in value):
        return None
    records = list(chain.from_iterable(value))
    if not records or not all(isinstance(record, dict) for record in records):
        return None
    return records, "the records of the lists in it"


def _named(held: dict[str, Any]) -> tuple[str, list[Any]] | None:
    """Return the key and records of rows beside which their columns are named, by texts or by objects with a name."""
    names = next((_names(held[key]) for key in _NAMES if key in held), None)
    key = next((key for key in _ROWS if isinstance(held.get(key), list)), None)
    if not names or key is None:
        return None
    rows = held[key]
    if not all(isinstance(row, dict) or (isinstance(row, list) and len(row) <= len(names)) for row in rows):
        return None
    records = [row if isinstance(row, dict) else dict(zip(names, row, strict=False)) for row in rows]
    return key, records


def _names(columns: Any) -> list[str] | None:
    """Return the names of columns; ``None`` of what is no list of them."""
    if not isinstance(columns, list):
        return None
    found = [one.get("name", one.get("id")) if isinstance(one, dict) else one for one in columns]
    names = [one for one in found if isinstance(one, str)]
    return names if len(set(names)) == len(columns) else None


def _columns(held: dict[str, Any]) -> _Found | None:
    """Return the records of columns: lists of one length, or objects whose keys number the rows."""
    columns = list(held.values())
    if columns and all(isinstance(one, dict) and one and all(map(str.isdecimal, one)) for one in columns):
        numbers = dict.fromkeys(number for one in columns for number in one)
        rows = [{name: one.get(number) for name, one in held.items()} for number in numbers]
    elif columns and all(isinstance(one, list) and one for one in columns) and len(set(map(len, columns))) == 1:
        rows = [dict(zip(held, row, strict=True)) for row in zip(*columns, strict=True)]
    else:
        return None
    return rows, "in columns"


def _keyed(held: dict[str, Any]) -> _Found | None:
    """Return the records that stand under a key each: at least two, that have a field in common."""
    records = list(held.values())
    if len(records) < 2 or not all(isinstance(one, dict) for one in records):
        return None
    most = max(Counter(chain.from_iterable(records)).values(), default=0)
    if most < (len(records) if len(records) < _MANY_KEYS else len(records) / 2):
        return None
    lists = [len(rows) for one in records for rows in one.values() if _are_objects(rows)]
    if len(lists) == 1 and lists[0] > len(records):  # an answer and what is said of it, each in an object
        return None
    name = "key"
    while any(name in one for one in records):
        name = f"#{name}"
    return [{name: key, **one} for key, one in held.items()], f"the key of each record in {name!r}"
