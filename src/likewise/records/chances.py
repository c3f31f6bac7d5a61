"""Turn log odds into probabilities: rivals compete for a record, and pairs are kept from a probability on."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from likewise import _core
from likewise.records.candidates import Candidates
from likewise.records.contest import contest, shares
from likewise.records.decision import FEWEST, JOINED, RIVALS, Decision, Learnt, Least, Wish
from likewise.records.evidence import Evidence
from likewise.records.limits import limits
from likewise.records.mixture import Mixture, compete
from likewise.records.partners import Relation
from likewise.records.runner_up import Calibration, calibrate, on_curve, strengths

Values = NDArray[np.float64]
LEAST = 1e-4
"""No probability is shown as surer than that."""


def more_than_few(found: Candidates, matches: float) -> bool:
    """Return whether clearly more than a few records of the smaller table have a partner, by a standard error.

    Never within one table: a record's siblings are there too.
    """
    few = limits().few_between * min(found.lefts, found.rights)
    return not found.self_join and bool(matches - limits().reading_errors * matches**0.5 > few)


def many_expected(found: Candidates, probability: Values) -> bool:
    """Return whether more matches than few are expected, likely or not; of small tables that is not known so well."""
    large = min(found.lefts, found.rights) >= limits().small
    return large and more_than_few(found, float(probability.sum()))


def expected(probability: Values, wish: Wish = None, there: float = 0.0, many: bool = False) -> Calibration:
    """Return a threshold with its expected figures: that of the best F1, of a wished precision, or a known one.

    Where the highest F1 would be more wrong pairs than right ones, nothing is given unless it is wished for, or
    ``many`` records have a partner.

    ``there``: how many matches there are at least, those among them that a wrong one has beaten.

    What is expected is often a little too good: so a wished precision never gives more than the best F1 does.
    """
    order = np.sort(probability)[::-1]
    matches = max(1e-9, there, float(order.sum()))
    none = Calibration(2.0, matches, 1.0, 0.0, 0.0, ((), ()))
    if not len(order) or (order[0] < 0.5 and not many):
        return none
    last = np.flatnonzero(np.append(order[1:] != order[:-1], True))  # of equal ones all are given, or none
    hits, given = np.cumsum(order)[last], last + 1
    at = int(np.argmax(2 * hits / (given + matches)))
    if wish is not None:
        good = np.flatnonzero(order[last] >= wish.probability if isinstance(wish, Least) else hits / given >= wish)
        if not len(good):
            return none
        at = int(good[-1]) if isinstance(wish, Least) else min(at, int(good[-1]))
    elif 2 * hits[at] < given[at] and not many:  # more wrong than right: that is for a person to judge
        return none
    hit = float(hits[at])
    f1 = 2 * hit / (given[at] + matches)
    least = wish.probability if isinstance(wish, Least) else float(order[last[at]])
    return Calibration(least, matches, hit / float(given[at]), hit / matches, float(f1), ((), ()))


def leaves_less_open(one: Decision, other: Decision) -> bool:
    """Return whether one decision has a higher expected F1 than another, whatever precision is wished for."""
    return expected(one.probability).f1 > expected(other.probability).f1


def many(
    found: Candidates, names: tuple[str, ...], mixture: Mixture, evidence: tuple[Evidence, ...], wish: Wish
) -> Decision:
    """Decide where records have several partners: each candidate by itself."""
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


def within_one_table(
    found: Candidates, names: tuple[str, ...], mixture: Mixture, evidence: tuple[Evidence, ...], wish: Wish
) -> Decision:
    """Decide within one table whose records have one partner at most, by the mixture alone."""
    reached = expected(mixture.probability, wish)
    keep = mixture.probability >= reached.threshold
    chance = mixture.probability
    return _with_rivals(
        found, names, mixture.parts, mixture.prior, mixture.odds, chance, chance, keep, Relation.ONE, reached, evidence
    )


def both_opinions(mixture: Mixture, said: Values) -> Values:
    """Return the mean of what the mixture and the contrast, which has the whole record first, say in each field.

    ``said`` is taken over: of many candidates with many fields each copy is a large part of the memory.
    """
    parts = said
    parts[:, 1:] += mixture.parts
    parts *= 0.5
    return parts


def between_tables(
    found: Candidates,
    names: tuple[str, ...],
    mixture: Mixture,
    parts: Values,
    evidence: tuple[Evidence, ...],
    wish: Wish,
    relation: Relation,
    known: Learnt | None = None,
) -> Decision:
    """Decide between two tables where rivals compete: by ``parts``, the mean of both opinions, and by runner-ups.

    One table whose records have one partner at most is two that are the same.
    """
    prior = 0.5 * mixture.prior
    odds = prior + parts.sum(1)
    # Within one table members of a group are no matches.
    most = (mixture.probability > 0).astype(float) if found.self_join else among_rivals(found, odds, relation)
    return _calibrated(found, (JOINED, *names), parts, prior, odds, evidence, wish, relation, known, most)


def among_rivals(found: Candidates, odds: Values, relation: Relation) -> Values:
    """Return the share of each pair in the odds of its rivals: its probability, if exactly one of them is right.

    Only where the rivals may have several partners: otherwise those that have a better one are none.
    """
    if relation is Relation.ONE:
        return np.ones(len(found))
    side, size = (found.left, found.lefts) if relation.left_once else (found.right, found.rights)
    strength = np.exp(np.clip(odds, -40, 40))
    return strength / np.bincount(side, strength, size)[side]


def by_score(
    found: Candidates, overall: Evidence, wish: Wish, relation: Relation, known: Learnt | None = None
) -> Decision:
    """Decide by the score of a single text."""
    score = np.where(overall.null, 0.0, overall.alike)
    decided = _calibrated(found, (JOINED,), score[:, None], 0.0, score, (overall,), wish, relation, known)
    reached = decided.calibration
    learnt = Learnt(relation, found.self_join, curve=reached.curve, contest=reached.contest)
    return replace(decided, learnt=learnt)


def by_odds(found: Candidates, odds: Values, relation: Relation) -> Values:
    """Return the probability of each pair by its odds alone, calibrated by the runner-ups."""
    return _calibrated(found, (JOINED,), odds[:, None], 0.0, odds, (), None, relation, None).probability


def _calibrated(
    found: Candidates,
    names: tuple[str, ...],
    parts: Values,
    prior: float,
    odds: Values,
    evidence: tuple[Evidence, ...],
    wish: Wish,
    relation: Relation,
    known: Learnt | None,
    most: Values | float = 1.0,
) -> Decision:
    """Give each pair that won against its rivals a probability, by the runner-ups or by known curves.

    It is no higher than ``most``. Of two records with one partner at most, it must also have been the right one that
    came out best. What is known is of other records, of which more may have had a partner: so nothing is surer than the
    runner-ups of these allow, where they are enough to be asked.
    """
    both, twice, step = found, odds, 1
    if found.self_join:  # whatever cannot be is no rival
        both, twice, step = found.twice(), np.repeat(np.where(most == 0, odds.min(initial=0.0), odds), 2), 2
    strength = strengths(both, twice, relation)
    kept = without_rivals(both, twice, relation)[::step]
    curves = [] if known is None else [known.curve]
    if known is None or len(strength.best) >= FEWEST:
        curves.append(calibrate(strength.best, strength.runner_up, both=True))
    slope = None if known is None else known.contest
    if known is None and relation is Relation.ONE:
        slope = contest(both, twice, relation, on_curve(curves[0], strength.best))
    partner = np.minimum(np.min([on_curve(one, strength.pairs[::step]) for one in curves], 0), most)
    chance = partner * shares(slope, both, twice, relation)[::step]
    probability = np.where(kept, chance, 0.0)
    many = relation is Relation.ONE and many_expected(found, probability)
    there = float(partner[kept].sum())
    reached = replace(expected(probability[kept], wish, there, many), curve=curves[0], contest=slope)
    keep = kept & (probability >= reached.threshold)
    return _with_rivals(found, names, parts, prior, odds, chance, probability, keep, relation, reached, evidence)


def among(known: Learnt, found: Candidates, odds: Values) -> Values:
    """Return how probable each pair is among its rivals, by what was learnt; none of them takes it all yet."""
    if known.names and (known.relation is Relation.MANY or known.contrast is None):
        return compete(found, odds, known.relation)
    both, twice, step = (found.twice(), np.repeat(odds, 2), 2) if found.self_join else (found, odds, 1)
    relation = Relation.ONE if known.texts else known.relation
    partner = on_curve(known.curve, strengths(both, twice, relation).pairs[::step])
    if known.contrast is not None and not found.self_join:
        partner = np.minimum(partner, among_rivals(found, odds, relation))
    return partner * shares(known.contest, both, twice, relation)[::step]


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
    chance = np.clip(chance, LEAST, 1 - LEAST)
    together = np.log(chance / (1 - chance))
    parts = _beside(parts, together - odds)
    return Decision(found, (*names, RIVALS), parts, prior, together, probability, keep, relation, reached, evidence)


def _beside(parts: Values, column: Values) -> Values:
    """Return the parts with one more column, written in place where they were made with room for it."""
    whole = parts.base
    if whole is None or whole.shape != (len(parts), parts.shape[1] + 1):
        return np.column_stack([parts, column])
    whole[:, -1] = column
    return whole


def at_most(decision: Decision, most: Values, wish: Wish) -> Decision:
    """Return a decision in which rivals compete with no pair more probable than ``most``, which rivals then say."""
    probability, found = np.minimum(decision.probability, most), decision.found
    many = decision.relation is Relation.ONE and many_expected(found, probability)
    reached = expected(probability, wish, many=many)
    chance = np.clip(probability, LEAST, 1 - LEAST)
    odds, parts = np.log(chance / (1 - chance)), decision.parts.copy()
    parts[:, -1] += odds - decision.odds
    keep = probability >= reached.threshold
    return replace(decision, parts=parts, odds=odds, probability=probability, keep=keep, calibration=reached)


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
