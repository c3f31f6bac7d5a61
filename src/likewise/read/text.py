"""Plain text, a large file in several parts; and Wikipedia-extractor files of ``<doc>`` elements."""

import html as entities
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, BinaryIO

from likewise.read.charset import decode
from likewise.read.document import Document
from likewise.read.options import ReadOptions
from likewise.read.skipped import OnSkip, SkipError, Skipped

if TYPE_CHECKING:
    from likewise.read.pieces import Piece

_ATTRIBUTE = re.compile(r'(\w+)="([^"]*)"')


def read_text(
    stream: BinaryIO, name: str, source: str, options: ReadOptions, on_skip: OnSkip, piece: "Piece | None" = None
) -> Iterator[Document]:
    """Yield a text file as one document, or in parts cut at an empty line or a line end if it exceeds ``max_bytes``."""
    start, before, end = (piece.start, piece.before, piece.end) if piece else (0, 0, None)
    for position, part, data in parts(stream, options.max_bytes, start, before):
        if end is not None and position >= end:
            return
        if data is None:
            detail = f"a line of more than {options.max_bytes} bytes"
            on_skip(Skipped(f"{source}#{part}", "too large", detail))
            continue
        try:
            yield _text_document(data, name, source, part, options)
        except SkipError as error:
            if not part:
                raise
            on_skip(Skipped(f"{source}#{part}", error.reason, error.detail))


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


def _text_document(data: bytes, name: str, source: str, part: int, options: ReadOptions) -> Document:
    text = decode(data, options.encoding)
    if not text.strip():
        raise SkipError("no text", "" if data else "the file is empty")
    return Document(f"{name}#{part}" if part else name, text, source)


def _skip_line(stream: BinaryIO) -> tuple[int, bytes]:
    """Read on to the end of the line without keeping it; return its length and what was read beyond."""
    length = 0
    while block := stream.read(1 << 20):
        end = block.find(b"\n")
        if end >= 0:
            return length + end + 1, block[end + 1 :]
        length += len(block)
    return length, b""


def read_wiki(
    stream: BinaryIO, name: str, source: str, options: ReadOptions, on_skip: OnSkip, piece: "Piece | None" = None
) -> Iterator[Document]:
    """Yield the ``<doc id=… url=… title=…>`` elements of a Wikipedia-extractor file; lines are paragraphs."""
    header: dict[str, str] | None = None
    lines: list[bytes] = []
    size = 0
    position, number, end = (piece.start, piece.before, piece.end) if piece else (0, 0, None)
    while line := stream.readline(options.max_bytes + 1):
        if line.startswith(b"<doc "):
            if header is not None:
                on_skip(Skipped(f"{source}#{number}", "truncated", "no </doc> before the next <doc>"))
                header = None
            if end is not None and position >= end:
                break
            number += 1
            attributes = line.decode("utf-8", "replace")
            header = {key: entities.unescape(value) for key, value in _ATTRIBUTE.findall(attributes)}
            lines, size = [], 0
        elif line.startswith(b"</doc>") and header is not None:
            text = decode(b"".join(lines), options.encoding).strip("\n")
            place = f"{source}#{number}"
            if size > options.max_bytes:
                on_skip(Skipped(place, "too large", f"more than {options.max_bytes} bytes"))
            elif not text.strip():
                on_skip(Skipped(place, "no text"))
            else:
                yield Document(f"{name}#{header.get('id', number)}", text, place, {**header, "layout": "lines"})
            header = None
        elif header is not None:
            size += len(line)
            if size <= options.max_bytes:
                lines.append(line)
        position += len(line)
    if header is not None:
        on_skip(Skipped(f"{source}#{number}", "truncated", "no </doc> at the end"))
    elif not number:
        raise SkipError("broken", "no <doc> element in it")
