"""``likewise paraphrases``: look pairs up in a mined table, filter, compare and export it."""

import json
import sys
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from likewise.cli.output import Force, check_output, put

if TYPE_CHECKING:
    from likewise.results.paraphrases import Paraphrase, Paraphrases


def paraphrases(
    table: Annotated[Path, typer.Argument(help="Table that `likewise mine` wrote (.parquet).")],
    phrases: Annotated[
        list[str] | None, typer.Argument(help="Phrases to look up; without any, the table is listed.")
    ] = None,
    limit: Annotated[int, typer.Option("--limit", help="Pairs to show, for each phrase.")] = 20,
    by: Annotated[str, typer.Option("--by", help="Order of the list: probability or support.")] = "probability",
    multi_word: Annotated[
        bool, typer.Option("--multi-word", help="Only pairs of two phrases of several words.")
    ] = False,
    no_stop_words: Annotated[bool, typer.Option("--no-stop-words", help="Leave out pairs of stop words only.")] = False,
    no_case: Annotated[bool, typer.Option("--no-case", help="Leave out pairs that differ in case only.")] = False,
    only: Annotated[
        list[str] | None, typer.Option("--class", help="Only pairs of this class; may be repeated.")
    ] = None,
    min_support: Annotated[int | None, typer.Option("--min-support", help="Minimum number of shared contexts.")] = None,
    min_probability: Annotated[
        float | None, typer.Option("--min-probability", help="Minimum probability that the pair is right.")
    ] = None,
    content: Annotated[
        bool,
        typer.Option(
            "--content",
            help="Leave out stop words, pairs that differ in case, marks, spelling or endings, and pairs that a "
            "shorter one covers.",
        ),
    ] = False,
    minus: Annotated[Path | None, typer.Option("--minus", help="Leave out the pairs of this other table.")] = None,
    shares: Annotated[bool, typer.Option("--shares", help="Print the shares of 1-1, 1-n and n-n word pairs.")] = False,
    synonyms: Annotated[
        Path | None, typer.Option("--synonyms", help="Write a synonym file for Solr, Lucene or OpenSearch.")
    ] = None,
    per_phrase: Annotated[
        int, typer.Option("--per-phrase", help="Paraphrases of each phrase in the synonym file.")
    ] = 4,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="Write the pairs to .parquet, .csv, .tsv or .jsonl.")
    ] = None,
    examples: Annotated[bool, typer.Option("--examples", help="Show sample contexts with their documents.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON lines.")] = False,
    force: Force = False,
) -> None:
    """Look up paraphrases of a phrase, or list, filter, compare and export a mined table.

    Examples:

      likewise paraphrases pp.parquet "took effect" --examples

      likewise paraphrases pp.parquet --multi-word --no-stop-words --limit 50

      likewise paraphrases entity.parquet --minus relative.parquet -o only-entity.csv

      likewise paraphrases pp.parquet --min-probability 0.5 --synonyms synonyms.txt
    """
    from likewise.options import check_choice
    from likewise.results.paraphrases import ORDERS, Paraphrases

    check_choice("by", by, ORDERS)
    check_output(output, others=[synonyms], sources=[table, minus], force=force)
    found = Paraphrases.read(table)
    flags = (multi_word, no_stop_words, no_case, content, bool(only))
    if any(flags) or min_support is not None or min_probability is not None:  # of millions of pairs it takes a second
        found = found.filter(
            multi_word=multi_word,
            stop_words=not no_stop_words,
            case=not no_case,
            classes=only or None,
            min_support=min_support,
            min_probability=min_probability,
            content=content,
        )
    if minus is not None:
        found = found.difference(Paraphrases.read(minus))
    if shares:
        put(json.dumps(found.shares()) if as_json else "\n".join(f"{k}\t{v:.3f}" for k, v in found.shares().items()))
        return
    if synonyms is not None:
        put(f"{found.to_synonyms(synonyms, per_phrase):,} lines -> {synonyms}", file=sys.stderr)
    if output is not None:
        found.write(output)
    if (synonyms is not None or output is not None) and not phrases:
        return
    if phrases:
        shown = [pair for phrase in phrases for pair in found.of(phrase, limit, by)]
    else:
        shown = list(islice(found.by_probability() if by == "probability" else found, limit))
    for pair in shown:
        _print(pair, as_json, examples)
    if not shown:
        put(f"likewise: nothing found{_hint(found, phrases or ())}", file=sys.stderr)
        raise typer.Exit(1)


def _print(pair: "Paraphrase", as_json: bool, examples: bool) -> None:
    if as_json:
        row = {name: getattr(pair, name) for name in pair.__slots__}
        put(json.dumps(row, ensure_ascii=False))
        return
    put(f"{pair.phrase}\t{pair.paraphrase}\t{pair.support}\t{pair.probability:.3f}\t{pair.kind}")
    for sample in pair.samples if examples else ():
        attached = f"   [{sample['attached'].replace(chr(9), ' … ')}]" if sample["attached"] else ""
        put(f"    {sample['left']} ___ {sample['right']}{attached}")
        put(f"        {sample['phrase_source']}, {sample['paraphrase_source']}")


def _hint(found: "Paraphrases", phrases: Sequence[str]) -> str:
    """Return what a table has that is like the phrases it does not have."""
    near = [text for phrase in phrases for text in found.near(phrase)]
    if near:
        return f": the table has {', '.join(map(repr, near))}"
    return ": the table has no phrase like it (less --support mines more)" if phrases else ""
