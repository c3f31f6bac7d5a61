"""JSON records: one value a line, or one array of them."""

import json
import os
from io import TextIOWrapper
from typing import Any

from likewise.errors import FormatError
from likewise.read.delimited import Skipped
from likewise.read.encoding import open_binary


def read_json(
    path: str | os.PathLike[str], encoding: str, lines: bool = True, strict: bool = False
) -> tuple[list[Any], list[Skipped]]:
    """Read objects or strings; a line that is neither is reported and skipped.

    >>> import pathlib, tempfile
    >>> file = pathlib.Path(tempfile.mkdtemp()) / "names.jsonl"
    >>> _ = file.write_text('{"name": "Ada"}\\n{"name": \\n')
    >>> rows, skipped = read_json(file, "utf-8")
    >>> rows, skipped[0].line
    ([{'name': 'Ada'}], 2)
    """
    rows: list[Any] = []
    skipped: list[Skipped] = []
    try:
        with open_binary(path) as file, TextIOWrapper(file, encoding) as text:
            if not lines:
                return _whole(path, text.read()), skipped
            for number, line in enumerate(text, 1):
                if not line.strip():
                    continue
                try:
                    value = json.loads(line)
                    reason = "" if isinstance(value, dict | str) else f"{type(value).__name__} is no record"
                except ValueError as error:
                    reason = f"not JSON: {error}"
                if not reason:
                    rows.append(value)
                    continue
                if strict:
                    raise FormatError(f"{path}, line {number}: {reason}")
                skipped.append(Skipped(number, reason))
    except UnicodeDecodeError as error:
        raise FormatError(f"{path} is not {encoding}: {error.reason}; name the encoding (--encoding)") from error
    if skipped and not rows:
        raise FormatError(f"{path} holds no JSON records; line {skipped[0].line}: {skipped[0].reason}")
    kinds = {type(row) for row in rows}
    if len(kinds) > 1:
        raise FormatError(f"{path}: some lines are objects, others are strings")
    return rows, skipped


def _whole(path: str | os.PathLike[str], content: str) -> list[Any]:
    try:
        value = json.loads(content)
    except ValueError as error:
        raise FormatError(f"{path} is not JSON: {error}") from error
    if not isinstance(value, list):
        raise FormatError(f"{path} must hold an array of records, not {type(value).__name__}; lines of JSON are .jsonl")
    return value
