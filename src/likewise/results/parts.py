"""Results that are too large to hold: tables in Parquet files, read when somebody asks for them."""

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

from likewise.errors import InputError
from likewise.read.long_texts import texts_at
from likewise.read.mapped import mapped_table
from likewise.results.clusters import DedupeResult, Tables
from likewise.results.joined import How, Joined
from likewise.results.matches import Match, MatchResult
from likewise.results.stage_report import StageReport
from likewise.results.tables import ending_of, short_texts, write_batches, write_table
from likewise.results.threshold import Threshold
from likewise.storage import check_target, mark

if TYPE_CHECKING:
    import pyarrow as pa

    from likewise.measure import Measure
    from likewise.results.decisions import DecisionSummary, MatchModel

_ROWS, _TEXTS = 1 << 14, 1 << 10  # the latter where texts are looked up
_SIDES = ("left", "right")


class PairTexts:
    """The texts of records, in Parquet files, that pairs of positions are about: looked up when somebody asks."""

    def __init__(self, files: tuple[Path, ...], column: str) -> None:
        self.files, self.column = files, column

    @cached_property
    def _texts(self) -> "pa.ChunkedArray":
        """The texts in a file that is mapped: they are asked for in any order, which Parquet does not serve."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        def batches() -> "Iterator[pa.RecordBatch]":
            for path in self.files:
                with pq.ParquetFile(path) as file:
                    for batch in file.iter_batches(_TEXTS, columns=[self.column], use_threads=False):
                        yield pa.record_batch([batch.column(0).cast(pa.string())], ["text"])

        return mapped_table(pa.schema([("text", pa.string())]), batches()).column(0)

    def beside(self, pairs: "pa.RecordBatch", names: tuple[str, ...]) -> "pa.RecordBatch":
        """Return pairs with their texts, and the columns of these names."""
        import pyarrow as pa

        columns = {name: pairs.column(name) for name in pairs.schema.names}
        for side in _SIDES:
            found = texts_at(self._texts, columns[f"{side}_position"].to_numpy())
            columns[f"{side}_text"] = found.dictionary_decode()
        return pa.record_batch({name: columns[name] for name in names})

    def to_spark(self, session: Any, pairs: Any, names: tuple[str, ...]) -> Any:
        """Return a DataFrame of pairs with their texts, which the executors look up, and the columns of these names."""
        import pyarrow.parquet as pq
        from pyspark.sql import functions as f

        rows = [pq.read_metadata(path).num_rows for path in self.files]
        begins = dict(zip(map(str, self.files), accumulate([0, *rows]), strict=False))
        quoted = spark_name(self.column)
        texts = session.read.schema(f"{quoted} string").parquet(*begins)
        # Spark spells the names of files in its own way.
        spelled = [row[0] for row in texts.select("_metadata.file_path").distinct().collect()]
        first = f.create_map(*(f.lit(part) for one in spelled for part in (one, begins[unquote(urlsplit(one).path)])))
        position = first[f.col("_metadata.file_path")] + f.col("_metadata.row_index")
        for side in _SIDES:
            one = texts.select(position.alias(f"{side}_position"), f.col(quoted).alias(f"{side}_text"))
            pairs = pairs.join(one, f"{side}_position", "left")
        return pairs.select(*map(spark_name, names))


def spark_name(column: str) -> str:
    """Return a column's name as Spark takes it whatever is in it: a dot would mean a field of a struct.

    >>> spark_name("full.name")
    '`full.name`'
    """
    return "`" + column.replace("`", "``") + "`"


@dataclass(frozen=True, slots=True)
class Parts:
    """A table in Parquet files, one after the other; ``column_names`` are those of it that are shown."""

    files: tuple[Path, ...]
    column_names: tuple[str, ...]
    report: StageReport | None = None
    texts: PairTexts | None = None
    """Where the texts of pairs are, of which the files have positions."""
    length: int | None = None
    """How many characters of each text are shown, at most; None: all."""

    def __len__(self) -> int:
        """Return the number of rows, which the footers of the files know."""
        import pyarrow.parquet as pq

        return sum(pq.read_metadata(path).num_rows for path in self.files)

    @property
    def schema(self) -> "pa.Schema":
        """The types of the columns."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        found = pq.read_schema(self.files[0])
        added = {} if self.texts is None else {f"{side}_text": pa.field(f"{side}_text", pa.string()) for side in _SIDES}
        return pa.schema([added[name] if name in added else found.field(name) for name in self.column_names])

    def to_batches(self, rows: int = _ROWS) -> "Iterator[pa.RecordBatch]":
        """Give the rows, so many at a time; where texts are looked up, fewer."""
        if self.length is not None:
            for batch in replace(self, length=None).to_batches(rows):
                yield short_texts(batch, self.length)
            return
        if self.texts is not None:
            for batch in replace(self, column_names=self._kept, texts=None).to_batches(min(rows, _TEXTS)):
                yield self.texts.beside(batch, self.column_names)
            return
        import pyarrow as pa
        import pyarrow.parquet as pq

        waiting: list[pa.RecordBatch] = []
        schema = self.schema
        for path in self.files:
            with pq.ParquetFile(path) as file:
                for batch in file.iter_batches(rows, columns=list(self.column_names)):
                    waiting.append(batch)
                    if sum(map(len, waiting)) >= rows:  # the same batches, however the files were cut
                        whole = pa.Table.from_batches(waiting, schema).combine_chunks()
                        yield whole.slice(0, rows).to_batches()[0]
                        waiting = whole.slice(rows).to_batches()
        yield from pa.Table.from_batches(waiting, schema).combine_chunks().to_batches()

    @property
    def _kept(self) -> tuple[str, ...]:
        """The columns of the files that are needed to look up texts."""
        added = [f"{side}_text" for side in _SIDES]
        return (*(name for name in self.column_names if name not in added), *(f"{side}_position" for side in _SIDES))

    def to_arrow(self) -> "pa.Table":
        """Read the whole table into the memory of this process."""
        import pyarrow as pa

        return pa.Table.from_batches(self.to_batches(), self.schema)

    def to_spark(self, session: Any) -> Any:
        """Return a Spark DataFrame of the files, which the workers must see."""
        for field in self.schema:
            if str(field.type).startswith("timestamp[ns"):
                raise InputError(
                    f"column {field.name!r} holds times in nanoseconds, for which Spark has no type: write the input "
                    f"with microseconds, or take the result as Arrow (to_arrow) or a file (write)"
                )
        rows = session.read.parquet(*map(str, self.files))
        if self.texts is not None:
            return self.texts.to_spark(session, rows.select(*map(spark_name, self._kept)), self.column_names)
        return rows.select(*map(spark_name, self.column_names))

    def write(self, path: str | os.PathLike[str], *, force: bool = False) -> None:
        """Write a file as its name says, a batch at a time; a name without ending becomes a folder of Parquet files.

        A folder appears whole, and replaces with ``force`` only what Likewise wrote.
        """
        if ending_of(path) is not None or Path(path).suffix:
            write_batches(self, path)
            return
        folder = Path(path).absolute()
        check_target(folder, force=force)
        folder.parent.mkdir(parents=True, exist_ok=True)
        made = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", dir=folder.parent))
        try:
            for place, file in enumerate(self.files):
                write_batches(replace(self, files=(file,)), made / f"part-{place:05d}.parquet")
            mark(made)
            made.chmod(0o755)
            if folder.exists():
                shutil.rmtree(folder)
            made.replace(folder)
        finally:
            shutil.rmtree(made, ignore_errors=True)


def write_whole(table: "pa.Table", path: str | os.PathLike[str]) -> None:
    """Write a table that is in memory, as :meth:`Parts.write` writes one that is not."""
    if ending_of(path) is not None or Path(path).suffix:
        write_table(table, path)
        return
    with tempfile.TemporaryDirectory() as folder:
        one = Path(folder) / "whole.parquet"
        write_table(table, one)
        Parts((one,), tuple(table.column_names)).write(path, force=True)


class JoinedParts(Joined):
    """Records of both tables side by side, in ``parts`` that tasks wrote."""

    __slots__ = ("parts",)
    parts: Parts

    def __init__(self, parts: Parts) -> None:
        _set(self, Joined, {"parts": parts})

    @property
    def table(self) -> "pa.Table":
        """The rows, read into memory."""
        return self.parts.to_arrow()

    def __len__(self) -> int:
        return len(self.parts)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        for batch in self.parts.to_batches():
            yield from batch.to_pylist()

    def to_spark(self, session: Any) -> Any:
        """Return the rows as a Spark DataFrame."""
        return self.parts.to_spark(session)

    def write(self, path: str | os.PathLike[str]) -> None:
        """Write the rows without holding them: one file as its name says, or a folder of Parquet files."""
        self.parts.write(path)

    def _part(self, places: slice) -> Joined:  # type: ignore[override]
        return Joined(self.table)._part(places)


class MatchParts(MatchResult):
    """A match that ran on an engine: what :class:`MatchResult` has, in ``parts`` on disk until it is asked for."""

    __slots__ = ("alone", "evidence_parts", "joining", "parts", "report", "review_parts")
    parts: Parts
    alone: Callable[[], Parts]
    review_parts: Parts | None
    evidence_parts: Parts | None
    joining: Callable[[How, Sequence[str] | None], Parts] | None
    report: StageReport

    def __init__(
        self,
        parts: Parts,
        alone: Callable[[], Parts],
        measure: "Measure",
        notes: tuple[str, ...],
        report: StageReport,
        *,
        threshold: Threshold | None = None,
        decision: "DecisionSummary | None" = None,
        review: Parts | None = None,
        evidence: Parts | None = None,
        model: "MatchModel | None" = None,
        joining: Callable[[How, Sequence[str] | None], Parts] | None = None,
        columns: tuple[str, ...] | None = None,
    ) -> None:
        values = {"parts": parts, "alone": alone, "report": report, "measure": measure, "notes": notes}
        values |= {
            "threshold": threshold,
            "decision": decision,
            "review_parts": review,
            "evidence_parts": evidence,
            "model": model,
        }
        _set(self, MatchResult, {**values, "joining": joining, "columns": columns})

    @property
    def table(self) -> "pa.Table":
        """The pairs, read into memory."""
        return self.parts.to_arrow()

    @property
    def unmatched_parts(self) -> Parts:
        """The records in no pair, which tasks write when they are first asked for."""
        return self.alone()

    @property
    def unmatched(self) -> "pa.Table":
        """The records in no pair, read into memory."""
        return self.unmatched_parts.to_arrow()

    @property
    def review(self) -> "pa.Table | None":
        """The doubtful pairs, where a model decided, read into memory."""
        return None if self.review_parts is None else self.review_parts.to_arrow()

    @property
    def evidence(self) -> "pa.Table | None":
        """What each field says of the pairs that are given or doubtful, read into memory."""
        return None if self.evidence_parts is None else self.evidence_parts.to_arrow()

    def __len__(self) -> int:
        return len(self.parts)

    def __iter__(self) -> Iterator[Match]:
        for batch in self.parts.to_batches():
            yield from map(self._value, batch.to_pylist())

    def to_spark(self, session: Any) -> Any:
        """Return the pairs as a Spark DataFrame."""
        return self.parts.to_spark(session)

    def join(self, how: How = "left", columns: Sequence[str] | None = None) -> JoinedParts:
        """Return both tables side by side, as :meth:`MatchResult.join` does: tasks write the rows to files."""
        if self.joining is None:
            raise InputError("the tables that were matched are not at hand: join a result of likewise.match")
        return JoinedParts(self.joining(how, self.columns if columns is None else columns))

    def write(self, path: str | os.PathLike[str]) -> None:
        """Write the pairs without holding them: one file as its name says, or a folder of Parquet files."""
        self.parts.write(path)

    def _part(self, places: slice) -> MatchResult:  # type: ignore[override]
        whole = MatchResult(self.table, self.unmatched, self.measure, self.notes)
        return whole._part(places)


class DedupeParts(DedupeResult):
    """A dedupe that ran on an engine: what :class:`DedupeResult` has, in ``parts`` on disk until it is asked for."""

    __slots__ = ("clusters", "merging", "parts", "report")
    parts: dict[str, Parts]
    merging: Callable[[], Parts]
    clusters: int
    report: StageReport

    def __init__(
        self,
        parts: dict[str, Parts],
        clusters: int,
        threshold: Threshold,
        measure: "Measure",
        notes: tuple[str, ...],
        report: StageReport,
        *,
        merging: Callable[[], Parts],
        decision: "DecisionSummary | None" = None,
        model: "MatchModel | None" = None,
    ) -> None:
        values = {"parts": parts, "clusters": clusters, "report": report, "decision": decision, "model": model}
        values["merging"] = merging
        _set(self, DedupeResult, {**values, "threshold": threshold, "measure": measure, "notes": notes})

    @property
    def table(self) -> "pa.Table":
        """The cluster of each record, read into memory."""
        return self.parts["table"].to_arrow()

    @property
    def canonical(self) -> "pa.Table":
        """The table without its duplicates, read into memory."""
        return self.parts["canonical"].to_arrow()

    @property
    def pairs(self) -> "pa.Table":
        """The pairs that made the clusters, read into memory."""
        return self.parts["pairs"].to_arrow()

    @property
    def review(self) -> "pa.Table":
        """The doubtful pairs, read into memory."""
        return self.parts["review"].to_arrow()

    @property
    def evidence(self) -> "pa.Table | None":
        """What each field says of the pairs that are given or doubtful, where a model decided, read into memory."""
        return self.parts["evidence"].to_arrow() if "evidence" in self.parts else None

    @property
    def merged_parts(self) -> Parts:
        """One merged record per cluster, which tasks write when they are first asked for."""
        if "merged" not in self.parts:
            self.parts["merged"] = self.merging()
        return self.parts["merged"]

    @property
    def merged(self) -> "pa.Table":
        """One merged record per cluster, read into memory."""
        return self.merged_parts.to_arrow()

    def __len__(self) -> int:
        return self.clusters

    def to_spark(self, session: Any) -> Any:
        """Return the clusters as a Spark DataFrame; ``parts`` has the other tables."""
        return self.parts["table"].to_spark(session)

    def write(self, path: str | os.PathLike[str]) -> None:
        """Write the clusters without holding them: one file as its name says, or a folder of Parquet files."""
        self.parts["table"].write(path)

    def _part(self, places: slice) -> DedupeResult:  # type: ignore[override]
        whole = DedupeResult(
            self.table,
            Tables({name: partial(getattr, self, name) for name in ("canonical", "merged", "pairs", "review")}),
            self.threshold,
            self.measure,
            self.notes,
        )
        return whole._part(places)


def _set(result: Any, kind: type, values: dict[str, Any]) -> None:
    """Fill in a frozen result: what is not among the values keeps its default."""
    import dataclasses

    for field in dataclasses.fields(kind):
        computed = isinstance(getattr(type(result), field.name, None), property)
        if not computed and field.name not in values and field.default is not dataclasses.MISSING:
            object.__setattr__(result, field.name, field.default)
    for name, value in values.items():
        object.__setattr__(result, name, value)
