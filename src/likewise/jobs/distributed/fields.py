"""The fields of a decision whose records are in files: the values of all records, and their candidates.

A :class:`TaskField` is what tasks know of a field; :class:`FieldInFiles` answers what a decision asks of it, in
tasks or in SQL.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from numpy.typing import NDArray

from likewise.engines import Apart
from likewise.engines.sql import double
from likewise.jobs.distributed.blocks import Block
from likewise.jobs.distributed.distinct import hashed, signed
from likewise.jobs.distributed.input import Input
from likewise.jobs.distributed.part_files import rows_and_bytes, write_once
from likewise.jobs.distributed.run import Run
from likewise.jobs.distributed.sides import Sides
from likewise.jobs.distributed.statistics import read_measures
from likewise.jobs.distributed.strips import strips
from likewise.measure import TextMeasure
from likewise.records.columns import Column, field_columns, shown
from likewise.records.comparison import Comparison
from likewise.records.evidence import FieldModel, as_they_appear, usual_distance
from likewise.records.kinds import KINDS, magnitudes, normalised

Rows = NDArray[np.int64]
Values = NDArray[np.float64]
_HASHES = ("high", "low", "text_high", "text_low")
_SCHEMA = pa.schema(
    [
        *((name, pa.int64()) for name in ("field", "side", "position", *_HASHES, "length")),
        ("one", pa.float64()),
        ("other", pa.float64()),
        ("value", pa.string()),
    ]
)
_OFTEN = """
SELECT one.field, one.position, every.often FROM field_values AS one JOIN (
    SELECT field, side, high, low, COUNT(*) AS often FROM field_values GROUP BY field, side, high, low
) AS every ON one.field = every.field AND one.side = every.side AND one.high = every.high AND one.low = every.low
WHERE one.side = {side} ORDER BY one.position, one.field
"""
_TEXTS = """
SELECT field, side, COUNT(*) AS texts, SUM(times) AS records, SUM(length) AS letters FROM (
    SELECT field, side, text_high, text_low, COUNT(*) AS times, MIN(length) AS length FROM field_values
    GROUP BY field, side, text_high, text_low
) AS texts GROUP BY field, side
"""
# Values are named in the order in which they first appear, left before right.
_COMMON = """
SELECT first.value, every.share FROM (
    SELECT high, low, MIN(place) AS place, MAX(share) AS share FROM (
        SELECT high, low, MIN(side * {far} + position) AS place, COUNT(*) / CAST(MIN({size}) AS DOUBLE) AS share
        FROM field_values WHERE field = {field} GROUP BY high, low, side
    ) AS sides GROUP BY high, low
) AS every JOIN field_values AS first ON first.field = {field} AND first.side * {far} + first.position = every.place
WHERE every.share > {least} ORDER BY every.place
"""


@dataclass(frozen=True, slots=True)
class TaskField:
    """A field as tasks know it: its name and kind, how it is read, the file of its measure, the scale of what it is."""

    name: str
    kind: str
    sides: Sides
    measure: Path | None
    scale: tuple[bool, float] | None = None

    def read(self, side: int, block: Block) -> Column:
        """Return the texts of a block."""
        return self.sides.fields(side, self.sides.read(side, block))[0]

    def fitted(self) -> TextMeasure | None:
        """Return the measure of its letters."""
        return None if self.measure is None else read_measures(self.measure)[0]


@dataclass(frozen=True, slots=True)
class FieldTask(Apart):
    """Blocks -> ``values/*.parquet``: of each field of a record its value and its text as hashes, and what it measures.

    The first of the fields is the whole record, whose ``length`` is that of the text that is ``shown``.
    """

    folder: Path
    fields: tuple[TaskField, ...]
    shown: Sides

    def shard(self, state: None, shard: tuple[int, Block]) -> dict[str, Any]:
        """Look at the records of one block."""
        side, block = shard
        path = write_once(self.folder / f"{side}-{block.name}.parquet", lambda: self._every_value(side, block))
        return rows_and_bytes(path, "values")

    def _every_value(self, side: int, block: Block) -> pa.Table:
        return pa.concat_tables([self._values(number, side, block) for number in range(len(self.fields))])

    def _values(self, number: int, side: int, block: Block) -> pa.Table:
        one = self.fields[number]
        records = one.sides.read(side, block)
        column = one.sides.fields(side, records)[0]
        # Texts are told apart as they are, before they are brought into one form.
        told = column if one.sides.digits else field_columns(records, one.sides.columns(side), one.sides.joined)[0]
        there = np.flatnonzero(column.codes >= 0)
        codes = column.codes[there]
        values = [normalised(one.kind, text) for text in column.texts]
        hashes = np.array([_both(v, t) for v, t in zip(values, told.texts, strict=True)], np.int64).reshape(-1, 4)
        numbers = np.full((len(values), 2), np.nan)
        if KINDS[one.kind].measured:
            found = magnitudes(one.kind, column.texts)
            numbers[:, : found.shape[1]] = found
        if number:
            lengths = np.array([len(text) for text in column.texts], np.int64)[codes]
        else:
            texts = shown(self.shown.fields(side, self.shown.read(side, block)))
            lengths = pc.utf8_length(texts).fill_null(0).to_numpy(zero_copy_only=False).astype(np.int64)[there]
        first = np.unique(codes, return_index=True)[1]
        named = np.full(len(there), None, object)
        named[first] = [values[code] for code in codes[first].tolist()]
        columns = {
            "field": np.full(len(there), number),
            "side": np.full(len(there), side),
            "position": there + block.first,
            **{name: hashes[codes, place] for place, name in enumerate(_HASHES)},
            "length": lengths,
            "one": numbers[codes, 0],
            "other": numbers[codes, 1],
            "value": named,
        }
        return pa.table({name: pa.array(columns[name], _SCHEMA.field(name).type) for name in _SCHEMA.names})


def _both(value: str, text: str) -> tuple[int, ...]:
    return *signed(hashed([value])), *signed(hashed([text]))


@dataclass(frozen=True, slots=True)
class Fields:
    """The fields of all records, the whole record first; what tasks found of them lies in files."""

    run: Run
    inputs: Sequence[Input]
    told: tuple[TaskField, ...]
    sizes: tuple[int, int]
    counts: dict[tuple[int, int], tuple[int, int, int]] = field(default_factory=dict)
    """By field and side: distinct texts, records that have one, letters of the distinct texts."""

    @property
    def sides(self) -> range:
        """The numbers of the sides: one table has one side."""
        return range(len(self.inputs))

    def counted(self, number: int, side: int) -> tuple[int, int, int]:
        """Return for a field and a side the number of distinct texts, of records that have one, and of letters."""
        return self.counts.get((number, side if len(self.inputs) > 1 else 0), (0, 0, 0))

    def measured(self, number: int) -> tuple[Values, Values]:
        """Return what the records of both sides measure in a field, two numbers each (NaN: nothing)."""
        found = []
        for side in self.sides:
            rows = self.run.engine.fetch(
                f"SELECT position, one, other FROM field_values WHERE field = {number} AND side = {side}"
            )
            values = np.full((self.sizes[side], 2), np.nan)
            values[rows.column("position").to_numpy()] = np.column_stack(
                [rows.column(name).to_numpy() for name in ("one", "other")]
            )
            found.append(values)
        return found[0], found[-1]

    def scaled(self) -> "Fields":
        """Return the fields with the scale of what is measured, where that is not known yet."""
        told = list(self.told)
        for number, one in enumerate(told):
            if KINDS[one.kind].measured and one.scale is None:
                left, right = (side[:, : 2 if one.kind == "coordinates" else 1] for side in self.measured(number))
                there = [side[~np.isnan(side).all(1)] for side in (left, right)]
                told[number] = replace(one, scale=usual_distance(one.kind, np.concatenate(there)))
        return replace(self, told=tuple(told))

    def lengths(self) -> Rows:
        """Return the length of the shown text of each left record."""
        found = self.run.engine.fetch("SELECT position, length FROM field_values WHERE field = 0 AND side = 0")
        lengths = np.zeros(self.sizes[0], np.int64)
        lengths[found.column("position").to_numpy()] = found.column("length").to_numpy()
        return lengths

    def often(self) -> tuple[tuple[Path, ...], ...]:
        """Return the files that say of each field of a record how many records of its side have its value."""
        engine = self.run.engine
        return tuple(
            tuple(engine.write(_OFTEN.format(side=side), self.run.place(f"often/{side}"))) for side in self.sides
        )


def looked_through(run: Run, inputs: Sequence[Input], told: Sequence[TaskField], shown_as: Sides) -> Fields:
    """Look at every field of every record."""
    folder = run.place("values")
    shards = [(side, block) for side, one in enumerate(inputs) for block in run.blocks_of(one.files)]
    run.map(FieldTask(folder, tuple(told), shown_as), shards, "blocks looked through")
    run.engine.load("field_values", [folder / f"{side}-{block.name}.parquet" for side, block in shards])
    sizes = [sum(len(block) for side, block in shards if side == place) for place in range(len(inputs))]
    found = run.engine.fetch(_TEXTS)
    counts = {
        (row["field"], row["side"]): (int(row["texts"]), int(row["records"]), int(row["letters"]))
        for row in found.to_pylist()
    }
    return Fields(run, inputs, tuple(told), (sizes[0], sizes[-1]), counts)


@dataclass(frozen=True, slots=True)
class FieldInFiles:
    """See :class:`likewise.records.evidence.Asked`: a field of records that are in files."""

    fields: Fields
    number: int

    @property
    def told(self) -> TaskField:
        """The field as tasks know it."""
        return self.fields.told[self.number]

    @property
    def name(self) -> str:
        """Its name."""
        return self.told.name

    @property
    def kind(self) -> str:
        """Its kind."""
        return self.told.kind

    def texts(self, side: int) -> tuple[int, int]:
        """Return how many records of a side have a text, and how many distinct texts these are."""
        distinct, present, _ = self.fields.counted(self.number, side)
        return present, distinct

    def codes(self, side: int) -> Rows:
        """Return which text each record of a side has, numbered as they first appear; -1: none."""
        return self._numbered(side, "text_high", "text_low")

    def values(self, side: int) -> Rows:
        """Return which value each record of a side has, equal however it is written."""
        return self._numbered(side, "high", "low")

    def _numbered(self, side: int, high: str, low: str) -> Rows:
        side = side if len(self.fields.inputs) > 1 else 0
        rows = self.fields.run.engine.fetch(
            f"SELECT position, {high}, {low} FROM field_values WHERE field = {self.number} AND side = {side} "
            f"ORDER BY position"
        )
        hashes = np.zeros((self.fields.sizes[side], 2), np.int64)
        there, places = np.zeros(self.fields.sizes[side], bool), rows.column("position").to_numpy()
        hashes[places] = np.column_stack([rows.column(name).to_numpy() for name in (high, low)])
        there[places] = True
        return as_they_appear(hashes, there)

    def alike(self, side: int, a: Rows, b: Rows) -> Values:
        """Return the scores of records of a side with others of it, which one task reads."""
        blocks = self.fields.run.blocks_of(self.fields.inputs[side].files)
        (found,) = self.fields.run.map(AlikeTask(self.told, side), [(blocks, a.tolist(), b.tolist())], "pairs compared")
        return np.array(found["scores"], float)

    def nearest_texts(self, side: int) -> Values:
        """Return the best score of the distinct texts of a side with another of them, where they have any."""
        files, sides = self.fields.inputs[side].files, self.told.sides
        sides = sides.swapped() if side else sides
        itself = replace(sides, right=sides.left, types=(sides.types[0],) * 2, gone=(sides.gone[0],) * 2, bare=True)
        itself = replace(itself, forms=None if sides.forms is None else (sides.forms[0],) * 2)
        name = f"series/{self.number}-{side}"
        found = strips(
            self.fields.run, [files, files], itself, name, 1, 0.0, True, exclude_equal=True, learnt=self.told.measure
        )
        codes = self.codes(side)
        best = np.zeros(self.texts(side)[1])
        pairs = pq.read_table(list(found), columns=["left_position", "score"])
        best[codes[pairs.column("left_position").to_numpy()]] = pairs.column("score").to_numpy()
        return best

    def model(self) -> FieldModel:
        """Return what a model keeps of the field: the values that several records have, among it."""
        lefts, rights = self.fields.sizes
        alone = 1 / max(1, min(lefts, rights))
        sql = _COMMON.format(
            far=lefts + 1,
            size=f"CASE WHEN side = 0 THEN {lefts} ELSE {rights} END",
            field=self.number,
            least=double(alone * (1 + 1e-9)),
        )
        rows = self.fields.run.engine.fetch(sql)
        common = dict(zip(rows.column("value").to_pylist(), map(float, rows.column("share").to_pylist()), strict=True))
        return FieldModel(self.kind, self.told.fitted(), self.told.scale, common, alone)


@dataclass(frozen=True, slots=True)
class AlikeTask(Apart):
    """Some records of a side, wherever they are -> the scores of pairs of them, as this task's counts."""

    told: TaskField
    side: int

    def shard(self, state: None, shard: tuple[Sequence[Block], list[int], list[int]]) -> dict[str, Any]:
        """Read the records that are asked for, and compare them."""
        blocks, a, b = shard
        wanted = np.unique(np.array([*a, *b], np.int64))
        texts: list[str | None] = []
        for block in blocks:
            mine = wanted[(wanted >= block.first) & (wanted < block.end)] - block.first
            if len(mine):
                column = self.told.read(self.side, block)
                texts += [None if code < 0 else column.texts[code] for code in column.codes[mine].tolist()]
        column = Column.of(texts)
        measure = self.told.fitted()
        assert measure is not None
        both = Comparison([column], [column], [measure], [1.0], threads=1)
        places = (np.searchsorted(wanted, np.array(side, np.int64)) for side in (a, b))
        return {"scores": both.scores(*places).tolist()}
