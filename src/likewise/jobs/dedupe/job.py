"""The verb itself."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from likewise.errors import OptionError
from likewise.jobs.dedupe.options import DedupeOptions
from likewise.jobs.dedupe.result import DedupeResult
from likewise.jobs.match.job import build_space
from likewise.jobs.match.options import names, parse_on
from likewise.join import Pairs
from likewise.options import from_mapping
from likewise.progress import Progress
from likewise.read.tables import Records, TableOptions, read_table
from likewise.records.clusters import canonical, clusters
from likewise.records.columns import shown
from likewise.records.labels import read_labels
from likewise.records.space import Space
from likewise.records.threshold import Threshold, given, labelled, suggested


def dedupe(
    table: Any,
    *,
    measure: Any = None,
    labels: Any = None,
    options: DedupeOptions | None = None,
    read: TableOptions | None = None,
    progress: Progress | None = None,
    **named: Any,
) -> DedupeResult:
    """Find the records of one table that are the same, and the one that stands for each.

    ``labels`` are pairs that somebody judged (ids and whether they match): the threshold is then chosen by them.
    Everything else is a field of :class:`DedupeOptions` (``on``, ``min_score``, ``linkage``, ...), given by name or as
    ``options``; ``measure`` is that of :func:`likewise.match`.

    >>> import likewise as lw
    >>> found = lw.dedupe(["Ada Lovelace", "Lovelace, Ada", "Grace Hopper", "Kurt Gödel", "Goedel, Kurt"])
    >>> [cluster.ids for cluster in found if len(cluster.ids) > 1]
    [(0, 1), (3, 4)]
    """
    settings = from_mapping(DedupeOptions, named) if options is None else options
    if options is not None and named:
        raise OptionError(f"give options or {', '.join(named)}, not both")
    if settings.precision is not None and labels is None:
        raise OptionError("precision needs labels to be measured on")
    wanted = [*parse_on("on", settings.on), *names("equal_on", settings.equal_on)]
    records = read_table(table, read, id=settings.id, wanted=wanted)
    space, measured, _ = build_space(records, records, settings, measure, progress)
    first, numbers = space.distinct_records()
    distinct = space.select(first)
    threshold = _threshold(space, distinct, records, labels, settings, read)
    pairs = distinct.above(max(0.0, threshold.value - settings.margin))
    made = _from(pairs, threshold.value)
    counts = np.bincount(numbers, minlength=len(first))
    groups = clusters(made, len(first), settings.linkage)
    texts = shown(space.left)
    lengths = np.array([len(texts[row] or "") for row in first.tolist()])
    chosen = first[canonical(made, groups, lengths, counts)]
    return _result(records, space, texts, first, groups[numbers], chosen, pairs, threshold, measured, settings, groups)


def _threshold(
    space: Space, distinct: Space, records: Records, labels: Any, settings: DedupeOptions, read: TableOptions | None
) -> Threshold:
    if settings.min_score is not None:
        return given(distinct, settings.min_score)
    if labels is None:
        return suggested(distinct)
    left, right, same = read_labels(labels, records, records, read)
    return labelled(distinct, space.scores(left, right), same, settings.precision)


def _from(pairs: Pairs, value: float) -> Pairs:
    keep = pairs.score >= value
    return Pairs(pairs.left[keep], pairs.right[keep], pairs.score[keep])


def _result(
    records: Records,
    space: Space,
    texts: list[str | None],
    first: NDArray[np.int64],
    groups: NDArray[np.int64],
    chosen: NDArray[np.int64],
    pairs: Pairs,
    threshold: Threshold,
    measured: Any,
    settings: DedupeOptions,
    distinct_groups: NDArray[np.int64],
) -> DedupeResult:
    import pyarrow as pa

    # Clusters are counted by their first record.
    _, at, numbers = np.unique(groups, return_index=True, return_inverse=True)
    order = np.argsort(np.argsort(at))
    stands = np.zeros(len(records), bool)
    stands[chosen] = True
    shown_texts = pa.array(texts, pa.string())
    table = pa.table(
        {
            "id": records.ids,
            "cluster": pa.array(order[numbers], pa.int64()),
            "size": pa.array(np.bincount(numbers)[numbers] if len(numbers) else numbers, pa.int64()),
            "canonical": pa.array(stands, pa.bool_()),
            "text": shown_texts,
        }
    )
    same = distinct_groups[pairs.left] == distinct_groups[pairs.right]
    above = pairs.score >= threshold.value
    columns = {
        "left": records.ids.take(pa.array(first[pairs.left])),
        "right": records.ids.take(pa.array(first[pairs.right])),
        "score": pa.array(pairs.score, pa.float64()),
        "same": pa.array(same, pa.bool_()),
        "left_text": shown_texts.take(pa.array(first[pairs.left])),
        "right_text": shown_texts.take(pa.array(first[pairs.right])),
    }
    every = pa.table(columns)
    # Doubtful: close to the threshold on either side, or above it and yet apart.
    distance = np.abs(pairs.score - threshold.value)
    doubtful = np.flatnonzero((distance <= settings.margin) | (above != same))
    doubtful = doubtful[np.lexsort((pairs.right[doubtful], pairs.left[doubtful], distance[doubtful]))]
    return DedupeResult(
        table,
        records.table.take(pa.array(np.flatnonzero(stands))),
        every.filter(pa.array(above)).drop_columns(["same"]),
        every.take(pa.array(doubtful)),
        threshold,
        measured,
        records.notes if len(records) else (*records.notes, f"{records.name} has no rows"),
    )
