"""Find the records of one table that are the same: clusters, and the record that stands for each.

Equal records are one before anything is compared; the pairs of the rest (:mod:`likewise.records`) make the clusters.
"""

from typing import Any

import numpy as np

from likewise.errors import OptionError
from likewise.progress import Progress
from likewise.read.tables import Records, TableOptions, read_table
from likewise.records.build import build, why_words
from likewise.records.clusters import canonical, clusters
from likewise.records.columns import shown
from likewise.records.comparison import Comparison, without
from likewise.records.labels import read_labels
from likewise.records.options import AUTO, DedupeOptions, names, parse_on
from likewise.records.tables import cluster_table, doubtful, judged_pairs
from likewise.records.threshold import given, labelled, suggested
from likewise.results.clusters import DedupeResult
from likewise.results.threshold import Threshold
from likewise.verb import verb


@verb(options=DedupeOptions, read=TableOptions)
def dedupe(
    table: Any,
    *,
    measure: Any = None,
    labels: Any = None,
    progress: Progress | None = None,
    options: DedupeOptions,
    read: TableOptions,
) -> DedupeResult:
    """Find the records of one table that are the same, and the one that stands for each.

    ``labels`` are pairs that somebody judged (ids and whether they match): the threshold is then chosen by them.
    ``measure`` is that of :func:`likewise.match`.

    >>> import likewise as lw
    >>> found = lw.dedupe(["Ada Lovelace", "Lovelace, Ada", "Grace Hopper", "Kurt Gödel", "Goedel, Kurt"])
    >>> [cluster.ids for cluster in found if len(cluster.ids) > 1]
    [(0, 1), (3, 4)]
    """
    wanted = [*parse_on("on", options.on), *names("equal_on", options.equal_on)]
    records = read_table(table, read, id=options.id, wanted=wanted)
    comparison, measured, _ = build(records, records, options, measure, progress)
    first, numbers = comparison.distinct_records()
    distinct = comparison.select(first)
    threshold = _threshold(comparison, distinct, records, labels, options, read)
    pairs = distinct.above(max(0.0, threshold.value - options.margin))
    made = without(pairs, pairs.score < threshold.value)
    groups = clusters(made, len(first), options.linkage)
    texts = shown(comparison.left)
    lengths = np.array([len(texts[row] or "") for row in first.tolist()])
    chosen = first[canonical(made, groups, lengths, np.bincount(numbers, minlength=len(first)))]
    every = judged_pairs(records, texts, first, pairs, groups)
    return DedupeResult(
        cluster_table(records, texts, groups[numbers], chosen),
        records.table.take(np.sort(chosen)),
        every.filter(pairs.score >= threshold.value).drop_columns(["same"]),
        every.take(doubtful(pairs, groups, threshold.value, options.margin)),
        threshold,
        measured,
        (
            *records.notes,
            *([] if len(records) else [f"{records.name} has no rows"]),
            *([] if measure is not None else why_words(comparison)),
        ),
    )


def _threshold(
    comparison: Comparison,
    distinct: Comparison,
    records: Records,
    labels: Any,
    settings: DedupeOptions,
    read: TableOptions,
) -> Threshold:
    if isinstance(settings.min_score, int | float):
        return given(distinct, settings.min_score)
    if labels is None:
        if settings.precision is not None:
            raise OptionError("precision needs labels to be measured on")
        return suggested(distinct)
    if settings.min_score == AUTO:
        raise OptionError("min_score and labels exclude each other: the least score is given or suggested")
    left, right, same = read_labels(labels, records, records, read)
    return labelled(distinct, comparison.scores(left, right), same, settings.precision)
