"""Jobs on one record at a time (queries, pairs to decide on, questions): each task opens the index or model once.

A batch of queries, pairs to decide about, questions: what answers them is a folder or a file that every worker sees.
"""

import contextlib
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import pyarrow as pa
import pyarrow.parquet as pq

from likewise.engines import Apart
from likewise.errors import InputError, QueryError, StorageError
from likewise.jobs.distributed.asked import Job
from likewise.jobs.distributed.blocks import Block
from likewise.jobs.distributed.input import Source
from likewise.jobs.distributed.job import begun, check_ids
from likewise.jobs.distributed.part_files import files_of, rows_and_bytes
from likewise.jobs.distributed.run import records_in
from likewise.options import json_of
from likewise.read.tables import Records, texts_of
from likewise.results.parts import Parts
from likewise.seals import MANIFEST_NAME, checksum
from likewise.storage import atomic_path

if TYPE_CHECKING:
    from likewise.index.search import SearchOptions
    from likewise.jobs.questions.options import AskOptions

_TEXTS = pa.list_(pa.string())
_ANSWER = pa.schema(
    [
        ("rank", pa.int64()),
        ("date", pa.string()),
        ("sure", pa.float64()),
        ("match", pa.float64()),
        ("count", pa.int64()),
        ("forms", _TEXTS),
        ("evidence", _TEXTS),
    ]
)
_ROWS = 2_000
"""Records of a task, so that there are enough of them to spread; fewer where there are few."""
_SHARE = 8  # of the memory of a task is for rows: they are there as values, as columns and as pages of their file
_LEFT = 16  # queries after which the pages of an index are let go of
_ROW = 200  # bytes of a row besides its text


class Answering(Protocol):
    """What answers records: it is opened once in each worker, then given block after block."""

    @property
    def sources(self) -> tuple[str | None, ...]:
        """The files that it answers from."""

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that it reads."""

    @property
    def made(self) -> tuple[str, ...]:
        """The columns that it makes."""

    def open(self) -> Any:
        """Open the index or the model; the result goes to :meth:`tables`."""

    def tables(self, opened: Any, records: Records, room: int) -> Iterator[pa.Table]:
        """Give the rows for some records, a table at least; one that has grown to ``room`` bytes is given at once."""


@dataclass(frozen=True, slots=True)
class RowTask(Apart):
    """Blocks of records -> ``rows/*.parquet``."""

    folder: Path
    answering: Answering
    id_column: str | None
    types: Mapping[str, Any]
    name: str
    room: int
    """Bytes that rows may take until they are written."""

    def begin(self) -> Any:
        """Open what answers."""
        return self.answering.open()

    def shard(self, state: Any, shard: Block) -> dict[str, Any]:
        """Answer one block."""
        path = self.folder / f"{shard.name}.parquet"
        if not path.exists():
            records = shard.read(self.answering.columns, self.id_column, self.name, self.types)
            with atomic_path(path) as temporary, contextlib.ExitStack() as ending:
                writer: pq.ParquetWriter | None = None
                for table in self.answering.tables(state, records, self.room):
                    writer = writer or ending.enter_context(pq.ParquetWriter(temporary, table.schema))
                    writer.write_table(table)
        return {"records": len(shard), **rows_and_bytes(path, "rows")}


def answer(job: Job, given: Any, answering: Answering, id_column: str | None, title: str) -> Parts:
    """Return the rows that ``answering`` makes of each record, in the order of the records."""
    source = Source(given, "table", id_column, answering.columns, job.read)
    identity = {
        "answering": json_of(answering),
        "sources": [_stamp(path) for path in answering.sources if path is not None],
    }
    with begun(job, title, [source], identity) as run:
        with run.stage("keep"):
            table = source.bring(run, run.place("left"))
            table.check([*answering.columns, *([id_column] if id_column else [])])
            check_ids(run, table)
        size = max(1, min(_ROWS, -(-records_in(table.files) // run.strips)))
        run = replace(run, block=size)
        blocks, folder = run.blocks_of(table.files), run.place("rows")
        types = dict(zip(table.schema.names, table.schema.types, strict=True))
        task = RowTask(folder, answering, table.id_column, types, table.name, run.memory // _SHARE)
        with run.stage("rows"):
            run.map(task, blocks, f"blocks ({title})")
        return Parts(files_of(folder, blocks), answering.made, run.report)


def _stamp(path: str) -> Any:
    """Return a value that changes whenever a file, or a folder with a manifest, does."""
    manifest = os.path.join(path, MANIFEST_NAME)
    if os.path.isfile(manifest):
        return checksum(manifest)
    try:
        status = os.stat(path)
    except OSError as error:
        raise StorageError(f"{path}: {error.strerror}") from error
    return [status.st_size, status.st_mtime_ns]


@dataclass(frozen=True, slots=True)
class Searching:
    """A query a record -> hits: ``query`` (its id), ``rank``, ``id``, ``score``, ``text``, ``source``, ``query_text``.

    Of a frame without ids the text is all by which a query is known again.
    """

    index: str
    query: str
    options: "SearchOptions"
    filters: Any = None
    expand: str | None = None

    @property
    def sources(self) -> tuple[str | None, ...]:
        """What answers."""
        return (self.index, self.expand)

    @property
    def columns(self) -> tuple[str, ...]:
        """The column of queries."""
        return (self.query,)

    @property
    def made(self) -> tuple[str, ...]:
        """The columns of hits."""
        return ("query", "rank", "id", "score", "text", "source", "query_text")

    def open(self) -> Any:
        """Map the index, and look at its texts once, a segment at a time, as is done when they are first shown."""
        from likewise.index.index import Index

        opened = Index.open(self.index, verify=False)
        for segment in opened.snapshot.segments:
            assert segment.table is not None
            opened.snapshot.leave()
        return opened

    def tables(self, opened: Any, records: Records, room: int) -> Iterator[pa.Table]:
        """Search every query; one that is missing or blank finds nothing."""
        asked = texts_of(records.table, self.query, records.name).to_pylist()
        rows: list[tuple[int, Any]] = []
        held = 0
        for place, query in enumerate(asked):
            if query and query.strip():
                try:
                    hits = opened.search(query, filters=self.filters, expand=self.expand, options=self.options)
                except QueryError as error:  # among many it must be found
                    raise QueryError(f"query {records.ids[place].as_py()!r}: {error}") from error
                for hit in hits:
                    rows.append((place, hit))
                    held += len(hit.text) + len(hit.source) + _ROW
                    if held >= room:
                        yield _hits(opened, records, asked, rows)
                        rows, held = [], 0
                if place % _LEFT == 0:  # soon they have looked at all of the index
                    opened.snapshot.leave()
        yield _hits(opened, records, asked, rows)


def _hits(opened: Any, records: Records, asked: Sequence[str | None], rows: Sequence[tuple[int, Any]]) -> pa.Table:
    """Return hits as a table, each with its query."""
    hits = [hit for _, hit in rows]
    return pa.table(
        {
            "query": records.ids.take(pa.array([place for place, _ in rows], pa.int64())),
            "rank": pa.array([hit.rank for hit in hits], pa.int64()),
            "id": opened.snapshot.id_column([hit.id for hit in hits]),
            "score": pa.array([hit.score for hit in hits], pa.float64()),
            "text": pa.array([hit.text for hit in hits], pa.string()),
            "source": pa.array([hit.source for hit in hits], pa.string()),
            "query_text": pa.array([asked[place] for place, _ in rows], pa.string()),
        }
    )


@dataclass(frozen=True, slots=True)
class Predicting:
    """A pair of texts a record -> ``id``, ``label``, ``score`` and, to explain, ``uncovered``."""

    model: str
    left: str
    right: str
    explain: bool = False

    @property
    def sources(self) -> tuple[str | None, ...]:
        """What answers."""
        return (self.model,)

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of the two texts."""
        return (self.left, self.right)

    @property
    def made(self) -> tuple[str, ...]:
        """The columns of decisions."""
        return ("id", "label", "score", *(["uncovered"] if self.explain else []))

    def open(self) -> Any:
        """Read the model."""
        from likewise.jobs.recognise.model import Recogniser

        return Recogniser.load(self.model)

    def tables(self, opened: Any, records: Records, room: int) -> Iterator[pa.Table]:
        """Decide about every pair."""
        from likewise.jobs.recognise.predictions import predictions

        sides = [texts_of(records.table, name, records.name).to_pylist() for name in (self.left, self.right)]
        for name, side in zip((self.left, self.right), sides, strict=True):
            if None in side:
                row = records.ids[side.index(None)].as_py()
                raise InputError(f"{records.name}: the pair with id {row!r} has no text in column {name!r}")
        yield predictions(opened, records.ids, *sides, explain=self.explain)


@dataclass(frozen=True, slots=True)
class Asking:
    """A question a record -> its dates.

    ``id`` (of the record), ``question``, ``rank``, ``date``, ``sure``, ``match``, ``count``, ``forms``, ``evidence``.
    """

    nuggets: str
    question: str
    options: "AskOptions"
    expand: str | None = None

    @property
    def sources(self) -> tuple[str | None, ...]:
        """What answers."""
        return (self.nuggets, self.expand)

    @property
    def columns(self) -> tuple[str, ...]:
        """The column of questions."""
        return (self.question,)

    @property
    def made(self) -> tuple[str, ...]:
        """The columns of answers."""
        return ("id", "question", "rank", "date", "sure", "match", "count", "forms", "evidence")

    def open(self) -> Any:
        """Read the nuggets, and the paraphrases to widen with."""
        from likewise.jobs.questions.ask import Nuggets
        from likewise.results.paraphrases import Paraphrases

        return Nuggets(self.nuggets), None if self.expand is None else Paraphrases.read(self.expand)

    def tables(self, opened: Any, records: Records, room: int) -> Iterator[pa.Table]:
        """Answer every question; one that asks for no date has no answer."""
        nuggets, paraphrases = opened
        rows: list[dict[str, Any]] = []
        places: list[int] = []
        questions = texts_of(records.table, self.question, records.name)
        for place, question in enumerate(questions.to_pylist()):
            try:
                answers = nuggets.ask(question or "", paraphrases, self.options)
            except InputError:
                continue
            for rank, one in enumerate(answers, 1):
                places.append(place)
                shown = [nugget.fragment for nugget in one.evidence]
                values = (rank, one.date, one.sure, one.match, one.count, list(one.forms), shown)
                rows.append(dict(zip(_ANSWER.names, values, strict=True)))
        at = pa.array(places, pa.int64())
        answered = pa.Table.from_pylist(rows, _ANSWER).add_column(0, "question", questions.take(at))
        yield answered.add_column(0, "id", records.ids.take(at))
