"""Few records, few matches, copies of everything, and what is left over: what is given is right, and said so."""

import random

import numpy as np
import pyarrow as pa
import pytest

import likewise as lw
from likewise.read.tables import read_table
from likewise.records.candidates import Candidates
from likewise.records.cleaning import without_placeholders
from likewise.records.options import RecordOptions
from likewise.records.strangers import left_over

SYLLABLES = ("ba", "re", "mi", "to", "lu", "ka", "ne", "vo", "si", "du", "fa", "go")


def people(size: int, seed: int) -> list[dict[str, str | None]]:
    rng = random.Random(seed)
    word = lambda count: "".join(rng.choices(SYLLABLES, k=count)).title()  # noqa: E731
    firsts, lasts, towns = ([word(3) for _ in range(count)] for count in (40, 60, 25))
    return [
        {
            "first": rng.choice(firsts),
            "last": rng.choice(lasts),
            "street": f"{rng.randint(1, 99)} {word(3)} Road",
            "town": rng.choice(towns),
            "born": f"19{rng.randint(30, 99)}-{rng.randint(1, 12):02}-{rng.randint(1, 28):02}",
        }
        for _ in range(size)
    ]


def mistyped(row: dict[str, str | None], rng: random.Random) -> dict[str, str | None]:
    name = rng.choice(("first", "last", "street"))
    text, cut = str(row[name]), rng.randrange(1, 4)
    return {**row, name: text[:cut] + text[cut + 1 :]}


@pytest.mark.parametrize("size", [40, 80, 200])
def test_few_matches_of_small_tables_are_given_and_no_others(size: int) -> None:
    given = right = true = 0
    for seed in range(6):
        rng, rows = random.Random(seed), people(2 * size, seed)
        left, right_rows = rows[:size], [mistyped(row, rng) for row in rows[:6]] + rows[size : 2 * size - 6]
        found = lw.match(left, right_rows)
        given, true = given + len(found), true + 6
        right += sum(match.left == match.right < 6 for match in found)
        wrong = [match for match in found if match.left != match.right]
        assert not any(match.probability > 0.99 for match in wrong)
    assert right >= 0.4 * true  # of six, some draws show none
    assert given - right <= 0.1 * given


@pytest.mark.parametrize("size", [60, 500])
def test_a_copy_of_a_whole_record_is_a_duplicate(size: int) -> None:
    rows = people(size, 3)
    found = lw.dedupe([*rows, dict(rows[7])])
    assert [sorted(cluster.ids) for cluster in found if len(cluster.ids) > 1] == [[7, size]]
    thrice = lw.dedupe([*rows, dict(rows[7]), dict(rows[7])])
    assert [sorted(cluster.ids) for cluster in thrice if len(cluster.ids) > 1] == [[7, size, size + 1]]
    # The one record of both tables, too.
    both = lw.match(rows, [*people(size, 4), dict(rows[7])])
    assert (7, size) in {(match.left, match.right) for match in both}


def test_copies_with_other_signs_and_capitals_are_duplicates_and_more_is_not_claimed() -> None:
    rows = people(800, 4)
    other = {**rows[7], "first": str(rows[7]["first"]).upper(), "street": f"{rows[7]['street']}.".replace(" ", ", ", 1)}
    found = lw.dedupe([*rows, other])
    assert [sorted(cluster.ids) for cluster in found if len(cluster.ids) > 1] == [[7, 800]]
    assert found.decision is not None
    assert (found.decision.recall, found.decision.f1) == (None, None)
    assert "how many others are the same is not known" in found.decision.to_text()
    assert "one duplicate at most" in found.decision.to_text()
    review = found.review.to_pylist()
    assert review
    assert {7, 800} not in [{row["left"], row["right"]} for row in review]


def test_a_precision_that_is_exceeded_anyway_takes_nothing_away() -> None:
    rng, rows = random.Random(5), people(900, 6)
    other = [dict(row) for row in rows[:150]] + [mistyped(mistyped(row, rng), rng) for row in rows[150:190]]
    other += people(500, 7)
    counts = {}
    for wish in (None, 0.5, 0.8, 0.99):
        found = lw.match(rows[:500], other, precision=wish)
        assert found.decision is not None
        counts[wish] = len(found), found.decision.precision
    assert counts[0.5][0] >= 0.97 * counts[None][0]  # the least probable may go, as copies make the best F1 higher
    assert counts[None][0] >= counts[0.5][0] >= counts[0.8][0] >= counts[0.99][0] > 100
    assert all(wish is None or precision >= wish for wish, (_, precision) in counts.items())


def test_records_that_are_equal_by_chance_are_no_duplicates() -> None:
    rng = random.Random(1)
    sold = [
        {
            "item": rng.choice(("pen", "ink", "cup", "mug")),
            "day": str(rng.randint(1, 28)),
            "count": str(rng.randint(1, 9)),
        }
        for _ in range(300)
    ]
    assert len({tuple(row.values()) for row in sold}) < len(sold)
    assert not any(len(cluster.ids) > 1 for cluster in lw.dedupe(sold))
    # Nor are records of which little is known.
    rows = people(300, 3)
    for row in rows[:2]:
        row.update(first=rows[0]["first"], last=None, street=None, town=rows[0]["town"], born=None)
    assert not any(len(cluster.ids) > 1 for cluster in lw.dedupe(rows))


def test_where_nothing_is_a_duplicate_the_nearest_are_listed() -> None:
    found = lw.dedupe(people(200, 3))
    assert not any(len(cluster.ids) > 1 for cluster in found)
    assert found.review.num_rows == 50


def test_marks_of_databases_and_sheets_are_no_values() -> None:
    rows = [{"name": f"n{place}", "alias": "\\N", "kind": "#N/A" if place % 2 else "private"} for place in range(40)]
    table = without_placeholders(read_table(pa.Table.from_pylist(rows)), None, RecordOptions()).table
    assert table["alias"].null_count == 40
    assert table["kind"].to_pylist()[:2] == ["private", None]  # which may be a kind


def customers_and_orders() -> tuple[list[dict[str, str | None]], list[dict[str, str | None]], list[int]]:
    rng, customers = random.Random(2), people(300, 5)
    owner = [place for place in range(200) for _ in range(rng.choice((2, 3, 4)))]
    orders = [mistyped(customers[place], rng) if rng.random() < 0.3 else dict(customers[place]) for place in owner]
    return customers, orders, owner


def test_who_says_one_to_one_gets_the_best_of_copies() -> None:
    customers, orders, owner = customers_and_orders()
    assert lw.match(customers, orders).decision.relation == "1:m"
    found = [(match.left, match.right) for match in lw.match(customers, orders, relation="1:1")]
    assert len(found) == len({a for a, _ in found}) == len({b for _, b in found})
    assert sum(owner[b] == a for a, b in found) >= 190


def test_the_relation_that_is_seen_gives_what_the_same_gives_when_told() -> None:
    # Places lie near others: by all fields as one text they are as alike as by chance, by name they are not.
    rng = random.Random(3)
    word = lambda: "".join(rng.choices(SYLLABLES, k=4)).title()  # noqa: E731
    cities = [
        {"name": word(), "lat": f"{50 + rng.random():.5f}", "lon": f"{10 + rng.random():.5f}"} for _ in range(400)
    ]
    stations = []
    for city in cities[:250]:
        for _ in range(rng.choice((2, 3, 4))):
            lat, lon = (f"{float(city[name]) + rng.gauss(0, 0.02):.4f}" for name in ("lat", "lon"))
            stations.append({"name": city["name"], "lat": lat, "lon": lon})
    seen = lw.match(stations, cities)
    told = lw.match(stations, cities, relation="m:1")
    assert seen.decision.relation == "m:1"
    assert abs(len(seen) - len(told)) <= 0.05 * len(told) > 0


def test_what_is_left_over_is_no_match() -> None:
    rng, rows = random.Random(4), people(120, 6)
    left = [*rows, {"first": "Qqq", "last": "Xxx", "street": None, "town": "Zzz", "born": None}]
    right = [*(mistyped(row, rng) for row in rows), {"first": "www", "last": "yyy", "street": "PPP", "town": None}]
    found = {(match.left, match.right) for match in lw.match(left, right)}
    assert (120, 120) not in found
    assert len(found) >= 118
    places = np.arange(20)
    pairs = Candidates(np.tile(places, 2), np.concatenate([places, (places + 1) % 20]), 20, 20, False)
    sure = np.repeat([0.99, 0.8, 0.0], [19, 1, 20])
    low, high = (np.repeat([0.9, score, 0.1], [19, 1, 20]) for score in (0.05, 0.3))
    assert np.flatnonzero(left_over(pairs, low, sure)).tolist() == [19]
    assert not left_over(pairs, high, sure).any()  # better than wrong ones are


def towns(size: int, zone: str, rng: random.Random) -> list[dict[str, object]]:
    name = lambda: "".join(rng.choices("abcdefghiklmnoprstuvz", k=rng.randint(5, 9))).title()  # noqa: E731
    return [{"name": name(), "people": int(15000 * rng.paretovariate(1.5)), "zone": zone} for _ in range(size)]


@pytest.mark.parametrize("same", [0, 12])
def test_towns_of_as_many_inhabitants_are_no_match(same: int) -> None:
    """Of 400 German and 400 French towns three were given as sure: their numbers were equal, and nothing else."""
    given, right = [], 0
    for seed in range(5):
        rng = random.Random(seed)
        left, rows = towns(400, "Europe/Berlin", rng), towns(400, "Europe/Paris", rng)
        found = lw.match(left, [*left[:same], *rows[same:]])
        given += [match for match in found if match.left != match.right]
        right += sum(match.left == match.right for match in found)
    assert not given
    assert right == 5 * same
