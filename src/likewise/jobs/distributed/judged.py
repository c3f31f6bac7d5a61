"""Labels for records in files: tasks look up the ids, and the driver gets positions."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from likewise.engines import Apart
from likewise.jobs.distributed.blocks import Block
from likewise.jobs.distributed.input import Input
from likewise.jobs.distributed.run import Run, records_in
from likewise.jobs.distributed.sides import Sides
from likewise.read.options import TableOptions
from likewise.records.labels import Judged, placed
from likewise.records.refit import Labels


@dataclass(frozen=True, slots=True)
class Judgement:
    """What somebody judged: by position, and by id as a model keeps it."""

    labels: Labels
    kept: tuple[tuple[str, str, bool], ...]


@dataclass(frozen=True, slots=True)
class IdTask(Apart):
    """Blocks of a side -> the positions of the records with some ids, as this task's counts."""

    ids: tuple[str, Mapping[str, Any]]
    """The column of ids, and the types of all columns."""
    wanted: frozenset[str]

    def shard(self, state: None, shard: Block) -> dict[str, Any]:
        """Look through the ids of one block."""
        column, types = self.ids
        called = map(str, shard.read([], column, "table", types).ids.to_pylist())
        return {"found": [(one, shard.first + row) for row, one in enumerate(called) if one in self.wanted]}


def looked_up(
    run: Run, inputs: Sequence[Input], sides: Sides, tables: Sequence[Judged], read: TableOptions
) -> Judgement:
    """Return what was judged of the records of two tables, or of one; ids that are in none are refused in words."""
    written = [[one.left for one in tables], [one.right for one in tables]]
    if len(inputs) == 1:
        written = [written[0] + written[1]]
    wanted = [frozenset(str(value) for ids in side for value in ids) for side in written]
    found = [
        (one.name, _positions(run, one, sides, side, ids))
        for side, (one, ids) in enumerate(zip(inputs, wanted, strict=True))
    ]
    left, right, same = placed(tables, found[0], found[-1], read)
    ids = ((str(a), str(b)) for one in tables for a, b in zip(one.left, one.right, strict=True))
    kept = tuple((a, b, truth) for (a, b), truth in zip(ids, same.tolist(), strict=True))
    return Judgement((left, right, same), kept)


def _positions(run: Run, given: Input, sides: Sides, side: int, wanted: frozenset[str]) -> dict[str | None, int]:
    column = sides.ids[side]
    if column is None:  # then a position is the id
        size = records_in(given.files)
        places = {text: int(text) for text in wanted if text.isdecimal() and len(text) < 20}
        return {text: place for text, place in places.items() if place < size and str(place) == text}
    task = IdTask((column, sides.types[side]), wanted)
    found = run.map(task, run.blocks_of(given.files), "blocks of ids looked through")
    return {text: place for one in found for text, place in one["found"]}
