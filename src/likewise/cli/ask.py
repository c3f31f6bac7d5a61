"""``likewise ask``: when-questions answered from nuggets."""

import dataclasses
import json
import sys
from pathlib import Path
from typing import Annotated

import typer


def ask(
    index: Annotated[Path, typer.Argument(help="Folder that likewise nuggets wrote.")],
    question: Annotated[str, typer.Argument(help='A question such as "When did Amtrak begin operations?"')],
    expand: Annotated[
        Path | None, typer.Option("--expand", help="Paraphrases (.parquet of likewise mine) to widen words with.")
    ] = None,
    per_phrase: Annotated[int, typer.Option("--per-phrase", help="Paraphrases to try for each word.")] = 4,
    top: Annotated[int, typer.Option("--top", help="Dates to show.")] = 10,
    evidence: Annotated[int, typer.Option("--evidence", help="Nuggets to show for each date.")] = 2,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON lines.")] = False,
) -> None:
    """Answer a question that asks for a date; dates are ranked by the nuggets that speak for them.

    A nugget speaks for its date if it has every word of the question that counts, or, with --expand, a paraphrase of
    it. Exit code 1 if there is none.

    Examples:

      likewise ask nuggets "When was the transistor invented?"

      likewise ask nuggets "What year did Hawaii become a state?" --expand pp.parquet --json
    """
    from likewise.jobs.ask import Nuggets
    from likewise.results.paraphrases import Paraphrases

    paraphrases = None if expand is None else Paraphrases.read(expand)
    answers = Nuggets(index).ask(question, paraphrases, per_phrase, top, evidence)
    for answer in answers:
        if as_json:
            print(json.dumps(dataclasses.asdict(answer), ensure_ascii=False))
            continue
        print(f"{answer.date}\t{answer.count}\t{', '.join(answer.forms[:3])}")
        for nugget in answer.evidence:
            print(f"    {nugget.fragment}  [{nugget.source}]")
    if not answers:
        print("likewise: nothing found", file=sys.stderr)
        raise typer.Exit(1)
