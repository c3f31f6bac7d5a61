"""How many pairs mining finds in more and more of the text (Paşca and Dienes 2005, figure 3)."""

import dataclasses

from likewise.errors import InputError
from likewise.jobs.mine.options import MineOptions, RunOptions
from likewise.jobs.mine.run import run
from likewise.progress import Progress
from likewise.read import ReadOptions
from likewise.read.paths import Paths, files
from likewise.results.paraphrases import Paraphrases

_PARTS = 4


def pairs_by_size(
    paths: Paths,
    whole: Paraphrases,
    options: MineOptions,
    running: RunOptions,
    read: ReadOptions,
    progress: Progress | None = None,
) -> list[tuple[int, int]]:
    """Return (characters, pairs) for a quarter, half and three quarters of the files, and for all of them (``whole``).

    Every part is mined with the support of the whole, whose finished table is taken as it is.
    """
    report = whole.report
    found = [str(path) for path, _ in files(paths) if path.is_file()]
    if report is None or len(found) < _PARTS:
        raise InputError(f"a curve needs {_PARTS} files or more, not {len(found)}: cut the text into several")
    same = dataclasses.replace(options, support=report.options["support"], samples=0)
    here = dataclasses.replace(running, work=None, keep_work=False, stop_after=None)
    points = []
    for part in range(1, _PARTS):
        made = run(found[: len(found) * part // _PARTS], None, same, here, read, progress=progress)
        if made is not None and made.report is not None:
            points.append((made.report.counts["sentences"].get("characters", 0), len(made)))
    return [*points, (report.counts["sentences"].get("characters", 0), len(whole))]
