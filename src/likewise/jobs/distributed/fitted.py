"""Fit measures to all records: a sample of the texts chooses them, tasks count what they learn."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pyarrow as pa

from likewise.errors import OptionError
from likewise.jobs.distributed.blocks import plan
from likewise.jobs.distributed.input import Input
from likewise.jobs.distributed.run import Run, block_size, bytes_each, compared_size, records_in
from likewise.jobs.distributed.sides import Sides
from likewise.jobs.distributed.statistics import MEASURE, learn
from likewise.measure import FieldMeasure, FieldsMeasure, Measure, TextMeasure, TfIdf, as_measure
from likewise.measure.arguments import in_language
from likewise.measure.terms import TermMeasure
from likewise.records.measures import default_measure, default_note, length_step, typical_length

_READ, _HELD = 1 << 13, 8  # records that the driver holds while it looks how long texts are, and what they take
_LEARNT = 30  # what a measure takes in memory, in bytes of its saved form


@dataclass(frozen=True, slots=True)
class Learnt:
    """The measures of the fields, fitted to all records; the run with blocks that suit the texts; what was decided."""

    run: Run
    measures: Sequence[TextMeasure]
    notes: tuple[str, ...] = ()

    def measure(self, sides: Sides) -> Measure:
        """Return the measure of records: that of the text, or of the fields together."""
        return of_records(self.measures, sides)


def of_records(measures: Sequence[TextMeasure], sides: Sides) -> Measure:
    """Return the measure of records: that of the text, or of the fields together."""
    if len(measures) == 1:
        return measures[0]
    fields = zip(sides.left, sides.weights, measures, sides.right, strict=True)
    return FieldsMeasure([FieldMeasure(*field) for field in fields])


@dataclass(frozen=True, slots=True)
class Suited:
    """The measures that suit the texts, not fitted yet; the run with blocks that suit them; what a sample shows."""

    run: Run
    measures: Sequence[TextMeasure]
    sample: Sequence[Sequence[Sequence[str | None]]]
    """Texts by side and field."""
    bytes_each: float
    """How long a record is."""

    @property
    def by_words(self) -> bool:
        """Whether all fields are compared by words."""
        return all(isinstance(one, TermMeasure) for one in self.measures)

    def notes(self, measure: Any) -> tuple[str, ...]:
        """Return why fields are compared by words, where nobody named a measure."""
        chosen = zip(self.measures, self.sample[0], strict=True) if measure is None else ()
        return tuple(default_note(one, typical_length(field)) for one, field in chosen if isinstance(one, TfIdf))


def suited(run: Run, inputs: Sequence[Input], sides: Sides, measure: Any, language: str | None = None) -> Suited:
    """Choose the measures of the fields, and how large blocks are."""
    sample = [_sample(run, sides, side, one) for side, one in enumerate(inputs)]
    texts = [[text for side in sample for text in side[field]] for field in range(len(sides.weights))]
    bytes_each = sum(len((text or "").encode()) for field in texts for text in field) / max(1, len(texts[0]))
    wanted = [measure_of(measure, *one).copy() for one in zip(names_of(sides), texts, strict=True)]
    if language is not None:
        wanted = [in_language(one, language) for one in wanted]
    found = Suited(run, wanted, sample, bytes_each)
    run = replace(run, block=run.settled("block", block_size(run.memory, bytes_each, found.by_words)))
    shares = any(isinstance(one, TermMeasure) for one in wanted) and all(one.statistics is None for one in wanted)
    return replace(found, run=replace(run, shares=shares))


def fitted(
    run: Run, inputs: Sequence[Input], sides: Sides, measure: Any, language: str | None = None, name: str = MEASURE
) -> Learnt:
    """Fit the measures of the fields to all records."""
    found = suited(run, inputs, sides, measure, language)
    return replace(fitted_to(found, inputs, sides, name), notes=found.notes(measure))


def fitted_to(found: Suited, inputs: Sequence[Input], sides: Sides, name: str = MEASURE) -> Learnt:
    """Fit measures that were chosen to all records."""
    run = found.run
    with run.stage("learn"):
        shards = [(side, block) for side, one in enumerate(inputs) for block in run.blocks_of(one.files)]
        measures = learn(run, sides, found.measures, shards, name)
    run = replace(run, compared=run.settled("pairs-block", compared_size(_room(run), found.bytes_each, found.by_words)))
    return Learnt(run, measures)


def names_of(sides: Sides) -> list[str]:
    """Return what the compared fields are called."""
    return [sides.left[0]] if sides.joined else list(sides.left)


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
    """Return plain values that identify a measure."""
    if isinstance(measure, Mapping):
        return {name: specification(one) for name, one in measure.items()}
    return None if measure is None else as_measure(measure, default_measure()).to_json()


def reported(run: Run, measure: Measure) -> Measure:
    """Return the measure that was used, and name it in the run report: often none was asked for."""
    run.report.options["measure"] = str(getattr(measure, "summary", measure))
    return measure


def _room(run: Run) -> int:
    """Return what a task has for its blocks: the vocabulary is in its memory, too, once a process and at the driver."""
    memory, copies = run.memory * run.together, 2 if run.embedded else 1
    vocabulary = _LEARNT * (run.folder / f"{MEASURE}.json").stat().st_size
    return max(memory // 4, memory - copies * vocabulary)


def _sample(run: Run, sides: Sides, side: int, one: Input) -> list[list[str | None]]:
    """Return of each field the texts that say how long they are: those that one machine looks at."""
    found: list[list[str | None]] = [[] for _ in sides.weights]
    step, most = length_step(records_in(one.files)), int(run.memory / (_HELD * max(1.0, bytes_each(one.files))))
    most = max(1, min(_READ, most))
    for block in plan(one.files, max(step, most)):
        # Of far apart records each is read by itself.
        path, start, _ = block.parts[0]
        records = sides.read(side, block if step < most else replace(block, parts=((path, start, start + 1),)))
        chosen = records.table.take(pa.array(range(-block.first % step, len(records), step), pa.int64()))
        for texts, column in zip(found, sides.fields(side, replace(records, table=chosen)), strict=True):
            texts += column.values()
    return found
