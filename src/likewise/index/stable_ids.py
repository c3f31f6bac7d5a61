"""Ids of words in files: those of the measure as it was saved are the same in every process, later ones are not.

A segment therefore writes the names of its later words, which get the id of the moment when it is loaded.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from likewise.errors import DamagedError
from likewise.index.container import Arrays, pack_strings, unpack_strings

Ids = NDArray[np.int32]


_ORDER = [np.arange(1 << 10, dtype=np.int32)]


def _in_order(count: int) -> Ids:
    """Return the numbers below ``count``: of one array, which the segments of an index share."""
    if len(_ORDER[0]) < count:
        _ORDER[0] = np.arange(count + count // 2, dtype=np.int32)
    return _ORDER[0][:count]


class StableIds:
    """Ids below ``known`` are the same everywhere. ``prefix`` tells the names of terms from those of q-grams."""

    def __init__(self, known: int, prefix: str) -> None:
        self.known = known
        self._names = f"{prefix}.later"
        self._offsets = f"{prefix}.later_offsets"

    def externalise(self, ids: Ids, name: Callable[[int], bytes]) -> tuple[Ids, Arrays]:
        """Renumber later ids from ``known`` on in their order; return the ids to write, and the names behind them."""
        later = np.unique(ids[ids >= self.known])
        if len(later):
            ids = ids.copy()
            mask = ids >= self.known
            ids[mask] = self.known + np.searchsorted(later, ids[mask]).astype(np.int32)
        data, offsets = pack_strings([name(int(one)) for one in later])
        return ids, {self._names: data, self._offsets: offsets}

    def names(self, arrays: Arrays) -> list[bytes]:
        """Return the later names of a segment."""
        return unpack_strings(arrays[self._names], arrays[self._offsets])

    def internalise(self, arrays: Arrays, intern: Callable[[list[bytes]], Ids]) -> Ids:
        """Return the ids of the moment of a segment's later names."""
        names = self.names(arrays)
        return intern(names) if names else np.zeros(0, np.int32)

    def lookup(self, ids: Ids, later: Ids) -> tuple[Ids, Ids]:
        """Return ids of the moment in ascending order, and which list belongs to each."""
        if len(ids) and not 0 <= ids.min() <= ids.max() < self.known + len(later):
            raise DamagedError("a segment of the index refers to words that it does not have")
        if not len(later):
            return ids, _in_order(len(ids))
        ids = ids.copy()
        mask = ids >= self.known
        ids[mask] = later[ids[mask] - self.known]
        order = np.argsort(ids, kind="stable").astype(np.int32)
        return ids[order], order
