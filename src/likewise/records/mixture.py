"""Weights of evidence without labels: Fellegi and Sunter's model of levels of agreement, estimated by EM.

Each field of a pair has a *level* of agreement, from far apart to equal; a null has none and says nothing. A level
weighs the logarithm of how much more often it is seen among matches than among the other candidates; what is equal
weighs more the rarer the value is. Candidates that do not match are hard: the best that the join could find. So weights
tell a match from its rivals, not from a random pair. Many of them became candidates because they are near in a number;
so how common near numbers, dates and places are is told also by those that come nearest in all other fields.

Where records of a side have one partner at most, rivals compete: the odds of a pair are set against those of all pairs
of that record. Where both sides may have several, each pair stands for itself.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likewise import _core
from likewise.records.candidates import Candidates
from likewise.records.evidence import Evidence
from likewise.records.limits import limits
from likewise.records.partners import Relation

Rows = NDArray[np.int64]
Values = NDArray[np.float64]
_ROUNDS = 60
_STILL = 1e-3  # share of the expected matches that may still move
_NEAR = (0.001, 0.003, 0.01, 0.03, 0.1, 0.3)  # edges of distances, in units of a usual distance
_DATES = (0.1, 0.3, 0.5, 0.65, 0.8)
_QUANTILES = (0.5, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995)


@dataclass(frozen=True, slots=True)
class Levels:
    """How a field's evidence becomes levels: by ``edges`` of likeness, or of distance."""

    kind: str
    edges: tuple[float, ...]

    @classmethod
    def of(cls, kind: str, evidence: Evidence) -> "Levels":
        """Choose the edges from candidates."""
        if kind == "date":
            return cls(kind, _DATES)
        if evidence.distance is not None:
            return cls(kind, _NEAR)
        unlike = evidence.alike[~evidence.null & ~evidence.equal]
        edges = np.unique(np.round(np.quantile(unlike, _QUANTILES), 4)) if len(unlike) else np.array([0.5])
        return cls(kind, tuple(edges[edges > 0].tolist()))

    @property
    def count(self) -> int:
        """Number of levels: null, the steps between edges, and equal."""
        return len(self.edges) + 3

    def levels(self, evidence: Evidence) -> NDArray[np.uint8]:
        """Return the level of each pair: 0 is null, the highest is equal."""
        if self.kind == "date":
            found = np.digitize(evidence.alike, self.edges)
            assert evidence.distance is not None
            # A few days apart across the end of a month: no part agrees, and yet it is close.
            close = (evidence.distance < 0.003) & (evidence.alike < 0.5) & ~evidence.equal
            found = np.where(close, np.maximum(found, 3), found)
        elif evidence.distance is not None:
            distance = np.where(np.isnan(evidence.distance), np.inf, evidence.distance)
            found = len(self.edges) - np.digitize(distance, self.edges)
        else:
            found = np.digitize(evidence.alike, self.edges)
        found = np.where(evidence.equal, self.count - 1, found + 1)
        return np.where(evidence.null, 0, found).astype(np.uint8)


@dataclass(frozen=True)
class Mixture:
    """What EM found: ``weights`` of each field's levels, the ``tilt`` of rare values, log odds before any evidence
    (``prior``), and of each candidate the weight of each field, the log odds and the probability."""

    weights: tuple[tuple[float, ...], ...]
    tilt: tuple[float | None, ...]
    prior: float
    parts: Values
    odds: Values
    probability: Values


def estimate(
    found: Candidates,
    evidence: Sequence[Evidence],
    levels: Sequence[Levels],
    start: NDArray[np.bool_],
    relation: Relation,
    never: NDArray[np.bool_] | None = None,
    shares: Sequence[Values] | None = None,
) -> Mixture:
    """Return the mixture that EM finds from pairs that are matches to start with; ``never`` are pairs that are none.

    With ``shares``, those of the records of each field that have the value of a record, matches are told from random
    pairs of records instead of from the other candidates.
    """
    numbers = [level.levels(mine) for level, mine in zip(levels, evidence, strict=True)]
    seen = [np.bincount(number, minlength=level.count) for number, level in zip(numbers, levels, strict=True)]
    equals = [Equals.of(found, mine) for mine in evidence]
    chance = np.where(start, 0.99, 1e-3)
    parts = np.zeros((len(found), len(levels)), order="F")
    weights: list[tuple[float, ...]] = [()] * len(levels)
    tilt: list[float | None] = [None] * len(levels)
    prior, odds = 0.0, np.zeros(len(found))
    for turn in range(_ROUNDS):
        matches = max(1.0, float(chance.sum()))
        prior = float(np.log(matches / max(1.0, (len(found) if shares is None else found.every) - matches)))
        for place, (mine, number) in enumerate(zip(equals, numbers, strict=True)):
            random = None if shares is None else shares[place]
            nearest = None
            if turn and not found.self_join and evidence[place].distance is not None:
                nearest = _nearest(found, odds - parts[:, place], relation, number, chance, len(seen[place]))
            table = _weights(number, chance, seen[place], None if random is None else float(random.mean()), nearest)
            weights[place] = tuple(table.tolist())
            np.take(table, number, out=parts[:, place], mode="clip")  # no level is out of bounds
            extra, tilt[place] = _rarity(mine, chance[mine.rows], relation, random)
            parts[mine.rows, place] += extra
        odds = prior + parts.sum(1)
        after = compete(found, odds, relation)
        if never is not None:
            after = np.where(never, 0.0, after)
        moved = float(np.abs(after - chance).sum()) / max(1.0, float(after.sum()))
        chance = after
        if moved < _STILL:
            break
    return Mixture(tuple(weights), tuple(tilt), prior, parts, odds, chance)


def apply(
    found: Candidates,
    evidence: Sequence[Evidence],
    levels: Sequence[Levels],
    weights: Sequence[tuple[float, ...]],
    tilt: Sequence[float | None],
    prior: float,
    relation: Relation,
    size: int,
) -> Mixture:
    """Return what weights that are known say of candidates; ``size``: of how many records they were learnt."""
    chance, odds = np.zeros(len(found)), np.zeros(len(found))
    columns = [np.array(weights[place])[level.levels(evidence[place])] for place, level in enumerate(levels)]
    plain = np.array(columns).reshape(len(levels), len(found)).T
    equals = [Equals.of(found, mine, size) for mine in evidence]
    parts = plain
    for _ in range(_ROUNDS):
        parts = plain.copy(order="K")
        for place, (mine, mean) in enumerate(zip(equals, tilt, strict=True)):
            if mean is not None:
                parts[mine.rows, place] += np.log(mine.rarity(chance[mine.rows], relation) ** -0.5) - mean
        odds = prior + parts.sum(1)
        after = compete(found, odds, relation)
        moved = float(np.abs(after - chance).sum()) / max(1.0, float(after.sum()))
        chance = after
        if relation is Relation.ONE or moved < _STILL:
            break
    return Mixture(tuple(weights), tuple(tilt), prior, parts, odds, chance)


def compete(found: Candidates, odds: Values, relation: Relation) -> Values:
    """Return probabilities: of the rivals for a record that has one partner at most, one is right, or none."""
    if relation is Relation.MANY:
        return 1 / (1 + np.exp(-np.clip(odds, -40, 40)))
    strength = np.exp(np.clip(odds, -40, 40))
    left, right = found.left, found.right
    if found.self_join:
        both = np.bincount(left, strength, found.lefts) + np.bincount(right, strength, found.lefts)
        return strength / (1 + both[left] + both[right] - strength)  # type: ignore[no-any-return]
    total: Values = np.zeros(len(odds)) if relation is Relation.ONE else strength
    if relation.left_once:
        total = total + np.bincount(left, strength, found.lefts)[left]
    if relation.right_once:
        total = total + np.bincount(right, strength, found.rights)[right]
    return strength / (1 + total - strength)


def _nearest(
    found: Candidates, others: Values, relation: Relation, number: NDArray[np.uint8], chance: Values, count: int
) -> Values:
    """Return how often each of ``count`` levels is seen in no matches that come nearest by the odds of ``others``."""
    asked, most = found.asked_from_left(relation), limits().nearest
    record, size = (found.left, found.lefts) if asked else (found.right, found.rights)
    rows = np.flatnonzero(_core.ranks(record, others, size, most) < most)
    return np.asarray(np.bincount(number[rows], 1 - chance[rows], count), float)


def _weights(
    number: NDArray[np.uint8],
    chance: Values,
    seen: Rows,
    equal: float | None = None,
    nearest: Values | None = None,
) -> Values:
    """Return the weight of each level: the higher the level, the higher the weight; a null weighs nothing.

    ``equal``: how often random pairs are. Of those that are not, candidates tell how alike they are. ``nearest``: how
    often each level is seen among the nearest that are none; they say as much as all others together.
    """
    count = len(seen)
    matches = np.bincount(number, chance, count)
    match, other = matches + 0.5 / count, np.maximum(seen - matches, 0.0) + 0.5 / count
    match[0] = other[0] = 0
    # Levels whose weights would fall are taken together: by how often they are seen or, where the nearest speak too, by
    # the inverse of the variance of a ratio's logarithm, so that levels without a match do not outweigh the others.
    sure = seen[1:] + 1.0 if nearest is None else 1 / (1 / match[1:] + 1 / other[1:])
    if equal is not None:
        other[-1] = other[1:-1].sum() * equal / max(1e-9, 1 - equal)
    match, other = match / match.sum(), other / other.sum()
    if nearest is not None:
        hard = nearest + 0.5 / count
        hard[0] = 0
        other = 0.5 * (other + hard / hard.sum())
    table = np.zeros(count)
    ratio = np.log(np.maximum(match[1:], 1e-9) / np.maximum(other[1:], 1e-9))
    table[1:] = rising(ratio, sure)
    return table


@dataclass(frozen=True)
class Equals:
    """The pairs that are equal in a field (``rows``), their two records, and how many records have the value.

    ``size`` is the number of records of the smaller side, of which shares are.
    """

    rows: Rows
    left: Rows
    right: Rows
    often: Values
    size: int
    found: Candidates

    @classmethod
    def of(cls, found: Candidates, evidence: Evidence, size: int | None = None) -> "Equals":
        """Choose them from all pairs; ``size`` where shares are of other records."""
        rows, size = np.flatnonzero(evidence.equal), size or min(found.lefts, found.rights)
        return cls(rows, found.left[rows], found.right[rows], evidence.share[rows] * size, size, found)

    def rarity(self, chance: Values, relation: Relation) -> Values:
        """Return how common the values are, as a share of the records; a record's own matches do not count."""
        if relation is Relation.ONE:
            return np.maximum(self.often, 0.5) / self.size
        sides = self.found.lefts, self.found.rights
        mine, other = np.bincount(self.left, chance, sides[0]), np.bincount(self.right, chance, sides[1])
        if self.found.self_join:
            mine = other = mine + other
        common = self.often - 1 - 0.5 * (mine[self.left] + other[self.right])
        return (np.maximum(common, 0) + 0.5) / self.size


def _rarity(equals: Equals, chance: Values, relation: Relation, shares: Values | None) -> tuple[Values, float | None]:
    """Return what rarity adds to the weight of equal values, and the mean that it is measured against.

    Random pairs are equal in a value as often as its share says, for each record that has it.
    """
    unlike = 1 - chance
    if unlike.sum() <= limits().equals:
        return np.zeros(len(chance)), None
    tilt = equals.rarity(chance, relation) ** -0.5
    weight, others = (unlike, tilt) if shares is None else (shares, shares**-0.5)
    mean = float(np.log((weight * others).sum() / weight.sum()))
    return np.log(tilt) - mean, mean


def rising(values: NDArray[Any], weights: NDArray[Any]) -> Values:
    """Return the nearest values that never fall (pool adjacent violators).

    >>> rising(np.array([0.0, 2.0, 1.0, 3.0]), np.ones(4)).tolist()
    [0.0, 1.5, 1.5, 3.0]
    """
    return _core.rising(np.asarray(values, float), np.asarray(weights, float))
