"""``mine``: the stages one after the other, on an engine, going on where an earlier run stopped."""

import contextlib
import dataclasses
import json
import math
import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from likewise.engines import Engine, Task
from likewise.engines.start import start
from likewise.errors import LikewiseError, OptionError, StorageError
from likewise.jobs.mine import align, weigh
from likewise.jobs.mine.evidence import NEIGHBOURS, ORDERED_NEIGHBOURS, Evidence
from likewise.jobs.mine.options import MineOptions, RunOptions
from likewise.jobs.mine.stages import (
    CountTask,
    EvidenceTask,
    HashTask,
    RowTask,
    SentenceTask,
    keep_anchors,
    merge_tables,
)
from likewise.jobs.shards import Shard, identity, plan
from likewise.jobs.work_folder import WorkFolder
from likewise.platform import peak_memory
from likewise.progress import Progress
from likewise.read import ReadOptions
from likewise.read.paths import Paths
from likewise.read.texts import given_documents
from likewise.results.paraphrases import Paraphrases
from likewise.results.run_report import Report
from likewise.storage import atomic_path, atomic_write
from likewise.verb import verb

# Raised whenever the tables of a stage change, so that a new release does not go on from old ones.
FORMAT = 5
_FOLDERS = ("sentences", "prune", "hashes", "rows", "evidence")
_FILES = ("pairs.parquet", "samples.parquet", "steps.json", "run.report.json", "run.report.html")


@verb(options=MineOptions, running=RunOptions, read=ReadOptions)
def mine(
    paths: Any,
    *,
    output: str | os.PathLike[str] | None = None,
    session: Any = None,
    progress: Progress | None = None,
    options: MineOptions,
    running: RunOptions,
    read: ReadOptions,
) -> Paraphrases:
    """Mine paraphrases from documents: files, folders, globs, of any kind that :mod:`likewise.read` knows; or texts.

    With ``output`` the table is written there, with a run report beside it, and a run that was killed continues when
    it is called again. ``session`` is an existing Spark session for ``engine="spark"``.

    >>> import pathlib, tempfile
    >>> text = "The new law {} in the spring of {}. "
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> _ = (folder / "laws.txt").write_text("".join(
    ...     text.format(verb, year) for verb in ("took effect", "came into force") for year in range(1990, 1999)))
    >>> found = mine(folder, context=2, support=1)
    >>> [(pair.phrase, pair.paraphrase) for pair in found.filter(multi_word=True)][:1]
    [('came into force', 'took effect')]
    """
    if running.stop_after is not None:
        raise OptionError("stop_after leaves no result to return: use likewise.jobs.mine.run.run")
    with in_files(paths) as named:
        found = run(named, output, options, running, read, session, progress)
    assert found is not None  # only a run that stops after a stage has no result
    return found


@contextlib.contextmanager
def in_files(source: Any) -> Iterator[Paths]:
    """Give the paths that were named; texts and documents in memory as a file that is there meanwhile."""
    if isinstance(source, Iterator):
        source = list(source)
    given = given_documents(source, "paths")
    if given is None:
        yield source
        return
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "texts.jsonl"
        with file.open("w", encoding="utf-8") as lines:
            for document in given:
                lines.write(json.dumps({"id": document.id, "text": document.text}) + "\n")
        yield file


def run(
    paths: Paths,
    output: str | os.PathLike[str] | None,
    options: MineOptions,
    running: RunOptions,
    read: ReadOptions,
    session: Any = None,
    progress: Progress | None = None,
) -> Paraphrases | None:
    """Do what :func:`mine` says; ``None`` if the run was told to stop after a stage."""
    target = None if output is None else Path(output)
    if target is not None and target.is_dir():
        raise StorageError(f"{target} is a folder; name a file for the paraphrases")
    shards = plan(paths, read)
    with _work_folder(target, running) as work, work.locked():
        folder = work.path
        work.prepare(_identity(shards, options, read), replace=True)
        engine = start(running, session, work.temporary, running.thread_count)
        try:
            job = _Job(folder, shards, options, running, read, engine, progress)
            table = job.run()
        except OSError as error:
            if isinstance(error, LikewiseError):
                raise
            raise StorageError(f"{error}; finished shards stay in {folder} for the next run") from error
        finally:
            engine.close()
        report = job.report
        report.peak_memory = peak_memory()
        if table is None:
            report.write(folder / "run")
            return None
        found = Paraphrases(table, report)
        if target is not None:
            found.write(target)
            report.write(target)
        if not running.keep_work:
            work.clear()
    if not running.keep_work:
        work.remove()
    return found


class _Job:
    """One run: the stages in order, each timed and counted."""

    def __init__(
        self,
        folder: Path,
        shards: list[Shard],
        options: MineOptions,
        running: RunOptions,
        read: ReadOptions,
        engine: Engine,
        progress: Progress | None,
    ) -> None:
        self.folder, self.shards, self.options = folder, shards, options
        self.running, self.read, self.engine, self.progress = running, read, engine, progress
        shown = {**dataclasses.asdict(options), "engine": engine.name, "memory": running.limit}
        self.report = Report({**shown, "threads": running.thread_count, "shards": len(shards)})

    def run(self) -> pa.Table | None:
        """Run every stage; ``None`` if told to stop before the end."""
        with self._timed("sentences"):
            task = SentenceTask(self.folder / "sentences", self.options, self.read)
            self.report.add_shards("sentences", self._map(task, "shards read", _Speed(self.folder / "sentences")))
        if self.running.stop_after == "sentences":
            return None
        self.options = self.options.for_text(self.report.counts["sentences"].get("kept", 0))
        self.report.options["support"] = self.options.support
        self._rows()
        if self.running.stop_after == "rows":
            return None
        with self._timed("pairs"):
            self._pairs()
        if self.running.stop_after == "pairs":
            return None
        with self._timed("evidence"):
            evidence = self._evidence()
        with self._timed("weigh"):
            pairs = pq.read_table(self.folder / "pairs.parquet")
            sentences = self.report.counts["sentences"].get("kept", 0)
            samples = self.folder / "samples.parquet"
            return weigh.weigh(pairs, samples, evidence, sentences, english=self.options.tagged)

    def _map(self, task: Task, unit: str, speed: "_Speed | None" = None) -> list[dict[str, Any]]:
        total = len(self.shards)

        def done(count: int) -> None:
            if self.progress is not None:
                rate = "" if speed is None else f", {speed.sentences_per_second():,.0f} sentences/s"
                self.progress(count, total, unit + rate)

        return self.engine.map(task, self.shards, done)

    @contextlib.contextmanager
    def _timed(self, stage: str) -> Iterator[None]:
        started = time.perf_counter()
        yield
        self.report.seconds[stage] = time.perf_counter() - started

    def _rows(self) -> None:
        folder, tables, sentences = self.folder / "rows", self.folder / "prune", self.folder / "sentences"
        bits = _table_bits(self.report.counts["sentences"].get("tokens", 0), self.options, self.running)
        # On a cluster there are more anchors than the driver has memory for, and workers enough for their strings.
        remote = self.engine.name != "duckdb"
        if not all((folder / f"{shard.name}.json").exists() for shard in self.shards):
            for kind in ("candidates", "anchors"):
                if (tables / f"{kind}.bin").exists() and (tables / f"{kind}.bin").stat().st_size == 1 << bits:
                    continue
                for part in tables.glob(f"{kind}-*.part"):
                    part.unlink()
                with self._timed(f"count {kind}"):
                    self._map(CountTask(sentences, tables, self.options, bits, kind), f"shards counted ({kind})")
                    merge_tables(tables, kind)
            if not remote and not (tables / "shared.bin").exists():
                with self._timed("shared anchors"):
                    self._share(sentences, tables, bits)
        anchors = "shared" if (tables / "shared.bin").exists() else "anchors"
        with self._timed("rows"):
            task = RowTask(sentences, tables, folder, self.options, bits, anchors)
            self.report.add_shards("rows", self._map(task, "shards anchored"))

    def _share(self, sentences: Path, tables: Path, bits: int) -> None:
        """Find the anchors with two candidates or more by their hashes."""
        hashes = self.folder / "hashes"
        self._map(HashTask(sentences, tables, hashes, self.options, bits), "shards compared")
        parts = [hashes / f"{shard.name}.parquet" for shard in self.shards]
        self.engine.load("hashes", parts)
        self.engine.create("distinct_hashes", align.DISTINCT_HASHES)
        found = self.engine.fetch(align.SHARED_HASHES.format(support=self.options.fewest))
        self.engine.drop("distinct_hashes")
        keep_anchors(tables, found.column("anchor").to_numpy(), bits)
        for part in parts:
            part.unlink()

    def _pairs(self) -> None:
        steps = self.folder / "steps.json"
        if not steps.exists():
            (self.folder / "temporary").mkdir(exist_ok=True)
            self.engine.load("rows", [self.folder / "rows" / f"{shard.name}.parquet" for shard in self.shards])
            made = align.align(self.engine, self.options, self.folder / "temporary")
            for name, sql in (("pairs", align.ORDERED_PAIRS), ("samples", align.ORDERED_SAMPLES)):
                with atomic_path(self.folder / f"{name}.parquet") as temporary:
                    pq.write_table(self.engine.fetch(sql), temporary)
                self.engine.drop(name)
            with atomic_write(steps, "w", encoding="utf-8") as file:
                json.dump(made, file)
        self.report.steps = [(name, rows) for name, rows in json.loads(steps.read_text(encoding="utf-8"))]
        self.report.count("pairs", {"pairs": dict(self.report.steps)["pairs"]})
        if self.options.max_candidates is not None:
            self.report.counts["pairs"]["anchors dropped by max_candidates"] = dict(self.report.steps)["wide"]

    def _evidence(self) -> Evidence:
        folder, total = self.folder / "evidence", self.folder / "evidence" / "total.npy"
        if not total.exists():
            for part in (*folder.glob("*.npy"), *folder.glob("*.parquet")):
                part.unlink()
            task = EvidenceTask(self.folder / "sentences", self.folder / "pairs.parquet", folder, self.options)
            self._map(task, "shards weighed")
            self.engine.load("beside", [folder / f"{shard.name}.parquet" for shard in self.shards])
            self.engine.create("neighbours", NEIGHBOURS)
            with atomic_path(folder / "neighbours.arrow") as temporary, pa.OSFile(str(temporary), "wb") as sink:
                table = self.engine.fetch(ORDERED_NEIGHBOURS)
                with pa.ipc.new_file(sink, table.schema) as writer:
                    writer.write_table(table)
            self.engine.drop("neighbours")
            summed = np.sum([np.load(part) for part in sorted(folder.glob("*.npy"))], axis=0)
            with atomic_write(total) as file:
                np.save(file, summed)
        return Evidence(np.load(total), folder / "neighbours.arrow")


class _Speed:
    """Sentences a second, from the markers that finished shards leave, wherever they are made."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._seen = {path.name for path in folder.glob("*.json")}
        self._sentences = 0
        self._started = time.perf_counter()

    def sentences_per_second(self) -> float:
        """Return the speed since the start; shards of an earlier run do not count."""
        for path in self._folder.glob("[0-9]*.json"):
            if path.name not in self._seen:
                self._seen.add(path.name)
                with contextlib.suppress(OSError, ValueError):
                    self._sentences += json.loads(path.read_text(encoding="utf-8")).get("sentences", 0)
        return self._sentences / max(time.perf_counter() - self._started, 1e-9)


def _identity(shards: list[Shard], options: MineOptions, read: ReadOptions) -> dict[str, Any]:
    return {"format": FORMAT, "options": dataclasses.asdict(options), **identity(shards, read)}


def _table_bits(tokens: int, options: MineOptions, running: RunOptions) -> int:
    """Two slots or more for each row there can be, within an eighth of the memory for each of the two tables.

    Fewer slots let more rows through, which costs time and changes no result.
    """
    rows = max(1, tokens) * (options.max_phrase - options.min_phrase + 1)
    wanted = math.ceil(math.log2(rows))
    memory = running.memory_bytes // 8
    most = 25 if running.engine != "duckdb" else int(math.log2(memory))
    return max(12, min(wanted, most, 31))


@contextlib.contextmanager
def _work_folder(target: Path | None, running: RunOptions) -> Iterator[WorkFolder]:
    if running.work is not None:
        yield WorkFolder(Path(running.work).absolute(), _FOLDERS, _FILES)
    elif target is not None:
        yield WorkFolder.beside(target, _FOLDERS, _FILES)
    else:
        folder = Path(tempfile.mkdtemp(prefix="likewise-mine-"))
        try:
            yield WorkFolder(folder, _FOLDERS, _FILES)
        finally:
            if not running.keep_work:
                shutil.rmtree(folder, ignore_errors=True)
