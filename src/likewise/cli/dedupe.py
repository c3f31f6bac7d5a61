"""``likewise dedupe``: a few lines over :func:`likewise.dedupe`."""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from likewise.cli.flags import flags
from likewise.cli.output import (
    Evidence,
    Force,
    Html,
    Json,
    Labels,
    MeasureSpec,
    Output,
    Quiet,
    Review,
    SaveMeasure,
    SaveModel,
    TextLength,
    UseModel,
    Why,
    check_output,
    give_decided,
    give_parts,
    give_table,
    in_memory_only,
    measured,
    save_measure,
    say,
    shortened,
    working,
)
from likewise.cli.progress import progress_bar
from likewise.engines.options import EngineOptions
from likewise.errors import OptionError
from likewise.read.tables import TableOptions
from likewise.records.options import DedupeOptions
from likewise.said import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from likewise.results.clusters import Change, DedupeResult
    from likewise.results.in_parts import DedupeParts


@flags(options=DedupeOptions, read=TableOptions, running=EngineOptions)
def dedupe(
    table: Annotated[
        Path,
        typer.Argument(
            help="Table: CSV, TSV, JSONL, Parquet, or .txt with one text per line; also .gz. Or documents: a folder, a "
            "WARC file, mail, EPUB, ZIP or tar. A state with --add, --remove."
        ),
    ],
    *,
    options: DedupeOptions,
    read: TableOptions,
    running: EngineOptions,
    measure: MeasureSpec = None,
    labels: Labels = None,
    state: Annotated[
        Path | None, typer.Option(help="Keep records and clusters in this file, for a later --add or --remove.")
    ] = None,
    add: Annotated[
        Path | None, typer.Option(help="Table of records to add to a state; clusters keep their ids.")
    ] = None,
    remove: Annotated[Path | None, typer.Option(help="File with the ids of records to remove from a state.")] = None,
    refit: Annotated[bool, typer.Option("--refit", help="Learn the model of a state anew.")] = False,
    output: Output = None,
    merged: Annotated[
        Path | None, typer.Option(help="Write one merged record per cluster, by --survivor, to this file.")
    ] = None,
    canonical: Annotated[Path | None, typer.Option(help="Write the table without its duplicates to this file.")] = None,
    pairs: Annotated[
        Path | None,
        typer.Option(
            help="Write the pairs that made the clusters to this file; one record stands for all with equal texts."
        ),
    ] = None,
    text_length: TextLength = None,
    review: Review = None,
    evidence: Evidence = None,
    why: Why = None,
    model: UseModel = None,
    save_model: SaveModel = None,
    html: Html = None,
    save: SaveMeasure = None,
    as_json: Json = False,
    force: Force = False,
    quiet: Quiet = False,
) -> None:
    """Find duplicate records in TABLE: clusters, each with a representative record.

    The table has the columns id, cluster, size, canonical, text. The threshold and the histogram of the best scores
    are shown on stderr.

    Examples:

      likewise dedupe customers.csv --on name --on city --id key -o clusters.csv --review doubtful.csv

      likewise dedupe customers.csv --on name --min-score 0.7 --canonical unique.csv

      likewise dedupe customers.csv --on name --labels judged.csv --precision 0.98

      likewise dedupe customers.csv --id key --merged best.csv --survivor phone=newest --newest-by seen

      likewise dedupe customers.csv --id key --state customers.state

      likewise dedupe customers.state --add new.csv

      likewise dedupe crawl.warc.gz --min-score 0.8 -o clusters.csv --text-length 80 --canonical unique.parquet

      likewise dedupe customers.parquet --on name --min-score 0.8 --engine spark --master spark://host:7077 -o clusters
    """
    from likewise.jobs.dedupe import dedupe as find
    from likewise.results.in_parts import DedupeParts

    if why is not None and isinstance(options.min_score, int | float):
        raise OptionError("--why is about a decision: leave --min-score out")
    tables, engine = [output, canonical, merged, pairs, review, evidence], running.engine is not None
    if engine and isinstance(options.min_score, int | float):
        in_memory_only(evidence=evidence, why=why, html=html, save_model=save_model)
    sources = [table, *(labels or ()), model, add, remove]
    check_output(
        *tables, others=[save, state, html, save_model], sources=sources, force=force, quiet=quiet, folders=engine
    )
    with working(output or canonical, running) as running:
        with progress_bar("dedupe", quiet) as progress:
            result = find(
                table,
                measure=measure,
                labels=labels,
                model=model,
                state=state,
                add=add,
                remove=remove,
                refit=refit,
                options=options,
                read=read,
                running=running,
                progress=progress,
            )
        save_measure(result.measure, save)
        others = {"canonical": canonical, "pairs": pairs, "review": review}
        if isinstance(result, DedupeParts):
            if merged is not None:
                result.merged_parts.write(merged, force=force)
            if result.decision is not None:
                others["evidence"] = evidence
            say([] if why is None else result.waterfall(*why).to_text().splitlines(), quiet)
            give_decided(result, (), html, save_model)
            _give_on_engine(result, output, others, text_length, as_json, force, quiet)
        else:
            _tell(result, quiet)
            explained = None if why is None else result.waterfall(*why)
            say([] if explained is None else explained.to_text().splitlines(), quiet)
            wanted = {"merged": merged, **others, "evidence": evidence}
            asked = [(_shown(name, getattr(result, name), text_length), path) for name, path in wanted.items() if path]
            give_decided(result, asked, html, save_model)
            told = _told(result) if as_json else {}
            told |= {} if explained is None else {"why": explained.to_json()}
            give_table(shortened(result.table, text_length), output, told, as_json)


def _tell(result: "DedupeResult", quiet: bool) -> None:
    """Say what was found in memory."""
    said = result.threshold if result.decision is None else result.decision
    say([*result.notes, *said.to_text().splitlines()], quiet)
    say([_summary(result.table.num_rows, len(result), result.tables.rows("review"), result.measure)], quiet)
    say(_changes(result.changes), quiet)


def _told(result: "DedupeResult") -> dict[str, Any]:
    """Return the same for programs."""
    return {
        "measure": str(result.measure),
        "records": result.table.num_rows,
        "clusters": len(result),
        "threshold": result.threshold.to_json(),
        "review": result.review.to_pylist(),
        "decision": None if result.decision is None else result.decision.to_json(),
        "changes": [asdict(one) for one in result.changes],
    }


def _summary(records: int, clusters: int, doubtful: int, measure: object) -> str:
    return (
        f"{counted(records, 'record')}, {counted(clusters, 'cluster')}, {counted(doubtful, 'doubtful pair')}; "
        f"{measured(measure)}"
    )


def _shown(name: str, rows: Any, length: int | None) -> Any:
    """Return a table as it is written: pairs with so much of their texts, records as they are."""
    return shortened(rows, length) if name in ("pairs", "review") else rows


def _give_on_engine(
    result: "DedupeParts",
    output: Path | None,
    others: dict[str, Path | None],
    length: int | None,
    as_json: bool,
    force: bool,
    quiet: bool,
) -> None:
    """Write what an engine found, a batch at a time."""
    said = result.threshold if result.decision is None else result.decision
    say([*result.notes, *said.to_text().splitlines()], quiet)
    records, doubtful = len(result.parts["table"]), len(result.parts["review"])
    say([_summary(records, len(result), doubtful, result.measure)], quiet)
    for name, path in others.items():
        if path is not None:
            _shown(name, result.parts[name], length).write(path, force=force)
    summary: dict[str, Any] = {"measure": str(result.measure), "records": records, "clusters": len(result)}
    summary["threshold"] = result.threshold.to_json()
    if result.decision is not None:
        summary["decision"] = result.decision.to_json()
    give_parts(shortened(result.parts["table"], length), result.report, output, summary, as_json, force)


def _changes(changes: "Sequence[Change]") -> list[str]:
    """Return what became of clusters when records came or went; those that are new or gone are only counted."""
    counts = {kind: sum(one.kind == kind for one in changes) for kind in ("new", "gone")}
    lines = [
        f"{counted(count, f'cluster is {kind}', f'clusters are {kind}')}" for kind, count in counts.items() if count
    ]
    moved = [one for one in changes if one.kind not in counts]
    return lines + [f"{one.kind}: cluster {_ids(one.before)} -> {_ids(one.after)}" for one in moved]


def _ids(clusters: tuple[int, ...]) -> str:
    return ", ".join(map(str, clusters)) or "none"
