"""What a decision must know about the columns of all records: kinds, notation, values that stand for none.

Tasks look at the distinct texts of their block, SQL adds them up, and the driver is told numbers, and a sample of the
values of each column that is as large for a billion records as for a thousand.
"""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from likewise.engines import Apart
from likewise.jobs.distributed.blocks import Block
from likewise.jobs.distributed.distinct import hashed, signed
from likewise.jobs.distributed.input import Input
from likewise.jobs.distributed.run import Run
from likewise.jobs.distributed.sides import Sides
from likewise.read.tables import texts_of
from likewise.records.cleaning import placeholder_note, placeholders, stands_for_none
from likewise.records.columns import Column, field_columns
from likewise.records.evidence import digits_in, numbered
from likewise.records.kinds import Form, form_of, kind_of, kind_step
from likewise.storage import atomic_path

_COUNTS = b"counts"
_WORD = 9  # characters: no word for yes or no is as long
_NUMBERS = ("side", "place", "high", "low", "plain_high", "plain_low", "present", "days", "months", "points", "commas")
_SCHEMA = pa.schema(
    [
        *((name, pa.int64()) for name in (*_NUMBERS, "digits", "times", "seen")),
        ("listed", pa.string()),
        ("word", pa.string()),
    ]
)
_TOLD = ", ".join(f"MIN({name}) AS {name}" for name in (*_NUMBERS[4:], "digits", "seen", "listed", "word"))
_TEXTS = f"SELECT side, place, high, low, {_TOLD}, SUM(times) AS times FROM texts GROUP BY side, place, high, low"


@dataclass(frozen=True, slots=True)
class TextTask(Apart):
    """Blocks -> ``facts/*.parquet``: the distinct texts of every column as hashes, and what each of them shows."""

    folder: Path
    sides: Sides

    def shard(self, state: None, shard: tuple[int, Block]) -> dict[str, Any]:
        """Look at the texts of one block."""
        side, block = shard
        path = self.folder / f"{side}-{block.name}.parquet"
        if not path.exists():
            records = self.sides.read(side, block)
            rows = [row for place in range(len(self.sides.columns(side))) for row in self._rows(side, place, records)]
            table = pa.Table.from_pylist([{**row, "seen": row["seen"] + block.first} for row in rows], _SCHEMA)
            present = [0] * len(self.sides.columns(side))
            listed = list(present)
            for row in rows:
                present[row["place"]] += row["times"] * row["present"]
                listed[row["place"]] += row["times"] * (row["listed"] is not None)
            counts = json.dumps({"present": present, "listed": listed})
            with atomic_path(path) as temporary:
                pq.write_table(table.replace_schema_metadata({_COUNTS: counts}), temporary)
        return dict(json.loads(pq.read_schema(path).metadata[_COUNTS]))

    def _rows(self, side: int, place: int, records: Any) -> list[dict[str, Any]]:
        values = texts_of(records.table, self.sides.columns(side)[place], records.name).to_pylist()
        firsts = {value: at for at, value in reversed(list(enumerate(values)))}
        return [
            {"side": side, "place": place, "times": times, "seen": firsts[value], **_shown(value)}
            for value, times in Counter(values).items()
        ]


def _shown(value: str | None) -> dict[str, Any]:
    """Return what a text shows: whether it is one, how dates or numbers are written, whether it has digits."""
    plain = (value or "").strip()
    (high, low), (plain_high, plain_low) = signed(hashed([value])), signed(hashed([plain]))
    day, month = form_of([value or ""], "date")
    point, comma = form_of([value or ""], "number")
    has = plain and any(sign.isdigit() for sign in plain) and digits_in(Column.of([value])).texts
    return {
        "high": high, "low": low, "plain_high": plain_high, "plain_low": plain_low, "present": int(bool(plain)),
        "days": day, "months": month, "points": point, "commas": comma, "digits": int(bool(has)),
        "listed": value if stands_for_none(value) else None, "word": plain[:_WORD],
    }  # fmt: skip


@dataclass(frozen=True, slots=True)
class ValueTask(Apart):
    """Blocks -> of each pair of columns every so many-th value that is there, as this task's counts."""

    sides: Sides

    def shard(self, state: None, shard: tuple[int, Block, Sequence[tuple[str, int, int]]]) -> dict[str, Any]:
        """Give the sample of one block: columns, how many values came before, and of how many one is looked at."""
        side, block, asked = shard
        records = self.sides.read(side, block)
        found = []
        for name, before, step in asked:
            column = field_columns(records, [name], False)[0]
            present = [value.strip() for value in column.values() if value is not None]
            found.append(present[-before % step :: step])
        return {"values": found}


@dataclass(frozen=True, slots=True)
class ColumnFacts:
    """What is known of a pair of columns: its kind, how both sides write it, and whether texts have numbers in them."""

    names: tuple[str, str]
    kind: str
    forms: tuple[Form, Form]
    numbered: bool
    known_numbered: bool


@dataclass(frozen=True, slots=True)
class ColumnTexts:
    """The texts of all columns, looked at once."""

    run: Run
    inputs: Sequence[Input]
    sides: Sides
    counts: list[tuple[int, Block, dict[str, Any]]]
    notes: tuple[tuple[str, ...], ...]

    def columns(self, pairs: Sequence[tuple[str, str]], told: Mapping[str, str]) -> list[ColumnFacts]:
        """Return what is known of pairs of columns; kinds that are ``told`` are not looked for."""
        places = [tuple(self.sides.columns(side).index(pair[side]) for side in (0, 1)) for pair in pairs]
        shown = self._shown()
        kinds = self._kinds(pairs, places, told)
        found = []
        for pair, (left, right), kind in zip(pairs, places, kinds, strict=True):
            both = [shown.get((0, left)), shown.get((len(self.inputs) - 1, right))]
            ways = ("days", "months") if kind == "date" else ("points", "commas")
            forms = [(0, 0) if one is None else (one[ways[0]], one[ways[1]]) for one in both]
            has = [(0, 0) if one is None else (one["times"], one["digits"]) for one in both]
            found.append(
                ColumnFacts(
                    pair,
                    kind,
                    (forms[0], forms[1]),
                    all(numbered(*one) for one in has),
                    all(numbered(*one, True) for one in has),
                )
            )
        return found

    def _there(self) -> str:
        """Return which texts are values, as SQL has it."""
        gone = [
            f"(side = {side} AND place = {self.sides.columns(side).index(name)})"
            for side in range(len(self.inputs))
            for name in self.sides.gone[side]
        ]
        return f"present = 1 AND NOT (listed IS NOT NULL AND ({' OR '.join(gone) or 'FALSE'}))"

    def _shown(self) -> dict[tuple[int, int], dict[str, int]]:
        ways = ", ".join(f"SUM({name}) AS {name}" for name in ("days", "months", "points", "commas", "times"))
        found = self.run.engine.fetch(
            f"SELECT side, place, {ways}, SUM(digits * times) AS digits FROM distinct_texts "
            f"WHERE {self._there()} GROUP BY side, place"
        )
        return {(row["side"], row["place"]): {key: int(row[key]) for key in row} for row in found.to_pylist()}

    def _kinds(
        self, pairs: Sequence[tuple[str, str]], places: Sequence[tuple[int, ...]], told: Mapping[str, str]
    ) -> list[str]:
        asked = [place for place, pair in enumerate(pairs) if pair[0] not in told]
        if not asked:
            return [told[pair[0]] for pair in pairs]
        present = dict.fromkeys(asked, 0)
        before: list[dict[int, int]] = []
        for side, _, counts in self.counts:
            before.append(dict(present))
            for place in asked:
                mine = places[place][side]
                less = counts["listed"][mine] if self.sides.columns(side)[mine] in self.sides.gone[side] else 0
                present[place] += counts["present"][mine] - less
        steps = {place: kind_step(present[place]) for place in asked}
        shards = [
            (side, block, [(pairs[place][side], start[place], steps[place]) for place in asked])
            for (side, block, _), start in zip(self.counts, before, strict=True)
        ]
        found = self.run.map(ValueTask(self.sides), shards, "blocks sampled")
        samples = {place: [v for one in found for v in one["values"][at]] for at, place in enumerate(asked)}
        distinct = self._distinct([(place, places[place]) for place in asked])
        kinds = []
        for place, pair in enumerate(pairs):
            if pair[0] in told:
                kinds.append(told[pair[0]])
            else:
                count, some = distinct.get(place, (0, []))
                kinds.append(kind_of(samples[place], present[place], count, some))
        return kinds

    def _distinct(self, asked: Sequence[tuple[int, tuple[int, ...]]]) -> dict[int, tuple[int, list[str]]]:
        """Return of pairs of columns how many distinct values both have, and the first and the last of these."""
        cases = " ".join(
            f"WHEN side = {side} AND place = {places[side]} THEN {number}"
            for number, places in asked
            for side in range(len(self.inputs))
        )
        found = self.run.engine.fetch(
            f"SELECT pair, COUNT(*) AS texts, MIN(word) AS one, MAX(word) AS other FROM (SELECT pair, plain_high, "
            f"plain_low, MIN(word) AS word FROM (SELECT CASE {cases} ELSE -1 END AS pair, plain_high, plain_low, word "
            f"FROM distinct_texts WHERE {self._there()}) AS told GROUP BY pair, plain_high, plain_low) AS plain "
            f"GROUP BY pair"
        )
        return {row["pair"]: (int(row["texts"]), [row["one"], row["other"]]) for row in found.to_pylist()}


def look(run: Run, inputs: Sequence[Input], sides: Sides) -> ColumnTexts:
    """Look at the texts of all columns; what stands for no value is none from then on."""
    folder = run.place("facts")
    shards = [(side, block) for side, one in enumerate(inputs) for block in run.blocks_of(one.files)]
    counts = run.map(TextTask(folder, sides), shards, "blocks looked at")
    run.engine.load("texts", [folder / f"{side}-{block.name}.parquet" for side, block in shards])
    run.engine.create("distinct_texts", _TEXTS)
    gone: list[dict[str, frozenset[str]]] = [{}, {}]
    notes: list[list[str]] = [[], []]
    totals = run.engine.fetch(
        "SELECT side, place, COUNT(*) AS texts, SUM(times) AS times FROM distinct_texts GROUP BY side, place"
    )
    sizes = {(row["side"], row["place"]): (int(row["texts"]), int(row["times"])) for row in totals.to_pylist()}
    listed: dict[tuple[int, int], dict[str, int]] = {}
    rows = run.engine.fetch(
        "SELECT side, place, listed, times FROM distinct_texts WHERE listed IS NOT NULL ORDER BY seen"
    )
    for row in rows.to_pylist():
        listed.setdefault((row["side"], row["place"]), {})[row["listed"]] = int(row["times"])
    for side in range(len(inputs)):
        for place, name in enumerate(sides.columns(side) if len(sides.columns(side)) > 1 else ()):
            mine = placeholders(listed.get((side, place), {}), *sizes.get((side, place), (0, 0)))
            if mine:
                gone[side][name] = frozenset(mine)
                notes[side].append(placeholder_note(name, mine))
    if len(inputs) == 1:
        gone[1] = gone[0]
    told = replace(sides, gone=(gone[0], gone[1]))
    paired = [(side, block, count) for (side, block), count in zip(shards, counts, strict=True)]
    return ColumnTexts(run, inputs, told, paired, (tuple(notes[0]), tuple(notes[1])))
