"""Dates in English text by pattern: days, months with years, years, decades; with spans and a sortable form."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from likewise.read.document import Span

MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
)  # fmt: skip
_NUMBER = {name[:3].lower(): n for n, name in enumerate(MONTHS, 1)}
_MONTH = r"(?P<{0}>(?:Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\b\.?|" + "|".join(MONTHS) + r")"
_DAY = r"(?P<{0}>0?[1-9]|[12]\d|3[01])(?:st|nd|rd|th)?"
_YEAR = r"(?P<{0}>1\d{{3}}|20\d\d|[1-9]\d{{2}}(?=\s(?:AD|CE|A\.D\.)))"
_DATE = re.compile(
    r"(?<![\w$£€.,/-])(?:"
    + rf"{_MONTH.format('m1')}\s+{_DAY.format('d1')},?\s+{_YEAR.format('y1')}"
    + rf"|(?:the\s+)?{_DAY.format('d2')}\s+(?:of\s+)?{_MONTH.format('m2')},?\s+{_YEAR.format('y2')}"
    + rf"|{_MONTH.format('m3')},?\s+(?:of\s+)?{_YEAR.format('y3')}"
    + rf"|{_MONTH.format('m4')}\s+{_DAY.format('d4')}(?!\d)"
    + rf"|{_DAY.format('d5')}\s+{_MONTH.format('m5')}"
    + r"|(?P<iso>\d{4}-\d\d-\d\d)"
    + r"|(?P<decade>1\d{2}0|20\d0)s"
    + rf"|{_YEAR.format('y6')}"
    + r")(?![\w%]|[.,]\d|-\w)"
)


@dataclass(frozen=True, slots=True)
class Date:
    """A date in a text: where it stands, and year, month and day as far as they are said."""

    span: Span
    year: int | None
    month: int | None
    day: int | None

    @property
    def iso(self) -> str:
        """The date in ISO order, without what is not said: ``1959-08-21``, ``1959``, ``--07-14``."""
        year = f"{self.year:04d}" if self.year is not None else "-"
        return year + "".join(f"-{part:02d}" for part in (self.month, self.day) if part is not None)


def dates(text: str) -> Iterator[Date]:
    """Yield the dates of a text from left to right.

    >>> [date.iso for date in dates("On August 21, 1959 (not 5 May 1958) or in the 1960s; about 1500 men, 3.1990")]
    ['1959-08-21', '1958-05-05', '1960', '1500']
    """
    for found in _DATE.finditer(text):
        groups = {name[0]: value for name, value in found.groupdict().items() if value is not None}
        if "i" in groups:
            year, month, day = (int(part) for part in groups["i"].split("-"))
            if not (1 <= month <= 12 and 1 <= day <= 31):
                continue
            yield Date(Span(*found.span()), year, month, day)
            continue
        year_text = groups.get("y") or found["decade"]
        yield Date(
            Span(*found.span()),
            int(year_text) if year_text else None,
            _NUMBER[groups["m"][:3].lower()] if "m" in groups else None,
            int(groups["d"]) if "d" in groups and not found["decade"] else None,
        )
