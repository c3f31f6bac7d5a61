"""The small numerical parts of a decision, each against hand arithmetic or an obvious twin."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from likewise.join import Pairs
from likewise.read.tables import read_table
from likewise.records.candidates import Candidates, identifies, in_a_row, other_ways
from likewise.records.columns import Column, keys
from likewise.records.contest import contest, shares
from likewise.records.distinct import ascending, ranks, same_texts
from likewise.records.evidence import Evidence
from likewise.records.limits import Limits, decided_by
from likewise.records.linkage import group
from likewise.records.logistic import fit_logistic
from likewise.records.mixture import Equals, Levels, _weights, compete, estimate, rising
from likewise.records.partners import Relation
from likewise.records.refit import _foretold, _places, bend, learn
from likewise.records.relation import _closed, _less, _partners, differing_fields, siblings, tells_apart, unlike
from likewise.records.runner_up import best_three, calibrate, on_curve, strengths
from likewise.records.survivors import _age, _survivor
from likewise.records.threshold import best_in, none_from, widest_margin

# Three records of each side; some of the nine pairs.
FOUND = Candidates(np.array([0, 0, 1, 2, 2]), np.array([0, 1, 1, 1, 2]), 3, 3, False)
WITHIN = Candidates(np.array([0, 0, 1]), np.array([1, 2, 2]), 4, 4, True)


def evidence(alike, null=(), equal=(), share=0.1, distance=None):
    size = len(alike)
    at = [np.isin(np.arange(size), places) for places in (null, equal)]
    return Evidence(at[0], np.array(alike, float), at[1], np.full(size, share), distance)


@pytest.mark.parametrize("relation", list(Relation))
@pytest.mark.parametrize("found", [FOUND, WITHIN])
def test_rivals_compete(found, relation):
    """A pair against all others of the records that have one partner at most; each alone where both have several."""
    odds = np.linspace(-1, 2, len(found))
    got = compete(found, odds, relation)
    strength = np.exp(odds)
    pairs = list(zip(found.left.tolist(), found.right.tolist(), strict=True))
    for place, (a, b) in enumerate(pairs):
        rivals = 0.0
        for other, (c, d) in enumerate(pairs):
            if other == place or relation is Relation.MANY:
                continue
            if found.self_join:
                # a rival that touches both records counts for each
                rivals += strength[other] * ((a in (c, d)) + (b in (c, d)))
            else:
                rivals += strength[other] * ((relation.left_once and a == c) + (relation.right_once and b == d))
        assert got[place] == pytest.approx(strength[place] / (1 + strength[place] + rivals))


def test_rivals_of_endless_odds_are_numbers():
    assert compete(FOUND, np.array([800.0, -800, 0, 0, 0]), Relation.ONE)[0] == pytest.approx(1)
    assert compete(FOUND, np.full(5, 800.0), Relation.MANY).tolist() == pytest.approx([1.0] * 5)


@given(st.lists(st.tuples(st.integers(-3, 3), st.integers(1, 3)), max_size=7))
def test_rising_is_the_nearest_that_never_falls(items):
    values, weights = np.array([a for a, _ in items], float), np.array([b for _, b in items], float)
    found = rising(values, weights)
    assert (np.diff(found) >= -1e-12).all()
    # pooled: the highest of the lowest means of what begins before and ends behind
    for place in range(len(items)):
        best = max(
            min(np.average(values[a : b + 1], weights=weights[a : b + 1]) for b in range(place, len(items)))
            for a in range(place + 1)
        )
        assert found[place] == pytest.approx(best)


def test_levels_by_hand():
    alike = evidence([0.1, 0.2, 0.3, 0.9, 1.0], null=[0], equal=[4])
    by_alike = Levels("name", (0.2, 0.5))
    assert by_alike.count == 5
    assert by_alike.levels(alike).tolist() == [0, 2, 2, 3, 4]
    near = Levels("number", (0.01, 0.1))
    far = evidence([0, 0, 0, 0, 1], null=[0], equal=[4], distance=np.array([0, 0.005, 0.05, 5, 0.0]))
    assert near.levels(far).tolist() == [0, 3, 2, 1, 4]
    assert near.levels(evidence([0.0], distance=np.array([np.nan]))).tolist() == [1], "without a number: far"
    dates = Levels.of("date", far)
    assert dates.edges == (0.1, 0.3, 0.5, 0.65, 0.8)
    few_days = evidence([0.0, 0.0, 0.7, 0.7], distance=np.array([0.001, 0.5, 0.001, 0.5]))
    assert dates.levels(few_days).tolist() == [4, 1, 5, 5]
    assert Levels.of("number", far).edges == (0.001, 0.003, 0.01, 0.03, 0.1, 0.3)
    assert Levels.of("name", evidence([1.0], equal=[0])).edges == (0.5,)
    assert Levels.of("name", evidence(np.linspace(0, 1, 1001))).edges == (0.5, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995)


def test_the_weight_of_a_level_is_how_much_more_often_matches_have_it():
    number = np.array([0, 1, 1, 1, 2, 2, 2, 2])
    chance = np.array([0.5, 0, 0, 1, 1, 1, 1, 0.0])
    found = _weights(number, chance, np.bincount(number))
    # 1 and 3 matches of 4, 2 and 1 others of 3; a sixth is added to each
    match, other = np.array([1, 3]) + 1 / 6, np.array([2, 1]) + 1 / 6
    assert found[0] == 0
    np.testing.assert_allclose(found[1:], np.log(match / match.sum() / (other / other.sum())))


def test_the_nearest_others_say_how_common_a_level_is_as_much_as_all():
    number, chance = np.repeat([1, 2, 3], [80, 10, 10]), np.zeros(100)
    chance[:5], chance[80], chance[90:98] = 1.0, 1.0, 1.0
    matches, others = np.bincount(number, chance), np.bincount(number, 1 - chance)
    nearest = np.array([0.0, 3.0, 6.0, 1.0])
    found = _weights(number, chance, np.bincount(number), nearest=nearest)
    match, other, hard = (counts[1:] + 0.5 / 4 for counts in (matches, others, nearest))
    expected = np.log(match / match.sum() / (0.5 * (other / other.sum() + hard / hard.sum())))
    sure = 1 / (1 / match + 1 / other)
    assert found[0] == 0
    np.testing.assert_allclose(found[1:], rising(expected, sure))
    assert expected.tolist() != sorted(expected.tolist()), "one falls, and so two are taken together"


def test_a_level_without_a_match_does_not_outweigh_one_that_has_matches():
    """A thousand others are nearest of all, none of them a match; the farthest have no match either."""
    number, chance = np.repeat([1, 2, 3], [1000, 100, 1000]), np.zeros(2100)
    chance[1000:1050] = 1.0
    seen = np.bincount(number)
    plain, told = _weights(number, chance, seen), _weights(number, chance, seen, nearest=np.array([0.0, 40, 5, 5]))
    assert told[2] > 2 > plain[2]
    assert told[1] < -5
    assert told[3] >= told[2]


def test_rivals_that_are_near_in_a_number_do_not_make_it_worthless():
    """Of 60 records each has its copy, ten that are near in the number alone, and one far off but alike in the name.

    Among all candidates a near number is as common as among copies; among those that come nearest by name it is rare.
    """
    kinds = np.tile(np.arange(12), 60)  # 0 is the copy, 1 the namesake
    left = np.repeat(np.arange(60), 12)
    found = Candidates(left, (left + kinds * 5) % 60, 60, 60, False)
    name = np.where(kinds == 0, 0.9, np.where(kinds == 1, 0.85, 0.2))
    apart = np.where(kinds == 1, 0.9, 0.02)
    fields = [evidence(name), evidence(np.zeros(720), distance=apart)]
    levels = [Levels("name", (0.5, 0.88)), Levels("number", (0.01, 0.1))]
    start = (kinds == 0) & (left < 40)
    got = estimate(found, fields, levels, start, Relation.ONE)
    far, near = got.weights[1][1], got.weights[1][2]
    assert near - far > 3
    with decided_by(Limits(nearest=12)):  # all rivals
        plain = estimate(found, fields, levels, start, Relation.ONE)
    assert plain.weights[1][2] < near


def test_rarity_by_hand():
    mine = evidence([1, 0, 1, 1, 0], equal=[0, 2, 3], share=2 / 3)
    equals = Equals.of(FOUND, mine)
    assert (equals.rows.tolist(), equals.size) == ([0, 2, 3], 3)
    assert equals.rarity(np.zeros(3), Relation.ONE).tolist() == pytest.approx([2 / 3] * 3)
    # both have the value: it is one other's, less half of what each record's matches are
    chance = np.array([0.5, 0.25, 0.0])
    expected = [
        (1 - 0.5 * (0.5 + 0.5) + 0.5) / 3,
        (1 - 0.5 * (0.25 + 0.25) + 0.5) / 3,
        (1 - 0.5 * (0 + 0.25) + 0.5) / 3,
    ]
    assert equals.rarity(chance, Relation.MANY).tolist() == pytest.approx(expected)
    assert Equals.of(FOUND, mine, 30).often.tolist() == pytest.approx([20] * 3)
    rare = Equals.of(FOUND, evidence([1] * 5, equal=[0], share=0.01), 10)
    assert rare.rarity(np.zeros(1), Relation.ONE).tolist() == pytest.approx([0.05]), "half a record has it at least"


def test_matches_are_told_from_random_pairs():
    """One random pair in ten is equal, however many of the candidates are."""
    number = np.array([1] * 50 + [2] * 50)
    found = _weights(number, np.where(np.arange(100) >= 90, 1.0, 0.0), np.array([0, 50, 50]), 0.1)
    assert found[2] == pytest.approx(np.log((10 + 1 / 6) / (10 + 2 / 6) / 0.1))
    assert found[2] > _weights(number, np.where(np.arange(100) >= 90, 1.0, 0.0), np.array([0, 50, 50]))[2]


def test_em_tells_matches_from_the_others():
    """Forty records, each with its copy and one other; copies are equal in three fields, others in none."""
    left, right = np.repeat(np.arange(40), 2), np.ravel(np.column_stack([np.arange(40), (np.arange(40) + 1) % 40]))
    found = Candidates(left, right, 40, 40, False)
    same = left == right
    mine = evidence(np.where(same, 1.0, 0.2), equal=np.flatnonzero(same))
    got = estimate(found, [mine] * 3, [Levels("name", (0.5,))] * 3, same, Relation.ONE)
    assert got.probability[same].min() > 0.9
    assert got.probability[~same].max() < 0.1
    assert got.odds.tolist() == pytest.approx((got.prior + got.parts.sum(1)).tolist())
    assert got.prior == pytest.approx(np.log(got.probability.sum() / (80 - got.probability.sum())), abs=0.02)
    never = estimate(found, [mine] * 3, [Levels("name", (0.5,))] * 3, same, Relation.ONE, never=left == 0)
    assert (never.probability[left == 0] == 0).all()
    assert never.probability[same][1:].min() > 0.8


@pytest.mark.parametrize("seed", range(4))
def test_logistic_regression_is_at_its_least(seed):
    """No step in any direction that is allowed makes it cheaper; weights are never below 0."""
    random = np.random.default_rng(seed)
    rows = random.normal(size=(40, 3))
    truth = (rows @ [1.0, -2.0, 0.3] + random.normal(size=40) > 0).astype(float)
    weight = random.random(40) + 0.1
    ridge = 0.01
    found = fit_logistic(rows, truth, weight, ridge)

    def cost(at):
        value = rows @ at[:-1] + at[-1]
        loss = (weight / weight.sum() * (np.logaddexp(0, value) - truth * value)).sum()
        return loss + ridge * (at[:-1] ** 2).sum()

    assert (found[:-1] >= 0).all()
    assert found[1] == 0
    for place, step in itertools.product(range(4), (-0.01, 0.01)):
        there = found.copy()
        there[place] += step
        if place == 3 or there[place] >= 0:
            assert cost(there) > cost(found)
    again = fit_logistic(rows, truth, weight, ridge, start=found)
    np.testing.assert_allclose(again, found, atol=1e-4)


def test_strength_is_twice_the_odds_less_the_strongest_rival():
    odds = np.array([4.0, 1.0, 3.0, 2.0, -1.0])
    low = -2.0  # one below the least: what a rival that is not there has
    one = strengths(FOUND, odds, Relation.ONE)
    assert one.pairs.tolist() == [8 - 1, 2 - 4, 6 - 2, 4 - 3, -2 - 2]
    assert one.best.tolist() == [7, 4, 1]
    # without the best: of record 0 the pair of 1, whose rivals on the right are 3; of record 1 there is none
    assert one.runner_up.tolist() == [2 - 3, low, -2 - low]
    assert one.side.tolist() == FOUND.left.tolist()
    many = strengths(FOUND, odds, Relation.TO_MANY)
    assert many.side.tolist() == FOUND.right.tolist()
    assert many.best.tolist() == [8 - low, 6 - 2, -2 - low]
    assert many.runner_up.tolist() == [low, 4 - 1, low]
    above = strengths(FOUND, odds + 1, Relation.TO_MANY)
    assert above.best.tolist() == [10, 8 - 3, 0], "where no odds are below 0, a rival that is not there has 0"
    table, rank = best_three(odds, FOUND.right, 3, -9.0)
    assert table.tolist() == [[4, -9, -9], [3, 2, 1], [-1, -9, -9]]
    assert rank.tolist() == [0, 2, 0, 1, 0]


def test_on_curve():
    assert on_curve(((0.0, 2.0), (0.0, 1.0)), np.array([-1, 0.5, 2, 3])).tolist() == [0, 0.25, 1, 1]
    assert on_curve(((), ()), np.array([1.0, 2.0])).tolist() == [0, 0]


@pytest.mark.parametrize("share", [0.0, 0.5, 1.0])
def test_runner_ups_tell_how_many_have_a_partner(share):
    """Right ones lie far above all wrong ones, and the best of records without a partner as their runner-ups do."""
    count = 2_000
    wrong = (np.arange(count) + 0.5) / count
    best = np.where(np.arange(count) % 100 < 100 * share, 5 + wrong, wrong)
    curve = calibrate(best, wrong)
    right = on_curve(curve, best)
    assert right[best > 2].mean() > 0.95 if share else True
    assert abs(right.sum() / count - share) < 0.1
    assert (np.diff(curve[0]) > 0).all()
    assert (np.diff(curve[1]) >= 0).all()


def test_a_rival_contests_by_how_far_it_is_behind():
    odds = np.array([4.0, 1.0, 3.0, 2.0, 1.0])
    found = shares(0.5, FOUND, odds, Relation.TO_ONE)
    # of record 0: its second is better off nowhere else? no: record 1 of the right is at its best with record 1
    assert found[0] == 1
    assert found[2] == 1
    # of record 2: the pair (2, 1) is not the best of right record 1, so the next one is contested by nobody that counts
    assert found[3] == pytest.approx(1 / (1 + np.exp(0.5 * (1 - 2))))
    assert found[4] == 1
    assert shares(None, FOUND, odds, Relation.TO_ONE).tolist() == [1] * 5


def test_a_contest_without_doubt_counts_odds_as_they_are():
    odds = np.array([4.0, 1.0, 3.0, 2.0, 1.0])
    for right in (np.zeros(3), np.ones(3)):
        assert contest(FOUND, odds, Relation.TO_ONE, right) == 1
    assert contest(FOUND, np.ones(5), Relation.TO_ONE, np.full(3, 0.5)) == 1, "all odds the same"
    assert contest(FOUND, odds, Relation.TO_ONE, np.array([0.9, 0.9, 0.5])) > 0
    assert contest(Candidates(*(np.zeros(0, np.int64),) * 2, 3, 3, False), np.zeros(0), Relation.ONE, np.ones(3)) == 1


def linked(left, right, odds, size, prior):
    """Average linkage by its definition: join the two groups of the highest gain, again and again."""
    from likewise.records.limits import limits

    shown = {pair: value for *pair, value in zip(left, right, odds, strict=True) for pair in [tuple(pair)]}
    sure = {record for pair, value in shown.items() if value > 0 for record in pair}
    groups = [{record} for record in range(size)]

    def gain(a, b):
        total = 0.0
        for one, two in itertools.product(a, b):
            value = shown.get((min(one, two), max(one, two)))
            known = value is not None and value > -limits().most and {one, two} <= sure
            total += (min(value, limits().most) if known else limits().no_candidate) - prior
        pairs = len(a) * len(b)
        touching = any((min(p), max(p)) in shown for p in itertools.product(a, b))
        return total / pairs + prior / pairs**0.5 if touching else -np.inf

    while True:
        best = max(((gain(a, b), a, b) for a, b in itertools.combinations(groups, 2)), key=lambda x: x[0], default=None)
        if best is None or best[0] <= 0:
            break
        groups = [one for one in groups if one is not best[1] and one is not best[2]] + [best[1] | best[2]]
    first = {record: min(one) for one in groups for record in one}
    return [first[record] for record in range(size)]


@pytest.mark.parametrize("seed", range(30))
def test_groups_are_those_of_average_linkage(seed):
    random = np.random.default_rng(seed)
    size = 7
    pairs = [pair for pair in itertools.combinations(range(size), 2) if random.random() < 0.6]
    odds = random.normal(0.5, 3, len(pairs))
    left, right = (np.array([pair[side] for pair in pairs], np.int64) for side in (0, 1))
    found = group(left, right, odds, size, -1.5)
    assert found.tolist() == linked(left.tolist(), right.tolist(), odds.tolist(), size, -1.5)


@pytest.mark.parametrize(("partners", "together"), [(12, True), (5, False)])
def test_who_has_more_partners_than_candidates_is_in_one_group(partners, together):
    """A ring of 200 of whom each knows the nearest: far ones were no candidates, as the lists of all were full."""
    size = 200
    left = np.repeat(np.arange(size), partners)
    right = (left + np.tile(np.arange(1, partners + 1), size)) % size
    found = group(left, right, np.full(len(left), 6.0), size, -2.0)
    assert bool((found == 0).all()) is together


def test_what_was_judged_outweighs_all_odds():
    left, right, odds = np.array([0, 1, 0]), np.array([1, 2, 2]), np.array([5.0, 5.0, 5.0])
    assert group(left, right, odds, 3, -1.0).tolist() == [0, 0, 0]
    apart = group(left, right, odds, 3, -1.0, np.array([0, 0, -1], np.int8)).tolist()
    assert apart[0] != apart[2]
    assert group(left, right, np.array([0.5, 12, -9]), 3, -1.0, np.array([0, 1, 0], np.int8)).tolist() == [0, 1, 1]


def mixture_of(chances):
    from types import SimpleNamespace

    return SimpleNamespace(probability=np.array(chances))


def test_partners_and_chains_by_hand():
    assert _partners(FOUND, mixture_of([0.1] * 5)) == 0
    assert _partners(FOUND, mixture_of([0.5, 0.9, 0.1, 0.9, 0.1])) == 3 / 2
    assert _partners(WITHIN, mixture_of([0.9, 0.5, 0.4])) == 4 / 3
    assert _closed(WITHIN, mixture_of([0.9, 0.9, 0.9])) == 1
    assert _closed(WITHIN, mixture_of([0.9, 0.9, 0.4])) == 0
    assert _closed(WITHIN, mixture_of([0.4] * 3)) == 0
    square = Candidates(np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1]), 2, 2, False)
    assert _closed(square, mixture_of([1, 1, 1, 1])) == 1
    assert _closed(square, mixture_of([1, 1, 1, 0])) == 0
    two = Candidates(np.array([0, 0, 0, 1, 1, 1]), np.array([0, 1, 2, 0, 1, 2]), 2, 3, False)
    # of the right records, 0 and 1 have both partners and 2 has one
    assert _closed(two, mixture_of([1, 1, 1, 1, 1, 0])) == 4 / 8


def test_less_is_less_than_half_and_by_far():
    from likewise.records.limits import limits

    errors = limits().sibling_errors
    assert _less(0, 10, (10 / errors) ** 2 * 0.99)
    assert not _less(0, 10, (10 / errors) ** 2 * 1.01)
    assert not _less(5, 10, 0.0)
    assert _less(4.9, 10, 0.0)


def test_what_differs_altogether():
    from likewise.records.limits import limits

    border = limits().unlike
    mine = evidence([0, border - 0.01, border, 1, 0], null=[0], equal=[4])
    assert unlike(mine).tolist() == [False, True, False, False, False]
    assert tells_apart(evidence([0, 0], share=limits().sharing / 100), 100)
    assert not tells_apart(evidence([0, 0], share=limits().sharing / 99), 100)
    assert not tells_apart(evidence([0.0], null=[0]), 100)


def test_members_of_a_group_differ_in_a_name_and_another_field():
    chosen = np.ones(10, bool)
    # seven of ten differ in both; three agree in both
    apart = evidence([0.0] * 7 + [1.0] * 3, equal=[7, 8, 9])
    mixed = evidence([0.0] * 7 + [0.9] * 3, equal=[7])
    assert differing_fields([apart, mixed], ["name", "date"], chosen) == [0, 1]
    assert differing_fields([apart, mixed], ["code", "date"], chosen) == [], "no name among them"
    assert differing_fields([apart], ["name"], chosen) == []
    nulls = evidence([0.0] * 7 + [1.0] * 3, null=range(6), equal=[7, 8, 9])
    assert differing_fields([nulls, mixed], ["name", "date"], chosen) == [], "most are null"
    five = evidence([0.0] * 5 + [1.0] * 5, equal=range(5, 10))
    assert differing_fields([five, mixed], ["name", "date"], chosen) == [], "half is not most"


def test_siblings_never_agree_twice():
    """Forty records with five likely partners each; among siblings one of the five agrees, among copies all do."""
    left, right = np.repeat(np.arange(40), 5), np.arange(200)
    found = Candidates(left, right, 40, 200, False)
    likely = np.ones(200, bool)
    assert siblings(found, likely, [evidence([0.0] * 200, equal=range(0, 200, 5))])
    assert not siblings(found, likely, [evidence([1.0] * 200, equal=range(200))])
    assert not siblings(found, likely, [evidence([0.0] * 200, null=range(200))])


def test_labels_are_found_among_candidates_and_the_last_word_counts():
    left, right = np.array([2, 0, 1, 2]), np.array([2, 0, 0, 2])
    at, same = _places(FOUND, (left, right, np.array([True, True, True, False])))
    assert dict(zip(at.tolist(), same.tolist(), strict=True)) == {0: True, 4: False}
    at, same = _places(WITHIN, (np.array([2]), np.array([1]), np.array([True])))
    assert (at.tolist(), same.tolist()) == ([2], [True])
    none = Candidates(np.zeros(0, np.int64), np.zeros(0, np.int64), 3, 3, False)
    assert len(_places(none, (left, right, np.ones(4, bool)))[0]) == 0


def test_a_label_is_foretold_by_a_fit_that_did_not_see_it():
    same = np.array([True] * 5 + [False] * 5)
    offset, part = np.array([1.0, -1.0] * 5), np.arange(10) % 5
    nothing = _foretold(np.zeros((10, 0)), offset, same, part)
    np.testing.assert_allclose(nothing, np.logaddexp(0, np.where(same, -offset, offset)))
    # a feature that only one of the labels has says nothing of that one
    lone = np.zeros((10, 1))
    lone[3] = 1.0
    np.testing.assert_allclose(_foretold(lone, offset, same, part)[3], nothing[3])
    # ... nor one that only the labels of its record have, which are left out with it
    lone[8] = 1.0
    np.testing.assert_allclose(_foretold(lone, offset, same, part)[3], nothing[3])
    assert _foretold(lone, offset, same, np.arange(10) % 4)[3] != nothing[3]


def test_labels_correct_as_much_as_they_are_many_and_where_they_are():
    random = np.random.default_rng(3)
    odds, record = random.normal(0, 2, 600), np.arange(600)
    parts = odds[:, None] + 2.0

    def judged(right):
        return random.random(600) < 1 / (1 + np.exp(-right))

    assert learn(odds, parts, judged(odds), record) is None, "the model was right"
    higher = learn(odds, parts, judged(odds + 3), record)
    added = bend(higher, np.array([-1.0, 0.0, 1.0]))
    assert np.all((added > 2) & (added < 4))
    # Judged near even odds only, labels say nothing of pairs that the model is sure of.
    near = np.flatnonzero(np.abs(odds) < 0.7)
    local = learn(odds[near], parts[near], judged(odds + 3)[near], record[near])
    assert bend(local, np.array([0.0]))[0] > 1.5
    assert np.abs(bend(local, np.array([-5.0, 5.0]))).max() < 0.1
    # A few that were clear before, each foretold a little better, are no reason.
    assert learn(np.full(20, -3.0), np.zeros((20, 1)), np.zeros(20, bool), np.arange(20)) is None


@given(st.lists(st.integers(0, 4), max_size=12))
def test_ranks_and_ascending(values):
    groups = np.array(sorted(values), np.int64)
    assert ranks(groups).tolist() == [sorted(values)[:place].count(value) for place, value in enumerate(sorted(values))]
    assert ascending(np.array(values, np.int64)).tolist() == sorted(set(values))


cells = st.lists(st.tuples(*[st.sampled_from(["a", "b", "c", None])] * 3), min_size=1, max_size=8)


@given(cells, cells, st.integers(1, 3))
def test_keys_agree_where_all_columns_do(left, right, count):
    names = ["x", "y", "z"][:count]
    sides = [[{"id": n, **dict(zip("xyz", row, strict=True))} for n, row in enumerate(rows)] for rows in (left, right)]
    found = keys([read_table(rows, id="id") for rows in sides], names)
    for (a, one), (b, two) in itertools.product(zip(found[0], left, strict=True), zip(found[1], right, strict=True)):
        agree = None not in one[:count] and one[:count] == two[:count]
        assert (a == b and a >= 0) == agree
    assert [key < 0 for key in found[0]] == [None in row[:count] for row in left]


def test_columns_number_their_texts():
    column = Column.of(["b", None, "a", " ", "b"])
    assert (column.texts, column.codes.tolist(), column.repeats().tolist()) == (["b", "a"], [0, -1, 1, -1, 0], [2, 1])
    assert column.values() == ["b", None, "a", None, "b"]
    assert column.sample(2) == ["b", "a", "b"]
    assert column.all_texts() == ["b", "a", "b"]
    assert column.to_prepare(np.array([1])) == ["a"]
    assert same_texts(column, Column.of(["a", "x"])).tolist() == [-1, 0]


def test_which_fields_name_a_partner():
    # more than a tenth as many texts as records on both sides, of less than 80 letters
    assert identifies((11, 11), (100, 100), 11 * 79)
    assert not identifies((10, 50), (100, 100), 100)
    assert not identifies((50, 10), (100, 200), 100)
    assert not identifies((11, 11), (100, 100), 11 * 80)
    assert not identifies((0, 5), (100, 100), 0)
    assert [other_ways(count) for count in (1, 10, 11, 12, 13, 40)] == [5, 5, 5, 6, 6, 20]
    assert [kind for kind in ("number", "money", "date", "coordinates", "name") if in_a_row(kind)] == [
        "number",
        "money",
        "date",
    ]


def test_the_newest_record():
    ages = ["2021-05-01", "2021-05-02", "2021-06-01", "2022-01-01", "2022-01", "7", "", "soon"]
    found = dict(zip(ages, map(_age, ages), strict=True))
    assert found["2021-05-01"] < found["2021-05-02"] < found["2021-06-01"] < found["2022-01"] < found["2022-01-01"]
    assert (found["7"], found[""], found["soon"]) == (7, -np.inf, -np.inf)
    assert _age("2021-12-31") < _age("2022-01")
    assert _survivor(["x", "y", None], [0, 1, 2], "newest", [1.0, 1.0, 9.0]) == "y", "of equals the last"
    assert _survivor(["x", "yy", "zz"], [0, 1, 2], "longest", None) == "yy", "of equals the first"
    assert _survivor(["x", "yy", "x"], [0, 1, 2], "frequent", None) == "x"
    assert _survivor([None, " ", "z"], [0, 1, 2], "longest", None) == "z"
    assert _survivor([None, " "], [0, 1], "frequent", None) is None


def test_the_middle_of_the_widest_step():
    one = Pairs(np.array([0]), np.array([1]), np.array([0.5]))
    # from 1 down to 0.5 and from there to 0: both are as wide, and one plateau
    assert widest_margin(one, 1) == pytest.approx(0.5, abs=0.005)
    assert widest_margin(Pairs(np.array([0]), np.array([1]), np.array([0.4])), 1) == pytest.approx(0.7, abs=0.005)
    assert widest_margin(Pairs(np.array([0]), np.array([1]), np.array([0.8])), 1) == pytest.approx(0.4, abs=0.005)
    # a list as long as was asked for may go on below its last
    assert widest_margin(Pairs(np.array([0]), np.array([1]), np.array([0.8])), 1, asked=1) == pytest.approx(
        0.9, abs=0.005
    )
    assert best_in(Pairs(np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0))).tolist() == []


def test_hundredths_are_asked_about():
    assert none_from(0.5) == "no pair scores 0.5 or more"
    assert "meant" not in none_from(1)
    assert none_from(2).endswith("was 0.02 meant?")
    assert none_from(100).endswith("was 1 meant?")
    assert none_from(101) == "no pair scores 101 or more"
    assert "meant" not in none_from(1.5)
