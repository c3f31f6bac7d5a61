"""Decide which records are the same: one model for one to one, for many, and for duplicates in one table.

:func:`decide_records` goes from tables to fields, joined text and candidates. :func:`decide_compared` estimates weights
of evidence without labels (:mod:`.mixture`, :mod:`.contrast`) and sees on which sides records have one partner at most;
:func:`apply` takes both from a model. :mod:`.chances` gives each candidate its probability.
"""

import os
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likewise.errors import OptionError
from likewise.join import Pairs
from likewise.measure import Measure, TfIdf
from likewise.read.tables import Records
from likewise.records.candidates import Candidates, candidates
from likewise.records.chances import at_most, between_tables, by_score, expected, many, within_one_table
from likewise.records.clusters import clusters
from likewise.records.comparison import Comparison
from likewise.records.contrast import contrast, learnt_elsewhere
from likewise.records.decision import JOINED, Decision, Learnt, Least, Wish
from likewise.records.evidence import Asked, Evidence, Field, FieldModel, numbers_in
from likewise.records.fields import column_pairs, fields_of, joined_text
from likewise.records.limits import limits
from likewise.records.linkage import group
from likewise.records.measures import fit_columns
from likewise.records.mixture import Levels, Mixture, estimate
from likewise.records.mixture import apply as apply_mixture
from likewise.records.model import Model
from likewise.records.options import COMPONENTS, DedupeOptions, RecordOptions
from likewise.records.partners import Relation
from likewise.records.refit import Labels, correct, refit
from likewise.records.relation import copies_of, in_series, members_of, same_texts_often, several, siblings, tells_apart
from likewise.records.runner_up import Calibration
from likewise.records.spacings import ends, mutual, seeds, stands_out, within
from likewise.records.strangers import by_chance, texts_not_by_chance

Rows = NDArray[np.int64]
Values = NDArray[np.float64]
PARTNERS = 20
"""How many partners of each record are looked at by the joined text."""
_SMALL = 100  # records of the smaller side: of fewer, one in two leads says little
NUMBERS = " #"  # behind the name of a text: the words with digits in it


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
    return corrected(decision, model.learnt, options.precision), model


def corrected(decision: Decision, known: Learnt, precision: float | None) -> Decision:
    """Return a decision by what is known, corrected as labels have taught."""
    if not known.correction:
        return decision
    return correct(decision, known.correction, _known_wish(known, precision))


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
    return decide_on(compared, [(field.name, field.kind) for field in fields], count, relation, precision, known)


def decide_on(
    compared: "Compared",
    kinds: Sequence[tuple[str, str]],
    count: int,
    relation: Relation | None,
    precision: float | None,
    known: Learnt | None,
) -> Decision:
    """Decide on candidates that are compared; ``kinds`` of all fields, ``count`` of partners that were looked at."""
    found, overall = compared.found, compared.overall
    if known is None:
        decided = decide_unknown(compared, relation, precision)
    elif known.texts:
        decided = _by_texts(found, overall, compared.whole, _known_wish(known, precision), known)
        decided = replace(decided, learnt=known)
    else:
        said = dict(zip((field.name for field in compared.fields), compared.evidence, strict=True))
        nothing = Evidence.nothing(len(found))
        decided = apply(known, found, overall, [said.get(name, nothing) for name in known.names], precision)
    if len(kinds) == 1:  # all that is known is the field
        parts = (decided.odds - decided.prior)[:, None]
        decided = replace(decided, fields=(kinds[0][0],), parts=parts)
    return replace(decided, kinds=tuple(kinds), partners=count)


@dataclass(frozen=True)
class Compared:
    """Candidates and all that a decision rests on: the ``whole`` record as one text, and its fields, if it has several.

    ``fields`` are those of the table and the numbers in their texts.
    """

    found: Candidates
    whole: Asked
    overall: Evidence
    fields: tuple[Asked, ...]
    evidence: tuple[Evidence, ...]
    numbers: tuple[tuple[str, FieldModel], ...]

    @classmethod
    def of(
        cls,
        joined: Comparison,
        fields: Sequence[Field],
        found: Candidates,
        names: Collection[str] | None = None,
        known: Mapping[str, FieldModel] | None = None,
    ) -> "Compared":
        """Compare the candidates in every field, or in those of some ``names``; ``known`` are numbers in texts."""
        whole = _whole(joined)
        overall = whole.compare(found.left, found.right)
        numbers = _numbers(whole, fields, known or {}) if len(fields) > 1 else []
        parts = (*fields, *numbers) if len(fields) > 1 else ()
        parts = tuple(field for field in parts if names is None or field.name in names)
        evidence = tuple(field.compare(found.left, found.right) for field in parts)
        models = () if names is not None else tuple((field.name, field.model()) for field in numbers)
        return cls(found, whole, overall, parts, evidence, models)


def _whole(joined: Comparison) -> Field:
    return Field(JOINED, "text", joined.left[0], joined.right[0], joined.measures[0], joined.threads)


def decide_unknown(compared: Compared, relation: Relation | None, precision: float | None) -> Decision:
    """Decide on candidates of which nothing is known but themselves."""
    found, overall, whole = compared.found, compared.overall, compared.whole
    score, asked = np.where(overall.null, 0.0, overall.alike), relation
    if relation is None and not found.self_join:
        relation = copies_of(found, score, whole)
    decided = decide_compared(found, overall, compared.fields, compared.evidence, relation, precision)
    copied = relation is not asked and decided.keep.any()
    if copied and by_chance(found, score, decided.keep, decided.relation, whole) > limits().by_chance:
        decided = _none(decided)
    hidden = relation in (None, Relation.MANY) and not (compared.fields or found.self_join or decided.keep.any())
    if hidden and same_texts_often(found, whole, overall.equal):
        decided = _by_texts(found, overall, whole, precision, different=relation is None)
    if decided.learnt is None:
        return decided
    size = min(found.lefts, found.rights)
    learnt = replace(decided.learnt, threshold=decided.calibration.threshold, size=size)
    return replace(decided, learnt=learnt, numbers=compared.numbers)


def decide_compared(
    found: Candidates,
    overall: Evidence,
    parts: Sequence[Asked],
    evidence: Sequence[Evidence],
    relation: Relation | None,
    precision: float | None,
) -> Decision:
    """Decide on candidates whose fields are compared; no ``relation``: of both sides the same, one or several."""
    told = [place for place, mine in enumerate(evidence) if _tells(parts[place], mine)]
    parts, evidence = [parts[place] for place in told], [evidence[place] for place in told]
    score = np.where(overall.null, 0.0, overall.alike)
    if not evidence:
        return _checked(found, [score], by_score(found, overall, precision, relation or Relation.ONE), precision)
    levels = [Levels.of(field.kind, mine) for field, mine in zip(parts, evidence, strict=True)]
    names = tuple(field.name for field in parts)
    # The numbers in a text say nothing more than the text of who is a member of what.
    own = [place for place, name in enumerate(names) if not name.endswith(NUMBERS)]

    def members_among(likely: NDArray[np.bool_], kin: bool = False) -> NDArray[np.bool_] | None:
        size = min(found.lefts, found.rights) if found.self_join else None
        return members_of([evidence[place] for place in own], [parts[place].kind for place in own], likely, size, kin)

    scores = _scores(found, evidence, [field.kind for field in parts], score)
    start, members = _seed(found, scores), None
    alone: Mixture | None = None
    for _ in range(2 if relation in (None, Relation.MANY) else 0):
        alone = estimate(found, evidence, levels, start, Relation.MANY, members)
        if relation is None and not several(found, alone, score):
            break
        likely = alone.probability >= 0.5
        kin = relation is None and siblings(found, likely, evidence)
        others = members_among(likely, kin) if members is None else None
        if others is None:
            if kin:
                break
            learnt = _learnt(found, names, levels, alone, Relation.MANY)
            decided = replace(many(found, names, alone, tuple(evidence), precision), learnt=learnt)
            return _checked_within(decided, scores, precision) if found.self_join else decided
        # Members of groups are no matches: once more, from the other pairs on.
        members, start = others, likely & ~others
    alone = None  # many numbers that are not needed again
    relation = Relation.ONE if relation in (None, Relation.MANY) else relation
    if relation is Relation.ONE and not found.self_join:  # otherwise near codes are those of copies
        evidence = [mine.exact() if in_series(field) else mine for field, mine in zip(parts, evidence, strict=True)]
        levels = [Levels.of(field.kind, mine) for field, mine in zip(parts, evidence, strict=True)]
    single = estimate(found, evidence, levels, start, relation, members)
    if members is None:
        members = members_among(single.probability >= 0.5)
        if members is not None:
            single = estimate(found, evidence, levels, start & ~members, relation, members)
    learnt = _learnt(found, names, levels, single, relation)
    if found.self_join:
        decided = replace(within_one_table(found, names, single, tuple(evidence), precision), learnt=learnt)
        return _checked_within(decided, scores, precision)
    second = contrast(found, [overall, *evidence], score, relation)
    said = second.parts([overall, *evidence])
    scale = float(single.odds.std()) / (float(said.sum(1).std()) or 1.0)
    said *= scale
    decided = between_tables(found, names, single, said, tuple(evidence), precision, relation)
    reached = decided.calibration
    learnt = replace(learnt, contrast=second, scale=scale, curve=reached.curve, contest=reached.contest)
    decided = replace(decided, learnt=learnt)
    return _checked(found, _witnesses(found, [overall, *evidence], score, relation), decided, precision)


def _learnt(
    found: Candidates, names: tuple[str, ...], levels: Sequence[Levels], mixture: Mixture, relation: Relation
) -> Learnt:
    return Learnt(relation, found.self_join, names, tuple(levels), mixture.weights, mixture.tilt, mixture.prior)


def apply(
    known: Learnt, found: Candidates, overall: Evidence, evidence: Sequence[Evidence], precision: float | None
) -> Decision:
    """Decide on candidates by what was learnt from others."""
    wish = _known_wish(known, precision)
    evidence = [mine if level.edges else mine.exact() for level, mine in zip(known.levels, evidence, strict=True)]
    if not known.names:
        decided = by_score(found, overall, wish, known.relation, known)
    else:
        mixture = apply_mixture(
            found, evidence, known.levels, known.weights, known.tilt, known.prior, known.relation, known.size
        )
        if known.relation is Relation.MANY:
            decided = many(found, known.names, mixture, tuple(evidence), wish)
        elif known.contrast is None:
            decided = within_one_table(found, known.names, mixture, tuple(evidence), wish)
            score = np.where(overall.null, 0.0, overall.alike)
            scores = _scores(found, evidence, [level.kind for level in known.levels], score)
            decided = _checked_within(decided, scores, wish, sure=True)
        else:
            said = known.contrast.parts([overall, *evidence]) * known.scale
            decided = between_tables(found, known.names, mixture, said, tuple(evidence), wish, known.relation, known)
            if known.relation is Relation.ONE and _few(found, decided.probability >= 0.5):
                score = np.where(overall.null, 0.0, overall.alike)
                decided = _checked_within(decided, [score], wish, sure=True)
    return replace(decided, learnt=known)


def _known_wish(known: Learnt, precision: float | None) -> Wish:
    """Return what is given: what has the wished precision, or what a model gave."""
    return precision if precision is not None or known.threshold is None else Least(known.threshold)


def _by_texts(
    found: Candidates,
    overall: Evidence,
    whole: Asked,
    wish: Wish,
    known: Learnt | None = None,
    different: bool = False,
) -> Decision:
    """Decide by the score of a single text that several records of both sides have: on each text once.

    Copies tie, and would hide each other. A text has one partner at most; its records have all records of that. Unless
    it is known that they are copies, records of one table are taken for ``different``, and then many of one text name
    nobody.
    """
    left, right = whole.codes(0)[found.left] + 1, whole.codes(1)[found.right] + 1  # 0: no text
    lefts, rights = whole.texts(0)[1] + 1, whole.texts(1)[1] + 1
    _, first, at = np.unique(left * rights + right, return_index=True, return_inverse=True)
    texts, said = Candidates(left[first], right[first], lefts, rights, False), overall.take(first)
    once = by_score(texts, said, wish, Relation.ONE, known)
    if known is None:
        once = _checked(texts, [np.where(said.null, 0.0, said.alike)], once, wish)
    if different:
        most = texts_not_by_chance(texts, said.equal, *(np.bincount(whole.codes(side) + 1) for side in (0, 1)))
        once = at_most(once, most, wish)
    chance, least = once.probability[at], once.calibration.threshold
    learnt = None if once.learnt is None else replace(once.learnt, relation=Relation.MANY, texts=True)
    return replace(
        once,
        found=found,
        parts=once.parts[at],
        odds=once.odds[at],
        probability=chance,
        keep=chance >= least,
        relation=Relation.MANY,
        calibration=replace(
            expected(chance, Least(least)),
            threshold=least,
            curve=once.calibration.curve,
            contest=once.calibration.contest,
        ),
        evidence=(overall,),
        learnt=learnt,
    )


def _tells(field: Asked, evidence: Evidence) -> bool:
    """Return whether a field says anything: two pairs have it, and of what names a record some are equal."""
    if np.count_nonzero(~evidence.null) < 2:
        return False
    return bool(evidence.equal.any()) or field.kind not in ("code", "email", "phone")


def _checked(found: Candidates, witnesses: Iterable[Values], decision: Decision, wish: Wish) -> Decision:
    """Return the decision, or that nothing matches where by no score that learnt nothing of a record it stands out.

    Few partners do not show in what all records have in the middle: they are looked at as duplicates of one table are.
    """
    scores = list(witnesses)
    alone = decision.relation is Relation.ONE
    few = alone and _few(found, decision.probability >= 0.5)
    if not few and not any(stands_out(found, score, decision.relation) for score in scores):
        return _none(decision)
    small = alone and min(found.lefts, found.rights) < _SMALL
    return _checked_within(decision, scores, wish) if few or small else decision


def _checked_within(decision: Decision, scores: Sequence[Values], wish: Wish, sure: bool = False) -> Decision:
    """Return the decision, less sure of what stands out by chance, or that nothing matches.

    Nothing does where by no score anything stands out, unless that is ``sure``.
    """
    found, mates = decision.found, decision.probability >= 0.5
    stands = [standing for score in scores if (standing := within(found, score, mates)) is not None]
    if not stands or not decision.keep.any():
        return decision if sure else _none(decision)
    if decision.relation is Relation.MANY or not _few(found, mates):
        return decision
    here = np.min([one.here[ends(found)[0]].reshape(2, -1).min(0) for one in stands], 0)
    lenient = limits().lenient if found.self_join else 1.0  # a partner elsewhere is no sibling
    return at_most(decision, lenient * (1 - here), wish)


def _few(found: Candidates, mates: NDArray[np.bool_]) -> bool:
    """Return whether few records of a table, or of the smaller of two, are in pairs that are taken for the same."""
    if found.self_join:
        return bool(2 * mates.sum() <= limits().few * found.lefts)
    return bool(mates.sum() <= limits().few_between * min(found.lefts, found.rights))


def _scores(found: Candidates, evidence: Sequence[Evidence], kinds: Sequence[str], score: Values) -> list[Values]:
    """Return the score and, of one table, its mean with how alike names are that tell records apart, if any do."""
    names = [
        np.where(mine.null, 0.0, mine.alike)
        for mine, kind in zip(evidence, kinds, strict=True)
        if found.self_join and kind in ("name", "text") and tells_apart(mine, found.lefts)
    ]
    return [score, 0.5 * (score + np.mean(names, 0))] if names else [score]


def _none(decision: Decision) -> Decision:
    """Return that nothing matches."""
    nothing = np.zeros(len(decision.found))
    none = Calibration(2.0, 0.0, 1.0, 0.0, 0.0, ((), ()))
    relation = Relation.ONE if decision.found.self_join else decision.relation  # there are no groups
    return replace(decision, keep=nothing > 0, probability=nothing, relation=relation, calibration=none, learnt=None)


def _witnesses(found: Candidates, evidence: Sequence[Evidence], score: Values, relation: Relation) -> Iterator[Values]:
    """Return the score, and one with weights that were learnt from the other half of the records."""
    yield score
    yield learnt_elsewhere(found, evidence, score, relation)


def _numbers(whole: Field, fields: Sequence[Field], known: Mapping[str, FieldModel]) -> list[Field]:
    """Return the words with digits of texts as fields of their own: model numbers, pages, house numbers."""
    made = []
    for field in [field for field in fields if field.kind in ("text", "name")]:
        name, few = f"{field.name}{NUMBERS}", bool(known)
        left = numbers_in(field.left, few)
        right = left if field.right is field.left else numbers_in(field.right, few)
        if left is None or right is None:
            continue
        if name in known:
            made.append(Field.by(name, left, right, known[name], whole.threads))
        elif not known:
            left, right, measure = fit_columns(left, right, TfIdf(smooth=True))
            made.append(Field(name, "text", left, right, measure, whole.threads))
    return made


def _seed(found: Candidates, scores: Sequence[Values]) -> NDArray[np.bool_]:
    """Return pairs that are surely matches, nearly all: those that stand out.

    Where none does, the better half of the pairs in which each record is the other's best.
    """
    outstanding = [seeds(found, score) for score in scores]
    if np.any(outstanding):
        return max(outstanding, key=np.count_nonzero)
    best = mutual(found, scores[0])
    return best & (scores[0] >= np.median(scores[0][best])) if best.any() else best
