"""``documents``: the one door through which files of every kind become a stream of documents."""

import zipfile
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from likewise.errors import LikewiseError
from likewise.languages import detect, language
from likewise.read.content import Content
from likewise.read.document import Document
from likewise.read.encoding import decode
from likewise.read.formats import BY_NAME, ZIP, Format, check_name, sniff
from likewise.read.office import zip_format
from likewise.read.open import head, read_bounded
from likewise.read.options import ReadOptions
from likewise.read.order import rendering_of
from likewise.read.paths import Paths, files
from likewise.read.skipped import OnSkip, SkipError, Skipped, heard
from likewise.read.source import WHOLE, Piece, Source
from likewise.targets import is_ours
from likewise.verb import verb


class Documents(Iterator[Document]):
    """A stream of documents that counts what it has read and, by reason, what it skipped.

    >>> import pathlib, tempfile
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> _ = (folder / "a.txt").write_text("Some text."), (folder / "b.bin").write_bytes(bytes(99))
    >>> stream = documents(folder)
    >>> [document.text for document in stream], stream.read, dict(stream.skipped)
    (['Some text.'], 1, {'binary': 1})
    """

    def __init__(self, named: Iterable[tuple[Path, str]], options: ReadOptions, on_skip: OnSkip | None) -> None:
        self.options = options
        self.read = 0
        self.skipped: Counter[str] = Counter()
        self._on_skip = on_skip
        self._stream = self._all(named)

    def __next__(self) -> Document:
        return next(self._stream)

    def _skip(self, skipped: Skipped) -> None:
        self.skipped[skipped.reason] += 1
        if self._on_skip is not None:
            self._on_skip(skipped)

    def _all(self, named: Iterable[tuple[Path, str]]) -> Iterator[Document]:
        for path, name in named:
            for document in read_file(path, name, self.options, self._skip):
                self.read += 1
                yield document


@verb(options=ReadOptions)
def documents(paths: Paths, *, on_skip: OnSkip | None = None, options: ReadOptions) -> Documents:
    """Read files, folders, globs or lists of them as a stream of documents.

    What cannot be read is handed to ``on_skip`` and counted in ``.skipped``; with ``strict`` it raises
    :class:`~likewise.errors.FormatError`. A path that does not exist raises at once.

    >>> import pathlib, tempfile
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> _ = (folder / "fish.txt").write_text("Red fish.")
    >>> [(document.id, document.text) for document in documents(folder)]
    [('fish.txt', 'Red fish.')]
    """
    return Documents(files(paths), options, on_skip)


def read_file(
    path: Path, name: str, options: ReadOptions, on_skip: OnSkip, piece: Piece | None = None
) -> Iterator[Document]:
    """Yield the documents of one file, or of a piece of it, that are in the language asked for.

    A file that cannot be read on is reported once, after what was readable; with ``strict`` that is an error.
    """
    on_skip = heard(on_skip, options.strict)
    page = rendering_of(path)
    if page is not None:
        on_skip(Skipped(str(path), None, "source", f"{page.name} is made of it"))
    elif path.is_dir() and is_ours(path):
        on_skip(Skipped(str(path), None, "output", "Likewise wrote this folder; name it to read it"))
    else:
        yield from read_source(Source(name, str(path), path), options, on_skip, piece or WHOLE)


def read_source(source: Source, options: ReadOptions, on_skip: OnSkip, piece: Piece = WHOLE) -> Iterator[Document]:
    """Yield the documents of a file, wherever it is."""
    try:
        for document in _read(source, options, on_skip, piece):
            if options.only_language and not _speaks(document.text, options.only_language):
                on_skip(Skipped(document.source, None, "language"))
            else:
                yield document
    except SkipError as error:
        on_skip(Skipped(source.place, None, error.reason, error.detail))
    except RecursionError:
        on_skip(Skipped(source.place, None, "too deep", "nested deeper than can be followed"))
    except EOFError as error:
        on_skip(Skipped(source.place, None, "truncated", str(error)))
    except (OSError, zlib.error, zipfile.BadZipFile) as error:
        if isinstance(error, LikewiseError):
            raise
        on_skip(Skipped(source.place, None, "broken", str(error)))


def _read(source: Source, options: ReadOptions, on_skip: OnSkip, piece: Piece) -> Iterator[Document]:
    try:
        source = _unpacked(source, options)
    except SkipError:
        if options.format == "auto":
            check_name(source.name)  # a script that is a link to nowhere, as packages have them, is no loss
        raise
    format = _format(source, options, piece)  # noqa: A001 - the option's name
    if format.shape in ("documents", "table"):
        yield from format.read(source, options, on_skip, piece)
        return
    with source.open() as stream:
        data = read_bounded(stream, options.max_bytes)
    page = data if format.shape == "bytes" else decode(data, options.encoding, html=format.name == "html")
    content: Content = format.read(page, options)
    if not content.text.strip():
        raise SkipError("no text", "" if data else "the file is empty")
    yield Document(source.name, content.text, source.place, {}, content.blocks, content.title, "", format.name)


def _unpacked(source: Source, options: ReadOptions) -> Source:
    """Return a ZIP archive (a book, a document) inside gzip and the like as its bytes, which are read at random."""
    with source.open() as stream:
        if stream.seekable() or not head(stream).startswith(ZIP):
            return source
        return replace(source, path=None, data=read_bounded(stream, options.max_bytes))


def _format(source: Source, options: ReadOptions, piece: Piece) -> Format:
    if piece.format:
        return BY_NAME[piece.format]
    if options.format != "auto":
        return BY_NAME[options.format]
    with source.open() as stream:
        found = sniff(source.name, head(stream))
    return BY_NAME[zip_format(source)] if found.name == "zip" else found


def _speaks(text: str, wanted: str) -> bool:
    # A text with too few words to tell stays.
    return detect([text]) in (language(wanted), None)
