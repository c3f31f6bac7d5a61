"""Index what lies in files: folders, files and tables, whole or in passages."""

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain, islice
from pathlib import Path
from random import Random
from statistics import median
from typing import Any, TypeVar

from likewise.engines.options import EngineOptions
from likewise.errors import InputError, OptionError
from likewise.index.index import Index
from likewise.jobs.collect import CollectOptions, collect, in_order
from likewise.jobs.distributed.asked import Job
from likewise.languages import detect
from likewise.measure import Measure
from likewise.measure.arguments import as_measure, in_language
from likewise.options import changed, names_of
from likewise.progress import Progress
from likewise.read import ReadOptions
from likewise.read.document import Document
from likewise.read.formats import by_ending
from likewise.read.options import TableOptions
from likewise.read.paths import Paths, files
from likewise.read.skipped import OnSkip, Skipped, told
from likewise.verb import verb

# What is kept of how an index was made: files that are added later are taken in the same way. Formats, encodings and
# limits are of the files at hand.
_KEPT = ("unit", "on", "language", "text_column", "id", "main_content", "only_language")
_SAMPLE = 20  # so many texts, which are read twice, say which language they are in
_TRIED = 200  # so many files are opened for them at most
# Parts of running text: a book may begin with twenty titles, so the language is that of the documents.
_OF_DOCUMENTS = ("section", "paragraph", "sentence")
# Stems and stop words of one language harm the others: they are used where so many documents are in that language.
_MOST = 0.6
_SENTENCE = 8  # words of a sentence; shorter texts are names and titles, where function words matter (The Who)
Options = TypeVar("Options", CollectOptions, ReadOptions)


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

    ``remove`` names what leaves it before: files that are read anew, with all their parts. What is added is taken from
    its files as the index was made (unit, columns, language, …), unless named otherwise.

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
    index = Index.open(output) if add and running.engine is None else None
    if index is not None:
        options, read = as_before(index.settings, paths, options, read)
    first = _first(paths, options, read, on_skip)
    several: dict[str, int] = {}
    if options.language is None and measure is None and not add:
        spoken, several = _detected(_sample(paths, options, read) or [document.text for document in first])
        options = replace(options, language=spoken)
    if options.language is not None and not add:
        measure = in_language(as_measure(measure, "bm25"), options.language)
    if running.engine is not None:
        from likewise.jobs.distributed.build import index_on

        if add:
            raise OptionError("an engine builds an index anew: add to one without engine")
        return index_on(
            Job(running, TableOptions(), None, progress),
            paths,
            Path(output),
            measure,
            options,
            read,
            _settings(options, read, several),
            on_skip,
        )
    found = collect(paths, options, read, on_skip)
    if index is not None:
        remove_named(index, remove)
        index.add(found)
        return index
    settings = _settings(options, read, several)
    return Index.build(found, measure=measure, path=output, settings=settings, progress=progress)


def as_before(
    settings: Mapping[str, Any], paths: Paths, options: CollectOptions, read: ReadOptions
) -> tuple[CollectOptions, ReadOptions]:
    """Return options in which what was not named is as it was when the index was made.

    >>> as_before({"unit": "line"}, ["notes.txt"], CollectOptions(), ReadOptions())[0].unit
    'line'
    """
    kept = {name: value for name, value in settings.items() if name in _KEPT}
    if "on" in kept and not all((found := by_ending(name)) and found.table for _, name in files(paths)):
        del kept["on"]  # columns are of tables, and files that are none would be read as such
    return _filled(options, kept), _filled(read, kept)


def _filled(options: Options, kept: Mapping[str, Any]) -> Options:
    free = set(names_of(type(options))) - set(changed(type(options)(), options))
    return replace(options, **{name: value for name, value in kept.items() if name in free})


def _settings(options: CollectOptions, read: ReadOptions, several: Mapping[str, int]) -> dict[str, Any]:
    """Return what an index keeps of how it was made: options that were named, or detected, and languages if several."""
    named = changed(CollectOptions(), options) | changed(ReadOptions(), read)
    return {name: named[name] for name in _KEPT if name in named} | ({"languages": dict(several)} if several else {})


def remove_named(index: Index, names: Sequence[str]) -> None:
    """Remove texts, or all parts of documents, by names; digits are the number of a text where no id is written so."""
    if names:
        known = set(index.ids())
        numbers = {one: int(one) for one in names if one.isdecimal() and len(one) < 20}
        index.remove([one if one in known else numbers.get(one, one) for one in names])


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


def _sample(paths: Paths, options: CollectOptions, read: ReadOptions) -> list[str]:
    """Return texts from all over the files: those of a manual in ten languages are in the order of their languages."""
    unit = "document" if options.unit in _OF_DOCUMENTS else options.unit
    named = [path for path, _ in in_order(paths, options)]
    # Drawn, and not every tenth: files of two languages may take turns. The same files give the same sample. Pictures
    # among them have no text, so more may have to be opened.
    chosen = Random(0).sample(named, min(len(named), _TRIED))
    most = max(1, _SAMPLE // max(1, len(chosen)))
    found = (islice(collect([path], replace(options, unit=unit), read), most) for path in chosen)
    return [document.text for document in islice(chain.from_iterable(found), _SAMPLE)]


def _detected(sample: Sequence[str]) -> tuple[str | None, dict[str, int]]:
    """Return the language of texts that are sentences or more, and, if there are several, how many are in each."""
    if not sample or median(len(text.split(maxsplit=_SENTENCE)) for text in sample) < _SENTENCE:
        return None, {}
    each = Counter(one.name for text in sample if (one := detect([text])) is not None)
    if len(each) < 2:
        found = detect(sample)
        return None if found is None else found.name, {}
    # Not the language of all together: of a long first text that would be its own.
    [(most, count)] = each.most_common(1)
    return most if count >= _MOST * each.total() else None, dict(each.most_common())


def languages_said(index: Index) -> str:
    """Return what there is to say of the languages that were detected in the texts of an index, if anything.

    >>> languages_said(Index.build(["red fish"], settings={"languages": {"german": 2, "french": 1}}))
    'language: several (detected in samples: german 2, french 1), so whole words are compared; --language names one'
    """
    spoken, several = index.measure.options.stop, index.settings.get("languages", {})
    samples = ", ".join(f"{name} {count:,}" for name, count in several.items())
    if spoken is None:
        whole = "so whole words are compared; --language names one"
        return f"language: several (detected in samples: {samples}), {whole}" if several else ""
    seen = f"detected in samples: {samples}" if several else "detected"
    return f"language: {spoken} ({seen}; --language names another, --measure bm25 compares whole words)"
