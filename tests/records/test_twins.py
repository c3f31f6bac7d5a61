"""What decides on records against slow twins, on small tables of many kinds; values lie on a grid: borders are met."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from tests.reference import records as slow

from likewise.records import literal, refit, relation
from likewise.records.candidates import Candidates
from likewise.records.chances import at_most, expected, without_rivals
from likewise.records.decision import KNOTS, Correction, Decision, Learnt, Least
from likewise.records.evidence import Evidence
from likewise.records.limits import Limits, decided_by
from likewise.records.partners import Relation
from likewise.records.runner_up import Calibration

CASES = range(80)


def pairs_of(random, self_join, lefts=6, rights=5, share=0.5):
    rights = lefts if self_join else rights
    there = random.random((lefts, rights)) < share
    left, right = np.nonzero(np.triu(there, 1) if self_join else there)
    return Candidates(left.astype(np.int64), right.astype(np.int64), lefts, rights, self_join)


def evidence_of(random, size, equal=0.4, null=0.2, share=(0.05, 0.1, 0.2)):
    gone = random.random(size) < null
    same = ~gone & (random.random(size) < equal)
    alike = np.where(same, 1.0, random.choice([0.0, 0.1, 0.3, 0.5, 0.6, 0.9], size))
    return Evidence(gone, np.where(gone, 0.0, alike), same, random.choice(share, size))


def mixture_of(chance):
    return SimpleNamespace(probability=np.asarray(chance, float))


@pytest.mark.parametrize("self_join", [False, True])
def test_partners_and_chains(self_join):
    seen = set()
    for seed in CASES:
        random = np.random.default_rng(seed)
        found = pairs_of(random, self_join, *random.integers(2, 8, 2), share=random.random())
        chance = random.choice([0.25, 0.5, 0.75], len(found))
        assert relation._partners(found, mixture_of(chance)) == pytest.approx(slow.partners(found, chance >= 0.5))
        closed = slow.closed(found, chance >= 0.5)
        assert relation._closed(found, mixture_of(chance)) == pytest.approx(closed)
        seen.add(round(closed, 2))
    assert len(seen) > 5


def with_limits(limits, function, *arguments, **more):
    with decided_by(limits):
        return function(*arguments, **more)


def test_within_one_table_records_have_several_from_both_limits_on():
    found = Candidates(np.array([0, 0, 1, 2]), np.array([1, 2, 2, 3]), 5, 5, True)
    mixture, score = mixture_of([0.9] * 4), np.ones(4)
    many, closed = slow.partners(found, [1] * 4), slow.closed(found, [1] * 4)
    for several in (many, np.nextafter(many, 9)):
        for least in (closed, np.nextafter(closed, 9)):
            said = with_limits(Limits(several=several, closed=least), relation.several, found, mixture, score)
            assert said == (several == many and least == closed)


def test_between_two_tables_records_have_several_between_limits():
    """Two groups of two by two whose one pair is missing: chains are closed mostly."""
    left, right = np.array([0, 0, 1, 2, 2, 3, 3]), np.array([0, 1, 1, 2, 3, 2, 3])
    found, mixture = Candidates(left, right, 5, 4, False), mixture_of([0.9] * 7)
    many, closed = slow.partners(found, [1] * 7), slow.closed(found, [1] * 7)
    assert 0 < closed < 1 < many
    score = np.arange(7) / 7

    def said(**limits):
        usual = {"several_between": many, "most_between": many, "closed": closed, "closed_between": closed}
        return with_limits(Limits(**{**usual, **limits}), relation.several, found, mixture, score)

    assert said()
    assert not said(several_between=np.nextafter(many, 9))
    assert not said(most_between=np.nextafter(many, 0))
    assert not said(closed_between=1.0, closed=np.nextafter(closed, 1))
    # In between it is asked how many partners stand out; as many as is said are hidden.
    out = [float(relation._claims(found, score, one).sum()) for one in (Relation.TO_MANY, Relation.TO_ONE)]
    hidden = 1 - max(out) / (7 / many)
    assert said(closed_between=1.0, hidden=hidden - 1e-9)
    assert not said(closed_between=1.0, hidden=hidden + 1e-9)


@pytest.mark.parametrize("self_join", [False, True])
def test_siblings(self_join):
    said = []
    for seed in CASES:
        random = np.random.default_rng(seed)
        found = pairs_of(random, self_join, 14, 12, random.choice([0.1, 0.2, 0.3]))
        evidence = [evidence_of(random, len(found), random.choice([0.1, 0.5, 0.8])) for _ in range(2)]
        likely = random.random(len(found)) < random.choice([0.2, 0.5, 0.9])
        limits = Limits(sibling_errors=random.choice([0.1, 0.5, 1.0]), sharing=random.choice([0.1, 1.2, 3.0]))
        said.append(slow.siblings(found, likely, evidence, limits))
        assert with_limits(limits, relation.siblings, found, likely, evidence) == said[-1]
    assert 3 < sum(said) < len(said) - 3


def test_siblings_agree_less_often_than_who_is_alone():
    """Ten lone pairs agree in a code; of records with three partners each, none or half do: five of each are enough."""
    for lone, agreeing, siblings in ((10, 0, True), (5, 0, True), (4, 0, False), (10, 6, False)):
        left = np.array([*range(lone), *np.repeat(np.arange(lone, lone + 4), 3)])
        found = Candidates(left, np.arange(len(left)), 20, 30, False)
        equal = np.arange(len(left)) < lone
        equal[lone : lone + agreeing] = True
        mine = Evidence(np.zeros(len(left), bool), equal.astype(float), equal, np.full(len(left), 0.05))
        likely = np.ones(len(left), bool)
        limits = Limits(sibling_errors=1.0)
        assert slow.siblings(found, likely, [mine], limits) == siblings
        assert with_limits(limits, relation.siblings, found, likely, [mine]) == siblings


def test_a_class():
    said = []
    for seed in CASES:
        random = np.random.default_rng(seed)
        evidence = [evidence_of(random, 8, 0.1, 0.3) for _ in range(2)]
        likely, limits = random.random(8) < 0.8, Limits(unlike=random.choice([0.2, 0.3, 0.4]))
        said.append(slow.of_a_class(evidence, likely, limits))
        assert with_limits(limits, relation.of_a_class, evidence, likely) == said[-1]
    assert 3 < sum(said) < len(said) - 3
    mine = Evidence(np.zeros(5, bool), np.full(5, 0.25), np.zeros(5, bool), np.ones(5))
    assert not with_limits(Limits(unlike=0.25), relation.of_a_class, [mine], np.ones(5, bool))
    assert with_limits(Limits(unlike=0.26), relation.of_a_class, [mine], np.ones(5, bool))


def test_members_of_a_group():
    said, fields = [], []
    for seed in range(400):
        random = np.random.default_rng(seed)
        size = int(random.integers(2, 9))
        same = random.random(size) < 0.4  # fields agree together, or each as it likes
        evidence = []
        for _ in range(random.integers(1, 4)):
            mine = evidence_of(random, size, random.choice([0.1, 0.3]), random.choice([0, 0.3, 0.6]))
            if random.random() < 0.6:
                mine = replace(mine, alike=np.where(mine.null, 0, np.where(same, 0.9, 0.1)), equal=~mine.null & same)
            evidence.append(mine)
        kinds = random.choice(["name", "text", "code"], len(evidence)).tolist()
        chosen = random.random(size) < random.choice([0.5, 0.9, 1.0])
        limits = Limits(
            together=random.choice([1.0, 1.5, 2.0]),
            neighbours=random.choice([0.25, 0.5, 1.0]),
            siblings=random.choice([0.25, 0.5]),
            sharing=random.choice([0.5, 1.0, 2.0]),
        )
        many, kin = random.choice([None, 10]), bool(random.random() < 0.3)
        fields.append(slow.differing_fields(evidence, kinds, chosen, limits))
        assert with_limits(limits, relation.differing_fields, evidence, kinds, chosen) == fields[-1], seed
        expected = slow.members_of(evidence, kinds, chosen, many, kin, limits)
        found = with_limits(limits, relation.members_of, evidence, kinds, chosen, many, kin)
        assert (None if found is None else found.tolist()) == expected, seed
        said.append(None if expected is None else any(expected))
    assert 30 < sum(one is None for one in said) < 370
    assert 10 < sum(map(bool, fields)) < 390


def test_who_is_copied():
    for copied, border in ((1, 10), (2, 20), (0, 1)):
        whole = SimpleNamespace(texts=lambda side, copied=copied, border=border: (border, border - copied))
        assert not with_limits(Limits(shared=copied / border), relation._copied, whole, 0)
        assert with_limits(Limits(shared=copied / border - 1e-9), relation._copied, whole, 0)


def test_codes_run_in_series_from_a_share_of_near_ones_on():
    field = SimpleNamespace(
        kind="code",
        nearest_texts=lambda side: np.array([0.7, 0.69, 0.2] if side else [0.1, 0.2, 0.3]),
        texts=lambda side: (9, 4),
    )
    assert relation._near(field, 1) == 0.25
    assert with_limits(Limits(in_series=0.25), relation.in_series, field)
    assert not with_limits(Limits(in_series=0.26), relation.in_series, field)
    assert not with_limits(
        Limits(in_series=0.25), relation.in_series, SimpleNamespace(**{**vars(field), "kind": "name"})
    )
    none = SimpleNamespace(nearest_texts=lambda side: np.zeros(0), texts=lambda side: (0, 0))
    assert relation._near(none, 0) == 0


def test_the_best_claim_of_each_record_counts():
    for seed in range(20):
        random = np.random.default_rng(seed)
        found = pairs_of(random, False, 30, 25, 0.2)
        score = random.permutation(len(found)) / len(found)
        for one in (Relation.TO_MANY, Relation.TO_ONE):
            side = found.right if one is Relation.TO_MANY else found.left
            claims = relation._claims(found, score, one)
            for record in np.unique(side):
                mine = np.flatnonzero(side == record)
                assert np.all(claims[mine[score[mine] < score[mine].max()]] == 0)


# Copies.


def copies_case(seed, self_join):
    random = np.random.default_rng(seed)
    found = pairs_of(random, self_join, 7, int(random.integers(4, 10)), 0.7)
    values = int(random.integers(2, 4))
    codes = [random.integers(-1, values, found.lefts) for _ in range(3)]
    others = codes if self_join else [random.integers(-1, values, found.rights) for _ in range(3)]
    codes, others = codes[: 2 + seed % 2], others[: 2 + seed % 2]
    fields, evidence = [], []
    for mine, theirs in zip(codes, others, strict=True):
        a, b = mine[found.left], theirs[found.right]
        null = (a < 0) | (b < 0)
        fields.append(SimpleNamespace(codes=lambda side, mine=mine, theirs=theirs: theirs if side else mine))
        evidence.append(Evidence(null, np.zeros(len(a)), ~null & (a == b), random.choice([0.1, 0.2, 0.4], len(a))))
    return found, codes, others, fields, tuple(evidence)


@pytest.mark.parametrize("self_join", [False, True])
def test_equal_only_by_chance(self_join):
    seen = set()
    for seed in CASES:
        found, codes, others, fields, evidence = copies_case(seed, self_join)
        # values of records are rare or not: with few pairs it is the table that says more, or the pair
        rare = np.random.default_rng(seed).choice([0.01, 0.2, 1.0])
        evidence = tuple(replace(mine, share=mine.share * rare) for mine in evidence)
        limits = Limits(literal_before=np.random.default_rng(seed).choice([0.1, 0.5]))
        expected = slow.by_chance(found, codes, others, evidence, limits)
        assert with_limits(limits, literal.chance_of_equality, found, fields, evidence) == pytest.approx(expected), seed
        seen |= {round(one, 3) for one in expected}
    assert len(seen) > 10


def test_many_copies_are_hardly_ever_by_chance():
    """Records with values of their own: of the table, next to none are equal by chance; of the pair, half of one."""
    size = 40
    mine, theirs = np.arange(size), np.arange(size)
    found = Candidates(mine, theirs, size, size, False)
    fields = [SimpleNamespace(codes=lambda side: mine) for _ in range(3)]
    evidence = tuple(Evidence(mine < 0, np.ones(size), mine >= 0, np.full(size, 1 / size)) for _ in fields)
    expected = slow.by_chance(found, [mine] * 3, [theirs] * 3, evidence, Limits())
    assert literal.chance_of_equality(found, fields, evidence) == pytest.approx(expected)
    assert max(expected) < 0.1


GRID = 64


def decision_of(random, found, kind, learnt=True, fields=("a", "b", "rivals")):
    """Return a decision whose probabilities lie on a grid, so that sums are exact."""
    size = len(found)
    probability = np.where(random.random(size) < 0.2, 0.0, random.integers(1, GRID, size) / GRID)
    parts = random.integers(-8, 8, (size, len(fields))) / 4
    prior = -0.5
    threshold = random.integers(20, 50) / GRID
    keep = without_rivals(found, probability, kind) & (probability >= threshold)
    calibration = Calibration(threshold, float(random.integers(0, 6)), 0.5, 0.5, 0.5, ((), ()), 0.25)
    known = Learnt(kind, found.self_join) if learnt else None
    odds = prior + parts.sum(1)
    return Decision(found, fields, parts, prior, odds, probability, keep, kind, calibration, learnt=known)


def same_figures(reached, expected):
    threshold, *figures = expected
    assert reached.threshold == pytest.approx(threshold)
    assert [reached.matches, reached.precision, reached.recall, reached.f1] == pytest.approx(figures, nan_ok=True)


def test_what_is_expected():
    none = some = 0
    for seed in range(300):
        random = np.random.default_rng(seed)
        chance = random.integers(0, random.choice([24, 40, GRID + 1]), random.integers(0, 12)) / GRID
        wish = random.choice([0.0, 0.25, 0.5, 0.75])
        there, many = float(random.choice([0, 3, 20])), bool(random.random() < 0.3)
        for wished, plain in ((None, None), (float(wish), float(wish)), (Least(float(wish)), ("least", float(wish)))):
            figures = slow.expected(chance.tolist(), plain, there, many)
            same_figures(expected(chance, wished, there, many), figures)
            none, some = none + (figures[0] == 2), some + (figures[0] < 2)
    assert min(none, some) > 100
    # half right is not more wrong than right; even odds are no reason to give nothing
    assert expected(np.array([0.5, 0.5])).threshold == 0.5
    assert expected(np.array([0.49, 0.49])).threshold == 2
    assert expected(np.array([])).matches > 0


@pytest.mark.parametrize("kind", list(Relation))
def test_the_strongest_go_first(kind):
    for seed in CASES:
        random = np.random.default_rng(seed)
        found = pairs_of(random, False, 6, 5)
        odds = random.integers(-3, 4, len(found)) / 2 if kind is Relation.ONE else random.permutation(len(found)) / 2
        assert without_rivals(found, odds, kind).tolist() == slow.without_rivals(found, odds.tolist(), kind)


@pytest.mark.parametrize("kind", list(Relation))
@pytest.mark.parametrize("wish", [None, 0.5, 0.75])
def test_copies_beat_other_partners(kind, wish):
    for seed in range(60):
        random = np.random.default_rng(seed)
        found = pairs_of(random, seed % 3 == 0, 6, 5)
        decision = decision_of(random, found, kind, learnt=seed % 5 > 0)
        copies = random.random(len(found)) < 0.3
        if not copies.any():
            continue
        chance = np.where(copies, np.maximum(decision.probability, 62 / GRID), decision.probability)
        made = literal._given(decision, chance, copies, wish)
        probability, keep, odds, parts, figures = slow.given_copies(decision, chance, copies, wish)
        assert made.probability.tolist() == probability
        assert made.keep.tolist() == keep
        np.testing.assert_allclose(made.odds, odds)
        np.testing.assert_allclose(made.parts, parts)
        matches, precision, recall, f1, threshold = figures
        same_figures(made.calibration, (threshold, matches, precision, recall, f1))
        assert made.calibration.contest == 0.25


def test_copies_are_given_from_a_probability_on():
    said = []
    for seed in CASES:
        found, _, _, fields, evidence = copies_case(seed, bool(seed % 2))
        if not len(found):
            continue
        random = np.random.default_rng(seed)
        decision = decision_of(random, found, Relation.MANY)
        chance = 1 - literal.chance_of_equality(found, fields, evidence)
        least = float(random.choice([0.3, 0.6]))
        for wish in (None, 0.1, 0.5, float(chance.max())):
            copies = chance >= max(least, wish or 0)
            made = with_limits(Limits(literal_chance=least), literal.with_copies, decision, fields, evidence, wish)
            if not (copies & (chance > decision.probability)).any():
                assert made is decision
                continue
            said.append(seed)
            expected = np.where(copies, np.maximum(chance, decision.probability), decision.probability)
            assert made.keep[copies].all()
            assert made.probability[copies].tolist() == expected[copies].tolist()
    assert len(said) > 20
    judged = replace(decision, judged=np.zeros(len(found), np.int8))
    assert literal.with_copies(judged, fields, evidence, None) is judged
    assert literal.with_copies(decision, fields[:1], evidence[:1], None) is decision


# Labels.


@pytest.mark.parametrize("corrected", ["no", "bent", "weighed"])
@pytest.mark.parametrize("wish", [None, 0.5, Least(0.5)])
def test_corrected_odds(corrected, wish):
    for seed in range(50):
        random = np.random.default_rng(seed)
        kind = list(Relation)[seed % 4]
        found = pairs_of(random, seed % 5 == 0, 5, 4)
        decision = decision_of(random, found, kind, fields=("a", "b", "rivals") if seed % 3 else ("a", "b", "c"))
        if seed % 7 == 0:
            decision = replace(decision, calibration=replace(decision.calibration, threshold=2.0))
        correction = None
        if corrected != "no":
            factors = (1.0, 1.5, 0.5) if corrected == "weighed" else (1.0, 1.0, 1.0)
            correction = Correction(tuple(random.normal(0, 1, len(KNOTS)).tolist()), factors)
        judged = random.choice([0, 0, 1, -1], len(found)).astype(np.int8) if seed % 2 else None
        made = refit.correct(decision, correction, wish, judged)
        plain = ("least", 0.5) if isinstance(wish, Least) else wish
        odds, parts, probability, keep, reached = slow.correct(decision, correction, plain, judged, KNOTS)
        np.testing.assert_allclose(made.odds, odds)
        np.testing.assert_allclose(made.parts, np.array(parts).reshape(made.parts.shape))
        np.testing.assert_allclose(made.probability, probability, atol=1e-12)
        assert made.keep.tolist() == keep
        same_figures(made.calibration, reached)
        assert made.parts.shape[1] == len(made.fields)
        assert (made.judged is None) == (judged is None)


@pytest.mark.parametrize("seed", range(4))
def test_a_fit_is_at_its_least(seed):
    random = np.random.default_rng(seed)
    width = len(KNOTS) + 2
    features, offset = random.normal(0, 1, (60, width)), random.normal(0, 1, 60)
    same = random.random(60) < 1 / (1 + np.exp(-(offset + features[:, 0] + 2 * features[:, -1])))
    spread = np.array([refit._SPREAD_OF_BEND] * len(KNOTS) + [refit._SPREAD_OF_FACTOR] * 2)

    def cost(weights):
        odds = offset + features @ weights
        return np.logaddexp(0, np.where(same, -odds, odds)).sum() + (weights**2 / spread**2).sum() / 2

    found = refit._fit(features, offset, same)
    assert np.abs(found).max() > 0.5
    for place in range(width):
        step = np.eye(width)[place] * 1e-4
        slope = (cost(found + step) - cost(found - step)) / 2e-4
        assert slope == pytest.approx(0, abs=1e-5)


def test_far_out_a_fit_takes_small_steps():
    """Labels that contradict a sure model: the curve is flat there, and a full step would overshoot."""
    features, offset = np.ones((50, 1)), np.full(50, 30.0)
    found = refit._fit(features, offset, np.zeros(50, bool))
    odds = offset + found[0]
    assert (50 / (1 + np.exp(-odds[0]))) + found[0] == pytest.approx(0, abs=1e-6)


def test_labels_weigh_fields_where_that_foretells_better():
    random = np.random.default_rng(0)
    parts = random.normal(0, 2, (900, 2))
    odds, record = parts.sum(1), np.arange(900)
    same = random.random(900) < 1 / (1 + np.exp(-(3 * parts[:, 0] - parts[:, 1])))
    learnt = refit.learn(odds, parts, same, record)
    assert learnt.factors[0] > 1.5 > 0.5 > learnt.factors[1]
    near = np.exp(-0.5 * (odds[:, None] - np.array(KNOTS)) ** 2)
    whole = refit._fit(np.column_stack([near, parts]), odds, same)
    assert learnt.bend == tuple(whole[: len(KNOTS)].tolist())
    assert learnt.factors == tuple((1 + whole[len(KNOTS) :]).tolist())
    bent = refit.learn(odds, parts, random.random(900) < 1 / (1 + np.exp(-odds - 2)), record)
    assert bent.factors == (1.0, 1.0)
    assert refit.learn(odds, parts, np.ones(900, bool), record).factors == (1.0, 1.0), (
        "all the same: fields say nothing"
    )


def test_what_is_left_out_is_a_part_of_the_records():
    """Labels of one record are in one part, whatever its number; parts are as large as each other."""
    record = np.repeat(np.array([7, 3, 9, 1, 5, 4, 8]), 2)
    part = np.unique(record, return_inverse=True)[1] % refit._PARTS
    assert all(len(set(part[record == one])) == 1 for one in record)
    features, offset, same = np.ones((14, 1)), np.zeros(14), np.arange(14) % 3 == 0
    loss = refit._foretold(features, offset, same, part)
    for one in np.unique(part):
        out = part == one
        odds = features[out] @ refit._fit(features[~out], offset[~out], same[~out])
        np.testing.assert_allclose(loss[out], np.logaddexp(0, np.where(same[out], -odds, odds)))


def test_odds_are_moved():
    chance = np.array([0.0, 0.5, 1.0, 0.25, 0.75])
    assert refit._moved(chance, np.zeros(5)).tolist() == chance.tolist()
    moved = refit._moved(chance, np.full(5, np.log(3)))
    assert moved[1:] == pytest.approx([0.75, 1.0, 0.5, 0.9])
    assert 0 < moved[0] < 1e-11
    assert 0 < refit._moved(np.array([0.5]), np.array([-50.0]))[0] < 1e-15


def test_labels_refit_a_decision():
    random = np.random.default_rng(1)
    found = pairs_of(random, False, 6, 5)
    decision = decision_of(random, found, Relation.MANY)
    labels = (found.left[:2], found.right[:2], np.array([True, False]))
    made = refit.refit(decision, labels, None)
    assert made.judged.tolist() == [1, -1] + [0] * (len(found) - 2)
    assert made.learnt.correction is None
    assert made.learnt.threshold == made.calibration.threshold == decision.calibration.threshold
    assert made.keep[0]
    assert not made.keep[1]
    wished = refit.refit(decision, labels, 0.75)
    assert wished.calibration.precision == slow.correct(decision, None, None, made.judged, KNOTS)[4][2] or (
        wished.calibration
        == refit.correct(decision, None, Least(decision.calibration.threshold), made.judged).calibration
    )
    none = replace(decision, learnt=None)
    assert refit.refit(none, (found.left[:1], found.right[:1], np.array([False])), None) is none
    assert refit.refit(none, labels, None).learnt is None
    assert refit.refit(none, labels, None).keep[0]


def test_no_pair_is_more_probable_than_it_may_be():
    for seed in range(30):
        random = np.random.default_rng(seed)
        found = pairs_of(random, False, 6, 5)
        decision = decision_of(random, found, Relation.MANY)
        most = random.integers(0, GRID + 1, len(found)) / GRID
        made = at_most(decision, most, None)
        chance = np.minimum(decision.probability, most)
        assert made.probability.tolist() == chance.tolist()
        reached = slow.expected(chance.tolist(), None, 0, False)
        assert made.keep.tolist() == (chance >= reached[0]).tolist()
        shown = np.clip(chance, 1e-4, 1 - 1e-4)
        np.testing.assert_allclose(made.odds, np.log(shown / (1 - shown)))
        np.testing.assert_allclose(made.parts[:, -1], decision.parts[:, -1] + made.odds - decision.odds)
        assert made.parts[:, :-1].tolist() == decision.parts[:, :-1].tolist()
