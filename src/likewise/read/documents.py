"""``documents``: the one door through which files of every kind become a stream of documents."""

import zlib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from likewise.errors import FormatError, LikewiseError
from likewise.read.arc import read_arc
from likewise.read.charset import check_encoding, decode
from likewise.read.document import Document
from likewise.read.epub import read_epub
from likewise.read.html import read_html
from likewise.read.markdown import read_markdown
from likewise.read.open import open_bytes, read_bounded
from likewise.read.options import ReadOptions
from likewise.read.paths import Paths, files
from likewise.read.pieces import Piece, go_to, head
from likewise.read.rows import read_jsonl, read_parquet
from likewise.read.skipped import OnSkip, SkipError, Skipped
from likewise.read.sniff import sniff
from likewise.read.text import read_text, read_wiki
from likewise.read.warc import read_warc


class Documents(Iterator[Document]):
    """A stream of documents that counts what it has read and, by reason, what it skipped.

    >>> import pathlib, tempfile
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> _ = (folder / "a.txt").write_text("Some text."), (folder / "b.bin").write_bytes(bytes(99))
    >>> stream = documents(folder)
    >>> [document.text for document in stream], stream.read, dict(stream.skipped)
    (['Some text.'], 1, {'binary': 1})
    """

    def __init__(self, paths: Paths, options: ReadOptions, on_skip: OnSkip | None) -> None:
        check_encoding(options.encoding)
        self.options = options
        self.read = 0
        self.skipped: Counter[str] = Counter()
        self._on_skip = on_skip
        self._stream = self._all(paths)

    def __next__(self) -> Document:
        return next(self._stream)

    def _skip(self, skipped: Skipped) -> None:
        self.skipped[skipped.reason] += 1
        if self._on_skip is not None:
            self._on_skip(skipped)
        if self.options.strict:
            raise FormatError(str(skipped))

    def _all(self, paths: Paths) -> Iterator[Document]:
        for path, name in files(paths):
            for document in read_file(path, name, self.options, self._skip):
                self.read += 1
                yield document


def documents(paths: Paths, *, options: ReadOptions | None = None, on_skip: OnSkip | None = None) -> Documents:
    """Read files, folders, globs or lists of them as a stream of documents.

    What cannot be read is handed to ``on_skip`` and counted in ``.skipped``; with ``options.strict`` it raises
    :class:`~likewise.errors.FormatError`. A path that does not exist raises at once.
    """
    return Documents(paths, options or ReadOptions(), on_skip)


def read_file(
    path: Path, name: str, options: ReadOptions, on_skip: OnSkip, piece: Piece | None = None
) -> Iterator[Document]:
    """Yield the documents of one file, or of a piece of it, that are in the language asked for.

    A file that cannot be read on is reported once, after what was readable.
    """
    source = str(path)
    try:
        for document in _read_file(path, name, source, options, on_skip, piece):
            if options.language and not _speaks(document.text, options.language):
                on_skip(Skipped(document.source, "language"))
            else:
                yield document
    except SkipError as error:
        on_skip(Skipped(source, error.reason, error.detail))
    except EOFError as error:
        on_skip(Skipped(source, "truncated", str(error)))
    except (OSError, zlib.error) as error:
        if isinstance(error, LikewiseError):
            raise
        on_skip(Skipped(source, "broken", str(error)))


def _read_file(
    path: Path, name: str, source: str, options: ReadOptions, on_skip: OnSkip, piece: Piece | None
) -> Iterator[Document]:
    with open_bytes(path) as stream:
        if piece is not None:
            format = piece.format  # noqa: A001 - the option's name
            go_to(stream, piece.start if format != "parquet" else 0)
        else:
            format = options.format if options.format != "auto" else sniff(name, head(stream))  # noqa: A001
        if format in _RECORDS:
            yield from _RECORDS[format](stream, name, source, options, on_skip, piece)
        elif format == "arc":
            yield from read_arc(stream, name, source, options, on_skip)
        elif format in ("markdown", "html"):
            data = read_bounded(stream, options.max_bytes)
            page = decode(data, options.encoding, html=format == "html")
            if format == "html":
                text, blocks, fields = read_html(page, options)
            else:
                text, blocks, fields = read_markdown(page, options.max_seconds)
            if not text.strip():
                raise SkipError("no text", "" if data else "the file is empty")
            yield Document(name, text, source, {**fields, "format": format}, blocks)
    # These open the file by themselves: WARC is compressed record by record, the other two are read at random.
    if format == "warc":
        yield from read_warc(path, name, source, options, on_skip)
    elif format == "epub":
        yield from read_epub(path, name, source, options, on_skip)
    elif format == "parquet":
        yield from read_parquet(path, name, source, options, on_skip, piece)


_RECORDS = {"text": read_text, "wiki": read_wiki, "jsonl": read_jsonl}


def _speaks(text: str, language: str) -> bool:
    from resiliparse.parse.lang import detect_fast

    found: tuple[str, int] = detect_fast(text[:20_000])
    # Short texts are often taken for a neighbour language: those which cannot be told stay.
    return found[0] in (language, "unknown")
