"""Clusters of ids, where nothing else is known of the records: what clustering of ready pairs gives."""

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from likewise.results.base import Result

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True, slots=True)
class Group:
    """Ids that belong together."""

    number: int
    ids: tuple[str, ...]


@dataclass(frozen=True, slots=True, repr=False)
class Groups(Result[Group]):
    """Clusters as a table, a row per id: ``id``, ``cluster`` (from 0), ``size``."""

    table: "pa.Table"

    _noun = ("cluster", "clusters")

    def __len__(self) -> int:
        """Return the number of clusters."""
        return len(self.table["cluster"].unique())

    def __iter__(self) -> Iterator[Group]:
        members: dict[int, list[str]] = {}
        for row in self.table.to_pylist():
            members.setdefault(row["cluster"], []).append(row["id"])
        return (Group(number, tuple(ids)) for number, ids in members.items())

    def _at(self, place: int) -> Group:
        return next(itertools.islice(iter(self), place, None))

    def _part(self, places: slice) -> "Groups":
        import pyarrow as pa
        import pyarrow.compute as pc

        wanted = self.table["cluster"].unique().to_pylist()[places]
        return replace(self, table=self.table.filter(pc.is_in(self.table["cluster"], pa.array(wanted, pa.int64()))))
