"""Plain text, a large file in several parts; and Wikipedia-extractor files of ``<doc>`` elements."""

import html as entities
import re
from collections.abc import Iterator
from typing import BinaryIO

from likewise.read.charset import decode
from likewise.read.document import Document
from likewise.read.options import ReadOptions
from likewise.read.skipped import OnSkip, SkipError, Skipped

_ATTRIBUTE = re.compile(r'(\w+)="([^"]*)"')


def read_text(stream: BinaryIO, name: str, source: str, options: ReadOptions, on_skip: OnSkip) -> Iterator[Document]:
    """Yield a text file as one document, or in parts cut at an empty line or a line end if it exceeds ``max_bytes``."""
    rest = b""
    part = 0
    while True:
        data = rest + stream.read(options.max_bytes + 1 - len(rest))
        if len(data) <= options.max_bytes:
            if data.strip() or not part:
                yield _text_document(data, name, source, part + 1 if part else 0, options)
            return
        part += 1
        head = data[: options.max_bytes]
        cut = max(head.rfind(b"\n\n") + 2, head.rfind(b"\n\r\n") + 3)
        if cut <= options.max_bytes // 2:
            cut = head.rfind(b"\n") + 1
        if not cut:
            on_skip(Skipped(f"{source}#{part}", "too large", f"a line of more than {options.max_bytes} bytes"))
            rest = _skip_line(stream)
            continue
        yield _text_document(data[:cut], name, source, part, options)
        rest = data[cut:]


def _text_document(data: bytes, name: str, source: str, part: int, options: ReadOptions) -> Document:
    text = decode(data, options.encoding)
    if not text.strip():
        raise SkipError("no text", "" if data else "the file is empty")
    return Document(f"{name}#{part}" if part else name, text, source)


def _skip_line(stream: BinaryIO) -> bytes:
    """Read on to the end of the line without keeping it."""
    while block := stream.read(1 << 20):
        end = block.find(b"\n")
        if end >= 0:
            return block[end + 1 :]
    return b""


def read_wiki(stream: BinaryIO, name: str, source: str, options: ReadOptions, on_skip: OnSkip) -> Iterator[Document]:
    """Yield the ``<doc id=… url=… title=…>`` elements of a Wikipedia-extractor file; lines are paragraphs."""
    header: dict[str, str] | None = None
    lines: list[bytes] = []
    size = 0
    number = 0
    while line := stream.readline(options.max_bytes + 1):
        if line.startswith(b"<doc "):
            if header is not None:
                on_skip(Skipped(f"{source}#{number}", "truncated", "no </doc> before the next <doc>"))
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
    if header is not None:
        on_skip(Skipped(f"{source}#{number}", "truncated", "no </doc> at the end"))
    elif not number:
        raise SkipError("broken", "no <doc> element in it")
