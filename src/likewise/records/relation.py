"""Detect the relation: whether records have one partner or several, and whether pairs are members of a group.

Records of one side that are copies of one another (the orders of a customer) hide each other from the other side: to a
customer, his orders tie. Seen from the orders, nothing ties: each has its customer, only that several have the same.
So many more pairs stand out from one side than from the other, and who claim the same partner are alike.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from likewise import _core
from likewise.records.candidates import Candidates
from likewise.records.distinct import ascending
from likewise.records.evidence import Asked, Evidence
from likewise.records.limits import limits
from likewise.records.mixture import Mixture
from likewise.records.partners import Relation
from likewise.records.runner_up import calibrate, on_curve, strengths
from likewise.records.spacings import stands_out

Rows = NDArray[np.int64]
Values = NDArray[np.float64]
_CHAINS = 1000  # records whose chains are looked at
_PARTNERS = 20  # ... with so many of their likely partners
_FEWEST = 5  # pairs from which something is told


def _partners(found: Candidates, mixture: Mixture) -> float:
    """Return the number of partners at even odds or better, of the records that have any."""
    likely = mixture.probability >= 0.5
    if not likely.any():
        return 0.0
    if found.self_join:
        records = ascending(np.concatenate([found.left[likely], found.right[likely]]))
        return float(2 * likely.sum() / len(records))
    sides = [len(ascending(side[likely])) for side in (found.left, found.right)]
    return float(likely.sum() / min(sides))


def several(found: Candidates, mixture: Mixture, score: Values) -> bool:
    """Return whether records have several partners: likely pairs are many, and hang together.

    Of two tables nearly all must, unless copies on both sides hide partners from each other, by the ``score``.
    """
    if found.self_join:
        return _partners(found, mixture) >= limits().several and _closed(found, mixture) >= limits().closed
    partners = _partners(found, mixture)
    if not limits().several_between <= partners <= limits().most_between:
        return False
    closed = _closed(found, mixture)
    if closed >= limits().closed_between or closed < limits().closed:
        return closed >= limits().closed_between
    seen = max(float(_claims(found, score, relation).sum()) for relation in (Relation.TO_MANY, Relation.TO_ONE))
    return seen < (1 - limits().hidden) * float((mixture.probability >= 0.5).sum()) / partners


def _closed(found: Candidates, mixture: Mixture) -> float:
    """Return the share of chains of likely pairs that are closed: a-b, b-c, a-c; in two tables a-x, b-x, b-y, a-y."""
    likely = mixture.probability >= 0.5
    left, right = found.left[likely].tolist(), found.right[likely].tolist()
    near: dict[int, set[int]] = {}
    for a, b in zip(left, [b if found.self_join else b + found.lefts for b in right], strict=True):
        near.setdefault(a, set()).add(b)
        near.setdefault(b, set()).add(a)
    records = sorted(near)
    closed = total = 0
    for record in records[:: max(1, len(records) // _CHAINS)]:
        mine = sorted(near[record])[:_PARTNERS]
        for place, other in enumerate(mine):
            for third in mine[place + 1 :]:
                if found.self_join:
                    total += 1
                    closed += third in near[other]
                else:
                    both = len(near[other] & near[third])
                    total += len(near[other]) + len(near[third]) - both - 1
                    closed += both - 1
    return closed / total if total else 0.0


def siblings(found: Candidates, likely: NDArray[np.bool_], evidence: Sequence[Evidence]) -> bool:
    """Return whether the several partners of records are siblings rather than copies, of which one at most is right.

    Copies agree in a field as often whether a record has one or several, and who agrees with one agrees with the next.
    Among siblings (rows of one name, the towns of a region) only the copy agrees in what tells records apart: the more
    partners, the fewer agree, and never two.
    """
    sides = [(found.left, found.lefts), (found.right, found.rights)]

    def partners(chosen: NDArray[np.bool_]) -> Values:
        counts = [np.bincount(side[chosen], minlength=size) for side, size in sides]
        return np.concatenate([counts[0] + counts[1]] if found.self_join else counts).astype(float)

    every = partners(likely)
    lone = np.maximum(every[found.left], every[found.right + (0 if found.self_join else found.lefts)]) == 1
    for mine in evidence:
        there = likely & ~mine.null
        count, agree = partners(there), partners(there & mine.equal)
        one, two = float((agree * (count - 1)).sum()), float((agree * (agree - 1)).sum()) / 2
        by_chance = one * one / max(1.0, float((count * (count - 1)).sum())) / 2
        if _less(two, by_chance, by_chance):
            return True
        alone, others = mine.equal[there & lone], mine.equal[there & ~lone]
        if min(len(alone), len(others)) >= _FEWEST and tells_apart(mine, min(found.lefts, found.rights)):
            spread = [share.var() / len(share) for share in (alone, others)]
            if _less(float(others.mean()), float(alone.mean()), float(sum(spread))):
                return True
    return False


def _less(seen: float, foreseen: float, variance: float) -> bool:
    """Return whether something occurs less than half as often as expected, and significantly so."""
    return seen < 0.5 * foreseen and foreseen - seen > limits().sibling_errors * variance**0.5


def of_a_class(evidence: Sequence[Evidence], likely: NDArray[np.bool_]) -> bool:
    """Return whether the likely pairs of two tables share a class rather than being the same.

    Copies are alike in whatever both have, but for mistakes. What shares a chip, a model or a payee has a number or an
    amount of its own: a field in which the pairs differ altogether.
    """
    present = [mine.alike[likely & ~mine.null] for mine in evidence]
    return any(len(alike) >= _FEWEST and float(alike.mean()) < limits().unlike for alike in present)


def unlike(evidence: Evidence) -> NDArray[np.bool_]:
    """Return which pairs differ altogether in a field."""
    return ~evidence.null & ~evidence.equal & (evidence.alike < limits().unlike)


def tells_apart(evidence: Evidence, size: int) -> bool:
    """Return whether few of ``size`` records share a value of a field."""
    there = evidence.share[~evidence.null]
    return bool(len(there) and np.median(there) * size <= limits().sharing)


def differing_fields(evidence: Sequence[Evidence], kinds: Sequence[str], chosen: NDArray[np.bool_]) -> list[int]:
    """Return the fields in which most of the chosen pairs differ altogether, if these pairs look like two populations.

    Copies of one record differ here and there; members of a group (a family, the packages of one author) differ in all
    that tells them apart, a name among it, while the copies among them agree in all of it together.
    """
    found = []
    for place, mine in enumerate(evidence):
        there = chosen & ~mine.null
        if 2 * there.sum() >= max(1, chosen.sum()) and mine.equal.any() and unlike(mine)[there].mean() > 0.5:
            found.append(place)
    if len(found) < 2 or not any(kinds[place] in ("name", "text") for place in found):
        return []
    agree = np.stack([~evidence[place].null & ~unlike(evidence[place]) for place in found])[:, chosen]
    together, by_chance = float(agree.all(0).mean()), float(np.prod(agree.mean(1)))
    return found if together >= limits().together * by_chance and together > 0 else []


def members_of(
    evidence: Sequence[Evidence],
    kinds: Sequence[str],
    chosen: NDArray[np.bool_],
    size: int | None = None,
    kin: bool = False,
) -> NDArray[np.bool_] | None:
    """Return the pairs that are members of a group rather than the same, if many of the chosen ones look like such.

    They differ in what tells members apart. Or in a name, and are equal in nothing else: firms of one town with like
    addresses, say; a few such pairs are records that were renamed. Of one table of a ``size``: most differ in a name
    that few records share (the towns of one country), or a fifth (any, if it is known that there are ``kin``) in all
    that few share.
    """
    apart = differing_fields(evidence, kinds, chosen)
    if apart:
        return np.asarray(np.mean([unlike(evidence[place]) for place in apart], 0) >= 0.5)
    for place in [place for place, kind in enumerate(kinds) if kind == "name"]:
        others = [mine.equal for other, mine in enumerate(evidence) if other != place]
        found: NDArray[np.bool_] = unlike(evidence[place]) & ~np.any(others, 0)
        if others and (found & chosen).sum() >= limits().neighbours * max(1, chosen.sum()):
            return found
        there = chosen & ~evidence[place].null
        apart_by_it = size is not None and tells_apart(evidence[place], size)
        if apart_by_it and 2 * there.sum() >= max(1, chosen.sum()) and unlike(evidence[place])[there].mean() > 0.5:
            return unlike(evidence[place])
    telling = [mine for mine in evidence if size is not None and tells_apart(mine, size)]
    if len(telling) > 1:
        differ = [mine.null | (~mine.equal & (mine.alike < limits().half_alike)) for mine in telling]
        far: NDArray[np.bool_] = np.all(differ, 0) & (np.sum([~mine.null for mine in telling], 0) > 1)
        if (far & chosen).sum() >= max(1, (0 if kin else limits().siblings) * chosen.sum()):
            return far
    return None


def copies_of(found: Candidates, score: Values, whole: Asked) -> Relation | None:
    """Return which side holds copies of its own records, as several of them have the same partner; ``None``: none does.

    ``score`` is that of the ``whole`` records as one text.
    """
    claims = {relation: _claims(found, score, relation) for relation in (Relation.TO_MANY, Relation.TO_ONE)}
    other = {Relation.TO_MANY: Relation.TO_ONE, Relation.TO_ONE: Relation.TO_MANY}
    for relation, chance in claims.items():
        partner, size, side = (found.right, found.rights, 1) if relation.left_once else (found.left, found.lefts, 0)
        if _copied(whole, side):
            continue  # partners are copies of one another too: several on both sides, if any
        best = np.zeros(size)
        np.maximum.at(best, partner, chance)
        shared = float(chance.sum() - best.sum())
        hidden = float(best.sum() - claims[other[relation]].sum())
        least = limits().hidden if shared < limits().mostly * chance.sum() else limits().hidden / 2
        if shared < limits().shared * chance.sum() or hidden < least * best.sum() or not shared:
            continue
        closer = _closer(found, score, chance >= 0.5, relation, whole)
        if closer >= limits().closer and stands_out(found, score, relation):
            return relation
    return None


def _copied(whole: Asked, side: int) -> bool:
    """Return whether records of a side have the same text."""
    present, distinct = whole.texts(side)
    return present - distinct > limits().shared * present


def _claims(found: Candidates, score: Values, relation: Relation) -> Values:
    """Return how probable it is that the best partner of a record is right, seen from one side; of all others 0."""
    strong = strengths(found, score, relation)
    first = _core.ranks(strong.side, score, len(strong.best), 1) == 0
    chance = on_curve(calibrate(strong.best, strong.runner_up), strong.pairs)
    return np.where(first, chance, 0.0)


def _closer(found: Candidates, score: Values, claim: NDArray[np.bool_], relation: Relation, whole: Asked) -> float:
    """Return how often two claimants of a partner are more alike than either is to the next of its candidates."""
    mine, partner, side = (found.left, found.right, 0) if relation.left_once else (found.right, found.left, 1)
    size = found.rights if relation.left_once else found.lefts

    def best(rows: NDArray[np.int64], count: int) -> NDArray[np.int64]:
        rank = _core.ranks(partner[rows], score[rows], size, count)
        places = np.full((size, count + 1), -1)
        places[partner[rows], rank] = mine[rows]  # the last column is of all others
        return places[:, :count]

    claims, others = best(np.flatnonzero(claim), 2), best(np.flatnonzero(~claim), 1)
    wanted = np.flatnonzero(claims[:, 1] >= 0)
    wanted = wanted[:: max(1, len(wanted) // _CHAINS)]
    wanted = wanted[others[wanted, 0] >= 0]
    if len(wanted) < _FEWEST:
        return 0.0
    (one, two), three = claims[wanted].T, others[wanted, 0]
    copies, *others_too = np.split(
        whole.alike(side, np.concatenate([one, one, two]), np.concatenate([two, three, three])), 3
    )
    apart = np.maximum(*others_too)
    return float(np.mean((copies > apart) + 0.5 * (copies == apart)))


def in_series(field: Asked) -> bool:
    """Return whether the codes of a table run in series, so that a near one is that of another thing.

    LX-200B is the LX-200 in black, if a table has both; where no two codes of a table are near, it was mistyped.
    """
    return field.kind == "code" and any(_near(field, side) >= limits().in_series for side in (0, 1))


def _near(field: Asked, side: int) -> float:
    """Return the share of the codes of a side that have another one near."""
    best = field.nearest_texts(side)
    return float(np.count_nonzero(best >= limits().near_code)) / max(1, field.texts(side)[1])
