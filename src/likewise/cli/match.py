"""``likewise match``: a few lines over :func:`likewise.match`."""

from pathlib import Path
from typing import Annotated, Any

import typer

from likewise.cli.flags import flags
from likewise.cli.output import (
    Json,
    Labels,
    MeasureSpec,
    Output,
    Quiet,
    SaveMeasure,
    check_output,
    give_table,
    save_measure,
    say,
)
from likewise.cli.progress import progress_bar
from likewise.read.tables import TableOptions
from likewise.records.options import MatchOptions


@flags(options=MatchOptions, read=TableOptions)
def match(
    left: Annotated[
        Path, typer.Argument(help="Table: CSV, TSV, JSONL, Parquet, or .txt with a text a line; also .gz.")
    ],
    right: Annotated[Path | None, typer.Argument(help="Second table; without it, left is matched with itself.")] = None,
    *,
    options: MatchOptions,
    read: TableOptions,
    measure: MeasureSpec = None,
    labels: Labels = None,
    output: Output = None,
    unmatched: Annotated[Path | None, typer.Option(help="Write the records without a match to this file.")] = None,
    save: SaveMeasure = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Find for each record of LEFT its best partners in RIGHT, exactly.

    The table has the columns left, right (ids), score, rank, left_text, right_text; scores are around 0 to 1.

    Examples:

      likewise match customers.csv vendors.csv --on name --top 3 -o out.csv

      likewise match a.csv b.csv --on name=3 --on city --id key --min-score 0.6 --one-to-one --unmatched rest.csv

      likewise match names.txt --top 10 --explain        (within one table)
    """
    from likewise.jobs.match import match as find

    check_output(output, unmatched)
    with progress_bar("match", quiet) as progress:
        result = find(left, right, measure=measure, labels=labels, options=options, read=read, progress=progress)
    save_measure(result.measure, save)
    say(result.notes, quiet)
    if result.threshold is not None:
        say([result.threshold.to_text()], quiet)
    lefts = len(set(result.table["left"].to_pylist()))
    missing = result.unmatched["side"].to_pylist().count("left")
    say([f"{lefts} left records matched, {missing} not; {len(result)} pairs; measure {result.measure}"], quiet)
    if unmatched is not None:
        from likewise.results.tables import write_table

        write_table(result.unmatched, unmatched)
    summary: dict[str, Any] = {
        "measure": str(result.measure),
        "pairs": len(result),
        "unmatched": result.unmatched.to_pylist(),
    }
    if result.threshold is not None:
        summary["threshold"] = result.threshold.to_json()
    give_table(result.table, output, summary, as_json)
