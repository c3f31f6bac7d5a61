"""What commands that give a table share: where it goes, and what is said beside it."""

import json
import sys
from collections.abc import Iterable
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TextIO

import typer

from likewise.cli.flags import as_flags
from likewise.errors import OptionError
from likewise.said import printable

if TYPE_CHECKING:
    import pyarrow as pa

    from likewise.engines.options import EngineOptions
    from likewise.jobs.distributed.rows import Answering
    from likewise.results.parts import Parts
    from likewise.results.stage_report import StageReport

Output = Annotated[
    Path | None,
    typer.Option("-o", "--output", help="Write the table to this .csv, .tsv, .jsonl, .json, .parquet or .xlsx file."),
]
TextLength = Annotated[
    int | None,
    typer.Option(
        "--text-length", min=0, help="Characters of each text in the tables of pairs and clusters (default: all)."
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print the result as one JSON object.")]
Force = Annotated[bool, typer.Option("--force", help="Overwrite existing output; input files are never overwritten.")]
Quiet = Annotated[bool, typer.Option("--quiet", help="Print nothing but errors on stderr.")]
MeasureSpec = Annotated[
    str | None,
    typer.Option(
        "--measure",
        help="Measure, such as 'spectra(q=3, weights=c.idf)' or tfidf, or a .json file that another job saved.",
    ),
]
Labels = Annotated[
    list[Path] | None,
    typer.Option(
        help="Labelled pairs (columns left, right, match): the model learns from them, or the minimum score. May be "
        "repeated; a model that was learnt with labels has them, too."
    ),
]
Review = Annotated[Path | None, typer.Option(help="Write the doubtful pairs to this file, the most doubtful first.")]
Why = Annotated[
    tuple[str, str] | None,
    typer.Option(
        metavar="LEFT RIGHT",
        help="Say why the records of these two ids are given as a pair, or not, and what each field weighs.",
    ),
]
Evidence = Annotated[Path | None, typer.Option(help="Write what each field adds to the log odds of each pair.")]
UseModel = Annotated[Path | None, typer.Option(help="Decide by this model, saved with --save-model.")]
SaveModel = Annotated[Path | None, typer.Option(help="Save the learned model as JSON, for --model.")]
Html = Annotated[Path | None, typer.Option(help="Write a page about the decision, with charts, to this file.")]
SaveMeasure = Annotated[
    Path | None,
    typer.Option("--save-measure", help="Save the fitted measure to this .json file, for --measure of another job."),
]


def check_output(
    *tables: Path | None,
    others: Iterable[Path | None] = (),
    sources: Iterable[str | Path | None] = (),
    force: bool = False,
    folders: bool = False,
    quiet: bool = False,
) -> None:
    """Refuse, before any work is done, names that do not say what to write and places that must not be written to.

    ``tables`` are files whose ending says their format (or, with ``folders``, names without one), ``others`` any other
    output. A folder that will be made is named, unless ``quiet``.
    """
    from likewise.results.tables import format_of
    from likewise.targets import check_target

    for table in filter(None, tables):
        if table.suffix or not folders:
            format_of(table)
    read = [source for source in sources if source is not None]
    for path in filter(None, (*tables, *others)):
        check_target(path, sources=read, force=force)
    made = sorted({str(path.parent) for path in filter(None, (*tables, *others)) if not path.parent.exists()})
    say([f"{folder} does not exist yet: it will be made" for folder in made], quiet)


def working(output: Path | None, running: "EngineOptions") -> AbstractContextManager["EngineOptions"]:
    """Give an engine its work folder, next to the output where none is named, until all is written."""
    if running.engine is None:
        return nullcontext(running)
    from likewise.jobs.distributed.job import beside

    return beside(output, running)


def in_memory_only(**paths: object) -> None:
    """Refuse outputs that no engine makes, instead of leaving them out without a word."""
    given = [f"--{name.replace('_', '-')}" for name, path in paths.items() if path is not None]
    if given:
        raise OptionError(f"{' and '.join(given)} cannot be made on an engine: leave --engine out")


def put(*values: object, sep: str = " ", file: TextIO | None = None) -> None:
    """Print what may come from a file: it shows itself, and does nothing else to a terminal."""
    print(printable(sep.join(map(str, values))), file=file)


def say(lines: Iterable[str], quiet: bool = False) -> None:
    """Print messages on stderr, each on a line."""
    if not quiet:
        for line in lines:
            print(printable(as_flags(line), lines=False), file=sys.stderr)


def measured(measure: Any) -> str:
    """Return what is said of the measure that compared the records."""
    return f"measure {getattr(measure, 'summary', measure)}"


def shortened(rows: Any, length: int | None) -> Any:
    """Return a table, in memory or in parts, with the beginnings of its texts, where somebody asked for no more."""
    from dataclasses import replace

    from likewise.results.parts import Parts
    from likewise.results.tables import short_texts

    if rows is None or length is None:
        return rows
    return replace(rows, length=length) if isinstance(rows, Parts) else short_texts(rows, length)


def save_measure(measure: Any, path: Path | None) -> None:
    """Write the fitted measure to its file, where one is wanted."""
    if path is not None:
        measure.save(path)


def give_decided(
    result: Any, tables: Iterable[tuple["pa.Table | None", Path | None]], html: Path | None, save_model: Path | None
) -> None:
    """Write what goes with a decision about records: its tables, its page and its model, where they are wanted."""
    from likewise.errors import InputError
    from likewise.results.parts import write_whole

    for part, path in tables:
        if path is not None and part is not None:
            write_whole(part, path)
    if html is not None:
        result.to_html(html)
    if save_model is not None:
        if result.model is None:
            raise InputError("there is no model to save: nothing was learnt, or a score decided")
        result.model.save(save_model)


def give_parts(
    parts: "Parts", report: "StageReport", output: Path | None, summary: dict[str, Any], as_json: bool, force: bool
) -> None:
    """Write what an engine found to its file or folder, with the run report beside it; else as CSV, row by row."""
    from likewise.results.tables import write_csv

    if output is not None:
        parts.write(output, force=force)
        report.write(output)
    if as_json:
        put(json.dumps(summary | {"report": report.to_json()}, ensure_ascii=False, default=str))
    elif output is None:
        write_csv(parts, sys.stdout)


def give_answers(
    given: Any,
    id_column: str | None,
    answering: "Answering",
    running: "EngineOptions",
    title: str,
    *,
    output: Path | None,
    as_json: bool = False,
    force: bool = False,
    quiet: bool = False,
) -> None:
    """Answer a batch of records by tasks, on the engine that was asked for or on this machine, and give the rows."""
    from likewise.cli.progress import progress_bar
    from likewise.jobs.distributed.asked import Job
    from likewise.jobs.distributed.rows import answer
    from likewise.read.options import TableOptions

    with working(output, running) as running:
        with progress_bar(title, quiet) as progress:
            found = answer(Job(running, TableOptions(), None, progress), given, answering, id_column, title)
        assert found.report is not None
        say([f"{len(found):,} rows"], quiet)
        give_parts(found, found.report, output, {"rows": len(found)}, as_json, force)


def give_table(table: "pa.Table", output: Path | None, summary: dict[str, Any], as_json: bool) -> None:
    """Write the table to its file; else as JSON, as a table on a terminal, or as CSV into a pipe."""
    from likewise.results.parts import write_whole
    from likewise.results.tables import print_table, write_csv

    if output is not None:
        write_whole(table, output)
        if not as_json:
            return
    if as_json:
        rows = {} if output is not None else {"rows": table.to_pylist()}
        put(json.dumps(summary | rows, ensure_ascii=False, default=str))
    elif sys.stdout.isatty():
        print_table(table, sys.stdout)
    else:
        write_csv(table, sys.stdout)
