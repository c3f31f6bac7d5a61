"""Dates in English text by pattern: days, months with years, years, decades, centuries, before Christ too; ranges.

Each has its span, a sortable form in ISO order, and its place in a range: *from 1914 to 1918*, *1914–18*, *since 1971*.
"""

import dataclasses
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
_AFTER_CHRIST = r"(?=\s(?:AD|CE|A\.D\.))"
_YEAR = r"(?P<{0}>1\d{{3}}|20\d\d|[1-9]\d{{0,2}}" + _AFTER_CHRIST + ")"
# After a day and a month, or after *in* and before what no number of things precedes, three digits are a year, too.
_SHORT_YEAR = r"(?P<{0}>1\d{{3}}|20\d\d|[1-9]\d{{0,2}}" + _AFTER_CHRIST + r"|[1-9]\d\d)"
_LONE_YEAR = (
    r"(?:(?<=\b[Ii]n )|(?<=\b[Bb]y )|(?<=\b[Uu]ntil )|(?<=\b[Ss]ince )|(?<=\b[Yy]ear ))(?P<{0}>[1-9]\d\d)"
    r"(?=[,.;:)]?\s(?:when|while|he|she|it|they|his|her|its|their|the|a|an|and|but|by|after|at|to|under|with|as|where|"
    r"in|on|[A-Z]\w*)\b|[,.;)]?$|[)])"
    # A life or a reign: (406–453).
    r"|(?:(?<=\()|(?<=\bfl\. )|(?<=\bc\. )|(?<=\br\. ))(?P<{1}>[1-9]\d\d)(?=[–-][1-9]\d\d\))"
)
_BEFORE_CHRIST = r"\s?(?:BCE?|B\.C\.(?:E\.)?)"
_DATE = re.compile(
    # After a hyphen only the end of a range is a date: 1914-1918, but not ISO/IEC-1990.
    r"(?<![\w$£€.,/#])(?<!(?<!\d{4})-)"
    # Nor is a number that something is compared with.
    r"(?<!more than )(?<!less than )(?<!higher than )(?<!greater than )(?<!larger than )(?<!fewer than )(?:"
    + rf"{_MONTH.format('m1')}\s+{_DAY.format('d1')},?\s+{_SHORT_YEAR.format('y1')}"
    + rf"|(?:the\s+)?{_DAY.format('d2')}\s+(?:of\s+)?{_MONTH.format('m2')},?\s+{_SHORT_YEAR.format('y2')}"
    + rf"|{_MONTH.format('m3')},?\s+(?:of\s+)?{_YEAR.format('y3')}"
    + rf"|{_MONTH.format('m6')}\s+(?P<y11>[1-9]\d\d)(?=[,.;)]|$)"
    + rf"|{_MONTH.format('m4')}\s+{_DAY.format('d4')}(?!\d)"
    + rf"|{_DAY.format('d5')}\s+{_MONTH.format('m5')}"
    + r"|(?P<iso>\d{4}-\d\d-\d\d)"
    + rf"|(?:the\s+)?(?P<century>\d\d?)(?:st|nd|rd|th)[\s-]century(?P<bc1>{_BEFORE_CHRIST}|)"
    + rf"|(?P<y7>[1-9]\d{{0,3}})(?P<bc2>{_BEFORE_CHRIST})"
    + r"|(?:AD|A\.D\.)\s(?P<y8>[1-9]\d{0,3})"
    + r"|(?P<decade>1\d{2}0|20\d0)'?s"
    + rf"|{_YEAR.format('y6')}|{_LONE_YEAR.format('y9', 'y10')}"
    + r")(?:\s(?:AD|CE|A\.D\.))?(?![\w%]|[.,]\d|/[a-z]|-(?!\d{4}\b|\d\d\b)\w)"
)
# A bare number after a name is its own, unless it looks like a year: Univac 1107, IBM 1401, but the Rome Act 1701.
_NUMBERED = re.compile(
    r"(?<![.!?]\s)(?<!^)(?<![\w.'-])"
    r"(?:(?P<letters>[A-Z]{2,}|Flight|Route|Highway|Model|Class|[Nn]o\.|[Nn]umber|#|[Pp]orts?|[Bb]ug)|[A-Z][\w-]*)\s$"
)
_NO_NAMES = frozenset(
    ("AD", "CE", "In", "On", "By", "Since", "From", "Until", "To", "After", "Before", "During", "The")
)
_LEAST_OF_NAME = 1500
# Nor is what is measured or counted a year; after *in* it may be, and what follows be those who did something then.
_MEASURED = re.compile(
    r"[\s-]?(?:[cmk]?m|km2|km²|m²|ft|mi|kg|lbs?|ha|hp|[kM]W|[kMG]Hz|[kKMGTP]i?B|[kKMGT]bit|met(?:re|er)s?|kilomet(?:re|er)s?|feet|miles?|acres?|hectares?"
    r"|pounds?|kilograms?|tons?|tonnes?|light-years?|square|cubic)\b(?!\.\w)"
)
_COUNTED = re.compile(
    r"\s(?:people|inhabitants|residents|men|soldiers|troops|students|employees|members|copies|species|seats|votes|points|times"
    r"|years|days|hours|minutes|pages|words|bits|bytes|lines|dollars)\b"
)
_OF_A_YEAR = re.compile(
    r"\b(?:in|by|since|until|till|from|after|before|during|of|year|and|to)\s$|[–—-]$", re.IGNORECASE
)
# What stands before a number of things and not before a year.
_SO_MANY = re.compile(r"\b(?:over|some|nearly|almost|exactly|another)\s$", re.IGNORECASE)
# What a setting is set to, but for the date of a reference: pid=1876, and year=1876.
_SETTING = re.compile(r"(?<!year)(?<!date)=$", re.IGNORECASE)
_SHORT_END = re.compile(r"\s?[–-]\s?(\d\d)(?![\d%-]|[.,]\d)")
_STARTS = re.compile(r"\b(?:since|from|between|starting in|beginning in|as of)\s+(?:the\s+)?$", re.IGNORECASE)
_ENDS = re.compile(r"\b(?:until|till|through|up to)\s+(?:the\s+)?$", re.IGNORECASE)
_BETWEEN = re.compile(r"\s*[–—-]\s*|\s+(?:to|until|through|and)\s+(?:the\s+)?")


@dataclass(frozen=True, slots=True)
class Date:
    """A date in a text: where it stands, and year, month and day as far as they are said.

    ``years`` is how many years it may mean: 10 for a decade, 100 for a century. ``role`` is ``start`` or ``end`` of a
    range, else empty. Years before Christ are negative.
    """

    span: Span
    year: int | None
    month: int | None = None
    day: int | None = None
    years: int = 1
    role: str = ""

    @property
    def iso(self) -> str:
        """The date in ISO order, without what is not said: ``1959-08-21``, ``195X``, ``--07-14``, ``-0044``."""
        year = "-" if self.year is None else f"{'-' if self.year < 0 else ''}{abs(self.year):04d}"
        if self.years > 1:
            unsaid = len(str(self.years)) - 1
            return year[:-unsaid] + "X" * unsaid
        return year + "".join(f"-{part:02d}" for part in (self.month, self.day) if part is not None)


def dates(text: str) -> Iterator[Date]:
    """Yield the dates of a text from left to right.

    >>> [date.iso for date in dates("On August 21, 1959 (not 5 May 1958) or in the 1960s; about 1500, 1500 m, 3.1990")]
    ['1959-08-21', '1958-05-05', '196X', '1500']
    >>> [(date.iso, date.role) for date in dates("from 1914 to 1918, 1939–45, since the 19th century, in 44 BC")]
    [('1914', 'start'), ('1918', 'end'), ('1939', 'start'), ('1945', 'end'), ('18XX', 'start'), ('-0044', '')]
    >>> [date.iso for date in dates("An IBM 1401, a {Univac 1107} of 1962, by the Pact of Rome 1701, Flight 1862")]
    ['1962', '1701']
    """
    found = list(_plain(text))
    for place, date in enumerate(found):
        role = _role(text, date, found[place - 1] if place else None, found[place + 1 : place + 2])
        yield dataclasses.replace(date, role=role) if role else date


def _plain(text: str) -> Iterator[Date]:
    """The dates without their roles; a short end of a range is one too."""
    for found in _DATE.finditer(text):
        date = _date(found)
        if date is None or _is_no_year(text, found, date):
            continue
        yield date
        if found["y10"]:
            yield Date(Span(found.end() + 1, found.end() + 4), int(text[found.end() + 1 : found.end() + 4]))
        short = _SHORT_END.match(text, found.end())
        if short and date.years == 1 and date.month is None and date.year is not None and date.year > 0:
            year = date.year // 100 * 100 + int(short[1])
            if year > date.year:
                yield Date(Span(*short.span(1)), year)


def _date(found: re.Match[str]) -> Date | None:
    groups = {name[0]: value for name, value in found.groupdict().items() if value is not None}
    span = Span(*found.span())
    if "i" in groups:
        year, month, day = (int(part) for part in groups["i"].split("-"))
        return Date(span, year, month, day) if 1 <= month <= 12 and 1 <= day <= 31 else None
    sign = -1 if groups.get("b") else 1
    if found["century"]:
        # The 19th century is the eighteen hundreds; the 1st before Christ those below a hundred.
        return Date(span, sign * 100 * (int(found["century"]) - 1), years=100)
    if found["decade"]:
        return Date(span, int(found["decade"]), years=10)
    return Date(
        span,
        sign * int(groups["y"]) if "y" in groups else None,
        _NUMBER[groups["m"][:3].lower()] if "m" in groups else None,
        int(groups["d"]) if "d" in groups else None,
    )


def _is_no_year(text: str, found: re.Match[str], date: Date) -> bool:
    """Whether a bare number is rather that of a thing, or of things."""
    if found["y9"]:
        return _MEASURED.match(text, date.span.end) is not None
    if found["y6"] is None:
        return False
    setting = _SETTING.search(text, max(0, found.start() - 10), found.start())
    return bool(setting) or _is_number(text, found.start(), date) or _is_amount(text, date.span)


def _is_number(text: str, start: int, date: Date) -> bool:
    """Whether a year is rather the number of what is named before it."""
    name = _NUMBERED.search(text[max(0, start - 30) : start])
    if name is None or name[0].strip() in _NO_NAMES or name[0][:3].lower() in _NUMBER:
        return False
    return name["letters"] is not None or (date.year or 0) < _LEAST_OF_NAME


def _is_amount(text: str, span: Span) -> bool:
    """Whether a number says how many or how much: *1344 m*, *over 1200 species*."""
    before = text[max(0, span.start - 10) : span.start]
    if _MEASURED.match(text, span.end):
        return True
    counted = _COUNTED.match(text, span.end) is not None and not _OF_A_YEAR.search(before)
    return counted or bool(_SO_MANY.search(before))


def _role(text: str, date: Date, before: Date | None, after: list[Date]) -> str:
    left = text[max(0, date.span.start - 20) : date.span.start]
    if after and _BETWEEN.fullmatch(text, date.span.end, after[0].span.start):
        between = text[date.span.end : after[0].span.start]
        if "and" not in between or _STARTS.search(left):
            return "start"
    if before is not None and _BETWEEN.fullmatch(text, before.span.end, date.span.start):
        between = text[before.span.end : date.span.start]
        if "and" not in between or _STARTS.search(text[max(0, before.span.start - 20) : before.span.start]):
            return "end"
    if _STARTS.search(left):
        return "start"
    return "end" if _ENDS.search(left) else ""
