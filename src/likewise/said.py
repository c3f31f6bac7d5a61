"""How messages are worded, and which characters of a text are safe for a terminal."""

import re

_LINES = str.maketrans("\r\v\f", "   ")
_ONE_LINE = str.maketrans("\n\t\r\v\f", "     ")
# What moves the cursor, paints or renames the window, turns the direction of what follows, or is half a character.
_CONTROL = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


def counted(number: int, one: str, several: str | None = None) -> str:
    """Return a number with its noun.

    >>> counted(1, "row"), counted(2000, "row"), counted(0, "copy", "copies")
    ('1 row', '2,000 rows', '0 copies')
    """
    return f"{number:,} {one if number == 1 else several or f'{one}s'}"


def size_of(number: int) -> str:
    """Return a number of bytes as people read it: never rounded to nothing.

    >>> [size_of(number) for number in (0, 1, 56, 999, 1000, 45_678, 999_499, 999_999, 3_456_789, 2_345_000_000)]
    ['0 bytes', '1 byte', '56 bytes', '999 bytes', '1 kB', '46 kB', '999 kB', '1.0 MB', '3.5 MB', '2,345.0 MB']
    """
    if number < 1000:
        return counted(number, "byte")
    return f"{number / 1e3:,.0f} kB" if number < 999_500 else f"{number / 1e6:,.1f} MB"


def printable(text: str, *, lines: bool = True) -> str:
    """Return a text that does nothing to the terminal but show itself: whoever wrote it may not be its reader's friend.

    Control characters are shown as JSON writes them, so that JSON stays the same. ``lines=False`` makes one line of it.

    >>> printable("cheap\\x1b[2J\\u202efdp.exe")
    'cheap\\\\u001b[2J\\\\u202efdp.exe'
    >>> printable("two\\nlines", lines=False)
    'two lines'
    """
    text = text.translate(_LINES if lines else _ONE_LINE)
    return _CONTROL.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
