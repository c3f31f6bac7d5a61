"""Dates in their usual forms, whole or in part, and how far two of them agree."""

import re
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

Parts = tuple[int, int | None, int | None]
"""Year, month, day; a part that is not said is ``None``."""

_NAMES = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTHS = {name: place for place, name in enumerate(_NAMES, 1)}
_ISO = re.compile(r"(\d{4})[-/.](\d{1,2})(?:[-/.](\d{1,2}))?(?:[T ].*)?")
_EUROPEAN = re.compile(r"(\d{1,2})[-/. ](\d{1,2})[-/. ](\d{4})")
_COMPACT = re.compile(r"(1[5-9]\d\d|20\d\d)(\d\d)(\d\d)")
_WORDS = re.compile(
    r"(?:(\d{1,2})(?:st|nd|rd|th|\.)?\s+)?([a-z]{3})[a-z]*\.?\s+(?:(\d{1,2})(?:st|nd|rd|th)?,?\s+)?(\d{4})", re.I
)


@lru_cache(maxsize=200_000)
def parse_date(text: str) -> Parts | None:
    """Return year, month and day of a date, or ``None``; of 3/4/1999 the first is the month unless it cannot be.

    >>> parse_date("1999-03-04"), parse_date("March 4, 1999"), parse_date("25/12/1999"), parse_date("1999-03")
    ((1999, 3, 4), (1999, 3, 4), (1999, 12, 25), (1999, 3, None))
    """
    text = text.strip()
    if found := _ISO.fullmatch(text):
        return _valid(int(found[1]), int(found[2]), int(found[3]) if found[3] else None)
    if found := _EUROPEAN.fullmatch(text):
        first, second, year = int(found[1]), int(found[2]), int(found[3])
        return _valid(year, first, second) or _valid(year, second, first)
    if found := _COMPACT.fullmatch(text):
        return _valid(int(found[1]), int(found[2]), int(found[3]))
    if found := _WORDS.fullmatch(text):
        month = _MONTHS.get(found[2].lower())
        day = found[1] or found[3]
        return _valid(int(found[4]), month, int(day) if day else None) if month else None
    return None


def _valid(year: int, month: int, day: int | None) -> Parts | None:
    if not 1 <= month <= 12 or not (day is None or 1 <= day <= 31):
        return None
    return year, month, day


def agreement(left: NDArray[np.int64], right: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return how far dates agree, from 0 to 1, given as rows of year, month and day (0: not said).

    Day and month that change places, or one part of three that differs, are slips of the pen; a part that is not said
    is no evidence.

    >>> a, b = np.array([[1999, 3, 4]] * 4), np.array([[1999, 3, 4], [1999, 4, 3], [1989, 3, 4], [1950, 1, 1]])
    >>> agreement(a, b).tolist()
    [1.0, 0.85, 0.7, 0.0]
    """
    same = (left == right) & (left > 0) & (right > 0)
    said = (left > 0) & (right > 0)
    count, asked = same.sum(1), said.sum(1)
    swapped = (left[:, 0] == right[:, 0]) & (left[:, 1] == right[:, 2]) & (left[:, 2] == right[:, 1]) & (asked == 3)
    near = np.abs(left[:, 0] - right[:, 0]) <= 1
    full = np.select(
        [count == 3, swapped, count == 2], [1.0, 0.85, 0.7], np.where(same[:, 0], 0.4, np.where(near, 0.2, 0.0))
    )
    partial = np.where(count == asked, 0.6, np.where(same[:, 0] | near, 0.2, 0.0))
    return np.where(asked == 3, full, partial)
