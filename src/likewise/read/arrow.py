"""Python values become Arrow tables: lists, dicts, pandas, polars, and whatever speaks Arrow."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any
from uuid import UUID

from likewise.errors import InputError
from likewise.read.nested import without_objects
from likewise.read.skipped import SkipError

if TYPE_CHECKING:
    import pyarrow as pa


def to_arrow(source: Any, name: str) -> "pa.Table":
    """Make an Arrow table of a Python value; ``name`` is what messages call it.

    >>> to_arrow(["Ada", 7], "left").to_pylist()
    [{'text': 'Ada'}, {'text': '7'}]
    """
    return plain(_to_arrow(source, name))


def plain(table: "pa.Table") -> "pa.Table":
    """Return the table with plain columns where Arrow lacks functions for what others write.

    >>> import uuid
    >>> import pyarrow as pa
    >>> plain(pa.table({"key": pa.array([uuid.UUID(int=7)], pa.uuid())})).to_pylist()
    [{'key': '00000000-0000-0000-0000-000000000007'}]
    """
    for place, field in enumerate(table.schema):
        kind = plain_type(field.type)
        if kind is not None:
            table = table.set_column(place, field.name, _as_plain(table.column(place), kind))
    return table


def plain_type(kind: "pa.DataType") -> "pa.DataType | None":
    """Return the plain type of views (polars), categories of them or of nothing, runs, and types made of others.

    >>> import pyarrow as pa
    >>> plain_type(pa.dictionary(pa.uint32(), pa.string_view())), plain_type(pa.uuid()), plain_type(pa.string())
    (DataType(large_string), DataType(string), None)
    """
    import pyarrow as pa

    if pa.types.is_dictionary(kind):
        return kind.value_type if pa.types.is_null(kind.value_type) else plain_type(kind.value_type)
    if pa.types.is_string_view(kind):
        return pa.large_string()
    if pa.types.is_binary_view(kind):
        return pa.large_binary()
    if pa.types.is_run_end_encoded(kind):
        return plain_type(kind.value_type) or kind.value_type
    if isinstance(kind, pa.BaseExtensionType):
        named = pa.bool_() if isinstance(kind, pa.Bool8Type) else pa.string() if isinstance(kind, pa.UuidType) else None
        return named or plain_type(kind.storage_type) or kind.storage_type
    return None


def _as_plain(column: "pa.ChunkedArray", plain: "pa.DataType") -> "pa.ChunkedArray":
    import pyarrow as pa
    import pyarrow.compute as pc

    chunks = []
    for chunk in column.chunks:
        if pa.types.is_dictionary(chunk.type):  # which is not cast where its values are views
            found = chunk.dictionary.cast(plain).take(chunk.indices)
        elif pa.types.is_run_end_encoded(chunk.type):
            runs = pa.RunEndEncodedArray.from_arrays(chunk.run_ends, chunk.values.cast(plain))
            found = pc.run_end_decode(runs.slice(chunk.offset, len(chunk)))
        else:
            held = chunk.storage if isinstance(chunk, pa.ExtensionArray) else chunk
            found = _uuids(held) if isinstance(column.type, pa.UuidType) else held.cast(plain)
        chunks.append(found)
    return pa.chunked_array(chunks, plain)


def _uuids(values: "pa.Array") -> "pa.Array":
    """Return UUIDs, which Arrow holds as sixteen bytes each and would take for text, as they are written."""
    import pyarrow as pa

    return pa.array([None if one is None else str(UUID(bytes=one)) for one in values.to_pylist()], pa.string())


def _to_arrow(source: Any, name: str) -> "pa.Table":
    import pyarrow as pa

    if isinstance(source, pa.Table):
        return source
    if isinstance(source, pa.RecordBatch):
        return pa.Table.from_batches([source])
    if isinstance(source, pa.Array | pa.ChunkedArray):
        return pa.table({"text": source})
    kind = type(source)
    module = kind.__module__.partition(".")[0]
    if module == "pandas":
        if not hasattr(source, "iloc"):  # an index: its entries are the texts
            return from_rows(source.tolist(), name)
        frame = source.to_frame(name="text") if kind.__name__ == "Series" else source
        if not frame.columns.is_unique:
            twice = sorted({str(column) for column in frame.columns[frame.columns.duplicated()]})
            raise InputError(f"{name}: column {twice[0]!r} occurs more than once; rename one")
        return pa.table({str(column): _column(frame[column], pandas=True) for column in frame.columns})
    if module == "polars" and kind.__name__ == "LazyFrame":
        return pa.table(source.collect())
    if kind.__name__ != "Series" and hasattr(source, "__arrow_c_stream__"):
        return pa.table(source)
    if module == "polars":
        return pa.table({"text": source.to_arrow()})
    if by_id(source):
        return from_rows(list(source.values()), name)
    if isinstance(source, Mapping):
        return _from_columns(source, name)
    if isinstance(source, Iterable) and not isinstance(source, bytes):
        return from_rows(without_objects(list(source))[0], name)
    raise InputError(
        f"{name} must be a list of texts or dicts, a pandas, polars or Arrow table, or a path, not {kind.__name__}"
    )


def by_id(source: Any) -> bool:
    """Whether a mapping is texts by their ids (as RapidFuzz and dedupe take them), not columns by their names.

    >>> by_id({"c1": "Ada", "c2": None}), by_id({"name": ["Ada"]}), by_id({})
    (True, False, False)
    """
    return isinstance(source, Mapping) and bool(source) and all(_is_single(value) for value in source.values())


def ids_of(source: Any, name: str) -> list[Any] | None:
    """Return the ids that a Python value brings along: the keys of texts by id, the index of a pandas object.

    A plain index (0, 1, 2 ...) says no more than the position; so does one of several levels.

    >>> ids_of({"c1": "Ada", "c2": "Grace"}, "left")
    ['c1', 'c2']
    """
    if by_id(source):
        ids = list(source)
    elif type(source).__module__.partition(".")[0] == "pandas" and hasattr(source, "iloc"):
        if source.index.nlevels > 1:
            return None
        ids = source.index.tolist()
        if ids == list(range(len(ids))):
            return None
        if not source.index.is_unique:
            twice = source.index[source.index.duplicated()].tolist()[0]
            raise InputError(
                f"{name}: {twice!r} is in the index of the {type(source).__name__} more than once, which cannot tell "
                "records apart; name a column of ids (id), or reset_index(drop=True)"
            )
    else:
        return None
    if any(one is None or one != one for one in ids):
        raise InputError(f"{name}: an id is missing; every record needs one")
    plain = all(isinstance(one, int) and not isinstance(one, bool) for one in ids)
    return ids if plain else [written(one) for one in ids]


def _is_single(value: Any) -> bool:
    return value is None or isinstance(value, str | int | float) or type(value).__name__ == "NAType"


def _column(values: Any, pandas: bool = False) -> "pa.Array":
    """Make an Arrow column, written out as text where the values are of several types."""
    import pyarrow as pa

    try:
        return pa.array(values, from_pandas=True) if pandas else pa.array(values)
    except (pa.ArrowException, OverflowError, TypeError, ValueError):  # what it is made of is written out
        return pa.array([written(value) for value in values], pa.string())


def written(value: Any) -> str | None:
    """Return what a value is as text; a missing one is null, however it is spelt."""
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, float):
        if value != value:
            return None
        return str(int(value)) if value.is_integer() and abs(value) < 2**53 else repr(value)
    if isinstance(value, Mapping | list):
        import json

        return json.dumps(value, ensure_ascii=False)
    return None if type(value).__name__ in ("NAType", "NaTType") else str(value)


def _from_columns(source: Mapping[Any, Any], name: str) -> "pa.Table":
    import pyarrow as pa

    for key, values in source.items():
        if not isinstance(values, Iterable) or isinstance(values, str | bytes):
            raise InputError(f"{name}: {key!r} holds {type(values).__name__}; give columns by name, or texts by id")
    columns = {str(key): values if isinstance(values, list) else list(values) for key, values in source.items()}
    lengths = {len(values) for values in columns.values()}
    if len(lengths) > 1:
        raise InputError(f"{name}: columns differ in length: {sorted(lengths)}")
    return pa.table({key: _column(values) for key, values in columns.items()})


def from_rows(rows: list[Any], name: str) -> "pa.Table":
    """Make a table of dicts, or a column ``text`` of anything else."""
    import pyarrow as pa

    if rows and any(isinstance(row, Mapping) for row in rows):
        for place, row in enumerate(rows):
            if not isinstance(row, Mapping):
                raise InputError(f"{name}: item {place} is {type(row).__name__}, the others are dicts")
        keys = {str(key): key for row in rows for key in row}
        return pa.table({name: _column([row.get(key) for row in rows]) for name, key in keys.items()})
    for place, row in enumerate(rows):
        if isinstance(row, bytes | list | tuple | set):
            hint = ": decode it first" if isinstance(row, bytes) else ": give dicts, or {id: text}"
            raise InputError(f"{name}: item {place} must be a text, not {type(row).__name__}{hint}")
        if not _is_single(row) and type(row).__module__ not in ("datetime", "decimal", "numpy", "uuid"):
            known = type(row).__name__ in ("NaTType", "Timestamp")
            if not known:
                raise InputError(f"{name}: item {place} must be a text, not {type(row).__name__}")
    return pa.table({"text": pa.array([written(row) for row in rows], pa.string())})


def arrow_file_table(data: bytes) -> "pa.Table":
    """Return the table of an Arrow file (Feather), as engines and pandas write it.

    It is looked at whole: Arrow itself believes what a file says of its buffers.
    """
    import pyarrow as pa

    try:
        with pa.ipc.open_file(pa.BufferReader(data)) as file:
            table = file.read_all()
        table.validate(full=True)
    except (OSError, pa.ArrowException, UnicodeDecodeError, ValueError) as error:
        first = str(error).split("\n")[0][:200]
        raise SkipError("broken", f"not an Arrow file: {first}") from error
    return plain(table)
