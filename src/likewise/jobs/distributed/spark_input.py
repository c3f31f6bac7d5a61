"""Spark DataFrames as input: told from others, read from a URL, written as Parquet files that all workers see."""

import re
from collections.abc import Collection
from pathlib import Path
from typing import Any

from likewise.engines import WHOLE
from likewise.engines.spark import first_line
from likewise.errors import EngineError
from likewise.results.parts import spark_name


def fingerprint(frame: Any) -> Any:
    """Return the columns of a DataFrame, how many rows it has, and a sum of their contents in any order."""
    from pyspark.sql import functions

    # Spark hashes no maps, nor what is of any type.
    fields = [one for one in frame.schema.fields if not re.search(r"\b(map<|variant\b)", one.dataType.simpleString())]
    hashed = [functions.col(spark_name(field.name)) for field in fields] or [functions.lit(0)]
    row = frame.agg(
        functions.count(functions.lit(1)).alias("rows"),
        functions.bit_xor(functions.xxhash64(*hashed)).alias("content"),
    ).collect()[0]
    return [[[field.name, field.dataType.simpleString()] for field in frame.schema.fields], row["rows"], row["content"]]


def read_url(session: Any, url: str) -> Any:
    """Read a data set by the ending of its name; texts stay texts, as on one machine."""
    name = url.rstrip("/").removesuffix(".gz")
    if name.endswith((".csv", ".tsv")):
        return session.read.option("header", True).option("sep", "\t" if name.endswith(".tsv") else ",").csv(url)
    if name.endswith((".json", ".jsonl", ".ndjson")):
        return session.read.json(url)
    if name.endswith(".txt"):
        return session.read.text(url).withColumnRenamed("value", "text")
    return session.read.parquet(url)


def storable(frame: Any, kept: Collection[str | None]) -> Any:
    """Return some columns of a DataFrame as Parquet can hold them; one of nothing but nulls has no type there."""
    from pyspark.sql import functions
    from pyspark.sql.types import NullType

    fields = [field for field in frame.schema.fields if field.name in kept]
    columns = [(functions.col(spark_name(field.name)), field.dataType) for field in fields]
    return frame.select([one.cast("string") if isinstance(kind, NullType) else one for one, kind in columns])


def write_frame(frame: Any, folder: Path) -> list[Path]:
    """Write a DataFrame where blocks are read from; Spark's marker says that all of it is there."""
    if not (folder / WHOLE).exists():
        # Spark's own form of times is read back as nanoseconds without a zone, which is not what a DataFrame shows.
        conf, name = frame.sparkSession.conf, "spark.sql.parquet.outputTimestampType"
        before = conf.get(name)
        conf.set(name, "TIMESTAMP_MICROS")
        try:
            frame.write.mode("overwrite").option("parquet.block.size", 32 << 20).parquet(f"file://{folder}")
        except Exception as error:
            raise EngineError(f"Spark cannot write the records to {folder}: {first_line(error)}") from error
        finally:
            conf.set(name, before)
    return sorted(folder.glob("*.parquet"))
