"""Bytes to characters: the one place that decides on encodings, by two policies.

Pages are forgiven: :func:`decode` takes the byte-order mark, then what was declared, then UTF-8, then what a detector
says, and puts U+FFFD where a byte makes no sense. Tables are not: :func:`detect_encoding` looks at the whole file
and returns a codec that fits every byte of it, or refuses in words, because a garbled name matches nothing.
"""

import codecs

from likewise.errors import FormatError, OptionError
from likewise.read.skipped import SkipError

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
# What a mark means to a reader that must drop it by itself.
_MARKED = {"utf-8": "utf-8-sig"}
_CHUNK = 1 << 20


def check_encoding(encoding: str) -> str:
    """Return the canonical name of an encoding; raise :class:`OptionError` if there is none of this name."""
    try:
        return codecs.lookup(encoding).name
    except LookupError as error:
        raise OptionError(
            f"encoding must be the name of a character encoding, such as utf-8, utf-16 or cp1252, not {encoding!r}"
        ) from error


def is_binary(head: bytes) -> bool:
    """Tell whether the first bytes of a file can be no text in any encoding that is in use.

    >>> is_binary(b"\\x00\\x01\\x02 ELF"), is_binary("naïve".encode("utf-16")), is_binary(b"plain")
    (True, False, False)
    """
    if any(head.startswith(mark) for mark, _ in _MARKS):
        return False
    controls = sum(head.count(byte) for byte in _CONTROLS)
    return b"\x00" in head or controls * 20 > len(head)


_CONTROLS = [bytes([code]) for code in range(1, 32) if code not in (9, 10, 11, 12, 13, 27)]


def decode(data: bytes, encoding: str | None = None, *, html: bool = False, declared: str | None = None) -> str:
    """Decode ``data``; line ends become ``\\n``, invalid bytes U+FFFD, a byte-order mark goes.

    ``encoding`` is the user's word and final; ``declared`` (an HTTP header) and the page's own declaration count only
    if the bytes agree with them, because they are often wrong.

    >>> decode("naïve\\r\\n".encode("cp1252"))
    'naïve\\n'
    """
    return _decode(data, encoding, html, declared).replace("\r\n", "\n").replace("\r", "\n")


def _decode(data: bytes, encoding: str | None, html: bool, declared: str | None) -> str:
    for mark, name in _MARKS:
        if data.startswith(mark):
            return data[len(mark) :].decode(name, "replace")
    if encoding is not None:
        return data.decode(encoding, "replace")
    if is_binary(data[:8192]):
        raise SkipError("binary")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        pass
    if declared is not None:
        try:
            return data.decode(declared)
        except (LookupError, UnicodeError):
            pass
    from resiliparse.parse.encoding import bytes_to_str, detect_encoding

    found: str = detect_encoding(data, from_html_meta=html)
    if found == "utf-8":
        # UTF-8 with a few bad bytes stays so; where hardly any other byte is good, it is the old Western encoding.
        text = data.decode("utf-8", "replace")
        bad = text.count("\ufffd")
        good = len(text) - len(text.encode("ascii", "ignore")) - bad
        return text if good > bad else data.decode("cp1252", "replace")
    text = bytes_to_str(data, found, "replace")
    return str(text)


def detect_encoding(data: bytes, place: str) -> str:
    """Return the codec of a table's bytes: Unicode in one of its forms, or Windows-1252; refuse what is neither.

    >>> detect_encoding("name\\nJosé\\n".encode("cp1252"), "names.csv")
    'cp1252'
    """
    for mark, name in _MARKS:
        if data.startswith(mark):
            return _MARKED.get(name, name[:6])
    zeros = (data[0:4096:2].count(0), data[1:4096:2].count(0))
    if sum(zeros):
        half = max(1, min(len(data), 4096) // 2)
        if zeros[1] > 0.3 * half and zeros[0] < 0.05 * half:
            return "utf-16-le"
        if zeros[0] > 0.3 * half and zeros[1] < 0.05 * half:
            return "utf-16-be"
        raise FormatError(f"{place} is not a text file: it has zero bytes")
    return "utf-8" if _is_utf8(data) else _legacy(data, place)


def _is_utf8(data: bytes) -> bool:
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        for start in range(0, len(data), _CHUNK):
            decoder.decode(data[start : start + _CHUNK])
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return False
    return True


def _legacy(data: bytes, place: str) -> str:
    """Decide on a file that is not UTF-8 throughout: Windows-1252, a mixture (refused), or nothing we know."""
    unicode_line = other_line = None
    for number, line in enumerate(data.split(b"\n"), 1):
        if line.isascii():
            continue
        try:
            line.decode("utf-8")
            unicode_line = unicode_line or number
        except UnicodeDecodeError:
            other_line = other_line or number
            try:
                line.decode("cp1252")
            except UnicodeDecodeError as error:
                raise FormatError(
                    f"{place}, line {number}: byte 0x{line[error.start]:02x} is neither UTF-8 nor Windows-1252; "
                    "name the encoding, perhaps cp850 or latin-1 (encoding=..., --encoding)"
                ) from error
        if unicode_line and other_line:
            raise FormatError(
                f"{place} mixes encodings: line {unicode_line} is UTF-8, line {other_line} is not; "
                "repair it, or name one encoding for all of it (encoding=..., --encoding)"
            )
    return "cp1252"
