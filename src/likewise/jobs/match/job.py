"""The verb itself."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from likewise.errors import OptionError
from likewise.jobs.match.options import AUTO, ColumnOptions, MatchOptions, names, parse_on
from likewise.join import Pairs
from likewise.measure import Explanation, FieldMeasure, FieldsMeasure, Measure, as_measure, fitted
from likewise.options import from_mapping
from likewise.progress import Progress
from likewise.read.tables import Records, TableOptions, read_table
from likewise.records.assignment import assigned_pairs, reciprocal_pairs
from likewise.records.columns import Column, choose_columns, field_columns, keys, shown
from likewise.records.distinct import ranks
from likewise.records.labels import read_labels
from likewise.records.measures import default_measure
from likewise.records.space import Space
from likewise.records.threshold import Threshold, labelled, suggested
from likewise.results.matches import MatchResult

_WHY = 5  # parts shown in the column of reasons


def match(
    left: Any,
    right: Any = None,
    *,
    measure: Any = None,
    labels: Any = None,
    options: MatchOptions | None = None,
    read: TableOptions | None = None,
    progress: Progress | None = None,
    **named: Any,
) -> MatchResult:
    """Find for each left record its best partners on the right; without ``right``, within the left table itself.

    Tables are lists of texts or dicts, pandas, polars or Arrow tables, or paths of files. ``measure`` is any measure,
    its specification, or a mapping from field to measure; one that weighs by a collection and is not fitted is fitted
    to both sides together. ``labels`` are pairs that somebody judged (ids and whether they match): the least score is
    then chosen by them. Everything else is a field of :class:`MatchOptions` (``on``, ``top``, ``min_score``,
    ``one_to_one``, ...), given by name or as ``options``.

    >>> import likewise as lw
    >>> found = lw.match(["IBM Corp.", "Apple Inc"], ["apple incorporated", "I.B.M. corporation", "ibm corp"], top=1)
    >>> [(match.left_text, match.right_text) for match in found]
    [('IBM Corp.', 'ibm corp'), ('Apple Inc', 'apple incorporated')]
    """
    settings = from_mapping(MatchOptions, named) if options is None else options
    if options is not None and named:
        raise OptionError(f"give options or {', '.join(named)}, not both")
    left_records, right_records = _read(left, right, settings, read)
    space, measured, field_names = build_space(left_records, right_records, settings, measure, progress)
    threshold = _threshold(space, left_records, right_records, labels, settings, read)
    least = settings.min_score if threshold is None else threshold.value
    pairs = _pairs(space, settings, float(least or 0))
    return _result(left_records, right_records, space, pairs, measured, field_names, settings, threshold)


def _threshold(
    space: Space, left: Records, right: Records, labels: Any, settings: MatchOptions, read: TableOptions | None
) -> Threshold | None:
    """Return the least score where it is to be suggested."""
    if labels is not None:
        if settings.min_score is not None:
            raise OptionError("min_score and labels exclude each other: the least score is given or suggested")
        a, b, same = read_labels(labels, left, right, read)
        return labelled(space, space.scores(a, b), same, settings.precision)
    if settings.precision is not None:
        raise OptionError("precision needs labels to be measured on")
    return suggested(space) if settings.min_score == AUTO else None


def _read(left: Any, right: Any, settings: MatchOptions, read: TableOptions | None) -> tuple[Records, Records]:
    equal_on = names("equal_on", settings.equal_on)
    left_wanted = [*parse_on("on", settings.left_on or settings.on), *equal_on]
    left_records = read_table(left, read, id=settings.left_id or settings.id, wanted=left_wanted, name="left")
    if right is None:
        if settings.right_on is not None or settings.right_id is not None:
            raise OptionError("right_on and right_id need a right table")
        return left_records, left_records
    right_wanted = [*parse_on("on", settings.right_on or settings.on), *equal_on]
    return left_records, read_table(right, read, id=settings.right_id or settings.id, wanted=right_wanted, name="right")


def build_space(
    left: Records, right: Records, settings: ColumnOptions, measure: Any, progress: Progress | None
) -> tuple[Space, Measure, list[str]]:
    """Return what is searched, the measure that scores it, and the names of the compared fields."""
    left_on: dict[str, float] = parse_on("left_on", getattr(settings, "left_on", None))
    right_on: dict[str, float] = parse_on("right_on", getattr(settings, "right_on", None))
    on = parse_on("on", settings.on)
    equal_on = names("equal_on", settings.equal_on)
    left_names = choose_columns(left, list(left_on or on), equal_on)
    right_names = left_names if right is left else choose_columns(right, list(right_on or on), equal_on)
    joined = not (left_on or on) or list(on) == ["*"]
    weights = [1.0] if joined else list((left_on or on).values())
    left_columns = field_columns(left, left_names, joined)
    right_columns = left_columns if right is left else field_columns(right, right_names, joined)
    measures = _measures(measure, left_names, left_columns, right_columns)
    key_sides = keys([left, right], equal_on) if equal_on else [None, None]
    space = Space(
        left_columns,
        right_columns,
        measures,
        weights,
        right is left,
        key_sides[0],
        key_sides[1],
        getattr(settings, "threads", None),
        progress,
    )
    if len(measures) == 1:
        return space, measures[0], left_names
    fields = [FieldMeasure(*item) for item in zip(left_names, weights, measures, right_names, strict=True)]
    return space, FieldsMeasure(fields), left_names


def _measures(
    measure: Any, field_names: Sequence[str], left: Sequence[Column], right: Sequence[Column]
) -> list[Measure]:
    found = []
    if isinstance(measure, Mapping):
        for name in measure:
            if name not in field_names:
                raise OptionError(f"measure names field {name!r}; compared are {', '.join(field_names)}")
    for place, (a, b) in enumerate(zip(left, right, strict=True)):
        mine = as_measure(
            measure.get(field_names[place]) if isinstance(measure, Mapping) else measure, default_measure()
        )
        texts = [a.all_texts()] if b is a else [a.all_texts(), b.all_texts()]
        found.append(fitted(mine, *texts))
    return found


def _pairs(space: Space, settings: MatchOptions, min_score: float) -> Pairs:
    if settings.all_pairs:
        return space.above(min_score, settings.exclude_equal)
    if settings.one_to_one:
        return assigned_pairs(space, min_score, settings.exclude_equal)
    if settings.reciprocal:
        return reciprocal_pairs(space, min_score, settings.exclude_equal)
    return space.top(settings.top, min_score, exclude_equal=settings.exclude_equal)


def _result(
    left: Records,
    right: Records,
    space: Space,
    pairs: Pairs,
    measure: Measure,
    field_names: Sequence[str],
    settings: MatchOptions,
    threshold: Threshold | None,
) -> MatchResult:
    import pyarrow as pa

    left_texts, right_texts = pa.array(shown(space.left), pa.string()), pa.array(shown(space.right), pa.string())
    columns = {
        "left": left.ids.take(pa.array(pairs.left)),
        "right": right.ids.take(pa.array(pairs.right)),
        "score": pa.array(pairs.score, pa.float64()),
        "rank": pa.array(ranks(pairs.left) + 1, pa.int64()),
        "left_text": left_texts.take(pa.array(pairs.left)),
        "right_text": right_texts.take(pa.array(pairs.right)),
    }
    if settings.explain:
        columns["why"] = pa.array(reasons(space, pairs, measure, field_names), pa.string())
    sides = [("left", left, pairs.left, left_texts)]
    if right is not left:
        sides.append(("right", right, pairs.right, right_texts))
    elif len(pairs):
        sides = [("left", left, np.concatenate([pairs.left, pairs.right]), left_texts)]
    notes = list(left.notes if right is left else (*left.notes, *right.notes))
    notes += [
        f"{records.name} has no rows" for records in ([left] if right is left else [left, right]) if not len(records)
    ]
    return MatchResult(pa.table(columns), unmatched_table(sides), measure, tuple(notes), threshold)


def unmatched_table(sides: Sequence[tuple[str, Records, Any, Any]]) -> Any:
    """Return the records that are in no pair: which side, their id, their text."""
    import pyarrow as pa

    parts = []
    for side, records, used, texts in sides:
        alone = np.ones(len(records), bool)
        alone[used] = False
        rows = pa.array(np.flatnonzero(alone))
        ids = records.ids.take(rows)
        parts.append((pa.array([side] * len(rows), pa.string()), ids, texts.take(rows)))
    same = all(part[1].type == parts[0][1].type for part in parts)
    arrays = [
        pa.chunked_array([part[place] if place != 1 or same else part[place].cast(pa.string()) for part in parts])
        for place in range(3)
    ]
    return pa.table(arrays, names=["side", "id", "text"])


def reasons(space: Space, pairs: Pairs, measure: Measure, field_names: Sequence[str]) -> list[str]:
    """Return for each pair the parts that contributed most, with what each adds to the score."""
    left_values = [column.values() for column in space.left]
    right_values = [column.values() for column in space.right]
    found = []
    for a, b in zip(pairs.left.tolist(), pairs.right.tolist(), strict=True):
        if isinstance(measure, FieldsMeasure):
            left = {name: values[a] for name, values in zip(field_names, left_values, strict=True)}
            right_names = [field.right_name or field.name for field in measure.fields]
            right = {name: values[b] for name, values in zip(right_names, right_values, strict=True)}
            why = measure.explain(left, right)
        else:
            why = measure.explain(left_values[0][a] or "", right_values[0][b] or "")
        found.append(_reason(why))
    return found


def _reason(why: Explanation) -> str:
    parts = sorted(why.contributions, key=lambda part: -part.value)
    words = [
        f"{part.left if part.left == part.right else f'{part.left} ~ {part.right}'} {part.value:.3f}"
        for part in parts[:_WHY]
    ]
    rest = sum(part.value for part in parts[_WHY:])
    return "; ".join([*words, f"others {rest:.3f}"] if len(parts) > _WHY else words)
