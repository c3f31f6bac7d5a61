"""WARC archives of Web pages: one document for each response or resource that is HTML or plain text."""

import contextlib
from collections.abc import Iterator
from typing import Any, BinaryIO

from likewise.read.document import Document
from likewise.read.options import ReadOptions
from likewise.read.responses import check_type, web_page
from likewise.read.skipped import OnSkip, SkipError, Skipped, missing
from likewise.read.source import WHOLE, Piece, Source


def read_warc(source: Source, options: ReadOptions, on_skip: OnSkip, piece: Piece = WHOLE) -> Iterator[Document]:
    """Yield the pages of an archive, plain or compressed by member; ids ``file#number``, ``url`` in the fields."""
    number = piece.before
    with source.open_raw() as file:  # compressed record by record, which its own reader undoes
        file.seek(piece.start)
        records = _records(file)
        while True:
            try:
                record = next(records)
            except StopIteration:
                break
            except Exception as error:  # native code raises many kinds; the archive ends here
                raise SkipError("broken" if number else "truncated", f"after record {number}: {error}") from error
            if piece.end is not None and record.stream_pos >= piece.end:
                return
            number += 1
            place = f"{source.place}#{number}"
            try:
                document = _page(record, f"{source.name}#{number}", place, options)
            except SkipError as error:
                on_skip(Skipped(place, None, error.reason, error.detail))
            except (OSError, EOFError, ValueError) as error:
                on_skip(Skipped(place, None, "broken", str(error)))
            else:
                yield document
    if not number:
        raise SkipError("no text", "no page in it")


def record_starts(file: BinaryIO) -> list[int]:
    """Return where the records with pages begin in the file as it is; none if it is compressed as a whole."""
    starts: list[int] = []
    with contextlib.suppress(Exception):  # whoever reads the last piece says it
        for record in _records(file):
            if starts and record.stream_pos <= starts[-1]:
                return []
            starts.append(record.stream_pos)
    return starts


def _records(file: BinaryIO) -> Iterator[Any]:
    try:
        from fastwarc.warc import ArchiveIterator, WarcRecordType
    except ImportError as error:
        raise missing("fastwarc", "web") from error
    wanted = WarcRecordType.response | WarcRecordType.resource | WarcRecordType.conversion
    return iter(ArchiveIterator(file, record_types=wanted, parse_http=True, auto_decode="none", strict_mode=False))


def _page(record: Any, identity: str, place: str, options: ReadOptions) -> Document:
    url = (record.headers.get("WARC-Target-URI") or "").strip("<>")
    headers = {key.lower(): value for key, value in record.http_headers.items()} if record.is_http else {}
    if record.is_http and record.http_headers.status_code != 200:
        raise SkipError("status", str(record.http_headers.status_code))
    declared = headers.get("content-type") or ("" if record.is_http else record.headers.get("Content-Type") or "")
    check_type(declared)
    return web_page(record.reader.read(options.max_bytes + 1), declared, headers, url, identity, place, options)
