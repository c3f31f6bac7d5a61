"""Plain text, a large file in several parts."""

from collections.abc import Iterator
from typing import BinaryIO

from likewise.read.document import Document
from likewise.read.encoding import decode
from likewise.read.options import ReadOptions
from likewise.read.skipped import OnSkip, SkipError, Skipped
from likewise.read.source import WHOLE, Piece, Source, open_piece


def read_text(source: Source, options: ReadOptions, on_skip: OnSkip, piece: Piece = WHOLE) -> Iterator[Document]:
    """Yield a text file as one document, or in parts cut at an empty line or a line end if it exceeds ``max_bytes``."""
    with open_piece(source, piece) as stream:
        for position, part, data in parts(stream, options.max_bytes, piece.start, piece.before):
            if piece.end is not None and position >= piece.end:
                return
            place = f"{source.place}#{part}"
            if data is None:
                on_skip(Skipped(place, None, "too large", f"a line of more than {options.max_bytes} bytes"))
                continue
            try:
                yield _document(data, source, part, options)
            except SkipError as error:
                if not part:
                    raise
                on_skip(Skipped(place, None, error.reason, error.detail))


def parts(
    stream: BinaryIO, max_bytes: int, position: int = 0, part: int = 0
) -> Iterator[tuple[int, int, bytes | None]]:
    """Yield where each part begins, its number from 1 (0 if there is but one), and its bytes.

    A line that exceeds ``max_bytes`` counts as a part and has ``None`` for bytes.
    """
    rest = b""
    while True:
        data = rest + stream.read(max(0, max_bytes + 1 - len(rest)))
        if len(data) <= max_bytes:
            if data.strip() or not part:
                yield position, part + 1 if part else 0, data
            return
        part += 1
        start = data[:max_bytes]
        cut = max(start.rfind(b"\n\n") + 2, start.rfind(b"\n\r\n") + 3)
        if cut <= max_bytes // 2:
            cut = start.rfind(b"\n") + 1
        if cut:
            yield position, part, data[:cut]
        else:
            yield position, part, None
            cut = data.find(b"\n", max_bytes) + 1
        if cut:
            rest = data[cut:]
            position += cut
        else:
            skipped, rest = _skip_line(stream)
            position += len(data) + skipped


def _document(data: bytes, source: Source, part: int, options: ReadOptions) -> Document:
    text = decode(data, options.encoding)
    if not text.strip():
        raise SkipError("no text", "" if data else "the file is empty")
    return Document(f"{source.name}#{part}" if part else source.name, text, source.place, format="text")


def _skip_line(stream: BinaryIO) -> tuple[int, bytes]:
    """Read on to the end of the line without keeping it; return its length and what was read beyond."""
    length = 0
    while block := stream.read(1 << 20):
        end = block.find(b"\n")
        if end >= 0:
            return length + end + 1, block[end + 1 :]
        length += len(block)
    return length, b""
