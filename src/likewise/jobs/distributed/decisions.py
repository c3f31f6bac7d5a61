"""The results of match and dedupe after such a decision: pairs and clusters, written by tasks."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from likewise.jobs.distributed.decided import Decided, decide_in_files
from likewise.jobs.distributed.groups import ClusterTask
from likewise.jobs.distributed.input import ID, Input
from likewise.jobs.distributed.job import Finished
from likewise.jobs.distributed.judged import Judgement
from likewise.jobs.distributed.on_demand import Merging, OnDemand
from likewise.jobs.distributed.ordered import written_in_order
from likewise.jobs.distributed.part_files import files_of
from likewise.jobs.distributed.run import Run
from likewise.jobs.distributed.sides import Sides
from likewise.join import Pairs
from likewise.records.build import copied_note
from likewise.records.clusters import canonical
from likewise.records.deciding import decided_groups
from likewise.records.distinct import ranks
from likewise.records.model import Model
from likewise.records.options import DedupeOptions, MatchOptions
from likewise.records.partners import Relation
from likewise.records.tables import (
    best_scores,
    cluster_numbers,
    doubt_note,
    given_pairs,
    group_note,
    literal_note,
    to_review,
    weights_in_words,
)
from likewise.results.in_parts import DedupeParts, MatchParts
from likewise.results.parts import Parts
from likewise.results.threshold import Threshold
from likewise.storage import atomic_path

_MATCHED = ("left", "right", "score", "rank", "left_text", "right_text", "probability")
_JUDGED = ("left", "right", "score", "probability", "same", "left_text", "right_text")


def decided_match(
    run: Run,
    inputs: Sequence[Input],
    sides: Sides,
    measure: Any,
    options: MatchOptions,
    known: Model | None,
    on_demand: OnDemand,
    columns: tuple[str, ...] | None,
    judged: Judgement | None = None,
) -> MatchParts:
    """Return the pairs that are decided to match, with their probability, and the doubtful ones."""
    known = None if known is None else known.for_relation(options.decided_relation)
    made = decide_in_files(run, inputs, sides, measure, options, known, options.decided_relation, judged)
    decision = made.decision
    pairs, chosen = given_pairs(decision, made.scores)
    review = to_review(decision)
    with made.run.stage("rows"):
        rows = {"left": pairs.left, "right": pairs.right, "score": pairs.score, "rank": ranks(pairs.left) + 1}
        rows["probability"] = decision.probability[chosen]
        if options.explain:
            rows["why"] = pa.array(weights_in_words(decision, chosen), pa.string())
        table = made.rows("matched", rows, (*_MATCHED, *(["why"] if options.explain else [])))
        doubtful = _doubtful(made, review, "review", (*_MATCHED, "why"))
        kept = np.flatnonzero(decision.keep)
        evidence = made.evidence(np.union1d(kept, review))
    notes = [*made.notes]
    if not len(kept):
        notes.append("no match: nothing stands out from what a wrong partner looks like")
    notes += doubt_note(decision) + group_note(decision)
    if len(inputs) == 2 and decision.relation is Relation.ONE and options.decided_relation is None:
        notes += _copies(made)
    return MatchParts(
        table,
        on_demand.unmatched(made.sides, table.files),
        made.measure,
        tuple(notes),
        made.run.report,
        decision=decision.summary(options.precision, None if known is None else known.name),
        review=doubtful,
        evidence=evidence,
        model=made.model,
        joining=on_demand.joining(table.files),
        columns=columns,
    )


def _copies(made: Decided) -> list[str]:
    if len(made.sides.weights) > 1:
        return []
    found = []
    for side, one in enumerate(made.inputs):
        distinct, present, _ = made.fields.counted(0, side)
        found += copied_note(one.name, present - distinct, made.fields.sizes[side])
    return found


def _doubtful(made: Decided, chosen: Any, name: str, names: Sequence[str], same: Any = None) -> Parts:
    """Let tasks write doubtful candidates, in the order in which they are ``chosen``."""
    found, place = made.decision.found, np.arange(len(chosen))
    a, b = found.left[chosen], found.right[chosen]
    order = np.argsort(a, kind="stable")
    numbers = {"left": a, "right": b, "score": made.scores(a, b, chosen), "rank": ranks(a) + 1}
    numbers |= {"probability": made.decision.probability[chosen], "place": place}
    if same is None:
        numbers["why"] = np.array(weights_in_words(made.decision, chosen), object)
    else:
        numbers["same"] = same
    types = {"why": pa.string()}
    columns = {key: pa.array(values[order], types.get(key)) for key, values in numbers.items()}
    rows = made.rows(f"{name}-rows", columns, names)
    made.run.engine.load("to_review", rows.files)
    files = written_in_order(made.run, name, "SELECT * FROM to_review", names, (("place", 1),))
    return Parts(tuple(files), tuple(names))


def decided_dedupe(
    run: Run,
    given: Input,
    sides: Sides,
    measure: Any,
    options: DedupeOptions,
    known: Model | None,
    finished: Finished,
    taught: Judgement | None = None,
) -> DedupeParts:
    """Return the clusters that the model of matches makes."""
    made = decide_in_files(run, [given], sides, measure, options, known, None, taught)
    run, decision, found = made.run, made.decision, made.decision.found
    with run.stage("clusters"):
        groups = decided_groups(decision, options)
        pairs = Pairs(found.left[decision.keep], found.right[decision.keep], decision.probability[decision.keep])
        chosen = canonical(pairs, np.unique(groups, return_inverse=True)[1], made.fields.lengths())
        numbers, sizes, _ = cluster_numbers(groups, chosen)
        stood = chosen[np.argsort(numbers[chosen])][numbers]
        columns = {"position": np.arange(len(groups)), "cluster": numbers, "members": sizes, "stood": stood}
        with atomic_path(run.folder / "start.parquet") as temporary:
            pq.write_table(pa.table(columns), temporary)
        blocks, every = run.blocks_of(given.files), tuple(name for name in given.schema.names if name != ID)
        task = ClusterTask(
            run.place("table"), run.place("canonical"), made.sides, every, (run.folder / "start.parquet",)
        )
        run.map(task, blocks, "blocks written")
    with run.stage("rows"):
        scores = made.said.column("score")
        inside, close = np.flatnonzero(decision.keep), to_review(decision)
        rows = {"left": found.left[inside], "right": found.right[inside], "score": scores[inside]}
        rows["probability"] = decision.probability[inside]
        judged = made.rows("judged", rows, tuple(name for name in _JUDGED if name != "same"))
        review = _doubtful(made, close, "review", _JUDGED, groups[found.left[close]] == groups[found.right[close]])
        evidence = made.evidence(np.union1d(inside, close))
    parts = {
        name: Parts(files_of(run.folder / name, blocks), names)
        for name, names in (("table", ("id", "cluster", "size", "canonical", "text")), ("canonical", every))
    }
    notes = [*made.notes, *([] if len(inside) else ["no duplicates: nothing stands out"]), *group_note(decision)]
    notes += literal_note(decision, made.said.column("literal"))
    best = best_scores(found, scores)
    summary = decision.summary(options.precision, None if known is None else known.name)
    return DedupeParts(
        parts | {"pairs": judged, "review": review, "evidence": evidence},
        int(numbers.max(initial=-1)) + 1,
        Threshold(summary.threshold, "model of matches", lambda: best),
        made.measure,
        tuple(notes),
        run.report,
        merging=Merging(finished, given, (run.folder / "start.parquet",), options),
        decision=summary,
        model=made.model,
    )
