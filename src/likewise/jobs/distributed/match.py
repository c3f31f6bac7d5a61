"""Match on an engine: the input is kept, weights are learnt, strips of pairs are found."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from likewise.engines import Engine
from likewise.errors import OptionError
from likewise.jobs.distributed.blocks import Block, plan
from likewise.jobs.distributed.pairs import PairTask
from likewise.jobs.distributed.sides import Sides
from likewise.jobs.distributed.statistics import learn
from likewise.measure import TextMeasure, as_measure
from likewise.progress import Progress
from likewise.records.measures import default_measure, stride
from likewise.records.options import AUTO, MatchOptions, names, parse_on

BLOCK = 100_000
"""Right records that a task holds at a time."""


@dataclass(frozen=True, slots=True)
class Run:
    """An engine, a folder that it and its workers see, and who is told how far it is."""

    engine: Engine
    folder: Path
    progress: Progress | None = None
    strips: int = 8
    block: int = BLOCK

    def map(self, task: Any, shards: Sequence[Any], unit: str) -> list[dict[str, Any]]:
        """Run a task over shards."""
        return self.engine.map(task, shards, self.done(len(shards), unit))

    def done(self, total: int, unit: str) -> Callable[[int], None]:
        """Return who is told how many shards are done."""
        return lambda count: None if self.progress is None else self.progress(count, total, unit)

    def lefts(self) -> list[Block]:
        """Return the strips: several for each worker, so that none waits long for the last."""
        size = sum(len(block) for block in plan(self.folder / "left", self.block))
        return plan(self.folder / "left", max(1, min(self.block, -(-size // self.strips))))

    def rights(self, self_join: bool) -> list[Block]:
        """Return the blocks of the right side."""
        return plan(self.folder / ("left" if self_join else "right"), self.block)


def sides_of(options: MatchOptions, left: Sequence[str], right: Sequence[str], measure: TextMeasure) -> Sides:
    """Return what is compared, of tables with these columns."""
    on = parse_on("on", options.on)
    left_on, right_on = on, on
    if options.left_on is not None:
        left_on, right_on = parse_on("left_on", options.left_on), parse_on("right_on", options.right_on)
    equal_on = tuple(names("equal_on", options.equal_on))
    ids = (options.left_id or options.id, options.right_id or options.id)
    joined = not left_on or list(on) == ["*"]
    if joined:
        left_names = tuple(name for name in left if name not in (*equal_on, ids[0]))
        right_names = tuple(name for name in right if name not in (*equal_on, ids[1]))
        return Sides(left_names, right_names, (1.0,), True, ids, measure.symmetric, equal_on)
    return Sides(tuple(left_on), tuple(right_on), tuple(left_on.values()), False, ids, measure.symmetric, equal_on)


def check(options: MatchOptions) -> None:
    """Refuse in words what needs all records at once."""
    for name in ("one_to_one", "reciprocal", "exclude_equal", "explain"):
        if getattr(options, name):
            raise OptionError(f"{name} is not available on an engine: match without it, then decide on the pairs")
    if options.decides or options.min_score == AUTO:
        raise OptionError("name top, all_pairs or a min_score: on an engine pairs are listed, not decided on")


def find_pairs(run: Run, sides: Sides, measure: Any, top: int, min_score: float, self_join: bool) -> list[Path]:
    """Return the files of pairs, in order."""
    lefts, rights = run.lefts(), run.rights(self_join)
    shards = [(0, block) for block in lefts] + ([] if self_join else [(1, block) for block in rights])
    for name in ("statistics", "pairs"):
        (run.folder / name).mkdir(exist_ok=True)
    measures = [_text_measure(measure, texts) for texts in _sample(run, sides, self_join)]
    learn(run.engine, run.folder, sides, measures, shards, run.done(len(shards), "blocks counted"))
    task = PairTask(run.folder / "pairs", sides, tuple(rights), run.folder / "measure.json", top, min_score, self_join)
    run.map(task, lefts, "blocks matched")
    return [run.folder / "pairs" / f"{block.name}.parquet" for block in lefts]


def _text_measure(measure: Any, texts: Sequence[str | None]) -> TextMeasure:
    wanted = as_measure(measure, default_measure(texts))
    if not isinstance(wanted, TextMeasure):
        raise OptionError("on an engine the measure of the fields is one measure of texts")
    return wanted.copy()


def _sample(run: Run, sides: Sides, self_join: bool) -> list[list[str | None]]:
    """Return of each field the texts that say how long they are: those that one machine looks at."""
    found: list[list[str | None]] = [[] for _ in sides.weights]
    for side in range(1 if self_join else 2):
        folder = run.folder / ("right" if side else "left")
        size = sum(len(block) for block in plan(folder, run.block))
        for block in plan(folder, stride(size)):
            path, start, _ = block.parts[0]
            records = sides.read(side, replace(block, parts=((path, start, start + 1),)))
            for texts, column in zip(found, sides.fields(side, records), strict=True):
                texts += column.values()
    return found
