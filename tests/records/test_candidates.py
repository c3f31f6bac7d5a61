"""How many candidates a record has, and halves of the records."""

import numpy as np
from tests.records.made import pairs_of

from likewise.join import Pairs
from likewise.records.candidates import of_right_records, other_ways
from likewise.records.from_right import lasts
from likewise.records.partners import Relation


def test_how_many_candidates():
    assert [other_ways(count) for count in (1, 10, 12, 13)] == [5, 5, 6, 6]
    assert [of_right_records(count) for count in (1, 20, 23, 24)] == [5, 5, 5, 6]
    found = Pairs(np.array([0, 1, 2, 0]), np.array([0, 0, 0, 1]), np.array([0.9, 0.8, 0.7, 0.6]))
    assert lasts(found.right, found.score, 3, 2).tolist() == [0.8, 0, 0]
    assert lasts(found.right, found.score, 3, 1).tolist() == [0.9, 0.6, 0]
    assert lasts(found.right, found.score, 3, 4).tolist() == [0, 0, 0]


def test_halves_of_the_records_that_are_asked():
    found = pairs_of([0, 1, 2, 2], [4, 3, 0, 1], 3, 5)
    for relation, side in ((Relation.ONE, "left"), (Relation.TO_ONE, "left"), (Relation.TO_MANY, "right")):
        for half, (mine, part) in enumerate(found.halves(relation)):
            assert mine.tolist() == [record % 2 == half for record in getattr(found, side)]
            assert getattr(part, side).tolist() == (getattr(found, side)[mine] // 2).tolist()
            sizes = {"left": ((2, 1)[half], 5), "right": (3, (3, 2)[half])}[side]
            assert (part.lefts, part.rights) == sizes
            assert not part.self_join
    assert pairs_of([], [], 5, 5).asked_from_left(Relation.ONE)
    assert not pairs_of([], [], 6, 5).asked_from_left(Relation.ONE)
    assert pairs_of([], [], 6, 5).asked_from_left(Relation.TO_ONE)
    assert not pairs_of([], [], 5, 6).asked_from_left(Relation.TO_MANY)


def test_every_pair_is_counted_once():
    assert pairs_of([], [], 4, 4, self_join=True).every == 6
    assert pairs_of([], [], 4, 5).every == 20
