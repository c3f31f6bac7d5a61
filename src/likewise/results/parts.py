"""Tables too large to hold in memory: Parquet files, read when somebody asks for them."""

import os
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

from likewise.errors import InputError
from likewise.read.long_texts import texts_at
from likewise.read.mapped import mapped_table
from likewise.results.stage_report import StageReport
from likewise.results.tables import ending_of, short_texts, write_batches, write_table
from likewise.storage import atomic_folder
from likewise.targets import check_target, mark

if TYPE_CHECKING:
    import pyarrow as pa

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
        with atomic_folder(folder) as made:
            for place, file in enumerate(self.files):
                write_batches(replace(self, files=(file,)), made / f"part-{place:05d}.parquet")
            mark(made)


def write_whole(table: "pa.Table", path: str | os.PathLike[str]) -> None:
    """Write a table that is in memory, as :meth:`Parts.write` writes one that is not."""
    if ending_of(path) is not None or Path(path).suffix:
        write_table(table, path)
        return
    with tempfile.TemporaryDirectory() as folder:
        one = Path(folder) / "whole.parquet"
        write_table(table, one)
        Parts((one,), tuple(table.column_names)).write(path, force=True)
