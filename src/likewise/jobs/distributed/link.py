"""Link on an engine: tasks read and cut the texts, write vectors once, and join strips of them with all.

Passages are numbers here, rows of terms and weights: no task reads a text. What tasks find is merged in one order, so
that ranks are those of one machine.
"""

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from likewise import join
from likewise.engines import Apart
from likewise.index.container import map_arrays
from likewise.jobs.distributed.analysed import arrays, rows, write
from likewise.jobs.distributed.asked import Job
from likewise.jobs.distributed.job import begun
from likewise.jobs.distributed.limits import check_passages
from likewise.jobs.distributed.part_files import rows_and_bytes, write_once
from likewise.jobs.distributed.run import BLOCK, Run
from likewise.jobs.distributed.texts import Texts
from likewise.jobs.link.opened import Opened, spoken_in
from likewise.jobs.link.options import LinkOptions
from likewise.jobs.link.vectors import Ints, Vectors
from likewise.join import Pairs
from likewise.join.fields import once
from likewise.measure.counting import Matches
from likewise.measure.terms import PreparedTerms
from likewise.options import json_of
from likewise.read.skipped import OnSkip
from likewise.records.distinct import ranks

_ENTRY = 64  # bytes of a term of a row, with its place in the inverted lists


@contextlib.contextmanager
def opened_on(job: Job, texts: Texts, options: LinkOptions, skip: OnSkip, identity: dict[str, Any]) -> Iterator[Opened]:
    """Give the texts and the joins of one linking, on an engine that runs as long."""
    whose = {"options": json_of(replace(options, threads=None)), "documents": texts.identity}
    whose["kept"] = json_of(texts.options)
    with begun(job, "link", texts.sources, {**whose, **identity}) as run:
        with run.stage("read"):
            parts, documents = texts.read(run)
            for one in (one for skipped in documents.said for one in skipped):
                skip(one)
        options, languages = spoken_in(options, (document.text for document in documents))
        with run.stage("cut"):
            check = partial(check_passages, running=job.running)
            book, terms = texts.cut(run, parts, documents, options, languages, check)
        yield Opened(book, terms, EngineJoins(run), options)


@dataclass(slots=True)
class EngineJoins:
    """See :class:`likewise.jobs.link.joins.Joins`; vectors and joins are numbered in the order they are asked for."""

    run: Run
    _vectors: dict[int, Path] = field(default_factory=dict)
    _count: int = 0

    def top(self, rows: Vectors, lefts: Ints, rights: Ints, k: int, min_score: float = 0.0) -> Pairs:
        """Return the ``k`` best of each left row."""
        return Pairs.together(self._strips("top", rows, lefts, rights, k, min_score))

    def above(self, rows: Vectors, lefts: Ints, rights: Ints, min_score: float) -> Pairs:
        """Return every pair from a score on."""
        return Pairs.together(self._strips("above", rows, lefts, rights, 0, min_score)).by_left()

    def best(self, rows: Vectors, lefts: Ints, rights: Ints, n: int) -> Pairs:
        """Return the ``n`` best pairs."""
        kept = Pairs.none()
        for part in self._strips("best", rows, lefts, rights, n, 0.0):
            kept = Pairs.together([kept, part]).by_score(n)
        return kept

    def _strips(
        self, mode: str, rows: Vectors, lefts: Ints, rights: Ints, count: int, min_score: float
    ) -> Iterator[Pairs]:
        name, self._count = f"{self._count:03d}-{mode}", self._count + 1
        place = self.run.place(f"joins/{name}")
        sides = {"lefts": lefts, "rights": rights}
        entries = len(rows.rows.left.ids) / max(1, len(rows.rows))
        block = max(1, min(BLOCK, int(self.run.memory / (2 * _ENTRY * (entries + 1)))))
        block = self.run.settled(f"joins/{name}/block", block)
        length = max(1, min(block, -(-len(lefts) // self.run.strips)))
        task = JoinTask(
            place, self._saved(rows), write(place / "sides.arrays", sides), mode, count, min_score, block,
            lefts is rights,
        )  # fmt: skip
        strips = [(first, min(first + length, len(lefts))) for first in range(0, len(lefts), length)]
        with self.run.stage(name):
            self.run.map(task, strips, "strips joined")
        for strip in strips:
            yield _read(task.path(strip))

    def _saved(self, rows: Vectors) -> Path:
        """Return the file of vectors, written when they are first asked for."""
        if id(rows) not in self._vectors:
            path = self.run.place("vectors") / f"{len(self._vectors):03d}.arrays"
            self._vectors[id(rows)] = write(path, arrays(rows.rows))
        return self._vectors[id(rows)]


@dataclass(frozen=True, slots=True)
class JoinTask(Apart):
    """A strip of left rows, and all right rows in blocks -> ``joins/*/*.parquet``."""

    folder: Path
    vectors: Path
    sides: Path
    mode: str
    count: int
    min_score: float
    block: int
    itself: bool

    def begin(self) -> tuple[PreparedTerms, Ints, Ints]:
        """Map the vectors: of the file only what is looked at is read."""
        sides = map_arrays(self.sides)
        return rows(map_arrays(self.vectors)), sides["lefts"], sides["rights"]

    def path(self, strip: tuple[int, int]) -> Path:
        """Return the file of a strip."""
        return self.folder / f"{strip[0]:09d}.parquet"

    def shard(self, state: tuple[PreparedTerms, Ints, Ints], shard: tuple[int, int]) -> dict[str, Any]:
        """Join one strip."""
        path = self.path(shard)
        possible = 0 if path.exists() else self._possible(shard, len(state[2]))
        write_once(path, lambda: self._joined(state, shard))
        return {**rows_and_bytes(path, "pairs"), "possible": possible}

    @property
    def _half(self) -> bool:
        """Whether each pair is wanted once: a strip meets itself and what comes after it."""
        return self.itself and self.mode != "top"

    def _possible(self, strip: tuple[int, int], rights: int) -> int:
        """Return how many pairs of the strip with other rows there are."""
        first, end = strip
        return (end - first) * (rights - (end if self._half else 0))

    def _joined(self, state: tuple[PreparedTerms, Ints, Ints], strip: tuple[int, int]) -> pa.Table:
        rows, lefts, rights = state
        (first, end), half = strip, self._half
        left = rows.take(lefts[first:end])
        found = [self._join(left, left, itself=True).moved(first, first)] if half else []
        for start in range(end if half else 0, len(rights), self.block):
            right = rows.take(rights[start : start + self.block])
            found.append(self._join(left, right).moved(first, start))
            if half and left.phrases is not None:  # counts of phrases may differ by direction
                found.append(self._join(right, left).moved(start, first))
            found = [self._kept(Pairs.together(found), half)]
        pairs = self._kept(Pairs.together(found), half)
        return pa.table({"left": pairs.left, "right": pairs.right, "score": pairs.score})

    def _join(self, left: PreparedTerms, right: PreparedTerms, *, itself: bool = False) -> Pairs:
        measure = Matches()
        scorer, bound = measure.scorer(left, right), measure.bound(left, right)
        if self.mode == "top":
            # A row may meet itself: one more is fetched in its place.
            k = self.count + self.itself
            return join.top(scorer, k, bound=bound, min_score=self.min_score, threads=1)
        if self.mode == "above":
            return join.above(scorer, self.min_score, bound=bound, self_join=itself, threads=1)
        return join.best(scorer, self.count, bound=bound, self_join=itself, threads=1)

    def _kept(self, found: Pairs, half: bool) -> Pairs:
        if self.mode == "top":
            found = (found.take(found.left != found.right) if self.itself else found).by_left()
            return found.take(ranks(found.left) < self.count)
        found = once(found) if half else found
        return found.by_score(self.count) if self.mode == "best" else found


def _read(path: Path) -> Pairs:
    table = pq.read_table(path)
    return Pairs(*(table.column(name).to_numpy() for name in ("left", "right", "score")))
