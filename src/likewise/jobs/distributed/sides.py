"""What is compared on each side: the columns, and how tasks read and analyse them."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from likewise.jobs.distributed.analysed import analysed
from likewise.jobs.distributed.blocks import Block
from likewise.join import Prepared
from likewise.measure import TextMeasure
from likewise.read.tables import Records
from likewise.records.cleaning import cleaned, without_values
from likewise.records.columns import Column, field_columns, keys, shown
from likewise.records.comparison import Comparison
from likewise.records.evidence import digits_in
from likewise.records.kinds import Form, written
from likewise.records.options import RecordOptions


@dataclass(frozen=True, slots=True)
class Sides:
    """Columns, ids and keys by side: 0 is left, 1 is right. In a self-join both are the same."""

    left: tuple[str, ...]
    right: tuple[str, ...]
    weights: tuple[float, ...]
    joined: bool
    ids: tuple[str | None, str | None]
    symmetric: bool = True
    equal_on: tuple[str, ...] = ()
    types: tuple[Mapping[str, Any], Mapping[str, Any]] = ({}, {})
    extras: tuple[str, ...] = ()
    """Columns that pairs carry along, as left_ and right_ with their name."""
    clean: Any = None
    """What is done to the compared texts when they are read, by name."""
    gone: tuple[Mapping[str, frozenset[str]], Mapping[str, frozenset[str]]] = ({}, {})
    """Values of columns that stand for none."""
    forms: tuple[Sequence[tuple[str, Form]], Sequence[tuple[str, Form]]] | None = None
    """Of each compared column its kind and how it is written, where texts are brought into one form."""
    digits: bool = False
    """Whether the words with digits are compared, and not the whole texts."""
    bare: bool = False
    """Whether pairs are positions and scores only."""

    def swapped(self) -> "Sides":
        """Return the sides as seen from the right."""
        turned: dict[str, Any] = {
            name: getattr(self, name)[::-1] for name in ("ids", "types", "gone", "forms") if getattr(self, name)
        }
        return replace(self, left=self.right, right=self.left, **turned)

    def columns(self, side: int) -> tuple[str, ...]:
        """Return the compared columns of a side."""
        return self.right if side else self.left

    def read(self, side: int, block: Block) -> Records:
        """Return a block's records, with no columns but those that are needed."""
        wanted = [*self.columns(side), *self.equal_on, *self.extras]
        records = block.read(wanted, self.ids[side], "right" if side else "left", self.types[side])
        records = cleaned(records, self.columns(side), RecordOptions(clean=self.clean))
        return without_values(records, self.gone[side]) if self.gone[side] else records

    def read_rows(self, side: int, blocks: Sequence[Block], wanted: NDArray[np.int64]) -> Records:
        """Return the records at some positions, in order, wherever they are."""
        found = []
        for block in blocks:
            rows = wanted[(wanted >= block.first) & (wanted < block.end)] - block.first
            if len(rows):
                records, places = self.read(side, block), pa.array(rows)
                found.append(replace(records, table=records.table.take(places), ids=records.ids.take(places)))
        if not found:  # none of a table that has none, perhaps, but with its columns
            return self.read(side, replace(blocks[0], parts=tuple((path, at, at) for path, at, _ in blocks[0].parts)))
        table, ids = pa.concat_tables(one.table for one in found), pa.concat_arrays(one.ids for one in found)
        return replace(found[0], table=table, ids=ids)

    def learnt_from(self, side: int, records: Records) -> list[list[str]]:
        """Return the texts of each field as often as they occur: what weights are learnt from."""
        return [column.all_texts() for column in self.fields(side, records)]

    def called(self, ready: "Ready", rows: NDArray[np.int64]) -> pa.Table:
        """Return the columns that pairs carry for some records: ids, texts, and ``extras``."""
        if self.bare:
            return pa.table({"id": pa.nulls(len(rows)), "text": pa.nulls(len(rows))})
        texts = shown(ready.fields, rows)
        places = pa.array(rows)
        said = {"id": ready.records.ids.take(places), "text": texts}
        return pa.table(said | {name: ready.records.table.column(name).take(places) for name in self.extras})

    def fields(self, side: int, records: Records) -> list[Column]:
        """Return the compared texts."""
        found = field_columns(records, self.columns(side), self.joined)
        if self.forms is not None:
            told = zip(found, self.forms[side], strict=True)
            found = [replace(column, texts=written(column.texts, *how)) for column, how in told]
        return [digits_in(column) for column in found] if self.digits else found

    def ready(
        self, side: int, block: Block, measures: Sequence[TextMeasure], threads: int, folder: Path | None = None
    ) -> "Ready":
        """Return a block of a side, read and analysed; rows of terms are kept in ``folder`` for other tasks."""
        return self.analysed(side, self.read(side, block), measures, threads, folder, self._whose(side, block))

    def analysed(
        self,
        side: int,
        records: Records,
        measures: Sequence[TextMeasure],
        threads: int,
        folder: Path | None = None,
        whose: str = "",
    ) -> "Ready":
        """Return records of a side, analysed; in ``folder`` rows of terms are kept under the name ``whose``."""
        fields = self.fields(side, records)
        prepared = []
        for place, (measure, column) in enumerate(zip(measures, fields, strict=True)):
            path = None if folder is None else folder / f"{whose}-{place}.arrays"
            prepare = partial(measure.prepare, column.texts, threads=threads)
            prepared.append(analysed(path, measure, prepare))
        return Ready(records, fields, prepared)

    def _whose(self, side: int, block: Block) -> str:
        """Return what the analysed texts of a block are called, the same whichever side it is on."""
        return hashlib.blake2b(repr((block.parts, self.columns(side))).encode(), digest_size=16).hexdigest()

    def comparison(self, left: "Ready", right: "Ready", measures: Sequence[TextMeasure], threads: int) -> Comparison:
        """Return the comparison of two blocks, or of one with itself."""
        both = keys([left.records, right.records], self.equal_on) if self.equal_on else [None, None]
        itself = left is right
        made = Comparison(left.fields, right.fields, measures, self.weights, itself, both[0], both[1], threads)
        return made.ready(list(zip(left.prepared, right.prepared, strict=True)), right.lists)


@dataclass(frozen=True, slots=True)
class Ready:
    """A block of a side: its records, their texts, the texts analysed, and the inverted lists once they are built."""

    records: Records
    fields: list[Column]
    prepared: list[Any]
    lists: dict[int, Prepared] = field(default_factory=dict)
