"""Decide on distinct texts where many records share one, and apply the decision to every record that has the text.

Copies tie: to whom they are compared with, the second is as good as the first, as if that were wrong. So runner-ups,
which say what a wrong partner looks like, must be other texts. What differs in case and signs only is one text.
"""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from likewise.records.candidates import Candidates
from likewise.records.chances import at_most, by_score, expected, without_rivals
from likewise.records.checks import checked
from likewise.records.compared import Compared
from likewise.records.decision import Decision, Learnt, Wish
from likewise.records.evidence import Asked
from likewise.records.partners import Relation
from likewise.records.strangers import texts_not_by_chance

Rows = NDArray[np.int64]


def held_again(whole: Asked, side: int) -> float:
    """Return the share of the records of a side whose text an earlier record has, too."""
    values = _values(whole, side)
    values = values[values >= 0]
    return 1 - len(np.unique(values)) / len(values) if len(values) else 0.0


def _values(whole: Asked, side: int) -> Rows:
    """Return which value each record of a side has; no text has none, also where no record of the side has a text."""
    codes = whole.codes(side)
    return whole.values(side) if np.any(codes >= 0) else codes.astype(np.int64)


def by_texts(
    compared: Compared, wish: Wish, known: Learnt | None = None, different: bool = False, alone: bool = False
) -> Decision:
    """Decide on each text once, 1:1; its records have all records of its partner, or one of them each (``alone``).

    Records of one table that have one text are copies; or, where that is so of many, ``different``: then a text that
    many have names nobody.
    """
    found, overall, whole = compared.found, compared.overall, compared.whole
    values = [_values(whole, side) + 1 for side in (0, 1)]  # 0: no text
    left, right = values[0][found.left], values[1][found.right]
    lefts, rights = (int(side.max(initial=0)) + 1 for side in values)
    _, first, at = np.unique(left * rights + right, return_index=True, return_inverse=True)
    texts, said = Candidates(left[first], right[first], lefts, rights, False), overall.take(first)
    once = by_score(texts, said, wish, Relation.ONE, known)
    if known is None:
        once = checked(texts, [np.where(said.null, 0.0, said.alike)], once, wish)
    counts = np.bincount(values[0], minlength=lefts), np.bincount(values[1], minlength=rights)
    if different:
        once = at_most(once, texts_not_by_chance(texts, said.equal, *counts), wish)
    chance = once.probability[at]
    reached = replace(expected(chance, wish), curve=once.calibration.curve, contest=once.calibration.contest)
    learnt = (
        None
        if once.learnt is None
        else replace(once.learnt, relation=Relation.ONE if alone else Relation.MANY, texts=True)
    )
    made = replace(
        once,
        found=found,
        parts=once.parts[at],
        odds=once.odds[at],
        probability=chance,
        keep=chance >= reached.threshold,
        relation=Relation.MANY,
        calibration=reached,
        evidence=(overall,),
        learnt=learnt,
    )
    if alone:
        # Which of the copies it is, nothing says.
        rivals = np.maximum(counts[0][left], counts[1][right])
        best = without_rivals(found, np.where(chance > 0, made.odds, -np.inf), Relation.ONE)
        return replace(at_most(made, np.where(best, chance / rivals, 0.0), wish), relation=Relation.ONE)
    return replace(made, relation=_relation(found, made.keep))


def _relation(found: Candidates, given: NDArray[np.bool_]) -> Relation:
    """Return the relation that the given pairs show: on which sides records have several partners."""
    several = [bool(np.any(np.bincount(side[given]) > 1)) for side in (found.left, found.right)]
    if all(several):
        return Relation.MANY
    return Relation.TO_MANY if several[0] else Relation.TO_ONE if several[1] else Relation.ONE
