"""A large file cut into pieces that are read apart, each giving the documents that a reader of the whole would give.

Plain text, ``<doc>`` files, JSON lines, mail and WARC are cut where a record begins, tar archives where a file does,
Parquet between row groups, ZIP archives between files and EPUB between chapters. One scan finds the cuts and counts the
records before each, because ids number them; it costs a hundredth of analysing the text. A piece of a compressed file
is read by expanding everything before it, so those are few; WARC, compressed record by record, is opened where a piece
begins. Other formats stay whole.
"""

import contextlib
import math
import tarfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import BinaryIO

from likewise.read.archive import tar_starts, zip_entries
from likewise.read.epub import spine
from likewise.read.formats import sniff
from likewise.read.mail import messages
from likewise.read.office import FAILURES, opened, zip_format
from likewise.read.open import head, open_bytes, open_raw
from likewise.read.options import ReadOptions
from likewise.read.skipped import SkipError
from likewise.read.source import Piece, Source
from likewise.read.text import parts
from likewise.read.warc import record_starts

# Most pieces of a compressed file: on average each expands half of it, some four times the work of expanding it once.
_MOST_PACKED = 8
_BLOCK = 1 << 16


Cuts = Iterator[tuple[int, int]]


def pieces(path: Path, name: str, options: ReadOptions, size: int) -> list[Piece]:
    """Return the pieces of about ``size`` bytes of a file, in order; none if it is to be read whole.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "rows.jsonl"
    >>> _ = path.write_text('{"text": "abc"}\\n' * 6)
    >>> [(piece.start, piece.end, piece.before) for piece in pieces(path, path.name, ReadOptions(), 40)]
    [(0, 48, 0), (48, 96, 3), (96, None, 6)]
    """
    cuts = [(0, 0)]
    packed = False
    # What cannot be read is said by whoever reads the last piece.
    with contextlib.suppress(SkipError, OSError, EOFError, zlib.error), open_bytes(path) as stream:
        kind = options.format if options.format != "auto" else sniff(name, head(stream)).name
        if kind == "zip" and options.format == "auto":
            kind = zip_format(Source(name, str(path), path))
        if kind in _NUMBERED:
            return _groups(kind, _NUMBERED[kind](path, options), size)
        if kind not in _SCANS:
            return []
        packed = not stream.seekable() and kind != "warc"
        # WARC is cut as it is, not as it expands.
        with open_raw(path) if kind == "warc" else stream as scanned:
            for cut in _SCANS[kind](scanned, options, size):
                cuts.append(cut)  # noqa: PERF402 - those before an error stay
    if len(cuts) == 1:
        return []
    if packed:
        cuts = cuts[:: math.ceil(len(cuts) / _MOST_PACKED)]
    ends = [*(start for start, _ in cuts[1:]), None]
    return [Piece(kind, start, end, before) for (start, before), end in zip(cuts, ends, strict=True)]


def _lines(stream: BinaryIO, options: ReadOptions, size: int) -> Cuts:
    return _marked(stream, b"\n", 1, size)


def _elements(stream: BinaryIO, options: ReadOptions, size: int) -> Cuts:
    return _marked(stream, b"\n<doc ", int(head(stream).startswith(b"<doc ")), size)


def _text(stream: BinaryIO, options: ReadOptions, size: int) -> Cuts:
    """Parts are documents: pieces begin where parts do."""
    last = 0
    for position, number, _ in parts(stream, options.max_bytes):
        if position - last >= size:
            yield position, number - 1
            last = position


def _marked(stream: BinaryIO, marker: bytes, first: int, size: int) -> Cuts:
    """Yield cuts after the line end that begins a marker, with the records before: markers, and ``first`` of them."""
    position, count, target = 0, first, size
    tail = b""
    while block := stream.read(_BLOCK):
        data = tail + block
        while (found := data.find(marker, max(0, target - position - 1))) >= 0:
            yield position + found + 1, count + data.count(marker, 0, found + len(marker) - 1)
            target = position + found + 1 + size
        count += data.count(marker)
        # A marker may begin in this block and end in the next.
        tail = data[len(data) - len(marker) + 1 :] if len(marker) > 1 else b""
        position += len(data) - len(tail)


def _mail(stream: BinaryIO, options: ReadOptions, size: int) -> Cuts:
    return _spaced((position for position, _ in messages(stream, options.max_bytes)), size)


def _warc(stream: BinaryIO, options: ReadOptions, size: int) -> Cuts:
    return _spaced(record_starts(stream), size)


def _tar(stream: BinaryIO, options: ReadOptions, size: int) -> Cuts:
    with contextlib.suppress(tarfile.TarError, SkipError):
        yield from _spaced(tar_starts(stream), size)


def _spaced(starts: Iterable[int], size: int) -> Cuts:
    last = 0
    for number, start in enumerate(starts):
        if start - last >= size:
            yield start, number
            last = start


def _row_groups(path: Path, options: ReadOptions) -> list[tuple[int, int]]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        metadata = pq.read_metadata(path)
    except (OSError, pa.ArrowException, UnicodeDecodeError):
        return []
    groups = (metadata.row_group(number) for number in range(metadata.num_row_groups))
    return [(group.total_byte_size, group.num_rows) for group in groups]


def _zip(path: Path, options: ReadOptions) -> list[tuple[int, int]]:
    with open_raw(path) as file, opened(file) as archive:
        return [(entry.compress_size, 1) for entry in zip_entries(archive)]


def _epub(path: Path, options: ReadOptions) -> list[tuple[int, int]]:
    with contextlib.suppress(*FAILURES), open_raw(path) as file, opened(file) as archive:
        sizes = {entry.filename: entry.file_size for entry in archive.infolist()}
        return [(sizes.get(chapter, 0), 1) for chapter in spine(archive, options)[1]]
    return []


def _groups(kind: str, sizes: list[tuple[int, int]], size: int) -> list[Piece]:
    """Put parts with their bytes and records together until they are large enough."""
    found: list[Piece] = []
    start = before = rows = held = 0
    for number, (weight, count) in enumerate(sizes, 1):
        rows, held = rows + count, held + weight
        if held >= size or number == len(sizes):
            found.append(Piece(kind, start, number, before))
            start, before, held = number, rows, 0
    return found if len(found) > 1 else []


_SCANS: dict[str, Callable[[BinaryIO, ReadOptions, int], Cuts]] = {
    "jsonl": _lines,
    "wiki": _elements,
    "text": _text,
    "mail": _mail,
    "warc": _warc,
    "tar": _tar,
}
_NUMBERED = {"parquet": _row_groups, "zip": _zip, "epub": _epub}
