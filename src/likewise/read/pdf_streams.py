"""How much the streams of a PDF stand for.

pdfium makes an object of each piece of text, and ends the process where there is no room for them.
Looked at is what is packed as nearly all PDFs are (deflate, also several times); pictures are not unpacked for their
text. What hides otherwise is bounded by the memory that the process of :mod:`likewise.read.pdf_pages` may have.
"""

import re
import zlib
from collections.abc import Iterator
from itertools import chain

from likewise.read.open import BOMB_BYTES, BOMB_RATIO
from likewise.read.skipped import SkipError

_STREAM = re.compile(rb"(?<!end)stream\r?\n")
_PICTURE = re.compile(rb"/Subtype\s*/Image\b")
_DICTIONARY = 4096  # bytes before a stream in which it says what it is
_RATIO = 1032  # the most that deflate packs
_LAYERS = 3
_PIECE = 1 << 20


def check_streams(data: bytes) -> None:
    """Refuse a PDF with a stream that is a bomb."""
    for found in _STREAM.finditer(data):
        about = data[max(0, found.start() - _DICTIONARY) : found.start()].rpartition(b"obj")[2]
        if _PICTURE.search(about):
            continue
        end = data.find(b"endstream", found.end())
        packed = data[found.end() : end if end >= 0 else len(data)]
        if len(packed) * _RATIO ** (about.count(b"FlateDecode") or 1) > BOMB_BYTES and is_bomb(packed):
            raise SkipError("bomb", f"PDF: a stream has more than {BOMB_RATIO} times its packed size")


def is_bomb(packed: bytes, layers: int = _LAYERS) -> bool:
    """Whether bytes that are packed, once or more, are many more unpacked than they should be.

    >>> is_bomb(zlib.compress(bytes(1 << 27))), is_bomb(zlib.compress(b"soup")), is_bomb(b"soup")
    (True, False, False)
    """
    size = 0
    for piece in _layer(iter([packed]), layers):
        size += len(piece)
        if size > BOMB_BYTES and size > BOMB_RATIO * len(packed):
            return True
    return False


def _layer(pieces: Iterator[bytes], layers: int) -> Iterator[bytes]:
    """Yield what the pieces hold, unpacked as often as they seem to be packed."""
    first = next(pieces, b"")
    if not layers or first[:1] != b"\x78" or int.from_bytes(first[:2], "big") % 31:
        yield first
        yield from pieces
    else:
        yield from _layer(_inflated(chain([first], pieces)), layers - 1)


def _inflated(pieces: Iterator[bytes]) -> Iterator[bytes]:
    """Yield what deflated pieces hold, up to where they are damaged."""
    inflate = zlib.decompressobj()
    for piece in pieces:
        while piece and not inflate.eof:
            try:
                yield inflate.decompress(piece, _PIECE)
            except zlib.error:
                return
            piece = inflate.unconsumed_tail
