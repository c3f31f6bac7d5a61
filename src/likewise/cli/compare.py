"""``likewise compare``: the score of two texts, and why."""

import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from likewise.cli.flags import flags
from likewise.cli.output import put
from likewise.errors import InputError
from likewise.measure.arguments import MeasureOptions


@flags(options=MeasureOptions)
def compare(
    left: Annotated[str, typer.Argument(help="A text, @FILE for the text of a file, or - for standard input.")],
    right: Annotated[str, typer.Argument(help="The other text, in the same form.")],
    explain: Annotated[
        bool, typer.Option("--explain", "-e", help="Show what matches and how much it contributes.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    fit: Annotated[
        Path | None,
        typer.Option(help="Learn weights from this collection: a file with one text per line (for idf, qidf, bm25)."),
    ] = None,
    *,
    options: MeasureOptions,
) -> None:
    """Compare two texts: the score, and with --explain what it is made of.

    A measure whose weights come from a collection is fitted to the texts of --fit and the two texts. Without --fit it
    knows only these two, so words that both have get no weight (use smooth=true, or weights that need no collection).

    Examples:

      likewise compare "Gonzalo Gonzalez" "Gonzales, Gonzalo" --explain

      likewise compare @a.txt @b.txt --measure tfidf --weights tf --stem porter
    """
    from likewise.jobs.compare import compare as compare_texts
    from likewise.report.explanation import show

    if left == "-" and right == "-":
        raise InputError("only one of the two texts can come from standard input")
    collection = None if fit is None else read_text(f"@{fit}").splitlines()
    wanted = explain or as_json
    explanation = compare_texts(
        read_text(left), read_text(right), options.build(), collection=collection, explain=wanted
    )
    if as_json:
        put(json.dumps(explanation.to_json(), ensure_ascii=False))
        return
    put(f"{explanation.score:.6f}  {explanation.measure}")
    if explain:
        from rich.console import Console

        show(explanation, Console(soft_wrap=True, highlight=False))


def read_text(argument: str) -> str:
    """Return the text that an argument stands for; bytes that are not UTF-8 are an error that says where."""
    if argument == "-":
        content, name = sys.stdin.buffer.read(), "standard input"
    elif argument.startswith("@"):
        name = argument[1:]
        try:
            content = Path(name).read_bytes()
        except OSError as error:
            raise InputError(f"cannot read {name}: {error.strerror or error}") from error
    else:
        return argument
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"{name} is not UTF-8: byte {error.start} is 0x{content[error.start]:02x}") from None
