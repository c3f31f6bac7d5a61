"""Match on an engine: the input is kept, weights are learnt, strips of pairs are found."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

from likewise.analyse.cleaning import with_files_read
from likewise.errors import OptionError
from likewise.jobs.distributed.asked import Job, check_assignable
from likewise.jobs.distributed.decided import check_decidable
from likewise.jobs.distributed.decisions import decided_match
from likewise.jobs.distributed.explained import explained
from likewise.jobs.distributed.fitted import Learnt, fitted_to, measure_of, reported, specification, suited
from likewise.jobs.distributed.input import Input, Source
from likewise.jobs.distributed.job import Finished, begun, check_ids
from likewise.jobs.distributed.judged import Judgement, looked_up
from likewise.jobs.distributed.near import is_near, near_strips
from likewise.jobs.distributed.on_demand import OnDemand, check_brought
from likewise.jobs.distributed.pair_rows import pair_rows
from likewise.jobs.distributed.partners import Afterwards, There
from likewise.jobs.distributed.run import Run, records_in
from likewise.jobs.distributed.sides import Sides
from likewise.jobs.distributed.strips import strips
from likewise.jobs.distributed.terms import count_terms
from likewise.options import least_score
from likewise.records.assignment import assigned
from likewise.records.distinct import ranks
from likewise.records.fields import both_named
from likewise.records.labels import Judged, fingerprint
from likewise.records.model import Model
from likewise.records.options import AUTO, MatchOptions, RecordOptions, names, parse_on
from likewise.records.threshold import check_threshold, labelled, none_from, suggested
from likewise.results.joined import ALL
from likewise.results.parts import MatchParts, PairTexts, Parts
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
    equal_on = names("equal_on", options.equal_on)
    given: list[tuple[Any, Literal["left", "right"], Any, Any]] = [(left, "left", options.left_id, options.left_on)]
    if right is not None:
        given.append((right, "right", options.right_id, options.right_on))
    else:
        options.check_one_table()
    narrow = columns is None and (options.left_on is None) == (options.right_on is None)
    wanted = [(*parse_on("on", on or options.on), *equal_on) for *_, on in given]
    wanted[-1] += columns or ()
    sources = [
        Source(one, name, its_id or options.id, names_of_it, options.read_side(name, job.read), narrow)
        for (one, name, its_id, _), names_of_it in zip(given, wanted, strict=True)
    ]
    listed = not options.decides
    if listed:
        check_threshold(options.min_score, labels)
    identity = {"measure": specification(measure), "options": str(replace(options, threads=None))}
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
        if listed and options.one_to_one:
            check_assignable(sum(records_in(one.files) for one in inputs), job.running)
        if not listed:
            check_decidable(job, inputs, sides, measure, options, model)
        judged = None if labels is None else looked_up(run, inputs, sides, labels, job.read)
        if not listed:
            return decided_match(run, inputs, sides, measure, options, model, on_demand, columns, judged)
        files, equal = (inputs[0].files, inputs[-1].files), options.exclude_equal
        top = 0 if options.all_pairs else 1 if options.reciprocal else options.top or 1
        asks = judged is not None or options.min_score == AUTO
        value = 0.0 if asks else float(options.min_score or 0)
        threshold, said = None, list[str]()
        chosen = suited(run, inputs, sides, measure, options.language)
        texts = None
        plain = len(inputs) == 1 and not top and not equal and sides.clean is None and not options.explain
        if plain and not asks and is_near(sides, chosen.measures, chosen.bytes_each, least_score(value)):
            with run.stage("learn"):
                terms, fitted = count_terms(chosen.run, files[0], sides, chosen.measures[0])
            learnt, texts = Learnt(chosen.run, [fitted]), PairTexts(files[0], sides.left[0])
            run = learnt.run
            found = near_strips(run, terms, sides, least_score(value))
        else:
            learnt = fitted_to(chosen, inputs, sides)
            run = learnt.run
            there = There(run, files, sides, len(inputs) == 1, equal)
            if asks:
                threshold = _threshold(there, on_demand.finished, judged, options.precision)
                value = threshold.value
            least = least_score(value)
            if options.one_to_one:
                found, said = _assigned(there, inputs, least)
            else:
                found = strips(run, files, sides, "pairs", top, least, len(inputs) == 1, equal)
            if options.reciprocal:
                back = found
                if len(inputs) == 2:
                    back = strips(run, files[::-1], sides.swapped(), "back", top, least, False, equal)
                with run.stage("reciprocal"):
                    found = _reciprocal(run, found, back)
        if options.explain:
            found = explained(run, files, sides, found)
        pairs = Parts(found, (*COLUMNS, *(["why"] if options.explain else [])), texts=texts)
        notes = [note for one in inputs for note in one.notes]
        empty = [one.name for one in inputs if not records_in(one.files)]
        notes += [*(f"{name} has no rows" for name in empty), *chosen.notes(measure), *said]
        if value and not len(pairs):
            notes.append(none_from(value))
        return MatchParts(
            pairs,
            on_demand.unmatched(sides, pairs.files),
            reported(run, learnt.measure(sides)),
            tuple(notes),
            run.report,
            threshold=threshold,
            joining=on_demand.joining(found),
            columns=columns,
        )


def _threshold(there: There, finished: Finished, judged: Judgement | None, precision: float | None) -> Threshold:
    """Return the least score that labels suggest, or the scores themselves."""
    with there.run.stage("threshold"):
        if judged is None:
            return suggested(there)
        left, right, same = judged.labels
        return labelled(Afterwards(finished, there), there.scores(left, right), same, precision)


def _assigned(there: There, inputs: Sequence[Input], least: float) -> tuple[tuple[Path, ...], list[str]]:
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
    left_on, right_on = on, on
    if isinstance(options, MatchOptions) and options.left_on is not None:
        left_on, right_on = parse_on("left_on", options.left_on), parse_on("right_on", options.right_on)
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
