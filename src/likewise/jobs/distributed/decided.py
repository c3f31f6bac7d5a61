"""Decide which records in files are the same: tasks compare the candidates, the driver decides on numbers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from likewise.errors import OptionError
from likewise.jobs.distributed.asked import Job
from likewise.jobs.distributed.blocks import plan
from likewise.jobs.distributed.compared import ComparedInFiles, compare, find_candidates
from likewise.jobs.distributed.facts import ColumnFacts, ColumnTexts, look
from likewise.jobs.distributed.fields import FieldInFiles, Fields, TaskField, looked_through
from likewise.jobs.distributed.fitted import Learnt, fitted, measure_of, reported
from likewise.jobs.distributed.input import Input
from likewise.jobs.distributed.judged import Judgement
from likewise.jobs.distributed.limits import AllAtOnceError, check_numbers
from likewise.jobs.distributed.pair_rows import pair_rows
from likewise.jobs.distributed.run import Run, block_size, bytes_each, records_in
from likewise.jobs.distributed.sides import Sides
from likewise.jobs.distributed.statistics import MEASURE, kept
from likewise.measure import Measure, TextMeasure, TfIdf
from likewise.options import check_choice
from likewise.platform import release_memory
from likewise.read.tables import Records
from likewise.records.compared import NUMBERS
from likewise.records.deciding import PARTNERS, bounded, corrected, decide_on
from likewise.records.decision import FEWEST, JOINED, Decision
from likewise.records.kinds import KINDS
from likewise.records.model import Model
from likewise.records.options import MatchOptions, RecordOptions, parse_kinds, parse_on
from likewise.records.pairing import paired, together, with_names_of
from likewise.records.partners import Relation
from likewise.records.refit import refit
from likewise.records.tables import BEFORE
from likewise.results.parts import Parts

_MOST = 20_000  # records whose values say which columns go together, as on one machine


@dataclass(frozen=True, slots=True)
class Decided:
    """A decision, the model that was learnt or given, and what the rows of it are written from."""

    run: Run
    inputs: Sequence[Input]
    sides: Sides
    fields: Fields
    said: ComparedInFiles
    decision: Decision
    model: Model | None
    measure: Measure
    notes: tuple[str, ...]

    def scores(self, a: NDArray[np.int64], b: NDArray[np.int64], chosen: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the scores of candidates, either way round."""
        forth = self.said.column("score")
        if not self.said.has("back"):
            return forth[chosen]
        return np.where(a < b, forth[chosen], self.said.column("back")[chosen])

    def rows(self, name: str, numbers: Mapping[str, Any], names: Sequence[str], weights: bool = False) -> Parts:
        """Let tasks write pairs, given as positions and numbers in the order of the left records, with ids and texts.

        ``weights``: what each field weighs, a row each.
        """
        fields = (BEFORE, *self.decision.fields) if weights else ()
        return Parts(pair_rows(self.run, self.inputs, self.sides, name, numbers, fields), tuple(names))

    def evidence(self, chosen: NDArray[np.int64]) -> Parts:
        """Let tasks write what each field says about some candidates: ``left``, ``right``, ``field``, ``weight``."""
        found, parts = self.decision.found, self.decision.parts
        numbers = {"left": found.left[chosen], "right": found.right[chosen]}
        weights = np.column_stack([np.full(len(chosen), self.decision.prior), parts[chosen]])
        numbers |= {f"weight{place}": weights[:, place] for place in range(weights.shape[1])}
        return self.rows("weights", numbers, ("left", "right", "field", "weight"), weights=True)


def decide_in_files(
    run: Run,
    inputs: Sequence[Input],
    sides: Sides,
    measure: Any,
    options: RecordOptions,
    known: Model | None,
    relation: Relation | None = None,
    judged: Judgement | None = None,
) -> Decided:
    """Decide on the records of two tables, or of one, which stay in files, with what was ``judged``."""
    longest = max(bytes_each(one.files) for one in inputs)
    run = replace(run, block=run.settled("block", block_size(run.memory, longest)))
    with run.stage("facts"):
        looked = look(run, inputs, sides)
        sides = looked.sides
        pairs, same, told = _pairs(looked, options, known)
        if not pairs:
            raise AllAtOnceError  # no columns go together: the texts of all are compared, and nothing else
        if len(pairs) == 1 and len(inputs) == 2 and sides.joined and not parse_on("on", options.on):
            # As pairing.only_one in memory: what only one table has is left out.
            sides = replace(sides, left=(pairs[0][0],), right=(pairs[0][1],))
        if known is not None:
            known.check(len(inputs) == 1, [name for name, _ in pairs])
            known.save(run.folder / "model.json")
        facts = looked.columns(pairs, _kinds(pairs, options, known))
    scores = known.scores if known is not None and measure is None else measure
    learnt = fitted(run, inputs, sides, scores, options.language)
    run = replace(learnt.run, shares=learnt.run.shares and known is None)
    fields = _fields(run, inputs, sides, facts, known, learnt)
    candidates = find_candidates(run, fields, None if judged is None else judged.labels[:2])
    numbered = range(len(fields.told)) if len(facts) > 1 else range(1)
    asked = [place for place in numbered if known is None or not place or fields.told[place].name in known.learnt.names]
    said = compare(run, fields, candidates, asked, sides, None if known is None else run.folder / "model.json")
    with run.stage("decision"):
        kinds = [(one.names[0], one.kind) for one in facts]
        learnt_before = None if known is None else known.learnt
        found = said.compared()
        release_memory()  # what reading the files took
        decision = decide_on(found, kinds, PARTNERS, relation, options.precision, learnt_before)
        decision = bounded(decision, found, PARTNERS)
        if judged is not None:
            decision = refit(decision, judged.labels, options.precision)
        model = known
        if known is not None:
            decision = corrected(decision, known.learnt, options.precision)
        else:
            made = _model(decision, fields, learnt.measure(sides))
            kept = () if judged is None else judged.kept
            model = None if made is None else replace(made, paired=same, labels=kept)
    notes = [note for side, one in enumerate(inputs) for note in (*one.notes, *looked.notes[side])]
    if len(inputs) == 2 or isinstance(options, MatchOptions):
        notes += [*told, *_empty(inputs, fields), *learnt.notes]
    used = reported(run, learnt.measure(sides))
    return Decided(run, inputs, sides, fields, said, decision, model, used, tuple(notes))


def _pairs(
    looked: ColumnTexts, options: RecordOptions, known: Model | None
) -> tuple[list[tuple[str, str]], Mapping[str, str], list[str]]:
    """Return the columns that go together, those of other names among them, and what to say of these."""
    sides = looked.sides
    if not sides.joined:
        return list(zip(sides.left, sides.right, strict=True)), {}, []
    if len(looked.inputs) == 1 or parse_on("on", options.on):
        return [(name, name) for name in sides.left if name in sides.right], {}, []
    left, right = (_some(sides, side, one) for side, one in enumerate(looked.inputs))
    same = paired(left, right) if known is None else known.paired
    _, notes = with_names_of(left, right, same)
    return list(together(sides.left, sides.right, same).items()), same, notes


def _some(sides: Sides, side: int, one: Input) -> Records:
    """Return the records whose values say which columns go together."""
    step = max(1, records_in(one.files) // _MOST)
    parts = []
    for block in plan(one.files, 1 << 13):
        records = sides.read(side, block)
        rows = pa.array(range(-block.first % step, len(records), step), pa.int64())
        parts.append(records.table.select(sides.columns(side)).take(rows))
    table = pa.concat_tables(parts)
    return Records(table, pa.array(range(table.num_rows), pa.int64()), one.name)


def _kinds(pairs: Sequence[tuple[str, str]], options: RecordOptions, known: Model | None) -> dict[str, str]:
    """Return the kinds that are told, or known."""
    told = parse_kinds(options.kinds)
    for name in told:
        check_choice("a field that kinds names", name, [mine for mine, _ in pairs])
    if known is not None:
        return {mine: known.fields[mine].kind for mine, _ in pairs}
    return told


def _fields(
    run: Run, inputs: Sequence[Input], sides: Sides, facts: Sequence[ColumnFacts], known: Model | None, learnt: Learnt
) -> Fields:
    """Return the whole record, its fields, and the numbers in their texts, with their measures."""
    place, plain = run.place("measures"), replace(sides, weights=(1.0,), equal_on=())
    whole, path = sides, run.folder / f"{MEASURE}.json"
    if len(sides.weights) > 1:
        names = [tuple(one.names[side] for one in facts) for side in (0, 1)]
        whole = replace(sides, left=names[0], right=names[1], weights=(1.0,), joined=True)
        if known is None:
            fitted(run, inputs, whole, None, None, "joined")
            path = run.folder / "joined.json"
        else:
            path = kept(place / "joined.json", _of_texts(known.joined))
    told = [TaskField(JOINED, "text", whole, path)]
    made = [_by_itself(plain, [one]) for one in facts]
    lettered = [at for at, one in enumerate(facts) if KINDS[one.kind].letters]
    measures: dict[int, Any] = {}
    if known is not None:
        measures = {at: known.fields[facts[at].names[0]].measure for at in lettered}
    elif lettered:
        every = _by_itself(plain, [facts[at] for at in lettered])
        measures = dict(zip(lettered, fitted(run, inputs, every, None, None, "fields").measures, strict=True))
    for at, one in enumerate(facts):
        own = kept(place / f"field-{at}.json", measures[at]) if at in measures else None
        scale = None if known is None else known.fields[one.names[0]].scale
        told.append(TaskField(one.names[0], one.kind, made[at], own, scale))
    told += _numbers(run, inputs, plain, facts, known) if len(facts) > 1 else []
    with run.stage("values"):
        return looked_through(run, inputs, told, sides).scaled()


def _numbers(
    run: Run, inputs: Sequence[Input], plain: Sides, facts: Sequence[ColumnFacts], known: Model | None
) -> list[TaskField]:
    """Return the words with digits of texts as fields of their own."""
    place, names = run.place("measures"), {} if known is None else known.numbers
    chosen = [
        one
        for one in facts
        if one.kind in ("text", "name")
        and (f"{one.names[0]}{NUMBERS}" in names and one.known_numbered if known is not None else one.numbered)
    ]
    if not chosen:
        return []
    if known is None:
        every = replace(_by_itself(plain, chosen), digits=True)
        measures: list[Any] = list(fitted(run, inputs, every, TfIdf(smooth=True), None, "numbers").measures)
    else:
        measures = [names[f"{one.names[0]}{NUMBERS}"].measure for one in chosen]
    return [
        TaskField(
            f"{one.names[0]}{NUMBERS}",
            "text",
            replace(_by_itself(plain, [one]), digits=True),
            kept(place / f"numbers-{at}.json", measure),
        )
        for at, (one, measure) in enumerate(zip(chosen, measures, strict=True))
    ]


def _of_texts(measure: Measure) -> TextMeasure:
    assert isinstance(measure, TextMeasure)  # the joined text is one
    return measure


def _by_itself(plain: Sides, facts: Sequence[ColumnFacts]) -> Sides:
    """Return how some columns are read as fields, each brought into one form."""
    names = [tuple(one.names[side] for one in facts) for side in (0, 1)]
    forms = [tuple((one.kind, one.forms[side]) for one in facts) for side in (0, 1)]
    weights = (1.0,) * len(facts)
    return replace(
        plain, left=names[0], right=names[1], weights=weights, joined=False, forms=(forms[0], forms[1]), symmetric=True
    )


def _model(decision: Decision, fields: Fields, scores: Measure) -> Model | None:
    if decision.learnt is None:
        return None
    joined = fields.told[0].fitted()
    assert joined is not None
    there = [FieldInFiles(fields, number) for number in range(1, len(fields.told))]
    own = [one for one in there if not one.told.sides.digits]
    numbers = tuple((one.name, one.model()) for one in there if one.told.sides.digits)
    return Model.of(replace(decision, numbers=numbers), joined, scores, own)


def _empty(inputs: Sequence[Input], fields: Fields) -> list[str]:
    return [
        f"{one.name}: every cell that is compared is empty"
        for side, one in enumerate(inputs)
        if not fields.counted(0, side)[0]
    ]


def check_decidable(
    job: Job, inputs: Sequence[Input], sides: Sides, measure: Any, options: RecordOptions, known: Model | None
) -> None:
    """Leave to one process what is not decided in tasks: few records, and measures that tasks do not know.

    More candidates than this process holds the numbers of are refused.
    """
    records = [records_in(one.files) for one in inputs]
    if min(records) < (FEWEST if known is None else 1) or callable(options.clean):
        raise AllAtOnceError
    try:
        for name in sides.left:
            measure_of(known.scores if known is not None and measure is None else measure, name)
    except OptionError as error:
        raise AllAtOnceError from error
    check_numbers(records, job.running, len(sides.left))
