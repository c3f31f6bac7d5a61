"""Turn input of every kind into Parquet files that all workers see, unless it is that already.

Spark DataFrames are written by the executors; files of other formats are read by tasks, each by one, with the reader of
one machine; what is in the memory of this process is written by it.
"""

import glob
import hashlib
import json
import os
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from likewise.engines import Apart
from likewise.engines.spark import first_line
from likewise.errors import ColumnError, EngineError, FormatError, InputError, OptionError, StorageError
from likewise.jobs.distributed.asked import is_frame
from likewise.jobs.distributed.corpus import corpus_records, corpus_schema
from likewise.jobs.distributed.run import Run
from likewise.jobs.distributed.spark_input import fingerprint, read_url, storable, write_frame
from likewise.read.corpus import ID as CORPUS_ID
from likewise.read.corpus import TEXT, is_corpus, table_files
from likewise.read.partitions import partitions, with_partitions
from likewise.read.paths import files
from likewise.read.table_files import json_objects
from likewise.read.tables import (
    Records,
    TableOptions,
    check_columns,
    comparable,
    left_out_notes,
    numbers_note,
    read_table,
    texts_of,
)
from likewise.storage import atomic_path

ID = "#id"
"""The column of ids that came beside a table, such as the index of a pandas object."""
# Bytes of a row group: a block is read from the beginning of one, so what is much larger is written anew.
_GROUP, _LARGE = 8 << 20, 64 << 20
_TOLD = b"told"
_CLASSIC = "start one with SparkSession.builder.master(...), or write it to Parquet and give the path, engine='spark'"


@dataclass(frozen=True, slots=True)
class Input:
    """One side: its files in order, what they hold, and what was decided while they were read."""

    name: str
    files: tuple[Path, ...]
    schema: pa.Schema
    id_column: str | None = None
    notes: tuple[str, ...] = ()
    compared: tuple[str, ...] = ()
    """What is compared where no column is named, if not all that hold text: of documents theirs."""

    @property
    def columns(self) -> list[str]:
        """Names of the columns."""
        return [name for name in self.schema.names if name != ID]

    @property
    def comparable(self) -> list[str]:
        """Names of the columns that are compared where none is named; the id may be one."""
        return list(self.compared) or comparable(self.schema, self.columns)

    def said_of(self, named: Sequence[str]) -> "Input":
        """Return it with a note of columns that are left out, unless what is compared is ``named``."""
        compared = [name for name in self.columns if name != self.id_column]
        told = [] if named and list(named) != ["*"] else left_out_notes(self.name, self.schema, compared)
        return replace(self, notes=(*self.notes, *told))

    def check(self, wanted: Sequence[str]) -> None:
        """Refuse in words columns that are not there or hold no texts."""
        check_columns(self.schema.empty_table(), [name for name in wanted if name != ID], self.name)
        for name in wanted:
            texts_of(pa.table([pa.array([], self.schema.field(name).type)], [name]), name, self.name)


@dataclass(frozen=True, slots=True)
class Source:
    """What the user gave for a side, before it is brought to the engine."""

    given: Any
    name: str
    id_column: str | None
    wanted: tuple[str, ...]
    read: TableOptions
    narrow: bool = False
    """Whether nothing is needed of a DataFrame but the columns that are named."""

    def __post_init__(self) -> None:
        given = self.given
        # Standard input is there once: to be told from other input, and to be used.
        if isinstance(given, str | os.PathLike) and os.fspath(given) == "-":
            object.__setattr__(self, "given", self.records())

    def check_frame(self, frame: Any = None) -> None:
        """Refuse in words, before anything runs, a DataFrame without a column that is needed, or with one twice."""
        frame = self.given if frame is None else frame
        if not is_frame(frame):
            return
        if ".connect." in type(frame).__module__:
            raise InputError(f"{self.name} is of a Spark Connect session, which runs no tasks of ours: {_CLASSIC}")
        if not frame.columns:
            raise ColumnError(f"{self.name} has no columns")
        if frame.isStreaming:
            raise InputError(
                f"{self.name} is a stream, which has no end: give what it has written so far, or a batch of it "
                f"(foreachBatch)"
            )
        # Spark does not tell a from A in the names of columns, and refuses to write both.
        twice = [name for name, times in Counter(map(str.lower, frame.columns)).items() if times > 1]
        if twice:
            raise ColumnError(f"{self.name} has column {twice[0]!r} twice: rename or drop one")
        wanted = [*self.wanted, *([self.id_column] if self.id_column else [])]
        columns = pa.table([[]] * len(frame.columns), frame.columns)
        check_columns(columns, [name for name in wanted if name != "*"], self.url or self.name)

    @property
    def cuts(self) -> bool:
        """Whether some columns of the table are not kept."""
        named = self.narrow and self.wanted and "*" not in self.wanted
        return bool(named) and (is_frame(self.given) or self.url is not None)

    @property
    def paths(self) -> list[str] | None:
        """The files that were named, as they were; ``None`` where it is no path of this machine."""
        if not isinstance(self.given, str | os.PathLike) or self.url is not None:
            return None
        text = os.fspath(self.given)
        if os.path.isdir(text):
            return table_files(text) or [str(path) for path, _ in files(text)]
        if glob.has_magic(text) and not os.path.exists(text):
            found = glob.glob(text, recursive=True)
        else:
            found = [text] if os.path.exists(text) else []
        if not found:
            raise StorageError(f"no file matches {text}" if glob.has_magic(text) else f"{text}: no such file or folder")
        return sorted(found)

    @property
    def url(self) -> str | None:
        """A path of a file system that Spark knows, such as hdfs://... or s3a://...."""
        text = os.fspath(self.given) if isinstance(self.given, str | os.PathLike) else ""
        return text if "://" in text else None

    def identity(self) -> Any:
        """Return what identifies this input, so that a run does not continue with the tables of another."""
        if is_frame(self.given):
            return fingerprint(self.given)
        paths = self.paths
        if paths is not None:
            stamps = [os.stat(path) for path in paths]
            whole = [os.path.abspath(path) for path in paths]
            return [[path, stamp.st_size, stamp.st_mtime_ns] for path, stamp in zip(whole, stamps, strict=True)]
        if self.url is not None:
            return self.url
        table = self.records().table
        digest = hashlib.sha256()
        for batch in table.to_batches():
            digest.update(batch.serialize())
        return [table.column_names, table.num_rows, digest.hexdigest()]

    def records(self) -> Records:
        """Return a table that is in memory, or on standard input."""
        return read_table(self.given, self.read, id=self.id_column, wanted=self.wanted, name=self.name)

    def bring(self, run: Run, folder: Path) -> Input:
        """Return the files, kept in ``folder`` where they are not Parquet already."""
        if is_frame(self.given) or self.url is not None:
            return self._input(write_frame(self._needed(self._frame(run)), folder))
        paths = self.paths
        if paths is None:
            return _kept(self.records(), folder)
        place = os.fspath(self.given)
        if is_corpus(place):
            found, notes = corpus_records(run, place, self.read.strict, folder)
            return Input(place, found, corpus_schema(found), self.id_column or CORPUS_ID, notes, (TEXT,))
        if len(paths) > 1 and json_objects(paths, self.read) is not None:
            return _kept(self.records(), folder)
        held = [partitions(path, place) if os.path.isdir(place) else {} for path in paths]
        if all(path.endswith(".parquet") for path in paths) and self.read.format in (None, "parquet"):
            named = dict(zip([Path(path).absolute() for path in paths], held, strict=True))
            anew = [one for one in named.items() if one[1] or _has_large_groups(one[0])]
            run.map(RegroupTask(folder), anew, "files regrouped")
            anew_paths = {path for path, _ in anew}
            return self._input(
                [RegroupTask(folder).path(path) if path in anew_paths else path for path in named], place=place
            )
        task = KeepTask(folder, self.read, self.wanted + ((self.id_column,) if self.id_column else ()))
        shards = [
            (number, os.path.abspath(path), columns)
            for number, (path, columns) in enumerate(zip(paths, held, strict=True))
        ]
        counts = run.map(task, shards, "files read")
        # Tasks run elsewhere and know whole paths; the user is told the one that was given.
        told = zip(paths, counts, strict=True)
        said = [note.replace(os.path.abspath(path), path) for path, count in told for note in count["notes"]]
        made = self._input([folder / KeepTask.name(number) for number in range(len(paths))], tuple(said), place)
        return made if self.id_column else _numbered(made, [count["numbers"] for count in counts])

    def _frame(self, run: Run) -> Any:
        if self.url is None:
            return self.given
        session = getattr(run.engine, "session", None)
        if session is None:
            raise OptionError(f"{self.url} is read by Spark: name engine 'spark'")
        try:
            return read_url(session, self.url)
        except Exception as error:
            raise InputError(f"Spark cannot read {self.url}: {first_line(error)}") from error

    def _needed(self, frame: Any) -> Any:
        """Return a DataFrame with the columns that are needed, as Parquet can hold them."""
        self.check_frame(frame)
        return storable(frame, {*self.wanted, self.id_column} if self.cuts else set(frame.columns))

    def _input(self, files: list[Path], notes: tuple[str, ...] = (), place: str | None = None) -> Input:
        if not files:
            raise EngineError(f"Spark wrote no file for {self.name}: is the work folder seen by driver and executors?")
        return Input(place or self.name, tuple(files), _schema(files), self.id_column, notes)


@dataclass(frozen=True, slots=True)
class KeepTask(Apart):
    """Files of any format -> Parquet, with the reader of one machine."""

    folder: Path
    read: TableOptions
    wanted: tuple[str, ...]

    @staticmethod
    def name(place: int) -> str:
        """Return what the file of a place is called."""
        return f"part-{place:06d}.parquet"

    def shard(self, state: None, shard: tuple[int, str, dict[str, str | None]]) -> dict[str, Any]:
        """Read one file; what the names of its folders hold are columns, too."""
        place, path, columns = shard
        target = self.folder / self.name(place)
        if not target.exists():
            records = read_table(path, self.read, wanted=self.wanted)
            notes, table, numbers = [*records.notes], records.table, None
            if records.id_column is not None:  # whether the rows of all files are numbered is not known here
                notes.remove(numbers_note(path, records.id_column))
                numbers = [records.id_column, *(records.ids[place].as_py() for place in (0, -1))]
                table = table.set_column(0, records.id_column, table.column(0).cast(pa.string()))
            told = {"notes": [*notes, *(str(one) for one in records.skipped)], "numbers": numbers}
            table = with_partitions(table, columns).replace_schema_metadata({_TOLD: json.dumps(told)})
            with atomic_path(target) as temporary:
                pq.write_table(table, temporary, row_group_size=_rows_of_group(table))
        footer = pq.ParquetFile(target)
        return {**json.loads(footer.schema_arrow.metadata[_TOLD]), "records": footer.metadata.num_rows}


def _numbered(made: Input, numbers: Sequence[Any]) -> Input:
    """Return files whose first column numbers the rows of all of them with its numbers as ids, as one machine does."""
    names = {one and one[0] for one in numbers}
    if None in names or len(names) != 1 or any(one[2] >= after[1] for one, after in pairwise(numbers)):
        return made
    [name] = names
    schema = made.schema.set(made.schema.get_field_index(name), pa.field(name, pa.int64()))
    return replace(made, schema=schema, id_column=name, notes=(*made.notes, numbers_note(made.name, name)))


@dataclass(frozen=True, slots=True)
class RegroupTask(Apart):
    """Parquet files whose row groups are large -> the same rows in small ones, a few at a time.

    What the names of their folders hold are columns, too.
    """

    folder: Path

    def path(self, path: Path) -> Path:
        """Return where the rows of a file are written."""
        return self.folder / f"{hashlib.sha256(str(path).encode()).hexdigest()[:16]}.parquet"

    def shard(self, state: None, shard: tuple[Path, dict[str, str | None]]) -> dict[str, Any]:
        """Write one file anew."""
        path, columns = shard
        target = self.path(path)
        if not target.exists():
            with pq.ParquetFile(path) as file, atomic_path(target) as temporary:
                schema = with_partitions(file.schema_arrow.empty_table(), columns).schema
                with pq.ParquetWriter(temporary, schema) as writer:
                    for batch in file.iter_batches(1024):
                        table = with_partitions(pa.Table.from_batches([batch]), columns).cast(schema)
                        writer.write_table(table, row_group_size=_rows_of_group(batch))
        return {"bytes": target.stat().st_size}


def _has_large_groups(path: Path) -> bool:
    footer = pq.read_metadata(path)
    return any(footer.row_group(place).total_byte_size > _LARGE for place in range(footer.num_row_groups))


def _rows_of_group(table: Any) -> int:
    """Return how many rows make a row group: small ones, unless rows are so short that they would be many."""
    return int(min(1 << 16, max(256, _GROUP * table.num_rows // max(1, table.nbytes))))


def _kept(records: Records, folder: Path) -> Input:
    """Write a table that is in memory; ids that came beside it become a column."""
    path = folder / KeepTask.name(0)
    table, id_column = records.table, records.id_column
    given = id_column is None and not records.ids.equals(pa.array(range(len(records)), pa.int64()))
    if given:
        table, id_column = table.append_column(ID, records.ids), ID
    if not path.exists():
        with atomic_path(path) as temporary:
            pq.write_table(table, temporary, row_group_size=_rows_of_group(table))
    return Input(records.name, (path,), table.schema, id_column, records.notes)


def _schema(files: Sequence[Path]) -> pa.Schema:
    """Return the columns of all files; types that do not go together are an error in words."""
    schemas = [pq.read_schema(path).remove_metadata() for path in files]
    found = schemas[0]
    for path, schema in zip(files[1:], schemas[1:], strict=True):
        if schema.equals(found):
            continue
        try:
            found = pa.unify_schemas([found, schema], promote_options="permissive")
        except pa.ArrowException:
            for field in schema:
                other = found.field(field.name) if field.name in found.names else field
                if other.type != field.type:
                    said = f"column {field.name!r} holds {field.type}, not {other.type}"
                    raise FormatError(f"{path} does not go with {files[0]}: {said}") from None
            raise
    return found
