"""WARC archives of Web pages: one document for each response or resource that is HTML or plain text."""

import re
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from likewise.read.charset import decode
from likewise.read.document import Document
from likewise.read.html import read_html
from likewise.read.options import ReadOptions
from likewise.read.skipped import OnSkip, SkipError, Skipped

_HTML_TYPES = ("text/html", "application/xhtml+xml")
_CHUNK = re.compile(rb"([0-9a-fA-F]{1,8})[^\r\n]{0,200}\r?\n")


def read_warc(path: Path, name: str, source: str, options: ReadOptions, on_skip: OnSkip) -> Iterator[Document]:
    """Yield the pages of an archive, plain or compressed by member; ids ``file#number``, ``url`` in the fields."""
    from fastwarc.warc import ArchiveIterator, WarcRecordType

    wanted = WarcRecordType.response | WarcRecordType.resource | WarcRecordType.conversion
    number = 0
    with open(path, "rb") as file:
        records = iter(
            ArchiveIterator(file, record_types=wanted, parse_http=True, auto_decode="none", strict_mode=False)
        )
        while True:
            try:
                record = next(records)
            except StopIteration:
                break
            except Exception as error:  # native code raises many kinds; the archive ends here
                raise SkipError("broken" if number else "truncated", f"after record {number}: {error}") from error
            number += 1
            place = f"{source}#{number}"
            try:
                document = _page(record, f"{name}#{number}", place, options)
            except SkipError as error:
                on_skip(Skipped(place, error.reason, error.detail))
            except (OSError, EOFError, ValueError) as error:
                on_skip(Skipped(place, "broken", str(error)))
            else:
                yield document
    if not number:
        raise SkipError("no text", "no page in it")


def _page(record: Any, identity: str, place: str, options: ReadOptions) -> Document:
    url = (record.headers.get("WARC-Target-URI") or "").strip("<>")
    headers = {key.lower(): value for key, value in record.http_headers.items()} if record.is_http else {}
    if record.is_http and record.http_headers.status_code != 200:
        raise SkipError("status", str(record.http_headers.status_code))
    declared = headers.get("content-type") or ("" if record.is_http else record.headers.get("Content-Type") or "")
    media = declared.split(";")[0].strip().lower()
    if media and media not in _HTML_TYPES and media != "text/plain":
        raise SkipError("media type", media)
    data = record.reader.read(options.max_bytes + 1)
    if len(data) > options.max_bytes:
        raise SkipError("too large", f"more than {options.max_bytes} bytes")
    if "chunked" in headers.get("transfer-encoding", "").lower():
        data = unchunk(data)
    data = _decompress(data, headers.get("content-encoding", ""), options.max_bytes)
    charset = re.search(r"charset=[\"']?([\w.:-]+)", declared, re.IGNORECASE)
    html = media in _HTML_TYPES or (not media and b"<" in data[:1024])
    page = decode(data, options.encoding, html=html, declared=charset[1] if charset else None)
    fields: dict[str, Any] = {"url": url}
    if html:
        text, blocks, found = read_html(page, options)
        fields.update(found)
    else:
        text, blocks = page, None
    if not text.strip():
        raise SkipError("no text")
    return Document(identity, text, place, fields, blocks)


def unchunk(data: bytes) -> bytes:
    """Undo HTTP's chunked transfer coding; bytes that are not chunked, though declared so, stay as they are.

    >>> unchunk(b"3\\r\\nabc\\r\\n0\\r\\n\\r\\n"), unchunk(b"<p>not chunked")
    (b'abc', b'<p>not chunked')
    """
    chunks: list[bytes] = []
    position = 0
    while match := _CHUNK.match(data, position):
        size = int(match[1], 16)
        if not size:
            return b"".join(chunks)
        chunks.append(data[match.end() : match.end() + size])
        position = match.end() + size
        position += 2 if data[position : position + 2] == b"\r\n" else data[position : position + 1] == b"\n"
    # A size line is missing: where it was the first, nothing was chunked; later, what came is all there is.
    return b"".join(chunks) + data[position:] if chunks else data


def _decompress(data: bytes, coding: str, max_bytes: int) -> bytes:
    for name in reversed([part.strip().lower() for part in coding.split(",") if part.strip()]):
        if name in ("identity", "none", "utf-8"):
            continue
        if name not in ("gzip", "x-gzip", "deflate"):
            raise SkipError("encoding", name)
        if name.endswith("gzip") and not data.startswith(b"\x1f\x8b"):
            continue  # declared but already undone by the crawler
        data = _inflate(data, 31 if name.endswith("gzip") else 15, max_bytes)
    return data


def _inflate(data: bytes, window: int, max_bytes: int) -> bytes:
    try:
        expander = zlib.decompressobj(window)
        out = expander.decompress(data, max_bytes + 1)
    except zlib.error:
        if window != 15:
            raise SkipError("broken", "not gzip") from None
        # Servers send "deflate" with and without the zlib header.
        try:
            expander = zlib.decompressobj(-15)
            out = expander.decompress(data, max_bytes + 1)
        except zlib.error:
            raise SkipError("broken", "not deflate") from None
    if len(out) > max_bytes:
        raise SkipError("too large", f"more than {max_bytes} bytes")
    return out
