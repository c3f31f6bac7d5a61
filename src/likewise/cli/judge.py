"""``likewise judge``: let people judge links or paraphrases, blind, or doubtful records; see the tables."""

import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from likewise.cli.output import put

app = typer.Typer(
    help="Let people judge links, paraphrases or doubtful pairs of records, blind; see the tables.",
    no_args_is_help=True,
)

StudyPath = Annotated[Path, typer.Argument(help="The study, as made by `judge prepare`.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]


@app.command("prepare")
def prepare(
    lists: Annotated[list[Path], typer.Argument(help="Results of link (one or two), of mine, or --review of match.")],
    output: Annotated[Path, typer.Option("-o", "--output", help="The study to make.")],
    scheme: Annotated[
        str | None,
        typer.Option(help="What is judged: links, paraphrases or records (default: detected by the columns)."),
    ] = None,
    size: Annotated[
        int | None, typer.Option(help="Pairs for each column and stratum; 20 links, 100 paraphrases, 50 records.")
    ] = None,
    seed: Annotated[int, typer.Option(help="Seed of the random order.")] = 0,
    published: Annotated[
        bool, typer.Option("--published", help="Links at the best ranks, around 23 % and 46 %, as in 1990.")
    ] = False,
    name: Annotated[list[str] | None, typer.Option(help="Name of a list, in the order of the files.")] = None,
    left: Annotated[Path | None, typer.Option(help="Left table of the records: shown with names of columns.")] = None,
    right: Annotated[Path | None, typer.Option(help="Right table, if there are two.")] = None,
    id_column: Annotated[str | None, typer.Option("--id", help="Column of ids of the tables, as in match.")] = None,
    left_id: Annotated[str | None, typer.Option(help="Column of ids of the left table.")] = None,
    right_id: Annotated[str | None, typer.Option(help="Column of ids of the right table.")] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Replace a study of this name in which nothing is judged yet.")
    ] = False,
) -> None:
    """Draw the sample: links at random from each third of the list (top, middle and bottom pairs for mine).

    With two lists there are three columns: only in the first, only in the second, in both.

    Doubtful records come in rounds that begin with the most doubtful. With the tables (--left a.csv --right b.csv, and
    --id as in match) they are shown column by column.

    Two lists of links:

      likewise link book/ --preset 21 --faithful -o 21.jsonl

      likewise link book/ --preset 24 --faithful -o 24.jsonl

      likewise judge prepare 24.jsonl 21.jsonl -o study.judge

      likewise judge run study.judge --judge ada

    Labels for a match:

      likewise match a.csv b.csv -o pairs.csv --review doubtful.csv

      likewise judge prepare doubtful.csv --scheme records --left a.csv --right b.csv -o records.judge

      likewise judge run records.judge --judge ada

      likewise judge labels records.judge -o labels.csv

      likewise match a.csv b.csv -o better.csv --labels labels.csv
    """
    from likewise.evaluate.judging import SCHEMES, Ranking, Study, columns, sample
    from likewise.evaluate.judging.sampling import with_columns
    from likewise.options import check_choice
    from likewise.read.tables import read_table

    if scheme is not None:
        check_choice("scheme", scheme, SCHEMES)
    names = [*(name or []), *([None] * len(lists))]
    rankings = [Ranking.read(path, label) for path, label in zip(lists, names, strict=False)]
    scheme = scheme or rankings[0].scheme
    if left is not None:
        lefts = read_table(left, id=left_id or id_column)
        rights = lefts if right is None else read_table(right, id=right_id or id_column)
        rankings = [with_columns(one, lefts, rights) for one in rankings]
    whole = scheme == "links" and not published
    items = sample(rankings, SCHEMES[scheme], size, whole=whole, seed=seed)
    Study.create(output, items, SCHEMES[scheme], seed, columns(rankings, SCHEMES[scheme]), force=force)
    put(f"{len(items)} pairs to judge in {output}", file=sys.stderr)


@app.command("run")
def run(
    study: StudyPath,
    judge: Annotated[str, typer.Option("--judge", help="Your name; each judge goes through all pairs.")],
) -> None:
    """Judge: one pair at a time, one key each; every judgement is kept at once, `q` stops and a later run goes on."""
    import shutil

    from likewise.evaluate.judging import Study
    from likewise.evaluate.judging.terminal import run as ask
    from likewise.evaluate.judging.terminal import terminal_key

    width = min(shutil.get_terminal_size().columns, 100)
    ask(Study(study), judge, read_key=terminal_key, out=sys.stdout, width=width)


@app.command("gold")
def gold(
    study: StudyPath,
    pairs: Annotated[Path, typer.Argument(help="Known links: two ids per line, separated by a tab or a comma.")],
) -> None:
    """Let gold links judge, and print the table."""
    from likewise.errors import FormatError
    from likewise.evaluate.judging import Study, table
    from likewise.evaluate.judging.tables import format_table

    try:
        lines = pairs.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise FormatError(f"cannot read {pairs}: {error}") from error
    found = []
    for number, line in enumerate(lines, start=1):
        ids = line.split("\t" if "\t" in line else ",")
        if not line.strip():
            continue
        if len(ids) < 2:
            raise FormatError(f"{pairs}:{number}: two ids are wanted, separated by a tab or a comma")
        found.append((ids[0].strip(), ids[1].strip()))
    opened = Study(study)
    opened.fill(found)
    put(format_table(table(opened, ["gold"])))


@app.command("labels")
def labels(
    study: StudyPath,
    output: Annotated[Path, typer.Option("-o", "--output", help="Table to write, for --labels of match or dedupe.")],
    judge: Annotated[list[str] | None, typer.Option("--judge", help="Only these judges (default: all).")] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite an existing file.")] = False,
) -> None:
    """Write what was judged of records as labels: left, right, match; what is unsure or disputed is left out."""
    import pyarrow as pa

    from likewise.cli.output import check_output
    from likewise.evaluate.judging import Study
    from likewise.results.tables import write_table

    check_output(output, sources=[study], force=force)
    rows = Study(study).labels(judge)
    names = ("left", "right", "match")
    write_table(pa.table({name: [row[place] for row in rows] for place, name in enumerate(names)}), output)
    put(f"{len(rows)} labels in {output}", file=sys.stderr)


@app.command("table")
def show(
    study: StudyPath,
    judge: Annotated[list[str] | None, typer.Option("--judge", help="Only these judges (default: all).")] = None,
    as_json: Json = False,
) -> None:
    """Print the table in the form of the papers, with 95 % confidence intervals, and the judges' agreement."""
    from likewise.evaluate.judging import Study, table
    from likewise.evaluate.judging.tables import format_table

    figures = table(Study(study), judge)
    put(json.dumps(figures, ensure_ascii=False) if as_json else format_table(figures))


@app.command("overlap")
def shared(
    first: Annotated[Path, typer.Argument(help="A list of links.")],
    second: Annotated[Path, typer.Argument(help="Another list of the same passages.")],
    as_json: Json = False,
) -> None:
    """Print how much of the first list, at its start and after 21 and 42 % of it, is found in the second."""
    from likewise.evaluate.judging import Ranking, overlap

    rows = overlap(Ranking.read(first), Ranking.read(second))
    if as_json:
        put(json.dumps([{"ranks": ranks, "found": found, "of": of} for ranks, found, of in rows]))
        return
    for ranks, found, of in rows:
        put(f"{ranks:20} {found}/{of}" + (f" ({100 * found / of:.0f}%)" if of else ""))


@app.command("tables")
def tables(
    paths: Annotated[list[str], typer.Argument(help="The book: files, folders or globs.")],
    study: Annotated[
        Path | None, typer.Option("--study", help="The pairs to judge for tables 4 to 11; made if it is not there.")
    ] = None,
    size: Annotated[int, typer.Option(help="Pairs to judge for each cell.")] = 20,
    n: Annotated[int | None, typer.Option(help="Pairs kept in a list (default: 2.1 per paragraph).")] = None,
    seed: Annotated[int, typer.Option(help="Seed of the random order.")] = 0,
    judge: Annotated[list[str] | None, typer.Option("--judge", help="Only these judges (default: all).")] = None,
    main_content: Annotated[bool, typer.Option("--main-content", help="Only the main content of HTML pages.")] = False,
    as_json: Json = False,
) -> None:
    """Make tables 1 to 11 of Salton and Buckley (1990) for a book, with the paper's cells in brackets.

    Tables 4 to 11 are filled from the verdicts in --study: run this, then judge, then run it again. Each pair is
    judged once and counts in every table that has it.

    Examples:

      likewise judge tables book/ --study book.judge

      likewise judge run book.judge --judge ada

      likewise judge tables book/ --study book.judge
    """
    from likewise.evaluate.judging.book_tables import BookTables, format_book_tables
    from likewise.jobs.link.options import LinkOptions
    from likewise.read import ReadOptions, documents

    found = documents(
        paths,
        options=ReadOptions(main_content=main_content),
        on_skip=lambda entry: put(f"likewise: skipped {entry}", file=sys.stderr),
    )
    made = BookTables(found, LinkOptions(n=n), size)
    opened = None if study is None else made.study(study, seed)
    figures = made.figures(opened, judge)
    put(json.dumps(figures, ensure_ascii=False) if as_json else format_book_tables(figures))
    if study is not None:
        put(f"{len(made.pairs())} pairs to judge in {study}", file=sys.stderr)
