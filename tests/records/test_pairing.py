"""Columns of two tables that hold the same under different names."""

import itertools
import random

import numpy as np
import pyarrow.parquet as pq
import pytest

import likewise as lw
from likewise.errors import OptionError
from likewise.read.tables import read_table
from likewise.records.pairing import (
    _apart,
    _distance,
    _same_letters,
    _shortened,
    _Words,
    paired,
    together,
    with_names_of,
)

WORDS = ["amber", "birch", "cedar", "delta", "ember", "fjord", "grove", "heron", "iris", "jade", "kelp", "lotus"]


def shop(seed: int, columns: dict[str, str]) -> list[dict[str, object]]:
    """The same 100 things, written a little differently each time, under the names of ``columns``."""
    things, slips = random.Random(1), random.Random(seed)
    rows = []
    for number in range(100):
        title = " ".join(things.sample(WORDS, 3)) + f" mk{number}"
        price, grams = things.randint(100, 900), things.uniform(5, 9000)
        values = {
            "title": title.upper() if slips.random() < 0.3 else title,
            "price": round(price * slips.choice([1, 1, 1.01]), 2),
            "weight": round(grams + slips.random(), 1),
            "about": f"{title} is made of {' '.join(things.choices(WORDS, k=12))}",
        }
        rows.append({columns[name]: value for name, value in values.items()})
    return rows


PLACES = list(itertools.product(WORDS[:6], WORDS[6:]))
LEFT = {"title": "title", "price": "price", "weight": "weight", "about": "about"}
RIGHT = {"title": "item", "price": "EUR", "weight": "grams", "about": "long text"}


def test_columns_are_paired_by_what_they_hold():
    left, right = read_table(shop(1, LEFT), name="left"), read_table(shop(2, RIGHT), name="right")
    found, notes = with_names_of(left, right, paired(left, right))
    assert found.columns == ["title", "price", "weight", "about"]
    assert right.columns == ["item", "EUR", "grams", "long text"]
    assert "'weight' and 'grams'" in notes[0]
    assert len(notes) == 1


def test_columns_of_a_kind_whose_names_begin_alike_go_together_wherever_their_numbers_lie():
    left = read_table([{"name": f"n{at}", "lat": 48 + at / 90, "lon": 9.5 - at / 70} for at in range(40)])
    right = read_table([{"name": f"n{at}", "Longitude": 3 * at - 99, "Latitude": at - 40} for at in range(40)])
    assert paired(left, right) == {"lat": "Latitude", "lon": "Longitude"}


def test_names_without_vowels_and_names_that_begin_alike_go_before_values():
    left = read_table(
        [{"name": f"n{at}", "longitude": at / 7, "admin1code": f"{at % 9}A" if at % 3 else "07"} for at in range(90)]
    )
    right = read_table(
        [
            {"name": f"n{at}", "lng": 50 - at, "admin1": f"{at % 9}A" if at % 3 else "07", "admin2": f"{at % 9}A"}
            for at in range(90)
        ]
    )
    assert paired(left, right) == {"longitude": "lng", "admin1code": "admin1"}


def test_phones_are_paired_however_they_are_written():
    numbers = [str(77_000_000 + 7919 * at) for at in range(40)]
    left = read_table(
        [{"name": f"n{at}", "phone": f"+44 {one[:2]} {one[2:5]} {one[5:]}"} for at, one in enumerate(numbers)]
    )
    right = read_table([{"name": f"n{at}", "tel": f"0{one}"} for at, one in enumerate(numbers)])
    assert paired(left, right) == {"phone": "tel"}


def test_the_only_dates_of_both_go_together_whatever_they_are():
    left = read_table([{"name": f"n{at}", "dob": f"{at % 12 + 1}/{at % 28 + 1}/1950"} for at in range(40)])
    right = read_table([{"name": f"n{at}", "born": f"{at % 28 + 1}.{at % 12 + 1}.2001"} for at in range(40)])
    assert paired(left, right) == {"dob": "born"}
    two = read_table([{"name": "n1", "born": "1.2.2001", "died": "3.4.2020"}])
    assert paired(left, two) == {}


def test_what_holds_something_else_stays_alone():
    left = read_table([{"name": f"{word} ltd", "since": 1900 + at} for at, word in enumerate(WORDS)])
    right = read_table([{"Name": f"{word} inc", "staff": 50 * at} for at, word in enumerate(WORDS)])
    found, notes = with_names_of(left, right, paired(left, right))
    assert found.columns == ["name", "staff"]
    assert notes[1].startswith("without a partner in the other table: 'since', 'staff'")


@pytest.mark.parametrize("more", [{}, {"reach": "alpha"}])
def test_what_only_one_table_knows_does_not_drown_the_one_column_that_both_have(more):
    """A list of chemicals beside one with formulas gave none of 1,700 pairs, as the joined text had the formula."""
    draw = random.Random(5)
    names = ["".join(draw.choices("abcdefghijklmnopqrstuvwxyz", k=9)) for _ in range(300)]
    left = [{"name": name, "boils": f"{draw.uniform(1, 900):.2f}", "melts": draw.randint(1, 900)} for name in names]
    right = [{"name": name, "formula": f"C{draw.randint(1, 40)}H{draw.randint(1, 90)}", **more} for name in names[100:]]
    result = lw.match(left, right)
    assert {(one.left, one.right) for one in result} == {(row + 100, row) for row in range(200)}
    assert [(one.left_text, one.right_text) for one in result][:1] == [(names[100], names[100])]
    assert len(lw.match(left, right, all=True, top=1, min_score=0.9)) == 0  # the raw list compares what it is given


def test_the_id_is_no_column_to_pair():
    left = read_table([{"key": 1, "name": "ada lovelace"}], id="key")
    right = read_table([{"name": 7, "who": "ada lovelace"}], id="name")
    found, _ = with_names_of(left, right, paired(left, right))
    assert found.table.column_names == ["name", "who"]


def test_a_decision_looks_at_paired_columns_and_results_keep_their_names():
    result = lw.match(shop(1, LEFT), shop(2, RIGHT))
    assert {(one.left, one.right) for one in result} == {(row, row) for row in range(100)}
    assert any("'price' and 'EUR'" in note for note in result.notes)
    assert "grams" in result.join(columns=["grams"]).table.column_names


def test_a_model_keeps_the_pairs_of_columns(tmp_path):
    first = lw.match(shop(1, LEFT), shop(2, RIGHT))
    first.model.save(tmp_path / "model.json")
    few = lw.match(shop(1, LEFT)[:3], shop(2, RIGHT)[:5], model=tmp_path / "model.json")
    assert first.model.paired == {"title": "item", "price": "EUR", "weight": "grams", "about": "long text"}
    assert {(one.left, one.right) for one in few} == {(row, row) for row in range(3)}


def test_a_state_is_no_table(tmp_path):
    table = [{"key": str(at), "name": f"{word} ltd", "town": word} for at, word in enumerate(WORDS)]
    lw.dedupe(table, id="key", state=tmp_path / "s.state")
    with pytest.raises(OptionError, match="is a state of dedupe"):
        lw.dedupe(pq.read_table(tmp_path / "s.state"))


def test_codes_that_share_some_are_not_the_same():
    countries = "AD AR AU BE BR CA CL CN DE DK EG ES FR GB GR IN IR IT JP MX NL NO NZ PL PT RU SE TR US ZA".split()  # noqa: SIM905
    rules = ["AU", "CL", "EU", "IR", "MX", "NB", "--", "US", "ZN"]
    left = [{"place": f"place {number}", "rule": rules[number % len(rules)]} for number in range(90)]
    right = [{"where": f"place {number}", "country": countries[number % len(countries)]} for number in range(90)]
    assert paired(read_table(left), read_table(right)) == {"place": "where"}
    some = [{"place": f"place {number}", "code": countries[number % 9]} for number in range(90)]
    assert paired(read_table(some), read_table(right)) == {"place": "where", "code": "country"}


def test_a_letter_that_two_short_lists_share_pairs_nothing():
    left = [{"place": f"place {number}", "country": ["USA", "N Mariana", "Palau"][number % 3]} for number in range(90)]
    right = [{"where": f"place {number}", "dst": "ANU"[number % 3]} for number in range(90)]
    assert paired(read_table(left), read_table(right)) == {"place": "where"}


def test_short_codes_of_which_most_are_shared_go_together_where_they_are_many():
    codes = ["".join(letters) for letters in itertools.product("ABCDEFGHIJ", repeat=3)]
    left = read_table([{"place": f"place {at}", "iata": code} for at, code in enumerate(codes[:600])])
    right = read_table([{"where": f"place {at}", "faa": code} for at, code in enumerate(codes[250:800])])
    assert paired(left, right) == {"place": "where", "iata": "faa"}


def test_columns_of_one_name_that_hold_something_else_are_not_the_same_where_a_third_is():
    """R calls the column of row names the same in each table: here they are names, there numbers."""
    left = [{"rownames": f"{word} of {town}", "age": 20 + at} for at, (word, town) in enumerate(PLACES)]
    right = [{"rownames": at, "Name": row["rownames"].upper(), "Age": row["age"]} for at, row in enumerate(left)]
    for mine, theirs in ((left, right), (right, left)):
        one, other = read_table(mine), read_table(theirs)
        found = paired(one, other)
        assert together(one.columns, other.columns, found) == found
        assert set(found.items()) <= {("rownames", "Name"), ("age", "Age"), ("Name", "rownames"), ("Age", "age")}
        renamed, notes = with_names_of(one, other, found)
        assert sorted(set(one.columns) & set(renamed.columns)) == sorted(found)
        assert "without a partner in the other table: 'rownames'" in notes[1]
    result = lw.match(left, right)
    assert {(pair.left, pair.right) for pair in result} == {(at, at) for at in range(len(left))}
    few = lw.match(left[:3], right[:4], model=result.model)
    assert {(pair.left, pair.right) for pair in few} == {(at, at) for at in range(3)}
    alone = [{"rownames": row["rownames"], "Age": row["Age"]} for row in right]
    assert paired(read_table(left), read_table(alone)) == {"age": "Age"}  # no third


def test_columns_with_the_same_letters():
    assert _same_letters(["First_Name", "b"], ["first name", "FIRSTNAME", "c"]) == {"First_Name": "first name"}
    left, right = read_table([{"a": 1, "both": 2}]), read_table([{"b": 1, "both": 2}])
    assert _apart(left, right) == (["a"], ["b"])
    renamed, notes = with_names_of(left, right, {"a": "b"})
    assert renamed.table.column_names == ["a", "both"]
    assert notes == ["compared with each other, by what they hold: 'a' and 'b'"]
    for count, more in ((8, ""), (9, ", ...")):
        left = read_table([{"x": 1, **{f"l{n}": 1 for n in range(count)}}])
        _, notes = with_names_of(left, read_table([{"x": 1}]), {})
        few = ", ".join(f"'l{n}'" for n in range(8))
        assert notes == [
            f"without a partner in the other table: {few}{more} (left_on and right_on name columns that go together)"
        ]
    words = _Words.of(read_table([{"t": "A b"}, {"t": None}, {"t": "C"}]), "t")
    assert (words.words, words.length) == ({"a", "b", "c"}, 1.5)
    assert _Words.of(read_table([{"t": None, "u": 1}]), "t").length == 0.0


@pytest.mark.parametrize(
    ("words", "brief"),
    [
        ("abc", True),
        (["abcd", "a"], False),
        (["a", "b", "c", "d", "long"], False),
        (["a", "b", "c", "d", "e", "long"], True),
    ],
)
def test_brief_words(words, brief):
    assert _Words("text", frozenset(words), 1.0, np.zeros(0)).brief == brief


def test_the_most_alike_columns_go_together():
    """Where a column is like two others, the one that holds the same is its partner, whichever comes first."""
    left = [{"about": f"{a} {b}"} for a, b in zip(WORDS[:6], WORDS[6:], strict=True)] * 3
    right = [{"words": row["about"].split()[0], "text": row["about"]} for row in left]
    for other in (right, [dict(reversed(row.items())) for row in right]):
        assert paired(read_table(left), read_table(other)) == {"about": "text"}


def words(kind, words=("a",), length=1.0, numbers=()):
    return _Words(kind, frozenset(words), length, np.array(numbers, float))


def test_columns_that_hold_the_same():
    names = ("anna", "bert", "carl", "dora")
    assert words("name", names).alike(words("text", ("anna", "bert", "xaver"))) == pytest.approx(2 / 12**0.5)
    # Of short words four in five must be the same.
    assert words("name", "abcdefg").alike(words("text", "abcdx")) == pytest.approx(4 / 35**0.5)
    assert words("name", "abcdefg").alike(words("text", "abcx")) == 0
    assert words("name").alike(words("date")) == 0
    assert words("name", ()).alike(words("name")) == 0
    assert words("name", length=3).alike(words("name", length=1)) == 1
    assert words("name", length=3.1).alike(words("name", length=1)) == 0
    assert words("name", length=1).alike(words("name", length=3.1)) == 0
    one, two = np.arange(10.0), np.append(np.arange(9.0), 20)
    assert _distance(one, one) == 0
    assert _distance(one, two) == pytest.approx(0.1)
    assert words("number", numbers=one).alike(words("number", numbers=two)) == pytest.approx(1 - 5 * 0.1)
    assert words("number", numbers=one).alike(words("number", numbers=one + 5)) == 0
    assert _shortened("lat", "Latitude")
    assert not _shortened("la", "Latitude")


@pytest.mark.parametrize(
    ("mine", "theirs", "said"),
    [
        ("US$ {}.44 Mio.", "{}", "numbers in right, but no numbers in left ('US$ 20.44 Mio.')"),
        ("{}", "1h {}m", "numbers in left, but no numbers in right ('1h 20m')"),
        ("{}", "{} kg", None),
        ("US$ {}.44 Mio.", "1h {}m", None),
        ("55512345{}", "(555) 123-45{}", None),
        ("202401{}", "2024-01-{}", None),
        ("{}", "AB-{}", None),
        ("{}", "red", None),
        ("{}", "", None),
    ],
)
def test_numbers_beside_texts_with_figures_are_told(mine, theirs, said):
    left, right = (
        read_table([{"name": f"a{at}", "size": form.format(at)} for at in range(20, 60)], name=side)
        for form, side in ((mine, "left"), (theirs, "right"))
    )
    _, notes = with_names_of(left, right, {})
    assert [note for note in notes if note.startswith("size: ")] == (
        [f"size: {said}: written alike, their values would be compared"] if said else []
    )
