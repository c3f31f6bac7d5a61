"""The kinds of jobs: each calls the verb of its name and writes the result into the job's folder."""

import json
from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from likewise.errors import InputError
from likewise.platform import exchange
from likewise.progress import Progress
from likewise.serve.folder import Folder
from likewise.serve.measures import measure_of
from likewise.storage import atomic_write

if TYPE_CHECKING:
    from likewise.read.document import Document
    from likewise.results.units import Book

Kind = Callable[[dict[str, Any], Folder, Path, Progress], dict[str, Any]]


def match(parameters: dict[str, Any], folder: Folder, target: Path, progress: Progress) -> dict[str, Any]:
    """Match two tables, or one with itself; keep what is needed to say why later."""
    from likewise.jobs.match import match as match_tables
    from likewise.options import from_mapping
    from likewise.read.tables import TableOptions, read_table
    from likewise.records.matched import MODEL, keep
    from likewise.records.options import MatchOptions, parse_on

    options = from_mapping(MatchOptions, parameters["options"])
    both = TableOptions(header=parameters["header"])
    wanted = list(parse_on("on", options.left_on or options.on))
    read = options.read_side("left", both)
    left = read_table(folder.find(parameters["left"]), read, id=options.left_id or options.id, wanted=wanted)
    right = None
    if parameters["right"] is not None:
        wanted = list(parse_on("on", options.right_on or options.on))
        read = options.read_side("right", both)
        right = read_table(folder.find(parameters["right"]), read, id=options.right_id or options.id, wanted=wanted)
    measure = measure_of(parameters["measure"]) if parameters["measure"] else None
    known, labels = parameters.get("model"), parameters.get("labels")
    found = match_tables(
        left,
        right,
        measure=measure,
        labels=None if labels is None else [tuple(label) for label in labels],
        model=None if known is None else folder.results / known / MODEL,
        options=options,
        progress=progress,
    )
    return {
        "pairs": keep(found, left, left if right is None else right, target),
        "unmatched": found.unmatched.num_rows,
        "left_rows": len(left),
        "right_rows": None if right is None else len(right),
        "measure": str(found.measure),
        "decided": None if found.decision is None else found.decision.to_text(),
        "notes": [folder.say(note) for note in found.notes],
    }


def dedupe(parameters: dict[str, Any], folder: Folder, target: Path, progress: Progress) -> dict[str, Any]:
    """Find the duplicates of a table."""
    import likewise
    from likewise.options import from_mapping
    from likewise.read.tables import TableOptions
    from likewise.records.options import DedupeOptions

    options = from_mapping(DedupeOptions, parameters["options"])
    measure = measure_of(parameters["measure"]) if parameters["measure"] else None
    add = parameters.get("add")
    # What somebody put into the folder stays as it is: a state that grows is one of the service's own.
    state = parameters.get("state") or (None if add is None else parameters["table"])
    found = likewise.dedupe(
        folder.find(parameters["table"]),
        measure=measure,
        state=None if state is None else folder.uploads / state,
        add=None if add is None else folder.find(add),
        options=options,
        read=TableOptions(header=parameters["header"]),
        progress=progress,
    )
    found.write(target / "records.parquet")
    repeated = sum(len(cluster.ids) > 1 for cluster in found)
    said = {"records": found.table.num_rows, "clusters": len(found), "repeated": repeated}
    return said | {"changes": [asdict(one) for one in found.changes]}


def cluster(parameters: dict[str, Any], folder: Folder, target: Path, progress: Progress) -> dict[str, Any]:
    """Make clusters of pairs that were made elsewhere."""
    import likewise
    from likewise.options import from_mapping
    from likewise.records.options import ClusterOptions

    options = from_mapping(ClusterOptions, parameters["options"])
    found = likewise.cluster(folder.find(parameters["pairs"]), options=options)
    found.write(target / "records.parquet")
    return {"records": found.table.num_rows, "clusters": len(found)}


def recognise(parameters: dict[str, Any], folder: Folder, target: Path, progress: Progress) -> dict[str, Any]:
    """Learn a recogniser from labelled pairs; the model gets its place in the folder when it is whole."""
    import likewise
    from likewise.jobs.recognise.options import RecogniseOptions
    from likewise.options import from_mapping

    options = from_mapping(RecogniseOptions, parameters["options"])
    model = likewise.recognise(folder.find(parameters["train"]), options=options)
    model.save(target / parameters["name"])
    (target / parameters["name"]).replace(folder.uploads / parameters["name"])
    return {"model": parameters["name"], "threshold": model.threshold, **model.protocol}


def link(parameters: dict[str, Any], folder: Folder, target: Path, progress: Progress) -> dict[str, Any]:
    """Link the passages of a book, a folder, or two of them; write the book and the links in every format."""
    from likewise.index.index import Index
    from likewise.jobs.link import LinkOptions
    from likewise.jobs.link import link as link_texts
    from likewise.options import from_mapping

    options = from_mapping(LinkOptions, parameters["options"])
    left = folder.find(parameters["left"])
    right = folder.find(parameters["right"]) if parameters["right"] is not None else None
    found = link_texts(left, right, options=options, progress=progress)
    found.to_html(target / "book.html", parameters["title"] or parameters["left"], split_from=None)
    found.to_jsonl(target / "links.jsonl")
    Index.build(_passages(found.book), path=target / "index")
    for ending in ("parquet", "csv", "graphml"):
        found.write(target / f"links.{ending}")
    copies = sum(one.copy for one in found)
    return {
        "links": len(found) - copies,
        "copies": copies,
        "strongest": sum(one.strongest for one in found),
        "passages": len(found.book.units),
        "documents": len(found.book.documents),
        "notes": [folder.say(f"skipped {entry}") for entry in found.skipped[:20]],
    }


def _passages(book: "Book") -> Iterator["Document"]:
    """The passages of a book by number, each with its document and place there: so a text that is found finds them."""
    from likewise.read.document import Document

    for number, unit in enumerate(book.units):
        document = book.documents[unit.document]
        place = {"document": document.id, "start": unit.span.start}
        yield Document(str(number), book.text(number), document.source, place)


def mine(parameters: dict[str, Any], folder: Folder, target: Path, progress: Progress) -> dict[str, Any]:
    """Mine paraphrases; the table gets its place in the folder when it is whole."""
    from likewise.jobs.mine.run import mine as mine_paths

    output, source = target / parameters["name"], folder.find(parameters["source"])
    found = mine_paths(source, output=output, progress=progress, **parameters["options"])
    output.replace(folder.uploads / parameters["name"])
    done: dict[str, Any] = {"table": parameters["name"], "pairs": len(found), "notes": []}
    if parameters.get("curve"):
        try:
            done["curve"] = _curve(source, found, parameters["options"], target, progress)
        except InputError as error:
            done["notes"].append(folder.say(str(error)))
    return done


def _curve(source: Path, found: Any, options: dict[str, Any], target: Path, progress: Progress) -> list[Any]:
    """Mine parts of the text, and draw how the pairs grow."""
    from likewise.evaluate.mining_curve import pairs_by_size
    from likewise.jobs.mine.options import MineOptions, RunOptions
    from likewise.options import from_mapping
    from likewise.read.options import ReadOptions
    from likewise.report.charts import save_growth

    chosen = from_mapping(MineOptions, options)
    points = pairs_by_size(source, found, chosen, RunOptions(), ReadOptions(), progress)
    save_growth(target / "curve.svg", chosen.anchors, points)
    return points


def questions(parameters: dict[str, Any], folder: Folder, target: Path, progress: Progress) -> dict[str, Any]:
    """Answer questions with known answers, without paraphrases and with them."""
    import dataclasses

    from likewise.evaluate.questions import PUBLISHED, evaluate_questions, read_questions
    from likewise.jobs.questions.ask import Nuggets
    from likewise.results.paraphrases import Paraphrases

    read = read_questions(folder.find(parameters["questions"]))
    lists = {name: Paraphrases.read(folder.find(name)) for name in parameters["expand"]}
    rows = evaluate_questions(Nuggets(folder.find(parameters["nuggets"])), read.asked, lists, parameters["by"])
    shown = [{**dataclasses.asdict(row), "published": PUBLISHED[row.disjuncts]} for row in rows]
    return {"questions": len(read.asked), "left_out": read.left_out, "rows": shown}


def nuggets(parameters: dict[str, Any], folder: Folder, target: Path, progress: Progress) -> dict[str, Any]:
    """Collect dated facts; they get their place in the folder when they are whole."""
    from likewise.jobs.questions.nuggets import nuggets as collect

    count = collect(folder.find(parameters["source"]), target / "nuggets", progress=progress)
    _put(target, "nuggets", folder.uploads / parameters["name"])
    return {"nuggets": parameters["name"], "count": count, "notes": []}


def _put(target: Path, made: str, place: Path) -> None:
    """Give a finished folder its place; one that was there before goes with the job."""
    if place.exists():
        exchange(target / made, place)
    else:
        (target / made).rename(place)


def reproduce(parameters: dict[str, Any], folder: Folder, target: Path, progress: Progress) -> dict[str, Any]:
    """Compute the published tables again; write the figures and the report page."""
    from likewise.evaluate.reproduce import reproduce as compute
    from likewise.evaluate.reproduce.run import summary
    from likewise.report.reproduction import page

    said = 0

    def say(_: str) -> None:
        nonlocal said
        said += 1
        progress(said, None, "steps")

    found = compute(folder.find(parameters["data"]), only=parameters["only"], select=parameters["rows"], say=say)
    with atomic_write(target / "figures.json", "w", encoding="utf-8") as file:
        json.dump(found.to_json(), file)
    with atomic_write(target / "report.html", "w", encoding="utf-8") as file:
        file.write(page(found))
    return {"counts": dict(summary(found.results))}


def index(parameters: dict[str, Any], folder: Folder, target: Path, progress: Progress) -> dict[str, Any]:
    """Index a text, a table or a folder; the index gets its place in the folder when it is whole."""
    from likewise.jobs.collect import CollectOptions
    from likewise.jobs.index_paths import index_paths
    from likewise.options import from_mapping
    from likewise.read.options import ReadOptions

    skipped: list[str] = []
    made = index_paths(
        folder.find(parameters["source"]),
        target / "index",
        measure=measure_of(parameters["measure"]) if parameters["measure"] else None,
        options=from_mapping(CollectOptions, parameters["options"]),
        read=ReadOptions(id=parameters["id"]),
        on_skip=lambda entry: skipped.append(str(entry)),
        progress=progress,
    )
    _put(target, "index", folder.uploads / parameters["name"])
    return {
        "index": parameters["name"],
        "texts": len(made),
        "measure": str(made.measure),
        "notes": [folder.say(f"skipped {entry}") for entry in skipped[:20]],
    }


KINDS: dict[str, Kind] = {
    "cluster": cluster,
    "dedupe": dedupe,
    "index": index,
    "link": link,
    "match": match,
    "mine": mine,
    "nuggets": nuggets,
    "questions": questions,
    "recognise": recognise,
    "reproduce": reproduce,
}
