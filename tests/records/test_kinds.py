import itertools

import numpy as np
import pytest

import likewise as lw
from likewise.errors import OptionError
from likewise.read.tables import read_table
from likewise.records.columns import Column
from likewise.records.dates import agreement, as_iso, parse_date
from likewise.records.degrees import degrees
from likewise.records.evidence import Field
from likewise.records.fields import fields_of
from likewise.records.kinds import (
    KINDS,
    at_least,
    detect,
    form_of,
    kind_of,
    kind_step,
    magnitudes,
    normalised,
    number,
    written,
    written_as,
)
from likewise.records.measures import length_step
from likewise.records.options import KIND_NAMES, MatchOptions, parse_kinds

COLUMNS = {
    "date": [["1999-03-04", "12/31/1999", "4 March 1901", None], ["19560409", "20010203"]],
    "money": [["$12.50", "$1,299", "3.20 EUR"]],
    "number": [
        ["12", "7", "1300.5"],
        ["1999", "2001", "2001"],
        ["1984", "1991", "1993", "1984/1986", "2001", "n.d.", "1977", "1975", "2003", "2010"],
        ["-12.5", "3"],
        ["12 kg", "3 kg"],
        ["12,50", "3,9", "1.299,00"],
    ],
    "code": [["LX-200B", "K7011", "SD-40"], ["5304218", "4066625", "1234567"]],
    "postcode": [["4011", "4052", "4011", "8001"] * 3, ["SW1A 1AA", "EC2 5GH"]],
    "phone": [["310/246-1501", "+41 61 123 45 67", "(212) 505-0005"], ["077893287", "061123456", "044123456"]],
    "email": [["ada@example.org", "kurt@example.com"]],
    "boolean": [["yes", "no", "no"], ["0", "1"]],
    "coordinates": [["47.5, 7.6", "-33.86, 151.2"]],
    "category": [["red", "blue", "green"] * 40],
    "name": [["Ada Lovelace", "Kurt Gödel", "Grace Hopper"] + [f"Person {chr(97 + n)}" for n in range(20)]],
    "text": [["a long sentence about all the things that there are", "another one of many words"], [None, ""]],
}


@pytest.mark.parametrize(("kind", "values"), [(kind, values) for kind, sets in COLUMNS.items() for values in sets])
def test_kinds_are_seen_from_the_values(kind, values):
    assert detect(values) == kind


def test_equal_however_it_is_written():
    for kind, left, right in [
        ("phone", "310/246-1501", "(310) 246-1501"),
        ("phone", "+44 77 893 287", "077893287"),
        ("date", "1999-03-04", "March 4, 1999"),
        ("money", "$1,299.00", "1299"),
        ("money", "1.299,50 EUR", "€1,299.50"),
        ("code", "LX-200B", "lx 200b"),
        ("postcode", "SW1A 1AA", "sw1a1aa"),
        ("name", " Ada  Lovelace", "ada lovelace"),
        ("name", "Raisecom Technology CO., LTD", "RAISECOM Technology Co.,Ltd."),
        ("name", "J. R. O'Neill-Smith", "JR ONeill Smith"),
        ("text", "12-3, Main St.  (rear)", "12/3 Main St rear"),
    ]:
        assert normalised(kind, left) == normalised(kind, right)
    for kind, left, right in [
        ("name", "C#", "C++"),
        ("name", "A+", "A-"),
        ("name", "?", "-"),
        ("text", "at -5 degrees", "at 5 degrees"),
        ("text", "1.5 kg", "15 kg"),
        ("text", "12-3 Main St", "123 Main St"),
        ("name", "कि", "का"),  # vowels are marks
        ("email", "a.b@example.org", "ab@example.org"),
        ("category", "A", "A-"),
    ]:
        assert normalised(kind, left) != normalised(kind, right)
    assert number("12 inches wide") is None
    assert parse_date("1999-13-40") is None
    assert np.isnan(magnitudes("number", ["n/a"])).all()


def test_degrees_are_read_in_the_forms_that_people_write():
    for text in (
        "51° 39' 00\"",
        "51°39′00″ N",
        "51 39 00N",
        "N 51° 39'",
        "51º39.0'",
        "51.65°",
        "N51.65",
        "51.6500N",
        "51,65° N",
    ):
        assert number(text) == pytest.approx(51.65), text
    for text in ("-51° 39' 00\"", "51 39 S", "W 51°39'", "51°39' O", "−51.65", "S51.65"):
        assert number(text) == pytest.approx(-51.65), text
    for text in ("S3", "N95", "E5", "51 39 00", "51° 70'", "N 51° S", "-51° N", "5'10\""):
        assert degrees(text) is None, text
    assert (number("5.25 W"), number("12 S"), number("20°C")) == (5.25, 12, 20)
    assert detect(["S3", "E5", "N95", "W12"] * 5) != "number"
    assert detect(["51°39'00\"N 0°07'30\"W", "N51°39' W0°7.5'", "51.65, -0.125"]) == "coordinates"
    both = magnitudes("coordinates", ["51°39'00\"N, 0°07'30\"W", "51.65, -0.125", "somewhere"])
    assert both[0].tolist() == pytest.approx(both[1].tolist())
    assert np.isnan(both[2]).all()


def test_places_in_degrees_and_minutes_match_those_in_decimals():
    random = np.random.default_rng(3)
    names = ["".join(random.choice(["ba", "re", "mi", "to", "lu", "ka"], 3)) for _ in range(150)]
    spots = random.uniform(-80, 80, (150, 2))

    def sexagesimal(value):
        seconds = round(abs(value) * 3600)
        return f"{'-' if value < 0 else ''}{seconds // 3600}° {seconds // 60 % 60:02}' {seconds % 60:02}\""

    left = [{"name": n, "lat": sexagesimal(a), "lon": sexagesimal(b)} for n, (a, b) in zip(names, spots, strict=True)]
    right = [{"name": n, "lat": f"{a:.4f}", "lon": f"{b:.4f}"} for n, (a, b) in zip(names, spots, strict=True)]
    found = lw.match(left, right)
    assert found.decision.kinds["lat"] == "number"
    assert [(match.left, match.right) for match in found] == [(place, place) for place in range(150)]


def test_dates_that_differ_by_a_slip_agree_more_than_others():
    rows = [(1999, 3, 4), (1999, 4, 3), (1999, 3, 14), (1999, 12, 25), (1950, 1, 1)]
    base = np.array([(1999, 3, 4)] * len(rows))
    found = agreement(base, np.array(rows))
    assert sorted(found.tolist(), reverse=True) == found.tolist()
    assert agreement(np.array([[1999, 0, 0]]), np.array([[1999, 3, 4]])).tolist() == [0.6]


def test_dates_are_read_in_the_forms_that_people_write():
    forms = [
        "1999-08-14",
        "14.08.1999",
        "14.8.99",
        "14/08/1999",
        "08/14/99",
        "14-Aug-99",
        "14 August 1999",
        "Aug. 14, 1999",
    ]
    forms += [
        "14. August 1999",
        "14 août 1999",
        "14 de agosto de 1999",
        "14 agosto 1999",
        "19990814",
        "14.08.1999 15:30",
    ]
    assert {parse_date(form) for form in forms} == {(1999, 8, 14)}
    assert parse_date("4.3.1999") == (1999, 3, 4)
    assert [parse_date(text) for text in ("1.10.3", "12-34-56", "the 4th", "99", "")] == [None] * 5


def test_each_table_has_its_own_order_of_day_and_month():
    days = [f"{year}-{month:02}-{day:02}" for year in (1999, 2004) for month in (1, 4, 11) for day in (2, 7, 25)]
    european = [f"{day[8:]}/{day[5:7]}/{day[:4]}" for day in days]
    american = [f"{day[5:7]}/{day[8:]}/{day[2:4]}" for day in days]
    assert as_iso(european) == days
    assert as_iso(american) == days
    assert as_iso(days) == days
    left, right = (read_table([{"day": day} for day in form]) for form in (european, american))
    (field,) = fields_of(left, right, MatchOptions())
    rows = np.arange(len(days))
    assert field.kind == "date"
    assert field.compare(rows, rows).equal.all()


def test_each_table_has_its_own_decimal_sign():
    points = ["38.704022", "38.704", "7.5", "1299.25"]
    commas = ["38,704022", "38,704", "7,5", "1.299,25"]
    with_points = written_as("number")
    assert with_points(commas) == points
    assert with_points(points) == points
    assert with_points(["12,50", "1.5"]) == ["12,50", "1.5"], "both: each by itself"
    assert detect(commas) == detect(points) == "number"
    (field,) = fields_of(*(read_table([{"x": one} for one in side]) for side in (points, commas)), MatchOptions())
    assert field.compare(np.arange(4), np.arange(4)).equal.all()


def test_a_null_is_no_agreement():
    for kind in KINDS:
        column = Column.of([None, None, "12"])
        found = Field.of("f", kind, column, column).compare(np.array([0, 0, 2]), np.array([1, 2, 2]))
        assert found.null.tolist() == [True, True, False]
        assert found.equal.tolist() == [False, False, True]


def test_kinds_can_be_told():
    assert tuple(KINDS) == KIND_NAMES
    assert parse_kinds("born=date") == {"born": "date"}
    for bad in ("date", ["born=data"], {"born": "year"}):
        with pytest.raises(OptionError, match="kind"):
            parse_kinds(bad)


def test_what_has_no_digit_is_no_equal_phone() -> None:
    assert normalised("phone", "fax 030 1234567") == normalised("phone", "0301234567 x12")
    assert len({normalised("phone", value) for value in ("unknown", "n/a", "fax: 040 7654321")}) == 3
    assert normalised("code", "-") != normalised("code", "?")


def test_numbers_show_how_they_are_written():
    assert form_of(["1.5", "2.25", "3,5", "1.299", "x"], "number") == (2, 1)
    assert form_of(["1.5"], "name") == (0, 0)
    assert written(["1.299,5 €", "12,5", "none"], "money", (0, 2)) == ["1299.5 €", "12.5", "none"]
    assert written(["1,5", "1.5"], "number", (1, 1)) == ["1,5", "1.5"]
    assert written(["1,5"], "number", (0, 0)) == ["1,5"]
    assert written(["1,5"], "name", (0, 1)) == ["1,5"]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1e400", None),
        ("9" * 400, None),
        ("1,299", 1299.0),
        ("1,29", 1.29),
        ("1,2", 1.2),
        ("1,2999", 1.2999),
        ("1.299.000,5", 1299000.5),
        ("-.5", -0.5),
        ("−3", -3.0),
        ("12 parsecs", None),
        ("12 miles", 12.0),
        ("", None),
        ("$", None),
    ],
)
def test_numbers_at_their_borders(text, value):
    assert number(text) == value


def test_what_is_equal_and_what_stays_as_it_is():
    assert normalised("phone", "030 1234567") == normalised("phone", "+49 30 1234567 ext. 5")
    assert normalised("phone", "none") == "none"
    assert normalised("code", "--") == "--"
    assert normalised("number", "x1") == "x1"
    assert normalised("number", "1.0") == normalised("number", "1")
    assert normalised("date", "soon") == "soon"
    assert normalised("date", "4 May 1999") == normalised("date", "1999-05-04")
    assert normalised("category", " A  b") == "a b"
    assert normalised("email", "A@B.org") == "a@b.org"
    assert normalised("name", "...") == "..."


def test_a_share_of_values():
    for hits, size in itertools.product(range(5), range(1, 5)):
        if hits <= size:
            values = [1] * hits + [0] * (size - hits)
            for least in (0.25, 0.5, 0.75, 1.0):
                for order in (values, values[::-1]):
                    assert at_least(order, bool, least) == (hits / size >= least), (order, least)
    assert not at_least([], bool, 0.5)


def test_samples():
    assert [kind_step(size) for size in (0, 1, 3999, 4000, 6000)] == [1, 1, 1, 2, 3]
    assert [length_step(size) for size in (0, 1, 1999, 2000, 3000)] == [1, 1, 1, 2, 3]
    assert kind_of(["a b c"] * 20, 1000, 20, ()) == "category"  # twelve, or one in fifty
    assert kind_of(["a b c"] * 20, 999, 20, ()) == "name"
    assert kind_of(["a b c d"] * 20, 1000, 20, ()) == "name"


def test_truths_are_two():
    assert detect(["yes", "no", "yes"]) == detect(["True", "true"]) == "boolean"
    assert detect(["yes", "no", "true"] * 4) == "category"


def many(*parts):
    """Return a column of parts, each so many times, every time another."""
    return [form.format(n) for form, count in parts for n in range(10, 10 + count)]


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        # so many of ten are enough
        (many(("a{}@b.org", 8), ("none", 2)), "email"),
        (many(("a{}@b.org", 7), ("none of it all", 3)), "code"),
        (many(("1999-03-{}", 8), ("none", 2)), "date"),
        (many(("{}.5", 9), ("none", 1)), "number"),
        # a phone has seven digits to fifteen
        (["123-4567", "234-5678"], "phone"),
        (["12345 678901 2345", "22345 678901 2345"], "phone"),
        (["12345 678901 23456", "22345 678901 23456"], "category"),
        (["1234-56", "2345-67"], "code"),
        # numbers of one length are keys, unless they are years; places come back, and are five digits at most
        (["1500", "2100", "1999", "1500"], "number"),
        (["1499", "1498", "1497", "1499"] * 3, "postcode"),
        (["2101", "2102", "2103", "2101"] * 3, "postcode"),
        (["12345", "12346", "12345", "12346", "22345"] * 3, "postcode"),
        (["123456", "123466", "123456", "123466", "223456"] * 3, "code"),
        (["101", "102", "103", "101"], "number"),
        # few above many: amounts, no keys
        (["1000", "1001", "9999", "9998"] + ["1002"] * 9, "number"),
        # up to twelve, of three words at most, are categories
        ([f"kind {chr(97 + n)}" for n in range(12)] * 2, "category"),
        ([f"kind {chr(97 + n)}" for n in range(13)] * 2, "name"),
        ([f"a kind of {chr(97 + n)}" for n in range(5)], "name"),
        ([f"a kind of the {chr(97 + n)}" for n in range(5)], "text"),
        (["x" * 59 + chr(97 + n) for n in range(20)], "text"),
        (["x" * 58 + chr(97 + n) for n in range(20)], "name"),
        (["yes", "maybe", "no"], "category"),
    ],
)
def test_kinds_at_their_borders(values, kind):
    assert detect(values) == kind


def test_one_value_of_so_many_is_looked_at():
    step = kind_step(10**7)
    assert step > 1
    assert kind_step(10) == 1
    assert 10**7 // step <= 2 * (10**7 // kind_step(10**7))
    assert kind_of([], 0, 0, ()) == "text"
