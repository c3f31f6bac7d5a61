"""How records hang together: whether they have one partner or several, and whether pairs are members of a group."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from likewise.records.candidates import Candidates
from likewise.records.distinct import ascending
from likewise.records.evidence import Evidence
from likewise.records.mixture import Mixture

# Records with a partner that have so many at even odds or better have several; below, one. Within one table a few
# clusters of three are enough: nobody expects pairs there.
_SEVERAL_BETWEEN, _SEVERAL = 1.5, 1.05
# ... and so large a share of the chains of such pairs is closed; chains that are not closed are rivals.
_CLOSED = 0.75
_CLOSED_BETWEEN = 0.95  # of two tables: nearly every one, as one partner is what people expect of two tables
_CHAINS = 1000  # records whose chains are looked at
_PARTNERS = 20  # ... with so many of their likely partners
_UNLIKE = 0.3  # below this score values differ altogether
_TOGETHER = 2.0  # fields agree so many times as often together as by chance where pairs are of two populations


def _partners(found: Candidates, mixture: Mixture) -> float:
    """Return how many partners at even odds or better the records have that have any."""
    likely = mixture.probability >= 0.5
    if not likely.any():
        return 0.0
    if found.self_join:
        records = ascending(np.concatenate([found.left[likely], found.right[likely]]))
        return float(2 * likely.sum() / len(records))
    sides = [len(ascending(side[likely])) for side in (found.left, found.right)]
    return float(likely.sum() / min(sides))


def several(found: Candidates, mixture: Mixture) -> bool:
    """Return whether records have several partners: likely pairs are many, and hang together."""
    many, wanted = (_SEVERAL, _CLOSED) if found.self_join else (_SEVERAL_BETWEEN, _CLOSED_BETWEEN)
    return _partners(found, mixture) >= many and _closed(found, mixture) >= wanted


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
                    total += len(near[other] | near[third]) - 1
                    closed += len(near[other] & near[third]) - 1
    return closed / total if total else 0.0


def unlike(evidence: Evidence) -> NDArray[np.bool_]:
    """Return which pairs differ altogether in a field."""
    return ~evidence.null & ~evidence.equal & (evidence.alike < _UNLIKE)


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
    return found if together >= _TOGETHER * by_chance and together > 0 else []
