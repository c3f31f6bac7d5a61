"""Records that are equal in every field: how likely that is by chance, and so whether they are the same.

A copy among thousands stands out from nothing, as leads are asked of many records. But how many pairs of different
records would be equal in everything can be counted. Those that are equal in all fields but one are seen, and so is how
often that one is equal; and the values of a pair say how many others have each of them.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from likewise.records.candidates import Candidates
from likewise.records.chances import expected, without_rivals
from likewise.records.decision import RIVALS, Decision, Wish
from likewise.records.evidence import Asked, Evidence
from likewise.records.limits import limits
from likewise.records.partners import Relation

Rows = NDArray[np.int64]
Values = NDArray[np.float64]
_LEAST = 1e-4  # no pair is surer than that
_UNSEEN = 0.5  # pairs that count beside those that are seen
_FEWEST = 2  # fields in which a pair must have values


def with_copies(decision: Decision, fields: Sequence[Asked], evidence: Sequence[Evidence], wish: Wish) -> Decision:
    """Return a decision in which records that are equal in all ``fields`` are the same, if that is not by chance."""
    if len(fields) < _FEWEST or decision.judged is not None:
        return decision
    chance = 1 - chance_of_equality(decision.found, fields, evidence)
    copies = chance >= max(limits().literal_chance, wish if isinstance(wish, float) else 0.0)
    if not np.any(copies & (chance > decision.probability)):
        return decision
    chance = np.where(copies, np.maximum(chance, decision.probability), decision.probability)
    return _given(decision, chance, copies, wish)


def chance_of_equality(found: Candidates, fields: Sequence[Asked], evidence: Sequence[Evidence]) -> Values:
    """Return how probable it is of each pair that its records are equal only by chance; 1 for those that differ."""
    there = np.sum([~mine.null for mine in evidence], 0) >= _FEWEST
    if not np.any(there & np.all([mine.equal | mine.null for mine in evidence], 0)):
        return np.ones(len(found))
    codes = [field.codes(0) for field in fields]
    others = codes if found.self_join else [field.codes(1) for field in fields]
    missing = [(a[found.left] < 0) & (b[found.right] < 0) for a, b in zip(codes, others, strict=True)]
    differ = np.stack([~(mine.equal | none) for mine, none in zip(evidence, missing, strict=True)])
    apart = differ.sum(0)
    equal = np.flatnonzero((apart == 0) & there)
    result = np.ones(len(found))
    if not len(equal):
        return result
    # Of the table: as many as are equal in all but one field, times how often that is equal where others are.
    alike = _alike(found, codes, equal)
    seen = [np.count_nonzero((apart == 1) & mine) + _UNSEEN for mine in differ]
    foreseen = min(count * share / max(1e-9, 1 - share) for count, share in zip(seen, alike, strict=True))
    # Of the pair: how many others have all its values, by records, or by kinds of them where that is less.
    unknown = [none[equal] for none in missing]
    shares, smaller = [mine.share[equal] for mine in evidence], min(found.lefts, found.rights)
    rest = [mine - ((2 if found.self_join else 1) - _UNSEEN) / smaller for mine in shares]
    own = _others(rest, unknown, alike, smaller, max(found.lefts, found.rights))
    if found.self_join:
        shares, kinds = _of_kinds(codes, found.left[equal])
        rest = [mine - (1 - _UNSEEN) / kinds for mine in shares]
        own = np.minimum(own, _others(rest, unknown, alike, kinds, kinds))
    result[equal] = np.clip(np.maximum(own, foreseen / len(equal)), _LEAST, 1.0)
    return result


def _others(
    shares: Sequence[Values], unknown: Sequence[NDArray[np.bool_]], alike: Sequence[float], smaller: int, larger: int
) -> Values:
    """Return how many others have all values of a pair: the rarest counts in full, others as far as they say more."""
    own, rarest = np.full(len(shares[0]), float(larger)), np.ones(len(shares[0]))
    for mine, none, share in zip(shares, unknown, alike, strict=True):
        rest = np.where(none, 1.0, np.maximum(mine, _UNSEEN / smaller))
        more = np.maximum(rest, share)
        own, rarest = own * more, np.minimum(rarest, rest / more)
    return own * rarest


def _of_kinds(codes: Sequence[Rows], asked: Rows) -> tuple[list[Values], int]:
    """Return by field the share of kinds of records that have the value of the records asked, and how many kinds.

    Records that are equal in all fields are of one kind: if they are the same, they are no others who have a value.
    """
    _, first = np.unique(np.column_stack(codes), axis=0, return_index=True)
    counts = [np.bincount(mine[first] + 1) / len(first) for mine in codes]
    return [count[mine[asked] + 1] for count, mine in zip(counts, codes, strict=True)], len(first)


def _alike(found: Candidates, values: Sequence[Rows], equal: Rows) -> list[float]:
    """Return how often different left records are equal in each field, or, where that is more, if they are in another.

    Copies are left out. Where few are equal in the other, they may be copies with an error, and say little.
    """
    once = np.ones(found.lefts, bool)
    if found.self_join:
        once[found.right[equal]] = False
    codes = [mine[once] + 1 for mine in values]
    every = len(codes[0]) * (len(codes[0]) - 1) / 2
    pairs = [_pairs(np.bincount(mine)) for mine in codes]
    before = limits().literal_before * len(codes[0])
    result = []
    for place, mine in enumerate(codes):
        alone = (pairs[place] + _UNSEEN) / max(1.0, every)
        together = [alone]
        for other, theirs in enumerate(codes):
            if other != place:
                both = _pairs(np.unique(mine * (int(theirs.max(initial=0)) + 1) + theirs, return_counts=True)[1])
                together.append((both + before * alone) / (pairs[other] + before))
        result.append(min(1.0, max(together)))
    return result


def _pairs(counts: NDArray[np.int64]) -> float:
    return float((counts * (counts - 1.0)).sum() / 2)


def _given(decision: Decision, chance: Values, copies: NDArray[np.bool_], wish: Wish) -> Decision:
    """Return the decision with the ``chance`` of copies; they beat other partners, where records have one at most."""
    found, relation, old = decision.found, decision.relation, decision.calibration
    left = np.ones(len(found), bool)
    if not found.self_join and relation is not Relation.MANY:
        # Whoever was chosen stays, unless a copy takes its place.
        left = without_rivals(found, 2.0 * copies + chance + decision.keep, relation)
    chosen = decision.keep
    if isinstance(wish, float):
        # Copies are so sure that others may be less so than if there were none.
        chosen = left & (chance >= expected(np.where(left, chance, 0.0), wish).threshold)
    keep = left & (chosen | copies)
    probability = np.where(keep, chance, np.where(copies | (decision.keep & ~left), 0.0, decision.probability))
    count, given = int(keep.sum()), float(probability[keep].sum())
    matches = max(given, float(probability.sum()))
    threshold = min(old.threshold, float(probability[keep].min()))
    f1 = 2 * given / (count + matches)
    said = np.log(probability.clip(_LEAST) / (1 - probability).clip(_LEAST))
    told = np.where(copies & keep, np.maximum(said, decision.odds), decision.odds)
    parts, own = decision.parts.copy(), [place for place, name in enumerate(decision.fields) if name != RIVALS]
    added = (told - decision.odds) / max(1, len(own))
    for place in own:
        parts[:, place] += added
    # Where nothing was learnt, nothing is known of the others.
    recall = float("nan") if decision.learnt is None else given / matches
    reached = replace(old, threshold=threshold, matches=matches, precision=given / count, recall=recall, f1=f1)
    return replace(decision, parts=parts, odds=told, probability=probability, keep=keep, calibration=reached)
