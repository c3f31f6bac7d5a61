"""Which encoding a text file is in: looked at, decided, and said; never guessed silently.

:func:`open_binary` opens a file, unpacking ``.gz``; :func:`detect_encoding` reads it once and returns a Python codec
name. A file that is valid UTF-8 is UTF-8; one that is not may be UTF-16 (by its mark or its zero bytes) or
Windows-1252. A file in which some lines are UTF-8 and others are not is refused: either reading would garble the rest.
"""

import codecs
import gzip
import os
import zlib
from collections.abc import Iterator
from typing import BinaryIO, cast

from likewise.errors import FormatError, StorageError

_MARKS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))
_CHUNK = 1 << 20
_UNREADABLE = (EOFError, zlib.error, gzip.BadGzipFile)


def open_binary(path: str | os.PathLike[str]) -> BinaryIO:
    """Open a file for reading bytes, through gzip when it begins as a gzip file does."""
    try:
        file = open(path, "rb")  # noqa: SIM115 - handed to the caller
        try:
            packed = file.peek(2)[:2] == b"\x1f\x8b"
        except OSError:
            file.close()
            raise
    except FileNotFoundError as error:
        raise StorageError(f"{path} does not exist") from error
    except OSError as error:
        raise StorageError(f"cannot read {path}: {error.strerror or error}") from error
    return cast(BinaryIO, gzip.GzipFile(fileobj=file)) if packed else file


def detect_encoding(path: str | os.PathLike[str]) -> str:
    """Return the codec to read ``path`` with: utf-8, utf-8-sig, utf-16, utf-16-le, utf-16-be or cp1252.

    >>> import pathlib, tempfile
    >>> file = pathlib.Path(tempfile.mkdtemp()) / "names.csv"
    >>> _ = file.write_bytes("name\\nJosé\\n".encode("cp1252"))
    >>> detect_encoding(file)
    'cp1252'
    """
    chunks = _chunks(path)
    head = next(chunks, b"")
    for mark, name in _MARKS:
        if head.startswith(mark):
            return name
    zeros = (head[0:4096:2].count(0), head[1:4096:2].count(0))
    if sum(zeros):
        half = max(1, min(len(head), 4096) // 2)
        if zeros[1] > 0.3 * half and zeros[0] < 0.05 * half:
            return "utf-16-le"
        if zeros[0] > 0.3 * half and zeros[1] < 0.05 * half:
            return "utf-16-be"
        raise FormatError(f"{path} is not a text file: it has zero bytes")
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        decoder.decode(head)
        for chunk in chunks:
            decoder.decode(chunk)
        decoder.decode(b"", final=True)
        return "utf-8"
    except UnicodeDecodeError:
        return _legacy(path)


def _legacy(path: str | os.PathLike[str]) -> str:
    """Decide on a file that is not UTF-8 throughout: Windows-1252, a mixture (refused), or nothing we know."""
    unicode_line = other_line = None
    with open_binary(path) as file:
        for number, line in enumerate(file, 1):
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
                        f"{path}, line {number}: byte 0x{line[error.start]:02x} is neither UTF-8 nor Windows-1252; "
                        "name the encoding, perhaps cp850 or latin-1 (encoding=..., --encoding)"
                    ) from error
            if unicode_line and other_line:
                raise FormatError(
                    f"{path} mixes encodings: line {unicode_line} is UTF-8, line {other_line} is not; "
                    "repair it, or name one encoding for all of it (encoding=..., --encoding)"
                )
    return "cp1252"


def _chunks(path: str | os.PathLike[str]) -> Iterator[bytes]:
    with open_binary(path) as file:
        try:
            while chunk := file.read(_CHUNK):
                yield chunk
        except _UNREADABLE as error:
            raise FormatError(f"{path} is a damaged gzip file: {error}") from error
        except OSError as error:
            raise StorageError(f"cannot read {path}: {error.strerror or error}") from error


def check_encoding(name: str) -> str:
    """Return the codec's canonical name, or say that Python has none of this name."""
    try:
        return codecs.lookup(name).name
    except LookupError as error:
        raise FormatError(f"encoding {name!r} is not known; try utf-8, utf-8-sig, utf-16 or cp1252") from error
