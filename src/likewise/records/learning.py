"""Learn from candidates, without labels, what agreement weighs, and decide on them; or decide by what is known.

:func:`decide_compared` estimates weights of evidence (:mod:`.mixture`, :mod:`.contrast`) and sees on which sides
records have one partner at most; :func:`apply` takes both from a model. :mod:`.chances` gives each candidate its
probability, and :mod:`.checks` asks whether chance would give as much.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from likewise.records.candidates import Candidates
from likewise.records.chances import (
    between_tables,
    both_opinions,
    by_odds,
    by_score,
    leaves_less_open,
    many,
    within_one_table,
)
from likewise.records.checks import checked, checked_within, less_sure
from likewise.records.compared import NUMBERS
from likewise.records.contrast import Contrast, contrast, learnt_elsewhere
from likewise.records.decision import JOINED, Decision, Learnt
from likewise.records.evidence import Asked, Evidence
from likewise.records.limits import limits
from likewise.records.mixture import Levels, Mixture, estimate
from likewise.records.mixture import apply as apply_mixture
from likewise.records.partners import Relation
from likewise.records.relation import in_series, members_of, of_a_class, several, siblings, tells_apart
from likewise.records.spacings import mutual, seeds

Values = NDArray[np.float64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class _Compared:
    """Candidates and the fields that say something of them: what every step of learning looks at."""

    found: Candidates
    overall: Evidence
    score: Values
    fields: tuple[Asked, ...]
    evidence: tuple[Evidence, ...]
    levels: tuple[Levels, ...]

    @classmethod
    def of(
        cls, found: Candidates, overall: Evidence, fields: Sequence[Asked], evidence: Sequence[Evidence]
    ) -> "_Compared":
        told = [(field, mine) for field, mine in zip(fields, evidence, strict=True) if _tells(field, mine)]
        levels = tuple(Levels.of(field.kind, mine) for field, mine in told)
        score = np.where(overall.null, 0.0, overall.alike)
        return cls(found, overall, score, tuple(field for field, _ in told), tuple(mine for _, mine in told), levels)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(field.name for field in self.fields)

    @property
    def kinds(self) -> list[str]:
        return [field.kind for field in self.fields]

    def exact_in_series(self) -> "_Compared":
        """Return the same, with nothing said by codes that are near each other in a series."""
        pairs = zip(self.fields, self.evidence, strict=True)
        evidence = tuple(mine.exact() if in_series(field) else mine for field, mine in pairs)
        levels = tuple(Levels.of(field.kind, mine) for field, mine in zip(self.fields, evidence, strict=True))
        return replace(self, evidence=evidence, levels=levels)

    def whole(self) -> list[tuple[str, Evidence]]:
        """Return the kinds and the evidence of whole fields.

        The numbers in a text say nothing more than the text of who is a member of what.
        """
        return [
            (field.kind, mine)
            for field, mine in zip(self.fields, self.evidence, strict=True)
            if not field.name.endswith(NUMBERS)
        ]

    def members(self, likely: Flags, kin: bool = False) -> Flags | None:
        """Return the pairs of members of one group, if there are any among the likely ones."""
        size = min(self.found.lefts, self.found.rights) if self.found.self_join else None
        own = self.whole()
        return members_of([mine for _, mine in own], [kind for kind, _ in own], likely, size, kin)

    def learn(self, start: Flags, certain: bool, relation: Relation, never: Flags | None) -> Mixture:
        """Return the weights of the mixture, begun with pairs that are matches; ``never`` are none."""
        found = self.found
        learnt = estimate(found, self.evidence, self.levels, start, relation, never)
        kept, sure = np.count_nonzero(start & (learnt.probability >= 0.5)), np.count_nonzero(start)
        if not (found.self_join and certain) or kept >= (1 - limits().sure) * sure:
            return learnt
        # What stands out is lost: candidates are so near in some fields that they are not in others, which makes
        # agreement in all of them look common. Random pairs are not chosen so.
        shares = [_shares(field) for field in self.fields]
        other = estimate(found, self.evidence, self.levels, start, relation, never, shares)
        return other if np.count_nonzero(start & (other.probability >= 0.5)) > kept else learnt


def decide_compared(
    found: Candidates,
    overall: Evidence,
    fields: Sequence[Asked],
    evidence: Sequence[Evidence],
    relation: Relation | None,
    precision: float | None,
    by_chance: Callable[[Decision], bool] | None = None,
) -> Decision:
    """Decide on candidates whose fields are compared; no ``relation``: of both sides the same, one or several.

    ``by_chance`` says whether most of the pairs that are given are no more alike than records of one table.
    """
    known = _Compared.of(found, overall, fields, evidence)
    if not known.evidence:
        decided = by_score(found, overall, precision, relation or Relation.ONE)
        return checked(found, [known.score], decided, precision)
    scores = _scores(found, known.evidence, known.kinds, known.score)
    start, certain = _seed(found, scores)
    members: Flags | None = None
    if relation in (None, Relation.MANY):
        alone, start, members = _several_partners(known, start, certain, relation)
        if alone is not None:
            decided = many(found, known.names, alone, known.evidence, precision)
            decided = replace(decided, learnt=_learnt(known, alone, Relation.MANY))
            return checked_within(decided, scores, precision) if found.self_join else decided
        relation = Relation.ONE
    if relation is Relation.ONE and not found.self_join:  # otherwise near codes are those of copies
        known = known.exact_in_series()
    single = known.learn(start, certain, relation, members)
    if members is None:
        members = known.members(single.probability >= 0.5)
        if members is not None:
            single = known.learn(start & ~members, certain, relation, members)
    learnt = _learnt(known, single, relation)
    if found.self_join:
        plain = within_one_table(found, known.names, single, known.evidence, precision)
        plain = replace(plain, learnt=learnt)
        if found.lefts < limits().small:
            return checked_within(plain, scores, precision)
    single, mean, learnt = _with_contrast(known, single, learnt)
    decided = between_tables(found, known.names, single, mean, known.evidence, precision, relation)
    del mean, single  # many numbers that are not needed again
    reached = decided.calibration
    decided = replace(decided, learnt=replace(learnt, curve=reached.curve, contest=reached.contest))
    if found.self_join:
        # Rivals that are no copies make the mixture doubt right ones; where few have a duplicate, runner-ups are mostly
        # the second of the wrong ones. What leaves less open counts.
        decided = decided if leaves_less_open(decided, plain) else plain
        return checked_within(decided, scores, precision)
    witnesses = _witnesses(found, [overall, *known.evidence], known.score, relation)
    elsewhere = partial(_by_the_other_half, known, relation)
    return checked(found, witnesses, decided, precision, elsewhere, by_chance)


def _several_partners(
    known: _Compared, start: Flags, certain: bool, relation: Relation | None
) -> tuple[Mixture | None, Flags, Flags | None]:
    """Return what was learnt if records have several partners; if not, nothing.

    Also the pairs to begin with, and those of members of one group, which are no matches.
    """
    members: Flags | None = None
    for _ in range(2):
        alone = known.learn(start, certain, Relation.MANY, members)
        if relation is None and not several(known.found, alone, known.score):
            break
        likely = alone.probability >= 0.5
        kin = relation is None and siblings(known.found, likely, known.evidence)
        others = known.members(likely, kin) if members is None else None
        if others is None:
            between = relation is None and not known.found.self_join
            if kin or (between and of_a_class([mine for _, mine in known.whole()], likely)):
                break
            return alone, start, members
        # Members of groups are no matches: once more, from the other pairs on.
        members, start = others, likely & ~others
    return None, start, members


def _with_contrast(known: _Compared, single: Mixture, learnt: Learnt) -> tuple[Mixture, Values, Learnt]:
    """Return the mixture without its odds, the odds that it and the contrast give together, and both as learnt."""
    found, everything = known.found, [known.overall, *known.evidence]
    both, rows, first = found, None, known.score
    if found.self_join:
        rows = np.repeat(np.arange(len(found)), 2)
        both, first = found.twice(), known.score[rows]
    second = contrast(both, everything, first, learnt.relation, rows)
    del both, rows, first  # of many candidates with many fields each of these is a part of the memory
    said = second.parts(everything)
    scale = float(single.odds.std()) / (float(said.sum(1).std()) or 1.0)
    said *= scale
    mean = both_opinions(single, said)
    return replace(single, parts=mean[:0], odds=mean[:0, 0]), mean, replace(learnt, contrast=second, scale=scale)


def apply(
    known: Learnt, found: Candidates, overall: Evidence, evidence: Sequence[Evidence], precision: float | None
) -> Decision:
    """Decide on candidates by what was learnt from others."""
    wish = known.wish(precision)
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
        else:
            mean = _mean(known.contrast, known.scale, mixture, overall, evidence)
            decided = between_tables(found, known.names, mixture, mean, tuple(evidence), wish, known.relation, known)
        if known.relation is Relation.ONE and found.self_join:
            score = np.where(overall.null, 0.0, overall.alike)
            scores = _scores(found, evidence, [level.kind for level in known.levels], score)
            decided = checked_within(decided, scores, wish, sure=True)
    if known.relation is Relation.ONE and not found.self_join:
        score = np.where(overall.null, 0.0, overall.alike)
        decided = less_sure(decided, [score], wish, known.size < limits().small, sure=True)
    return replace(decided, learnt=known)


def weigh(
    known: Learnt, found: Candidates, overall: Evidence, evidence: Sequence[Evidence]
) -> tuple[tuple[str, ...], Values, float]:
    """Return what each field says of candidates by what was learnt: names, parts of the log odds, and the prior.

    Rivals are not looked at.
    """
    if not known.names:
        return (JOINED,), np.where(overall.null, 0.0, overall.alike)[:, None], 0.0
    evidence = [mine if level.edges else mine.exact() for level, mine in zip(known.levels, evidence, strict=True)]
    mixture = apply_mixture(
        found, evidence, known.levels, known.weights, known.tilt, known.prior, known.relation, known.size
    )
    if known.contrast is None:
        return known.names, mixture.parts, mixture.prior
    mean = _mean(known.contrast, known.scale, mixture, overall, evidence)
    return (JOINED, *known.names), mean, 0.5 * mixture.prior


def _mean(known: Contrast, scale: float, mixture: Mixture, overall: Evidence, evidence: Sequence[Evidence]) -> Values:
    """Return the mean of what the mixture and a contrast that is known say of candidates."""
    said = known.parts([overall, *evidence])
    said *= scale
    return both_opinions(mixture, said)


def _learnt(known: _Compared, mixture: Mixture, relation: Relation) -> Learnt:
    return Learnt(
        relation, known.found.self_join, known.names, known.levels, mixture.weights, mixture.tilt, mixture.prior
    )


def _by_the_other_half(known: _Compared, relation: Relation) -> Values:
    """Return the probability of each pair by weights that were all learnt from the other half of the records asked."""
    found, score = known.found, known.score
    odds = np.zeros(len(found))
    halves = list(found.halves(relation))
    for (mine, part), (theirs, other) in (halves, halves[::-1]):
        taught = [one.take(mine) for one in known.evidence]
        levels = [Levels.of(kind, one) for kind, one in zip(known.kinds, taught, strict=True)]
        first = estimate(part, taught, levels, _seed(part, [score[mine]])[0], relation)
        everything = [known.overall.take(mine), *taught]
        second = contrast(part, everything, score[mine], relation)
        scale = float(first.odds.std()) / (float(second.parts(everything).sum(1).std()) or 1.0)
        asked, size = [one.take(theirs) for one in known.evidence], min(part.lefts, part.rights)
        applied = apply_mixture(other, asked, levels, first.weights, first.tilt, first.prior, relation, size)
        odds[theirs] = 0.5 * (applied.odds + scale * second.parts([known.overall.take(theirs), *asked]).sum(1))
    return by_odds(found, odds, relation)


def _tells(field: Asked, evidence: Evidence) -> bool:
    """Return whether a field says anything: two pairs have it, and of what names a record some are equal."""
    if np.count_nonzero(~evidence.null) < 2:
        return False
    return bool(evidence.equal.any()) or field.kind not in ("code", "email", "phone")


def _scores(found: Candidates, evidence: Sequence[Evidence], kinds: Sequence[str], score: Values) -> list[Values]:
    """Return the score and, of one table, its mean with how alike names are that tell records apart, if any do."""
    names = [
        np.where(mine.null, 0.0, mine.alike)
        for mine, kind in zip(evidence, kinds, strict=True)
        if found.self_join and kind in ("name", "text") and tells_apart(mine, found.lefts)
    ]
    return [score, 0.5 * (score + np.mean(names, 0))] if names else [score]


def _seed(found: Candidates, scores: Sequence[Values]) -> tuple[Flags, bool]:
    """Return pairs that are matches, nearly all, and whether that is sure: those that stand out.

    Where none does, the better half of the pairs in which each record is the other's best.
    """
    outstanding = [seeds(found, score) for score in scores]
    if np.any(outstanding):
        return max(outstanding, key=np.count_nonzero), True
    best = mutual(found, scores[0])
    return best & (scores[0] >= np.median(scores[0][best])) if best.any() else best, False


def _shares(field: Asked) -> Values:
    """Return of each record of a table that has a value the share of those that have it."""
    codes = field.codes(0)
    codes = codes[codes >= 0]
    return np.asarray((np.bincount(codes) / len(codes))[codes]) if len(codes) else np.ones(1)


def _witnesses(found: Candidates, evidence: Sequence[Evidence], score: Values, relation: Relation) -> Iterator[Values]:
    """Return the score, and one with weights that were learnt from the other half of the records."""
    yield score
    yield learnt_elsewhere(found, evidence, score, relation)
