"""Labels: what was judged is decided so, the model learns from it, and keeps it."""

import numpy as np
import pytest
from tests.records.test_decision import f1, people, worse

import likewise as lw
from likewise.errors import OptionError
from likewise.records.refit import learn


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
    said = np.column_stack([np.full(400, -1.0), random.normal(0, 2, 400), random.normal(0, 2, 400)])
    # The second field says nothing: its part should count little.
    same = random.random(400) < 1 / (1 + np.exp(-said[:, :2].sum(1)))
    assert learn(said[:4], same[:4]) == (0.0, 1.0, 1.0, 1.0)
    taught = learn(said, same)
    assert taught[2] > 0.7
    assert abs(taught[3]) < 0.4
