"""Tables of every kind become :class:`Records`: an Arrow table, an id per row, and what was decided on the way.

:func:`read_table` takes lists of strings, lists of dicts, dicts of columns, pandas, polars and Arrow tables, and files
(CSV, TSV, JSONL, JSON, Parquet, one text a line; also ``.gz``), folders of such files, and the documents of a folder or
of a WARC file as a table of ``id`` and ``text``. Delimiter, encoding and header are detected and said in
``Records.notes``; :class:`TableOptions` overrides them. :func:`texts_of` takes a column out as strings.
"""

import difflib
import os
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from likewise.errors import ColumnError, InputError
from likewise.read.arrow import ids_of, plain, plain_type, to_arrow
from likewise.read.corpus import ID, TEXT, corpus_table, is_corpus
from likewise.read.options import TableOptions as TableOptions
from likewise.read.skipped import Skipped
from likewise.read.table_files import read_table_file, row_place

if TYPE_CHECKING:
    import pyarrow as pa

_INDEX = re.compile(r"index_*|Unnamed: 0|level_0")
"""What the index of a frame is called where it was saved without a name, or read again."""
_PANDAS = re.compile(r"__index_level_\d+__")
"""What pandas calls it in a Parquet file."""


@dataclass(frozen=True, slots=True)
class Records:
    """The rows of a table, an id for each, and what was decided while reading them.

    >>> read_table(["Ada", "Grace"]).ids.to_pylist()
    [0, 1]
    """

    table: "pa.Table"
    ids: "pa.Array"
    name: str = "table"
    id_column: str | None = None
    notes: tuple[str, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    compared: tuple[str, ...] = ()
    """What is compared where no column is named, if not all that hold text: of documents theirs."""

    def __len__(self) -> int:
        return int(self.table.num_rows)

    @property
    def columns(self) -> list[str]:
        """Names of the columns that are not the id."""
        return [name for name in self.table.column_names if name != self.id_column]

    @property
    def comparable(self) -> list[str]:
        """Names of the columns that are compared where none is named: neither the id nor what is no text."""
        return list(self.compared) or comparable(self.table.schema, self.columns)

    def said_of(self, named: Sequence[str]) -> "Records":
        """Return the records with a note of columns that are left out, unless what is compared is ``named``."""
        told = [] if named and list(named) != ["*"] else left_out_notes(self.name, self.table.schema, self.columns)
        return replace(self, notes=(*self.notes, *told)) if told else self


def read_table(
    source: Any,
    options: TableOptions | None = None,
    *,
    id: str | None = None,  # noqa: A002 - the word users see
    wanted: Sequence[str] = (),
    name: str = "table",
) -> Records:
    """Read a table from wherever it is.

    ``id`` names the column of ids (otherwise the index of a pandas object, the keys of
    texts by id, or positions from 0); ``wanted`` the columns that will be asked for, which
    helps to tell a header from data; ``name`` is what messages call a table that is no file.

    >>> read_table([{"name": "Ada", "born": 1815}, {"name": None}]).table.column_names
    ['name', 'born']
    """
    notes: list[str] = []
    skipped: list[Skipped] = []
    if isinstance(source, Records):
        return source if id in (None, source.id_column) else _records(source.table, id, source.name, notes, skipped)
    try:
        if isinstance(source, str | os.PathLike):
            name = os.fspath(source)
            named = [*wanted, *([id] if id is not None else [])]
            if is_corpus(name):
                table = corpus_table(name, options is not None and options.strict, notes, skipped)
                return replace(_records(table, id or ID, name, notes, skipped), compared=(TEXT,))
            table = read_table_file(name, options or TableOptions(), named, notes, skipped)
            if id is None and _numbers_rows(table, named):
                id = table.column_names[0]  # noqa: A001 - the word users see
                table = table.set_column(0, id, table.column(0).cast("int64"))
                notes.append(numbers_note(name, id))
        else:
            table = to_arrow(source, name)
            given = ids_of(source, name) if id is None else None
            if given is not None:
                return Records(table, _id_array(given), name, None, tuple(notes), tuple(skipped))
    except UnicodeEncodeError as error:
        shown = ascii(error.object[max(0, error.start - 10) : error.end + 10])
        raise InputError(f"{name}: an unpaired surrogate in the text {shown}") from error
    return _records(table, id, name, notes, skipped, lambda row: row_place(source, row, options, (*wanted, id or "")))


def numbers_note(name: str, column: str) -> str:
    """Return what is said of a table whose first column is taken as the ids."""
    return f"{name}: column {column!r} numbers the rows, and is taken as the ids"


def _numbers_rows(table: "pa.Table", wanted: Sequence[str]) -> bool:
    """Whether the first column is the index of a frame that was saved: numbers that rise, under no name of its own."""
    import pyarrow as pa

    if table.num_columns < 2 or not table.num_rows or table.column_names[0] in wanted:
        return False
    first = table.column(0)
    if not _INDEX.fullmatch(table.column_names[0]) or not pa.types.is_string(first.type) or first.null_count:
        return False
    import pyarrow.compute as pc  # takes a while, and most tables have no index

    if not pc.all(pc.match_substring_regex(first, r"^[0-9]{1,18}$")).as_py():
        return False
    numbers = first.cast("int64").combine_chunks()
    return bool(pc.all(pc.less(numbers[:-1], numbers[1:])).as_py() is not False)


def _id_array(ids: list[Any]) -> "pa.Array":
    import pyarrow as pa

    return pa.array(ids)


def _records(
    table: "pa.Table",
    id_column: str | None,
    name: str,
    notes: list[str],
    skipped: list[Skipped],
    place: Callable[[int], str] = "row {}".format,
) -> Records:
    import numpy as np
    import pyarrow as pa

    if id_column is None:
        ids = pa.array(np.arange(table.num_rows, dtype=np.int64))
        return Records(table, ids, name, None, tuple(notes), tuple(skipped))
    import pyarrow.compute as pc

    check_columns(table, [id_column], name)
    column = table.column(id_column)
    ids = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    if not (pa.types.is_integer(ids.type) or pa.types.is_string(ids.type)):
        ids = texts_of(table, id_column, name)
    if ids.null_count:
        row = pc.index(pc.is_null(ids), True).as_py()
        raise InputError(f"{name}: {place(row)} has no id in column {id_column!r}; every record needs one")
    counts = pc.value_counts(ids)
    twice = counts.filter(pc.greater(counts.field("counts"), 1))
    if len(twice):
        value = twice.field("values")[0].as_py()
        rows = pc.indices_nonzero(pc.equal(ids, twice.field("values")[0])).to_pylist()[:2]
        raise InputError(
            f"{name}: id {value!r} in column {id_column!r} occurs more than once ({place(rows[0])} and "
            f"{place(rows[1])})" + (f"; {len(twice):,} ids do" if len(twice) > 1 else "")
        )
    return Records(table, ids, name, id_column, tuple(notes), tuple(skipped))


def check_columns(table: "pa.Table", names: Iterable[str], where: str) -> None:
    """Raise :class:`ColumnError` for a column that is not there, naming those that are."""
    schema = table.schema  # looks a name up; a list of the names of 20,000 columns for each of them took minutes
    for name in names:
        if not (isinstance(name, str) and _is_name(name) and schema.get_all_field_indices(name)):
            existing = ", ".join(repr(other) for other in table.column_names) or "none"
            near = difflib.get_close_matches(name.casefold(), [other.casefold() for other in table.column_names], 1)
            meant = next((other for other in table.column_names if other.casefold() in near), None)
            guess = f"; did you mean {meant!r}?" if meant else ";"
            if "," in name and all(part.strip() in table.column_names for part in name.split(",")):
                guess = "; name several as a list (--on one --on two);"
            raise ColumnError(f"{where} has no column {name!r}{guess} its columns: {existing}")


def _is_name(text: str) -> bool:
    """Whether Arrow can be asked for a column of this name: half a character is none."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def texts_of(table: "pa.Table", column: str, where: str = "table") -> "pa.Array":
    """Return a column as strings: numbers and dates written out, ``NaN`` as null.

    >>> import pyarrow as pa
    >>> texts_of(pa.table({"postcode": [4011.0, None]}), "postcode").to_pylist()
    ['4011', None]
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    check_columns(table, [column], where)
    values = plain(pa.table({column: table.column(column)})).column(0).combine_chunks()
    kind = values.type
    if pa.types.is_dictionary(kind):
        values = values.cast(kind.value_type)
        kind = values.type
    if pa.types.is_string(kind):
        return values
    if pa.types.is_large_string(kind) or pa.types.is_string_view(kind):
        return values.cast(pa.string())
    if pa.types.is_null(kind):
        return pa.nulls(len(values), pa.string())
    if pa.types.is_floating(kind):
        # A column of whole numbers with gaps arrives as floats from pandas: 4011.0 was 4011.
        values = pc.if_else(pc.is_nan(values), None, values.cast(pa.float64()))
        whole = pc.and_(pc.equal(values, pc.floor(values)), pc.less(pc.abs(values), 2.0**53))
        numbers = pc.if_else(whole, values, None).cast(pa.int64()).cast(pa.string())
        return pc.coalesce(numbers, values.cast(pa.string()))
    found = no_text(kind)
    if found is not None:
        raise ColumnError(f"{where}: column {column!r} holds {found}, which cannot be compared as texts")
    return values.cast(pa.string())


def no_text(kind: "pa.DataType") -> str | None:
    """Return what values of an Arrow type are called that cannot be written as texts; ``None`` for those that can.

    >>> import pyarrow as pa
    >>> no_text(pa.list_(pa.int64())), no_text(pa.int64()), no_text(pa.uuid())
    ('lists', None, None)
    """
    import pyarrow as pa

    kind = plain_type(kind) or kind
    if pa.types.is_struct(kind) or pa.types.is_map(kind):
        return "objects"
    if pa.types.is_nested(kind):
        return "lists"
    if pa.types.is_dictionary(kind):
        return no_text(kind.value_type)
    if pa.types.is_null(kind) or pa.types.is_string(kind) or pa.types.is_large_string(kind):
        return None
    if "binary" in str(kind):
        return "bytes"
    try:
        pa.array([], kind).cast(pa.string())
    except pa.ArrowException:  # a type that Arrow cannot write out
        return str(kind)
    return None


def comparable(schema: "pa.Schema", columns: Sequence[str]) -> list[str]:
    """Return the columns that are compared where none is named."""
    return [name for name in columns if _no_field(schema.field(name)) is None]


def left_out_notes(name: str, schema: "pa.Schema", columns: Sequence[str]) -> list[str]:
    """Return what is said of columns that nobody named and that are not compared."""
    found = {column: _no_field(schema.field(column)) for column in columns}
    said = ", ".join(f"{column!r} ({what})" for column, what in found.items() if what is not None)
    return [f"{name}: not compared: {said}"] if said else []


def _no_field(column: "pa.Field") -> str | None:
    """Return what a column holds that says nothing of a record, or nothing that is text."""
    return "the index of a pandas frame" if _PANDAS.fullmatch(column.name) else no_text(column.type)
