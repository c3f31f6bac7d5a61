"""Kinds of fields (name, text, number, date, code, ...): detected from the values, or named by the user.

A kind says three things about a column: which values are *equal* however they are written (:func:`normalised`), what
its values measure, where they measure anything (:func:`magnitudes`), and whether differences of letters mean anything
(``Kind.letters``).
"""

import math
import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from likewise.records.dates import day_or_month, iso_dates, parse_date
from likewise.records.degrees import coordinates, degrees

_SAMPLE = 2000  # values looked at, spread over the column
_WITH_DIGITS = 0.7  # of a column whose values have digits so many have at least
_LOCAL = 8  # digits of a phone number that are the same with and without the code of its country, or a 0 before it
_SKEWED = 1.25  # how far the mean of numbers is above their median, and that of keys is not

_NUMBER = re.compile(r"[-+]?(?:\d{1,3}(?:[,' ]\d{3})+|\d+)(?:\.\d+)?|[-+]?\.\d+")
_PLAIN = re.compile(r"\d{1,300}(?:\.\d{1,300})?")
# With a comma before the decimals; 1,299 may be either.
_COMMA = re.compile(r"[-+]?(?:\d{1,3}(?:[.' ]\d{3})+|\d+),(?:\d{1,2}|\d{4,})|[-+]?\d{1,3}(?:\.\d{3})+,\d+")
_POINT = re.compile(r"[-+]?\d+\.(?:\d{1,2}|\d{4,})")
_CURRENCY = re.compile(r"[$€£¥]|\b(?:usd|eur|gbp|chf|jpy|aud|cad)\b", re.I)
_UNIT = re.compile(r"^([-+]?[\d.,' ]*\d)\s*([a-z%\"°²³]{0,5}\.?)$", re.I)
_DIGIT = re.compile(r"\d")
_EMAIL = re.compile(r"[^@\s]+@[^@\s]+\.[^@\s.]+")
_PHONE = re.compile(r"[+(]?\d[\d\s()/.+-]{5,}\d(?:\s*(?:x|ext\.?)\s*\d+)?", re.I)
_EXTENSION = re.compile(r"\s*(?:x|ext\.?)\s*\d+$")
_TRUNK = re.compile(r"0[1-9]\d{7,10}")  # a phone number within its country; zeros that fill up a key are several
_POSTCODE = re.compile(
    r"\d{4,5}(?:-\d{4})?|[a-z]{1,2}\d{1,2}[a-z]?\s*\d[a-z]{2}|[a-z]\d[a-z]\s*\d[a-z]\d|\d{4}\s?[a-z]{2}", re.I
)
# What stands between words, however they are written; not the sign of a number, nor a sign that says something: C#, A+.
_APOSTROPHE = re.compile(r"['’ʼ`´]")
_BETWEEN = re.compile(r"(?:[\s.,;:!?\"“”„«»()\[\]{}/\\|_·…]|[-‐‑‒–—](?=\s*\w)(?!(?<!\w-)\d))+")
_YEAR = re.compile(r"1[5-9]\d\d|20\d\d|2100")
_INITIALS = re.compile(r"(?<=\b[^\W\d_]) (?=[^\W\d_]\b)")
_TRUTH = {"yes", "no", "y", "n", "true", "false", "t", "f", "0", "1", "ja", "nein", "oui", "non"}


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of field: its name, whether its letters are compared, and whether it is measured."""

    name: str
    letters: bool = True
    measured: bool = False


KINDS = {
    kind.name: kind
    for kind in (
        Kind("name"),
        Kind("text"),
        Kind("number", measured=True),
        Kind("money", measured=True),
        Kind("date", letters=False, measured=True),
        Kind("code"),
        Kind("email"),
        Kind("phone"),
        Kind("postcode"),
        Kind("category"),
        Kind("boolean", letters=False),
        Kind("coordinates", letters=False, measured=True),
    )
}


def detect(values: Sequence[str | None]) -> str:
    """Return the kind of a column, by its values.

    >>> detect(["1999-03-04", "2001-11-30", None]), detect(["$12.50", "$3"]), detect(["red", "blue", "red"])
    ('date', 'money', 'category')
    >>> detect(["LX-200B", "K7011", "SD-40"]), detect(["ada@example.org"]), detect(["yes", "no", "yes"])
    ('code', 'email', 'boolean')
    """
    present = [value.strip() for value in values if value and value.strip()]
    distinct = set(present)
    return kind_of(present[:: kind_step(len(present))], len(present), len(distinct), distinct)


def kind_step(present: int) -> int:
    """Return the step at which values are sampled to tell the kind of a column."""
    return max(1, present // _SAMPLE)


def kind_of(sample: Sequence[str], present: int, distinct: int, some: Collection[str]) -> str:
    """Return the kind of a column, by every so many-th of the values that are ``present`` and how many ``distinct``.

    ``some`` of the distinct values are all of them where there are two or less.
    """
    if not present:
        return "text"

    def most(test: Callable[[str], object], least: float) -> bool:
        return at_least(sample, test, least)

    if distinct <= 2 and {value.lower() for value in some} <= _TRUTH:
        return "boolean"
    if most(_EMAIL.fullmatch, 0.8):
        return "email"
    if most(_DIGIT.search, _WITH_DIGITS) and (kind := _with_digits(sample, distinct / present)):
        return kind
    words = float(np.median([len(value.split()) for value in sample]))
    if distinct <= max(12, 0.02 * present) and words <= 3:
        return "category"
    return "name" if words <= 4 and most(lambda value: len(value) < 60 and not _DIGIT.search(value), 0.7) else "text"


def at_least(values: Sequence[str], test: Callable[[str], object], least: float) -> bool:
    """Return whether a test holds of at least a share of the values; no more are looked at than it takes to know.

    >>> seen = []
    >>> at_least("abcdefgh", lambda value: seen.append(value), 0.5), seen
    (False, ['a', 'b', 'c', 'd', 'e'])
    """
    hits, rest, size = 0, len(values), len(values)
    for value in values:
        rest -= 1
        if test(value):
            hits += 1
            if hits / size >= least:
                return True
        elif (hits + rest) / size < least:
            return False
    return False


def _with_digits(sample: Sequence[str], distinct: float) -> str | None:
    """Return the kind of a column if it is one whose values all have digits."""
    if at_least(sample, coordinates, 0.8):
        return "coordinates"
    if at_least(sample, parse_date, 0.8):
        return "date"
    if at_least(sample, lambda value: number(value) is not None, 0.9):
        return _numeric(sample, distinct)
    if at_least(sample, lambda value: _PHONE.fullmatch(value) and 7 <= _digits(value) <= 15, 0.8):
        return "phone"
    if at_least(sample, _YEAR.fullmatch, 0.8):
        return "number"  # and some that are written otherwise: 1984/86, n.d.
    if at_least(sample, _POSTCODE.fullmatch, 0.8):
        return "postcode"
    return "code" if at_least(sample, lambda value: " " not in value and _DIGIT.search(value), _WITH_DIGITS) else None


def _numeric(sample: Sequence[str], distinct: float) -> str:
    if sum(bool(_CURRENCY.search(value)) for value in sample) / len(sample) >= 0.1:
        return "money"
    whole = all(value.isdigit() for value in sample)
    lengths = [len(value) for value in sample]
    same = float(np.mean(np.array(lengths) == np.median(lengths)))
    years = sum(1500 <= int(value) <= 2100 for value in sample) / len(sample) if whole else 0
    if whole and same >= 0.9 and np.median(lengths) >= 4 and years < 0.9 and not _skewed([int(x) for x in sample]):
        if np.mean([bool(_TRUNK.fullmatch(value)) for value in sample]) >= 0.8:
            return "phone"
        # A number of one length is a key of something: five digits or less that come back are places.
        return "code" if distinct > 0.5 or np.median(lengths) > 5 else "postcode"
    return "number"


def _skewed(values: Sequence[int]) -> bool:
    """Return whether few values are far above the others, as numbers of people and amounts are and keys are not."""
    return float(np.mean(values)) >= _SKEWED * float(np.median(values))


@lru_cache(maxsize=200_000)
def number(text: str) -> float | None:
    """Return the number that a text is, without its currency or unit.

    >>> number("$1,299.00"), number("12 kg"), number("1.299,50 €"), number("51° 30' S"), number("A4")
    (1299.0, 12.0, 1299.5, -51.5, None)
    """
    if _PLAIN.fullmatch(text):
        return float(text)
    angle = degrees(text)
    if angle is not None:
        return angle
    written = _figures(text)
    if _COMMA.fullmatch(written):
        written = written.replace(".", "").replace(",", ".")
    elif not _NUMBER.fullmatch(written):
        return None
    value = float(re.sub(r"[,' ]", "", written))
    return value if math.isfinite(value) else None


def _figures(text: str) -> str:
    """Return the figures of a number, without its currency or unit; nothing where there is none."""
    found = _UNIT.match(_CURRENCY.sub("", text).strip().replace("−", "-"))
    return found[1].strip() if found else ""


def written_as(kind: str) -> Callable[[Sequence[str]], list[str]]:
    """Return what brings the values of a column of a kind into one form: numbers with commas, for one, get points.

    >>> written_as("number")(["38,7040", "38,704", "1.299"]), written_as("number")(["1,299", "2,000"])
    (['38.7040', '38.704', '1299'], ['1,299', '2,000'])
    """
    return lambda texts: written(texts, kind, form_of(texts, kind))


Form = tuple[int, int]
"""How often the distinct texts of a column show one way of writing, and the other; those of its parts add up.

Of dates: the day first, the month first; of numbers: a decimal point, a comma.
"""


def form_of(texts: Sequence[str], kind: str) -> Form:
    """Return how the values of a column of a kind are written."""
    if kind == "date":
        return day_or_month(texts)
    if kind not in ("number", "money"):
        return 0, 0
    figures = list(map(_figures, texts))
    return sum(map(bool, map(_POINT.fullmatch, figures))), sum(map(bool, map(_COMMA.fullmatch, figures)))


def written(texts: Sequence[str], kind: str, form: Form) -> list[str]:
    """Return values of a column that is written so in one form."""
    if kind == "date":
        return iso_dates(texts, form[0] > form[1])
    if kind not in ("number", "money") or form[0] or not form[1]:
        return list(texts)
    return [text.replace(".", "").replace(",", ".") if _figures(text) else text for text in texts]


def normalised(kind: str, text: str) -> str:
    """Return what two values must share to be equal.

    >>> normalised("phone", "+1 (310) 246-1501"), normalised("phone", "310/246-1501"), normalised("code", "LX-200 b")
    ('02461501', '02461501', 'lx200b')
    >>> normalised("name", "Nintendo Co.,Ltd"), normalised("name", "U.S. Robotics (3Com)"), normalised("text", "1.5 C#")
    ('nintendo co ltd', 'us robotics 3com', '1 5 c#')
    """
    low = text.casefold().strip()
    if kind == "phone":
        return re.sub(r"\D", "", _EXTENSION.sub("", low))[-_LOCAL:] or low
    if kind in ("code", "postcode"):
        return low if low.isalnum() else re.sub(r"[\W_]+", "", low) or low
    if kind in ("number", "money"):
        value = number(low)
        return low if value is None else repr(value)
    if kind == "date":
        parts = parse_date(low)
        return low if parts is None else repr(parts)
    low = " ".join(low.split())
    if kind not in ("name", "text"):
        return low
    if low.isascii() and low.replace(" ", "").isalnum():  # words only
        return _INITIALS.sub("", low) if " " in low else low
    return _INITIALS.sub("", _BETWEEN.sub(" ", _APOSTROPHE.sub("", low)).strip()) or low


def magnitudes(kind: str, texts: Sequence[str]) -> NDArray[np.float64]:
    """Return the number, the day or the two degrees that each text is (NaN: none), one row per text."""
    width = 2 if kind == "coordinates" else 1
    found = np.full((len(texts), width), np.nan)
    for place, text in enumerate(texts):
        if kind == "coordinates":
            both = coordinates(text)
            if both is not None:
                found[place] = both
        elif kind == "date":
            parts = parse_date(text)
            if parts is not None:
                year, month, day = parts
                found[place] = year * 365.2425 + ((month or 7) - 0.5) * 30.44 + (day or 15)
        else:
            value = number(text)
            if value is not None:
                found[place] = value
    return found


def _digits(text: str) -> int:
    return len(_DIGIT.findall(text))
