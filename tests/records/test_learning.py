"""What learning begins with: the fields that tell, the scores that are asked, the pairs that are taken for matches."""

from dataclasses import replace

import numpy as np
import pytest
from tests.records.made import pairs_of

from likewise.records.columns import Column
from likewise.records.evidence import Evidence, Field
from likewise.records.learning import _scores, _seed, _shares, _tells


def field_of(kind, values):
    column = Column.of(values)
    return Field.of("f", kind, column, column)


def evidence_of(alike, share=1.0, null=()):
    alike = np.array(alike, float)
    there = np.ones(len(alike), bool)
    there[list(null)] = False
    return replace(
        Evidence.nothing(len(alike)), null=~there, alike=alike, equal=alike == 1, share=np.full(len(alike), share)
    )


@pytest.mark.parametrize(
    ("kind", "alike", "null", "tells"),
    [
        ("text", [0.2, 0.3], (), True),
        ("text", [0.2, 0.3, 0.4], (1,), True),
        ("text", [1.0, 1.0], (1,), False),  # of one pair nothing is learnt
        ("text", [0.2], (), False),
        ("code", [0.2, 0.9], (), False),  # what names a record, and is never equal
        ("email", [0.2, 0.9], (), False),
        ("phone", [0.2, 0.9], (), False),
        ("code", [0.2, 1.0], (), True),
        ("phone", [1.0, 0.0], (), True),
        ("name", [0.2, 0.9], (), True),
    ],
)
def test_fields_that_tell(kind, alike, null, tells):
    assert _tells(field_of(kind, ["a"]), evidence_of(alike, null=null)) is tells


def test_names_that_tell_records_of_a_table_apart_have_a_say():
    score = np.array([0.4, 0.8, 0.2])
    within, between = pairs_of([0, 1, 2], [3, 4, 5], 10, 10, True), pairs_of([0, 1, 2], [3, 4, 5], 10, 10)
    rare, common = evidence_of([1.0, 0.0, 0.5], 0.25, null=(2,)), evidence_of([1.0, 0.0, 0.5], 0.26)
    assert [one.tolist() for one in _scores(between, [rare], ["name"], score)] == [score.tolist()]
    assert [one.tolist() for one in _scores(within, [common], ["name"], score)] == [score.tolist()]
    assert [one.tolist() for one in _scores(within, [rare], ["city"], score)] == [score.tolist()]
    for kind in ("name", "text"):
        first, second = _scores(within, [rare, common], [kind, kind], score)
        assert first.tolist() == score.tolist()
        assert second.tolist() == pytest.approx([0.7, 0.4, 0.1])  # who has no name is like nobody
    both = _scores(within, [rare, evidence_of([0.0, 1.0, 1.0], 0.1)], ["name", "name"], score)[1]
    assert both.tolist() == pytest.approx([0.45, 0.65, 0.35])


def test_where_nothing_stands_out_the_better_half_of_mutual_best_pairs_is_taken():
    found = pairs_of([0, 1, 2, 3, 0], [0, 1, 2, 3, 1], 4, 4)
    chosen, sure = _seed(found, [np.array([0.6, 0.5, 0.4, 0.4, 0.3])])
    assert (chosen.tolist(), sure) == ([True, True, False, False, False], False)
    chosen, sure = _seed(found, [np.array([0.6, 0.5, 0.5, 0.4, 0.55])])  # 0-0, 2-2 and 3-3 are each other's best
    assert (chosen.tolist(), sure) == ([True, False, True, False, False], False)
    chosen, sure = _seed(found, [np.zeros(5)])
    assert (chosen.any(), sure) == (False, False)


def test_what_stands_out_by_the_score_that_shows_most_of_it_is_sure():
    size = 40
    pairs = [(a, b) for a in range(size) for b in range(size)]
    left, right = (np.array(side) for side in zip(*pairs, strict=True))
    found = pairs_of(left, right, size, size)
    noise = np.random.default_rng(1).random(len(pairs)) * 0.3
    twelve, twenty = (np.where((left == right) & (left < most), 0.95, noise) for most in (12, 20))
    for scores in ([twelve, twenty], [twenty, twelve], [noise, twenty]):
        chosen, sure = _seed(found, scores)
        assert sure
        assert left[chosen].tolist() == right[chosen].tolist() == list(range(20))


def test_how_many_records_share_a_value():
    assert _shares(field_of("name", ["a", "b", "a", None])).tolist() == pytest.approx([2 / 3, 1 / 3, 2 / 3])
    assert _shares(field_of("name", [None, None])).tolist() == [1.0]
