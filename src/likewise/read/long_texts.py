"""Long texts left where Arrow has them: as Python strings they would take their memory twice."""

import itertools
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, overload

import numpy as np
from numpy.typing import NDArray

from likewise import _core
from likewise.read.mapped import let_go

if TYPE_CHECKING:
    import pyarrow as pa

_BATCH = 1024
Places = NDArray[np.int64]


class LongTexts(Sequence[str]):
    """Some of the texts of an Arrow column; each becomes a ``str`` when it is asked for.

    >>> import pyarrow as pa
    >>> texts, numbers = LongTexts.distinct(pa.chunked_array([["one", None, "two"], [" ", "one", "three"]]))
    >>> list(texts), texts[-1], numbers.tolist()
    (['one', 'two', 'three'], 'three', [0, -1, 1, -1, 0, 2])
    """

    def __init__(self, column: "pa.ChunkedArray", rows: Places) -> None:
        self.column = column
        self.rows = rows
        """Where the texts stand in the column, ascending."""
        self._firsts = np.cumsum([0, *(len(chunk) for chunk in column.chunks)], dtype=np.int64)

    @classmethod
    def distinct(cls, column: "pa.ChunkedArray") -> tuple["LongTexts", Places]:
        """Return the distinct texts of a column, and the number of each row's (-1: null or blank)."""
        known = _core.TextNumbers()
        parts = []
        for chunk in column.chunks:
            parts.append(known.add(*_spans(chunk)))
            let_go()
        numbers = np.concatenate([np.zeros(0, np.int64), *parts])
        before = np.maximum.accumulate(np.concatenate([[-1], numbers]))[:-1]
        return cls(column, np.flatnonzero(numbers > before)), numbers

    def __len__(self) -> int:
        return len(self.rows)

    @overload
    def __getitem__(self, place: int) -> str: ...
    @overload
    def __getitem__(self, place: slice) -> "LongTexts": ...
    def __getitem__(self, place: int | slice) -> "str | LongTexts":
        if isinstance(place, slice):
            return LongTexts(self.column, self.rows[place])
        text: str = self.column[int(self.rows[place])].as_py()
        return text

    def __iter__(self) -> Iterator[str]:
        for chunk, rows, _ in self._by_chunk():
            for first in range(0, len(rows), _BATCH):
                yield from chunk.take(_array(rows[first : first + _BATCH])).to_pylist()
                let_go()

    def parts(self, size: int) -> Iterator[tuple[NDArray[np.uint8], Places, Places, slice]]:
        """Yield the texts a part of about ``size`` bytes at a time: a buffer, where each begins and ends, and which."""
        for chunk, rows, place in self._by_chunk():
            data, starts, ends = _spans(chunk)
            starts, ends = starts[rows], ends[rows]
            numbers = np.cumsum(ends - starts) // size
            cuts = [0, *(np.flatnonzero(np.diff(numbers)) + 1).tolist(), len(rows)]
            for first, last in itertools.pairwise(cuts):
                yield data, starts[first:last], ends[first:last], slice(place + first, place + last)
                let_go()

    def _by_chunk(self) -> Iterator[tuple[Any, Places, int]]:
        """Yield each chunk with the rows of it that are chosen, and the place of the first of them."""
        cuts = np.searchsorted(self.rows, self._firsts)
        for number, chunk in enumerate(self.column.chunks):
            first, last = int(cuts[number]), int(cuts[number + 1])
            if first < last:
                yield chunk, self.rows[first:last] - self._firsts[number], first


def is_long(column: Any, length: int) -> bool:
    """Whether a column holds texts, ``length`` bytes each at the mean or more."""
    import pyarrow as pa

    kind = column.type
    is_text = pa.types.is_string(kind) or pa.types.is_large_string(kind)
    return is_text and bool(column.nbytes > length * len(column) > 0)


def texts_at(column: "pa.ChunkedArray", rows: Places) -> "pa.DictionaryArray":
    """Return the texts of some rows as an array in which each row is held once.

    >>> import pyarrow as pa
    >>> texts_at(pa.chunked_array([["one"], ["two", "three"]]), np.array([2, 0, 2])).to_pylist()
    ['three', 'one', 'three']
    """
    import pyarrow as pa

    used, places = np.unique(rows, return_inverse=True)
    parts = []
    for chunk, mine, _ in LongTexts(column, used)._by_chunk():
        parts.append(chunk.take(_array(mine)))
        let_go()
    kind = column.type if sum(part.nbytes for part in parts) < 2**31 else pa.large_string()
    held = pa.concat_arrays([pa.array([], kind), *(part.cast(kind) for part in parts)])
    return pa.DictionaryArray.from_arrays(pa.array(places.astype(np.int32)), held)


def lengths_of(column: Any) -> Places:
    """Return the number of characters of each text, 0 for a null.

    >>> import pyarrow as pa
    >>> lengths_of(pa.chunked_array([["Gödel", None], ["x"]])).tolist()
    [5, 0, 1]
    """
    import pyarrow.compute as pc

    parts = [np.zeros(0, np.int64)]
    for chunk in getattr(column, "chunks", [column]):
        parts.append(pc.utf8_length(chunk).fill_null(0).to_numpy(zero_copy_only=False).astype(np.int64))
        let_go()
    return np.concatenate(parts)


def _array(rows: Places) -> Any:
    import pyarrow as pa

    return pa.array(rows)


def _spans(chunk: Any) -> tuple[NDArray[np.uint8], Places, Places]:
    """Return the bytes of an array of texts, and where each begins and ends; a null ends where it begins."""
    import pyarrow as pa

    _, offsets, data = chunk.buffers()
    kind = np.int64 if pa.types.is_large_string(chunk.type) else np.int32
    places = np.zeros(len(chunk) + 1, np.int64)
    if len(chunk):
        places[:] = np.frombuffer(offsets, kind, len(chunk) + 1, chunk.offset * np.dtype(kind).itemsize)
    starts, ends = places[:-1], places[1:].copy()
    if chunk.null_count:
        nulls = chunk.is_null().to_numpy(zero_copy_only=False)
        ends[nulls] = starts[nulls]
    return np.frombuffer(data or b"", np.uint8), starts, ends
