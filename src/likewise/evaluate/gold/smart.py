"""Retrieval collections in SMART's format (adi, cacm, cisi, cran, med): ``.I 1``, ``.T``, ``.A``, ``.W`` ... ``.X``.

A record starts with ``.I number``; a line with a dot and one capital letter starts a field. Document text is title and
abstract (``.T`` and ``.W``), query text is ``.W``.
"""

import re
from collections.abc import Iterable

_RECORD = re.compile(r"^\.I\s+(\d+)\s*$")
_FIELD = re.compile(r"^\.([A-Z])\s*$")


def records(text: str) -> list[tuple[str, dict[str, str]]]:
    r"""Split a file into (number, field letter -> text), in file order.

    >>> records(".I 7\n.T\na title\n.W\nsome\nwords\n")
    [('7', {'T': 'a title', 'W': 'some words'})]
    """
    found: list[tuple[str, dict[str, list[str]]]] = []
    field: list[str] = []
    for line in text.split("\n"):
        if match := _RECORD.match(line):
            found.append((str(int(match[1])), {}))
            field = []
        elif not found:
            continue  # damage before the first record
        elif match := _FIELD.match(line):
            field = found[-1][1].setdefault(match[1], [])
        else:
            field.append(line)
    return [
        (number, {name: " ".join(" ".join(lines).split()) for name, lines in fields.items()})
        for number, fields in found
    ]


def documents(text: str, notes: list[str]) -> dict[str, str]:
    """Return number -> title and abstract; a number that comes twice keeps its first text."""
    return _by_number(records(text), "document", notes)


def queries(text: str, notes: list[str], *, by_position: bool = False) -> dict[str, str]:
    """Return number -> query; ``by_position`` counts 1, 2, 3 instead of believing ``.I`` (cran's gold does so)."""
    found = [
        (str(position) if by_position else number, fields) for position, (number, fields) in enumerate(records(text), 1)
    ]
    return _by_number(found, "query", notes)


def _by_number(found: Iterable[tuple[str, dict[str, str]]], what: str, notes: list[str]) -> dict[str, str]:
    """Return number -> title and text: cisi's later queries are whole papers with title, author and text."""
    texts: dict[str, str] = {}
    for number, fields in found:
        if number in texts:
            notes.append(f"{what} {number} comes twice; the first is kept")
            continue
        texts[number] = " ".join(filter(None, (fields.get("T", ""), fields.get("W", ""))))
    return texts


def judgements(text: str, notes: list[str]) -> dict[tuple[str, str], int]:
    """Return (query, document) -> grade from any of the layouts in use.

    ``q d 0 0.0`` and ``q 0 d 1`` are told apart by the column of zeros; ``q d code`` is cran's, where 1 is the best
    code and 4 the least; any other code (5 would be "of no interest", and there are -1) is not relevant.
    """
    rows = [line.split() for line in text.split("\n") if line.strip()]
    good = [row for row in rows if len(row) >= 2 and all(_whole(field) for field in row[:3])]
    if len(good) < len(rows):
        notes.append(f"{len(rows) - len(good)} lines of the relevance file are not numbers and are left out")
    zeros = bool(good) and all(len(row) == 4 and row[1] == "0" for row in good)
    grades: dict[tuple[str, str], int] = {}
    for row in good:
        pair = (str(int(row[0])), str(int(row[2 if zeros else 1])))
        code = int(row[2]) if len(row) == 3 else 4
        if 1 <= code <= 4:
            grades[pair] = max(grades.get(pair, 0), 5 - code)
    return grades


def _whole(field: str) -> bool:
    return field.removeprefix("-").isdecimal()
