"""The fields that a decision compares, and the joined text that proposes candidates."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from likewise.errors import OptionError
from likewise.measure import Measure
from likewise.options import check_choice
from likewise.read.tables import Records
from likewise.records.columns import Column, choose_columns, field_columns
from likewise.records.comparison import Comparison
from likewise.records.evidence import Field, FieldModel
from likewise.records.kinds import kind_of, kind_step, written_as
from likewise.records.measures import fit_columns
from likewise.records.options import MatchOptions, RecordOptions, names, parse_kinds, parse_on


def column_pairs(left: Records, right: Records, settings: RecordOptions) -> list[tuple[str, str]]:
    """Return the columns of both sides that are compared with each other: those named, or all of the same name."""
    equal_on = names("equal_on", settings.equal_on)
    if isinstance(settings, MatchOptions) and settings.left_on is not None:
        lefts, rights = list(parse_on("left_on", settings.left_on)), list(parse_on("right_on", settings.right_on))
        return list(zip(choose_columns(left, lefts, equal_on), choose_columns(right, rights, equal_on), strict=True))
    wanted = list(parse_on("on", settings.on))
    mine = choose_columns(left, wanted, equal_on)
    theirs = mine if right is left else choose_columns(right, wanted, equal_on)
    return [(name, name) for name in mine if name in theirs]


def both_named(settings: MatchOptions, left: Sequence[str], right: Sequence[str]) -> MatchOptions:
    """Return the options with the columns of both sides named, where one is and the other has only one column."""
    named = {"left_on": settings.left_on, "right_on": settings.right_on}
    missing = [side for side, columns in named.items() if columns is None]
    if len(missing) != 1:
        return settings
    (side,) = missing
    columns = left if side == "left_on" else right
    given = parse_on("on", settings.left_on or settings.right_on)
    if len(columns) != 1 or len(given) != 1:
        raise OptionError(f"name the columns of both sides: {side} is missing")
    name = columns[0]
    return replace(settings, left_on=name) if side == "left_on" else replace(settings, right_on=name)


def fields_of(
    left: Records, right: Records, settings: RecordOptions, known: Mapping[str, FieldModel] | None = None
) -> list[Field]:
    """Return the fields with their kinds: detected, told, or as they are ``known``, with their measures, by a model."""
    told, columns = parse_kinds(settings.kinds), column_pairs(left, right, settings)
    for name in told:
        check_choice("a field that kinds names", name, [mine for mine, _ in columns])
    found = []
    for mine, theirs in columns:
        a = field_columns(left, [mine], False)[0]
        b = a if right is left else field_columns(right, [theirs], False)[0]
        if known is None:
            kind = told.get(mine) or _detected([a] if b is a else [a, b])
            found.append(Field.of(mine, kind, *_as_kind(kind, a, b), settings.threads))
        else:
            found.append(Field.by(mine, *_as_kind(known[mine].kind, a, b), known[mine], settings.threads))
    return found


def _detected(columns: Sequence[Column]) -> str:
    """Return the kind of columns as one, as :func:`~likewise.records.kinds.detect` does; each text is read once."""
    texts = [text.strip() for column in columns for text in column.texts]
    starts = np.cumsum([0, *(len(column.texts) for column in columns)])
    every = np.concatenate(
        [column.codes[column.codes >= 0] + start for column, start in zip(columns, starts, strict=False)]
    )
    distinct = set(texts)
    return kind_of([texts[code] for code in every[:: kind_step(len(every))]], len(every), len(distinct), distinct)


def _as_kind(kind: str, left: Column, right: Column) -> tuple[Column, Column]:
    """Return columns of dates and of numbers in one form: each table has its own."""
    written = written_as(kind)
    mine = replace(left, texts=written(left.texts))
    return mine, mine if right is left else replace(right, texts=written(right.texts))


def joined_text(
    comparison: Comparison,
    left: Records,
    right: Records,
    columns: Sequence[tuple[str, str]],
    measure: Measure | None = None,
) -> Comparison:
    """Return the comparison of all compared columns as one text: the one at hand where it is that already."""
    if len(comparison.left) == 1:
        return comparison
    a = field_columns(left, [name for name, _ in columns], True)
    b = a if right is left else field_columns(right, [name for _, name in columns], True)
    mine, theirs, measure = fit_columns(a[0], b[0], measure)
    return Comparison(
        [mine],
        [theirs],
        [measure],
        [1.0],
        comparison.self_join,
        comparison.left_keys,
        comparison.right_keys,
        comparison.threads,
        comparison.progress,
    )
