"""Match the records of two tables, or of one with itself: for each the best partners, exactly.

:func:`match` reads both sides, compares the chosen columns (:mod:`likewise.records`) and gives a
:class:`~likewise.results.matches.MatchResult`.
"""

from typing import Any

from likewise.errors import OptionError
from likewise.join import Pairs
from likewise.progress import Progress
from likewise.read.tables import Records, TableOptions, read_table
from likewise.records.assignment import assigned_pairs, reciprocal_pairs
from likewise.records.build import build, why_words
from likewise.records.comparison import Comparison
from likewise.records.labels import read_labels
from likewise.records.options import AUTO, MatchOptions, names, parse_on
from likewise.records.tables import alone, pair_table, reasons
from likewise.records.threshold import labelled, suggested
from likewise.results.matches import MatchResult
from likewise.results.threshold import Threshold
from likewise.verb import verb


@verb(options=MatchOptions, read=TableOptions)
def match(
    left: Any,
    right: Any = None,
    *,
    measure: Any = None,
    labels: Any = None,
    progress: Progress | None = None,
    options: MatchOptions,
    read: TableOptions,
) -> MatchResult:
    """Find for each left record its best partners on the right; without ``right``, within the left table itself.

    Tables are lists of texts or dicts, pandas, polars or Arrow tables, or paths of files. ``measure`` is any measure,
    its specification, or a mapping from field to measure; one that weighs by a collection and is not fitted is fitted
    to both sides together. ``labels`` are pairs that somebody judged (ids and whether they match): the least score is
    then chosen by them.

    >>> import likewise as lw
    >>> found = lw.match(["IBM Corp.", "Apple Inc"], ["apple incorporated", "I.B.M. corporation", "ibm corp"], top=1)
    >>> [(match.left_text, match.right_text) for match in found]
    [('IBM Corp.', 'ibm corp'), ('Apple Inc', 'apple incorporated')]
    """
    lefts, rights = _read(left, right, options, read)
    comparison, measured, field_names = build(lefts, rights, options, measure, progress)
    threshold = _threshold(comparison, lefts, rights, labels, options, read)
    least = options.min_score if threshold is None else threshold.value
    pairs = _pairs(comparison, options, float(least or 0))
    table = pair_table(lefts, rights, comparison, pairs)
    if options.explain:
        table = table.append_column("why", [reasons(comparison, pairs, measured, field_names)])
    sides = [lefts] if rights is lefts else [lefts, rights]
    notes = [note for side in sides for note in side.notes]
    notes += [f"{side.name} has no rows" for side in sides if not len(side)]
    notes += [] if measure is not None else why_words(comparison)
    return MatchResult(table, alone(lefts, rights, comparison, pairs), measured, tuple(notes), threshold)


def _read(left: Any, right: Any, settings: MatchOptions, read: TableOptions) -> tuple[Records, Records]:
    equal_on = names("equal_on", settings.equal_on)
    left_wanted = [*parse_on("on", settings.left_on or settings.on), *equal_on]
    left_records = read_table(left, read, id=settings.left_id or settings.id, wanted=left_wanted, name="left")
    if right is None:
        if settings.right_on is not None or settings.right_id is not None:
            raise OptionError("right_on and right_id need a right table")
        return left_records, left_records
    right_wanted = [*parse_on("on", settings.right_on or settings.on), *equal_on]
    return left_records, read_table(right, read, id=settings.right_id or settings.id, wanted=right_wanted, name="right")


def _threshold(
    comparison: Comparison,
    left: Records,
    right: Records,
    labels: Any,
    settings: MatchOptions,
    read: TableOptions,
) -> Threshold | None:
    """Return the least score where it is to be suggested."""
    if labels is not None:
        if settings.min_score is not None:
            raise OptionError("min_score and labels exclude each other: the least score is given or suggested")
        a, b, same = read_labels(labels, left, right, read)
        return labelled(comparison, comparison.scores(a, b), same, settings.precision)
    if settings.precision is not None:
        raise OptionError("precision needs labels to be measured on")
    return suggested(comparison) if settings.min_score == AUTO else None


def _pairs(comparison: Comparison, settings: MatchOptions, min_score: float) -> Pairs:
    if settings.all_pairs:
        return comparison.above(min_score, settings.exclude_equal)
    if settings.one_to_one:
        return assigned_pairs(comparison, min_score, settings.exclude_equal)
    if settings.reciprocal:
        return reciprocal_pairs(comparison, min_score, settings.exclude_equal)
    return comparison.top(settings.top, min_score, exclude_equal=settings.exclude_equal)
