"""Clusters that persist: one file of records and their clusters, to which records are added or removed.

Records come and go; what is kept is matched again as a whole, by the model of the first run where one decides.
Only their ids are carried over (:func:`carry_over`): a cluster keeps its id while most of its records stay together.
"""

import json
import os
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from likewise.errors import DamagedError, ForeignError, InputError
from likewise.options import check_integer, from_mapping
from likewise.records.model import Model
from likewise.records.options import DedupeOptions
from likewise.results.clusters import Change
from likewise.seals import BLANK_SEAL, is_as_sealed, seal_file
from likewise.storage import atomic_path

if TYPE_CHECKING:
    import pyarrow as pa

Rows = NDArray[np.int64]
FORMAT, VERSION = "likewise clusters", 2
_CLUSTER = "#cluster"
_KEY, _SEAL = b"likewise", b"likewise.seal"
_MOST = 1 << 62  # clusters, of all times
_METADATA = 1 << 30  # bytes of it at most: the model has the words of the records


def is_state(table: "pa.Table") -> bool:
    """Return whether a table is the file of a state, read as a table."""
    return _CLUSTER in table.column_names


def is_state_file(path: object) -> bool:
    """Return whether a path is that of a state, by the names of its columns."""
    if not isinstance(path, str | os.PathLike) or not os.path.isfile(path):
        return False
    import pyarrow as pa
    import pyarrow.parquet as pq

    with open(path, "rb") as file:
        if file.read(4) != b"PAR1":
            return False
    try:
        return _CLUSTER in pq.read_schema(path, memory_map=False).names
    except (OSError, pa.ArrowException, UnicodeDecodeError):
        return False  # who reads it says what is wrong


@dataclass(frozen=True)
class State:
    """All records as a table, the cluster of each, the next free cluster id, and what made them: options and model."""

    table: "pa.Table"
    clusters: Rows
    following: int
    options: DedupeOptions
    model: Model | None = None

    @property
    def ids(self) -> list[str]:
        """The ids of the records, as texts."""
        return [str(value) for value in self.table[self.options.id or ""].to_pylist()]

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the state as one Parquet file, wholly or not at all."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        about = {"format": FORMAT, "version": VERSION, "following": self.following, "options": asdict(self.options)}
        about["model"] = None if self.model is None else self.model.to_json()
        table = self.table.append_column(_CLUSTER, pa.array(self.clusters, pa.int64()))
        table = table.replace_schema_metadata({_KEY: json.dumps(about).encode(), _SEAL: BLANK_SEAL})
        with atomic_path(path) as target:
            pq.write_table(table, target)
            seal_file(target)

    @classmethod
    def open(cls, path: str | os.PathLike[str]) -> "State":
        """Read a state; refuse in words what is none, or of another version."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        foreign = ForeignError(f"{os.fspath(path)} is not a state of dedupe (dedupe --state writes one)")
        try:
            data = Path(path).read_bytes()
            table = pq.read_table(pa.BufferReader(data), thrift_string_size_limit=_METADATA)
            named = _CLUSTER in table.column_names
            table.validate(full=True)
        except FileNotFoundError as error:
            raise InputError(f"no such file: {os.fspath(path)}") from error
        except (OSError, pa.ArrowException, UnicodeDecodeError) as error:  # names of columns are decoded late
            raise foreign from error
        said = (table.schema.metadata or {}).get(_KEY)
        if said is None or not named:
            raise foreign
        if not is_as_sealed(data):
            raise DamagedError(f"{os.fspath(path)} has changed since it was written")
        try:
            about = json.loads(said)
            if about["version"] != VERSION:
                raise ForeignError(f"{os.fspath(path)} is a state of version {about['version']}, not {VERSION}")
            options, following = from_mapping(DedupeOptions, about["options"]), about["following"]
            clusters = table[_CLUSTER].combine_chunks()
            if clusters.null_count or not pa.types.is_int64(clusters.type) or options.id not in table.column_names:
                raise ValueError("records have no ids, or no clusters")
            numbers = clusters.to_numpy()
            check_integer("following", following, int(numbers.max(initial=-1)) + 1, _MOST)
            return cls(
                table.drop_columns([_CLUSTER]).replace_schema_metadata(None),
                numbers,
                following,
                options,
                None if about["model"] is None else Model.from_json(about["model"]),
            )
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            raise DamagedError(f"{os.fspath(path)} cannot be read: {error}") from error

    def untouched(self, changed: Sequence[str]) -> dict[str, int]:
        """Return the clusters, by id of a record, of which no record is among those ``changed``."""
        clusters = dict(zip(self.ids, self.clusters.tolist(), strict=True))
        gone = {clusters[name] for name in changed if name in clusters}
        return {name: cluster for name, cluster in clusters.items() if cluster not in gone}

    def with_records(self, new: "pa.Table | None", remove: Sequence[str] = ()) -> "pa.Table":
        """Return all records: those that stay, and the new ones; a new one takes the place of the one with its id."""
        import pyarrow as pa

        name = self.options.id or ""
        ids = self.ids
        unknown = sorted(set(remove) - set(ids))
        if unknown:
            raise InputError(f"there is no record {unknown[0]!r} to remove")
        coming = [] if new is None else [str(value) for value in new[name].to_pylist()]
        leaving = {*remove, *coming}
        kept = self.table.filter(pa.array([value not in leaving for value in ids]))
        if new is None:
            return kept
        sides = [kept, new]
        for column in set(kept.column_names) & set(new.column_names):
            if kept.schema.field(column).type != new.schema.field(column).type:
                sides = [_as_text(side, column) for side in sides]
        return pa.concat_tables(sides, promote_options="default")


def _as_text(table: "pa.Table", column: str) -> "pa.Table":
    import pyarrow as pa

    return table.set_column(table.column_names.index(column), column, table[column].cast(pa.string()))


def rejoined(before: Mapping[str, int], ids: Sequence[str], groups: Rows) -> Rows:
    """Return groups in which records that were in one cluster ``before`` stay together, unless they join others.

    Only a record that is not among them, as it is new, brings two clusters together: what was decided about the old
    ones stays. A new record may be nearer to some of a cluster than to others: that is no reason to part the old ones.
    Who joins records of another cluster goes there, and takes those along that join nobody, unless these are more.

    >>> rejoined({"a": 0, "b": 0, "c": 0, "d": 1}, ["a", "b", "c", "d", "new"], np.array([0, 1, 0, 3, 1])).tolist()
    [0, 0, 0, 3, 0]
    >>> rejoined({"a": 0, "b": 1}, ["a", "b"], np.array([0, 0])).tolist()
    [0, 1]
    """
    old = np.array([before.get(name, -1) for name in ids], np.int64)
    groups = _apart(old, groups)
    clusters: dict[int, set[int]] = {}
    shared: dict[int, Counter[int]] = {}
    for cluster, group in zip(old.tolist(), groups.tolist(), strict=True):
        if cluster >= 0:
            clusters.setdefault(group, set()).add(cluster)
            shared.setdefault(cluster, Counter())[group] += 1
    into: dict[int, int] = {}
    for parts in shared.values():
        own, mixed = ([one for one in parts if (len(clusters[one]) > 1) is joined] for joined in (False, True))
        best = min(mixed, key=lambda one: (-parts[one], one)) if mixed else None
        stays = sum(parts[one] for one in own)
        target = best if best is not None and parts[best] >= stays else min(own, key=lambda one: (-parts[one], one))
        into.update(dict.fromkeys(own, target))
    return np.array([into.get(group, group) for group in groups.tolist()], np.int64)


def _apart(old: Rows, groups: Rows) -> Rows:
    """Return groups by the place of their first record, those that nothing new is in as the clusters they were.

    ``old`` are the clusters of before, -1 for new records.
    """
    settled = ~np.isin(groups, groups[old < 0])
    _, first, parts = np.unique(
        np.stack([groups, np.where(settled, old, -1)]), axis=1, return_index=True, return_inverse=True
    )
    return first[parts.ravel()].astype(np.int64)


def carry_over(
    before: dict[str, int], ids: Sequence[str], groups: Rows, following: int
) -> tuple[Rows, int, tuple[Change, ...]]:
    """Return the cluster id of each record, the next free id, and what became of the clusters.

    A group takes the id of the cluster that it shares most records with, of several the lowest; each id is given once.

    >>> before = {"a": 0, "b": 0, "c": 1}
    >>> numbers, following, changes = carry_over(before, ["a", "b", "c", "d"], np.array([0, 0, 0, 3]), 2)
    >>> numbers.tolist(), following, [(change.kind, change.before, change.after) for change in changes]
    ([0, 0, 0, 2], 3, [('merged', (0, 1), (0,)), ('new', (), (2,))])
    """
    shared = Counter((group, before[name]) for name, group in zip(ids, groups.tolist(), strict=True) if name in before)
    taken: dict[int, int] = {}
    used: set[int] = set()
    for (group, cluster), _ in sorted(shared.items(), key=lambda one: (-one[1], one[0][1], one[0][0])):
        if group not in taken and cluster not in used:
            taken[group] = cluster
            used.add(cluster)
    for group in groups.tolist():
        if group not in taken:
            taken[group] = following
            following += 1
    into: dict[int, set[int]] = {cluster: set() for cluster in before.values()}
    out_of: dict[int, set[int]] = {number: set() for number in taken.values()}
    for group, cluster in shared:
        into[cluster].add(taken[group])
        out_of[taken[group]].add(cluster)
    changes = [Change("merged", tuple(sorted(old)), (new,)) for new, old in sorted(out_of.items()) if len(old) > 1]
    changes += [Change("split", (old,), tuple(sorted(new))) for old, new in sorted(into.items()) if len(new) > 1]
    changes += [Change("new", (), (new,)) for new, old in sorted(out_of.items()) if not old]
    changes += [Change("gone", (old,), ()) for old, new in sorted(into.items()) if not new]
    return np.array([taken[group] for group in groups.tolist()], np.int64), following, tuple(changes)
