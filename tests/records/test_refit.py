"""Labels: what was judged is decided so, the model learns from it, and keeps it."""

from dataclasses import replace

import numpy as np
import pytest
from tests.records.made import decision_of
from tests.records.test_decision import f1, people, worse

import likewise as lw
from likewise.errors import OptionError
from likewise.records.candidates import Candidates
from likewise.records.decision import Decision, Learnt
from likewise.records.partners import Relation
from likewise.records.refit import learn, refit
from likewise.records.runner_up import Calibration


def blurred(record, random):
    """Return the record with little left that tells it from others."""
    changed = worse(record, random)
    return {**changed, "key": None, "born": changed["born"] if random.random() < 0.5 else changed["born"][:4]}


@pytest.fixture(scope="module")
def tables():
    random = np.random.default_rng(5)
    left = people(250)
    right = [blurred(record, random) for record in left[:150]] + people(150, seed=9)
    return left, right, {(place, place) for place in range(150)}


def test_labels_where_the_model_is_least_sure(tables):
    left, right, gold = tables
    without = lw.match(left, right)
    doubtful = without.review.to_pylist()[:50]
    labels = [(row["left"], row["right"], (row["left"], row["right"]) in gold) for row in doubtful]
    found = lw.match(left, right, labels=labels)
    assert f1(found, gold) >= f1(without, gold)
    assert found.decision.labels == len(labels)
    assert f"decided with {len(labels)} labels" in found.decision.to_text()
    pairs = {(match.left, match.right) for match in found}
    assert all(((left, right) in pairs) <= same for left, right, same in labels)
    # The same for a table of labels, and in whatever order they were given.
    again = lw.match(
        left,
        right,
        labels={
            "left": [one[0] for one in labels],
            "right": [one[1] for one in labels],
            "match": [int(one[2]) for one in labels],
        },
    )
    assert again.table.equals(found.table)


def test_what_was_judged_is_decided_so(tables):
    left, right, _ = tables
    first, second, *_ = lw.match(left, right)
    found = lw.match(left, right, labels=[(first.left, first.right, 0), (second.left, (second.right + 7) % 300, 1)])
    pairs = {(match.left, match.right) for match in found}
    assert (first.left, first.right) not in pairs
    assert (second.left, (second.right + 7) % 300) in pairs
    weights = [row for row in found.evidence.to_pylist() if row["field"] == "judged" and row["weight"]]
    assert weights


def test_labels_are_kept_in_the_model(tables, tmp_path):
    left, right, gold = tables
    doubtful = lw.match(left, right).review.to_pylist()[:30]
    labels = [(row["left"], row["right"], (row["left"], row["right"]) in gold) for row in doubtful]
    model = lw.match(left, right, labels=labels).model
    assert model.labels == tuple((str(a), str(b), same) for a, b, same in labels)
    model.save(tmp_path / "model.json")
    again = lw.match(left, right, model=tmp_path / "model.json")
    assert (again.model.labels, again.model.learnt) == (model.labels, model.learnt)
    with pytest.raises(OptionError, match="model and labels exclude each other"):
        lw.match(left, right, model=model, labels=labels)


def test_judged_duplicates():
    random = np.random.default_rng(7)
    rows = [row for record in people(60, seed=11) for row in (record, worse(record, random), worse(record, random))]
    before = lw.dedupe(rows)
    apart = next(cluster.ids for cluster in before if len(cluster.ids) > 1)
    alone = next(place for place in range(len(rows)) if place not in apart)
    labels = [(apart[0], apart[1], "no"), (apart[0], alone, "yes")]
    cluster = dict(zip(range(len(rows)), lw.dedupe(rows, labels=labels).table["cluster"].to_pylist(), strict=True))
    assert cluster[apart[0]] != cluster[apart[1]]
    assert cluster[apart[0]] == cluster[alone]


def test_few_labels_leave_the_model_alone_and_many_teach_it():
    random = np.random.default_rng(3)
    parts = random.normal(0, 2, (400, 2))
    # The second field says nothing: its part should count little.
    same = random.random(400) < 1 / (1 + np.exp(-parts[:, 0]))
    odds, record = parts.sum(1), np.arange(400)
    assert learn(odds[:4], parts[:4], same[:4], record[:4]) is None
    taught = learn(odds, parts, same, record)
    assert taught.factors[0] > 0.7
    assert abs(taught.factors[1]) < 0.4


def test_a_label_that_says_what_was_decided_changes_nothing(tables):
    left, right, _ = tables
    before = lw.match(left, right)
    right_ones = [(match.left, match.right, True) for match in list(before)[:5]]
    found = lw.match(left, right, labels=right_ones)
    assert [(match.left, match.right) for match in found] == [(match.left, match.right) for match in before]
    assert found.decision.threshold == before.decision.threshold


def test_who_was_ahead_stays_so_where_probabilities_tie():
    """Probabilities come in steps: by these alone, the first of two rivals took the place of the better one."""
    found = Candidates(np.array([0, 0, 1, 1, 2]), np.array([0, 1, 1, 2, 3]), 3, 4, False)
    chance, left = np.array([0.7, 0.7, 0.7, 0.7, 0.45]), np.array([False, True, False, True, True])
    odds = np.log(chance / (1 - chance))
    threshold = Calibration(0.5, 2.6, 0.7, 0.5, 0.6, ((), ()))
    decision = Decision(
        found,
        ("name",),
        odds[:, None],
        0.0,
        odds,
        np.where(left, chance, 0),
        left & (chance > 0.5),
        Relation.ONE,
        threshold,
        learnt=Learnt(Relation.ONE, False),
    )

    def given(*labels):
        judged = refit(decision, tuple(np.array(side) for side in zip(*labels, strict=True)), None)
        assert judged.odds == pytest.approx(judged.prior + judged.parts.sum(1))
        return np.flatnonzero(judged.keep).tolist(), judged.calibration.threshold

    assert given((2, 3, True)) == ([1, 3, 4], 0.5)
    assert given((2, 3, False)) == ([1, 3], 0.5)
    assert given((0, 1, False)) == ([0, 3], 0.5), "the next of the record, as sure as the threshold asks"
    assert given((0, 0, True)) == ([0, 3], 0.5), "its rivals go, but theirs stay"


@pytest.mark.parametrize(
    ("threshold", "given"),
    [
        (0.5, [0, 1, 3]),  # what was given stays so
        (0.95, [0, 3]),
        (1.0, [3]),
        (2.0, [0, 1, 3]),  # nothing was given: a label that says otherwise asks again what the highest F1 gives
    ],
)
def test_what_is_given_beside_what_was_judged(threshold, given):
    chance = np.array([0.97, 0.9, 0.3, 0.3])
    odds = np.log(chance / (1 - chance))
    before = decision_of(chance, odds[:, None], fields=("a",), keep=chance >= threshold)
    before = replace(
        before, learnt=Learnt(Relation.MANY, False), calibration=replace(before.calibration, threshold=threshold)
    )
    found = refit(before, (np.array([3]), np.array([3]), np.array([True])), None)
    assert np.flatnonzero(found.keep).tolist() == given
    assert found.learnt.correction is None


@pytest.mark.parametrize(("others", "taught"), [(30, True), (400, False)])
def test_labels_do_not_say_how_many_match_among_pairs_that_nobody_judged(others, taught):
    # All of forty nearly even pairs are the same. So may be others that are as sure, but not ten times as many.
    size = 40 + others
    odds = np.full(size, -0.4)
    decision = decision_of(1 / (1 + np.exp(-odds)), parts=np.column_stack([odds, np.zeros(size)]))
    decision = replace(decision, learnt=Learnt(Relation.MANY, False))
    judged = np.arange(40)
    found = refit(decision, (judged, judged, np.ones(40, bool)), None)
    assert (found.learnt.correction is not None) is taught
    assert np.all(found.keep[:40])
    assert bool(np.all(found.probability[40:] > 0.5)) is taught
