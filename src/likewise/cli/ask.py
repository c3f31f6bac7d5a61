"""``likewise ask``: when-questions answered from nuggets."""

import dataclasses
import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from likewise.cli.flags import flags
from likewise.cli.output import Force, Output, check_output, give_answers, put
from likewise.engines.options import EngineOptions
from likewise.errors import OptionError
from likewise.jobs.questions.options import AskOptions


@flags(options=AskOptions, running=EngineOptions)
def ask(
    index: Annotated[Path, typer.Argument(help="Folder that `likewise nuggets` wrote.")],
    question: Annotated[
        str | None, typer.Argument(help='A question such as "When did Amtrak begin operations?"')
    ] = None,
    *,
    options: AskOptions,
    running: EngineOptions,
    questions: Annotated[
        Path | None, typer.Option(help="Answer all questions of a table (column question) or .txt file, as a table.")
    ] = None,
    output: Output = None,
    expand: Annotated[
        Path | None, typer.Option("--expand", help="Paraphrases (.parquet of `likewise mine`) to widen words with.")
    ] = None,
    show_query: Annotated[
        bool, typer.Option("--show-query", help="Print the words that count, with their paraphrases, and stop.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON lines.")] = False,
    force: Force = False,
) -> None:
    """Answer a question that asks for a date, with the probability of each answer and its evidence.

    A nugget supports its date by the words that it shares with the question. Rare words and names count more; a
    paraphrase (with --expand), a word for the same kind of event, or the title of its document counts nearly as much
    as the word itself. Exit code 1 if no nugget shares enough, 2 if the question asks for no date.

    Examples:

      likewise ask nuggets "When was the transistor invented?"

      likewise ask nuggets "What year did Hawaii become a state?" --expand pp.parquet --by support --show-query

      likewise ask nuggets --questions questions.txt -o answers.csv
    """
    from likewise.jobs.distributed.rows import Asking
    from likewise.jobs.questions.ask import Nuggets
    from likewise.jobs.questions.asked import check_question, question_groups
    from likewise.results.paraphrases import Paraphrases

    if (question is None) == (questions is None):
        raise OptionError("give a question, or --questions FILE")
    if questions is not None:
        check_output(output, sources=[index, questions], force=force, folders=running.engine is not None)
        column = "text" if questions.name.endswith((".txt", ".txt.gz")) else "question"
        wanted = Asking(str(index.absolute()), column, options, None if expand is None else str(expand.absolute()))
        give_answers(questions, None, wanted, running, "ask", output=output, as_json=as_json, force=force)
        return
    if output is not None or running.engine is not None:
        raise OptionError("--output and --engine are for --questions FILE")
    assert question is not None
    paraphrases = None if expand is None else Paraphrases.read(expand)
    if show_query:
        check_question(question)
        put(" ".join(str(group) for group in question_groups(question, paraphrases, options)))
        return
    answers = Nuggets(index).ask(question, paraphrases, options)
    for answer in answers:
        if as_json:
            put(json.dumps(dataclasses.asdict(answer), ensure_ascii=False))
            continue
        put(f"{answer.date}\t{answer.sure:.0%}\t{answer.count}\t{', '.join(answer.forms[:3])}")
        for nugget in answer.evidence:
            put(f"    {nugget.fragment}  [{nugget.source}]")
    if not answers:
        put("likewise: nothing found", file=sys.stderr)
        raise typer.Exit(1)
