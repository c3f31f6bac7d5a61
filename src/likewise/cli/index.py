"""``likewise index``: folders, files or tables into an index on disk."""

import json
from pathlib import Path
from typing import Annotated

import typer

from likewise.cli.flags import flags
from likewise.cli.output import Force, Json, MeasureSpec, Quiet, check_output, put, say, working
from likewise.cli.progress import progress_bar
from likewise.engines.options import EngineOptions
from likewise.jobs.collect import CollectOptions
from likewise.options import changed
from likewise.read.options import ReadOptions
from likewise.read.skipped import Skipped, skipped_lines
from likewise.said import counted, size_of


@flags(options=CollectOptions, read=ReadOptions, running=EngineOptions)
def index(
    paths: Annotated[
        list[str] | None, typer.Argument(help="Folders, files, globs, or tables (CSV, TSV; JSONL, Parquet).")
    ] = None,
    *,
    output: Annotated[Path, typer.Option("-o", "--output", help="Folder of the index.")],
    options: CollectOptions,
    read: ReadOptions,
    running: EngineOptions,
    measure: MeasureSpec = None,
    add: Annotated[
        bool,
        typer.Option(
            "--add",
            help="Add to the existing index, with the --unit, --on, ... of its first run unless named again.",
        ),
    ] = False,
    remove: Annotated[
        list[str] | None,
        typer.Option(
            help="Remove the text with this id, or all parts of the document of this name, before paths are added; may "
            "be repeated."
        ),
    ] = None,
    refit: Annotated[bool, typer.Option("--refit", help="Recompute the weights from the texts in the index.")] = False,
    as_json: Json = False,
    force: Force = False,
    quiet: Quiet = False,
) -> None:
    """Build or change an index for `likewise search` and `likewise serve`.

    The old index works until the new one is complete, whatever happens meanwhile. Weights (idf, mean length) stay as
    they were when the index was built; --refit computes them again.

    Examples:

      likewise index book/ -o idx --unit paragraph

      likewise index films.csv -o idx --on title --on plot --id imdb

      likewise index new/ -o idx --add

      likewise index -o idx --remove old.md --refit

      likewise index book/changed.md -o idx --remove changed.md

      likewise index /mnt/crawl -o /mnt/idx --engine spark --master spark://host:7077 --work /mnt/run
    """
    from likewise.errors import OptionError
    from likewise.index.folder import is_unfinished
    from likewise.index.index import Index
    from likewise.jobs.index_paths import as_before, index_paths, languages_said, remove_named

    if not paths and not remove and not refit:
        raise OptionError("name what to index, or give --remove or --refit to change the index")
    if paths and not add and not remove:
        # What a writer left who never finished is no index to be replaced: it is cleared away by the next one.
        others = [] if is_unfinished(output) else [output]
        check_output(others=others, sources=paths, force=force, quiet=quiet)
    skipped: list[Skipped] = []
    if paths:
        with working(output, running) as running, progress_bar("index", quiet) as progress:
            made = index_paths(
                paths,
                output,
                measure=measure,
                options=options,
                read=read,
                running=running,
                add=add,
                remove=remove or (),
                on_skip=skipped.append,
                progress=progress,
            )
    else:
        made = Index.open(output)
        remove_named(made, remove or ())
    if refit:
        made.refit()
    if paths and not add and options.language is None and measure is None:
        say(filter(None, [languages_said(made)]), quiet)
    if paths and (add or remove):
        before = zip((options, read), as_before(made.settings, paths, options, read), strict=True)
        taken = [f"{name} {value}" for one, filled in before for name, value in changed(one, filled).items()]
        say([f"read as what is in the index: {', '.join(taken)}"] if taken else [], quiet)
    say(skipped_lines(skipped), quiet)
    size = sum(file.stat().st_size for file in output.iterdir() if file.is_file())
    summary = {"index": str(output), "texts": len(made), "measure": str(made.measure), "bytes": size}
    if as_json:
        put(json.dumps(summary | {"skipped": [str(one) for one in skipped]}, ensure_ascii=False))
    else:
        say([f"{counted(len(made), 'text')} in {output} ({size_of(size)}), measure {made.measure}"], quiet)
