"""Members of a group (a family, the packages of one author) are not the same record."""

import random

import numpy as np

import likewise as lw
from likewise.records.chances import expected

FIRSTS = "Ada Berta Carl Dora Emil Fritz Gerda Hans Ida Jens Karl Lena Max Nora Otto Paul Rosa Sven Tim Ute".split()  # noqa: SIM905
LASTS = [f"{a}{b}" for a in ("Ober", "Nieder", "Alt", "Neu", "Gross") for b in ("mann", "hof", "bach", "tal", "berg")]


def households(seed: int) -> tuple[list[dict[str, object]], int]:
    """Families of two to four at one address, a third of the people once more with slips; and how many those are."""
    rng = random.Random(seed)
    rows, again = [], []
    for number in range(80):
        home = {
            "last": rng.choice(LASTS),
            "street": f"{rng.choice(LASTS)}weg {number}",
            "phone": f"0{rng.randint(10**8, 10**9)}",
        }
        for first in rng.sample(FIRSTS, rng.randint(2, 4)):
            born = f"{rng.randint(1940, 2010)}-{rng.randint(1, 12):02}-{rng.randint(1, 28):02}"
            person = {"id": str(len(rows)), "first": first, "born": born, **home}
            rows.append(person)
            if rng.random() < 0.3:
                changed = dict(person, first=first[:-1] if rng.random() < 0.3 else first)
                changed["phone"] = None if rng.random() < 0.3 else person["phone"]
                again.append(changed)
    return rows + [dict(person, id=f"{person['id']}b") for person in again], len(again)


def test_a_family_is_not_one_person():
    rows, copies = households(5)
    found = lw.dedupe(rows, id="id")
    given = {(a, b) for cluster in found for a in cluster.ids for b in cluster.ids if a < b}
    right = sum(b == f"{a}b" or a == f"{b}b" for a, b in given)
    assert right >= 0.9 * copies
    assert right >= 0.9 * len(given)


def test_a_wished_precision_never_gives_more():
    rng = random.Random(3)
    for _ in range(50):
        chances = np.array([rng.random() ** rng.choice([0.1, 1, 3]) for _ in range(rng.randint(1, 60))])
        best = expected(chances).threshold
        assert all(expected(chances, wish).threshold >= best for wish in (0.5, 0.8, 0.99))


def test_where_nothing_is_given_no_figure_is_expected():
    rng = random.Random(8)
    word = lambda: "".join(rng.choices("abcdefghijklmnopqrst", k=9))  # noqa: E731
    sides = [[{"name": f"{word()} {word()}", "town": word()} for _ in range(60)] for _ in range(2)]
    found = lw.match(*sides)
    assert len(found) == 0
    assert (found.decision.recall, found.decision.f1) == (0, 0)
    assert "nothing is given, as nothing stands out" in found.decision.to_text()


def test_copies_in_a_table_go_to_their_one_partner_or_are_warned_of():
    rng = random.Random(8)
    things = [
        {"name": f"{rng.choice(LASTS)} {rng.choice(FIRSTS)} {number}", "town": rng.choice(LASTS)}
        for number in range(60)
    ]
    orders = [dict(thing) for thing in things[:40] for _ in range(2)]
    found = lw.match(things, orders)
    assert found.decision.relation == "1:m"
    assert sorted((match.left, match.right) for match in found) == [(place // 2, place) for place in range(80)]
    assert not any("equal to others" in note for note in found.notes)
    both = lw.match(orders[:60], orders[20:])
    assert both.decision.relation != "1:1" or any("40 records equal to others" in note for note in both.notes)
    assert not any("equal to others" in note for note in lw.match(things, things[:50]).notes)


def firms(seed: int) -> tuple[list[dict[str, object]], set[tuple[int, int]]]:
    """Firms in a few towns, some of them twice with a slip in the name; and which those are."""
    rng = random.Random(seed)
    word = lambda size: "".join(rng.choice("ba re mi to lu ka ne vo si du fa go".split()) for _ in range(size))  # noqa: E731, SIM905
    towns = [f"{word(3)} {rng.randint(10_000, 99_999)}" for _ in range(50)]
    rows: list[dict[str, object]] = [
        {
            "name": f"{word(3)} {word(2)} {rng.choice(['Ltd', 'GmbH', 'Inc'])}",
            "address": f"{rng.randint(1, 99)} {word(2)}strasse {rng.choice(towns)}",
        }
        for _ in range(300)
    ]
    copies = range(0, 105, 7)
    again = [dict(rows[at], name=str(rows[at]["name"]).replace(str(rows[at]["name"])[2], "", 1)) for at in copies]
    return rows + again, {(at, len(rows) + place) for place, at in enumerate(copies)}


def test_firms_of_one_town_are_not_one_firm():
    for seed in range(3):
        rows, same = firms(seed)
        given = {(a, b) for cluster in lw.dedupe(rows) for a in cluster.ids for b in cluster.ids if a < b}
        assert given >= same
        assert len(given) <= 1.2 * len(same)
