"""Queries and filters as people write them: files of queries, ``field=value``."""

import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from likewise.errors import FormatError, OptionError


def read_queries(path: str | os.PathLike[str]) -> dict[str, str]:
    """Read queries by id: a query a line, ``id TAB query``, or JSON lines with ``id`` and ``query``.

    >>> import tempfile, pathlib
    >>> file = pathlib.Path(tempfile.mkdtemp()) / "queries.tsv"
    >>> _ = file.write_text("q1\\tred fish\\nq2\\tblue fish\\n")
    >>> read_queries(file)
    {'q1': 'red fish', 'q2': 'blue fish'}
    """
    path = Path(path)
    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError as error:
        raise FormatError(f"{path}: no such file") from error
    except (OSError, UnicodeDecodeError) as error:
        raise FormatError(f"{path} cannot be read: {error}") from error
    lines = [(number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    queries: dict[str, str] = {}
    tabs = bool(lines) and all("\t" in line for _, line in lines)
    for number, line in lines:
        if path.suffix in (".jsonl", ".ndjson"):
            name, query = _from_json(path, number, line)
        elif tabs:
            name, query = (part.strip() for part in line.split("\t", 1))
        else:
            name, query = str(number), line.strip()
        if name in queries:
            raise FormatError(f"{path} line {number}: the id {name!r} occurs more than once")
        queries[name] = query
    if not queries:
        raise FormatError(f"{path} has no queries")
    return queries


def _from_json(path: Path, number: int, line: str) -> tuple[str, str]:
    try:
        row = json.loads(line)
        return str(row["id"]), str(row["query"])
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise FormatError(f"{path} line {number} is not a JSON object with id and query") from error


def parse_filters(conditions: Iterable[str]) -> dict[str, Any]:
    """Return filters from ``field=value``, ``field=a..b`` (a range) or ``field=a|b`` (either).

    >>> parse_filters(["year=1990..1999", "lang=en|de"])
    {'year': '1990..1999', 'lang': ['en', 'de']}
    """
    filters: dict[str, Any] = {}
    for condition in conditions:
        name, equals, value = condition.partition("=")
        if not equals or not name.strip():
            raise OptionError(f"filter must be field=value, not {condition!r}")
        filters[name.strip()] = value.split("|") if "|" in value else value
    return filters
