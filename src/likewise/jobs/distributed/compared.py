"""Find the candidates of a decision and compare them, in tasks; the driver holds only numbers."""

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from likewise.engines import Apart
from likewise.jobs.distributed.blocks import Block, plan, ranged
from likewise.jobs.distributed.early import copies_of, early_records
from likewise.jobs.distributed.fields import FieldInFiles, Fields, TaskField
from likewise.jobs.distributed.part_files import files_of, rows_and_bytes, write_once
from likewise.jobs.distributed.run import Run
from likewise.jobs.distributed.sides import Sides
from likewise.jobs.distributed.statistics import read_measures
from likewise.jobs.distributed.strips import strips
from likewise.read.tables import Records
from likewise.records.candidates import Candidates, identifies, in_a_row, of_right_records, other_ways
from likewise.records.columns import Column, keys
from likewise.records.compared import Compared
from likewise.records.comparison import Comparison, rows_of
from likewise.records.deciding import PARTNERS
from likewise.records.evidence import Evidence, Field, FieldModel, nearest
from likewise.records.model import Model
from likewise.records.together import nearest_together

Rows = NDArray[np.int64]
Values = NDArray[np.float64]
_SAID = 300  # bytes that a candidate takes for each field in the memory of a task
_EACH = 40  # candidates of a record, about
_EARLY = """
SELECT a.position AS left_position, b.position AS right_position FROM lists
JOIN early AS a ON left_position = a.place JOIN early AS b ON right_position = b.place
"""
_PAIRS = "SELECT DISTINCT {pair} FROM ({lists}) AS lists {where} ORDER BY left_position, right_position"


def find_candidates(run: Run, fields: Fields, more: tuple[Rows, Rows] | None = None) -> tuple[Path, ...]:
    """Return the files of the candidates of all records, in order: those of one machine."""
    whole, rest = fields.told[0], list(enumerate(fields.told))[1:]
    files, sizes = [fields.inputs[0].files, fields.inputs[-1].files], fields.sizes
    itself, half, few = len(fields.inputs) == 1, other_ways(PARTNERS), of_right_records(PARTNERS)
    copies, positions = copies_of(fields), None
    if copies is not None:
        positions, early = early_records(run, fields, copies)
        files, sizes = [early, early], (len(copies.early),) * 2
    lists = [*strips(run, files, _bare(whole), "forth", PARTNERS, 0.0, itself, learnt=whole.measure)]
    turned: list[Path] = []
    if not itself:
        turned += strips(run, files[::-1], _bare(whole).swapped(), "back", few, 0.0, False, learnt=whole.measure)
    own = [(number, one) for number, one in rest if not one.sides.digits]
    if len(own) > 1:
        proposing = {number: _identifies(fields, number, sizes) for number, _ in own}
        for number, one in own:
            if proposing[number] and one.measure is not None:
                name = f"by/{number}"
                lists += strips(run, files, _bare(one), name, half, 0.0, itself, learnt=one.measure)
        rows = {number: fields.measured(number) for number, one in own if in_a_row(one.kind)}
        values = {number: (left[:, 0], right[:, 0]) for number, (left, right) in rows.items()}
        if copies is not None:
            chosen = copies.early
            values = {number: (one[chosen],) * 2 for number, (one, _) in values.items()}
        found = [nearest(*values[number], half) for number in values if proposing[number]]
        if len(values) > 1 and any(proposing[number] for number in values):
            found.append(nearest_together(list(values.values()), [proposing[number] for number in values], half))
        lists += _written(run, "near", found)
    others = [one for one in (None if copies is None else copies.pairs(), more) if one is not None]
    return _together(run, lists, turned, _written(run, "others", others), positions, itself)


def _bare(told: TaskField) -> Sides:
    """Return how a field is joined by itself: records must agree in nothing else, and the positions are all."""
    return replace(told.sides, bare=True, ids=(None, None))


def _identifies(fields: Fields, number: int, sizes: tuple[int, int]) -> bool:
    counts = [fields.counted(number, side) for side in (0, 1)]
    return identifies((counts[0][0], counts[1][0]), sizes, counts[0][2])


def _written(run: Run, name: str, pairs: Sequence[tuple[Rows, Rows]]) -> list[Path]:
    """Write lists of pairs that this process found, which are numbers."""
    paths = []
    for place, (left, right) in enumerate(pairs):
        columns = {"left_position": pa.array(left, pa.int64()), "right_position": pa.array(right, pa.int64())}
        paths.append(write_once(run.place("near-lists") / f"{name}-{place}.parquet", partial(pa.table, columns)))
    return paths


def _together(
    run: Run,
    lists: Sequence[Path],
    turned: Sequence[Path],
    others: Sequence[Path],
    positions: Path | None,
    itself: bool,
) -> tuple[Path, ...]:
    """Return the pairs of all lists once; ``positions`` are those of the records that were looked at, if not all."""
    run.engine.load("lists", lists)
    every = "SELECT left_position, right_position FROM lists"
    if positions is not None:
        run.engine.load("early", [positions])
        every = _EARLY
    if turned:
        run.engine.load("turned", turned)
        every += " UNION ALL SELECT right_position AS left_position, left_position AS right_position FROM turned"
    if others:
        run.engine.load("others", others)
        every += " UNION ALL SELECT left_position, right_position FROM others"
    pair, where = "left_position, right_position", ""
    if itself:
        pair = (
            "LEAST(left_position, right_position) AS left_position, "
            "GREATEST(left_position, right_position) AS right_position"
        )
        where = "WHERE left_position <> right_position"
    with run.stage("candidates"):
        return tuple(run.engine.write(_PAIRS.format(pair=pair, lists=every, where=where), run.place("candidates")))


@dataclass(frozen=True, slots=True)
class EvidenceTask(Apart):
    """Candidates of some left records -> ``said/*.parquet``: what each field says of them, and their scores."""

    folder: Path
    candidates: tuple[Path, ...]
    fields: tuple[tuple[int, TaskField], ...]
    """The fields that are asked, by number; the whole record is the first."""
    often: tuple[tuple[Path, ...], ...]
    """How many records have the value of one, by side; nothing where a ``model`` knows."""
    sizes: tuple[int, int]
    scored: Sides
    scores: Path
    rights: tuple[Block, ...]
    itself: bool
    model: Path | None = None
    threads: int = 1

    def begin(self) -> "list[FieldModel]":
        """Return what is known of the fields."""
        known = None if self.model is None else Model.load(self.model)
        return [self._known(number, one, known) for number, one in self.fields]

    def _known(self, number: int, one: TaskField, known: Model | None) -> FieldModel:
        if known is not None and number:
            return known.numbers[one.name] if one.sides.digits else known.fields[one.name]
        return FieldModel(one.kind, one.fitted(), one.scale, {}, 1.0)

    def shard(self, state: list[FieldModel], shard: Block) -> dict[str, Any]:
        """Compare the candidates of one strip."""
        path = write_once(self.folder / f"{shard.name}.parquet", lambda: self._compared(state, shard))
        return rows_and_bytes(path, "candidates")

    def _compared(self, state: list[FieldModel], strip: Block) -> pa.Table:
        pairs = ranged(self.candidates, "left_position", strip.first, strip.end)
        left, right = (pairs.column(name).to_numpy() for name in ("left_position", "right_position"))
        lefts = _Read(self, 0, strip)
        parts: list[pa.Table] = []
        order: list[Rows] = []
        for block in self.rights:
            mine = np.flatnonzero((right >= block.first) & (right < block.end))
            if len(mine):
                rights = _Read(self, 0 if self.itself else 1, block)
                told = self._said(state, lefts, rights, left[mine] - strip.first, right[mine] - block.first)
                parts.append(pa.table({"left": left[mine], "right": right[mine], **told}))
                order.append(mine)
        if not parts:
            none = np.zeros(0, np.int64)
            empty = _Read(self, 0 if self.itself else 1, self.rights[0])
            return pa.table({"left": none, "right": none, **self._said(state, lefts, empty, none, none)}).slice(0, 0)
        table = pa.concat_tables(parts).take(pa.array(np.argsort(np.concatenate(order), kind="stable")))
        return table.filter(table.column("agree")).drop_columns(["agree"])

    def _said(
        self, state: list[FieldModel], lefts: "_Read", rights: "_Read", left: Rows, right: Rows
    ) -> dict[str, NDArray[Any]]:
        """Return the columns of some pairs of two blocks, by place."""
        (a, left), (b, right) = (np.unique(side, return_inverse=True) for side in (left, right))
        left, right = left.astype(np.int64), right.astype(np.int64)
        found: dict[str, NDArray[Any]] = {}
        for (number, one), known in zip(self.fields, state, strict=True):
            often = None
            if self.often and not (self.model is not None and number):
                often = (lefts.often(number, a), rights.often(number, b))
            mine, other = rows_of(lefts.column(one), a), rows_of(rights.column(one), b)
            field = Field(one.name, known.kind, mine, other, known.measure, self.threads, known, often)
            said = field.compare(left, right)
            found |= {f"null{number}": said.null, f"alike{number}": said.alike, f"equal{number}": said.equal}
            found |= {f"share{number}": said.share}
            if said.distance is not None:
                found[f"distance{number}"] = said.distance
        ours, theirs = ([rows_of(one, rows) for one in side.scored] for side, rows in ((lefts, a), (rights, b)))
        measures = read_measures(self.scores)
        comparison = Comparison(ours, theirs, measures, self.scored.weights, False, threads=self.threads)
        found["score"] = comparison.scores(left, right)
        if self.itself and not all(measure.symmetric for measure in measures):
            found["back"] = comparison.reversed().scores(right, left)
        if self.itself:
            found["literal"] = _literal(ours, theirs, left, right)
        found["agree"] = np.ones(len(left), bool)
        if self.scored.equal_on:
            one_key, other_key = keys([lefts.records, rights.records], self.scored.equal_on)
            found["agree"] = (one_key[a][left] == other_key[b][right]) & (one_key[a][left] >= 0)
        return found


def _literal(lefts: Sequence[Column], rights: Sequence[Column], left: Rows, right: Rows) -> NDArray[np.bool_]:
    """Return which pairs are of records with the same texts, and any."""
    same, some = np.ones(len(left), bool), np.zeros(len(left), bool)
    for a, b in zip(lefts, rights, strict=True):
        known = {text: number for number, text in enumerate(a.texts)}
        numbers = np.array([*(known.get(text, -2) for text in b.texts), -1], np.int64)
        x, y = a.codes[left], numbers[b.codes[right]]
        same &= x == y
        some |= x >= 0
    return same & some


class _Read:
    """A block of a side, read as its fields are asked for."""

    def __init__(self, task: EvidenceTask, side: int, block: Block) -> None:
        self._task, self._side, self._block = task, side, block
        self._columns: dict[str, Column] = {}
        self._often: pa.Table | None = None
        self._records: Records | None = None

    @property
    def records(self) -> Records:
        """The records as they are scored."""
        if self._records is None:
            self._records = self._task.scored.read(self._side, self._block)
        return self._records

    @property
    def scored(self) -> list[Column]:
        """What scores are made of."""
        for place, column in enumerate(self._task.scored.fields(self._side, self.records)):
            self._columns.setdefault(f"#{place}", column)
        return [self._columns[f"#{place}"] for place in range(len(self._task.scored.weights))]

    def column(self, one: TaskField) -> Column:
        """Return the texts of a field."""
        if one.name not in self._columns:
            self._columns[one.name] = one.read(self._side, self._block)
        return self._columns[one.name]

    def often(self, number: int, rows: Rows) -> Values:
        """Return the share of the records of this side that have the value of each of some records."""
        if self._often is None:
            self._often = ranged(self._task.often[self._side], "position", self._block.first, self._block.end)
        mine = self._often.column("field").to_numpy() == number
        counts = np.zeros(len(self._block), np.int64)
        counts[self._often.column("position").to_numpy()[mine] - self._block.first] = self._often.column(
            "often"
        ).to_numpy()[mine]
        return counts[rows] / max(1, self._task.sizes[self._side])


def compare(
    run: Run, fields: Fields, candidates: tuple[Path, ...], asked: Sequence[int], scored: Sides, model: Path | None
) -> "ComparedInFiles":
    """Let tasks compare every candidate in the fields that are ``asked``, by number."""
    itself, length = len(fields.inputs) == 1, max(1, int(run.memory / (_SAID * _EACH * (len(asked) + 1))))
    files = fields.inputs[0].files
    # On the embedded engine one strip with all threads: what it meets is read and analysed once.
    length = min(run.block, length * run.together if run.embedded else min(length, run.longest(fields.sizes[0])))
    lefts = plan(files, run.settled("said-block", length))
    folder = run.place("said")
    with run.stage("evidence"):
        task = EvidenceTask(
            folder,
            candidates,
            tuple((number, fields.told[number]) for number in asked),
            fields.often(),
            fields.sizes,
            scored,
            run.folder / "measure.json",
            tuple(run.blocks_of(fields.inputs[-1].files)),
            itself,
            model,
            run.together,
        )
        run.map(task, lefts, "strips compared")
    return ComparedInFiles(fields, files_of(folder, lefts), tuple(asked), itself)


@dataclass(frozen=True, slots=True)
class ComparedInFiles:
    """Candidates with what each field says of them, in files; a column is mapped when it is asked for."""

    fields: Fields
    files: tuple[Path, ...]
    asked: tuple[int, ...]
    itself: bool
    _mapped: dict[str, NDArray[Any]] = field(default_factory=dict, compare=False)

    def column(self, name: str) -> NDArray[Any]:
        """Return one number of every candidate, mapped: what all fields say of all is more than need be in memory."""
        if name not in self._mapped:
            size, kind = sum(pq.read_metadata(path).num_rows for path in self.files), self._kind(name)
            with tempfile.TemporaryFile(dir=self.files[0].parent) as file:
                for path in self.files:
                    part = pq.read_table(path, columns=[name]).column(0).to_numpy()
                    file.write(np.ascontiguousarray(part, kind).data)
                file.flush()
                # FieldInFiles is no mapping of nothing.
                self._mapped[name] = np.memmap(file, kind, "r", shape=(size,)) if size else np.zeros(0, kind)
        return self._mapped[name].view(np.ndarray)

    def _kind(self, name: str) -> Any:
        return np.dtype(pq.read_schema(self.files[0]).field(name).type.to_pandas_dtype())

    def has(self, name: str) -> bool:
        """Return whether there is such a column."""
        return name in pq.read_schema(self.files[0]).names

    def evidence(self, number: int) -> Evidence:
        """Return what a field says."""
        distance = self.column(f"distance{number}") if self.has(f"distance{number}") else None
        null, alike, equal, share = (self.column(f"{name}{number}") for name in ("null", "alike", "equal", "share"))
        return Evidence(null, alike, equal, share, distance)

    def compared(self) -> Compared:
        """Return all that a decision rests on, as numbers."""
        left, right, copies = self.column("left"), self.column("right"), copies_of(self.fields)
        late = None if copies is None else copies.late(left, right)
        found = Candidates(left, right, *self.fields.sizes, self.itself, late)
        whole, *rest = (FieldInFiles(self.fields, number) for number in self.asked)
        evidence = tuple(self.evidence(number) for number in self.asked[1:])
        return Compared(found, whole, self.evidence(self.asked[0]), tuple(rest), evidence, ())
