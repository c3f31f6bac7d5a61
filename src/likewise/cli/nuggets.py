"""``likewise nuggets``: dates with what happened then, from documents."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from likewise.cli.flags import flags
from likewise.cli.output import Force, Quiet, check_output, put, say
from likewise.cli.progress import progress_bar
from likewise.engines.options import EngineOptions
from likewise.read.options import ReadOptions
from likewise.read.skipped import Skipped, skipped_lines


@flags(running=EngineOptions, reading=ReadOptions)
def nuggets(
    paths: Annotated[list[str], typer.Argument(help="Files, folders or globs; @list.txt names a file with paths.")],
    output: Annotated[Path, typer.Option("-o", "--output", help="Folder for the index of nuggets.")],
    running: EngineOptions,
    reading: ReadOptions,
    force: Force = False,
    quiet: Quiet = False,
) -> None:
    """Collect nuggets for `likewise ask`: pairs of a date and the fragment that says what happened then.

    Files are read in shards, on this machine or on Spark, within --memory. Exit code 1 if there is no nugget in them.

    Examples:

      likewise nuggets wiki/ -o nuggets

      likewise ask nuggets "When was the transistor invented?"
    """
    from likewise.jobs.questions.nuggets import nuggets as run

    skipped: list[Skipped] = []
    check_output(others=[output], sources=paths, force=force, quiet=quiet)
    with progress_bar("nuggets", quiet) as progress:
        count = run(
            paths,
            output,
            running=running,
            read=reading,
            on_skip=skipped.append,
            progress=progress,
        )
    say([f"likewise: {line}" for line in skipped_lines(skipped)], quiet)
    say([f"{count:,} nuggets -> {output}"], quiet)
    if not count:
        unread = f"; {len(skipped):,} could not be read: {skipped[0]}" if skipped else ""
        put(f"likewise: no date with a word on what happened then{unread}", file=sys.stderr)
        raise typer.Exit(1)
