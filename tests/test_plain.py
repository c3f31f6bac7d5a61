"""Plain values back to what they were made of."""

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

import pytest

from likewise.plain import restored


class Size(StrEnum):
    SMALL = "s"


@dataclass(frozen=True)
class Part:
    number: int
    share: float = 1.0


@dataclass(frozen=True)
class Whole:
    size: Size
    parts: tuple[Part, ...]
    pair: tuple[bool, float] | None = None
    names: Mapping[str, int | None] = None  # type: ignore[assignment]
    any: Any = None


WHOLE = Whole(Size.SMALL, (Part(1, 0.5), Part(2)), (True, 2.0), {"a": 1, "b": None}, [1])


def test_what_was_taken_apart_is_put_together():
    assert restored(Whole, asdict(WHOLE)) == WHOLE
    assert restored(Whole, ["s", [[1, 0.5], {"number": 2}], [True, 2], {"a": 1, "b": None}, [1]]) == WHOLE


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ([], "Whole lacks size"),
        ("s", "Whole is wanted, not 's'"),
        (["s"] * 6, "Whole has 5 values, not 6"),
        ({**asdict(WHOLE), "more": 1}, "Whole has no 'more'"),
        (["m", []], "Whole.size: 'm' is not a valid Size"),
        (["s", {}], "Whole.parts: a list is wanted"),
        (["s", [[True]]], "Whole.parts: Part.number: int is wanted, not True"),
        (["s", [[1, "2"]]], "Whole.parts: Part.share: a number is wanted, not '2'"),
        (["s", [[1, float("nan")]]], "a number is wanted, not nan"),
        (["s", [[1, -(10**400)]]], "a number is wanted, not -1"),
        (["s", [], [True]], "Whole.pair: a list of 2 is wanted, not of 1"),
        (["s", [], None, []], "Whole.names: an object is wanted"),
        (["s", [], None, {"a": 0.5}], "Whole.names: int is wanted, not 0.5"),
    ],
)
def test_what_does_not_fit_is_refused_with_its_place(values, said):
    with pytest.raises(ValueError, match=re.escape(said)):
        restored(Whole, values)
