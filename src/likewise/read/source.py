"""A file to be read, on disk or taken out of an archive; and a piece of one."""

import io
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from likewise.read.open import expanded, open_raw


@dataclass(frozen=True, slots=True)
class Source:
    """What is read: its name in ids, its place in messages, and either a path or the bytes themselves.

    >>> Source("a.txt", "book.zip/a.txt", data=b"text").open().read()
    b'text'
    """

    name: str
    place: str
    path: Path | None = None
    data: bytes | None = None

    def open_raw(self) -> BinaryIO:
        """Open the file as it is; it can be read at random."""
        if self.path is not None:
            return open_raw(self.path)
        return io.BytesIO(self.data or b"")

    def open(self) -> BinaryIO:
        """Open the file for reading from the front, decompressed."""
        return expanded(self.open_raw())


@dataclass(frozen=True, slots=True)
class Piece:
    """Bytes ``start`` to ``end`` of the expanded file, or row groups of Parquet, after ``before`` records."""

    format: str
    start: int
    end: int | None
    before: int


WHOLE = Piece("", 0, None, 0)
_BLOCK = 1 << 16


def open_piece(source: Source, piece: Piece) -> BinaryIO:
    """Open a file at the beginning of a piece; a compressed one is expanded up to there."""
    stream = source.open()
    position = piece.start
    if stream.seekable():
        stream.seek(position)
        return stream
    while position > 0 and (block := stream.read(min(_BLOCK, position))):
        position -= len(block)
    return stream
