"""Records with more copies than partners are looked at: they hide nobody, and go where their first copy goes."""

import random

import numpy as np
import pytest
from tests.records.test_groups import FIRSTS, LASTS

import likewise as lw
from likewise.records.copies import FIRST, Copies


def orders(people: int, times: int) -> tuple[list[dict[str, str]], list[int]]:
    """Orders of people: each so many times, and as often with a slip in the name; and whose each is."""
    rng = random.Random(3)
    rows, whose = [], []
    for number in range(people):
        last = rng.choice(LASTS)
        row = {"first": rng.choice(FIRSTS), "last": last, "phone": str(rng.randint(10**7, 10**8))}
        slip = rng.randrange(1, len(last) - 1)
        rows += [row] * times + [{**row, "last": last[:slip] + last[slip + 1 :]}] * times
        whose += [number] * 2 * times
    order = rng.sample(range(len(rows)), len(rows))
    return [rows[place] for place in order], [whose[place] for place in order]


@pytest.mark.parametrize("linkage", [None, "complete", "components"])
@pytest.mark.parametrize("times", [1, FIRST, FIRST + 1, 12, 30])
def test_however_many_copies_the_variant_is_found(times, linkage):
    rows, whose = orders(60, times)
    found = lw.dedupe(rows, linkage=linkage)
    assert sorted(cluster.ids for cluster in found) == sorted(
        tuple(place for place, owner in enumerate(whose) if owner == number) for number in range(60)
    )


def test_candidates_grow_with_the_records_and_not_with_the_copies_of_each():
    tables = [sorted(orders(60, times)[0], key=lambda row: tuple(row.values())) for times in (10, 40)]
    counts = [lw.dedupe(table).decision.candidates for table in tables]
    assert counts[1] - counts[0] == 2 * 60 * (40 - 10)


def test_late_copies_are_told_by_their_place():
    codes = np.array([1, 0, *[0] * FIRST, -1, *[2] * FIRST, *[-1] * FIRST])
    found = Copies.of(codes)
    assert found.early.tolist() == [place for place in range(len(codes)) if place != FIRST + 1]
    assert [side.tolist() for side in found.pairs()] == [[1, 1], [2, FIRST + 1]]
    assert found.late(np.array([1, 1, 0]), np.array([2, FIRST + 1, FIRST + 1])).tolist() == [False, True, False]
    assert Copies.of(codes[1:-1][: FIRST - 1]) is None
    assert Copies.of(np.zeros(0, np.int64)) is None


def test_a_copy_that_somebody_told_apart_is_apart():
    rows, whose = orders(60, 9)
    rows = [{"id": str(place), **row} for place, row in enumerate(rows)]
    mine = [
        place for place, owner in enumerate(whose) if owner == 0 and rows[place]["last"] == rows[whose.index(0)]["last"]
    ]
    first, late = mine[0], mine[-1]
    labels = [{"left": str(first), "right": str(late), "match": False}]
    found = lw.dedupe(rows, id="id", labels=labels)
    together = [cluster.ids for cluster in found if str(late) in cluster.ids]
    assert str(first) not in together[0]


def test_where_no_field_identifies_a_record_equal_ones_are_not_the_same():
    rng = random.Random(1)
    words = ["".join(rng.choices("abcdefghijklmnoprstu", k=7)) for _ in range(10)]
    rows = [{"first": rng.choice(words[:5]), "town": rng.choice(words[5:])} for _ in range(500)]
    found = lw.dedupe(rows)
    assert len(found) == 500
    assert "--min-score 1" in found.decision.to_text()
    assert len(lw.dedupe(rows, min_score=1)) == 25
