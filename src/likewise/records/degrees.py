"""Coordinates as people write them: degrees with minutes and seconds, signs, or letters such as N and W."""

import re

_PART = r"\d{1,2}(?:[.,]\d+)?"
_DEGREES = re.compile(
    rf"(?P<before>[nsewo])?\s*(?P<sign>[-+−])?\s*(?P<whole>\d{{1,3}})(?P<decimals>[.,]\d+)?\s*(?P<mark>[°º˚])?\s*"
    rf"(?:(?P<minutes>{_PART})\s*(?:['’′´]|min)?\s*(?:(?P<seconds>{_PART})\s*(?:[\"”″]|''|′′)?)?)?\s*"
    r"(?P<after>[nsewo])?",
    re.I,
)
_PAIR = re.compile(r"\(?\s*(-?\d{1,3}\.\d+)\s*[,; ]\s*(-?\d{1,3}\.\d+)\s*\)?")
# What stands between two angles: a sign, a blank behind a letter, a blank before one.
_BETWEEN = (re.compile(r"\s*[,;/]\s*"), re.compile(r"(?<=[nsewo])\s*(?=\d)", re.I), re.compile(r"\s+(?=[nsewo])", re.I))
_BEFORE, _BEHIND = 2, 4  # so many decimals with a letter before or behind them are an angle


def degrees(text: str) -> float | None:
    """Return the angle that a text gives, in degrees; ``None`` where no sign or letter marks it as one.

    West (*W*, or *O* as in *Ouest* and *Oeste*) and south are below zero.

    >>> degrees('51° 39\\' 00" N'), degrees("51 39 00S"), degrees("W 0° 7.5'"), degrees("51.5°"), degrees("12 W")
    (51.65, -51.65, -0.125, 51.5, None)
    """
    found = _DEGREES.fullmatch(text.strip())
    if found is None:
        return None
    letters = [one.lower() for one in (found["before"], found["after"]) if one]
    parts = [found["minutes"], found["seconds"]]
    if len(letters) > 1 or (letters and found["sign"]) or (found["decimals"] and parts[0]):
        return None
    decimals = len(found["decimals"] or " ") - 1
    sure = parts[0] or decimals >= (_BEFORE if found["before"] else _BEHIND)
    if not found["mark"] and not (letters and sure):  # S3 is a code, and 5.25 W a power
        return None
    small = [float((part or "0").replace(",", ".")) for part in parts]
    value = float(f"{found['whole']}{(found['decimals'] or '').replace(',', '.')}") + small[0] / 60 + small[1] / 3600
    if max(small) >= 60 or value > 360:
        return None
    return -value if found["sign"] in ("-", "−") or letters[:1] in (["s"], ["w"], ["o"]) else value


def coordinates(text: str) -> tuple[float, float] | None:
    """Return the two angles of a pair of coordinates in a text.

    >>> coordinates("(51.65, -0.125)"), coordinates('51°39\\'00"N 0°07\\'30"W'), coordinates("N51°39' W0°7.5'")
    ((51.65, -0.125), (51.65, -0.125), (51.65, -0.125))
    """
    text = text.strip()
    both = _PAIR.fullmatch(text)
    if both:
        return float(both[1]), float(both[2])
    for between in _BETWEEN:
        parts = between.split(text)
        if len(parts) == 2:
            first, second = map(degrees, parts)
            if first is not None and second is not None:
                return first, second
    return None
