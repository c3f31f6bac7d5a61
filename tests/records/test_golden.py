"""Decisions to the digit: ``python -m tests.records.golden`` writes them anew where they are meant to be others."""

import json

import pytest
from tests.records.golden import CASES, KEPT, figures

GOLDEN = json.loads(KEPT.read_text(encoding="utf-8"))


def check(case: str) -> None:
    expected, found = GOLDEN[case], json.loads(json.dumps(figures(CASES[case]())))
    assert close(found, expected), {key: (found[key], expected[key]) for key in expected if found[key] != expected[key]}


def close(found: object, expected: object) -> bool:
    """Return whether plain values are the same, numbers to six digits."""
    if isinstance(expected, dict):
        return (
            isinstance(found, dict)
            and list(found) == list(expected)
            and all(close(found[key], expected[key]) for key in expected)
        )
    if isinstance(expected, list):
        return isinstance(found, list) and len(found) == len(expected) and all(map(close, found, expected))
    if isinstance(expected, float):
        return found == pytest.approx(expected, rel=1e-6, abs=1e-7)
    return found == expected


def named(*words: str) -> list[str]:
    return [case for case in CASES if case.startswith(words)]


def test_every_case_is_kept():
    assert list(GOLDEN) == list(CASES)
    assert not close([1.0, {"a": 2.0}], [1.0, {"a": 2.00001}])


@pytest.mark.parametrize("case", named("two tables"))
def test_two_tables(case):
    check(case)


@pytest.mark.parametrize("case", named("orders", "products", "texts"))
def test_orders_products_and_texts(case):
    check(case)


@pytest.mark.parametrize("case", named("groups", "couples", "a small", "nobody"))
def test_one_table(case):
    check(case)


@pytest.mark.parametrize("case", named("many people"))
def test_many_people(case):
    check(case)


@pytest.mark.parametrize("case", named("many couples", "many groups"))
def test_many_duplicates(case):
    check(case)
