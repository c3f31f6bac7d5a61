"""The functions for PySpark: Spark DataFrames in, Spark DataFrames out."""

import os
import pathlib
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from likewise.engines.options import EngineOptions
from likewise.errors import InputError
from likewise.index.index import Index
from likewise.index.search import SearchOptions
from likewise.jobs.dedupe import dedupe as dedupe_here
from likewise.jobs.distributed.asked import Job, is_frame
from likewise.jobs.distributed.build import build_on
from likewise.jobs.distributed.documents import COLUMNS, DocumentTask, as_given, documents_on, stamps
from likewise.jobs.distributed.input import Source
from likewise.jobs.distributed.job import begun
from likewise.jobs.distributed.rows import Asking, Predicting, Searching, answer
from likewise.jobs.link.job import link as link_here
from likewise.jobs.link.options import LinkOptions, ListOptions
from likewise.jobs.match import match as match_here
from likewise.jobs.questions.options import AskOptions
from likewise.jobs.shards import plan_files
from likewise.measure import Measure
from likewise.options import merge
from likewise.progress import Progress
from likewise.read import ReadOptions
from likewise.read.options import TableOptions
from likewise.read.paths import Paths, files
from likewise.records.options import DedupeOptions, MatchOptions
from likewise.results.in_parts import DedupeParts
from likewise.results.parts import Parts
from likewise.results.stage_report import StageReport
from likewise.results.threshold import Threshold

Path = str | os.PathLike[str]


def match(
    left: Any,
    right: Any = None,
    *,
    measure: Any = None,
    labels: Any = None,
    model: Any = None,
    options: MatchOptions | None = None,
    work: str | None = None,
    memory: str | None = None,
    progress: Progress | None = None,
    **named: Any,
) -> Any:
    """Find for each left record its best partners on the right, or every pair from a score on; return a DataFrame.

    ``left`` and ``right`` are Spark DataFrames; without ``right`` the left one is compared with itself. ``measure`` and
    the options are those of :func:`likewise.match`. ``work`` is a folder that driver and executors see under the same
    path; a run that was stopped goes on from what is in it. Records are numbered in the order of the DataFrame, which
    is their id where no column is named, and breaks ties. ``memory`` is that of a task, and what the driver may take
    where all records are needed at once: for a decision (no ``top``, ``all_pairs`` or ``min_score``), ``labels`` and
    ``one_to_one``. What is to be said of the pairs, such as why there are none, is a warning.
    """
    session = _session(left, "left")
    at = {"work": work, "memory": memory, "progress": progress}
    found = match_here(left, right, measure=measure, labels=labels, model=model, options=options, **at, **named)
    for note in found.notes:  # a DataFrame has no place for them: of no rows they say why
        warnings.warn(note, stacklevel=2)
    return _frame(session, found)


def _frame(session: Any, found: Any) -> Any:
    """Return a result as a DataFrame: of its files, or of what this process holds."""
    return found.to_spark(session) if hasattr(found, "to_spark") else session.createDataFrame(found.to_arrow())


@dataclass(frozen=True, slots=True)
class DedupedFrames:
    """What dedupe gives, as DataFrames with the columns of one machine: see :class:`likewise.DedupeResult`."""

    table: Any
    canonical: Any
    pairs: Any
    review: Any
    clusters: int
    threshold: Threshold
    measure: Measure
    notes: tuple[str, ...]
    report: StageReport | None
    merging: Callable[[], Any]
    evidence: Any = None

    @property
    def merged(self) -> Any:
        """One merged record per cluster, which the executors write when it is asked for."""
        return self.merging()


def dedupe(
    table: Any,
    *,
    measure: Any = None,
    labels: Any = None,
    model: Any = None,
    options: DedupeOptions | None = None,
    work: str | None = None,
    memory: str | None = None,
    progress: Progress | None = None,
    **named: Any,
) -> DedupedFrames:
    """Find the records of a DataFrame that are the same, and the one that stands for each.

    The options are those of :func:`likewise.dedupe`. Without ``min_score``, the driver decides on records of several
    fields by numbers that the executors make, as far as ``memory`` reaches.
    """
    session = _session(table, "table")
    at = {"work": work, "memory": memory, "progress": progress}
    found = dedupe_here(table, measure=measure, labels=labels, model=model, options=options, **at, **named)
    if isinstance(found, DedupeParts):
        frames = {name: parts.to_spark(session) for name, parts in found.parts.items()}
        merging = lambda: found.merged_parts.to_spark(session)  # noqa: E731 - as the other
    else:
        names = ("table", "canonical", "pairs", "review")
        frames = {name: session.createDataFrame(getattr(found, name)) for name in names}
        merging = lambda: session.createDataFrame(found.merged)  # noqa: E731
    return DedupedFrames(**frames, clusters=len(found), threshold=found.threshold, measure=found.measure,
                         notes=found.notes, report=getattr(found, "report", None), merging=merging)  # fmt: skip


def documents(
    session: Any,
    paths: Paths,
    *,
    read: ReadOptions | None = None,
    work: str | None = None,
    progress: Progress | None = None,
) -> Any:
    """Read files of any kind that Likewise knows: text, HTML, WARC, PDF, and so on.

    Return ``id``, ``title``, ``text``, ``source``, and what is known of some: ``url``, ``date``, ``from``.
    Near-duplicate documents are then ``dedupe(documents(session, paths), on="text", id="id", min_score=0.8).table``.
    """
    job = Job(EngineOptions(engine=session, work=work), TableOptions(), None, progress)
    return read_documents(job, paths, read or ReadOptions()).to_spark(session)


def read_documents(job: Job, paths: Paths, read: ReadOptions) -> Parts:
    """Return documents as a table, with what is known of them, in the order of one machine."""
    named = list(files(paths))
    shards = plan_files(named, read)
    with begun(job, "documents", [], {"read": asdict(read), "files": stamps(shards)}) as run:
        with run.stage("documents"):
            found, _ = documents_on(run, shards, DocumentTask(run.place("documents"), read, called=as_given(named)))
        return Parts(found, COLUMNS)


def link(
    table: Any,
    right: Any = None,
    *,
    on: str = "text",
    id: str | None = "id",  # noqa: A002 - the word users see
    options: LinkOptions | None = None,
    lists: Mapping[str, ListOptions] | None = None,
    work: str | None = None,
    memory: str | None = None,
    progress: Progress | None = None,
    **named: Any,
) -> Any:
    """Link the passages of the documents of a DataFrame, or of two; return the links with the columns of one machine.

    The executors read, cut and compare the passages. The driver holds numbers: where passages begin and end, their
    terms, and the links.
    """
    settings: LinkOptions = merge(LinkOptions, options, named)
    sides = [
        None if side is None else Source(side, name, id, (on,), TableOptions())
        for side, name in ((table, "table"), (right, "right"))
    ]
    session = _session(table, "table")
    engine = {"engine": session, "work": work, "memory": memory}
    found = link_here(sides[0], sides[1], options=settings, lists=lists, progress=progress, **engine)
    return session.createDataFrame(found.to_arrow())


def build_index(
    table: Any,
    path: Path,
    *,
    on: str = "text",
    id: str | None = None,  # noqa: A002 - the word users see
    fields: Sequence[str] = (),
    measure: Any = None,
    work: str | None = None,
    progress: Progress | None = None,
) -> Index:
    """Index a column of a DataFrame; write the index to ``path`` and open it.

    ``fields`` are columns that queries can ask for. The index is that of :meth:`likewise.Index.build`, with its bytes.
    """
    _session(table, "table")
    job = _job(work, None, progress)
    return build_on(job, table, pathlib.Path(path), on, id, fields, measure)


def search(
    index: Path,
    queries: Any,
    *,
    on: str = "query",
    id: str | None = None,  # noqa: A002 - the word users see
    filters: Any = None,
    expand: Path | None = None,
    options: SearchOptions | None = None,
    work: str | None = None,
    progress: Progress | None = None,
    **named: Any,
) -> Any:
    """Search an index, on a path that the executors see, for every query of a DataFrame.

    Return ``query`` (the id, or position, of the record), ``rank``, ``id``, ``score``, ``text``, ``source``,
    ``query_text``. The options are those of :meth:`likewise.Index.search`.
    """
    settings: SearchOptions = merge(SearchOptions, options, named)
    asked = Searching(_seen(index), on, settings, filters, None if expand is None else _seen(expand))
    return _answered(queries, "queries", asked, id, "search", work, progress)


def predict(
    model: Path,
    pairs: Any,
    *,
    left: str = "left",
    right: str = "right",
    id: str | None = None,  # noqa: A002 - the word users see
    explain: bool = False,
    work: str | None = None,
    progress: Progress | None = None,
) -> Any:
    """Decide about every pair of a DataFrame with a model that ``likewise recognise fit`` wrote.

    Return ``id``, ``label`` (1 yes, 0 no), ``score`` and, to explain, ``uncovered``.
    """
    asked = Predicting(_seen(model), left, right, explain)
    return _answered(pairs, "pairs", asked, id, "predict", work, progress)


def ask(
    nuggets: Path,
    questions: Any,
    *,
    on: str = "question",
    id: str | None = None,  # noqa: A002 - the word users see
    expand: Path | None = None,
    options: AskOptions | None = None,
    work: str | None = None,
    progress: Progress | None = None,
    **named: Any,
) -> Any:
    """Answer every question of a DataFrame from the nuggets that ``likewise nuggets`` collected.

    Return ``id`` (or position) of the record, ``question``, ``rank``, ``date``, ``sure``, ``match``, ``count``,
    ``forms``, ``evidence``; what asks for no date has no rows.
    """
    settings: AskOptions = merge(AskOptions, options, named)
    asked = Asking(_seen(nuggets), on, settings, None if expand is None else _seen(expand))
    return _answered(questions, "questions", asked, id, "ask", work, progress)


def _session(frame: Any, name: str) -> Any:
    """Return the session of a DataFrame; refuse anything else."""
    if not is_frame(frame):
        raise InputError(
            f"{name} must be a Spark DataFrame here, not {type(frame).__name__}; likewise.match and the others take "
            f"tables of any kind, with engine=..."
        )
    return frame.sparkSession


def _answered(
    given: Any, name: str, asked: Any, id_column: str | None, title: str, work: str | None, progress: Progress | None
) -> Any:
    session = _session(given, name)
    return answer(_job(work, None, progress), given, asked, id_column, title).to_spark(session)


def _job(work: str | None, memory: str | None, progress: Progress | None) -> Job:
    return Job(EngineOptions(work=work, memory=memory), TableOptions(), None, progress)


def _seen(path: Path) -> str:
    return os.path.abspath(os.fspath(path))
