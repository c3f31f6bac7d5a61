"""``likewise recognise``: learn from labelled pairs, decide about others, measure."""

import json as json_module
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from likewise.cli.flags import flags
from likewise.cli.output import Force, check_output, give_answers, put
from likewise.engines.options import EngineOptions
from likewise.jobs.recognise.options import RecogniseOptions

app = typer.Typer(
    help="Classify pairs of texts as paraphrases or entailment, with a model learned from labelled pairs.",
    no_args_is_help=True,
)

Model = Annotated[Path, typer.Argument(help="A model that `likewise recognise fit` wrote.")]
Json = Annotated[bool, typer.Option("--json", help="Print as JSON.")]


@app.command("fit")
@flags(options=RecogniseOptions)
def fit(
    train: Annotated[Path, typer.Argument(help="Labelled pairs: MSR paraphrase file, RTE XML, TSV or JSONL.")],
    output: Annotated[Path, typer.Option("--output", "-o", help="Where to write the model (JSON).")],
    options: RecogniseOptions,
    json: Json = False,
    force: Force = False,
) -> None:
    """Choose measures and threshold by cross-validation on training pairs and write the model.

    TSV and JSONL need columns left, right, label (or the usual other names). No test label is read here.

    Example: likewise recognise fit msr_paraphrase_train.txt -o model.json
    """
    from likewise.jobs.recognise import recognise

    check_output(others=[output], sources=[train], force=force)
    model = recognise(train, options=options)
    model.save(output)
    values = model.to_json()
    values.pop("collection")
    if json:
        put(json_module.dumps(values, indent=1))
        return
    for one in values["measures"]:
        put(f"{one['measure']}, {one['reads']}, weight {one['weight']:.4g}")
    put(f"threshold {model.threshold:.4f}")
    goal = options.goal
    put(f"cross-validated {goal} {model.protocol['cross_validated']:.4f} on {model.protocol['pairs']} pairs")
    put(f"model written to {output}", file=sys.stderr)


@app.command("predict")
@flags(running=EngineOptions)
def predict(
    model: Model,
    pairs: Annotated[Path, typer.Argument(help="Pairs to classify; labels, if present, are ignored.")],
    *,
    running: EngineOptions,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write a .csv, .tsv, .jsonl, .json, .parquet or .xlsx table.")
    ] = None,
    explain: Annotated[
        bool, typer.Option(help="Add the words of the right text that the left text does not cover.")
    ] = False,
    json: Json = False,
    force: Force = False,
) -> None:
    """Decide about pairs: id, label (1 yes, 0 no), score.

    On an engine a Parquet file or folder needs the columns id, left and right; other files are read as here.

    Example: likewise recognise predict model.json pairs.tsv -o decided.csv --explain
    """
    from likewise.jobs.recognise import Recogniser
    from likewise.jobs.recognise.predictions import predictions
    from likewise.quality import pairs as reader
    from likewise.results.tables import write_csv, write_jsonl, write_table

    check_output(output, sources=[model, pairs], force=force, folders=running.engine is not None)
    if running.engine is not None:
        from likewise.jobs.distributed.rows import Predicting

        told: Any = pairs
        if pairs.is_file() and pairs.suffix.lower() != ".parquet":
            given = reader.read(pairs, labels=False)
            rows = zip(given.ids, given.lefts, given.rights, strict=True)
            told = [{"id": one, "left": left, "right": right} for one, left, right in rows]
        wanted = Predicting(str(model.absolute()), "left", "right", explain)
        give_answers(told, "id", wanted, running, "predict", output=output, as_json=json, force=force)
        return
    recogniser = Recogniser.load(model)
    given = reader.read(pairs, labels=False)
    table = predictions(recogniser, given.ids, given.lefts, given.rights, explain=explain)
    if output is not None:
        write_table(table, output)
        put(
            f"{sum(table['label'].to_pylist())} of {len(table)} pairs are decided yes; written to {output}",
            file=sys.stderr,
        )
    elif json:
        write_jsonl(table, sys.stdout)
    else:
        write_csv(table, sys.stdout)


@app.command("evaluate")
def evaluate(
    model: Model,
    test: Annotated[Path, typer.Argument(help="Labelled pairs that were not used for training.")],
    json: Json = False,
) -> None:
    """Measure a model on labelled pairs: with its own threshold, and with the oracle's beside.

    The oracle picks the threshold of the best F1 on the test pairs themselves, as published figures often do.

    Example: likewise recognise evaluate model.json msr_paraphrase_test.txt
    """
    from likewise.jobs.recognise import Recogniser

    figures = Recogniser.load(model).evaluate(test)
    if json:
        put(json_module.dumps(figures, indent=1))
        return
    low, high = figures["accuracy_interval"]
    put(f"{'':9} {'accuracy':>9} {'precision':>9} {'recall':>9} {'F1':>9}")
    for name in ("honest", "oracle"):
        one = figures[name]
        row = " ".join(f"{one[key]:9.4f}" for key in ("accuracy", "precision", "recall", "f1"))
        put(f"{name:9} {row}")
    put(f"95 % of resamples have an honest accuracy of {low:.4f} to {high:.4f}")
