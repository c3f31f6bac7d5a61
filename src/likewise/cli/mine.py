"""``likewise mine``: paraphrases from documents."""

import json
import sys
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from likewise.cli.flags import flags
from likewise.cli.output import Force, Quiet, check_output, put, say
from likewise.cli.progress import progress_bar
from likewise.jobs.mine.options import MineOptions, RunOptions
from likewise.read.options import ReadOptions

if TYPE_CHECKING:
    from likewise.results.paraphrases import Paraphrases
    from likewise.results.run_report import Report

# The least that look-ups and searches take for a paraphrase.
_LIKELY = 0.5


@flags(options=MineOptions, running=RunOptions, reading=ReadOptions)
def mine(
    paths: Annotated[list[str], typer.Argument(help="Files, folders or globs; @list.txt names a file with paths.")],
    output: Annotated[
        Path, typer.Option("-o", "--output", help="Write the pairs here: .parquet (in full), .csv, .jsonl.")
    ],
    options: MineOptions,
    running: RunOptions,
    reading: ReadOptions,
    synonyms: Annotated[
        Path | None, typer.Option("--synonyms", help="Also write a synonym file for Solr, Lucene or OpenSearch.")
    ] = None,
    curve: Annotated[
        Path | None,
        typer.Option("--curve", help="Also draw pairs against input size to this .svg, .png or .pdf."),
    ] = None,
    limit: Annotated[int, typer.Option("--limit", help="Pairs to show at the end, best first.")] = 10,
    as_json: Annotated[bool, typer.Option("--json", help="Print the run report as JSON.")] = False,
    force: Force = False,
    quiet: Quiet = False,
) -> None:
    """Mine paraphrases from English text: Web pages, books, articles.

    Two phrases are paraphrases if they occur in the same contexts: the same tokens left and right (--context), and,
    with --anchors entity or relative, the same names or the same relative clause. A pair needs --support different
    contexts. Every pair gets the probability that a judge would call it right; siblings and opposites get a low one.

    The defaults suit tens to hundreds of megabytes. Billions of sentences allow --context 3, which is stricter. A run
    that was killed continues when the same command is given again. Exit code 1 if there is no pair (the table is
    written, empty, and the report says where the text went), 2 if there is nothing to read.

    Examples:

      likewise mine crawl/*.warc.gz -o pp.parquet

      likewise mine wiki/ -o pp.parquet --anchors entity --context 1 --support 3 --synonyms synonyms.txt

      likewise mine hdfs-mount/pages -o pp.parquet --engine spark --master spark://host:7077
    """
    from likewise.jobs.mine.run import run

    check_output(output, others=[synonyms], sources=paths, force=force, quiet=quiet)
    with progress_bar("mine", quiet or as_json) as progress:
        found = run(paths, output, options, running, reading, progress=progress)
    if found is None:
        place = running.work or f"{output}.work"
        say([f"stopped after {running.stop_after}; the tables and the run report are in {place}"], quiet)
        return
    report = found.report
    if curve is not None:
        _draw(curve, paths, found, options, running, reading, quiet)
    if synonyms is not None:
        found.to_synonyms(synonyms)
    if as_json and report is not None:
        put(json.dumps({"pairs": len(found), "counts": report.counts, "skipped": report.skipped}, ensure_ascii=False))
    elif report is not None:
        counts = report.counts["sentences"]
        dropped = sum(report.skipped.values())
        say(
            [
                f"{counts.get('documents', 0):,} documents ({dropped:,} skipped), "
                f"{counts.get('sentences', 0):,} sentences, {counts.get('kept', 0):,} of them kept, "
                f"{report.counts['rows'].get('ngrams', 0):,} n-grams",
                f"{len(found):,} pairs -> {output} (report: {output}.report.html)",
            ],
            quiet,
        )
    if report is not None:
        say(_foreign(report, paths), quiet)
    if report is not None and not len(found):
        put(f"likewise: {_why_none(report)}", file=sys.stderr)
        raise typer.Exit(1)
    if as_json:
        return
    best = list(islice(found.filter(stop_words=False, content=True).by_probability(), limit))
    if best and best[0].probability < _LIKELY:
        say([f"no pair of content words is more probable than {best[0].probability:.2f}: few will be right"], quiet)
    for pair in best:
        put(f"{pair.phrase}\t{pair.paraphrase}\t{pair.support}\t{pair.probability:.3f}\t{pair.kind}", file=sys.stdout)


def _draw(
    curve: Path,
    paths: list[str],
    found: "Paraphrases",
    options: MineOptions,
    running: RunOptions,
    reading: ReadOptions,
    quiet: bool,
) -> None:
    """Draw pairs against input size, and print the points."""
    from likewise.evaluate.mining_curve import pairs_by_size
    from likewise.report.charts import save_growth

    with progress_bar("curve", quiet) as progress:
        points = pairs_by_size(paths, found, options, running, reading, progress)
    save_growth(curve, options.anchors, points)
    say([f"{characters:,} characters: {pairs:,} pairs" for characters, pairs in points], quiet)


def _foreign(report: "Report", paths: list[str]) -> list[str]:
    """Say that most documents are in another language, and how those are mined."""
    from likewise.languages import detect
    from likewise.read import documents

    counts = report.counts["sentences"]
    left_out = counts.get("not English", 0)
    if 2 * left_out <= counts.get("documents", 0):
        return []
    found = detect(document.text for document in islice(documents(paths), 20))
    language = "in another language than English" if found is None else found.name.capitalize()
    return [
        f"{left_out:,} of {counts['documents']:,} documents do not look English and are left out; "
        f"the text looks {language}: --tagger frequency mines any language"
    ]


def _why_none(report: "Report") -> str:
    """Say where the text went that gave no pair."""
    counts = report.counts["sentences"]
    if not counts.get("documents"):
        why = f": {report.messages[0]}" if report.messages else "; the report says why"
        return f"no pair: no document could be read{why}"
    if counts.get("not English", 0) == counts["documents"]:
        return "no pair: no document looks English; --tagger frequency mines any language"
    if not counts.get("kept"):
        return "no pair: no sentence passed the checks (length, verb, lower case, numbers); the report counts them"
    return f"no pair: no two phrases share {report.options['support']} contexts; take more text, or a smaller --support"
