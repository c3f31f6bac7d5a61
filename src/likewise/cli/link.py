"""``likewise link``: passages of a book or a corpus that treat the same subject."""

import json
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from likewise.cli.flags import flags
from likewise.cli.output import Force, Quiet, check_output, say, working
from likewise.engines.options import EngineOptions
from likewise.errors import InputError, OptionError
from likewise.jobs.link.options import LinkOptions
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
            help=".html, .jsonl, .parquet, .csv, .graphml, or a folder for copies with See also; repeatable.",
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

    Every paragraph is compared with every other (tf·idf cosine); pairs that are close and also have sentences in
    common are links, with the sentences as proof. The lists of Salton and Buckley can be chosen and combined with
    --preset: 21, 24, 25 (paragraphs), 3, 17, 19, 31, 35 (sentences; with sd behind it: the paragraphs they propose).

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
    from likewise.results.book.pages import pages_folder
    from likewise.results.link_decisions import decided, read_decisions
    from likewise.storage import is_ours

    check_integer("split_from", split_from, 0)
    apart = [flag for flag, path in (("--choices", choices), ("--subjects", subjects)) if path is not None]
    if apart and (check or sentences):
        raise OptionError(f"{' and '.join(apart)} cannot go with {'--check' if check else '--sentences'}")
    if not check:
        # Copies in a folder that link wrote are brought up to date without being told to.
        written = [path for path in output or () if not (path.is_dir() and is_ours(path))]
        written += [path for path in (choices, subjects) if path is not None]
        pages = [pages_folder(path) for path in written if path.suffix.lower() in (".html", ".htm")]
        written += [folder for folder in pages if folder.exists()]
        named = _named(paths)
        sources = [str(path) for path in named.values()] if isinstance(named, dict) else paths
        check_output(others=written, sources=[*sources, *(to or ())], force=force, quiet=quiet)
    if stop_list is not None:
        options = replace(options, stop=read_stop(str(stop_list)))
    skipped: list[Skipped] = []
    with working(output[0] if output else None, running) as running:
        with progress_bar("link", quiet) as progress:
            found = run(
                _named(paths),
                to or None,
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
        for path in output or ():
            if path.suffix.lower() in (".html", ".htm"):
                found.to_html(path, title, split_from)
            elif not path.suffix:
                found.to_folder(path, force=force)
            else:
                found.write(path)
        if choices is not None:
            found.write_choices(choices)
        if subjects is not None:
            found.subjects.write(subjects)
        if as_json:
            for row in found.rows():
                print(json.dumps(row, ensure_ascii=False))
        elif not output and choices is None and subjects is None:
            for entry in found.links[:limit]:
                marks = "".join(
                    mark for mark, on in (("*", entry.strongest), ("=", entry.copy), ("~", entry.neighbours)) if on
                )
                print(f"{entry.score:.3f}{marks}\t{found.unit(entry.left).id}\t{found.unit(entry.right).id}")
                for number in (entry.left, entry.right):
                    print(f"\t{' '.join(found.text(number).split())[:100]}")
        say(_summary(found, options), quiet)


def _summary(found: "Links", options: LinkOptions) -> Iterator[str]:
    """Give what there is to say of a run: the language, how many links, from which strength or number of matches on."""
    if options.language is None:
        yield f"likewise: language: {found.options['language']} (detected; --language names another)"
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


def _named(paths: list[str]) -> "list[str] | dict[str, Path]":
    """Return books by name if every path is given as name=path; a file that is called so is a file."""
    pairs = [path.partition("=") for path in paths]
    if not all(
        name and equals and not Path(path).exists() for path, (name, equals, _) in zip(paths, pairs, strict=True)
    ):
        return paths
    return {name: Path(place) for name, _, place in pairs}


def _check(found: "Links", folders: list[Path]) -> None:
    """End with code 1 if a copy in one of the folders is not what would be written now."""
    from likewise.results.copies import outdated

    stale = [f"{folder / name}" for folder in folders if not folder.suffix for name in outdated(found, folder)]
    for path in stale:
        print(f"likewise: not up to date: {path}", file=sys.stderr)
    if stale:
        raise typer.Exit(1)
    print("likewise: all copies are up to date", file=sys.stderr)


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
            print(f"{one.rank}\t{one.score:.6g}\t{one.left}\t{one.right}")
            print(f"\t{' '.join(one.left_text.split())}\n\t{' '.join(one.right_text.split())}")
    least = f", at least {made.min_matches} matches" if made.min_matches else ""
    perfect = f", {made.perfect:,} of them score 1" if made.perfect else ""
    print(f"list {made.name}: {len(made):,} sentence pairs{least}{perfect}", file=sys.stderr)
