"""Spark DataFrames in and out."""

import atexit
import json
import shutil
import tempfile
from dataclasses import asdict
from pathlib import Path
from typing import Any

from likewise.engines.spark import Spark, first_line
from likewise.errors import ColumnError, EngineError, OptionError, StorageError
from likewise.jobs.distributed.match import Run, check, find_pairs, sides_of
from likewise.jobs.distributed.sides import Sides
from likewise.jobs.mine.work_folder import locked
from likewise.measure import TextMeasure, as_measure
from likewise.options import merge
from likewise.progress import Progress
from likewise.records.measures import default_measure
from likewise.records.options import MatchOptions
from likewise.storage import atomic_write

_COLUMNS = ("left", "right", "score", "rank", "left_text", "right_text")
_STRIPS = 4  # for each task that runs at a time


def match(
    left: Any,
    right: Any = None,
    *,
    measure: Any = None,
    options: MatchOptions | None = None,
    work: str | None = None,
    progress: Progress | None = None,
    **named: Any,
) -> Any:
    """Find for each left record its best partners on the right, or every pair from a score on; return a DataFrame.

    ``left`` and ``right`` are Spark DataFrames; without ``right`` the left one is compared with itself. ``measure`` and
    the options are those of :func:`likewise.match`. ``work`` is a folder that driver and executors see under the same
    path; a run that was stopped goes on from what is in it. Records are numbered in the order of the DataFrame, which
    is their id where no column is named, and breaks ties.
    """
    settings: MatchOptions = merge(MatchOptions, options, named)
    check(settings)
    wanted = as_measure(measure, default_measure())
    if not isinstance(wanted, TextMeasure):
        raise OptionError("the measure of a match on Spark is one measure of texts")
    other = left if right is None else right
    sides = sides_of(settings, left.columns, other.columns, wanted)
    for side, frame, name in ((0, left, "left"), (1, other, "right")):
        _check_columns(frame, sides, side, name)
    folder = _folder(work)
    top = 0 if settings.all_pairs else settings.top or 1
    least = float(settings.min_score or 0)
    with locked(folder):
        _prepare(folder, {"measure": wanted.to_json(), "sides": asdict(sides), "top": top, "min_score": least})
        for frame, name in ((left, "left"), (right, "right")):
            if frame is not None:
                _keep(frame, folder / name)
        session = left.sparkSession
        engine = Spark(folder / "temporary", session=session)
        run = Run(engine, folder, progress, strips=_STRIPS * session.sparkContext.defaultParallelism)
        files = find_pairs(run, sides, measure, top, least, right is None)
    if not files:
        raise ColumnError("left has no rows")
    return session.read.parquet(*map(str, files)).select(*_COLUMNS)


def _check_columns(frame: Any, sides: Sides, side: int, name: str) -> None:
    wanted = [*sides.columns(side), *sides.equal_on, *([sides.ids[side]] if sides.ids[side] else [])]
    for column in wanted:
        if column not in frame.columns:
            existing = ", ".join(map(repr, frame.columns)) or "none"
            raise ColumnError(f"{name} has no column {column!r}; its columns: {existing}")


def _folder(work: str | None) -> Path:
    """Return the work folder: the one named, or one that lasts as long as this process."""
    if work is not None:
        return Path(work).absolute()
    made = Path(tempfile.mkdtemp(prefix="likewise-"))
    atexit.register(shutil.rmtree, made, ignore_errors=True)
    return made


def _prepare(folder: Path, identity: dict[str, Any]) -> None:
    """Make the folder ready: a run with other options does not go on from what it finds there, nor removes it."""
    path = folder / "run.json"
    told = json.dumps(identity, sort_keys=True, default=str)
    if path.exists():
        if path.read_text(encoding="utf-8") != told:
            raise StorageError(f"{folder} holds a run with other options: name another work folder, or remove it")
        return
    if {entry.name for entry in folder.iterdir()} - {"lock"}:
        raise StorageError(f"{folder} is not empty and holds no run: name another work folder")
    with atomic_write(path, "w", encoding="utf-8") as file:
        file.write(told)


def _keep(frame: Any, folder: Path) -> None:
    """Write a DataFrame where blocks are read from; Spark's marker says that all of it is there."""
    if (folder / "_SUCCESS").exists():
        return
    try:
        frame.write.mode("overwrite").option("parquet.block.size", 32 << 20).parquet(folder.as_uri())
    except Exception as error:
        raise EngineError(f"Spark cannot write the records to {folder}: {first_line(error)}") from error
    if not (folder / "_SUCCESS").exists():
        raise EngineError(f"the executors wrote to another {folder} than the driver sees: name a shared folder as work")
