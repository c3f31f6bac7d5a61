"""Decide which records are the same: one model for one to one, for many, and for duplicates in one table.

:func:`decide_records` goes from tables to fields, joined text and candidates, which are :mod:`.compared`.
:mod:`.learning` decides on them without labels, or by a model; what is equal in everything is added (:mod:`.literal`).
"""

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likewise.errors import InputError, OptionError
from likewise.join import Pairs
from likewise.measure import Measure
from likewise.read.tables import Records
from likewise.records.by_texts import by_texts, held_again
from likewise.records.candidates import candidates
from likewise.records.chances import at_most, without_rivals
from likewise.records.checks import few
from likewise.records.clusters import clusters
from likewise.records.compared import NUMBERS, Compared
from likewise.records.comparison import Comparison
from likewise.records.decision import Decision, Learnt
from likewise.records.evidence import Asked, Evidence, Field, FieldModel
from likewise.records.fields import column_pairs, fields_of, joined_text
from likewise.records.further import last_half
from likewise.records.learning import apply, decide_compared
from likewise.records.limits import limits
from likewise.records.linkage import group
from likewise.records.literal import with_copies
from likewise.records.model import Model
from likewise.records.options import COMPONENTS, DedupeOptions, RecordOptions
from likewise.records.partners import Relation
from likewise.records.refit import Labels, correct, refit
from likewise.records.relation import copies_of
from likewise.records.strangers import by_chance
from likewise.records.weighed import Side, Weighed

Rows = NDArray[np.int64]
PARTNERS = 20
"""How many partners of each record are looked at by the joined text."""


def decide_records(
    left: Records,
    right: Records,
    comparison: Comparison,
    scores: Measure,
    options: RecordOptions,
    relation: Relation | None = None,
    model: Model | None = None,
    labels: Labels | None = None,
) -> tuple[Decision, Model | None, Weighed]:
    """Return the decision, with what labels say, the model that was learnt or given, and what weighs any pair.

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
        model = Model.of(decision, joined.measures[0], scores, fields, _kept(left, right, labels))
    else:
        joined = joined_text(comparison, left, right, columns, model.joined)
        fields = fields_of(left, right, options, model.fields)
        decision = decide(joined, fields, PARTNERS, relation, options.precision, model.learnt, model.numbers, judged)
        decision = corrected(decision, model.learnt, options.precision)
    lefts = Side.of(left, joined.left[0], [field.left for field in fields])
    rights = lefts if right is left else Side.of(right, joined.right[0], [field.right for field in fields])
    return decision, model, Weighed.of(decision, model, lefts, rights)


def corrected(decision: Decision, known: Learnt, precision: float | None) -> Decision:
    """Return a decision by what is known, corrected as labels have taught."""
    if known.correction is None:
        return decision
    taught = len(known.correction.factors)
    if taught != decision.parts.shape[1]:
        raise InputError(f"the model corrects {taught} parts, and {decision.parts.shape[1]} speak")
    return correct(decision, known.correction, known.wish(precision))


def decided_groups(decision: Decision, options: DedupeOptions) -> NDArray[np.int64]:
    """Return for each record of one table its group: by the linkage that was named, or the one that suits."""
    found, judged = decision.found, decision.judged
    by_mean = options.linkage is None and decision.relation is Relation.MANY and options.precision is None
    given = decision.odds > 0 if by_mean else decision.keep
    late = np.zeros(len(found), bool) if found.late is None else found.late & given
    if judged is not None:  # whoever was judged is looked at
        late &= ~np.isin(found.right, np.concatenate([found.left[judged != 0], found.right[judged != 0]]))
        judged = judged[~late]
    if by_mean:
        groups = group(found.left[~late], found.right[~late], decision.odds[~late], found.lefts, decision.prior, judged)
    else:
        chosen = given & ~late
        made = Pairs(found.left[chosen], found.right[chosen], decision.probability[chosen])
        groups = clusters(made, found.lefts, options.linkage or COMPONENTS)
    # The other copies of a record go where the first goes.
    groups[found.right[late]] = groups[found.left[late]]
    return groups


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


def decide(
    joined: Comparison,
    fields: Sequence[Field],
    count: int,
    relation: Relation | None = None,
    precision: float | None = None,
    known: Learnt | None = None,
    numbers: Mapping[str, FieldModel] | None = None,
    more: tuple[Rows, Rows] | None = None,
) -> Decision:
    """Decide on the best ``count`` candidates of each record, and ``more``.

    ``relation``: on which sides records have one partner at most; ``None`` lets the data say. With what is ``known``,
    nothing is learnt; ``numbers`` are then those in texts.
    """
    found = candidates(joined, fields, count, more)
    names = None if known is None else known.names
    compared = Compared.of(joined, fields, found, names, numbers or {})
    kinds = [(field.name, field.kind) for field in fields]
    return bounded(decide_on(compared, kinds, count, relation, precision, known), compared, count)


def bounded(decision: Decision, compared: Compared, count: int) -> Decision:
    """Return the decision with what twice as many partners as ``count`` would find at most."""
    score = np.where(compared.overall.null, 0.0, compared.overall.alike)
    return replace(decision, further=last_half(decision, score, count))


def decide_on(
    compared: Compared,
    kinds: Sequence[tuple[str, str]],
    count: int,
    relation: Relation | None,
    precision: float | None,
    known: Learnt | None,
) -> Decision:
    """Decide on candidates that are compared; ``kinds`` of all fields, ``count`` of partners that were looked at."""
    decided = with_late(_decided(compared.early(), relation, precision, known), compared)
    own = [place for place, field in enumerate(compared.fields) if not field.name.endswith(NUMBERS)]
    evidence = [compared.evidence[place] for place in own]
    decided = with_copies(decided, [compared.fields[place] for place in own], evidence, precision)
    if len(kinds) == 1:  # all that is known is the field
        parts = (decided.odds - decided.prior)[:, None]
        decided = replace(decided, fields=(kinds[0][0],), parts=parts)
    return replace(decided, kinds=tuple(kinds), partners=count)


def _decided(compared: Compared, relation: Relation | None, precision: float | None, known: Learnt | None) -> Decision:
    """Decide on candidates of which nothing is known but themselves, or by what is ``known``."""
    if known is None:
        return decide_unknown(compared, relation, precision)
    if known.texts:
        decided = by_texts(compared, known.wish(precision), known, alone=known.relation is Relation.ONE)
        return replace(decided, learnt=known)
    said = dict(zip((field.name for field in compared.fields), compared.evidence, strict=True))
    nothing = Evidence.nothing(len(compared.found))
    evidence = [said.get(name, nothing) for name in known.names]
    return apply(known, compared.found, compared.overall, evidence, precision)


def with_late(decision: Decision, compared: Compared) -> Decision:
    """Return the decision with the late copies: they are what the second copy of their record is."""
    found, late = compared.found, compared.found.late
    if late is None:
        return decision
    told = np.cumsum(~late) - 1
    equal = np.flatnonzero(compared.overall.equal & ~late)
    told[late] = told[equal[np.searchsorted(found.left[equal], found.left[late])]]
    chance, keep, reached = decision.probability[told], decision.keep[told], decision.calibration
    return replace(
        decision,
        found=found,
        parts=decision.parts[told],
        odds=decision.odds[told],
        probability=chance,
        keep=keep,
        calibration=replace(reached, matches=reached.matches + float(chance[late & keep].sum())),
        evidence=tuple(mine.take(told) for mine in decision.evidence),
    )


def decide_unknown(compared: Compared, relation: Relation | None, precision: float | None) -> Decision:
    """Decide on candidates of which nothing is known but themselves."""
    found, overall, whole = compared.found, compared.overall, compared.whole
    score, asked = np.where(overall.null, 0.0, overall.alike), relation

    def decided_as(relation: Relation | None) -> Decision:
        if not (compared.fields or found.self_join) and relation in (None, Relation.ONE, Relation.MANY):
            held = max(held_again(whole, side) for side in (0, 1))
            if held:  # copies tie, and hide each other
                different = relation is not Relation.MANY and held > limits().held_again
                return by_texts(compared, precision, different=different, alone=relation is Relation.ONE)
        chance = partial(_names_nobody, compared, share=limits().only_by_chance)
        return decide_compared(found, overall, compared.fields, compared.evidence, relation, precision, chance)

    if relation is None and not found.self_join:
        relation = copies_of(found, score, whole)
    decided = decided_as(relation)
    copied = relation is not asked and decided.keep.any()
    if copied and _names_nobody(compared, decided, limits().by_chance):
        # No copies then: whoever has a partner has one.
        decided = decided_as(Relation.ONE)
    if asked is Relation.ONE and not found.self_join:
        decided = _best_copies(compared, decided, precision)
    if not found.self_join and few(found, decided.probability):
        decided = _without_unlike_names(compared, decided, precision)
    if decided.learnt is None:
        return decided
    size = min(found.lefts, found.rights)
    learnt = replace(decided.learnt, threshold=decided.calibration.threshold, size=size)
    return replace(decided, learnt=learnt, numbers=compared.numbers)


def _names_nobody(compared: Compared, decided: Decision, share: float) -> bool:
    """Return whether more than a share of the pairs are alike by chance: as whole records and by each name."""
    asked = [(compared.whole, compared.overall), *_names(compared)]
    return all(
        by_chance(compared.found, np.where(mine.null, 0.0, mine.alike), decided.keep, decided.relation, field) > share
        for field, mine in asked
    )


def _without_unlike_names(compared: Compared, decided: Decision, precision: float | None) -> Decision:
    """Return few matches without those whose names differ altogether, if as many are as alike by chance.

    Two towns with one number of inhabitants stand out from all others, and are two towns.
    """
    named = [mine for _, mine in _names(compared) if not np.all(mine.null)]
    if not named:
        return decided
    there = ~np.all([mine.null for mine in named], 0)
    differ = np.all([mine.null | (mine.alike < limits().unlike) for mine in named], 0)
    other = decided.keep & there & differ
    if not other.any():
        return decided
    alike = np.where(compared.overall.null, 0.0, compared.overall.alike)
    if by_chance(compared.found, alike, other, decided.relation, compared.whole) <= limits().by_chance:
        return decided
    return at_most(decided, np.where(there & differ, 0.0, 1.0), precision)


def _names(compared: Compared) -> list[tuple[Asked, Evidence]]:
    """Return the fields that are names or texts, with their evidence."""
    return [
        (field, mine)
        for field, mine in zip(compared.fields, compared.evidence, strict=True)
        if field.kind in ("name", "text") and not field.name.endswith(NUMBERS)
    ]


def _best_copies(compared: Compared, alone: Decision, precision: float | None) -> Decision:
    """Return the best pair of each record where it is said to have one partner, but copies of a side hide it.

    ``alone`` is what is decided where no copies are looked for; it stays where that gives as many.
    """
    found, overall = compared.found, compared.overall
    relation = copies_of(found, np.where(overall.null, 0.0, overall.alike), compared.whole)
    if relation is None:
        return alone
    decided = decide_compared(found, overall, compared.fields, compared.evidence, relation, precision)
    best = without_rivals(found, np.where(decided.probability > 0, decided.odds, -np.inf), Relation.ONE)
    made = replace(at_most(decided, np.where(best, decided.probability, 0.0), precision), relation=Relation.ONE)
    return made if made.probability[made.keep].sum() > alone.probability[alone.keep].sum() else alone
