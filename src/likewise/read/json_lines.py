"""JSON values, one a line or in one array: the stream that documents, tables, gold and judging are read from."""

import json
import re
from collections.abc import Callable, Iterator
from typing import Any, BinaryIO

from likewise.read.geojson import is_collection
from likewise.read.header import is_header
from likewise.read.skipped import SkipError
from likewise.read.source import WHOLE, Piece

# Lines at the beginning that may be broken before the file is taken for something else.
_PATIENCE = 100
# Where names of columns stand beside rows, and where these are: as pandas, CKAN and others write tables.
_NAMES, _ROWS = ("columns", "fields", "header", "headers"), ("data", "rows", "records", "values")
# How JSON writes half of a character beyond the first 65,536; the other half should follow.
_HALF = re.compile(rb"\\u[dD][89a-fA-F]")
OnBad = Callable[[int, str, str], None]


def json_lines(
    stream: BinaryIO, on_bad: OnBad, longest: int | None = None, piece: Piece = WHOLE, *, mended: bool = False
) -> Iterator[tuple[int, Any]]:
    """Yield the number of each line of UTF-8 and the value in it; what is no JSON goes to ``on_bad`` with its line.

    If ``mended``, a question mark stands for half a character (a lone surrogate), wherever in the value it is.

    >>> import io
    >>> lines = io.BytesIO(b'{"name": "Ada"}\\n\\n{"name": \\n7\\n')
    >>> list(json_lines(lines, lambda line, reason, detail: print(line, reason)))
    3 broken
    [(1, {'name': 'Ada'}), (4, 7)]
    """
    position, number = piece.start, piece.before
    good, bad = number, 0
    limit = -1 if longest is None else longest
    while (piece.end is None or position < piece.end) and (line := stream.readline(limit)):
        number += 1
        position += len(line)
        if longest is not None and len(line) >= longest and not line.endswith(b"\n"):
            on_bad(number, "too large", f"a line of more than {longest} bytes")
            while not line.endswith(b"\n") and (line := stream.readline(1 << 20)):
                position += len(line)
            continue
        if not line.strip():
            continue
        try:
            value = json.loads(line.decode("utf-8-sig"))
            if mended and _HALF.search(line):
                value = json.loads(json.dumps(value, ensure_ascii=False).encode("utf-8", "replace"))
        except (ValueError, RecursionError) as error:
            bad += 1
            on_bad(number, "broken", _why(error))
            if bad == _PATIENCE and not good:
                raise SkipError("broken", f"{_PATIENCE} lines and none of them JSON") from None
            continue
        good += 1
        yield number, value


def _why(error: Exception) -> str:
    if isinstance(error, json.JSONDecodeError):
        line = f"line {error.lineno}, " if error.lineno > 1 else ""
        return f"not JSON: {error.msg} at {line}column {error.colno}"
    return "not UTF-8" if isinstance(error, UnicodeDecodeError) else "nested too deeply"


def json_records(content: str) -> tuple[list[Any], str]:
    """Return the records of a whole JSON text, and where they stand where they are no list by themselves.

    Records are a list, the only list of objects in an object, names of columns beside rows, columns as pandas writes
    them in three ways, objects under keys of their own, or rows under a header.

    >>> json_records('{"count": 1, "results": [{"name": "Ada"}]}')
    ([{'name': 'Ada'}], "the records under 'results'")
    >>> json_records('{"columns": ["name"], "index": [0], "data": [["Ada"]]}')
    ([{'name': 'Ada'}], "the records under 'data'")
    >>> json_records('{"fields": [{"id": "name"}], "records": [["Ada"]]}')
    ([{'name': 'Ada'}], "the records under 'records'")
    >>> json_records('[["name", "born"], ["Ada", 1815]]')
    ([{'name': 'Ada', 'born': 1815}], 'first row is the header')
    >>> json_records('{"name": {"0": "Ada", "1": "Grace"}}') == json_records('{"name": ["Ada", "Grace"]}')
    True
    >>> json_records('{"AD": {"name": "Andorra"}, "BE": {"name": "Belgium"}}')
    ([{'key': 'AD', 'name': 'Andorra'}, {'key': 'BE', 'name': 'Belgium'}], "the key of each record in 'key'")
    """
    try:
        value = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise SkipError("broken", _why(error)) from error
    if isinstance(value, list):
        return _in_rows(value) or (value, "")
    if is_collection(value):
        return value["features"], "the records under 'features'"
    held = value if isinstance(value, dict) else {}
    named = _named(held)
    if named is not None:
        return named
    inside = [
        key for key, rows in held.items() if isinstance(rows, list) and any(isinstance(row, dict) for row in rows)
    ]
    if len(inside) == 1:
        return held[inside[0]], f"the records under {inside[0]!r}"
    apart = _columns(held) or _keyed(held)
    if apart is not None and not inside:
        return apart
    several = f"; there are several, under {', '.join(map(repr, inside))}" if inside else ""
    raise SkipError("broken", f"a list of records is wanted, [{{...}}, {{...}}]{several}; JSON by line is .jsonl")


def json_record(content: str) -> dict[str, Any] | None:
    """Return the object of a JSON text that holds a single record; ``None`` of one that holds a table, or none.

    >>> json_record('{"name": "Ada", "born": 1815}'), json_record('[{"name": "Ada"}]')
    ({'name': 'Ada', 'born': 1815}, None)
    """
    try:
        json_records(content)
    except SkipError:
        try:
            value = json.loads(content)
        except (ValueError, RecursionError):
            return None
        return value if isinstance(value, dict) and value else None
    return None


def _in_rows(value: list[Any]) -> tuple[list[Any], str] | None:
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


def _named(held: dict[str, Any]) -> tuple[list[Any], str] | None:
    """Return the records of rows beside which their columns are named, by texts or by objects with a name."""
    names = next((_names(held[key]) for key in _NAMES if key in held), None)
    key = next((key for key in _ROWS if isinstance(held.get(key), list)), None)
    if not names or key is None:
        return None
    rows = held[key]
    if not all(isinstance(row, dict) or (isinstance(row, list) and len(row) <= len(names)) for row in rows):
        return None
    records = [row if isinstance(row, dict) else dict(zip(names, row, strict=False)) for row in rows]
    return records, f"the records under {key!r}"


def _names(columns: Any) -> list[str] | None:
    """Return the names of columns; ``None`` of what is no list of them."""
    if not isinstance(columns, list):
        return None
    found = [one.get("name", one.get("id")) if isinstance(one, dict) else one for one in columns]
    names = [one for one in found if isinstance(one, str)]
    return names if len(set(names)) == len(columns) else None


def _columns(held: dict[str, Any]) -> tuple[list[Any], str] | None:
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


def _keyed(held: dict[str, Any]) -> tuple[list[Any], str] | None:
    """Return the records that stand under a key each: at least two, that have a field in common."""
    records = list(held.values())
    if (
        len(records) < 2
        or not all(isinstance(one, dict) for one in records)
        or not set.intersection(*map(set, records))
    ):
        return None
    name = "key"
    while any(name in one for one in records):
        name = f"#{name}"
    return [{name: key, **one} for key, one in held.items()], f"the key of each record in {name!r}"
