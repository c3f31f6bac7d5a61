"""``likewise link``: passages of a book or a corpus that treat the same subject."""

import json
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from likewise.cli.flags import flags
from likewise.cli.output import Force, Quiet, check_output, put, say, working
from likewise.engines.options import EngineOptions
from likewise.errors import InputError, OptionError
from likewise.jobs.link.options import LinkOptions
from likewise.languages import language
from likewise.options import check_integer
from likewise.read.options import ReadOptions
from likewise.read.skipped import Skipped, skipped_lines
from likewise.results.links import SPLIT_FROM
from likewise.said import counted

if TYPE_CHECKING:
    from likewise.results.links import Links


@flags(options=LinkOptions, reading=ReadOptions, running=EngineOptions)
def link(
    paths: Annotated[
        list[str],
        typer.Argument(help="Files, folders or globs; @list.txt names a file with paths; name=path names a book."),
    ],
    options: LinkOptions,
    reading: ReadOptions,
    running: EngineOptions,
    to: Annotated[
        list[str] | None,
        typer.Option("--to", help="Link the paths with this second corpus instead of among themselves."),
    ] = None,
    output: Annotated[
        list[Path] | None,
        typer.Option(
            "-o",
            "--output",
            help=".html, .jsonl, .parquet, .csv, .graphml, or a folder for copies with See also; may be repeated.",
        ),
    ] = None,
    stop_list: Annotated[
        Path | None, typer.Option("--stop-list", help="Your own stop words: a file with one word per line.")
    ] = None,
    decisions: Annotated[
        Path | None, typer.Option("--decisions", help="Decisions saved from a book: links rejected there are left out.")
    ] = None,
    update: Annotated[
        Path | None,
        typer.Option(
            "--update", help="Keep what was read in this file: the next run with it reads only what has changed."
        ),
    ] = None,
    choices: Annotated[
        Path | None,
        typer.Option(
            "--choices", help="Also write a table of each passage's five best, those that are no links, too: .csv, …"
        ),
    ] = None,
    subjects: Annotated[
        Path | None,
        typer.Option("--subjects", help="Also write the subject index: term, passage and why, as .csv, .jsonl, …"),
    ] = None,
    sentences: Annotated[
        bool, typer.Option("--sentences", help="Write the list of sentence pairs that the preset names, as it is.")
    ] = False,
    check: Annotated[
        bool, typer.Option("--check", help="Write nothing; end with code 1 if copies in the folder are not up to date.")
    ] = False,
    title: Annotated[str | None, typer.Option("--title", help="Title of the HTML book.")] = None,
    split_from: Annotated[
        int,
        typer.Option(
            "--split-from", help="Passages from which on the HTML book is split into pages by document; 0: never."
        ),
    ] = SPLIT_FROM,
    limit: Annotated[int, typer.Option("--limit", help="Links to list on the terminal if no output is named.")] = 20,
    as_json: Annotated[bool, typer.Option("--json", help="Print the links as JSON lines.")] = False,
    force: Force = False,
    quiet: Quiet = False,
) -> None:
    """Link the passages of a book, a manual or a folder of pages that treat the same subject.

    Every paragraph is compared with every other (tf·idf cosine). Pairs that are close and also share sentences are
    links, with the sentences as proof. --preset chooses and combines lists of Salton and Buckley: 21, 24, 25
    (paragraphs), 3, 17, 19, 31, 35 (sentences; 3sd, 17sd, ...: the paragraphs that they propose).

    Examples:

      likewise link book/ -o book.html

      likewise link docs/*.md -o links.jsonl -o docs-with-see-also/

      likewise link old.txt --to new.txt --preset "21|3sd" --json | head

      likewise link policy=policy/ manual=manual/ --books across -o both.html

      likewise link /mnt/manuals -o links.parquet --engine spark --master spark://host:7077 --work /mnt/run
    """
    from likewise.cli.progress import progress_bar
    from likewise.jobs.link import link as run
    from likewise.measure.arguments import read_stop
    from likewise.results.link_decisions import decided, read_decisions

    check_integer("split_from", split_from, 0)
    apart = [flag for flag, path in (("--choices", choices), ("--subjects", subjects)) if path is not None]
    if apart and (check or sentences):
        raise OptionError(f"{' and '.join(apart)} cannot go with {'--check' if check else '--sentences'}")
    named = _named(paths)
    if not check:
        sources = [str(path) for path in named.values()] if isinstance(named, dict) else paths
        written = _written(output or [], [path for path in (choices, subjects) if path is not None])
        check_output(others=written, sources=[*sources, *(to or ())], force=force, quiet=quiet)
    if stop_list is not None:
        options = replace(options, stop=read_stop(str(stop_list)))
    skipped: list[Skipped] = []
    with working(output[0] if output else None, running) as running:
        with progress_bar("link", quiet) as progress:
            found = run(
                named,
                _never_texts(to) if to else None,
                options=options,
                read=reading,
                running=running,
                update=None if check else update,  # --check writes nothing, and this is but a shortcut
                on_skip=skipped.append,
                progress=progress,
            )
        say([f"likewise: {line}" for line in skipped_lines(skipped)], quiet)
        if not found.book.documents:
            raise InputError(f"there is no document to read in {', '.join(paths)}")
        if decisions is not None:
            found = decided(found, read_decisions(decisions))
        if sentences:
            _write_sentences(found, output or [], limit)
            return
        if check:
            _check(found, output or [])
            return
        _write(found, output or [], title, split_from, force)
        if choices is not None:
            found.write_choices(choices)
        if subjects is not None:
            found.subjects.write(subjects)
        if as_json:
            for row in found.rows():
                put(json.dumps(row, ensure_ascii=False))
        elif not output and choices is None and subjects is None:
            _show(found, limit)
        say(_summary(found, options), quiet)


def _is_html(path: Path) -> bool:
    return path.suffix.lower() in (".html", ".htm")


def _written(output: list[Path], tables: list[Path]) -> list[Path]:
    """Return what will be written anew, with the pages of books that are there already."""
    from likewise.results.book.pages import pages_folder
    from likewise.targets import is_ours

    # Copies in a folder that link wrote are brought up to date without being told to.
    files = [path for path in output if not (path.is_dir() and is_ours(path))] + tables
    # Pages without their book are what a run left that was killed: the next one replaces them.
    pages = [
        pages_folder(path) for path in files if _is_html(path) and (path.exists() or not is_ours(pages_folder(path)))
    ]
    return files + [folder for folder in pages if folder.exists()]


def _write(found: "Links", output: list[Path], title: str | None, split_from: int, force: bool) -> None:
    """Write links as a book (.html), as copies of the documents (a folder), or as a table."""
    for path in output:
        if _is_html(path):
            found.to_html(path, title, split_from)
        elif not path.suffix:
            found.to_folder(path, force=force)
        else:
            found.write(path)


def _show(found: "Links", limit: int) -> None:
    """Print the first links, with how their passages begin."""
    for entry in found.links[:limit]:
        marks = "".join(mark for mark, on in (("*", entry.strongest), ("=", entry.copy), ("~", entry.neighbours)) if on)
        put(f"{entry.score:.3f}{marks}\t{found.unit(entry.left).id}\t{found.unit(entry.right).id}")
        for number in (entry.left, entry.right):
            put(f"\t{' '.join(found.text(number).split())[:100]}")


def _summary(found: "Links", options: LinkOptions) -> Iterator[str]:
    """Give what there is to say of a run: the language, how many links, from which strength or number of matches on."""
    if options.language is None:
        each = Counter(language(code).name for code in found.book.languages)
        several = ", ".join(f"{name} ({counted(count, 'document')})" for name, count in each.most_common())
        yield (
            f"likewise: languages: {several} (detected; --language takes one for all)"
            if several
            else f"likewise: language: {found.options['language']} (detected; --language names another)"
        )
    strongest = sum(entry.strongest for entry in found)
    copies = sum(entry.copy for entry in found)
    yield (
        f"{counted(len(found) - copies, 'link')} ({strongest:,} strongest) and {counted(copies, 'copy', 'copies')} "
        f"among {counted(len(found.book.units), 'passage')} of {counted(len(found.book.documents), 'document')}"
        + (f"; {found.minimum()}" if options.preset == LinkOptions().preset else "")
    )
    for name, about in found.lists.items() if options.preset != LinkOptions().preset else ():
        least = f", at least {about['min_matches']} matches" if about["min_matches"] else ""
        yield f"list {name}: {counted(about['pairs'], 'pair')}{least}"
    yield from (f"likewise: {note}" for note in found.notes)


def _named(paths: list[str]) -> "list[str | Path] | dict[str, Path]":
    """Return books by name if every path is given as name=path; a file that is called so is a file."""
    pairs = [path.partition("=") for path in paths]
    if not all(
        name and equals and not Path(path).exists() for path, (name, equals, _) in zip(paths, pairs, strict=True)
    ):
        return _never_texts(paths)
    return {name: Path(place) for name, _, place in pairs}


def _never_texts(paths: list[str]) -> list[str | Path]:
    """Return the paths as such: of a list of strings :func:`likewise.link` takes those of several words for texts."""
    return [path if path.startswith("@") else Path(path) for path in paths]


def _check(found: "Links", folders: list[Path]) -> None:
    """End with code 1 if a copy in one of the folders is not what would be written now."""
    from likewise.results.copies import outdated

    stale = [f"{folder / name}" for folder in folders if not folder.suffix for name in outdated(found, folder)]
    for path in stale:
        put(f"likewise: not up to date: {path}", file=sys.stderr)
    if stale:
        raise typer.Exit(1)
    put("likewise: all copies are up to date", file=sys.stderr)


def _write_sentences(found: "Links", output: list[Path], limit: int) -> None:
    """Write or print the sentence pairs of the preset."""

    made = found.sentence_list
    if made is None:
        raise OptionError(
            f"--sentences needs a preset of sentence pairs (3, 17, 19, 31, 35), not {found.options['preset']}"
        )
    for path in output:
        made.write(path)
    if not output:
        for one in made.head(limit):
            put(f"{one.rank}\t{one.score:.6g}\t{one.left}\t{one.right}")
            put(f"\t{' '.join(one.left_text.split())}\n\t{' '.join(one.right_text.split())}")
    least = f", at least {made.min_matches} matches" if made.min_matches else ""
    perfect = f", {made.perfect:,} of them score 1" if made.perfect else ""
    put(f"list {made.name}: {len(made):,} sentence pairs{least}{perfect}", file=sys.stderr)
