"""``likewise evaluate``: a result file against a gold file."""

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from likewise.cli.output import Force, check_output, put

if TYPE_CHECKING:
    from likewise.evaluate.results import Report

app = typer.Typer(
    help="Compare a result with the truth: precision, recall, F1, IAP, MAP, nDCG ... with confidence intervals.",
    no_args_is_help=True,
)

Result = Annotated[Path, typer.Argument(help="What a job wrote (CSV, TSV, JSONL, Parquet; a TREC run for ir).")]
Gold = Annotated[Path, typer.Argument(help="The truth; see the command's description.")]
Json = Annotated[bool, typer.Option("--json", help="Print the figures as JSON.")]
Plot = Annotated[Path | None, typer.Option(help="Draw the precision-recall curve to this .svg, .png or .pdf file.")]
Entity = Annotated[str | None, typer.Option(help="Column of the gold table that names each record's entity.")]
Id = Annotated[str | None, typer.Option(help="Column of the gold table with the record ids (default: positions).")]
Pattern = Annotated[str | None, typer.Option(help="Regular expression that takes the entity out of that column.")]
Symmetric = Annotated[bool, typer.Option(help="Treat (a, b) and (b, a) as the same pair, as in a self-join.")]


@app.command("er")
def er(
    result: Result,
    gold: Gold,
    entity: Entity = None,
    id: Id = None,  # noqa: A002 - the word users see
    pattern: Pattern = None,
    symmetric: Symmetric = False,
    as_json: Json = False,
    plot: Plot = None,
) -> None:
    """Matches or clusters of records.

    RESULT has the columns left, right, score (likewise match) or cluster (likewise dedupe); pairs that were decided are
    ranked by their probability. GOLD is a SecondString file, a table of id pairs (left, right), or with --entity a
    table that names each record's entity.

    Example: likewise evaluate er matches.csv gold.csv --plot curve.svg
    """
    from likewise.evaluate import results

    _show(results.er(result, gold, entity=entity, id=id, pattern=pattern, symmetric=symmetric), as_json, plot)


@app.command("ir")
def ir(
    result: Result,
    gold: Gold,
    against: Annotated[Path | None, typer.Option(help="A second run, compared query by query.")] = None,
    as_json: Json = False,
    plot: Plot = None,
) -> None:
    """A search run (TREC format) against relevance judgements (qrels).

    Example: likewise evaluate ir spectra.run gold.qrels --against bm25.run
    """
    from likewise.evaluate import results

    _show(results.ir(result, gold, against=against), as_json, plot)


@app.command("links")
def links(result: Result, gold: Gold, as_json: Json = False, plot: Plot = None) -> None:
    """Links between passages against gold links; a link has no direction.

    RESULT has the columns left, right and score or rank; GOLD is a table of id pairs.
    """
    from likewise.evaluate import results

    _show(results.links(result, gold), as_json, plot)


@app.command("pairs")
def pairs(result: Result, gold: Gold, as_json: Json = False, plot: Plot = None) -> None:
    """Yes/no predictions (`likewise recognise predict`) against labelled pairs (MSR, RTE XML, TSV, JSONL).

    RESULT has the columns id, label and, for the curve, score.
    """
    from likewise.evaluate import results

    _show(results.pairs(result, gold), as_json, plot)


@app.command("unpack")
def unpack(
    data: Annotated[Path, typer.Argument(help="Folder with the original files, as for 'likewise reproduce'.")],
    name: Annotated[str, typer.Argument(help="Data set: adi, cran, npl ...; restaurant, birds-scott1 ...")],
    output: Annotated[Path, typer.Option("--output", "-o", help="Folder for the plain files.")],
    force: Force = False,
) -> None:
    """Write a classic data set as plain files that the other commands read.

    Retrieval collections become documents.jsonl, queries.tsv and qrels.txt, name-matching sets left.csv, right.csv and
    gold.csv.

    Examples:

      likewise evaluate unpack data cran -o cran

      likewise index cran/documents.jsonl --on text --id id -o cran/idx

      likewise search cran/idx --queries cran/queries.tsv --plain --top 1000 --run cran/run

      likewise evaluate ir cran/run cran/qrels.txt
    """
    from likewise.evaluate.gold import unpack
    from likewise.targets import mark

    check_output(others=[output], sources=[data], force=force)
    task, gold = unpack.find(data, name)
    for note in gold.notes:
        put(f"note: {note}", file=sys.stderr)
    for path in unpack.unpack(gold, task, output):
        put(path)
    mark(output)


@app.command("questions")
def questions(
    nuggets: Annotated[Path, typer.Argument(help="Folder that `likewise nuggets` wrote.")],
    asked: Annotated[
        Path, typer.Argument(help="TREC questions (*-q.tsv and *-p.tsv in the same folder), or a folder of them.")
    ],
    pairs: Annotated[
        list[Path] | None, typer.Option("--expand", help="Paraphrases to widen with (.parquet); may be repeated.")
    ] = None,
    by: Annotated[str, typer.Option("--by", help="Which paraphrases first: probability or support.")] = "probability",
    any_words: Annotated[
        bool,
        typer.Option("--any-words", help="Also questions that ask for a date in other words than When or What year."),
    ] = False,
    kinds: Annotated[
        bool,
        typer.Option(
            help="Let words for one kind of event stand for one another; without it, pairs of them do, as in the paper."
        ),
    ] = True,
    as_json: Json = False,
) -> None:
    """When-questions with answer patterns: the sum of reciprocal ranks, and how many of them paraphrases help or hurt.

    Beside them are the figures of Paşca and Dienes (2005, table 4), who had eight million nuggets from the Web. As in
    the paper, questions begin with When or What year; others are counted, and named on stderr if they ask for a date.

    Example: likewise evaluate questions nuggets qa --expand ngram.parquet --expand entity.parquet
    """
    import dataclasses

    from likewise.evaluate.questions import PUBLISHED, evaluate_questions, read_questions
    from likewise.jobs.questions.ask import Nuggets
    from likewise.results.paraphrases import Paraphrases

    read = read_questions(asked, any_words=any_words)
    found = read.asked
    lists = {path.stem: Paraphrases.read(path) for path in pairs or []}
    rows = evaluate_questions(Nuggets(nuggets), found, lists, by, kinds=kinds)
    if as_json:
        shown = {"questions": len(found), "left_out": read.left_out, "rows": [dataclasses.asdict(row) for row in rows]}
        put(json.dumps(shown, indent=1))
        return
    if read.no_date:
        put(f"note: left out: {read.no_date} questions that ask for no date", file=sys.stderr)
    for why, ones in (
        ("asks for a date in other words (--any-words takes it)", read.other_words),
        ("has no answer pattern", read.no_pattern),
    ):
        for one in ones:
            put(f"note: left out: {one.number} {one.text} ({why})", file=sys.stderr)
    put(f"{len(found)} questions")
    put("pairs\tdisjuncts\tQH\tQL\tscore\tright first\tpublished, entity\tpublished, relative")
    for row in rows:
        theirs = (" / ".join(f"{figure:g}" for figure in column) for column in PUBLISHED[row.disjuncts])
        put(row.pairs, row.disjuncts, row.helped, row.hurt, f"{row.score:.2f}", row.first, *theirs, sep="\t")


def _show(report: "Report", as_json: bool, plot: Path | None) -> None:
    for note in report.notes:
        put(f"note: {note}", file=sys.stderr)
    if plot is not None:
        _draw(report, plot)
    if as_json:
        put(json.dumps(report.figures, indent=1))
        return
    for name, value in _flat(report.figures):
        put(f"{name:28} {_shown(value)}")


def _draw(report: "Report", plot: Path) -> None:
    from likewise.errors import InputError
    from likewise.report.charts import Frame, save_lines

    if report.ranking is None:
        raise InputError("there is no curve to draw: the result has no scores")
    points = list(zip(report.ranking.recall.tolist(), report.ranking.precision.tolist(), strict=True))
    eleven = [(level / 10, value) for level, value in enumerate(report.ranking.interpolated().tolist())]
    frame = Frame((0.0, 1.0), (0.0, 1.0), "recall", "precision")
    save_lines(plot, {"precision": points, "interpolated": eleven}, frame, "Precision and recall")
    put(f"curve written to {plot}", file=sys.stderr)


def _flat(figures: Mapping[str, Any], prefix: str = "") -> list[tuple[str, Any]]:
    rows: list[tuple[str, Any]] = []
    for name, value in figures.items():
        if isinstance(value, Mapping):
            rows += _flat(value, f"{prefix}{name}.")
        else:
            rows.append((f"{prefix}{name}", value))
    return rows


def _shown(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.4f}"
    if isinstance(value, list):
        return " to ".join(_shown(one) for one in value)
    return "none" if value is None else str(value)
