"""Set up the comparison of two tables, or of one with itself: choose columns, number texts, fit measures."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from likewise.errors import OptionError
from likewise.measure import FieldMeasure, FieldsMeasure, Measure, TfIdf, as_measure
from likewise.progress import Progress
from likewise.read.tables import Records
from likewise.records.columns import choose_columns, field_columns, keys
from likewise.records.comparison import Comparison
from likewise.records.measures import default_note, fit_columns, length_step, typical_length
from likewise.records.options import RecordOptions, names, parse_on
from likewise.said import counted

_MANY = 10  # one record in so many


def build(
    left: Records, right: Records, settings: RecordOptions, measure: Any = None, progress: Progress | None = None
) -> tuple[Comparison, Measure, list[str]]:
    """Return what is compared, the measure that scores it, and the names of the compared fields."""
    on = parse_on("on", settings.on)
    left_on, right_on = settings.on_sides
    equal_on = names("equal_on", settings.equal_on)
    left_names = choose_columns(left, list(left_on), equal_on)
    right_names = left_names if right is left else choose_columns(right, list(right_on), equal_on)
    joined = not left_on or list(on) == ["*"]
    weights = [1.0] if joined else list(left_on.values())
    left_columns = field_columns(left, left_names, joined)
    right_columns = left_columns if right is left else field_columns(right, right_names, joined)
    wanted = _measures(measure, left_names)[: len(left_columns)]
    fitted = [
        fit_columns(*item, settings.language, settings.threads)
        for item in zip(left_columns, right_columns, wanted, strict=True)
    ]
    left_columns, right_columns, measures = (list(part) for part in zip(*fitted, strict=True))
    key_sides = keys([left, right], equal_on) if equal_on else [None, None]
    comparison = Comparison(
        left_columns,
        right_columns,
        measures,
        weights,
        right is left,
        key_sides[0],
        key_sides[1],
        settings.threads,
        progress,
    )
    if len(measures) == 1:
        return comparison, measures[0], left_names
    fields = [FieldMeasure(*item) for item in zip(left_names, weights, measures, right_names, strict=True)]
    return comparison, FieldsMeasure(fields), left_names


def _measures(measure: Any, field_names: Sequence[str]) -> list[Measure | None]:
    """Return the measure that was named for each field, if any."""
    if measure is not None and not isinstance(measure, Mapping):
        measure = as_measure(measure)
        if isinstance(measure, FieldsMeasure):
            measure = {field.name: field.measure for field in measure.fields}
    if isinstance(measure, Mapping):
        for name in measure:
            if name not in field_names:
                raise OptionError(f"measure names field {name!r}; compared are {', '.join(field_names)}")
        return [as_measure(measure[name]) if name in measure else None for name in field_names]
    return [measure] * len(field_names)


def why_nothing(comparison: Comparison, *sides: Records) -> list[str]:
    """Return notes on why there is nothing to compare: a side without rows, or with empty cells only."""
    found = []
    for side, columns in zip(sides, (comparison.left, comparison.right), strict=False):
        if not len(side):
            found.append(f"{side.name} has no rows")
        elif not any(any(column.texts) for column in columns):
            found.append(f"{side.name}: every cell that is compared is empty")
    return found


def copies_note(comparison: Comparison, *sides: Records) -> list[str]:
    """Return a warning where records have one partner at most and yet a table holds many of them more than once."""
    found = []
    for side, columns in zip(sides, (comparison.left, comparison.right), strict=False):
        if len(columns) == 1:
            copies = int(np.count_nonzero(columns[0].codes >= 0)) - len(columns[0].texts)
            found += copied_note(side.name, copies, len(side))
    return found


def copied_note(name: str, copies: int, records: int) -> list[str]:
    """Return a warning about the number of copies in a table, if they are many."""
    if _MANY * copies <= records:
        return []
    return [
        f"{name}: {counted(copies, 'record')} equal to others, but each has one partner at most here: "
        "say if it may have several (relation=..., --relation), or match what dedupe leaves (canonical)"
    ]


def why_words(comparison: Comparison) -> list[str]:
    """Return why fields are compared by words, where nobody named a measure."""
    found = []
    for measure, column in zip(comparison.measures, comparison.left, strict=True):
        length = typical_length(column.sample(length_step(len(column))))
        if isinstance(measure, TfIdf):
            found.append(default_note(measure, length))
    return found
