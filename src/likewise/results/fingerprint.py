"""The fingerprint of a table: a checksum of its values, kept in its file, which tells whether they have changed.

Pages of Parquet have checksums, their headers and the footer have none. A fingerprint covers what counts: names, types,
values, order; not how they are cut into pages and packed.
"""

import hashlib
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

_KEY = b"likewise.fingerprint"


def with_fingerprint(table: pa.Table) -> pa.Table:
    """Return the table with its fingerprint among the metadata.

    >>> table = with_fingerprint(pa.table({"a": ["x", None]}))
    >>> is_as_written(table), is_as_written(table.slice(1)), is_as_written(pa.table({"a": [1]}))
    (True, False, True)
    """
    return table.replace_schema_metadata({**(table.schema.metadata or {}), _KEY: fingerprint(table)})


def is_as_written(table: pa.Table) -> bool:
    """Say whether a table has the fingerprint that it came with; one that came without is taken as it is."""
    said = (table.schema.metadata or {}).get(_KEY)
    return said is None or said.decode("ascii", "replace") == fingerprint(table)


def fingerprint(table: pa.Table) -> str:
    """Return a checksum of the values of a table."""
    digest = hashlib.sha256()
    for field, column in zip(table.schema, table.columns, strict=True):
        digest.update(f"{field.name}\n{len(column)}\n".encode())
        _feed(digest, column.combine_chunks())
    return digest.hexdigest()


def _feed(digest: Any, column: pa.Array) -> None:
    digest.update(np.packbits(column.is_valid().to_numpy(zero_copy_only=False)).tobytes())
    if pa.types.is_list(column.type):  # Parquet has another name for what is inside: no type is written here
        digest.update(pc.fill_null(pc.list_value_length(column), 0).to_numpy().tobytes())
        _feed(digest, column.flatten())
    elif pa.types.is_struct(column.type):
        for field, part in zip(column.type, column.flatten(), strict=True):
            digest.update(f"{field.name}\n".encode())
            _feed(digest, part)
    elif pa.types.is_string(column.type):
        texts = pc.fill_null(column, "").cast(pa.large_binary())
        digest.update(pc.binary_length(texts).to_numpy().tobytes())
        _, offsets, data = texts.buffers()
        if data is not None and len(texts):
            places = np.frombuffer(offsets, np.int64)[texts.offset : texts.offset + len(texts) + 1]
            digest.update(memoryview(data)[places[0] : places[-1]])
    else:
        digest.update(f"{column.type}\n".encode())
        digest.update(pc.fill_null(column, 0).to_numpy(zero_copy_only=False).tobytes())
