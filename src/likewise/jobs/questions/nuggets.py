"""Factual nuggets: pairs of a date and the sentence fragment that says what happened then, collected into an index.

:func:`nuggets` reads documents on an engine, shard by shard, and writes the index that
:meth:`likewise.jobs.questions.ask.Nuggets.ask` answers from: a folder with ``nuggets-*.parquet`` (:data:`SCHEMA`),
``terms-*.parquet`` and ``titles-*.parquet`` (stem, numbers of nuggets), and a manifest that names those that count.
Nothing but a shard, and the numbers of the nuggets that are kept, is in memory at a time.
"""

import dataclasses
import os
import secrets
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from likewise.analyse.events import stems
from likewise.analyse.question import words
from likewise.engines import Apart, Engine
from likewise.engines.options import EngineOptions
from likewise.engines.start import start
from likewise.errors import StorageError
from likewise.jobs.mine.sentences import split
from likewise.jobs.questions.files import FORMAT, KINDS, SCHEMA, VERSION
from likewise.jobs.questions.fragments import fragments, spoken_of, with_subjects
from likewise.jobs.questions.other_names import other_names
from likewise.jobs.shards import Shard, finish, finished, identity, plan
from likewise.jobs.work_folder import WorkFolder
from likewise.progress import Progress
from likewise.read import ReadOptions
from likewise.read.documents import read_file
from likewise.read.paths import Paths
from likewise.read.skipped import OnSkip, Skipped
from likewise.seals import Manifest, checksum
from likewise.storage import atomic_path
from likewise.targets import MARKER_NAME, is_ours, mark
from likewise.verb import verb

_FOUND_IN = "found"
# Equal fragments of one date are one nugget; how many documents say it is kept. *She died* is one for each name.
DISTINCT = """
SELECT place, CAST(documents AS INTEGER) AS documents
FROM (
    SELECT MIN(place) AS place, COUNT(DISTINCT source) AS documents FROM found GROUP BY date, fragment, whose
) kept ORDER BY place
"""
LISTED = "SELECT term, nugget FROM postings WHERE part = {part} ORDER BY term, nugget"
# Postings that are sorted at a time.
_SORTED = 4_000_000


_FOUND = pa.schema(
    [
        *(field for field in SCHEMA if field.name not in ("documents", "words")),
        ("whose", pa.string()),
        ("place", pa.int64()),
    ]
)
_POSTING = pa.schema([("term", pa.string()), ("nugget", pa.int64()), ("part", pa.int32())])


@verb(running=EngineOptions, read=ReadOptions)
def nuggets(
    paths: Paths,
    output: str | os.PathLike[str],
    *,
    session: Any = None,
    on_skip: OnSkip | None = None,
    progress: Progress | None = None,
    running: EngineOptions,
    read: ReadOptions,
) -> int:
    """Read documents and write the index of their nuggets to folder ``output``; return the number of distinct ones.

    ``session`` is an existing Spark session for ``engine="spark"``. A run that was killed continues when it is called
    again.

    >>> import pathlib, tempfile
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> _ = (folder / "facts.txt").write_text("In 1947, Bell Labs invented the transistor.")
    >>> nuggets(folder / "facts.txt", folder / "nuggets")
    1
    """
    target = Path(output)
    if target.exists() and not (target.is_dir() and (is_ours(target) or not any(target.iterdir()))):
        raise StorageError(f"{target} exists and is not an index of nuggets: name another folder")
    shards = plan(paths, read)
    named, kept = running.work, (_FOUND_IN,)
    work = WorkFolder(Path(named).absolute(), kept) if named else WorkFolder.beside(target, kept)
    with work.locked():
        work.prepare({"format": [FORMAT, VERSION], **identity(shards, read)}, replace=True)
        engine = start(running, session, work.temporary / "engine", os.cpu_count() or 1)
        try:
            task = NuggetTask(work.path / _FOUND_IN, read)
            counts = engine.map(task, shards, _told(progress, len(shards)))
            for skipped in (Skipped(*one) for count in counts for one in count["skipped"]):
                if on_skip is not None:
                    on_skip(skipped)
            count = _write(target, work.temporary, engine, [task.folder / f"{shard.name}.parquet" for shard in shards])
        finally:
            engine.close()
        work.clear()
    work.remove()
    return count


def _told(progress: Progress | None, total: int) -> Any:
    return lambda done: progress(done, total, "shards read") if progress is not None else None


@dataclass(frozen=True, slots=True)
class NuggetTask(Apart):
    """Files -> a table of the nuggets of each shard, numbered by their place."""

    folder: Path
    read: ReadOptions

    def shard(self, state: None, shard: Shard) -> dict[str, Any]:
        """Collect the nuggets of a shard."""
        marker, table_path = self.folder / f"{shard.name}.json", self.folder / f"{shard.name}.parquet"
        done = finished(marker, table_path)
        if done is not None:
            return done
        skipped: list[Skipped] = []
        rows: list[tuple[Any, ...]] = []
        for path, name, piece in shard.files:
            for document in read_file(Path(path), name, self.read, skipped.append, piece):
                sentences = list(split(document, tables=True))
                also = "; ".join(other_names(document.title, sentences))
                here = ((one, of) for sentence, of in with_subjects(sentences) for one in fragments(sentence))
                for order, (one, subject) in enumerate(here):
                    date, of = one.date, (document.id, document.title)
                    whose = f"{document.title} {subject}" if spoken_of(one.text) else ""
                    rows.append((date.iso, one.written, one.text, *of, one.at, date.role, order, subject, also, whose))
        columns = list(zip(*rows, strict=True)) or [()] * (len(_FOUND) - 1)
        places = np.arange(len(rows), dtype=np.int64) + (shard.number << 32)
        arrays = [pa.array(column, field.type) for column, field in zip([*columns, places], _FOUND, strict=True)]
        with atomic_path(table_path, sync=False) as temporary:
            pq.write_table(pa.table(arrays, schema=_FOUND), temporary, compression="zstd")
        return finish(marker, table_path, {"skipped": [dataclasses.astuple(one) for one in skipped]})


def _write(target: Path, work: Path, engine: Engine, found: list[Path]) -> int:
    """Write new files into the folder, then the manifest that names them, then delete those that it does not name.

    Killed at any moment, it leaves what was there before, or what is new.
    """
    try:
        target.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StorageError(f"cannot write {target}: {error.strerror or error}") from error
    mark(target)  # before there is a manifest, this says whose folder it is
    names = {kind: f"{kind}-{secrets.token_hex(8)}.parquet" for kind in KINDS}
    engine.load("found", found)
    kept = engine.fetch(DISTINCT)
    postings = {kind: _Postings(work / kind) for kind in KINDS[1:]}
    with atomic_path(target / names["nuggets"]) as path:
        _write_nuggets(path, found, kept, postings["terms"], postings["titles"])
    for kind, lists in postings.items():
        with atomic_path(target / names[kind]) as path:
            lists.write(path, engine)
    files = {name: checksum(target / name) for name in names.values()}
    Manifest(FORMAT, VERSION, dict(names), files).write(target)
    for path in target.iterdir():
        earlier = path.name.lstrip(".").startswith(KINDS) and path.name not in files
        if earlier or path.name == MARKER_NAME:
            path.unlink()
    return int(kept.num_rows)


def _write_nuggets(path: Path, found: list[Path], kept: pa.Table, terms: "_Postings", titles: "_Postings") -> None:
    """Write the nuggets that are kept, shard by shard, and take down their stems."""
    places, documents = (kept.column(name).to_numpy() for name in ("place", "documents"))
    first = 0
    with pq.ParquetWriter(path, SCHEMA, compression="zstd") as writer:
        for part in found:
            table = pq.read_table(part)
            chosen = np.isin(table.column("place").to_numpy(), places, assume_unique=True)
            table = table.filter(pa.array(chosen)).drop_columns(["place", "whose"])
            distinct = [set(stems(words(text))) for text in table.column("fragment").to_pylist()]
            terms.add(distinct, first)
            named = zip(*(table.column(name).to_pylist() for name in ("title", "subject", "also")), strict=True)
            titles.add([set(stems(words(" ".join(all_of)))) for all_of in named], first)
            last = first + table.num_rows
            table = table.append_column("documents", pa.array(documents[first:last], pa.int32()))
            table = table.append_column("words", pa.array([len(one) for one in distinct], pa.int32()))
            writer.write_table(table.select(SCHEMA.names))
            first = last


class _Postings:
    """Which nuggets have a stem: files as they come, then lists in the order of the stems, a part at a time."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir()
        self._folder = folder
        self._files: list[Path] = []
        self._rows = 0

    def add(self, stemmed: list[set[str]], first: int) -> None:
        """Take the stems of nuggets, the first of which has this number."""
        terms = [term for one in stemmed for term in sorted(one)]
        numbers = np.repeat(np.arange(first, first + len(stemmed)), [len(one) for one in stemmed])
        parts = np.array([zlib.crc32(term.encode()) & 0xFFFF for term in terms], np.int32)
        self._files.append(self._folder / f"{len(self._files):05d}.parquet")
        pq.write_table(pa.table([terms, numbers, parts], schema=_POSTING), self._files[-1], compression="lz4")
        self._rows += len(terms)

    def write(self, path: Path, engine: Engine) -> None:
        """Write the lists: a row for each stem."""
        schema = pa.schema([("term", pa.string()), ("nuggets", pa.list_(pa.int32()))])
        parts = max(1, -(-self._rows // _SORTED))
        engine.load("listed", self._files)
        engine.create("postings", f"SELECT term, nugget, part % {parts} AS part FROM listed")
        with pq.ParquetWriter(path, schema, compression="zstd") as writer:
            for part in range(parts):
                rows = engine.fetch(LISTED.format(part=part))
                writer.write_table(_listed(rows).cast(schema), row_group_size=4096)
        engine.drop("postings")


def _listed(rows: pa.Table) -> pa.Table:
    """Rows of a stem and a number, in order, become rows of a stem and its numbers."""
    encoded = rows.column("term").combine_chunks().dictionary_encode()
    starts = np.flatnonzero(np.diff(encoded.indices.to_numpy(), prepend=-1))
    lists = pa.ListArray.from_arrays(
        pa.array(np.append(starts, rows.num_rows), pa.int32()),
        pa.array(rows.column("nugget").to_numpy(), pa.int32()),
    )
    return pa.table({"term": encoded.dictionary, "nuggets": lists})
