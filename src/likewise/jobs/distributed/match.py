"""Match on an engine: keep the input, learn the weights, find the pairs strip by strip."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from likewise.analyse.cleaning import with_files_read
from likewise.errors import OptionError
from likewise.jobs.distributed.asked import Job
from likewise.jobs.distributed.decided import check_decidable
from likewise.jobs.distributed.decisions import decided_match
from likewise.jobs.distributed.explained import explained
from likewise.jobs.distributed.fitted import (
    Learnt,
    Suited,
    fitted_to,
    measure_of,
    reported,
    specification,
    suited,
)
from likewise.jobs.distributed.input import Input, Source
from likewise.jobs.distributed.job import Finished, begun, check_ids
from likewise.jobs.distributed.judged import Judgement, looked_up
from likewise.jobs.distributed.limits import check_assignable
from likewise.jobs.distributed.near import is_near, near_strips
from likewise.jobs.distributed.on_demand import OnDemand, check_brought
from likewise.jobs.distributed.pair_rows import pair_rows
from likewise.jobs.distributed.partners import Afterwards, SidesInFiles
from likewise.jobs.distributed.run import Run, records_in
from likewise.jobs.distributed.sides import Sides
from likewise.jobs.distributed.strips import strips
from likewise.jobs.distributed.terms import count_terms
from likewise.options import json_of, least_score
from likewise.records.assignment import assigned
from likewise.records.distinct import ranks
from likewise.records.fields import both_named
from likewise.records.labels import Judged, fingerprint
from likewise.records.model import Model
from likewise.records.options import AUTO, MatchOptions, RecordOptions, names, parse_on
from likewise.records.threshold import check_threshold, labelled, none_from, suggested
from likewise.results.in_parts import MatchParts
from likewise.results.joined import ALL
from likewise.results.parts import PairTexts, Parts
from likewise.results.threshold import Threshold

COLUMNS = ("left", "right", "score", "rank", "left_text", "right_text")


def match_on(
    job: Job,
    left: Any,
    right: Any,
    measure: Any,
    options: MatchOptions,
    model: Model | None = None,
    columns: tuple[str, ...] | None = None,
    labels: Sequence[Judged] | None = None,
) -> MatchParts:
    """Return what :func:`likewise.match` gives, found on an engine; ``columns`` are those that joining brings along."""
    options = replace(options, clean=with_files_read(options.clean))
    sources = _sources(job, left, right, options, columns)
    listed = not options.decides
    if listed:
        check_threshold(options.min_score, labels)
    identity = {"measure": specification(measure), "options": json_of(replace(options, threads=None))}
    if columns is not None:
        identity["columns"] = columns
    if model is not None:
        identity["model"] = model.fingerprint
    if labels is not None:
        identity["labels"] = fingerprint(labels)
    with begun(job, "match", sources, identity) as run:
        with run.stage("keep"):
            named = list(parse_on("on", options.left_on or options.right_on or options.on))
            inputs = [source.bring(run, run.place(source.name)).said_of(named) for source in sources]
            options = both_named(options, *(_compared(inputs[side]) for side in (0, -1)))
            sides = sides_of(options, inputs, measure)
            check_inputs(run, inputs, sides)
            columns = None if columns == ALL else columns
            check_brought(inputs[-1], columns)
        on_demand = OnDemand(Finished.of(run, job, sources), inputs, any(source.cuts for source in sources))
        if not listed:
            check_decidable(job, inputs, sides, measure, options, model)
        elif options.one_to_one:
            check_assignable(sum(records_in(one.files) for one in inputs), job.running)
        judged = None if labels is None else looked_up(run, inputs, sides, labels, job.read)
        if not listed:
            return decided_match(run, inputs, sides, measure, options, model, on_demand, columns, judged)
        return _listed(run, inputs, sides, measure, options, on_demand, columns, judged)


def _sources(job: Job, left: Any, right: Any, options: MatchOptions, columns: tuple[str, ...] | None) -> list[Source]:
    """Return where the records come from, and which columns of them are kept; one table is one source."""
    given: list[tuple[Any, Literal["left", "right"], Any, Any]] = [(left, "left", options.left_id, options.left_on)]
    if right is not None:
        given.append((right, "right", options.right_id, options.right_on))
    else:
        options.check_one_table()
    narrow = columns is None and (options.left_on is None) == (options.right_on is None)
    equal_on = names("equal_on", options.equal_on)
    wanted = [(*parse_on("on", on or options.on), *equal_on) for *_, on in given]
    wanted[-1] += columns or ()
    return [
        Source(one, name, its_id or options.id, names_of_it, options.read_side(name, job.read), narrow)
        for (one, name, its_id, _), names_of_it in zip(given, wanted, strict=True)
    ]


@dataclass(frozen=True, slots=True)
class _Pairs:
    """The pairs that are listed, as files of positions, and what came of finding them."""

    files: tuple[Path, ...]
    learnt: Learnt
    value: float
    threshold: Threshold | None = None
    said: Sequence[str] = ()
    texts: PairTexts | None = None
    """Where the texts of the pairs are, if their files have none."""


def _listed(
    run: Run,
    inputs: Sequence[Input],
    sides: Sides,
    measure: Any,
    options: MatchOptions,
    on_demand: OnDemand,
    columns: tuple[str, ...] | None,
    judged: Judgement | None,
) -> MatchParts:
    """Return the best partners, or all pairs from a score on, without deciding which of them match."""
    chosen = suited(run, inputs, sides, measure, options.language)
    bound = least_score(0.0 if options.min_score == AUTO else float(options.min_score or 0))
    asks = judged is not None or options.min_score == AUTO
    every = options.all_pairs and len(inputs) == 1 and not options.exclude_equal
    plain = every and sides.clean is None and not options.explain and not asks
    if plain and is_near(sides, chosen.measures, chosen.bytes_each, bound):
        found = _near(chosen, inputs, sides, options)
    else:
        found = _joined(chosen, inputs, sides, options, on_demand.finished, judged)
    run, files = found.learnt.run, found.files
    if options.explain:
        files = explained(run, (inputs[0].files, inputs[-1].files), sides, files)
    pairs = Parts(files, (*COLUMNS, *(["why"] if options.explain else [])), texts=found.texts)
    notes = [note for one in inputs for note in one.notes]
    empty = [one.name for one in inputs if not records_in(one.files)]
    notes += [*(f"{name} has no rows" for name in empty), *chosen.notes(measure), *found.said]
    if found.value and not len(pairs):
        notes.append(none_from(found.value))
    return MatchParts(
        pairs,
        on_demand.unmatched(sides, pairs.files),
        reported(run, found.learnt.measure(sides)),
        tuple(notes),
        run.report,
        threshold=found.threshold,
        joining=on_demand.joining(files),
        columns=columns,
    )


def _near(chosen: Suited, inputs: Sequence[Input], sides: Sides, options: MatchOptions) -> _Pairs:
    """Return all pairs of long texts of one table from a score on, found by their rare terms."""
    value, files = float(options.min_score or 0), inputs[0].files
    with chosen.run.stage("learn"):
        terms, fitted = count_terms(chosen.run, files, sides, chosen.measures[0])
    learnt = Learnt(chosen.run, [fitted])
    found = near_strips(learnt.run, terms, sides, least_score(value))
    return _Pairs(found, learnt, value, texts=PairTexts(files, sides.left[0]))


def _joined(
    chosen: Suited,
    inputs: Sequence[Input],
    sides: Sides,
    options: MatchOptions,
    finished: Finished,
    judged: Judgement | None,
) -> _Pairs:
    """Return the pairs that the join finds, block by block, from the given score on or from that which is suggested."""
    learnt = fitted_to(chosen, inputs, sides)
    run, files, alone = learnt.run, (inputs[0].files, inputs[-1].files), len(inputs) == 1
    there = SidesInFiles(run, files, sides, alone, options.exclude_equal)
    threshold = None
    if judged is not None or options.min_score == AUTO:
        threshold = _threshold(there, finished, judged, options.precision)
    value = float(options.min_score or 0) if threshold is None else threshold.value
    top = 0 if options.all_pairs else 1 if options.reciprocal else options.top or 1
    least, said = least_score(value), list[str]()
    if options.one_to_one:
        found, said = _assigned(there, inputs, least)
    else:
        found = strips(run, files, sides, "pairs", top, least, alone, options.exclude_equal)
    if options.reciprocal:
        back = (
            found
            if alone
            else strips(run, files[::-1], sides.swapped(), "back", top, least, False, options.exclude_equal)
        )
        with run.stage("reciprocal"):
            found = _reciprocal(run, found, back)
    return _Pairs(found, learnt, value, threshold, said)


def _threshold(there: SidesInFiles, finished: Finished, judged: Judgement | None, precision: float | None) -> Threshold:
    """Return the minimum score that labels suggest, or the scores themselves."""
    with there.run.stage("threshold"):
        if judged is None:
            return suggested(there)
        left, right, same = judged.labels
        return labelled(Afterwards(finished, there), there.scores(left, right), same, precision)


def _assigned(there: SidesInFiles, inputs: Sequence[Input], least: float) -> tuple[tuple[Path, ...], list[str]]:
    """Return the files of the pairs in which each record is once, with the highest sum of scores, and what to say."""
    with there.run.stage("assign"):
        pairs, told = assigned(there, least)
    with there.run.stage("rows"):
        numbers = {"left": pairs.left, "right": pairs.right, "score": pairs.score, "rank": ranks(pairs.left) + 1}
        return pair_rows(there.run, inputs, there.sides, "pairs", numbers), [told] if len(pairs) else []


def _compared(one: Input) -> list[str]:
    return [name for name in one.comparable if name != one.id_column]


def sides_of(options: RecordOptions, inputs: Sequence[Input], measure: Any) -> Sides:
    """Return what is compared, of tables with these columns; one table is both sides."""
    left, right = inputs[0], inputs[-1]
    on = parse_on("on", options.on)
    left_on, right_on = options.on_sides
    equal_on = tuple(names("equal_on", options.equal_on))
    ids = (left.id_column, right.id_column)
    types = tuple(dict(zip(one.schema.names, one.schema.types, strict=True)) for one in (left, right))
    joined = not left_on or list(on) == ["*"]
    weights: tuple[float, ...] = tuple(left_on.values())
    left_names, right_names = tuple(left_on), tuple(right_on)
    if joined:
        weights = (1.0,)
        left_names = tuple(name for name in left.comparable if name not in (*equal_on, ids[0]))
        right_names = tuple(name for name in right.comparable if name not in (*equal_on, ids[1]))
    for name in measure if isinstance(measure, Mapping) else ():
        if name not in left_names:
            raise OptionError(f"measure names field {name!r}; compared are {', '.join(left_names)}")
    symmetric = all(measure_of(measure, name).symmetric for name in left_names)
    return Sides(
        left_names,
        right_names,
        weights,
        joined,
        ids,
        symmetric,
        equal_on,
        (types[0], types[1]),
        clean=options.clean,
    )


def check_inputs(run: Run, inputs: Sequence[Input], sides: Sides) -> None:
    """Refuse in words columns that are missing or hold no texts, and ids that are missing or not unique."""
    for side, one in enumerate(inputs):
        if not sides.columns(side):
            one.check(sides.equal_on)
            raise OptionError(f"{one.name} has no column to compare besides the id")
        own = [sides.ids[side]] if sides.ids[side] else []
        one.check([*sides.columns(side), *sides.equal_on, *(name for name in own if name is not None)])
        check_ids(run, one)


def _reciprocal(run: Run, forth: Sequence[Path], back: Sequence[Path]) -> tuple[Path, ...]:
    """Return the files of the pairs in which each record is the other's best partner, asked from its own side."""
    run.engine.load("forth", forth)
    run.engine.load("back", back)
    sql = (
        "SELECT forth.* FROM forth JOIN back ON forth.right_position = back.left_position "
        "AND forth.left_position = back.right_position ORDER BY forth.left_position"
    )
    return tuple(run.engine.write(sql, run.place("reciprocal")))
