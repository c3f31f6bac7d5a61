"""Mail: boxes of messages (mbox, plain or compressed) and single ones; one document a message.

The text of a message is what a reader sees first: of alternatives the plain one, else HTML; attachments are left out.
Its subject is the title. A box is read message by message and never held as a whole.
"""

import re
from collections.abc import Iterator
from email import message_from_bytes
from email.errors import HeaderParseError
from email.header import decode_header
from email.message import Message
from typing import BinaryIO

from likewise.read.content import Blocks, Content
from likewise.read.document import Document
from likewise.read.encoding import decode
from likewise.read.formats import begins_message
from likewise.read.html import read_html
from likewise.read.open import head, read_bounded
from likewise.read.options import ReadOptions
from likewise.read.skipped import OnSkip, SkipError, Skipped
from likewise.read.source import WHOLE, Piece, Source, open_piece

# Programs write > before a line of a text that looks like the line before a message.
_QUOTED_FROM = re.compile(rb"^>(>*From )", re.M)
_LONGEST_HEADER = 2000


def read_mail(source: Source, options: ReadOptions, on_skip: OnSkip, piece: Piece = WHOLE) -> Iterator[Document]:
    """Yield the messages of a box, ids ``file#number``, or the only one; ``from`` and ``date`` are fields."""
    with open_piece(source, piece) as stream:
        if not begins_message(head(stream)):
            yield _document(read_bounded(stream, options.max_bytes), source.name, source.place, options)
            return
        number = piece.before
        for position, data in messages(stream, options.max_bytes, piece.start):
            if piece.end is not None and position >= piece.end:
                return
            number += 1
            place = f"{source.place}#{number}"
            try:
                document = _document(data, f"{source.name}#{number}", place, options)
            except SkipError as error:
                on_skip(Skipped(place, None, error.reason, error.detail))
            except RecursionError:
                on_skip(Skipped(place, None, "too deep", "nested deeper than can be followed"))
            else:
                yield document


def messages(stream: BinaryIO, max_bytes: int, position: int = 0) -> Iterator[tuple[int, bytes | None]]:
    """Yield where each message of a box begins, and its bytes; ``None`` for one that exceeds ``max_bytes``.

    >>> import io
    >>> box = io.BytesIO(b"From a Mon Jan  5 10:00:00 2026\\nTo: b\\n\\nHi\\n\\n" * 2)
    >>> [position for position, _ in messages(box, 99)]
    [0, 43]
    """
    start, size, blank, begun = position, 0, False, False
    lines: list[bytes] = []
    while line := stream.readline(max_bytes + 1):
        if blank and begins_message(line):
            yield start, b"".join(lines) if size <= max_bytes else None
            start, size, lines = position, 0, []
        position += len(line)
        size += len(line)
        if size <= max_bytes:
            lines.append(line)
        # What is left of a long line is no line of its own.
        blank, begun = not begun and not line.strip(b"\r\n"), not line.endswith(b"\n")
    if size:
        yield start, b"".join(lines) if size <= max_bytes else None


def _document(data: bytes | None, identity: str, place: str, options: ReadOptions) -> Document:
    if data is None:
        raise SkipError("too large", f"more than {options.max_bytes} bytes")
    # Every boundary is looked for in every line below it.
    if data.lower().count(b"boundary=") > options.max_depth:
        raise SkipError("too deep", f"more than {options.max_depth} parts within parts")
    if begins_message(data):
        data = _QUOTED_FROM.sub(rb"\1", data.partition(b"\n")[2])
    message = message_from_bytes(data)
    parts = list(_texts(message, options))
    content = parts[0] if len(parts) == 1 else _joined(parts)
    if not content.text.strip():
        raise SkipError("no text", "a message without text: perhaps attachments only" if data else "the file is empty")
    fields = {name: value for name in ("from", "date") if (value := _header(message, name))}
    title = _header(message, "subject")
    return Document(identity, content.text, place, fields, content.blocks, title, "", "mail")


def _header(message: Message, name: str) -> str:
    """Return a header as a reader sees it: words in other character sets decoded, on one line."""
    value = str(message.get(name, ""))[:_LONGEST_HEADER]
    try:
        parts = decode_header(value)
    except (HeaderParseError, ValueError):
        return " ".join(value.split())
    text = "".join(
        part if isinstance(part, str) else decode(part.replace(b"\0", b""), declared=charset) for part, charset in parts
    )
    return " ".join(text.encode("utf-8", "replace").decode("utf-8").split())


def _is_read(kind: str, alone: bool) -> bool:
    """Whether a part is text to be read; beside others only of the kinds that people write (no calendar, no patch)."""
    return kind in ("text/plain", "text/html", "text/markdown") or (alone and kind.startswith("text/"))


def _texts(part: Message, options: ReadOptions, alone: bool = True) -> Iterator[Content]:
    """Yield the texts of a message in the order of its parts, of alternatives one; ``alone``: it is not in parts."""
    kind = part.get_content_type()
    if part.is_multipart():
        inner = [one for one in part.get_payload() if isinstance(one, Message)]
        if kind == "multipart/alternative":
            # Plain text first: it is what the sender wrote, or what a program made of it.
            inner.sort(key=lambda one: one.get_content_type() != "text/plain")
        for one in inner:
            found = list(_texts(one, options, alone=False))
            yield from found
            if found and kind == "multipart/alternative":
                return
        return
    if part.get_content_disposition() == "attachment" or not _is_read(kind, alone):
        return
    data = part.get_payload(decode=True)
    try:
        declared = part.get_content_charset()
        data = data if isinstance(data, bytes) else b""
        text = decode(data, options.encoding, html=kind == "text/html", declared=declared)
        content = read_html(text, options) if kind == "text/html" else Content(text.strip("\n"))
    except SkipError:
        return  # the other parts are read all the same
    if content.text.strip():
        yield content


def _joined(parts: list[Content]) -> Content:
    if all(part.blocks is None for part in parts):
        return Content("\n\n".join(part.text for part in parts))
    page = Blocks()
    for part in parts:
        if part.blocks is None:
            for paragraph in re.split(r"\n\s*\n", part.text):
                page.add("paragraph", paragraph)
        else:
            page.extend(part)
    return page.content()
