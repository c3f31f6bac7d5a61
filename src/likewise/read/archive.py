"""Archives of files (ZIP, tar): each file inside is read as if it lay in a folder."""

import tarfile
import zipfile
from collections.abc import Iterator
from typing import BinaryIO, Self

from likewise.read.document import Document
from likewise.read.documents import read_source
from likewise.read.office import FAILURES, member, opened
from likewise.read.open import BOMB_BYTES, BOMB_RATIO
from likewise.read.options import ReadOptions
from likewise.read.skipped import OnSkip, SkipError, Skipped
from likewise.read.source import WHOLE, Piece, Source, open_piece


def read_zip(source: Source, options: ReadOptions, on_skip: OnSkip, piece: Piece = WHOLE) -> Iterator[Document]:
    """Yield the documents of all files in the archive, in the order of their names; ids ``archive.zip/file``."""
    with source.open_raw() as file, opened(file) as archive:
        entries = zip_entries(archive)
        if not entries:
            raise SkipError("no text", "an archive without files")
        for entry in entries[piece.start : piece.end]:
            if entry.file_size > BOMB_BYTES and entry.file_size > BOMB_RATIO * max(entry.compress_size, 1):
                on_skip(Skipped(f"{source.place}/{entry.filename}", None, "bomb", "expands out of proportion"))
                continue
            try:
                data = member(archive, entry.filename, options.max_bytes)
            except (SkipError, *FAILURES) as error:
                reason, detail = (
                    (error.reason, error.detail) if isinstance(error, SkipError) else ("broken", str(error))
                )
                on_skip(Skipped(f"{source.place}/{entry.filename}", None, reason, detail))
                continue
            yield from _inside(source, entry.filename, data, options, on_skip)


def zip_entries(archive: zipfile.ZipFile) -> list[zipfile.ZipInfo]:
    """Return the files in an archive in the order of their names."""
    entries = [entry for entry in archive.infolist() if not entry.filename.endswith("/")]
    return sorted(entries, key=lambda one: one.filename)


def is_hidden(name: str) -> bool:
    """Say whether a file in an archive is hidden, as in a folder, or a note of the system that packed it.

    >>> is_hidden("a/.git/config"), is_hidden("./a.txt")
    (True, False)
    """
    parts = name.split("/")
    return any(part.startswith(".") and part not in (".", "..") for part in parts) or "__MACOSX" in parts


class _Entry(tarfile.TarInfo):
    """What a tar says about a file.

    The library reads a long name or a comment of any size into memory, and takes a damaged one for the archive's end.
    """

    @classmethod
    def frombuf(cls, buf: bytes | bytearray, encoding: str, errors: str) -> Self:
        try:
            entry = super().frombuf(buf, encoding, errors)
        except tarfile.InvalidHeaderError as error:  # type: ignore[attr-defined]
            raise SkipError("broken", f"not a tar archive, or damaged: {error}") from error
        except tarfile.TruncatedHeaderError as error:  # type: ignore[attr-defined]
            raise SkipError("truncated", "an archive that ends within what it says of a file") from error
        if entry.type in _ABOUT and entry.size > _MOST_ABOUT:
            raise SkipError("too large", f"{entry.size:,} bytes are said of one file")
        return entry


_ABOUT = (*tarfile.GNU_TYPES[:2], tarfile.XHDTYPE, tarfile.XGLTYPE, tarfile.SOLARIS_XHDTYPE)
_MOST_ABOUT = 1 << 20


def _entries(stream: BinaryIO) -> Iterator[tuple[tarfile.TarFile, tarfile.TarInfo]]:
    with tarfile.open(fileobj=stream, mode="r|", tarinfo=_Entry) as archive:
        for entry in archive:
            yield archive, entry
            archive.members.clear()  # type: ignore[attr-defined]  # it would keep what it says of millions of files


def read_tar(source: Source, options: ReadOptions, on_skip: OnSkip, piece: Piece = WHOLE) -> Iterator[Document]:
    """Yield the documents of all files in the archive, in its own order."""
    empty = piece == WHOLE
    try:
        with open_piece(source, piece) as stream:
            for archive, entry in _entries(stream):
                if piece.end is not None and piece.start + entry.offset >= piece.end:
                    return
                if entry.isdir():
                    continue
                empty = False
                if not entry.isfile():
                    on_skip(Skipped(f"{source.place}/{entry.name}", None, "unreadable", "a link or a device"))
                    continue
                file = archive.extractfile(entry)
                data = file.read(options.max_bytes + 1) if file is not None else b""
                if len(data) > options.max_bytes:
                    detail = f"more than {options.max_bytes} bytes"
                    on_skip(Skipped(f"{source.place}/{entry.name}", None, "too large", detail))
                    continue
                yield from _inside(source, entry.name, data, options, on_skip)
    except tarfile.TarError as error:
        raise SkipError("broken", f"not a tar archive: {error}") from error
    if empty:
        raise SkipError("no text", "an archive without files")


def tar_starts(stream: BinaryIO) -> Iterator[int]:
    """Yield where files begin in an archive, up to where it says something of all that follow."""
    for archive, entry in _entries(stream):
        if set(archive.pax_headers) - {"comment"}:
            return
        yield entry.offset


def _inside(archive: Source, name: str, data: bytes, options: ReadOptions, on_skip: OnSkip) -> Iterator[Document]:
    if is_hidden(name):
        return
    if archive.data is not None:
        on_skip(Skipped(f"{archive.place}/{name}", None, "binary", "in an archive inside an archive"))
        return
    yield from read_source(Source(f"{archive.name}/{name}", f"{archive.place}/{name}", data=data), options, on_skip)
