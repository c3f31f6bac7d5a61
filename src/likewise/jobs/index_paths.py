"""Index what lies in files: folders, files and tables, whole or in passages."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from likewise.index.index import Index
from likewise.languages import language
from likewise.measure import Measure
from likewise.measure.arguments import as_measure, in_language
from likewise.options import check_choice, option
from likewise.progress import Progress
from likewise.read import Documents, ReadOptions
from likewise.read.document import Document
from likewise.read.formats import is_table
from likewise.read.paths import Paths, files
from likewise.read.skipped import OnSkip
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


@verb(options=CollectOptions, read=ReadOptions)
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
) -> Index:
    """Index folders, files or tables into a folder on disk; with ``add``, into the index that is there.

    >>> import pathlib, tempfile
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> _ = (folder / "fish.txt").write_text("Red fish.\\n\\nBlue fish.")
    >>> index = index_paths(folder / "fish.txt", folder / "index", unit="paragraph")
    >>> index.search("blue").ids
    ['fish.txt#2']
    """
    found = collect(paths, options, read, on_skip)
    if add:
        index = Index.open(output)
        index.add(found)
        return index
    if options.language is not None:
        measure = in_language(as_measure(measure, "bm25"), options.language)
    return Index.build(found, measure=measure, path=output, progress=progress)


def collect(
    paths: Paths, options: CollectOptions, read: ReadOptions, on_skip: OnSkip | None = None
) -> Iterator[Document]:
    """Give the documents, or their parts, of all files named."""
    code = language(options.language).code if options.language else None
    tables: list[tuple[Path, str]] = []
    others: list[tuple[Path, str]] = []
    for path, name in files(paths):
        (tables if options.on or is_table(name) else others).append((path, name))
    for path, _ in tables:
        for document in table_documents(path, options.on, read.id):
            yield from parts(document, options.unit, code)
    for document in Documents(others, read, on_skip):
        yield from parts(document, options.unit, code)
