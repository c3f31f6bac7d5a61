"""Encodings of old collections, which do not name theirs."""

import re
from pathlib import Path

from likewise.errors import InputError


def read_text(path: Path) -> str:
    r"""Return the text of a file: UTF-8 (byte order mark dropped), else Windows-1252; lines end with ``\n``."""
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror or error}") from error
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        # birdScott1 and 2 went through an editor that puts 0x81 before each accented letter.
        raw = re.sub(rb"\x81(?=[\xa0-\xff])", b"", raw)
        try:
            text = raw.decode("cp1252")
        except UnicodeDecodeError:  # five bytes mean nothing in Windows-1252
            text = raw.decode("latin-1")
    return text.replace("\r\n", "\n").replace("\r", "\n")
