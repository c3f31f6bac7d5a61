"""Archives of files (ZIP, tar): each file inside is read as if it lay in a folder."""

import tarfile
from collections.abc import Iterator

from likewise.read.document import Document
from likewise.read.documents import read_source
from likewise.read.office import FAILURES, member, opened
from likewise.read.open import BOMB_BYTES, BOMB_RATIO
from likewise.read.options import ReadOptions
from likewise.read.skipped import OnSkip, SkipError, Skipped
from likewise.read.source import WHOLE, Piece, Source


def read_zip(source: Source, options: ReadOptions, on_skip: OnSkip, piece: Piece = WHOLE) -> Iterator[Document]:
    """Yield the documents of all files in the archive, in the order of their names; ids ``archive.zip/file``."""
    with source.open_raw() as file, opened(file) as archive:
        entries = [entry for entry in archive.infolist() if not entry.filename.endswith("/")]
        if not entries:
            raise SkipError("no text", "an archive without files")
        for entry in sorted(entries, key=lambda one: one.filename):
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


def read_tar(source: Source, options: ReadOptions, on_skip: OnSkip, piece: Piece = WHOLE) -> Iterator[Document]:
    """Yield the documents of all files in the archive, in its own order."""
    try:
        with source.open() as stream, tarfile.open(fileobj=stream, mode="r|") as archive:
            for entry in archive:
                if not entry.isfile():
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


def _inside(archive: Source, name: str, data: bytes, options: ReadOptions, on_skip: OnSkip) -> Iterator[Document]:
    parts = name.split("/")
    if any(part.startswith(".") and part not in (".", "..") for part in parts) or "__MACOSX" in parts:
        return  # hidden files, as in a folder
    if archive.data is not None:
        on_skip(Skipped(f"{archive.place}/{name}", None, "binary", "in an archive inside an archive"))
        return
    yield from read_source(Source(f"{archive.name}/{name}", f"{archive.place}/{name}", data=data), options, on_skip)
