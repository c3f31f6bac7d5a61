"""A table without duplicates has none, however alike its records are; planted ones are found."""

import random

import numpy as np
import pytest

import likewise as lw
from likewise.records import deciding
from likewise.records.candidates import Candidates
from likewise.records.partners import Relation
from likewise.records.spacings import seeds, stands_out, within

SYLLABLES = ("ba", "re", "mi", "to", "lu", "ka", "ne", "vo", "si", "du", "fa", "go")


def towns(size: int, copies: int) -> tuple[list[dict[str, str]], set[tuple[int, int]]]:
    """Towns of a few countries: all that they share is shared by many; copies have a typing error."""
    chance = random.Random(4)
    countries = [("".join(chance.sample("ABCDEFGH", 2)), f"Zone/{chance.choice(SYLLABLES).title()}") for _ in range(8)]
    rows = []
    for _ in range(size):
        country, zone = chance.choice(countries)
        name = "".join(chance.choice(SYLLABLES) for _ in range(6)).title()
        rows.append({"name": name, "country": country, "district": str(chance.randint(1, 30)), "zone": zone})
    same = set()
    for place in range(copies):
        row, cut = dict(rows[place * 3]), chance.randrange(2, 10)
        row["name"] = row["name"][:cut] + row["name"][cut + 1 :]
        same.add((place * 3, len(rows)))
        rows.append(row)
    return rows, same


def pairs(rows: list[dict[str, str]]) -> set[tuple[int, int]]:
    return {(a, b) for cluster in lw.dedupe(rows) for a in cluster.ids for b in cluster.ids if a < b}


def test_a_table_of_siblings_has_no_duplicates() -> None:
    found = lw.dedupe(towns(300, 0)[0])
    assert all(len(cluster.ids) == 1 for cluster in found)
    assert any("no duplicates" in note for note in found.notes)


@pytest.mark.parametrize("copies", [15, 90])
def test_planted_duplicates_are_found_among_siblings(copies: int) -> None:
    rows, same = towns(300, copies)
    found = pairs(rows)
    assert len(found & same) >= 0.8 * len(same)
    assert len(found & same) >= 0.9 * len(found)


def births(size: int, copies: int) -> tuple[list[dict[str, str]], set[tuple[int, int]]]:
    """Names and dates of birth in columns; of each copy one field is wrong."""
    chance = random.Random(8)
    firsts, lasts = (["".join(chance.choices(SYLLABLES, k=k)) for _ in range(n)] for k, n in ((3, 120), (4, 200)))
    spans = {"year": (1930, 2005), "month": (1, 12), "day": (1, 28)}
    rows = []
    for _ in range(size):
        born = {name: str(chance.randint(*span)) for name, span in spans.items()}
        name = {"first": firsts[int(chance.random() ** 2 * 120)], "last": lasts[int(chance.random() ** 2 * 200)]}
        rows.append(name | born)
    same = set()
    for place in range(copies):
        row = dict(rows[place * 3])
        field = chance.choice(list(row))
        cut = chance.randrange(1, 5)
        span = spans.get(field)
        row[field] = str(chance.randint(*span)) if span else row[field][:cut] + row[field][cut + 1 :]
        same.add((place * 3, len(rows)))
        rows.append(row)
    return rows, same


def test_copies_with_one_wrong_field_are_found() -> None:
    """Candidates near in some fields are not in others: agreement in all but one looked common, and EM lost them."""
    rows, same = births(900, 90)
    found = pairs(rows)
    assert len(found & same) >= 0.9 * len(same)
    assert len(found & same) >= 0.9 * len(found)
    assert not pairs(births(900, 0)[0])


def candidates(size: int) -> Candidates:
    left, right = np.triu_indices(size, 1)
    return Candidates(left, right, size, size, True)


def test_scores_drawn_alike_do_not_stand_out() -> None:
    found = candidates(60)
    score = np.random.default_rng(3).random(len(found)) * 0.5
    assert within(found, score) is None
    assert not seeds(found, score).any()


def test_what_stands_out_is_where_it_begins() -> None:
    found = candidates(60)
    score = np.random.default_rng(3).random(len(found)) * 0.5
    same = (found.left % 10 == 0) & (found.right == found.left + 1)
    assert seeds(found, np.where(same, 0.95, score))[same].all()


def test_mates_of_groups_stand_out_although_they_hide_each_other() -> None:
    found = candidates(60)
    score = np.random.default_rng(3).random(len(found)) * 0.3
    same = found.left // 6 == found.right // 6
    score = np.where(same, 0.9 - score * 0.1, score)
    assert within(found, score, same) is not None
    others = np.random.default_rng(4).permutation(same)
    assert within(found, score * 0.3 * ~same, others) is None


def test_words_for_no_value_join_nobody() -> None:
    rows, _ = towns(300, 90)
    rows += [{"name": "Private", "country": "", "district": "", "zone": ""} for _ in range(12)]
    found = lw.dedupe(rows)
    assert all(len(cluster.ids) == 1 for cluster in found if cluster.ids[-1] >= 390)
    assert any("'Private' is no value (12 records)" in note for note in found.notes)
    assert found.canonical["name"].to_pylist().count("Private") == 12


def test_literal_copies_are_told() -> None:
    rows, _ = towns(300, 15)
    found = lw.dedupe([*rows, *rows[:100]])
    assert any("equal in all that is compared" in note for note in found.notes)


def sites(size: int, partners: int, seed: int = 11) -> tuple[list[dict[str, str]], list[dict[str, str]]]:
    """Two tables of people of which the first ``partners`` are in both, with a letter less here and there."""
    chance = random.Random(seed)

    def word(syllables: int) -> str:
        return "".join(chance.choice(SYLLABLES) for _ in range(syllables)).title()

    streets, places = [word(4) for _ in range(40)], [word(3) for _ in range(25)]

    def person() -> dict[str, str]:
        street = f"{chance.choice(streets)} {chance.randint(1, 90)}"
        born = f"{chance.randint(1930, 2005)}-{chance.randint(1, 12):02}-{chance.randint(1, 28):02}"
        return {"name": f"{word(2)} {word(3)}", "street": street, "place": chance.choice(places), "born": born}

    left, right = ([person() for _ in range(size)] for _ in range(2))
    for place in range(partners):
        row = dict(left[place])
        column = chance.choice(["name", "street"])
        cut = chance.randrange(1, len(row[column]))
        row[column] = row[column][:cut] + row[column][cut + 1 :]
        right[place] = row
    return left, right


@pytest.mark.parametrize("partners", [0, 12, 24, 60])
def test_few_partners_of_two_tables_are_found_and_no_others(partners: int) -> None:
    found = lw.match(*sites(600, partners))
    pairs = {(pair.left, pair.right) for pair in found}
    assert all(left == right < partners for left, right in pairs)
    assert len(pairs) >= 0.9 * partners


def test_a_model_does_not_say_of_other_records_that_all_have_a_partner() -> None:
    model = lw.match(*sites(300, 300)).model
    found = lw.match(*sites(400, 12, seed=5), model=model)
    pairs = {(pair.left, pair.right) for pair in found}
    assert len(pairs) <= 14
    assert len({place for place, other in pairs if place == other < 12}) >= 10


def test_a_small_table_of_strangers_has_no_partners_in_a_large_one() -> None:
    left, right = sites(600, 0)
    assert not list(lw.match(left[:40], right))


def surnames(size: int, seed: int) -> list[dict[str, str]]:
    """People of whom many have one of a few surnames, and some one that nobody else has."""
    names = ["".join(random.Random(f"name {place}").choices(SYLLABLES, k=4)).title() for place in range(400)]
    chance = random.Random(seed)
    return [{"surname": names[int(400 * chance.random() ** 3)], "state": chance.choice("ABCDE")} for _ in range(size)]


@pytest.mark.parametrize("size", [40, 600])
@pytest.mark.parametrize("columns", [["surname"], ["surname", "state"]])
def test_what_many_records_of_a_table_have_names_none_of_them(size: int, columns: list[str]) -> None:
    found = lw.match(surnames(size, 1), surnames(600, 2), on=columns)
    assert len(list(found)) <= 0.02 * size


def test_where_copies_name_nobody_each_has_one_partner(monkeypatch: pytest.MonkeyPatch) -> None:
    """Salts of one metal look like copies of it; that they are none does not mean that nothing matches."""
    chance = random.Random(2)
    metals = ["".join(chance.choices(SYLLABLES, k=3)) for _ in range(150)]
    right = [
        f"{metal} {kind}" for metal in metals for kind in chance.sample(["chloride", "sulfate", "oxide", "iodide"], 3)
    ]
    left = [f"{right[place]} (certain)" for place in chance.sample(range(len(right)), 120)]
    wanted = lw.match(left, right, relation="1:1")
    monkeypatch.setattr(deciding, "copies_of", lambda *_: Relation.TO_ONE)
    monkeypatch.setattr(deciding, "by_chance", lambda *_: 1.0)
    found = lw.match(left, right)
    assert len(found) > 100
    assert found.table.equals(wanted.table)


def test_things_of_one_class_are_no_copies() -> None:
    # Aeroplanes of thirty models, each with its own number; four of forty are in both tables.
    chance = random.Random(6)
    models = [
        {
            "model": f"{chance.choice('ABC')}{chance.randint(100, 999)}",
            "maker": chance.choice(SYLLABLES),
            "seats": seats,
        }
        for seats in range(20, 320, 10)
    ]
    right = [
        {"number": f"N{chance.randint(10_000, 99_999)}", **chance.choice(models), "year": chance.randint(1970, 2015)}
        for _ in range(1500)
    ]
    left = [*right[:4], *({**row, "number": f"N{chance.randint(10_000, 99_999)}"} for row in right[100:136])]
    assert len(list(lw.match(left, right))) <= 40


def test_customers_keep_their_orders() -> None:
    chance = random.Random(3)
    customers = list(dict.fromkeys("".join(chance.choices(SYLLABLES, k=6)).title() for _ in range(60)))
    orders = [name for name in customers for _ in range(chance.randint(1, 6))]
    found = lw.match(customers, orders)
    assert found.decision.relation == "1:m"
    assert {(customers[pair.left], pair.right) for pair in found} == {(name, at) for at, name in enumerate(orders)}


@pytest.mark.parametrize(
    ("ahead", "tied", "out"),
    [
        (50, 0, False),  # one in two, as of wrong ones
        (54, 0, False),
        (56, 0, True),  # more than one standard error (a tenth) above that
        (41, 0, False),
        (35, 0, True),  # so few that they are not drawn alike: nothing can be said
        (0, 100, False),  # ties are half of each
        (40, 50, True),
    ],
)
def test_one_lead_in_two_is_more_than_twice_the_next(ahead: int, tied: int, out: bool) -> None:
    rows = [(0.9, 0.5, 0.4)] * ahead + [(0.75, 0.5, 0.375)] * tied
    rows += [(0.6, 0.5, 0.1)] * (100 - len(rows))
    found = Candidates(np.arange(300) // 3, np.arange(300), 100, 300, False)
    assert stands_out(found, np.array(rows).ravel(), Relation.ONE) == out


def standing_by_hand(found, score, mates):
    """The slow twin: the middle mate of each record, or its best partner, against the two best of all others."""
    stands, chance = [], []
    for one in range(found.lefts):
        mine = [place for place in range(len(found)) if one in (found.left[place], found.right[place])]
        others = sorted((score[place] for place in mine if not mates[place]), reverse=True)
        own = sorted(score[place] for place in mine if mates[place])
        best = own[(len(own) - 1) // 2] if own else others.pop(0)
        wrong, other = [*others, 0.0, 0.0][:2]
        stands.append(wrong + 2 * (best - wrong))
        chance.append(wrong + 4 * (wrong - other))
    by_chance = {one: sum(value >= stands[one] for value in chance) for one in range(found.lefts)}
    given = {one: place for place, one in enumerate(sorted(by_chance, key=lambda one: -stands[one]), start=1)}
    return [
        min(by_chance[other] / given[other] for other in by_chance if given[other] >= given[one]) for one in by_chance
    ]


@pytest.mark.parametrize("seed", range(4))
def test_how_far_mates_of_groups_stand_out_is_told_by_the_middle_one(seed):
    random = np.random.default_rng(seed)
    size = 30
    left, right = np.triu_indices(size, 1)
    found = Candidates(left, right, size, size, True)
    mates = (left // 4 == right // 4) & (left < 24)  # six groups of four, and six records alone
    score = np.where(mates, 0.5 + 0.5 * random.random(len(left)), 0.5 * random.random(len(left)))
    standing = within(found, score, mates)
    assert standing is not None
    assert standing.share.tolist() == pytest.approx(standing_by_hand(found, score, mates))
