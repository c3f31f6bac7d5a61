"""Compute the rows of ``published`` from a data folder and say how each compares."""

import fnmatch
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from likewise.errors import InputError, OptionError
from likewise.evaluate.gold import GoldSet
from likewise.evaluate.gold.collections import ER_FILES, IR_NAMES, PAIR_FILES, er_set, ir_set, pair_set
from likewise.evaluate.reproduce import recognition, weighting
from likewise.evaluate.reproduce.baselines import Baseline, run_baselines
from likewise.evaluate.reproduce.claims import claim
from likewise.evaluate.reproduce.grid import Grid, spectra_grid
from likewise.evaluate.reproduce.published import TASKS, Published, rows

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Result:
    """A published figure beside ours.

    ``status`` is ``agrees`` or ``differs`` (by its tolerance), ``shown`` (no tolerance: known to be odd), ``quoted``
    (from others' papers), ``missing`` (data not at hand).
    """

    row: Published
    ours: float | None
    status: str
    remark: str = ""
    same_sets: float | None = None
    """Of an average: the published figures averaged over the sets that are at hand."""

    @property
    def difference(self) -> float | None:
        """Ours minus published; averages over the same sets."""
        if self.ours is None:
            return None
        return self.ours - (self.row.expected if self.same_sets is None else self.same_sets)

    def to_json(self) -> dict[str, Any]:
        """Return plain values."""
        return {
            **asdict(self.row),
            "command": self.row.command,
            "ours": self.ours,
            "same_sets": self.same_sets,
            "difference": self.difference,
            "status": self.status,
            "remark": self.remark,
        }


@dataclass(slots=True)
class Reproduction:
    """All results, and what the report page draws."""

    results: list[Result] = field(default_factory=list)
    grids: dict[str, Grid] = field(default_factory=dict)
    baselines: dict[str, list[Baseline]] = field(default_factory=dict)
    retrieval: dict[str, dict[str, dict[str, float]]] = field(default_factory=dict)
    sets: dict[str, dict[str, Any]] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)
    cpu_seconds: dict[str, float] = field(default_factory=dict)

    @property
    def failed(self) -> list[Result]:
        """The results that are further from the published figure than its tolerance."""
        return [result for result in self.results if result.status == "differs"]

    def to_json(self) -> dict[str, Any]:
        """Return plain values."""
        return {
            "results": [result.to_json() for result in self.results],
            "grids": {
                name: {
                    padding: {f"{s}:{e}": {"iap": cell.iap, "iap10": cell.iap10} for (s, e), cell in cells.items()}
                    for padding, cells in grid.items()
                }
                for name, grid in self.grids.items()
            },
            "baselines": {name: [asdict(one) for one in found] for name, found in self.baselines.items()},
            "retrieval": self.retrieval,
            "sets": self.sets,
            "seconds": self.seconds,
            "cpu_seconds": self.cpu_seconds,
            "failed": [result.row.id for result in self.failed],
        }


def reproduce(
    data: str | Path,
    *,
    only: Sequence[str] = TASKS,
    select: str | None = None,
    beside: bool = True,
    say: Say | None = None,
) -> Reproduction:
    """Compute every published figure that the files below ``data`` allow.

    ``only`` names tasks (er, ir, paraphrase, entailment); ``select`` is a pattern of row ids such as ``t5.*``;
    ``beside`` runs the other measures too; ``say`` is told what is being done.
    """
    folder = Path(data)
    if not folder.is_dir():
        raise InputError(f"{data} is not a folder")
    for task in only:
        if task not in TASKS:
            raise OptionError(f"only must name tasks of {', '.join(TASKS)}, not {task!r}")
    wanted = [row for row in rows() if any(task in only for task in row.task.split(","))]
    if select:
        wanted = [row for row in wanted if fnmatch.fnmatch(row.id, select)]
        if not wanted:
            raise OptionError(f"no published row is called {select!r}; ids look like t5.restaurant.c.idf")
    runner = _Runner(folder, only, wanted, beside and not select, say or (lambda _: None))
    return runner.run()


class _Runner:
    def __init__(self, data: Path, only: Sequence[str], wanted: list[Published], beside: bool, say: Say) -> None:
        self.data, self.only, self.wanted, self.beside, self.say = data, only, wanted, beside, say
        self.done = Reproduction()
        self.values: dict[str, tuple[float, str]] = {}
        self.problems: dict[str, str] = {}

    def run(self) -> Reproduction:
        for task, names, load in (("er", tuple(ER_FILES), self._er), ("ir", IR_NAMES, self._ir)):
            for name in names:
                if task in self.only and (self._rows(task, name) or self._claims(task)):
                    self._timed(name, partial(self._ranked_set, task, name, load))
        for name in PAIR_FILES:
            if found := self._rows("paraphrase", name) + self._rows("entailment", name):
                self._timed(name, partial(self._pairs, name, found))
        for row in self.wanted:
            if row.id.startswith("claim."):
                found_claim = claim(row, self.done.grids)
                if found_claim:
                    self.values[row.id] = found_claim
        self.done.results = [self._result(row) for row in self.wanted]
        if not any(result.ours is not None for result in self.done.results):
            raise InputError(
                f"{self.data} holds none of the files that are asked for; they are looked for in er/, ir/ and pairs/"
            )
        return self.done

    def _rows(self, task: str, name: str) -> list[Published]:
        return [row for row in self.wanted if row.set == name and row.task == task]

    def _claims(self, task: str) -> bool:
        return any(row.id.startswith("claim.") and row.set == "all" and task in row.task for row in self.wanted)

    def _timed(self, name: str, work: Callable[[], None]) -> None:
        start, cpu = time.perf_counter(), time.process_time()
        try:
            work()
        except InputError as error:
            # One damaged file must not cost the figures of all others.
            self.say(f"{name}: {error}")
            self.problems[name] = str(error)
        self.done.seconds[name] = round(time.perf_counter() - start, 3)
        self.done.cpu_seconds[name] = round(time.process_time() - cpu, 3)

    def _er(self, name: str, as_published: bool) -> GoldSet | None:
        return er_set(self.data, name)

    def _ir(self, name: str, as_published: bool) -> GoldSet | None:
        return ir_set(self.data, name, as_published=as_published)

    def _ranked_set(self, task: str, name: str, load: Callable[[str, bool], GoldSet | None]) -> None:
        gold = load(name, False)
        if gold is None:
            return
        self.say(f"{name}: {len(gold.lefts):,} x {len(gold.rights):,} texts, {len(gold.gold):,} gold pairs")
        self.done.sets[name] = {
            "task": task,
            "left": len(gold.lefts),
            "right": len(gold.rights),
            "gold": len(gold.gold),
            "notes": list(gold.notes),
        }
        found = self._rows(task, name)
        slips = {row.variant for row in found} & {"query-numbers", "text-numbers"}
        slipped = load(name, True) if slips else None
        if any(row.q.startswith("best") or row.id.startswith("claim.") for row in found) or self._claims(task):
            self.done.grids[name] = spectra_grid(gold)
            other = spectra_grid(slipped) if slipped else None
            for row in found:
                if row.metric == "iap10":
                    self.values[row.id] = _best(row, self.done.grids[name], other)
        table = [row for row in found if row.metric == "iap"]
        self.values |= weighting.compute(table, gold, slipped)
        if self.beside:
            self.done.baselines[name] = run_baselines(gold, task)
            if task == "ir":
                self.done.retrieval[name] = weighting.per_query_figures(gold)

    def _pairs(self, name: str, found: list[Published]) -> None:
        pairs = pair_set(self.data, name)
        if pairs is None:
            return
        self.say(f"{name}: {len(pairs):,} pairs, {int(pairs.labels.sum()):,} positive")
        self.done.sets[name] = {
            "task": found[0].task,
            "pairs": len(pairs),
            "positive": int(pairs.labels.sum()),
            "notes": list(pairs.notes),
        }
        self.values |= recognition.compute(found, pairs)

    def _result(self, row: Published) -> Result:
        if row.measure == "quoted":
            return Result(row, None, "quoted", row.note)
        if row.set == "average":
            return self._average(row)
        if row.id not in self.values:
            return Result(row, None, "missing", self.problems.get(row.set) or _missing(row))
        ours, remark = self.values[row.id]
        remark = "; ".join(filter(None, (remark, row.note)))
        if row.tolerance is None or (row.set == "all" and not self._complete(row)):
            return Result(row, ours, "shown", remark)
        agrees = abs(ours - row.expected) <= row.tolerance + 1e-9
        return Result(row, ours, "agrees" if agrees else "differs", remark)

    def _complete(self, row: Published) -> bool:
        names = [*(ER_FILES if "er" in row.task else ()), *(IR_NAMES if "ir" in row.task else ())]
        return all(name in self.done.grids for name in names)

    def _average(self, row: Published) -> Result:
        """Average what is at hand; comparable with the published average only over the same sets."""
        same = [
            other
            for other in rows()
            if other.table == row.table
            and other.set != "average"
            and (other.padding, other.weights) == (row.padding, row.weights)
            and other.measure == "spectra"
        ]
        known = [other for other in same if other.id in self.values]
        if not known:
            return Result(row, None, "missing", "none of its data sets is at hand")
        ours = float(np.mean([self.values[other.id][0] for other in known]))
        theirs = float(np.mean([other.expected for other in known]))
        remark = f"over the {len(known)} of {len(same)} sets at hand; published over the same: {theirs:.4f}"
        return Result(row, ours, "shown", remark, theirs)


def _best(row: Published, grid: Grid, slipped: Grid | None) -> tuple[float, str]:
    """Return the best of the 55 spectra; of equals the narrowest."""
    cells = (slipped if slipped and row.variant else grid)[row.padding]
    best = max(cells, key=lambda one: (round(cells[one].iap10, 6), one[0] - one[1], -one[0]))
    remark = f"ours is best with [{best[0]}:{best[1]}]"
    published = row.note.partition("[")[2].partition("]")[0]
    if published:
        start, end = (int(part) for part in published.split(":"))
        remark += f", [{start}:{end}] gives {cells[start, end].iap10:.4f}"
    if slipped and row.variant:
        right = max(cell.iap10 for cell in grid[row.padding].values())
        remark += f"; {_SLIPS[row.variant]}, rightly numbered the best is {right:.4f}"
    return cells[best].iap10, remark


_SLIPS = {
    "query-numbers": "computed with query numbers as the paper must have read them",
    "text-numbers": "computed with text numbers as the paper may have read them",
    "gold-twice": "computed with every gold pair counted twice",
}


def _missing(row: Published) -> str:
    if row.set == "hotels":
        return "hotels was never published"
    file = ER_FILES.get(row.set) or PAIR_FILES.get(row.set) or (f"ir/{row.set}/" if row.set in IR_NAMES else "")
    return f"{file} is not in the data folder" if file else "its data sets are not at hand"


def summary(results: Iterable[Result]) -> dict[str, int]:
    """Count results by status."""
    counts = dict.fromkeys(("agrees", "differs", "shown", "quoted", "missing"), 0)
    for result in results:
        counts[result.status] += 1
    return counts
