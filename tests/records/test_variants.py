"""Tables full of near variants: partners beside their siblings are found, and siblings are not taken for partners."""

import random

import numpy as np
import pytest

import likewise as lw
from likewise.records.candidates import Candidates
from likewise.records.chances import expected, more_than_few
from likewise.records.evidence import Evidence
from likewise.records.relation import of_a_class

SYLLABLES = ("ba", "re", "mi", "to", "lu", "ka", "ne", "vo", "si", "du", "fa", "go")
FILLERS = ("new", "boxed", "retail", "card", "for", "desktop")
Row = dict[str, str | None]


def shops(size: int, both: int, seed: int) -> tuple[list[Row], list[Row]]:
    """Boards as two shops write them, three to six of one chip; the first ``both`` of each table are the same."""
    rng = random.Random(seed)
    word = lambda count: "".join(rng.choices(SYLLABLES, k=count)).title()  # noqa: E731
    makers = [word(2) for _ in range(12)]
    boards: list[tuple[str, str, str, str]] = []
    while len(boards) < 3 * size:
        chip = f"{word(2)} {rng.randint(100, 999)} {word(3)}"
        for series in rng.sample(range(10, 99), rng.randint(3, 6)):
            name = f"{chip.split()[0]} {series}{rng.choice('ABX')}"
            boards.append((rng.choice(makers), chip, name, f"{rng.randint(0, 0xFFFF):04x}"))
    rng.shuffle(boards)

    def one(maker: str, chip: str, name: str, number: str) -> Row:
        shown = f"{maker} {name}" + (f" ({chip})" if rng.random() < 0.5 else "")
        return {"name": shown, "number": number if rng.random() < 0.6 else None, "chip": chip}

    def other(maker: str, chip: str, name: str, number: str) -> Row:
        words = [part for part in name.split() if rng.random() > 0.15] or [name]
        words.insert(rng.randrange(len(words) + 1), rng.choice(FILLERS))
        row: Row = {"name": " ".join(words)}
        row["maker"] = maker if rng.random() < 0.8 else None
        row["number"] = number if rng.random() < 0.7 else None
        row["chip"] = chip if rng.random() < 0.8 else None
        return row

    left = [one(*board) for board in boards[:size]]
    return left, [other(*board) for board in boards[:both] + boards[size : 3 * size - both]]


@pytest.mark.parametrize("seed", range(4))
def test_partners_beside_near_variants_are_given(seed: int) -> None:
    found = lw.match(*shops(600, 200, seed))
    right = sum(match.left == match.right < 200 for match in found)
    assert right >= 0.7 * 200
    assert right >= 0.8 * len(found)
    assert abs(found.decision.precision - right / len(found)) <= 0.15


@pytest.mark.parametrize("seed", range(4))
def test_variants_of_one_chip_are_no_partners(seed: int) -> None:
    assert not len(lw.match(*shops(600, 0, seed)))


def said(*alike: float) -> Evidence:
    """A field that every pair has."""
    size = len(alike)
    return Evidence(np.zeros(size, bool), np.array(alike), np.array(alike) == 1, np.full(size, 0.01))


def test_copies_are_alike_in_every_field_and_a_class_is_not() -> None:
    likely = np.ones(6, bool)
    chip, number = said(1, 1, 1, 1, 1, 1), said(0, 0, 0.2, 1, 0, 0)
    mistyped = said(1, 0, 1, 1, 0.2, 1)
    assert of_a_class([chip, number], likely)
    assert not of_a_class([chip, mistyped], likely)
    assert not of_a_class([chip, said(0, 0, 0, 0, 0, 0)], likely & (np.arange(6) < 4))  # too few to tell


def test_many_doubtful_pairs_are_given_with_what_to_expect_and_few_are_not() -> None:
    doubtful = np.concatenate([np.full(60, 0.45), np.full(200, 0.01)])
    none, given = expected(doubtful), expected(doubtful, many=True)
    assert none.threshold > 1
    assert given.threshold == pytest.approx(0.45)
    assert given.precision == pytest.approx(0.45)
    assert given.recall == pytest.approx(27 / 29)
    empty = np.zeros(0, np.int64)
    tables = Candidates(empty, empty, 100, 900, False)
    assert more_than_few(tables, 27.0)
    assert not more_than_few(tables, 18.0)  # 15 in 100 are few, and a standard error is 4
