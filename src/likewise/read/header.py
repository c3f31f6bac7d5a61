"""Whether the first row of a table names its columns.

A list of names without header must not lose its first, so a header needs a sign: a word that columns are usually called
by, in any of the larger languages; words above numbers; or cells of another shape than those below.
"""

import re
from collections import Counter
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from itertools import zip_longest

_NUMBER = re.compile(r"\s*+[-+]?[.,:/\s-]*+\d[\d.,:/\s%-]*$")
_NAME_LIKE = re.compile(r"#?[^\W\d][\w .#/()&%,'’-]{0,79}[:?]?$")
_LOWER = re.compile(r"[a-z][a-z0-9_]*")
_WORDS = re.compile(r"[^\W\d_]+")
# Rows below the first that are looked at.
_BODY = 1000
# Share of the cells below that must be numbers under a word, or of another shape than the first.
_NEARLY_ALL = 0.8
# Fewer rows than this prove no difference of shape, and no repetition.
_FEW, _SOME = 5, 20


def is_header(rows: Sequence[Sequence[str]], wanted: Sequence[str] = ()) -> bool:
    """Decide whether the first row names the columns; a row with a ``wanted`` name does.

    >>> is_header([["Kunde", "Stadt"], ["Meyer", "Köln"]]), is_header([["Meyer", "Köln"], ["Huber", "Graz"]])
    (True, False)
    """
    if not rows:
        return False
    first = [cell.strip() for cell in rows[0]]
    if any(name in first for name in wanted):
        return True
    body = rows[1 : _BODY + 1]
    named = [at for at, cell in enumerate(first) if cell]
    if len(named) < len(first):
        return _blank_named(first, body, named) and is_header([[row[at] for at in named] for row in [first, *body]])
    if any(_NUMBER.match(cell) or not _NAME_LIKE.match(cell) for cell in first):
        return False
    usual = _usually_called(first)
    columns = [[row[at].strip() for row in body if at < len(row) and row[at].strip()] for at in range(len(first))]
    if len(set(first)) < len(first):
        return max(sum(usual), sum(map(_numbers, columns))) * 2 >= len(first)
    if len(first) == 1:
        return usual[0] or (len(columns[0]) > 1 and all(_NUMBER.match(value) for value in columns[0]))
    if not body or sum(usual) * 2 >= len(first) or all(_LOWER.fullmatch(cell) for cell in first):
        return True
    return any(_differs(cell, values) for cell, values in zip(first, columns, strict=True))


def is_grouped(rows: Sequence[Sequence[str]]) -> bool:
    """Whether the first row groups the columns that the second one names: it repeats itself, or lacks cells.

    >>> is_grouped([["", "2023", "2023"], ["city", "sales", "costs"], ["Rome", "4", "3"], ["Oslo", "7", "5"]])
    True
    >>> is_grouped([["city", "sales", "costs"], ["Rome", "4", ""], ["Oslo", "7", "5"]])
    False
    """
    if len(rows) < 3 or len(rows[0]) != len(rows[1]):
        return False
    groups, names, body = [cell.strip() for cell in rows[0]], [cell.strip() for cell in rows[1]], rows[2 : _BODY + 2]
    labels = [cell for cell in groups if cell]
    # Where a single column has a label, it may be the first row of a table that lacks cells.
    if (
        len(labels) < 2
        or len(set(labels)) == len(groups)
        or not _is_names(names[1:])
        or not set(labels).isdisjoint(names)
    ):
        return False
    columns = [[row[at].strip() for row in body if at < len(row) and row[at].strip()] for at in range(len(names))]
    if any(cell in values for cell, values in zip(groups, columns, strict=True) if cell):
        return False
    usual = sum(_usually_called(names)) * 2 >= len(names)
    return usual or any(_numbers(values) for values in columns[1:]) or is_header(rows[1:])


def _is_names(cells: Sequence[str]) -> bool:
    return all(_NAME_LIKE.match(cell) and not _NUMBER.match(cell) for cell in cells)


def told_apart(names: Sequence[str], groups: Sequence[str]) -> list[str]:
    """Return names of columns, those that come again with the group that spans them in the row above.

    >>> told_apart(["id", "name", "city", "name", "city"], ["", "Buyer", "", "Seller", ""])
    ['id', 'Buyer name', 'Buyer city', 'Seller name', 'Seller city']
    """
    again = {name for name, count in Counter(names).items() if name and count > 1}
    group, found = "", []
    for name, above in zip_longest(names, groups, fillvalue=""):
        group = above or group
        found.append(f"{group} {name}" if name in again and group else name)
    return found if len(set(filter(None, found))) == sum(map(bool, found)) else list(names)


def is_usual(cells: Sequence[str]) -> bool:
    """Whether at least half of the cells of a line, and at least two, are what columns are usually called.

    >>> is_usual(["Name", "City", "born"]), is_usual(["Report", "2024", ""])
    (True, False)
    """
    return sum(_usually_called(cells)) >= max(2, len(cells) / 2)


def _usually_called(cells: Sequence[str]) -> list[bool]:
    return [not _usual().isdisjoint(_WORDS.findall(cell.lower())[-1:]) for cell in cells]


def _blank_named(first: Sequence[str], body: Sequence[Sequence[str]], named: Sequence[int]) -> bool:
    """Whether the columns without a name are those that hold little, and few: the margin of a sheet, a last comma."""
    if len(named) < 2 or len(named) * 2 < len(first) or any(len(row) != len(first) for row in body):
        return False
    blank = [at for at, cell in enumerate(first) if not cell]
    return all(sum(not row[at].strip() for row in body) * 2 > len(body) for at in blank)


def _numbers(values: Sequence[str]) -> bool:
    return bool(values) and sum(bool(_NUMBER.match(value)) for value in values) > _NEARLY_ALL * len(values)


@cache
def _usual() -> frozenset[str]:
    """What columns are usually called, in sixteen languages."""
    return frozenset(files("likewise.read").joinpath("column-names.txt").read_text(encoding="utf-8").split())


def _differs(cell: str, values: list[str]) -> bool:
    """A column of numbers under a word, values that come again and again but never the first, or another shape."""
    if not values:
        return False
    if _numbers(values):
        return True
    if len(values) > _SOME and len(set(values)) < len(values) / 2 and cell not in values:
        return True
    other = sum(_shape(value) != _shape(cell) for value in values)
    return len(values) >= _FEW and other == len(values) and len({_shape(value) for value in values}) == 1


def _shape(value: str) -> tuple[bool, bool, bool]:
    """One word or several, with digits or without, with marks or without."""
    return " " in value, any(letter.isdigit() for letter in value), bool(re.search(r"[@/&]|\w[.:_-]\w", value))
