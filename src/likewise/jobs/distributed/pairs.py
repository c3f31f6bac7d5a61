"""Find pairs strip by strip: a block of left records against every block of right ones.

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
    half: bool = False
    """Each pair is wanted once, and has one score: a strip meets itself and what of ``rights`` comes after it."""
    threads: int = 1
    analysed: Path | None = None
    """Where rows of terms are kept for the strips that meet them, too."""

    def begin(self) -> "Place":
        """Return the fitted measures, and room for the right side where it is one block."""
        shared = len(self.rights) == 1 and not self.half
        return place_of((self.measures, self.folder, self.rights), self.measures, shared, self.threads)

    def shard(self, state: "Place", shard: Block) -> dict[str, Any]:
        """Find the pairs of one block of left records."""
        path = self.folder / f"{shard.name}.parquet"
        if path.exists():
            return {**json.loads(pq.read_schema(path).metadata[_COUNTS]), "bytes": path.stat().st_size}
        lefts = self.sides.ready(0, shard, state.measures, self.threads, self.analysed)
        present = np.logical_or.reduce([column.codes >= 0 for column in lefts.fields])
        kept = Gathered(shard.first, present, self.top, self.min_score)
        work: Counter[str] = Counter()
        for block in self._order(shard):
            self._meet(state, kept, work, shard, lefts, block)
        counts = {"pairs": len(kept), "records": len(shard), **work}
        called = self.sides.called(lefts, kept.pairs().left - shard.first)
        table = kept.table(called).replace_schema_metadata({_COUNTS: json.dumps(counts)})
        with atomic_path(path) as temporary:
            pq.write_table(table, temporary)
        return {**counts, "bytes": path.stat().st_size}

    def _meet(
        self, state: "Place", kept: "Gathered", work: Counter[str], shard: Block, lefts: Ready, block: Block
    ) -> None:
        """Add the pairs with one right block, which is released before the next is read."""
        same = self.self_join and (block.first, block.end) == (shard.first, shard.end)
        itself = same and (self.half or self.top > 0)
        rights = lefts if itself else state.right(self.sides, block, self.analysed, 0 if self.self_join else 1)
        if self.half and not itself:
            # The lists of the strip serve for all that it meets: those of others need not be built.
            comparison = self.sides.comparison(rights, lefts, state.measures, self.threads)
            found = comparison.above(kept.least, self.exclude_equal)
            pairs = _moved(Pairs(found.right, found.left, found.score, found.stats), shard, block)
        else:
            comparison = self.sides.comparison(lefts, rights, state.measures, self.threads)
            pairs = self._pairs(comparison, shard, block, kept)
        kept.add(pairs, self.sides.called(rights, pairs.right - block.first))
        work.update({"possible": len(shard) * len(block), **pairs.stats})

    def _order(self, shard: Block) -> Iterator[Block]:
        """Yield the right blocks: its own surroundings first, where a record's equals often are."""
        if self.half:
            yield shard
            yield from filter(len, (block.after(shard.end) for block in self.rights))
        else:
            yield from sorted(self.rights, key=lambda block: (abs(block.first - shard.first), block.first))

    def _pairs(self, comparison: Comparison, left: Block, right: Block, kept: "Gathered") -> Pairs:
        """Return pairs with positions in the whole table."""
        least = kept.least
        overlap = self.self_join and left.first < right.end and right.first < left.end
        if self.top:
            # A record may meet itself: one more is fetched in its place.
            again = overlap and not comparison.self_join
            found = comparison.top(self.top + again, least, None, self.exclude_equal, kept.floors)
            found = _moved(found, left, right)
            return found.take(found.left != found.right) if again else found
        found = _moved(comparison.above(least, self.exclude_equal), left, right)
        if not self.self_join or self.half:
            return found
        # A pair is reported in the direction that scores higher, under the record that is left then.
        back = _moved(comparison.reversed().above(least, self.exclude_equal), right, left)
        found = once(Pairs.together([found, back]))
        mine = inside(found.left, left) & inside(found.right, right)
        return found.take(mine & (found.left != found.right))


class Place:
    """What the strips of one place share: the measures, and the right side, analysed once, where it is one block.

    Else every strip meets the blocks one after the other: a task holds no more than two at a time in any case.
    """

    def __init__(self, measures: list[TextMeasure], shared: bool, threads: int) -> None:
        self.measures = measures
        self._shared, self._threads = shared, threads
        self._lock = threading.Lock()
        self._kept: Ready | None = None

    def right(self, sides: Sides, block: Block, folder: Path | None, side: int) -> Ready:
        """Return a right block, ready to be compared."""
        if not self._shared:
            return sides.ready(side, block, self.measures, self._threads, folder)
        with self._lock:
            if self._kept is None:
                self._kept = sides.ready(side, block, self.measures, self._threads, folder)
            return self._kept


# What this process keeps for the next strip of a task that is at work.
_PLACES: dict[Any, Place] = {}


def place_of(key: Any, measures: Path, shared: bool, threads: int) -> Place:
    """Return the place of a task: a process does many strips, one after the other, and each of them begins anew."""
    key = (key, measures.stat().st_mtime_ns)
    if key not in _PLACES:
        _PLACES.clear()
        _PLACES[key] = Place(read_measures(measures), shared, threads)
    return _PLACES[key]


def let_go() -> None:
    """Release what was kept for further strips, when there are none."""
    _PLACES.clear()


def inside(positions: NDArray[np.int64], block: Block) -> NDArray[np.bool_]:
    """Return which positions are in a block."""
    found: NDArray[np.bool_] = (positions >= block.first) & (positions < block.end)
    return found


def _moved(pairs: Pairs, left: Block, right: Block) -> Pairs:
    """Return pairs of blocks as pairs of the whole."""
    return pairs.moved(left.first, right.first)


class Gathered:
    """The pairs of a strip so far; with ``top`` only the best partners, the worst of which others must beat."""

    def __init__(self, first: int, present: NDArray[np.bool_], top: int, min_score: float) -> None:
        self._first, self._present, self._top = first, present, top
        self.least = min_score
        self.floors = np.zeros(len(present))
        self._parts = [Pairs.none()]
        self._rights: list[pa.Table] = []

    def __len__(self) -> int:
        return sum(map(len, self._parts))

    def add(self, pairs: Pairs, called: pa.Table) -> None:
        """Add the pairs with one right block, and the ids and texts of its records."""
        self._parts.append(pairs)
        self._rights.append(called)
        if self._top:
            self._raise()

    def pairs(self) -> Pairs:
        """Return the pairs in order; of ``top`` partners the best."""
        if len(self._parts) > 1:
            every = Pairs.together(self._parts)
            order = np.lexsort((every.right, -every.score, every.left))
            if self._top:
                order = order[ranks(every.left[order]) < self._top]
            self._parts = [every.take(order)]
            self._rights = [pa.concat_tables(self._rights).take(pa.array(order))]
        return self._parts[0]

    def _raise(self) -> None:
        """Once a record has all its partners, none worse than the worst of them is of interest."""
        pairs = self.pairs()
        last = ranks(pairs.left) == self._top - 1
        self.floors[pairs.left[last] - self._first] = pairs.score[last]
        if self._present.any():
            self.least = max(self.least, float(self.floors[self._present].min()))

    def table(self, lefts: pa.Table) -> pa.Table:
        """Return the columns of a match, the positions, and what else was carried along."""
        pairs = self.pairs()
        rights = self._rights[0] if self._rights else lefts
        extras = {
            f"{side}_{name}": table.column(name)
            for side, table in (("left", lefts), ("right", rights))
            for name in table.column_names[2:]
        }
        return pa.table(
            {
                "left": lefts.column("id"),
                "right": rights.column("id"),
                "score": pa.array(pairs.score, pa.float64()),
                "rank": pa.array(ranks(pairs.left) + 1, pa.int64()),
                "left_text": lefts.column("text"),
                "right_text": rights.column("text"),
                "left_position": pa.array(pairs.left, pa.int64()),
                "right_position": pa.array(pairs.right, pa.int64()),
                **extras,
            }
        )
