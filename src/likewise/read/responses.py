"""Pages out of Web archives: what WARC and ARC records have in common once their own headers are read."""

import re
import zlib
from collections.abc import Mapping

from likewise.read.content import Content
from likewise.read.document import Document
from likewise.read.encoding import decode
from likewise.read.html import read_html
from likewise.read.options import ReadOptions
from likewise.read.skipped import SkipError

_HTML_TYPES = ("text/html", "application/xhtml+xml")
_CHUNK = re.compile(rb"([0-9a-fA-F]{1,8})[^\r\n]{0,200}\r?\n")


def check_type(declared: str) -> str:
    """Return the media type in lower case; refuse what is neither HTML nor plain text."""
    media = declared.split(";")[0].strip().lower()
    if media and media not in _HTML_TYPES and media != "text/plain":
        raise SkipError("media type", media)
    return media


def web_page(
    data: bytes, declared: str, headers: Mapping[str, str], url: str, identity: str, place: str, options: ReadOptions
) -> Document:
    """Return the document that a response holds; ``headers`` have lower-case names."""
    media = check_type(declared)
    if len(data) > options.max_bytes:
        raise SkipError("too large", f"more than {options.max_bytes} bytes")
    if "chunked" in headers.get("transfer-encoding", "").lower():
        data = unchunk(data)
    data = _decompress(data, headers.get("content-encoding", ""), options.max_bytes)
    charset = re.search(r"charset=[\"']?([\w.:-]+)", declared, re.IGNORECASE)
    html = media in _HTML_TYPES or (not media and b"<" in data[:1024])
    page = decode(data, options.encoding, html=html, declared=charset[1] if charset else None)
    content = read_html(page, options) if html else Content(page)
    if not content.text.strip():
        raise SkipError("no text")
    return Document(
        identity, content.text, place, {"url": url}, content.blocks, content.title, "", "html" if html else "text"
    )


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
