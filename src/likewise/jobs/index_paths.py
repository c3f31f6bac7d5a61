"""Index what lies in files: folders, files and tables, whole or in passages."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from likewise.engines.options import EngineOptions
from likewise.errors import FormatError, OptionError
from likewise.index.index import Index
from likewise.jobs.distributed.asked import Job
from likewise.languages import language
from likewise.measure import Measure
from likewise.measure.arguments import as_measure, in_language
from likewise.options import check_choice, option
from likewise.progress import Progress
from likewise.read import ReadOptions
from likewise.read.document import Document
from likewise.read.documents import read_file
from likewise.read.formats import is_table
from likewise.read.options import TableOptions
from likewise.read.paths import Paths, files
from likewise.read.skipped import OnSkip, Skipped
from likewise.read.source import Piece
from likewise.read.table_documents import table_documents
from likewise.segment.parts import UNITS, parts
from likewise.verb import verb


@dataclass(frozen=True, slots=True)
class CollectOptions:
    """What becomes a text of the index."""

    unit: str = option("document", "What to find: whole documents, or parts of them.", choices=UNITS)
    on: tuple[str, ...] = option(
        (), "Columns of a table to search (default: all text columns); the others become fields.", cli_type=list[str]
    )

    language: str | None = option(
        None, "Language of the texts, such as german or de: leave out its stop words, compare stems, cut its sentences."
    )

    def __post_init__(self) -> None:
        check_choice("unit", self.unit, UNITS)
        if self.language is not None:
            language(self.language)
        object.__setattr__(self, "on", tuple(self.on))


@verb(options=CollectOptions, read=ReadOptions, running=EngineOptions)
def index_paths(
    paths: Paths,
    output: str | os.PathLike[str],
    *,
    measure: Measure | str | None = None,
    add: bool = False,
    on_skip: OnSkip | None = None,
    progress: Progress | None = None,
    options: CollectOptions,
    read: ReadOptions,
    running: EngineOptions,
) -> Index:
    """Index folders, files or tables into a folder on disk; with ``add``, into the index that is there.

    With an ``engine`` tasks read the files and build the segments: an index of the same bytes.

    >>> import pathlib, tempfile
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> _ = (folder / "fish.txt").write_text("Red fish.\\n\\nBlue fish.")
    >>> index = index_paths(folder / "fish.txt", folder / "index", unit="paragraph")
    >>> index.search("blue").ids
    ['fish.txt#2']
    """
    if options.language is not None and not add:
        measure = in_language(as_measure(measure, "bm25"), options.language)
    if running.engine is not None:
        from likewise.jobs.distributed.build import index_on

        if add:
            raise OptionError("an engine builds an index anew: add to one without engine")
        return index_on(
            Job(running, TableOptions(), None, progress), paths, Path(output), measure, options, read, on_skip
        )
    found = collect(paths, options, read, on_skip)
    if add:
        index = Index.open(output)
        index.add(found)
        return index
    return Index.build(found, measure=measure, path=output, progress=progress)


def collect(
    paths: Paths, options: CollectOptions, read: ReadOptions, on_skip: OnSkip | None = None
) -> Iterator[Document]:
    """Give the documents, or their parts, of all files named."""
    for path, name in in_order(paths, options):
        yield from texts_of_file(path, name, None, options, read, on_skip)


def in_order(paths: Paths, options: CollectOptions) -> list[tuple[Path, str]]:
    """Return the files with their names, tables first."""
    return sorted(files(paths), key=lambda file: not _is_table(file[1], options))


def texts_of_file(
    path: Path, name: str, piece: Piece | None, options: CollectOptions, read: ReadOptions, on_skip: OnSkip | None
) -> Iterator[Document]:
    """Give the documents, or their parts, of one file, or of a piece of it."""

    def skip(entry: Skipped) -> None:
        if on_skip is not None:
            on_skip(entry)
        if read.strict:
            raise FormatError(str(entry))

    code = language(options.language).code if options.language else None
    table = _is_table(name, options)
    for one in table_documents(path, options.on, read.id) if table else read_file(path, name, read, skip, piece):
        yield from parts(one, options.unit, code)


def _is_table(name: str, options: CollectOptions) -> bool:
    return bool(options.on) or is_table(name)
