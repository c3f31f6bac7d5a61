"""Find the records of one table that are the same: clusters, and the record that stands for each.

Equal records are one before anything is compared; the pairs of the rest (:mod:`likewise.records`) make the clusters.
"""

import contextlib
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likewise.engines.options import EngineOptions
from likewise.errors import OptionError
from likewise.jobs.distributed.asked import Job, is_frame
from likewise.jobs.distributed.limits import AllAtOnceError, check_fits, collected
from likewise.join import Pairs
from likewise.measure import Measure
from likewise.progress import Progress
from likewise.read.long_texts import LongTexts, lengths_of
from likewise.read.mapped import rows_of
from likewise.read.tables import Records, TableOptions, check_columns, read_table
from likewise.records.build import build, why_nothing, why_words
from likewise.records.cleaning import cleaned, without_placeholders
from likewise.records.clusters import canonical, clusters
from likewise.records.columns import shown
from likewise.records.comparison import Comparison
from likewise.records.deciding import as_model, check_model, decide_records, decided_groups, known_measure
from likewise.records.decision import FEWEST
from likewise.records.fields import column_pairs
from likewise.records.labels import asked_for, check_asked, judged_tables, read_labels
from likewise.records.model import Model
from likewise.records.options import COMPLETE, DedupeOptions, names, parse_on, parse_survivors
from likewise.records.refit import Labels
from likewise.records.state import State, carry_over, is_state, is_state_file, rejoined
from likewise.records.survivors import check_rules, merged_records
from likewise.records.tables import (
    best_of_each,
    cluster_table,
    doubtful,
    evidence_table,
    group_note,
    judged_pairs,
    literal_note,
    to_review,
)
from likewise.records.threshold import GIVEN, best_in, given, labelled, suggested, threshold_notes
from likewise.results.clusters import DedupeResult, Tables
from likewise.results.threshold import Threshold
from likewise.storage import changing
from likewise.verb import verb


@dataclass(frozen=True, slots=True)
class _Asked:
    """What is asked for beside the records."""

    options: DedupeOptions
    read: TableOptions
    measure: Any = None
    labels: Any = None
    known: Model | None = None
    progress: Progress | None = None
    before: Mapping[str, int] | None = None
    """Clusters of records that stay together, by id."""


@verb(options=DedupeOptions, read=TableOptions, running=EngineOptions)
def dedupe(
    table: Any,
    *,
    measure: Any = None,
    labels: Any = None,
    model: Any = None,
    state: str | os.PathLike[str] | None = None,
    add: Any = None,
    remove: Any = None,
    refit: bool = False,
    progress: Progress | None = None,
    options: DedupeOptions,
    read: TableOptions,
    running: EngineOptions,
) -> DedupeResult:
    """Find the records of one table that are the same, and the one that stands for each.

    A model that needs no labels decides on records of several fields. A single text, and all records if there is a
    ``min_score``, are decided by their score.

    - ``measure`` is that of :func:`likewise.match`.
    - ``labels`` are pairs that somebody judged: ids, and whether they match. The model learns from them, best from the
      doubtful ones (``review``); for a single text they choose the threshold of the score.
    - ``model`` is the model of an earlier result, or its file. It decides, also on few records, and nothing is learned.
    - ``state`` names a file that keeps records and clusters. To change it, give the file as ``table``, with ``add`` (a
      table) or ``remove`` (ids): clusters keep their ids. The model of the state decides, so that what was decided
      changes only where new records speak; ``refit`` learns it anew.

    With an ``engine``, or for a Spark DataFrame, the work is done in blocks and the result stays on disk until you ask
    for it: the same rows, from a table larger than memory. With several fields this process decides on numbers that
    tasks make.

    >>> import likewise as lw
    >>> found = lw.dedupe(["Ada Lovelace", "Lovelace, Ada", "Grace Hopper", "Kurt Gödel", "Goedel, Kurt"])
    >>> [cluster.ids for cluster in found if len(cluster.ids) > 1]
    [(0, 1), (3, 4)]
    """
    labels = asked_for(labels)
    check_asked(labels, model)
    on_engine = running.engine is not None or is_frame(table)
    if on_engine:
        if refit or any(value is not None for value in (state, add, remove)):
            raise OptionError("state, add and remove are for tables in memory, not for an engine")
        if not callable(options.clean):
            from likewise.jobs.distributed.dedupe import dedupe_on

            job = Job(running, read, options.threads, progress)
            with contextlib.suppress(AllAtOnceError):  # what tasks do not decide
                tables = None if labels is None else judged_tables(labels, read)
                return dedupe_on(job, table, measure, options, as_model(model), tables)
        fields = len(parse_on("on", options.on))
        table = collected(table, running, fields)
    changes = add is not None or remove is not None or refit
    if changes or is_state_file(table):
        target = table if changes and state is None else state
        with changing(target) if isinstance(target, str | os.PathLike) else contextlib.nullcontext():
            before = _opened(table)
            if options != DedupeOptions() or any(value is not None for value in (measure, labels, model)):
                raise OptionError(
                    "a state keeps the options it was made with, also for add, remove and refit: leave the others out"
                )
            return _changed(before, target, add, remove, refit, read, progress)
    if state is not None and options.id is None:
        raise OptionError("state needs id, the column of ids by which records are known again")
    if state is not None and callable(options.clean):
        raise OptionError("a function that cleans cannot be kept in a state: name steps or a file")
    records = _read(table, options, read)
    if on_engine:
        check_fits(len(records), running, fields or len(records.columns))
    if state is not None and options.on is None and records.compared:  # a state is a table, of whatever it was
        options = replace(options, on=list(records.compared))
    known = as_model(model)
    check_model(known, records, records, options)
    found = _found(records, _Asked(options, read, measure, labels, known, progress))
    if state is not None:
        State(records.table, found.table["cluster"].to_numpy(), len(found), options, _model(found)).save(state)
    return found


def _read(table: Any, options: DedupeOptions, read: TableOptions) -> Records:
    wanted = [*parse_on("on", options.on), *names("equal_on", options.equal_on)]
    records = read_table(table, read, id=options.id, wanted=wanted)
    if is_state(records.table):
        raise OptionError(f"{records.name} is a state of dedupe: say what to add to it, or to remove (add, remove)")
    return records.said_of(list(parse_on("on", options.on)))


def _opened(path: Any) -> State:
    """Return the state that is to be changed."""
    if not isinstance(path, str | os.PathLike):
        raise OptionError(f"records are added to a state, a file that dedupe wrote, not to {type(path).__name__}")
    return State.open(path)


def _changed(
    before: State,
    target: str | os.PathLike[str] | None,
    add: Any,
    remove: Any,
    refit: bool,
    read: TableOptions,
    progress: Progress | None,
) -> DedupeResult:
    """Let records come and go in a state, and write it anew to ``target``, if to any."""
    new = None if add is None else _read(add, before.options, read)
    if new is not None:
        compared = parse_on("on", before.options.on) or before.table.column_names
        check_columns(new.table, compared, "what is added")
    if isinstance(remove, str | os.PathLike) and not os.path.exists(remove):
        raise OptionError(f"remove takes a file of ids, or in Python a list of them; there is no file {remove}")
    leaving = [] if remove is None else _leaving(remove, before.options.id or "", read)
    table = before.with_records(None if new is None else new.table, leaving)
    records = _read(table, before.options, read)
    known = None if refit else before.model
    check_model(known, records, records, before.options)
    ids = [str(value) for value in records.ids.to_pylist()]
    clusters_before = dict(zip(before.ids, before.clusters.tolist(), strict=True))
    stay = None if refit else before.untouched(leaving if new is None else [*leaving, *map(str, new.ids.to_pylist())])
    found = _found(records, _Asked(before.options, read, known=known, progress=progress, before=stay))
    numbers, following, changes = carry_over(clusters_before, ids, found.table["cluster"].to_numpy(), before.following)
    if target is not None:
        State(records.table, numbers, following, before.options, _model(found)).save(target)
    place = found.table.column_names.index("cluster")
    notes = (*(() if new is None else new.notes), *found.notes)
    if before.model is None and not refit and found.model is not None:
        notes += ("the state had no model, as nothing was learnt before: learnt of all its records now",)
    return replace(found, table=found.table.set_column(place, "cluster", [numbers]), changes=changes, notes=notes)


def _leaving(remove: Any, id_column: str, read: TableOptions) -> list[str]:
    """Return the ids to remove: of the column that is called as in the state, else of the first."""
    listed = read_table(remove, read, wanted=[id_column], name="remove").table
    return list(map(str, listed[id_column if id_column in listed.column_names else 0].to_pylist()))


def _model(found: DedupeResult) -> Model | None:
    return found.model if isinstance(found.model, Model) else None


def _found(records: Records, asked: _Asked) -> DedupeResult:
    """Return the clusters of the records as they are cleaned, and the records themselves as they are."""
    options = asked.options
    compared = cleaned(records, options.on, options)
    if not isinstance(options.min_score, int | float):
        compared = without_placeholders(compared, options.on, options)
    found = _clustered(compared, asked)
    if compared is records:
        return found
    groups, stands = found.table["cluster"].to_numpy(), found.table["canonical"].to_numpy(zero_copy_only=False)
    return replace(found, tables=found.tables.with_others(_standing(records, groups, np.flatnonzero(stands), options)))


def _clustered(records: Records, asked: _Asked) -> DedupeResult:
    options, known, labels = asked.options, asked.known, asked.labels
    comparison, measured, _ = build(records, records, options, known_measure(asked.measure, known), asked.progress)
    columns = column_pairs(records, records, options)
    decides = not isinstance(options.min_score, int | float)
    if decides and len(columns) > 1 and len(records) >= (FEWEST if known is None else 1):
        judged = None if labels is None else read_labels(labels, records, records, asked.read)
        return _decided(records, comparison, measured, asked, judged)
    if known is not None:
        raise OptionError("a model decides on records of several fields, without min_score and labels")
    first, numbers = comparison.distinct_records()
    distinct = comparison.select(first)
    threshold = _threshold(comparison, distinct, records, asked)
    pairs = distinct.above(max(0.0, threshold.least - options.margin))
    if threshold.method == GIVEN and isinstance(comparison.left[0].texts, LongTexts):
        # Their best partners below it would take lists of all terms: many times the rest of the work, to be looked at.
        threshold = replace(threshold, scores=lambda: best_in(pairs))
    made = pairs.take(pairs.score >= threshold.least)
    groups = clusters(made, len(first), options.linkage or COMPLETE)
    texts = shown(comparison.left)
    chosen = first[_canonical(made, groups, texts, first, numbers)]
    close = doubtful(pairs, groups, threshold.least, options.margin)
    review = pairs.take(close)
    tables = {
        "pairs": lambda: judged_pairs(records, texts, first, made, groups).drop_columns(["same"]),
        "review": lambda: judged_pairs(records, texts, first, review, groups),
    }
    return DedupeResult(
        cluster_table(records, texts, groups[numbers], chosen),
        Tables({**tables, **_standing(records, groups[numbers], chosen, options)}, {"review": len(close)}),
        threshold,
        measured,
        (
            *records.notes,
            *why_nothing(comparison, records),
            *([] if asked.measure is not None else why_words(comparison)),
            *threshold_notes(threshold, len(made)),
        ),
    )


def _standing(
    records: Records, groups: NDArray[np.int64], chosen: NDArray[np.int64], options: DedupeOptions
) -> dict[str, Callable[[], Any]]:
    table, rules = records.table, parse_survivors(options.survivor)
    check_rules(table, rules, options.newest_by)
    return {
        "canonical": lambda: rows_of(table, np.sort(chosen)),
        "merged": lambda: merged_records(table, groups, chosen, rules, options.newest_by, options.id),
    }


def _canonical(
    made: Pairs, groups: NDArray[np.int64], texts: Any, first: NDArray[np.int64], numbers: NDArray[Any]
) -> NDArray[np.int64]:
    return canonical(made, groups, lengths_of(texts)[first], np.bincount(numbers, minlength=len(first)))


def _decided(
    records: Records,
    comparison: Comparison,
    measure: Measure,
    asked: _Asked,
    labels: Labels | None,
) -> DedupeResult:
    """Return the clusters that the model of matches makes."""
    options, known = asked.options, asked.known
    decision, model, weighed = decide_records(records, records, comparison, measure, options, None, known, labels)
    found, keep = decision.found, decision.keep
    made = Pairs(found.left[keep], found.right[keep], decision.probability[keep])
    groups = decided_groups(decision, options)
    if asked.before is not None:
        groups = rejoined(asked.before, [str(value) for value in records.ids.to_pylist()], groups)
    texts = shown(comparison.left)
    every = np.arange(len(records))
    chosen = _canonical(made, np.unique(groups, return_inverse=True)[1], texts, every, every)
    inside, close = np.flatnonzero(keep), to_review(decision)
    notes = [*records.notes, *([] if len(made) else ["no duplicates: nothing stands out"]), *group_note(decision)]
    numbers = comparison.distinct_records()[1]
    notes += literal_note(decision, numbers[found.left] == numbers[found.right])
    pairs, review = (
        judged_pairs(records, texts, every, Pairs(a, b, comparison.scores(a, b)), groups, decision.probability[place])
        for place, a, b in ((place, found.left[place], found.right[place]) for place in (inside, close))
    )
    summary = decision.summary(options.precision, None if known is None else known.name)
    return DedupeResult(
        cluster_table(records, texts, groups, chosen),
        Tables(
            {
                "pairs": lambda: pairs.drop_columns(["same"]),
                "review": lambda: review,
                **_standing(records, groups, chosen, options),
            }
        ),
        Threshold(summary.threshold, "model of matches", lambda: best_of_each(found, comparison)),
        measure,
        tuple(notes),
        summary,
        evidence_table(records, records, decision, np.union1d(inside, close)),
        model=model,
        weighed=weighed,
    )


def _threshold(comparison: Comparison, distinct: Comparison, records: Records, asked: _Asked) -> Threshold:
    options = asked.options
    if asked.labels is not None and options.min_score is not None:
        raise OptionError("min_score and labels exclude each other: give a minimum score, or let one be suggested")
    if isinstance(options.min_score, int | float):
        return given(distinct, options.min_score)
    if asked.labels is None:
        if options.precision is not None:
            raise OptionError("precision needs labels to be measured on")
        return suggested(distinct)
    left, right, same = read_labels(asked.labels, records, records, asked.read)
    return labelled(distinct, comparison.scores(left, right), same, options.precision)
