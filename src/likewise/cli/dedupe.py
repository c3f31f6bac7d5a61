"""``likewise dedupe``: a few lines over :func:`likewise.dedupe`."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from likewise.cli.flags import flags
from likewise.cli.output import (
    Force,
    Json,
    Labels,
    MeasureSpec,
    Output,
    Quiet,
    SaveMeasure,
    check_output,
    give_parts,
    give_table,
    save_measure,
    say,
)
from likewise.cli.progress import progress_bar
from likewise.engines.options import EngineOptions
from likewise.read.tables import TableOptions
from likewise.records.options import DedupeOptions

if TYPE_CHECKING:
    from likewise.results.parts import DedupeParts


@flags(options=DedupeOptions, read=TableOptions, running=EngineOptions)
def dedupe(
    table: Annotated[
        Path, typer.Argument(help="Table: CSV, TSV, JSONL, Parquet, or .txt with a text a line; also .gz.")
    ],
    *,
    options: DedupeOptions,
    read: TableOptions,
    running: EngineOptions,
    measure: MeasureSpec = None,
    labels: Labels = None,
    output: Output = None,
    canonical: Annotated[Path | None, typer.Option(help="Write the table without its duplicates to this file.")] = None,
    pairs: Annotated[Path | None, typer.Option(help="Write the pairs that made the clusters to this file.")] = None,
    review: Annotated[Path | None, typer.Option(help="Write the doubtful pairs to this file.")] = None,
    evidence: Annotated[Path | None, typer.Option(help="Write what each field says about each pair.")] = None,
    save: SaveMeasure = None,
    as_json: Json = False,
    force: Force = False,
    quiet: Quiet = False,
) -> None:
    """Find the records of TABLE that are the same: clusters, and a record that stands for each.

    The table has the columns id, cluster, size, canonical, text. The threshold and the histogram of the best scores
    are shown on stderr.

    Examples:

      likewise dedupe customers.csv --on name --on city --id key -o clusters.csv --review doubtful.csv

      likewise dedupe customers.csv --on name --min-score 0.7 --canonical unique.csv

      likewise dedupe customers.csv --on name --labels judged.csv --precision 0.98

      likewise dedupe customers.parquet --on name --min-score 0.8 --engine spark --master spark://host:7077 -o clusters
    """
    from likewise.jobs.dedupe import dedupe as find
    from likewise.results.tables import write_table

    tables, engine = [output, canonical, pairs, review, evidence], running.engine is not None
    check_output(*tables, others=[save], sources=[table, labels], force=force, folders=engine)
    with progress_bar("dedupe", quiet) as progress:
        result = find(
            table, measure=measure, labels=labels, options=options, read=read, running=running, progress=progress
        )
    save_measure(result.measure, save)
    if engine:
        from likewise.results.parts import DedupeParts

        assert isinstance(result, DedupeParts)
        _give_on_engine(
            result, output, {"canonical": canonical, "pairs": pairs, "review": review}, as_json, force, quiet
        )
        return
    said = result.threshold if result.decision is None else result.decision
    say([*result.notes, said.to_text()], quiet)
    records, doubtful = result.table.num_rows, result.review.num_rows
    say([f"{records} records, {len(result)} clusters, {doubtful} doubtful pairs; measure {result.measure}"], quiet)
    written = ((result.canonical, canonical), (result.pairs, pairs), (result.review, review))
    for part, path in (*written, (result.evidence, evidence)):
        if path is not None and part is not None:
            write_table(part, path)
    summary = {
        "measure": str(result.measure),
        "records": records,
        "clusters": len(result),
        "threshold": result.threshold.to_json(),
        "review": result.review.to_pylist(),
        "decision": None if result.decision is None else result.decision.to_json(),
    }
    give_table(result.table, output, summary, as_json)


def _give_on_engine(
    result: "DedupeParts", output: Path | None, others: dict[str, Path | None], as_json: bool, force: bool, quiet: bool
) -> None:
    """Write what an engine found, a batch at a time."""
    say([*result.notes, result.threshold.to_text()], quiet)
    records, doubtful = len(result.parts["table"]), len(result.parts["review"])
    say([f"{records} records, {len(result)} clusters, {doubtful} doubtful pairs; measure {result.measure}"], quiet)
    for name, path in others.items():
        if path is not None:
            result.parts[name].write(path, force=force)
    summary = {"measure": str(result.measure), "records": records, "clusters": len(result)}
    give_parts(result, output, {**summary, "threshold": result.threshold.to_json()}, as_json, force)
