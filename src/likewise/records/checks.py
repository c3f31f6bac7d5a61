"""Guard against chance: a decision that an independent score does not confirm is made less sure, or empty.

Weights are learnt from the pairs that they are then applied to, so they tend to find some. A score that learnt nothing
of a record has to agree (:mod:`.spacings`): :func:`checked` between two tables, :func:`checked_within` in one.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from likewise.records.candidates import Candidates
from likewise.records.chances import at_most, many_expected, more_than_few
from likewise.records.decision import Decision, Wish
from likewise.records.limits import limits
from likewise.records.partners import Relation
from likewise.records.runner_up import Calibration
from likewise.records.spacings import ends, stands_out, within
from likewise.records.strangers import left_over

Values = NDArray[np.float64]
_SMALL = 100  # records of the smaller side: of fewer, one in two leads says little


def checked(
    found: Candidates,
    witnesses: Iterable[Values],
    decision: Decision,
    wish: Wish,
    elsewhere: Callable[[], Values] | None = None,
    by_chance: Callable[[Decision], bool] | None = None,
) -> Decision:
    """Return the decision, or an empty one where no score that learnt nothing from its pairs confirms them.

    Few partners do not show in what all records have in the middle: they are looked at as duplicates of one table are.
    Nor do partners beside near variants, which are next to them: these are there if they are more than chance gives,
    also by the probabilities of ``elsewhere``, from weights that were learnt from other records. In small tables, where
    neither is told well, pairs that stand out are kept, unless nearly all are alike only ``by_chance``, as records of
    one table are.
    """
    later = iter(witnesses)  # a score that is not asked for need not be made
    scores: list[Values] = []
    if decision.relation is not Relation.ONE:
        return decision if any(stands_out(found, score, decision.relation) for score in later) else _none(decision)
    if few(found, decision.probability):
        return less_sure(decision, later, wish)
    stands = any(stands_out(found, score, Relation.ONE) for score in _noted(later, scores))
    small = min(found.lefts, found.rights) < limits().small
    if stands and not small:
        return less_sure(decision, chain(scores, later), wish)
    many = _many(found, decision.probability) and (elsewhere is None or _many(found, elsewhere()))
    if not (stands or many or small):
        return _none(decision)
    surest = less_sure(decision, chain(scores, later), wish, sure=many)
    if stands or not small or by_chance is None or not surest.keep.any():
        return surest
    return _none(decision) if by_chance(surest) else surest


def _noted(scores: Iterable[Values], seen: list[Values]) -> Iterator[Values]:
    """Return scores one after the other, and note which were asked for."""
    for score in scores:
        seen.append(score)
        yield score


def less_sure(
    decision: Decision, witnesses: Iterable[Values], wish: Wish, learnt_small: bool = True, sure: bool = False
) -> Decision:
    """Return a decision of one partner at most less sure where few have one, tables are small, or pairs are left over.

    ``learnt_small``: what is known was learnt from few records. The score of a single text has no weights to learn.
    """
    found, size = decision.found, min(decision.found.lefts, decision.found.rights)
    small = learnt_small and size < limits().small and len(decision.evidence) > 1
    later = iter(witnesses)
    score = next(later)
    if small or (size < _SMALL and not sure) or few(found, decision.probability):
        decision = checked_within(decision, [score, *later], wish, sure, small)
    over = left_over(found, score, decision.probability)
    return at_most(decision, np.where(over, 0.0, 1.0), wish) if over.any() else decision


def checked_within(
    decision: Decision, scores: Sequence[Values], wish: Wish, sure: bool = False, small: bool = False
) -> Decision:
    """Return the decision, less sure of pairs that may stand out by chance, or an empty one.

    Nothing does where by no score anything stands out, unless that is ``sure``. Of ``small`` tables the first score,
    which learnt nothing, has to say how sure it is: weights that were learnt from few records are theirs alone.
    """
    found, mates = decision.found, decision.probability >= 0.5
    stands = [standing for score in scores if (standing := within(found, score, mates)) is not None]
    if not stands or not decision.keep.any():
        return decision if sure else _none(decision)
    are_few = few(found, decision.probability)
    if decision.relation is Relation.MANY or not (small or are_few):
        return decision
    if small and (plain := within(found, scores[0], mates)) is not None:
        stands = [plain]
    here = np.min([one.here[ends(found)[0]].reshape(2, -1).min(0) for one in stands], 0)
    if sure and not are_few and float((1 - here[mates]).sum()) >= limits().enough:
        return decision  # there are matches enough to learn from, and both halves say so
    lenient = limits().lenient if found.self_join else 1.0  # a partner elsewhere is no sibling
    return at_most(decision, lenient * (1 - here), wish)


def few(found: Candidates, probability: Values) -> bool:
    """Return whether few records of a table, or of the smaller of two, are in pairs that are taken for the same."""
    if found.self_join:
        return bool(2 * np.count_nonzero(probability >= 0.5) <= limits().few * found.lefts)
    likely, most = np.count_nonzero(probability >= 0.5), limits().few_between * min(found.lefts, found.rights)
    return bool(likely <= most) and not many_expected(found, probability)


def _many(found: Candidates, probability: Values) -> bool:
    """Return whether more records than few have a likely partner, or are expected to have one."""
    likely = float(np.count_nonzero(probability >= 0.5))
    return more_than_few(found, likely) or many_expected(found, probability)


def _none(decision: Decision) -> Decision:
    """Return a decision in which nothing matches."""
    nothing = np.zeros(len(decision.found))
    none = Calibration(2.0, 0.0, 1.0, 0.0, 0.0, ((), ()))
    relation = Relation.ONE if decision.found.self_join else decision.relation  # there are no groups
    return replace(decision, keep=nothing > 0, probability=nothing, relation=relation, calibration=none, learnt=None)
