"""Angles at their borders, and two of them."""

import pytest

from likewise.records.degrees import coordinates, degrees


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("N 51.65", 51.65),
        ("N 51.6", None),
        ("51.6543 N", 51.6543),
        ("51.654 N", None),
        ("51.654° N", 51.654),
        ("51° 59' N", 51 + 59 / 60),
        ("51° 60' N", None),
        ("51° 1' 59\" S", -(51 + 1 / 60 + 59 / 3600)),
        ("51° 1' 60\" S", None),
        ("360°", 360.0),
        ("361°", None),
        ("-12.5°", -12.5),
        ("−12.5°", -12.5),
        ("+12.5°", 12.5),
        ("-12.5° N", None),
        ("N 12° W", None),
        ("12.5° 30'", None),
        ("O 12° 30'", -12.5),
        ("E 12° 30'", 12.5),
        ("S3", None),
        ("5.25 W", None),
        ("12", None),
    ],
)
def test_angles_at_their_borders(text, value):
    assert degrees(text) == (None if value is None else pytest.approx(value))


def test_two_angles():
    assert coordinates("51.5°; -3°") == (51.5, -3.0)
    assert coordinates("1°, 2°, 3°") is None
    assert coordinates("51.5°, here") is None
    assert coordinates("here, 51.5°") is None
    assert coordinates(" (1.5 -2.5) ") == (1.5, -2.5)
