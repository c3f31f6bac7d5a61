"""Run the tasks that find pairs, one for each strip of left records."""

import shutil
from collections.abc import Sequence
from pathlib import Path

from likewise.jobs.distributed.blocks import plan
from likewise.jobs.distributed.pairs import PairTask
from likewise.jobs.distributed.part_files import files_of
from likewise.jobs.distributed.run import Run
from likewise.jobs.distributed.sides import Sides
from likewise.jobs.distributed.statistics import MEASURE


def strips(
    run: Run,
    files: Sequence[Sequence[Path]],
    sides: Sides,
    name: str,
    top: int,
    min_score: float,
    self_join: bool,
    exclude_equal: bool = False,
    again: bool = False,
    learnt: Path | None = None,
) -> tuple[Path, ...]:
    """Return the files of pairs that tasks find, a strip of left records each.

    ``again``: the right side is compared in the next stage, too, and what was analysed stays for it. ``learnt``: the
    file of the measures, where they are not those of the scores.
    """
    with run.stage(name):
        half = self_join and not top and sides.symmetric
        folder, lefts = run.place(name), run.strips_of(files[0], half)
        learnt = learnt or run.folder / f"{MEASURE}.json"
        analysed = run.place("analysed") if (len(lefts) > 1 or again) and run.shares else None
        # Blocks that are shared are the same for every strip; else the fewer, the less often the lists are looked up.
        rights = tuple(lefts if half and analysed is not None else plan(files[1], run.compared))
        task = PairTask(
            folder, sides, rights, learnt, top, min_score, self_join, exclude_equal, half, run.together, analysed
        )  # fmt: skip
        run.map(task, lefts, "blocks matched")
        if not again:
            shutil.rmtree(run.folder / "analysed", ignore_errors=True)
        return files_of(folder, lefts)
