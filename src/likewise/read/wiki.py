"""Wikipedia-extractor files: ``<doc>`` elements one after the other, a paragraph a line."""

import html as entities
import re
from collections.abc import Iterator

from likewise.read.document import Document
from likewise.read.encoding import decode
from likewise.read.options import ReadOptions
from likewise.read.skipped import OnSkip, SkipError, Skipped
from likewise.read.source import WHOLE, Piece, Source, open_piece

_ATTRIBUTE = re.compile(r'(?<!\w)(\w+)="([^"]*)"')


def read_wiki(source: Source, options: ReadOptions, on_skip: OnSkip, piece: Piece = WHOLE) -> Iterator[Document]:
    """Yield the ``<doc id=… url=… title=…>`` elements of a file; the attributes are fields."""
    header: dict[str, str] | None = None
    lines: list[bytes] = []
    size = 0
    position, number = piece.start, piece.before
    with open_piece(source, piece) as stream:
        while line := stream.readline(options.max_bytes + 1):
            place = f"{source.place}#{number}"
            if line.startswith(b"<doc "):
                if header is not None:
                    on_skip(Skipped(place, None, "truncated", "no </doc> before the next <doc>"))
                    header = None
                if piece.end is not None and position >= piece.end:
                    break
                number += 1
                attributes = line.decode("utf-8", "replace")
                header = {key: entities.unescape(value) for key, value in _ATTRIBUTE.findall(attributes)}
                lines, size = [], 0
            elif line.startswith(b"</doc>") and header is not None:
                text = decode(b"".join(lines), options.encoding).strip("\n")
                if size > options.max_bytes:
                    on_skip(Skipped(place, None, "too large", f"more than {options.max_bytes} bytes"))
                elif not text.strip():
                    on_skip(Skipped(place, None, "no text"))
                else:
                    identity = f"{source.name}#{header.get('id', number)}"
                    title = header.pop("title", "")
                    yield Document(identity, text, place, header, None, title, "", "wiki", "lines")
                header = None
            elif header is not None:
                size += len(line)
                if size <= options.max_bytes:
                    lines.append(line)
            position += len(line)
    if header is not None:
        on_skip(Skipped(f"{source.place}#{number}", None, "truncated", "no </doc> at the end"))
    elif not number:
        raise SkipError("broken", "no <doc> element in it")
