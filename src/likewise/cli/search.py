"""``likewise search``: a query, or many, to an index on disk."""

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from likewise.cli.flags import flags
from likewise.cli.output import Force, Json, Quiet, check_output, give_answers, put, say
from likewise.engines.options import EngineOptions
from likewise.index.search import SearchOptions
from likewise.said import printable

if TYPE_CHECKING:
    from likewise.index.hits import Hit, Hits


@flags(options=SearchOptions, running=EngineOptions)
def search(
    index: Annotated[Path, typer.Argument(help="Folder of the index.")],
    queries: Annotated[list[str] | None, typer.Argument(help="The query; several are answered one by one.")] = None,
    *,
    options: SearchOptions,
    running: EngineOptions,
    query_file: Annotated[
        Path | None,
        typer.Option("--queries", help="File with one query per line, 'id TAB query', or .jsonl with id and query."),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            help="Write the hits of all queries as a table: .csv, .jsonl, .parquet, or, on an engine, a folder.",
        ),
    ] = None,
    where: Annotated[
        list[str] | None,
        typer.Option("--filter", help="field=value, field=a..b or field=a|b; may be repeated, all must hold."),
    ] = None,
    expand: Annotated[
        Path | None, typer.Option(help="Paraphrases (.parquet of `likewise mine`) to widen with.")
    ] = None,
    run: Annotated[Path | None, typer.Option(help="Write all hits to this file in TREC run format.")] = None,
    force: Force = False,
    explain: Annotated[bool, typer.Option("--explain", help="Show the contributions to each score.")] = False,
    snippet: Annotated[int, typer.Option(help="Length of the snippets in characters.")] = 240,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Find the texts of an index that best match a query. Exit code 1 if there are none.

    Words are weighed by the measure of the index. "a phrase" must occur as it stands; of (one | other) the one that
    fits a text best counts; -word and -"a phrase" must not occur; field:value and field:1990..1999 limit by fields.

    Examples:

      likewise search idx "when did amtrak (begin | start) -freight" --top 5

      likewise search idx --queries topics.tsv --top 1000 --plain --run run.trec

      likewise search idx "took effect" --expand paraphrases.parquet --filter year=1990..1999 --json

      likewise search idx "pituitary gland" --page 2

      likewise search idx --queries queries.parquet -o hits --engine spark --master spark://host:7077 --work /mnt/run

      likewise search idx -- "-freight amtrak"
    """
    from likewise.errors import OptionError
    from likewise.index.arguments import parse_filters, read_queries
    from likewise.index.index import Index
    from likewise.read.formats import is_table

    check_output(
        output, others=[run], sources=[index, query_file], force=force, quiet=quiet, folders=running.engine is not None
    )
    if snippet < 1:
        raise OptionError(f"snippet must be 1 or more, not {snippet}")
    filters = parse_filters(where or [])
    if query_file is not None and (output is not None or running.engine is not None):
        if run is not None or queries:
            raise OptionError("with --output or --engine the queries of a file are answered, and --run is not written")
        from likewise.jobs.distributed.rows import Searching

        table = is_table(query_file.name) and query_file.suffix not in (".tsv", ".jsonl", ".ndjson")
        given = query_file if table else [{"id": one, "query": text} for one, text in read_queries(query_file).items()]
        wanted = Searching(
            str(index.absolute()), "query", options, filters, None if expand is None else str(expand.absolute())
        )
        give_answers(given, "id", wanted, running, "search", output=output, as_json=as_json, force=force, quiet=quiet)
        return
    if output is not None or running.engine is not None:
        raise OptionError("--output and --engine answer a file of queries: name one with --queries")
    asked = {str(number): text for number, text in enumerate(queries or [], 1)}
    if query_file is not None:
        asked |= read_queries(query_file)
    if not asked:
        raise OptionError("give a query, or --queries FILE")
    opened = Index.open(index)
    found: dict[str, Hits] = {}
    for name, text in asked.items():
        found[name] = opened.search(text, filters=filters, expand=expand, options=options)
        if run is None:
            _show(name, found[name], len(asked) > 1, snippet, explain, as_json, quiet)
    if run is not None:
        from likewise.evaluate.gold.trec import write_run

        scored = {
            name: dict(zip(map(str, hits.ids), hits.scores.tolist(), strict=True)) for name, hits in found.items()
        }
        write_run(run, scored)
        say([f"{sum(map(len, found.values()))} hits of {len(found)} queries in {run}"], quiet)
    if not any(len(hits) for hits in found.values()):
        why = "".join(f": {note}" for hits in found.values() for note in hits.notes)
        say([f"nothing found{why}" if options.page == 1 else f"nothing found on page {options.page}"], quiet)
        raise typer.Exit(1)


def _show(name: str, hits: "Hits", several: bool, length: int, explain: bool, as_json: bool, quiet: bool) -> None:
    if as_json:
        values: dict[str, Any] = {"id": name} | hits.to_json(length, explain)
        put(json.dumps(values, ensure_ascii=False, default=str))
        return
    if several:
        put(f"== {name}: {hits.query}")
    if hits.corrections:
        say([f"showing results for {hits.corrected} (--no-forgive searches for {hits.query} as written)"], quiet)
    for hit in hits:
        _show_hit(hit, length, explain)


def _show_hit(hit: "Hit", length: int, explain: bool) -> None:
    colour = sys.stdout.isatty()
    marks = ("\x1b[1;33m", "\x1b[0m") if colour else ("[", "]")
    put(f"{hit.rank}. {hit.id}  {hit.score:.4f}")
    if hit.heading:
        put(f"   {hit.heading}")
    # The marks are ours, and go to the terminal as they are.
    shown = printable(hit.snippet(length).marked("\ue000", "\ue001"), lines=False)
    print("   " + shown.replace("\ue000", marks[0]).replace("\ue001", marks[1]))
    if explain:
        for part in hit.explain().contributions[:10]:
            pair = part.left if part.left == part.right else f"{part.left} ~ {part.right}"
            put(f"     {part.value:+.4f}  {pair}")
