"""JSON values, one a line: the stream that documents, tables, gold and judging are read from."""

import json
import re
from collections.abc import Callable, Iterator
from typing import Any, BinaryIO

from likewise.read.skipped import SkipError
from likewise.read.source import WHOLE, Piece

# Lines at the beginning that may be broken before the file is taken for something else.
_PATIENCE = 100
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
            on_bad(number, "broken", why_no_json(error))
            if bad == _PATIENCE and not good:
                raise SkipError("broken", f"{_PATIENCE} lines and none of them JSON") from None
            continue
        good += 1
        yield number, value


def why_no_json(error: Exception) -> str:
    """Return in words what kept a text from being read as JSON.

    >>> why_no_json(json.JSONDecodeError("Extra data", "{}{}", 2))
    'not JSON: Extra data at column 3'
    """
    if isinstance(error, json.JSONDecodeError):
        line = f"line {error.lineno}, " if error.lineno > 1 else ""
        return f"not JSON: {error.msg} at {line}column {error.colno}"
    return "not UTF-8" if isinstance(error, UnicodeDecodeError) else "nested too deeply"
