"""Dates in their usual forms, whole or in part, and how far two of them agree."""

import re
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

Parts = tuple[int, int | None, int | None]
"""Year, month, day; a part that is not said is ``None``."""

# Months by the letters that their names begin with: English, German, French, Spanish, Italian, Portuguese, Dutch.
_MONTHS = {
    name: month
    for month, names in enumerate(
        (
            ("jan", "jän", "ene", "gen"),
            ("feb", "fév", "fev"),
            ("mar", "mär", "maa", "mrt"),
            ("apr", "avr", "abr"),
            ("may", "mai", "mei", "mag"),
            ("jun", "juin", "giu"),
            ("jul", "juil", "lug"),
            ("aug", "aoû", "aou", "ago"),
            ("sep", "set"),
            ("oct", "okt", "ott", "out"),
            ("nov",),
            ("dec", "déc", "dez", "dic"),
        ),
        1,
    )
    for name in names
}
_TIME = r"(?:(?:T|,?\s+)\d{1,2}[:.]\d\d\b.*)?"
_ISO = re.compile(r"(\d{4})[-/.](\d{1,2})(?:[-/.](\d{1,2}))?(?:[T ].*)?")
_NUMBERS = re.compile(rf"(\d{{1,2}})([-/. ])(\d{{1,2}})\2(\d{{4}}|\d{{2}}){_TIME}")
_COMPACT = re.compile(r"(1[5-9]\d\d|20\d\d)(\d\d)(\d\d)")
_DAY_MONTH = re.compile(
    rf"(\d{{1,2}})(?:st|nd|rd|th|er|\.)?[\s-]+(?:de\s+)?([^\W\d_]{{3,10}})\.?,?[\s-]+(?:de\s+)?(\d{{4}}|\d{{2}}){_TIME}",
    re.I,
)
_MONTH_DAY = re.compile(rf"([^\W\d_]{{3,10}})\.?\s+(?:(\d{{1,2}})(?:st|nd|rd|th)?,?\s+|de\s+)?(\d{{4}}){_TIME}", re.I)
_EAST = re.compile(r"(\d{4})\s*[年년]\s*(\d{1,2})\s*[月월](?:\s*(\d{1,2})\s*[日号일].*)?")
# The day of the week, in the languages of the months, before a number or a month and a number.
_WEEKDAY = re.compile(
    r"(?:mo|di|mi|do|fr|sa|so|(?:mon|tue|wed|thu|fri|sat|sun|die|mit|don|fre|sam|son|lun|mar|mer|jeu|ven|dim|mié|mie|jue"
    r"|vie|sáb|sab|dom|gio|seg|ter|qua|qui|sex|maa|din|woe|vri|zat|zon)[^\W\d_]{0,7})(?:-feira)?\.?,?\s+"
    r"((?:[^\W\d_]{3,10}\.?\s+)?\d.*)",
    re.I,
)
# Of a year that is written with two digits: up to here it is one of this century. People were born before, too.
_LATEST = 30


@lru_cache(maxsize=200_000)
def parse_date(text: str, day_first: bool = False) -> Parts | None:
    """Return year, month and day of a date, or ``None``.

    Of 3/4/1999 the first is the month unless it cannot be or ``day_first``; of 3.4.1999 it is the day.

    >>> parse_date("1999-03-04"), parse_date("March 4, 1999"), parse_date("25/12/1999"), parse_date("1999-03")
    ((1999, 3, 4), (1999, 3, 4), (1999, 12, 25), (1999, 3, None))
    >>> parse_date("Thu, 04 Mar 1999 08:00:00 GMT"), parse_date("1999年3月4日")
    ((1999, 3, 4), (1999, 3, 4))
    >>> parse_date("4.3.99"), parse_date("4 mars 1999"), parse_date("04-Mar-99 12:30")
    ((1999, 3, 4), (1999, 3, 4), (1999, 3, 4))
    """
    text = text.strip()
    if found := _ISO.fullmatch(text):
        return _valid(int(found[1]), int(found[2]), int(found[3]) if found[3] else None)
    if found := _NUMBERS.fullmatch(text):
        first, second, year = int(found[1]), int(found[3]), _year(found[4])
        if day_first or found[2] == ".":
            first, second = second, first
        return _valid(year, first, second) or _valid(year, second, first)
    if found := _COMPACT.fullmatch(text):
        return _valid(int(found[1]), int(found[2]), int(found[3]))
    if found := _DAY_MONTH.fullmatch(text):
        return _named(found[3], found[2], found[1])
    if found := _MONTH_DAY.fullmatch(text):
        return _named(found[3], found[1], found[2])
    if found := _EAST.fullmatch(text):
        return _valid(int(found[1]), int(found[2]), int(found[3]) if found[3] else None)
    return parse_date(found[1], day_first) if (found := _WEEKDAY.fullmatch(text)) else None


def as_iso(texts: Sequence[str]) -> list[str]:
    """Return the dates of a column as year, month and day, if some of them show which is which; the rest as it is.

    >>> as_iso(["25/12/1999", "03/04/1999", "soon"]), as_iso(["12/25/1999", "03/04/1999"])
    (['1999-12-25', '1999-04-03', 'soon'], ['1999-12-25', '1999-03-04'])
    """
    days, months = day_or_month(texts)
    return iso_dates(texts, days > months)


def day_or_month(texts: Sequence[str]) -> tuple[int, int]:
    """Return how many dates show that the day comes first, and how many that the month does."""
    numbers = [(int(found[1]), int(found[3])) for text in texts if (found := _NUMBERS.fullmatch(text.strip()))]
    return sum(first > 12 for first, _ in numbers), sum(second > 12 for _, second in numbers)


def iso_dates(texts: Sequence[str], day_first: bool) -> list[str]:
    """Return dates as year, month and day; what is none as it is."""
    return [_iso(parse_date(text, day_first)) or text for text in texts]


def _iso(parts: Parts | None) -> str:
    if parts is None:
        return ""
    return f"{parts[0]:04}" + "".join(f"-{part:02}" for part in parts[1:] if part is not None)


def _year(digits: str) -> int:
    year = int(digits)
    return year if len(digits) == 4 else year + (2000 if year <= _LATEST else 1900)


def _named(year: str, name: str, day: str | None) -> Parts | None:
    start = name.lower()[:4]
    month = _MONTHS.get(start) or _MONTHS.get(start[:3])
    return _valid(_year(year), month, int(day) if day else None) if month else None


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
    same = (left == right) & (left > 0)
    said = (left > 0) & (right > 0)
    count, asked = same.sum(1), said.sum(1)
    swapped = (left[:, 0] == right[:, 0]) & (left[:, 1] == right[:, 2]) & (left[:, 2] == right[:, 1]) & (asked == 3)
    near = np.abs(left[:, 0] - right[:, 0]) <= 1
    full = np.select(
        [count == 3, swapped, count == 2], [1.0, 0.85, 0.7], np.where(same[:, 0], 0.4, np.where(near, 0.2, 0.0))
    )
    partial = np.where(count == asked, 0.6, np.where(same[:, 0] | near, 0.2, 0.0))
    return np.where(asked == 3, full, partial)
