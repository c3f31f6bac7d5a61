"""Bytes to characters: byte-order mark, then what was declared, then UTF-8, then detection."""

import codecs

from likewise.errors import OptionError
from likewise.read.skipped import SkipError

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


def check_encoding(encoding: str | None) -> None:
    """Raise :class:`OptionError` unless ``encoding`` is None or the name of one."""
    if encoding is not None:
        try:
            codecs.lookup(encoding)
        except LookupError as error:
            raise OptionError(f"encoding must be the name of a character encoding, not {encoding!r}") from error


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
