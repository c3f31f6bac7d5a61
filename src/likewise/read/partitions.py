"""Columns that names of folders hold, as Hive and Spark write them: ``year=2020/part-0.parquet``."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote

if TYPE_CHECKING:
    import pyarrow as pa

_NOTHING = "__HIVE_DEFAULT_PARTITION__"


def partitions(file: str, root: str) -> dict[str, str | None]:
    """Return the columns that the folders between a data set and one of its files hold, as texts.

    >>> partitions("sales/year=2020/town=Bad%20Ems/part-0.parquet", "sales")
    {'year': '2020', 'town': 'Bad Ems'}
    >>> partitions("sales/part-0.parquet", "sales"), partitions("year=2020/part-0.parquet", "year=2020")
    ({}, {})
    """
    parts = [folder.partition("=") for folder in Path(file).relative_to(root).parts[:-1]]
    return {name: None if value == _NOTHING else unquote(value) for name, equals, value in parts if name and equals}


def with_partitions(table: "pa.Table", columns: Mapping[str, str | None]) -> "pa.Table":
    """Return a table with those columns, as far as it does not have them itself."""
    import pyarrow as pa

    for name, value in columns.items():
        if name not in table.column_names:
            table = table.append_column(name, pa.array([value] * table.num_rows, pa.string()))
    return table
