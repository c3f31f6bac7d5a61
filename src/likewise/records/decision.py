"""Which candidates are the same record: one model for one to one, for many, and for duplicates in one table.

:func:`decide` compares the fields of the candidates, estimates weights of evidence without labels (:mod:`.mixture`,
:mod:`.contrast`), sees on which sides records have one partner at most, and gives each candidate a probability.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from likewise import _core
from likewise.measure import TfIdf
from likewise.records.candidates import Candidates, candidates
from likewise.records.comparison import Comparison
from likewise.records.contrast import Contrast, contrast, learnt_elsewhere
from likewise.records.evidence import Evidence, Field, FieldModel, numbers_in
from likewise.records.measures import fit_columns
from likewise.records.mixture import Levels, Mixture, estimate
from likewise.records.mixture import apply as apply_mixture
from likewise.records.partners import Relation
from likewise.records.relation import copies_of, differing_fields, members_of, several
from likewise.records.runner_up import Calibration, Curve, calibrate, on_curve, stands_out, strengths
from likewise.results.decisions import DecisionCurves, DecisionSummary

Rows = NDArray[np.int64]
Values = NDArray[np.float64]
JOINED = "*"
"""The name of all compared columns as one text."""
RIVALS = "rivals"
"""The name of what other candidates of the two records add or take away."""
_NUMBERS = " #"  # behind the name of a text: the words with digits in it
_LEAST = 1e-4  # no probability is shown as surer than that
PARTNERS = 20
"""How many partners of each record are looked at by the joined text."""
FEWEST = 20
"""Below so many records a side there is nothing to learn from."""


@dataclass(frozen=True)
class Least:
    """The least probability that is given, where that is known."""

    probability: float


Wish = float | Least | None
"""What is given: from a precision on, from a probability on, or what has the highest expected F1."""


@dataclass(frozen=True)
class Learnt:
    """What was learnt from candidates, enough to decide on others; no record is in it.

    By name of the fields that tell: their ``levels``, the ``weights`` of these, the ``tilt`` of rare values. Of two
    tables with rivals: the ``contrast``, on which ``scale`` it is added, and the ``curve`` strength -> probability.
    With labels the ``correction`` of all that. ``threshold`` is the least probability that was given, ``size`` the
    number of records of the smaller side.
    """

    relation: Relation
    self_join: bool
    names: tuple[str, ...] = ()
    levels: tuple[Levels, ...] = ()
    weights: tuple[tuple[float, ...], ...] = ()
    tilt: tuple[float | None, ...] = ()
    prior: float = 0.0
    contrast: Contrast | None = None
    scale: float = 1.0
    curve: tuple[tuple[float, ...], tuple[float, ...]] = ((), ())
    correction: tuple[float, ...] = ()
    threshold: float | None = None
    size: int = 0


@dataclass(frozen=True)
class Decision:
    """Candidates with their probability, and what each field says about them (``parts``, in log odds).

    ``keep`` are those that are decided to be the same; ``judged``, where there are labels: 1 the same, -1 not.
    """

    found: Candidates
    fields: tuple[str, ...]
    parts: Values
    prior: float
    odds: Values
    probability: Values
    keep: NDArray[np.bool_]
    relation: Relation
    calibration: Calibration
    evidence: tuple[Evidence, ...] = ()
    kinds: tuple[tuple[str, str], ...] = ()
    partners: int = 0
    learnt: Learnt | None = None
    numbers: tuple[tuple[str, FieldModel], ...] = ()
    judged: NDArray[np.int8] | None = None

    @property
    def least(self) -> float:
        """The least probability of what is kept."""
        return float(self.probability[self.keep].min(initial=1.0))

    def summary(self, precision: float | None, model: str | None = None) -> DecisionSummary:
        """Return what the decision rests on (a ``model`` of that name, where one is known) and what to expect of it."""
        reached = self.calibration
        return DecisionSummary(
            str(self.relation),
            dict(self.kinds),
            len(self.found),
            self.partners,
            float(reached.matches),
            self.least,
            reached.precision,
            reached.recall,
            reached.f1,
            precision,
            self._curves(),
            0 if self.judged is None else int(np.count_nonzero(self.judged)),
            model,
        )

    def differing(self) -> list[str]:
        """Return the fields in which most pairs that are kept differ altogether, as members of a group do."""
        if self.relation is not Relation.MANY:
            return []
        kinds = [dict(self.kinds).get(name, "text") for name in self.fields]
        return [self.fields[place] for place in differing_fields(self.evidence, kinds, self.keep)]

    def _curves(self) -> DecisionCurves:
        """Return the numbers of the charts."""
        found, chance = self.found, self.probability
        best = np.zeros(found.lefts)
        np.maximum.at(best, found.left, chance)
        if found.self_join:
            np.maximum.at(best, found.right, chance)
        counts, _ = np.histogram(best, np.linspace(0, 1, 21))
        same = self.keep if self.keep.any() else chance >= 0.5
        means = [self.parts[chosen].mean(0) if chosen.any() else self.parts[:0].sum(0) for chosen in (same, ~same)]
        total = max(1e-9, float(chance.sum()))
        steps = np.linspace(0.02, 0.98, 49)
        given = [chance[chance >= step] for step in steps]
        return DecisionCurves(
            tuple(counts.tolist()),
            tuple(zip(self.fields, means[0].tolist(), means[1].tolist(), strict=True)),
            tuple(
                (float(at), float(part.mean()) if len(part) else 1.0, float(part.sum()) / total)
                for at, part in zip(steps, given, strict=True)
            ),
            tuple((float(at), float((best < at).mean())) for at in steps),
        )


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
    decided = _decide(joined, fields, found, relation, precision, known, numbers or {})
    kinds = tuple((field.name, field.kind) for field in fields)
    if len(fields) == 1:  # all that is known is the field
        parts = (decided.odds - decided.prior)[:, None]
        decided = replace(decided, fields=(fields[0].name,), parts=parts)
    return replace(decided, kinds=kinds, partners=count)


def _decide(
    joined: Comparison,
    fields: Sequence[Field],
    found: Candidates,
    relation: Relation | None,
    precision: float | None,
    known: Learnt | None,
    numbers: Mapping[str, FieldModel],
) -> Decision:
    whole = Field(JOINED, "text", joined.left[0], joined.right[0], joined.measures[0], joined.threads)
    overall = whole.compare(found.left, found.right)
    parts = [*fields, *_numbers(whole, fields, numbers)] if len(fields) > 1 else []
    if known is not None:
        named = {field.name: field for field in parts if field.name in known.names}
        said = {name: field.compare(found.left, found.right) for name, field in named.items()}
        nothing = Evidence.nothing(len(found))
        return apply(known, found, overall, [said.get(name, nothing) for name in known.names], precision)
    evidence = [field.compare(found.left, found.right) for field in parts]
    kept = tuple((field.name, field.model()) for field in parts[len(fields) :])
    if relation is None and not found.self_join:
        relation = copies_of(found, np.where(overall.null, 0.0, overall.alike), whole)
    decided = decide_compared(found, overall, parts, evidence, relation, precision)
    if decided.learnt is None:
        return decided
    size = min(found.lefts, found.rights)
    return replace(
        decided, learnt=replace(decided.learnt, threshold=decided.calibration.threshold, size=size), numbers=kept
    )


def decide_compared(
    found: Candidates,
    overall: Evidence,
    parts: Sequence[Field],
    evidence: Sequence[Evidence],
    relation: Relation | None,
    precision: float | None,
) -> Decision:
    """Decide on candidates whose fields are compared; no ``relation``: of both sides the same, one or several."""
    told = [place for place, mine in enumerate(evidence) if _tells(parts[place], mine)]
    parts, evidence = [parts[place] for place in told], [evidence[place] for place in told]
    score = np.where(overall.null, 0.0, overall.alike)
    if not evidence:
        return _checked(found, [score], _by_score(found, overall, precision, relation or Relation.ONE))
    levels = [Levels.of(field.kind, mine) for field, mine in zip(parts, evidence, strict=True)]
    names = tuple(field.name for field in parts)
    # The numbers in a text say nothing more than the text of who is a member of what.
    own = [place for place, name in enumerate(names) if not name.endswith(_NUMBERS)]

    def members_among(likely: NDArray[np.bool_]) -> NDArray[np.bool_] | None:
        return members_of([evidence[place] for place in own], [parts[place].kind for place in own], likely)

    start, members = _seed(found, score), None
    for _ in range(2 if relation in (None, Relation.MANY) else 0):
        many = estimate(found, evidence, levels, start, Relation.MANY, members)
        if relation is None and not several(found, many, score):
            break
        likely = many.probability >= 0.5
        members = members_among(likely) if members is None else None
        if members is None:
            learnt = _learnt(found, names, levels, many, Relation.MANY)
            return replace(_many(found, names, many, tuple(evidence), precision), learnt=learnt)
        # Members of groups are no matches: once more, from the other pairs on.
        start = likely & ~members
    relation = Relation.ONE if relation in (None, Relation.MANY) else relation
    single = estimate(found, evidence, levels, start, relation, members)
    if members is None:
        members = members_among(single.probability >= 0.5)
        if members is not None:
            single = estimate(found, evidence, levels, start & ~members, relation, members)
    learnt = _learnt(found, names, levels, single, relation)
    if found.self_join:
        return replace(_rivals(found, names, single, tuple(evidence), precision), learnt=learnt)
    second = contrast(found, [overall, *evidence], score, relation)
    said = second.parts([overall, *evidence])
    scale = float(single.odds.std()) / (float(said.sum(1).std()) or 1.0)
    decided = _competing(found, names, single, said * scale, tuple(evidence), precision, relation)
    learnt = replace(learnt, contrast=second, scale=scale, curve=decided.calibration.curve)
    decided = replace(decided, learnt=learnt)
    return _checked(found, _witnesses(found, [overall, *evidence], score, relation), decided)


def _learnt(
    found: Candidates, names: tuple[str, ...], levels: Sequence[Levels], mixture: Mixture, relation: Relation
) -> Learnt:
    return Learnt(relation, found.self_join, names, tuple(levels), mixture.weights, mixture.tilt, mixture.prior)


def apply(
    known: Learnt, found: Candidates, overall: Evidence, evidence: Sequence[Evidence], precision: float | None
) -> Decision:
    """Decide on candidates by what was learnt from others."""
    wish: Wish = precision if precision is not None or known.threshold is None else Least(known.threshold)
    if not known.names:
        decided = _by_score(found, overall, wish, known.relation, known.curve)
    else:
        mixture = apply_mixture(
            found, evidence, known.levels, known.weights, known.tilt, known.prior, known.relation, known.size
        )
        if known.relation is Relation.MANY:
            decided = _many(found, known.names, mixture, tuple(evidence), wish)
        elif known.contrast is None:
            decided = _rivals(found, known.names, mixture, tuple(evidence), wish)
        else:
            said = known.contrast.parts([overall, *evidence]) * known.scale
            decided = _competing(found, known.names, mixture, said, tuple(evidence), wish, known.relation, known.curve)
    return replace(decided, learnt=known)


def _tells(field: Field, evidence: Evidence) -> bool:
    """Return whether a field says anything: two pairs have it, and of what names a record some are equal."""
    if np.count_nonzero(~evidence.null) < 2:
        return False
    return bool(evidence.equal.any()) or field.kind not in ("code", "email", "phone")


def _checked(found: Candidates, witnesses: Iterable[Values], decision: Decision) -> Decision:
    """Return the decision, or that nothing matches where by no score that learnt nothing of a record it stands out."""
    if any(stands_out(found, score, decision.relation) for score in witnesses):
        return decision
    nothing = np.zeros(len(found))
    none = Calibration(2.0, 0.0, 1.0, 0.0, 0.0, ((), ()))
    return replace(decision, keep=nothing > 0, probability=nothing, calibration=none, learnt=None)


def _witnesses(found: Candidates, evidence: Sequence[Evidence], score: Values, relation: Relation) -> Iterator[Values]:
    """Return the score, and one with weights that were learnt from the other half of the records."""
    yield score
    yield learnt_elsewhere(found, evidence, score, relation)


def _numbers(whole: Field, fields: Sequence[Field], known: Mapping[str, FieldModel]) -> list[Field]:
    """Return the words with digits of texts as fields of their own: model numbers, pages, house numbers."""
    made = []
    for field in [field for field in fields if field.kind in ("text", "name")]:
        name, few = f"{field.name}{_NUMBERS}", bool(known)
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


def _seed(found: Candidates, score: Values) -> NDArray[np.bool_]:
    """Return the better half of the pairs in which each record is the other's best: surely matches, nearly all."""
    rows = [(found.left, found.lefts), (found.right, found.rights)]
    if found.self_join:
        best = np.zeros(found.lefts)
        for side, _ in rows:
            np.maximum.at(best, side, score)
        mutual = (score >= best[found.left]) & (score >= best[found.right]) & (score > 0)
    else:
        mutual = score > 0
        for side, size in rows:
            best = np.zeros(size)
            np.maximum.at(best, side, score)
            mutual &= score >= best[side]
    return mutual & (score >= np.median(score[mutual])) if mutual.any() else mutual


def expected(probability: Values, wish: Wish = None) -> Calibration:
    """Return the threshold of the highest expected F1, of a wished precision, or that is known, and its figures.

    What is expected is often a little too good: so a wished precision never gives more than the best F1 does.
    """
    order = np.sort(probability)[::-1]
    hits, given, matches = np.cumsum(order), np.arange(1, len(order) + 1), max(1e-9, float(order.sum()))
    if not len(order) or order[0] < 0.5:
        return Calibration(2.0, matches, 1.0, 0.0, 0.0, ((), ()))
    at = int(np.argmax(2 * hits / (given + matches)))
    if wish is not None:
        good = np.flatnonzero(order >= wish.probability if isinstance(wish, Least) else hits / given >= wish)
        if not len(good):
            return Calibration(2.0, matches, 1.0, 0.0, 0.0, ((), ()))
        at = int(good[-1]) if isinstance(wish, Least) else min(at, int(good[-1]))
    hit = float(hits[at])
    f1 = 2 * hit / (given[at] + matches)
    least = wish.probability if isinstance(wish, Least) else float(order[at])
    return Calibration(least, matches, hit / float(given[at]), hit / matches, float(f1), ((), ()))


def _many(
    found: Candidates, names: tuple[str, ...], mixture: Mixture, evidence: tuple[Evidence, ...], wish: Wish
) -> Decision:
    reached = expected(mixture.probability, wish)
    keep = mixture.probability >= reached.threshold
    return Decision(
        found,
        names,
        mixture.parts,
        mixture.prior,
        mixture.odds,
        mixture.probability,
        keep,
        Relation.MANY,
        reached,
        evidence,
    )


def _rivals(
    found: Candidates, names: tuple[str, ...], mixture: Mixture, evidence: tuple[Evidence, ...], wish: Wish
) -> Decision:
    """Decide within one table whose records have one partner at most."""
    reached = expected(mixture.probability, wish)
    keep = mixture.probability >= reached.threshold
    chance = mixture.probability
    return _with_rivals(
        found, names, mixture.parts, mixture.prior, mixture.odds, chance, chance, keep, Relation.ONE, reached, evidence
    )


def _competing(
    found: Candidates,
    names: tuple[str, ...],
    mixture: Mixture,
    said: Values,
    evidence: tuple[Evidence, ...],
    wish: Wish,
    relation: Relation,
    curve: Curve | None = None,
) -> Decision:
    """Decide between two tables where rivals compete: the mean of both opinions, calibrated by the runner-ups."""
    parts = 0.5 * np.column_stack([said[:, :1], mixture.parts + said[:, 1:]])
    prior = 0.5 * mixture.prior
    odds = prior + parts.sum(1)
    return _calibrated(found, (JOINED, *names), parts, prior, odds, evidence, wish, relation, curve)


def _by_score(
    found: Candidates, overall: Evidence, wish: Wish, relation: Relation, curve: Curve | None = None
) -> Decision:
    """Decide by the score of a single text."""
    score = np.where(overall.null, 0.0, overall.alike)
    decided = _calibrated(found, (JOINED,), score[:, None], 0.0, score, (overall,), wish, relation, curve)
    return replace(decided, learnt=Learnt(relation, found.self_join, curve=decided.calibration.curve))


def _calibrated(
    found: Candidates,
    names: tuple[str, ...],
    parts: Values,
    prior: float,
    odds: Values,
    evidence: tuple[Evidence, ...],
    wish: Wish,
    relation: Relation,
    curve: Curve | None,
) -> Decision:
    """Give each pair that is left of its rivals a probability: by the runner-ups, or by a curve that is known."""
    strength = strengths(found, odds, relation)
    kept = without_rivals(found, odds, relation)
    if curve is None:
        curve = calibrate(strength.best, strength.runner_up).curve
    chance = on_curve(curve, strength.pairs)
    probability = np.where(kept, chance, 0.0)
    reached = replace(expected(probability[kept], wish), curve=curve)
    keep = kept & (probability >= reached.threshold)
    return _with_rivals(found, names, parts, prior, odds, chance, probability, keep, relation, reached, evidence)


def _with_rivals(
    found: Candidates,
    names: tuple[str, ...],
    parts: Values,
    prior: float,
    odds: Values,
    chance: Values,
    probability: Values,
    keep: NDArray[np.bool_],
    relation: Relation,
    reached: Calibration,
    evidence: tuple[Evidence, ...],
) -> Decision:
    """Return the decision with what the rivals add or take away as a part like any: all parts give the chance."""
    chance = np.clip(chance, _LEAST, 1 - _LEAST)
    together = np.log(chance / (1 - chance))
    parts = np.column_stack([parts, together - odds])
    return Decision(found, (*names, RIVALS), parts, prior, together, probability, keep, relation, reached, evidence)


def without_rivals(found: Candidates, odds: Values, relation: Relation) -> NDArray[np.bool_]:
    """Return the pairs that are left when the strongest go first and records have as many partners as they may."""
    if relation is Relation.MANY:
        return np.ones(len(found), bool)
    if relation is not Relation.ONE:
        left = relation.left_once
        record, size = (found.left, found.lefts) if left else (found.right, found.rights)
        return np.asarray(_core.ranks(record, odds, size, 1) == 0)
    order = np.argsort(-odds, kind="stable")
    return _core.take_once(order, found.left, found.right, found.lefts, found.rights).astype(bool)
