"""The frame of every job on an engine: work folder, engine, report, and errors in words."""

import atexit
import contextlib
import os
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from likewise.engines.options import EngineOptions
from likewise.engines.start import start
from likewise.errors import EngineError, InputError, LikewiseError, OptionError, StorageError
from likewise.jobs.distributed.asked import Job, is_frame
from likewise.jobs.distributed.input import Input, Source
from likewise.jobs.distributed.pairs import let_go
from likewise.jobs.distributed.run import Run
from likewise.jobs.distributed.statistics import forget
from likewise.jobs.work_folder import WorkFolder
from likewise.results.stage_report import StageReport

# What tells a run from others, and is nothing to read: long lists, and a measure before it is chosen and fitted.
_LONG = ("files", "documents", "sources", "measure")
_STRIPS = 4  # for each task that runs at a time
_MATCH = "left right statistics partners pairs back reciprocal explained used unmatched"
_DEDUPE = (
    "kinds numbers distinct sample near linked groups labels opened numbered table canonical judged review unordered"
)
_DECIDED = "facts values often measures forth by series near-lists candidates said given matched review-rows weights"
_LATER = "joined spread merged"
_OTHERS = "rows documents lengths segments texts cut vectors joins analysed terms weighed"
FOLDERS = (*_MATCH.split(), *_DEDUPE.split(), *_DECIDED.split(), *_LATER.split(), *_OTHERS.split())
FILES = (
    "measure.json",
    "joined.json",
    "fields.json",
    "numbers.json",
    "model.json",
    "said-block.json",
    "start.parquet",
    "component.parquet",
    "places.json",
    "strips.json",
    "block.json",
    "segment.json",
    "pairs-block.json",
    "linked.json",
    "strip-bytes.json",
    "terms-block.json",
    "spread-block.json",
    "run.report.json",
    "run.report.html",
)


@contextlib.contextmanager
def begun(job: Job, title: str, sources: Sequence[Source], identity: dict[str, Any]) -> Iterator[Run]:
    """Give the run of a job; what it has finished stays in the work folder for the next run if it is stopped."""
    from likewise import __version__

    for source in sources:
        source.check_frame()
    running = job.running
    folder = Path(running.work).absolute() if running.work is not None else _for_this_process()
    session = next((source.given.sparkSession for source in sources if is_frame(source.given)), None)
    work = WorkFolder(folder, FOLDERS, FILES)
    with work.locked():
        whose = {"likewise": __version__, "job": title, "read": str(job.read), **identity}
        # A folder of this process has no earlier run to be told from.
        seen = [source.identity() for source in sources] if running.work is not None else []
        work.prepare({**whose, "input": seen}, replace=False)
        if job.progress is not None:
            job.progress(0, None, "start")
        shown = {name: value for name, value in identity.items() if name not in _LONG}
        with _at_work(job, work, session, StageReport(title, shown)) as run:
            yield run


@contextlib.contextmanager
def beside(output: Path | None, running: EngineOptions) -> Iterator[EngineOptions]:
    """Give an engine a work folder next to the output where none is named: a run that was stopped goes on from there.

    When all is written it goes. So does a new one where the user has something to put right: the next run is another.
    """
    if running.engine is None or running.work is not None or output is None:
        yield running
        return
    work = WorkFolder.beside(output, FOLDERS, FILES)
    new = not work.path.exists()
    try:
        yield replace(running, work=str(work.path))
    except (OptionError, InputError):
        if new:
            work.end()
        raise
    work.end()


@dataclass(frozen=True, slots=True)
class Finished:
    """A finished run whose tables are needed later: its engine can be started again in the same folder."""

    job: Job
    folder: Path
    session: Any
    report: StageReport

    @classmethod
    def of(cls, run: Run, job: Job, sources: Sequence[Source]) -> "Finished":
        """Return what is needed to go on from a run."""
        session = next((source.given.sparkSession for source in sources if is_frame(source.given)), None)
        return cls(job, run.folder, session, run.report)

    @contextlib.contextmanager
    def again(self) -> Iterator[Run]:
        """Give the run once more; blocks are cut as before, and its report continues."""
        work = WorkFolder(self.folder, FOLDERS, FILES)
        with work.locked(), _at_work(self.job, work, self.session, self.report) as run:
            yield replace(run, block=run.settled("block", run.block))


@contextlib.contextmanager
def _at_work(job: Job, work: WorkFolder, session: Any, report: StageReport) -> Iterator[Run]:
    """Give a run whose engine works in a folder, and ends with it."""
    running, folder, threads = job.running, work.path, job.threads or os.cpu_count() or 1
    kept = "" if running.work is None else f"; what is finished stays in {folder} for the next run"
    engine = start(running, session, work.temporary, threads)
    try:
        report.options |= {"engine": engine.name, "memory": running.limit, "places": str(engine.places)}
        memory = running.room_bytes
        if engine.name == "duckdb":  # tasks share what the tables leave
            memory = memory * 6 // 10 // threads
        run = Run(engine, folder, job.progress, memory=memory, limit=running.memory_bytes, report=report)
        places = run.settled("places", engine.places)
        yield replace(run, places=places, strips=run.settled("strips", _STRIPS * places))
        report.write(folder / "run")
    except OSError as error:
        if isinstance(error, LikewiseError):
            raise
        raise StorageError(f"{error}{kept}") from error
    except EngineError as error:
        raise EngineError(f"{error}{kept}") from error
    finally:
        forget(folder)
        let_go()
        engine.close()


def check_ids(run: Run, given: Input) -> None:
    """Refuse in words ids that are missing or not unique."""
    if given.id_column is None:
        return
    run.engine.load("given", given.files)
    column = run.engine.quoted(given.id_column)
    found = run.engine.fetch(
        f"SELECT {column} AS id, COUNT(*) AS times FROM given GROUP BY {column} "
        f"HAVING COUNT(*) > 1 OR {column} IS NULL ORDER BY id LIMIT 1"
    ).to_pylist()
    for row in found:
        if row["id"] is None:
            raise InputError(f"{given.name}: a row has no id in column {given.id_column!r}; every record needs one")
        raise InputError(f"{given.name}: id {row['id']!r} in column {given.id_column!r} is there {row['times']} times")


def _for_this_process() -> Path:
    """Return a work folder that lasts as long as this process."""
    made = Path(tempfile.mkdtemp(prefix="likewise-"))
    atexit.register(shutil.rmtree, made, ignore_errors=True)
    return made
