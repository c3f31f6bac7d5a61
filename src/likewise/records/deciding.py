"""Decide on tables: from columns to fields, joined text and decision, learnt from them or by a model."""

import os
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likewise.errors import OptionError
from likewise.join import Pairs
from likewise.measure import Measure
from likewise.read.tables import Records
from likewise.records.clusters import clusters
from likewise.records.comparison import Comparison
from likewise.records.decision import PARTNERS, Decision, Least, decide
from likewise.records.fields import column_pairs, fields_of, joined_text
from likewise.records.linkage import group
from likewise.records.model import Model
from likewise.records.options import COMPONENTS, DedupeOptions, RecordOptions
from likewise.records.partners import Relation
from likewise.records.refit import Labels, correct, refit


def decide_records(
    left: Records,
    right: Records,
    comparison: Comparison,
    scores: Measure,
    options: RecordOptions,
    relation: Relation | None = None,
    model: Model | None = None,
    labels: Labels | None = None,
) -> tuple[Decision, Model | None]:
    """Return the decision, with what labels say, and the model that was learnt, or that was given.

    ``scores`` is the measure of the scores.
    """
    columns = column_pairs(left, right, options)
    judged = None if labels is None else labels[:2]
    if model is None:
        joined = joined_text(comparison, left, right, columns)
        fields = fields_of(left, right, options)
        decision = decide(joined, fields, PARTNERS, relation, options.precision, more=judged)
        if labels is not None:
            decision = refit(decision, labels, options.precision)
        return decision, Model.of(decision, joined.measures[0], scores, fields, _kept(left, right, labels))
    joined = joined_text(comparison, left, right, columns, model.joined)
    fields = fields_of(left, right, options, model.fields)
    decision = decide(joined, fields, PARTNERS, relation, options.precision, model.learnt, model.numbers, judged)
    if model.learnt.correction:
        known = None if model.learnt.threshold is None else Least(model.learnt.threshold)
        decision = correct(decision, model.learnt.correction, known if options.precision is None else options.precision)
    return decision, model


def decided_groups(decision: Decision, options: DedupeOptions) -> NDArray[np.int64]:
    """Return for each record of one table its group: by the linkage that was named, or the one that suits."""
    found, keep = decision.found, decision.keep
    if options.linkage is None and decision.relation is Relation.MANY and options.precision is None:
        return group(found.left, found.right, decision.odds, found.lefts, decision.prior, decision.judged)
    made = Pairs(found.left[keep], found.right[keep], decision.probability[keep])
    return clusters(made, found.lefts, options.linkage or COMPONENTS)


def _kept(left: Records, right: Records, labels: Labels | None) -> tuple[tuple[str, str, bool], ...]:
    """Return labels as a model keeps them: ids, and whether they are the same."""
    if labels is None:
        return ()
    a, b = (records.ids.take(rows).to_pylist() for records, rows in ((left, labels[0]), (right, labels[1])))
    return tuple((str(x), str(y), bool(same)) for x, y, same in zip(a, b, labels[2], strict=True))


def as_model(value: Any) -> Model | None:
    """Return the model that was given, or read it from its file."""
    if isinstance(value, str | os.PathLike):
        value = Model.load(value)
    if value is not None and not isinstance(value, Model):
        raise OptionError(f"model must be the model of a result or the path of one, not {type(value).__name__}")
    return value


def check_model(model: Model | None, left: Records, right: Records, options: RecordOptions) -> None:
    """Refuse a model that was not made for such tables, or for other fields."""
    if model is not None:
        model.check(right is left, [name for name, _ in column_pairs(left, right, options)])


def known_measure(measure: Any, model: Model | None) -> Any:
    """Return the measure of the scores: the model's, where none is named."""
    return measure if model is None or measure is not None else model.scores
