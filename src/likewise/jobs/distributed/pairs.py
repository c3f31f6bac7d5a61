"""Pairs of records, strip by strip: a block of left records against every block of right ones.

A strip finds all that its left records will ever have, so nothing is moved between machines but the input: the best
partners so far give the score that the next block has to reach.
"""

import json
import threading
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from likewise.engines import Apart
from likewise.jobs.distributed.blocks import Block
from likewise.jobs.distributed.sides import Ready, Sides
from likewise.jobs.distributed.statistics import read_measures
from likewise.join import Pairs
from likewise.join.fields import once
from likewise.measure import TextMeasure
from likewise.records.comparison import Comparison
from likewise.records.distinct import ranks
from likewise.storage import atomic_path

_COUNTS = b"counts"


@dataclass(frozen=True, slots=True)
class PairTask(Apart):
    """Blocks of the left side -> ``pairs/*.parquet``, in the order and with the columns of a match.

    ``top``: the best partners of each record, at most so many; 0: every pair from ``min_score`` on, each once where
    there is one table only.
    """

    folder: Path
    sides: Sides
    rights: tuple[Block, ...]
    measures: Path
    top: int
    min_score: float
    self_join: bool
    exclude_equal: bool = False

    def begin(self) -> "Place":
        """Return the fitted measures, and room for the right side where it is one block."""
        return Place(read_measures(self.measures), len(self.rights) == 1 and not self._half)

    def shard(self, state: "Place", shard: Block) -> dict[str, Any]:
        """Find the pairs of one block of left records."""
        path = self.folder / f"{shard.name}.parquet"
        if path.exists():
            return {**json.loads(pq.read_schema(path).metadata[_COUNTS]), "bytes": path.stat().st_size}
        lefts = self.sides.ready(0, shard, state.measures)
        present = np.logical_or.reduce([column.codes >= 0 for column in lefts.fields])
        kept = Gathered(shard.first, present, self.top, self.min_score)
        work: Counter[str] = Counter()
        for block in self._order(shard):
            rights = lefts if block is shard else state.right(self.sides, block)
            comparison = self.sides.comparison(lefts, rights, state.measures, itself=block is shard)
            pairs = self._pairs(comparison, shard, block, kept.least)
            kept.add(pairs, block, self.sides.called(rights.records, rights.fields))
            work.update({"possible": len(shard) * len(block), **pairs.stats})
        counts = {"pairs": len(kept), "records": len(shard), **work}
        called = self.sides.called(lefts.records, lefts.fields)
        table = kept.table(called).replace_schema_metadata({_COUNTS: json.dumps(counts)})
        with atomic_path(path) as temporary:
            pq.write_table(table, temporary)
        return {**counts, "bytes": path.stat().st_size}

    def _order(self, shard: Block) -> Iterator[Block]:
        """Yield the right blocks: its own surroundings first, where a record's equals often are.

        Where each pair is wanted once, a strip meets itself and what comes after it.
        """
        if self._half:
            yield shard
            yield from (block.after(shard.end) for block in self.rights if block.end > shard.end)
        else:
            yield from sorted(self.rights, key=lambda block: (abs(block.first - shard.first), block.first))

    @property
    def _half(self) -> bool:
        return self.self_join and not self.top and self.sides.symmetric

    def _pairs(self, comparison: Comparison, left: Block, right: Block, least: float) -> Pairs:
        """Return pairs with positions in the whole table."""
        overlap = self.self_join and left.first < right.end and right.first < left.end
        if self.top:
            # A record may meet itself: one more is fetched in its place.
            found = comparison.top(self.top + overlap, least, exclude_equal=self.exclude_equal)
            found = moved(found, left, right)
            return chosen(found, found.left != found.right) if overlap else found
        found = moved(comparison.above(least, self.exclude_equal), left, right)
        if not self.self_join or self._half:
            return found
        # A pair is reported in the direction that scores higher, under the record that is left then.
        found = once(together([found, moved(comparison.reversed().above(least, self.exclude_equal), right, left)]))
        mine = inside(found.left, left) & inside(found.right, right)
        return chosen(found, mine & (found.left != found.right))


class Place:
    """What the strips of one place share: the measures, and the right side, analysed once, where it is one block.

    Else every strip meets the blocks one after the other: a task holds no more than two at a time in any case.
    """

    def __init__(self, measures: list[TextMeasure], shared: bool) -> None:
        self.measures = measures
        self._shared = shared
        self._lock = threading.Lock()
        self._kept: Ready | None = None

    def right(self, sides: Sides, block: Block) -> Ready:
        """Return a right block, ready to be compared."""
        if not self._shared:
            return sides.ready(1, block, self.measures)
        with self._lock:
            if self._kept is None:
                self._kept = sides.ready(1, block, self.measures)
            return self._kept


def inside(positions: NDArray[np.int64], block: Block) -> NDArray[np.bool_]:
    """Return which positions are in a block."""
    found: NDArray[np.bool_] = (positions >= block.first) & (positions < block.end)
    return found


def moved(pairs: Pairs, left: Block, right: Block) -> Pairs:
    """Return pairs of blocks as pairs of the whole."""
    return Pairs(pairs.left + left.first, pairs.right + right.first, pairs.score, pairs.stats)


def chosen(pairs: Pairs, mask: NDArray[Any]) -> Pairs:
    """Return some of the pairs: those of a mask, or by their places."""
    return Pairs(pairs.left[mask], pairs.right[mask], pairs.score[mask], pairs.stats)


def together(parts: list[Pairs]) -> Pairs:
    """Return the pairs of all parts."""
    left, right = (np.concatenate([getattr(part, side) for part in parts]) for side in ("left", "right"))
    return Pairs(left, right, np.concatenate([part.score for part in parts]))


class Gathered:
    """The pairs of a strip so far; of ``top`` partners only the best are kept, and they say what others must reach."""

    def __init__(self, first: int, present: NDArray[np.bool_], top: int, min_score: float) -> None:
        self._first, self._present, self._top = first, present, top
        self.least = min_score
        none = np.zeros(0, np.int64)
        self._pairs = Pairs(none, none, np.zeros(0))
        self._rights: pa.Table | None = None

    def __len__(self) -> int:
        return len(self._pairs)

    def add(self, pairs: Pairs, block: Block, called: pa.Table) -> None:
        """Take in the pairs with one right block, and what its records are called."""
        rights = called.take(pa.array(pairs.right - block.first))
        every = together([self._pairs, pairs])
        rights = rights if self._rights is None else pa.concat_tables([self._rights, rights])
        order = np.lexsort((every.right, -every.score, every.left))
        if self._top:
            order = order[ranks(every.left[order]) < self._top]
        self._pairs = Pairs(every.left[order], every.right[order], every.score[order])
        self._rights = rights.take(pa.array(order))
        if self._top:
            self._raise()

    def _raise(self) -> None:
        """Once every record has all its partners, none worse than the worst of all is of interest."""
        counts = np.bincount(self._pairs.left - self._first, minlength=len(self._present))
        if len(self._pairs) and (counts[self._present] >= self._top).all():
            self.least = max(self.least, float(self._pairs.score.min()))

    def table(self, called: pa.Table) -> pa.Table:
        """Return the columns of a match, the positions, and what else was carried along."""
        lefts = called.take(pa.array(self._pairs.left - self._first))
        rights = called.slice(0, 0) if self._rights is None else self._rights
        extras = {
            f"{side}_{name}": table.column(name)
            for side, table in (("left", lefts), ("right", rights))
            for name in table.column_names[2:]
        }
        return pa.table(
            {
                "left": lefts.column("id"),
                "right": rights.column("id"),
                "score": pa.array(self._pairs.score, pa.float64()),
                "rank": pa.array(ranks(self._pairs.left) + 1, pa.int64()),
                "left_text": lefts.column("text"),
                "right_text": rights.column("text"),
                "left_position": pa.array(self._pairs.left, pa.int64()),
                "right_position": pa.array(self._pairs.right, pa.int64()),
                **extras,
            }
        )
