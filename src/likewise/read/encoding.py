"""Bytes to characters: the one place that decides on encodings, by two policies.

Pages are forgiven: :func:`decode` takes the byte-order mark, then what was declared, then UTF-8, then what a detector
says, and puts U+FFFD where a byte makes no sense. Tables are not: :func:`detect_encoding` looks at the whole file
and returns a codec that fits every byte of it, or refuses in words, because a garbled name matches nothing.
"""

import codecs
import re
from dataclasses import dataclass

from likewise.errors import FormatError, OptionError
from likewise.read.guess import guess
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
# From this size on Arrow checks whether bytes are UTF-8.
_LARGE = 1 << 22
# Encodings whose signs are pairs of bytes, some of which are a letter of two bytes in UTF-8 as well; and what is hardly
# read by chance there: a sign of three bytes, a letter beside one of ASCII.
_IN_PAIRS = frozenset({"gb18030", "big5", "cp949", "euc_jp", "cp932"})
_NOT_BY_CHANCE = re.compile("[^\\x00-\u07ff]|[A-Za-z][^\\x00-\\x7f]|[^\\x00-\\x7f][A-Za-z]")
# Windows-1252 is by far the commonest: it is taken when it is only likely, and that is said.
_LIKELY = 2.0


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
    said_by = (declared, _declared(data) if html else None)
    # What only escapes from ASCII would pass for UTF-8.
    escaping = next((said for said in said_by if said and said.lower().startswith(_ESCAPING)), None) or "utf-8"
    for codec in (escaping, "utf-8"):
        try:
            return data.decode(codec)
        except (LookupError, UnicodeError):
            pass
    for said in said_by:
        if said is not None:
            try:
                return data.decode(_ON_THE_WEB.get(said.lower(), said))
            except (LookupError, UnicodeError):
                pass
    # UTF-8 with a few bad bytes stays so; where hardly any other byte is good, it is one of the old encodings.
    text = data.decode("utf-8", "replace")
    bad = text.count("\ufffd")
    good = len(text) - len(text.encode("ascii", "ignore")) - bad
    if good > bad:
        return text
    found = guess(data[:_CHUNK])
    return data.decode(found.encoding if found else "cp1252", "replace")


_DECLARED = re.compile(rb"<(?:meta\b[^>]*charset|\?xml\b[^>]*encoding)\s*=\s*[\"']?([\w.:-]+)", re.IGNORECASE)
# Pages that say Latin-1 mean Windows-1252, which has the same letters and quotation marks beside them.
_ON_THE_WEB = {**dict.fromkeys(("iso-8859-1", "latin1", "latin-1", "us-ascii"), "cp1252"), "gb2312": "gb18030"}

_ESCAPING = ("iso-2022-", "utf-7", "hz-gb")


def _declared(data: bytes) -> str | None:
    """Return the encoding that a page itself names."""
    found = _DECLARED.search(data[:4096])
    return found[1].decode("ascii", "replace") if found else None


@dataclass(frozen=True, slots=True)
class Detected:
    """A codec, and how sure it is, in words that can stand in a note."""

    codec: str
    said: str


def detect_encoding(data: bytes, place: str) -> Detected:
    """Return the codec of a table's bytes: Unicode in one of its forms, or an old encoding; refuse what is doubtful.

    >>> detect_encoding("name\\nJosé\\nZoë\\n".encode("cp1252"), "names.csv").said
    'cp1252'
    """
    for mark, name in _MARKS:
        if data.startswith(mark):
            codec = _MARKED.get(name, name[:6])
            return Detected(codec, codec)
    zeros = (data[0:4096:2].count(0), data[1:4096:2].count(0))
    if sum(zeros):
        half = max(1, min(len(data), 4096) // 2)
        for place_of_zero, name in ((1, "utf-16-le"), (0, "utf-16-be")):
            if zeros[place_of_zero] > 0.3 * half and zeros[1 - place_of_zero] < 0.05 * half:
                return Detected(name, name)
        raise FormatError(f"{place} is not text: it has NUL bytes, as pictures, archives and programs have")
    return Detected("utf-8", "utf-8") if _is_utf8(data) else _legacy(data, place)


def _is_utf8(data: bytes) -> bool:
    if data.isascii():
        return True
    if len(data) < _LARGE:
        try:
            data.decode()
        except UnicodeDecodeError:
            return False
        return True
    # Arrow looks at large files without making a string of them, several times as fast.
    import pyarrow as pa

    ends = pa.array([0, len(data)], pa.int64()).buffers()[1]
    try:
        pa.Array.from_buffers(pa.large_string(), 1, [None, ends, pa.py_buffer(data)]).validate(full=True)
    except pa.ArrowInvalid:
        return False
    return True


def _legacy(data: bytes, place: str) -> Detected:
    """Decide on a file that is not UTF-8 throughout: an old encoding, a mixture (refused), or nothing we can tell."""
    found = guess(data)
    _refuse_mixture(data, place, in_pairs=found is not None and found.sure and found.encoding in _IN_PAIRS)
    advice = "name the encoding (encoding=..., --encoding)"
    if found is None:
        raise FormatError(f"{place} is not UTF-8, and no old encoding makes words of it; {advice}")
    if not found.sure and not (found.encoding == "cp1252" and found.margin >= _LIKELY):
        words = [found.word.decode(codec, "replace") for codec in (found.encoding, found.other)]
        raise FormatError(
            f"{place} is not UTF-8, and its words do not tell its encoding: {found.encoding} reads {words[0]!r}, "
            f"{found.other} {words[1]!r}; {advice}"
        )
    try:
        data.decode(found.encoding)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise FormatError(
            f"{place}, line {line}: byte 0x{data[error.start]:02x} is not {found.encoding}, which the rest seems to "
            f"be; repair it, or {advice}"
        ) from error
    return Detected(found.encoding, found.encoding if found.sure else f"probably {found.encoding}")


def _refuse_mixture(data: bytes, place: str, in_pairs: bool) -> None:
    """Raise an error for a file of which some lines are UTF-8 and others are not: either reading garbles the rest.

    In an encoding ``in_pairs`` of bytes a short line may be valid UTF-8 by chance (in GBK one of a hundred names of two
    signs), so that there it needs more to count as UTF-8.
    """
    unicode_line = other_line = None
    for number, line in enumerate(data.split(b"\n"), 1):
        if line.isascii():
            continue
        try:
            text = line.decode("utf-8")
            if not in_pairs or _NOT_BY_CHANCE.search(text):
                unicode_line = unicode_line or number
        except UnicodeDecodeError:
            other_line = other_line or number
        if unicode_line and other_line:
            raise FormatError(
                f"{place} mixes encodings: line {unicode_line} is UTF-8, line {other_line} is not; "
                "repair it, or name one encoding for all of it (encoding=..., --encoding)"
            )
