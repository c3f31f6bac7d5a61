"""Match on an engine: the input is kept, weights are learnt, strips of pairs are found."""

import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pyarrow as pa

from likewise.analyse.cleaning import with_files_read
from likewise.errors import OptionError
from likewise.jobs.distributed.alone import write_unmatched
from likewise.jobs.distributed.asked import Job
from likewise.jobs.distributed.blocks import plan
from likewise.jobs.distributed.input import Input, Source
from likewise.jobs.distributed.job import begun, check_ids
from likewise.jobs.distributed.pairs import PairTask
from likewise.jobs.distributed.run import Run, block_size, compared_size, records_in
from likewise.jobs.distributed.sides import Sides
from likewise.jobs.distributed.statistics import MEASURE, learn
from likewise.measure import FieldMeasure, FieldsMeasure, Measure, TextMeasure, TfIdf, as_measure
from likewise.measure.arguments import in_language
from likewise.measure.terms import TermMeasure
from likewise.records.measures import default_measure, default_note, stride, typical_length
from likewise.records.model import Model
from likewise.records.options import MatchOptions, RecordOptions, names, parse_on
from likewise.records.threshold import none_from
from likewise.results.parts import MatchParts, Parts

_READ = 1 << 13  # records that the driver holds while it looks for how long texts are
_LEARNT = 30  # what a measure takes in memory, in bytes of its saved form
COLUMNS = ("left", "right", "score", "rank", "left_text", "right_text")


def match_on(
    job: Job, left: Any, right: Any, measure: Any, options: MatchOptions, model: Model | None = None
) -> MatchParts:
    """Return what :func:`likewise.match` gives, found on an engine."""
    options = replace(options, clean=with_files_read(options.clean))
    if (options.left_on is None) != (options.right_on is None):
        raise OptionError("name the columns of both sides, left_on and right_on")
    equal_on = names("equal_on", options.equal_on)
    given = [(left, "left", options.left_id, options.left_on)]
    if right is not None:
        given.append((right, "right", options.right_id, options.right_on))
    elif options.right_on is not None or options.right_id is not None:
        raise OptionError("right_on and right_id need a right table")
    sources = [
        Source(one, name, its_id or options.id, (*parse_on("on", on or options.on), *equal_on), job.read, True)
        for one, name, its_id, on in given
    ]
    top = 0 if options.all_pairs else 1 if options.reciprocal else options.top or 1
    least = 0.0 if options.decides else float(options.min_score or 0)
    identity = {"measure": specification(measure), "options": str(replace(options, threads=None))}
    if model is not None:
        identity["model"] = model.fingerprint
    with begun(job, "match", sources, identity) as run:
        with run.stage("keep"):
            inputs = [source.bring(run, run.place(source.name)) for source in sources]
            sides = sides_of(options, inputs, measure)
            check_inputs(run, inputs, sides)
        if options.decides:
            from likewise.jobs.distributed.decided import check_decidable
            from likewise.jobs.distributed.decisions import decided_match

            check_decidable(job, inputs, sides, measure, options, model)
            return decided_match(run, inputs, sides, measure, options, model)
        learnt = fitted(run, inputs, sides, measure, options.language)
        run = learnt.run
        files, equal = [inputs[0].files, inputs[-1].files], options.exclude_equal
        found = strips(run, files, sides, "pairs", top, least, len(inputs) == 1, equal)
        if options.reciprocal:
            back = found
            if len(inputs) == 2:
                back = strips(run, files[::-1], sides.swapped(), "back", top, least, False, equal)
            with run.stage("reciprocal"):
                found = _reciprocal(run, found, back)
        pairs = Parts(found, COLUMNS)
        with run.stage("unmatched"):
            unmatched = write_unmatched(run, inputs, sides, pairs.files)
        notes = [note for one in inputs for note in one.notes]
        empty = [one.name for one in inputs if not records_in(one.files)]
        notes += [*(f"{name} has no rows" for name in empty), *learnt.notes]
        if least and not len(pairs):
            notes.append(none_from(least))
        return MatchParts(pairs, unmatched, learnt.measure(sides), tuple(notes), run.report)


def names_of(sides: Sides) -> list[str]:
    """Return what the compared fields are called."""
    return [sides.left[0]] if sides.joined else list(sides.left)


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
        left_names = tuple(name for name in left.columns if name not in (*equal_on, ids[0]))
        right_names = tuple(name for name in right.columns if name not in (*equal_on, ids[1]))
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


@dataclass(frozen=True, slots=True)
class Learnt:
    """The measures of the fields, fitted to all records; the run with blocks that suit the texts; what was decided."""

    run: Run
    measures: Sequence[TextMeasure]
    notes: tuple[str, ...]

    def measure(self, sides: Sides) -> Measure:
        """Return the measure of records: that of the text, or of the fields together."""
        if len(self.measures) == 1:
            return self.measures[0]
        fields = zip(sides.left, sides.weights, self.measures, sides.right, strict=True)
        return FieldsMeasure([FieldMeasure(*field) for field in fields])


def fitted(
    run: Run, inputs: Sequence[Input], sides: Sides, measure: Any, language: str | None = None, name: str = MEASURE
) -> Learnt:
    """Fit the measures of the fields to all records."""
    sample = [_sample(sides, side, one) for side, one in enumerate(inputs)]
    texts = [[text for side in sample for text in side[field]] for field in range(len(sides.weights))]
    bytes_each = sum(len((text or "").encode()) for field in texts for text in field) / max(1, len(texts[0]))
    wanted = [measure_of(measure, *one).copy() for one in zip(names_of(sides), texts, strict=True)]
    if language is not None:
        wanted = [in_language(one, language) for one in wanted]
    by_words = all(isinstance(one, TermMeasure) for one in wanted)
    run = replace(run, block=run.settled("block", block_size(run.memory, bytes_each, by_words)))
    run = replace(run, shares=all(one.statistics is None for one in wanted))
    with run.stage("learn"):
        shards = [(side, block) for side, one in enumerate(inputs) for block in run.blocks_of(one.files)]
        measures = learn(run, sides, wanted, shards, name)
    run = replace(run, compared=run.settled("pairs-block", compared_size(_room(run), bytes_each, by_words)))
    chosen = zip(measures, sample[0], strict=True) if measure is None else ()
    notes = [default_note(one, typical_length(field)) for one, field in chosen if isinstance(one, TfIdf)]
    return Learnt(run, measures, tuple(notes))


def _room(run: Run) -> int:
    """Return what a task has for its blocks: the vocabulary is in its memory, too, once a process and at the driver."""
    memory, copies = run.memory * run.together, 2 if run.embedded else 1
    vocabulary = _LEARNT * (run.folder / f"{MEASURE}.json").stat().st_size
    return max(memory // 4, memory - copies * vocabulary)


def _reciprocal(run: Run, forth: Sequence[Path], back: Sequence[Path]) -> tuple[Path, ...]:
    """Return the files of the pairs in which each record is the other's best partner, asked from its own side."""
    run.engine.load("forth", forth)
    run.engine.load("back", back)
    sql = (
        "SELECT forth.* FROM forth JOIN back ON forth.right_position = back.left_position "
        "AND forth.left_position = back.right_position ORDER BY forth.left_position"
    )
    return tuple(run.engine.write(sql, run.place("reciprocal")))


def strips(
    run: Run,
    files: Sequence[Sequence[Path]],
    sides: Sides,
    name: str,
    top: int,
    min_score: float,
    self_join: bool,
    exclude_equal: bool = False,
    again: bool = False,
    learnt: Path | None = None,
) -> tuple[Path, ...]:
    """Return the files of pairs that tasks find, a strip of left records each.

    ``again``: the right side is compared in the next stage, too, and what was analysed stays for it. ``learnt``: the
    file of the measures, where they are not those of the scores.
    """
    with run.stage(name):
        half = self_join and not top and sides.symmetric
        folder, lefts = run.place(name), run.strips_of(files[0], half)
        learnt = learnt or run.folder / f"{MEASURE}.json"
        rights = tuple(lefts if half else plan(files[1], run.compared))
        analysed = run.place("analysed") if (len(lefts) > 1 or again) and run.shares else None
        task = PairTask(
            folder, sides, rights, learnt, top, min_score, self_join, exclude_equal, half, run.together, analysed
        )  # fmt: skip
        run.map(task, lefts, "blocks matched")
        if not again:
            shutil.rmtree(run.folder / "analysed", ignore_errors=True)
        return tuple(folder / f"{block.name}.parquet" for block in lefts)


def measure_of(measure: Any, field: str, texts: Sequence[str | None] = ()) -> TextMeasure:
    """Return the measure of a field that was asked for, or that suits its texts."""
    if isinstance(measure, FieldsMeasure):
        measure = {one.name: one.measure for one in measure.fields}
    named = measure.get(field) if isinstance(measure, Mapping) else measure
    wanted = as_measure(named, default_measure(texts))
    if isinstance(wanted, FieldsMeasure):
        return measure_of(wanted, field, texts)
    if not isinstance(wanted, TextMeasure):
        raise OptionError(f"on an engine the measure of a field is one of texts, not {wanted}")
    return wanted


def specification(measure: Any) -> Any:
    """Return what tells a measure from another."""
    if isinstance(measure, Mapping):
        return {name: specification(one) for name, one in measure.items()}
    return None if measure is None else as_measure(measure, default_measure()).to_json()


def _sample(sides: Sides, side: int, one: Input) -> list[list[str | None]]:
    """Return of each field the texts that say how long they are: those that one machine looks at."""
    found: list[list[str | None]] = [[] for _ in sides.weights]
    step = stride(records_in(one.files))
    for block in plan(one.files, max(step, _READ)):
        # Of far apart records each is read by itself.
        path, start, _ = block.parts[0]
        records = sides.read(side, block if step < _READ else replace(block, parts=((path, start, start + 1),)))
        chosen = records.table.take(pa.array(range(-block.first % step, len(records), step), pa.int64()))
        for texts, column in zip(found, sides.fields(side, replace(records, table=chosen)), strict=True):
            texts += column.values()
    return found
