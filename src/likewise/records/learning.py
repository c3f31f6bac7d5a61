"""Learn from candidates, without labels, what agreement weighs, and decide on them; or decide by what is known.

:func:`decide_compared` estimates weights of evidence (:mod:`.mixture`, :mod:`.contrast`) and sees on which sides
records have one partner at most; :func:`apply` takes both from a model. :mod:`.chances` gives each candidate its
probability, and :mod:`.checks` asks whether chance would give as much.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

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
from likewise.records.contrast import contrast, learnt_elsewhere
from likewise.records.decision import Decision, Learnt
from likewise.records.evidence import Asked, Evidence
from likewise.records.limits import limits
from likewise.records.mixture import Levels, Mixture, estimate
from likewise.records.mixture import apply as apply_mixture
from likewise.records.partners import Relation
from likewise.records.relation import in_series, members_of, of_a_class, several, siblings, tells_apart
from likewise.records.spacings import mutual, seeds

Values = NDArray[np.float64]


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
        return checked(found, [score], by_score(found, overall, precision, relation or Relation.ONE), precision)
    levels = [Levels.of(field.kind, mine) for field, mine in zip(parts, evidence, strict=True)]
    names = tuple(field.name for field in parts)
    # The numbers in a text say nothing more than the text of who is a member of what.
    own = [place for place, name in enumerate(names) if not name.endswith(NUMBERS)]

    def members_among(likely: NDArray[np.bool_], kin: bool = False) -> NDArray[np.bool_] | None:
        size = min(found.lefts, found.rights) if found.self_join else None
        return members_of([evidence[place] for place in own], [parts[place].kind for place in own], likely, size, kin)

    scores = _scores(found, evidence, [field.kind for field in parts], score)
    start, certain = _seed(found, scores)
    members: NDArray[np.bool_] | None = None

    def learn(start: NDArray[np.bool_], relation: Relation, never: NDArray[np.bool_] | None) -> Mixture:
        learnt = estimate(found, evidence, levels, start, relation, never)
        kept, sure = np.count_nonzero(start & (learnt.probability >= 0.5)), np.count_nonzero(start)
        if not (found.self_join and certain) or kept >= (1 - limits().sure) * sure:
            return learnt
        # What stands out is lost: candidates are so near in some fields that they are not in others, which makes
        # agreement in all of them look common. Random pairs are not chosen so.
        other = estimate(found, evidence, levels, start, relation, never, [_shares(field) for field in parts])
        return other if np.count_nonzero(start & (other.probability >= 0.5)) > kept else learnt

    alone: Mixture | None = None
    for _ in range(2 if relation in (None, Relation.MANY) else 0):
        alone = learn(start, Relation.MANY, members)
        if relation is None and not several(found, alone, score):
            break
        likely = alone.probability >= 0.5
        kin = relation is None and siblings(found, likely, evidence)
        others = members_among(likely, kin) if members is None else None
        if others is None:
            between = relation is None and not found.self_join
            if kin or (between and of_a_class([evidence[place] for place in own], likely)):
                break
            learnt = _learnt(found, names, levels, alone, Relation.MANY)
            decided = replace(many(found, names, alone, tuple(evidence), precision), learnt=learnt)
            return checked_within(decided, scores, precision) if found.self_join else decided
        # Members of groups are no matches: once more, from the other pairs on.
        members, start = others, likely & ~others
    alone = None  # many numbers that are not needed again
    relation = Relation.ONE if relation in (None, Relation.MANY) else relation
    if relation is Relation.ONE and not found.self_join:  # otherwise near codes are those of copies
        evidence = [mine.exact() if in_series(field) else mine for field, mine in zip(parts, evidence, strict=True)]
        levels = [Levels.of(field.kind, mine) for field, mine in zip(parts, evidence, strict=True)]
    single = learn(start, relation, members)
    if members is None:
        members = members_among(single.probability >= 0.5)
        if members is not None:
            single = learn(start & ~members, relation, members)
    learnt = _learnt(found, names, levels, single, relation)
    both, rows, first = found, None, score
    if found.self_join:
        plain = replace(within_one_table(found, names, single, tuple(evidence), precision), learnt=learnt)
        if found.lefts < limits().small:
            return checked_within(plain, scores, precision)
        rows = np.repeat(np.arange(len(found)), 2)
        both, first = found.twice(), score[rows]
    second = contrast(both, [overall, *evidence], first, relation, rows)
    del both, rows, first  # of many candidates with many fields each of these is a part of the memory
    said = second.parts([overall, *evidence])
    scale = float(single.odds.std()) / (float(said.sum(1).std()) or 1.0)
    said *= scale
    mean = both_opinions(single, said)
    single = replace(single, parts=mean[:0], odds=mean[:0, 0])
    del said
    decided = between_tables(found, names, single, mean, tuple(evidence), precision, relation)
    del mean, single
    reached = decided.calibration
    learnt = replace(learnt, contrast=second, scale=scale, curve=reached.curve, contest=reached.contest)
    decided = replace(decided, learnt=learnt)
    if found.self_join:
        # Rivals that are no copies make the mixture doubt right ones; where few have a duplicate, runner-ups are mostly
        # the second of the wrong ones. What leaves less open counts.
        decided = decided if leaves_less_open(decided, plain) else plain
        return checked_within(decided, scores, precision)
    kinds = [field.kind for field in parts]
    return checked(
        found,
        _witnesses(found, [overall, *evidence], score, relation),
        decided,
        precision,
        lambda: _by_the_other_half(found, overall, kinds, evidence, relation),
    )


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
            said = known.contrast.parts([overall, *evidence])
            said *= known.scale
            mean = both_opinions(mixture, said)
            decided = between_tables(found, known.names, mixture, mean, tuple(evidence), wish, known.relation, known)
        if known.relation is Relation.ONE and found.self_join:
            score = np.where(overall.null, 0.0, overall.alike)
            scores = _scores(found, evidence, [level.kind for level in known.levels], score)
            decided = checked_within(decided, scores, wish, sure=True)
    if known.relation is Relation.ONE and not found.self_join:
        score = np.where(overall.null, 0.0, overall.alike)
        decided = less_sure(decided, [score], wish, known.size < limits().small, sure=True)
    return replace(decided, learnt=known)


def _learnt(
    found: Candidates, names: tuple[str, ...], levels: Sequence[Levels], mixture: Mixture, relation: Relation
) -> Learnt:
    return Learnt(relation, found.self_join, names, tuple(levels), mixture.weights, mixture.tilt, mixture.prior)


def _by_the_other_half(
    found: Candidates, overall: Evidence, kinds: Sequence[str], evidence: Sequence[Evidence], relation: Relation
) -> Values:
    """Return the probability of each pair by weights that were all learnt from the other half of the records asked."""
    odds, score = np.zeros(len(found)), np.where(overall.null, 0.0, overall.alike)
    halves = list(found.halves(relation))
    for (mine, part), (theirs, other) in (halves, halves[::-1]):
        taught = [one.take(mine) for one in evidence]
        levels = [Levels.of(kind, one) for kind, one in zip(kinds, taught, strict=True)]
        first = estimate(part, taught, levels, _seed(part, [score[mine]])[0], relation)
        second = contrast(part, [overall.take(mine), *taught], score[mine], relation)
        scale = float(first.odds.std()) / (float(second.parts([overall.take(mine), *taught]).sum(1).std()) or 1.0)
        asked, size = [one.take(theirs) for one in evidence], min(part.lefts, part.rights)
        applied = apply_mixture(other, asked, levels, first.weights, first.tilt, first.prior, relation, size)
        odds[theirs] = 0.5 * (applied.odds + scale * second.parts([overall.take(theirs), *asked]).sum(1))
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


def _seed(found: Candidates, scores: Sequence[Values]) -> tuple[NDArray[np.bool_], bool]:
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
