"""JSON values, one a line or in one array: the stream that documents, tables, gold and judging are read from."""

import json
from collections.abc import Callable, Iterator
from typing import Any, BinaryIO

from likewise.read.skipped import SkipError
from likewise.read.source import WHOLE, Piece

# Lines at the beginning that may be broken before the file is taken for something else.
_PATIENCE = 100
OnBad = Callable[[int, str, str], None]


def json_lines(
    stream: BinaryIO, on_bad: OnBad, longest: int | None = None, piece: Piece = WHOLE
) -> Iterator[tuple[int, Any]]:
    """Yield the number of each line of UTF-8 and the value in it; what is no JSON goes to ``on_bad`` with its line.

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


def json_records(content: str) -> tuple[list[Any], str | None]:
    """Return the records of a whole JSON text, and the key that they stand under where they are no list by themselves.

    Records are a list, the only list of objects in an object, or columns and rows apart, as pandas writes them.

    >>> json_records('{"count": 1, "results": [{"name": "Ada"}]}')
    ([{'name': 'Ada'}], 'results')
    >>> json_records('{"columns": ["name"], "index": [0], "data": [["Ada"]]}')
    ([{'name': 'Ada'}], 'data')
    """
    try:
        value = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise SkipError("broken", _why(error)) from error
    if isinstance(value, list):
        return value, None
    held = value if isinstance(value, dict) else {}
    names, rows = held.get("columns"), held.get("data")
    if isinstance(names, list) and isinstance(rows, list) and all(isinstance(name, str) for name in names):
        return [dict(zip(names, row, strict=False)) for row in rows if isinstance(row, list)], "data"
    inside = [
        key for key, rows in held.items() if isinstance(rows, list) and any(isinstance(row, dict) for row in rows)
    ]
    if len(inside) == 1:
        return held[inside[0]], inside[0]
    several = f"; there are several, under {', '.join(map(repr, inside))}" if inside else ""
    raise SkipError("broken", f"a list of records is wanted, [{{...}}, {{...}}]{several}; JSON by line is .jsonl")
