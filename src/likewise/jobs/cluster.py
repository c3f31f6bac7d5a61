"""Cluster pairs that were made elsewhere: by another tool, by people, or by an earlier run."""

from typing import Any

import numpy as np

from likewise.errors import ColumnError, InputError
from likewise.join import Pairs
from likewise.options import least_score
from likewise.read.table_files import row_place
from likewise.read.tables import Records, TableOptions, read_table
from likewise.records.clusters import clusters
from likewise.records.options import ClusterOptions
from likewise.results.groups import Groups
from likewise.verb import verb

# What pairs are called: here, by splink, by dedupe's and recordlinkage's users.
_SIDES = (("left", "right"), ("unique_id_l", "unique_id_r"), ("id_l", "id_r"), ("id1", "id2"), ("left_id", "right_id"))
_SCORES = ("probability", "match_probability", "score", "weight", "similarity")


@verb(options=ClusterOptions, read=TableOptions)
def cluster(pairs: Any, *, ids: Any = None, options: ClusterOptions, read: TableOptions) -> Groups:
    """Make clusters of pairs: a table of two ids and how sure each pair is (1 where it does not say).

    ``ids`` are all records, those in no pair too; otherwise only records in some pair are known.

    >>> import likewise as lw
    >>> pairs = [{"left": "a", "right": "b", "score": 0.9}, {"left": "b", "right": "c", "score": 0.4}]
    >>> [group.ids for group in lw.cluster(pairs, min_score=0.5, ids=["a", "b", "c", "d"])]
    [('a', 'b'), ('c',), ('d',)]
    """
    import pyarrow as pa

    table = read_table(pairs, read, name="pairs")
    columns = _columns(table, options)
    for name in filter(None, columns):
        if table.table[name].null_count:
            row = table.table[name].to_pylist().index(None)
            place = row_place(pairs, row, read)
            raise InputError(f"{table.name}, {place}: {name} is empty; a pair has two ids and, if any has, a score")
    left, right = (list(map(str, table.table[name].to_pylist())) for name in columns[:2])
    score = np.ones(len(table))
    if columns[2] is not None:
        try:
            score = table.table[columns[2]].cast(pa.float64()).to_numpy(zero_copy_only=False)
        except pa.ArrowInvalid as error:
            raise InputError(f"{table.name}: {columns[2]} must be a number in every row: {error}") from error
    known = [] if ids is None else list(map(str, read_table(ids, read, name="ids").table[0].to_pylist()))
    places = {name: place for place, name in enumerate(dict.fromkeys([*known, *left, *right]))}
    if ids is not None and len(places) > len(set(known)):
        stranger = next(name for name in (*left, *right) if name not in set(known))
        raise InputError(f"{table.name} has a pair of {stranger!r}, which is not among the ids")
    chosen = ~np.isnan(score) & (score >= least_score(options.min_score))
    sides = [np.array([places[name] for name in side], np.int64)[chosen] for side in (left, right)]
    labels = clusters(Pairs(sides[0], sides[1], score[chosen]), len(places), options.linkage)
    sizes = np.bincount(labels, minlength=1)
    return Groups(pa.table({"id": list(places), "cluster": labels, "size": sizes[labels] if len(labels) else labels}))


def _columns(table: Records, options: ClusterOptions) -> tuple[str, str, str | None]:
    """Return the columns of both ids and of the score."""
    there = table.table.column_names
    sides = [(options.left, options.right)] if options.left and options.right else _SIDES
    found = next((pair for pair in sides if set(pair) <= set(there)), None)
    if found is None:
        raise ColumnError(f"{table.name} has no columns of two ids ({', '.join(there)}): name them by left and right")
    if options.score is not None and options.score not in there:
        raise ColumnError(f"{table.name} has no column {options.score!r}: {', '.join(there)}")
    return found[0], found[1], options.score or next((name for name in _SCORES if name in there), None)
