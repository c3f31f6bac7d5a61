"""``likewise match``: a few lines over :func:`likewise.match`."""

from dataclasses import dataclass
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
from likewise.options import check_choice
from likewise.read.tables import TableOptions
from likewise.records.options import MatchOptions
from likewise.results.joined import ALL, HOWS
from likewise.said import counted

if TYPE_CHECKING:  # results are slow to import
    from likewise.results.in_parts import MatchParts
    from likewise.results.matches import MatchResult


@flags(options=MatchOptions, read=TableOptions, running=EngineOptions)
def match(
    left: Annotated[
        Path, typer.Argument(help="Table: CSV, TSV, JSONL, Parquet, or .txt with one text per line; also .gz.")
    ],
    right: Annotated[Path | None, typer.Argument(help="Second table; without it, left is matched with itself.")] = None,
    *,
    options: MatchOptions,
    read: TableOptions,
    running: EngineOptions,
    measure: MeasureSpec = None,
    labels: Labels = None,
    output: Output = None,
    unmatched: Annotated[Path | None, typer.Option(help="Write the records without a match to this file.")] = None,
    review: Review = None,
    evidence: Evidence = None,
    why: Why = None,
    model: UseModel = None,
    save_model: SaveModel = None,
    html: Html = None,
    columns: Annotated[
        str | None,
        typer.Option(
            help="Write both records of a pair side by side, with these columns of the right table: name,city; or all."
        ),
    ] = None,
    how: Annotated[
        str | None,
        typer.Option(
            help="With --columns: left (every left record; the default), inner (with a partner), anti (without)."
        ),
    ] = None,
    text_length: TextLength = None,
    save: SaveMeasure = None,
    as_json: Json = False,
    force: Force = False,
    quiet: Quiet = False,
) -> None:
    """Find matching records in LEFT and RIGHT.

    A model that needs no labels decides which pairs match. --all, --top or --min-score give the raw list of best
    partners instead. The table has the columns left, right (ids), score, rank, left_text, right_text and, after a
    decision, probability.

    Examples:

      likewise match customers.csv vendors.csv --on name --top 3 -o out.csv

      likewise match a.csv b.csv --on name=3 --on city --id key --min-score 0.6 --one-to-one --unmatched rest.csv

      likewise match orders.csv customers.csv --on name --columns id,city --how inner -o joined.csv

      likewise match a.csv b.csv --id key -o out.csv --why A17 B903      (why these two, or why not)

      likewise match names.txt --top 10 --explain        (within one table)

      likewise match a.parquet b.parquet --on name --top 3 --engine spark --master spark://host:7077 -o pairs
    """
    from likewise.jobs.match import match as find
    from likewise.results.in_parts import MatchParts

    if how is not None and columns is None:
        raise OptionError("--how says how tables are put side by side: name the columns, too (--columns all)")
    if why is not None and not options.decides:
        raise OptionError("--why is about a decision: leave --all, --top, --min-score and the like out")
    check_choice("how", how or "left", HOWS)
    read_too, engine = [left, right, *(labels or ()), model], running.engine is not None
    if engine and not options.decides:
        in_memory_only(review=review, evidence=evidence, why=why, html=html, save_model=save_model)
    check_output(
        output,
        unmatched,
        review,
        evidence,
        others=[save, html, save_model],
        sources=read_too,
        force=force,
        quiet=quiet,
        folders=engine,
    )
    wanted = None if columns is None else [name.strip() for name in columns.split(",")]
    wanted = list(ALL) if wanted == ["all"] else wanted
    asked = _Asked(
        output, unmatched, review, evidence, why, html, save_model, wanted, how or "left", text_length, as_json
    )
    with working(output, running) as running:
        with progress_bar("match", quiet) as progress:
            result = find(
                left,
                right,
                measure=measure,
                labels=labels,
                model=model,
                columns=wanted,
                options=options,
                read=read,
                running=running,
                progress=progress,
            )
        save_measure(result.measure, save)
        say(result.notes, quiet)
        if isinstance(result, MatchParts):
            _give_on_engine(result, asked, force, quiet)
        else:
            # A list of best partners says nothing of who matches.
            matched = result.decision is not None or result.threshold is not None or options.min_score is not None
            _give(result, asked, ("matched", "not") if matched else ("with partners", "without"), quiet)


@dataclass(frozen=True, slots=True)
class _Asked:
    """What is to be written, and how."""

    output: Path | None
    unmatched: Path | None
    review: Path | None
    evidence: Path | None
    why: tuple[str, str] | None
    html: Path | None
    save_model: Path | None
    columns: list[str] | None
    how: Any
    text_length: int | None
    as_json: bool


def _give(result: "MatchResult", asked: _Asked, words: tuple[str, str], quiet: bool) -> None:
    """Say what was found in memory, and write it."""
    if result.threshold is not None:
        say(result.threshold.to_text().splitlines(), quiet)
    if result.decision is not None:
        say([*result.decision.to_text().splitlines(), "--all gives the raw list of best partners"], quiet)
    lefts = len(set(result.table["left"].to_pylist()))
    missing = result.unmatched["side"].to_pylist().count("left")
    pairs = f"{counted(lefts, 'left record')} {words[0]}, {missing:,} {words[1]}; {counted(len(result), 'pair')}"
    say([f"{pairs}; {measured(result.measure)}"], quiet)
    explained = None if asked.why is None else result.waterfall(*asked.why)
    say([] if explained is None else explained.to_text().splitlines(), quiet)
    tables = ((result.unmatched, asked.unmatched), (result.review, asked.review), (result.evidence, asked.evidence))
    written = [(shortened(table, asked.text_length), path) for table, path in tables]
    give_decided(result, written, asked.html, asked.save_model)
    summary: dict[str, Any] = {
        "measure": str(result.measure),
        "pairs": len(result),
        "unmatched": result.unmatched.to_pylist(),
    }
    if result.threshold is not None:
        summary["threshold"] = result.threshold.to_json()
    if result.decision is not None and result.review is not None:
        summary["decision"] = result.decision.to_json()
        summary["review"] = result.review.to_pylist()
    if explained is not None:
        summary["why"] = explained.to_json()
    table = shortened(result.table, asked.text_length)
    if asked.columns is not None:
        table = result.join(asked.how).table
    give_table(table, asked.output, summary, asked.as_json)


def _give_on_engine(result: "MatchParts", asked: _Asked, force: bool, quiet: bool) -> None:
    """Say what an engine found, and write it a batch at a time."""
    if asked.why is not None:
        say(result.waterfall(*asked.why).to_text().splitlines(), quiet)
    say([f"{counted(len(result), 'pair')}; {measured(result.measure)}"], quiet)
    if result.decision is not None:
        say(result.decision.to_text().splitlines(), quiet)
    alone = None if asked.unmatched is None else result.unmatched_parts
    tables = ((alone, asked.unmatched), (result.review_parts, asked.review), (result.evidence_parts, asked.evidence))
    for part, path in tables:
        if part is not None and path is not None:
            shortened(part, asked.text_length).write(path, force=force)
    give_decided(result, (), asked.html, asked.save_model)
    summary: dict[str, Any] = {"measure": str(result.measure), "pairs": len(result)}
    if result.decision is not None:
        summary["decision"] = result.decision.to_json()
    parts = shortened(result.parts, asked.text_length)
    if asked.columns is not None:
        parts = result.join(asked.how).parts
    give_parts(parts, result.report, asked.output, summary, asked.as_json, force)
