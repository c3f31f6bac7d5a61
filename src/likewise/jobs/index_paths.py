"""Index what lies in files: folders, files and tables, whole or in passages."""

import os
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from statistics import median

from likewise.engines.options import EngineOptions
from likewise.errors import InputError, OptionError
from likewise.index.index import Index
from likewise.jobs.collect import CollectOptions, collect
from likewise.jobs.distributed.asked import Job
from likewise.languages import detect
from likewise.measure import Measure
from likewise.measure.arguments import as_measure, in_language
from likewise.progress import Progress
from likewise.read import ReadOptions
from likewise.read.document import Document
from likewise.read.options import TableOptions
from likewise.read.paths import Paths
from likewise.read.skipped import OnSkip, Skipped, told
from likewise.verb import verb

_SAMPLE = 20  # so many texts, which are read twice, say which language they are in
_SENTENCE = 8  # words of a sentence; shorter texts are names and titles, where function words matter (The Who)


@verb(options=CollectOptions, read=ReadOptions, running=EngineOptions)
def index_paths(
    paths: Paths,
    output: str | os.PathLike[str],
    *,
    measure: Measure | str | None = None,
    add: bool = False,
    remove: Sequence[str] = (),
    on_skip: OnSkip | None = None,
    progress: Progress | None = None,
    options: CollectOptions,
    read: ReadOptions,
    running: EngineOptions,
) -> Index:
    """Index folders, files or tables into a folder on disk; with ``add``, into the index that is there.

    ``remove`` names what leaves it before: files that are read anew, with all their parts.

    Without ``measure`` texts are compared by the stems and without the stop words of their ``language``, which is
    detected where texts are sentences or more; names and titles are compared by whole words.

    With an ``engine`` tasks read the files and build the segments: an index of the same bytes.

    >>> import pathlib, tempfile
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> _ = (folder / "fish.txt").write_text("Red fish.\\n\\nBlue fish.")
    >>> index = index_paths(folder / "fish.txt", folder / "index", unit="paragraph")
    >>> index.search("blue").ids
    ['fish.txt#2']
    """
    add = add or bool(remove)
    first = _first(paths, options, read, on_skip)
    if options.language is None and measure is None and not add:
        options = replace(options, language=_detected(document.text for document in first))
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
        remove_named(index, remove)
        index.add(found)
        return index
    return Index.build(found, measure=measure, path=output, progress=progress)


def remove_named(index: Index, names: Sequence[str]) -> None:
    """Remove texts, or all parts of documents, by names; digits are the number of a text where no id is written so."""
    if names:
        known = set(index.ids())
        index.remove([one if one in known or not one.isdigit() else int(one) for one in names])


def _first(paths: Paths, options: CollectOptions, read: ReadOptions, on_skip: OnSkip | None) -> list[Document]:
    """Return the first texts; where there is none, nothing is written."""
    skipped: list[Skipped] = []
    first = list(islice(collect(paths, options, read, skipped.append), _SAMPLE))
    if not first:
        if on_skip is not None:
            for entry in skipped:
                on_skip(entry)
        raise InputError(f"there is no text to index{f': {told(skipped)}' if skipped else ''}")
    return first


def _detected(texts: Iterable[str]) -> str | None:
    """Return the language of texts that are sentences or more."""
    sample = list(texts)
    if not sample or median(len(text.split(maxsplit=_SENTENCE)) for text in sample) < _SENTENCE:
        return None
    found = detect(sample)
    return None if found is None else found.name
