"""Decide on tables: from columns to fields, joined text and decision, learnt from them or by a model."""

import os
from typing import Any

from likewise.errors import OptionError
from likewise.read.tables import Records
from likewise.records.comparison import Comparison
from likewise.records.decision import PARTNERS, Decision, decide
from likewise.records.fields import column_pairs, fields_of, joined_text
from likewise.records.model import Model
from likewise.records.options import MatchOptions, RecordOptions, parse_on
from likewise.records.refit import Labels, correct, refit


def decide_records(
    left: Records,
    right: Records,
    comparison: Comparison,
    options: RecordOptions,
    one: bool | None = None,
    model: Model | None = None,
    labels: Labels | None = None,
) -> tuple[Decision, Model | None]:
    """Return the decision, with what labels say, and the model that was learnt, or that was given."""
    columns = column_pairs(left, right, options)
    judged = None if labels is None else labels[:2]
    if model is None:
        joined = joined_text(comparison, left, right, columns)
        fields = fields_of(left, right, options)
        decision = decide(joined, fields, PARTNERS, one, options.precision, more=judged)
        if labels is not None:
            decision = refit(decision, labels, options.precision)
        return decision, Model.of(decision, joined.measures[0], fields, _kept(left, right, labels))
    model.check(right is left)
    joined = joined_text(comparison, left, right, columns, model.joined)
    fields = fields_of(left, right, options, model.fields)
    decision = decide(joined, fields, PARTNERS, one, options.precision, model.learnt, model.numbers, judged)
    if model.learnt.correction:
        decision = correct(decision, model.learnt.correction, options.precision)
    return decision, model


def _kept(left: Records, right: Records, labels: Labels | None) -> tuple[tuple[str, str, bool], ...]:
    """Return labels as a model keeps them: ids, and whether they are the same."""
    if labels is None:
        return ()
    a, b = (records.ids.take(rows).to_pylist() for records, rows in ((left, labels[0]), (right, labels[1])))
    return tuple((str(x), str(y), bool(same)) for x, y, same in zip(a, b, labels[2], strict=True))


def as_model(value: Any) -> Model | None:
    """Return the model that was given, or read it from its file."""
    if value is None or isinstance(value, Model):
        return value
    if isinstance(value, str | os.PathLike):
        return Model.load(value)
    raise OptionError(f"model must be the model of a result or the path of one, not {type(value).__name__}")


def known_measure(measure: Any, options: RecordOptions, model: Model | None) -> Any:
    """Return the measure of the scores: the model's, where none is named and all is compared as one text."""
    named = options.left_on if isinstance(options, MatchOptions) and options.left_on is not None else options.on
    return model.joined if model is not None and measure is None and len(parse_on("on", named)) < 2 else measure
