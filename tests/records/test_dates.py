"""Dates at their borders, and which part is the day."""

import numpy as np
import pytest

from likewise.records.dates import agreement, day_or_month, parse_date
from likewise.records.kinds import form_of, written

MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
OTHER = {
    "jän": 1, "ene": 1, "gen": 1, "fév": 2, "fev": 2, "mär": 3, "maa": 3, "mrt": 3, "avr": 4, "abr": 4, "mai": 5,
    "mei": 5, "mag": 5, "juin": 6, "giu": 6, "juil": 7, "lug": 7, "aoû": 8, "aou": 8, "ago": 8, "set": 9, "okt": 10,
    "ott": 10, "out": 10, "déc": 12, "dez": 12, "dic": 12,
}  # fmt: skip


def test_months_have_names():
    for name, month in {**{name: place for place, name in enumerate(MONTHS, 1)}, **OTHER}.items():
        assert parse_date(f"4 {name} 1999") == (1999, month, 4)
        assert parse_date(f"{name.title()} 4, 1999") == (1999, month, 4)
    assert parse_date("4 foo 1999") is None
    assert parse_date("juni 1999") == (1999, 6, None)
    assert parse_date("juli 4, 1999") == (1999, 7, 4)


@pytest.mark.parametrize(
    ("text", "day_first", "parts"),
    [
        ("3/4/1999", False, (1999, 3, 4)),
        ("3/4/1999", True, (1999, 4, 3)),
        ("3.4.1999", False, (1999, 4, 3)),
        ("12/12/1999", True, (1999, 12, 12)),
        ("13/12/1999", False, (1999, 12, 13)),
        ("12/13/1999", True, (1999, 12, 13)),
        ("13/13/1999", False, None),
        ("31/1/1999", False, (1999, 1, 31)),
        ("32/1/1999", False, None),
        ("1-2-30", False, (2030, 1, 2)),
        ("1-2-31", False, (1931, 1, 2)),
        ("19990304", False, (1999, 3, 4)),
        ("19991304", False, None),
        ("14990304", False, None),
        ("1999", False, None),
        ("1999-12", False, (1999, 12, None)),
        ("  1999-01-31 ", False, (1999, 1, 31)),
        ("1999-01-02T10:11", False, (1999, 1, 2)),
        ("3/4/99 10:11", False, (1999, 3, 4)),
        ("1st of May 1999", False, None),
        ("1st May 99", False, (1999, 5, 1)),
        ("May 1999", False, (1999, 5, None)),
        ("May 31, 1999", False, (1999, 5, 31)),
        ("May 32, 1999", False, None),
        ("0 May 1999", False, None),
        ("Thursday, March 04, 1999", False, (1999, 3, 4)),
        ("Thu, 04 Mar 1999 08:00:00 GMT", False, (1999, 3, 4)),
        ("Do., 4.3.1999", False, (1999, 3, 4)),
        ("jeudi 4 mars 1999", False, (1999, 3, 4)),
        ("quinta-feira, 4 de março de 1999", False, (1999, 3, 4)),
        ("mar 4 1999", False, (1999, 3, 4)),
        ("Room 19990304", False, None),
        ("mo " * 9000 + "4", False, None),
        ("Ada, 4 March 1999", False, None),
        ("1999年3月4日", False, (1999, 3, 4)),
        ("1999 年 3 月 4 日 10:11", False, (1999, 3, 4)),
        ("1999年3月", False, (1999, 3, None)),
        ("1999년 3월 4일", False, (1999, 3, 4)),
        ("1999年13月4日", False, None),
    ],
)
def test_dates_at_their_borders(text, day_first, parts):
    assert parse_date(text, day_first) == parts


def test_dates_show_which_part_is_the_day():
    assert day_or_month(["12/12/1999", "13/1/1999", "1/13/1999", "14/1/1999", "soon"]) == (2, 1)
    assert day_or_month([]) == (0, 0)
    assert form_of(["13/1/1999", "1/2/1999"], "date") == (1, 0)
    assert written(["1/2/1999", "soon"], "date", (1, 0)) == ["1999-02-01", "soon"]
    assert written(["1/2/1999"], "date", (1, 1)) == ["1999-01-02"]
    assert written(["1/2/1999"], "date", (0, 1)) == ["1999-01-02"]


@pytest.mark.parametrize(
    ("left", "right", "agree"),
    [
        ((1999, 3, 4), (1999, 3, 4), 1.0),
        ((1999, 3, 4), (1999, 4, 3), 0.85),
        ((1999, 3, 4), (1999, 3, 5), 0.7),
        ((1999, 3, 4), (1999, 4, 4), 0.7),
        ((1999, 3, 4), (1950, 3, 4), 0.7),
        ((1999, 3, 4), (1999, 5, 6), 0.4),
        ((1999, 3, 4), (1999, 4, 5), 0.4),  # the month is there the day, but not the other way round
        ((1999, 3, 4), (1999, 5, 3), 0.4),
        ((1999, 3, 4), (2000, 4, 3), 0.2),  # what changes places is no slip in another year
        ((1999, 3, 4), (1998, 5, 6), 0.2),
        ((1999, 3, 4), (2000, 5, 6), 0.2),
        ((1999, 3, 4), (2001, 5, 6), 0.0),
        ((1999, 3, 4), (2001, 3, 6), 0.0),
        ((1999, 3, 0), (1999, 3, 4), 0.6),
        ((1999, 3, 0), (1999, 3, 0), 0.6),  # that neither says the day is no evidence
        ((1999, 0, 0), (1999, 3, 4), 0.6),
        ((1999, 0, 3), (1999, 3, 0), 0.6),
        ((1999, 3, 0), (1999, 4, 0), 0.2),
        ((1999, 3, 4), (1999, 5, 0), 0.2),
        ((1999, 3, 0), (2000, 3, 4), 0.2),
        ((1999, 3, 0), (1998, 4, 0), 0.2),
        ((1999, 3, 0), (2001, 3, 0), 0.0),
    ],
)
def test_how_far_dates_agree(left, right, agree):
    assert agreement(np.array([left]), np.array([right])).tolist() == [agree]
    assert agreement(np.array([right]), np.array([left])).tolist() == [agree]


def test_the_first_month_and_the_first_day_are_said():
    """A part of 1 is a part: only 0 is none."""
    a, b = np.array([[1999, 1, 1]] * 3), np.array([[1999, 1, 1], [1999, 1, 2], [2005, 1, 1]])
    assert agreement(a, b).tolist() == [1.0, 0.7, 0.7]


def test_two_digits_of_a_year():
    assert [parse_date(f"1/2/{year}")[0] for year in ("00", "30", "31", "99")] == [2000, 2030, 1931, 1999]
    assert [parse_date(text) for text in ("1999-12-31", "1999-13-01", "1999-00-01", "1999-01-32", "1999-01-00")] == [
        (1999, 12, 31),
        None,
        None,
        None,
        None,
    ]
