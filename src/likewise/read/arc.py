"""ARC, the archive format before WARC: a line of five words, then the response, record after record."""

from collections.abc import Iterator
from typing import BinaryIO

from likewise.read.document import Document
from likewise.read.options import ReadOptions
from likewise.read.responses import check_type, web_page
from likewise.read.skipped import OnSkip, SkipError, Skipped
from likewise.read.source import WHOLE, Piece, Source

_LONGEST_LINE, _MOST_DIGITS = 1 << 16, 18


def read_arc(source: Source, options: ReadOptions, on_skip: OnSkip, piece: Piece = WHOLE) -> Iterator[Document]:
    """Yield the pages of an archive (version 1); ids ``file#number``, ``url`` in the fields."""
    with source.open() as stream:
        yield from _pages(stream, source, options, on_skip)


def _pages(stream: BinaryIO, source: Source, options: ReadOptions, on_skip: OnSkip) -> Iterator[Document]:
    number = 0
    while line := stream.readline(_LONGEST_LINE):
        if not line.strip():
            continue
        words = line.split()
        if len(words) < 5 or not words[-1].isdigit() or len(words[-1]) > _MOST_DIGITS:
            raise SkipError("broken", f"after record {number}: no record begins where one should")
        size = int(words[-1])
        data = stream.read(min(size, options.max_bytes + 1))
        if len(data) < min(size, options.max_bytes + 1):
            raise SkipError("truncated", f"after record {number}")
        _skip(stream, size - len(data))
        url = words[0].decode("utf-8", "replace")
        if url.startswith("filedesc:"):
            continue
        number += 1
        place = f"{source.place}#{number}"
        try:
            yield _page(data, url, words[-2].decode("ascii", "replace"), f"{source.name}#{number}", place, options)
        except SkipError as error:
            on_skip(Skipped(place, None, error.reason, error.detail))
    if not number:
        raise SkipError("no text", "no page in it")


def _page(data: bytes, url: str, declared: str, identity: str, place: str, options: ReadOptions) -> Document:
    headers: dict[str, str] = {}
    if data.startswith(b"HTTP/"):
        head, separator, body = data.partition(b"\r\n\r\n")
        if not separator:
            head, _, body = data.partition(b"\n\n")
        status, *lines = head.decode("latin-1").splitlines()
        code = status.split()[1] if len(status.split()) > 1 else ""
        if code != "200":
            raise SkipError("status", code)
        headers = {key.strip().lower(): value.strip() for key, _, value in (line.partition(":") for line in lines)}
        data = body
    declared = headers.get("content-type", declared)
    check_type(declared)
    return web_page(data, declared, headers, url, identity, place, options)


def _skip(stream: BinaryIO, count: int) -> None:
    while count > 0 and (block := stream.read(min(count, 1 << 20))):
        count -= len(block)
