"""Records, one set left out: the numbers of a decision chosen again by the other sets, and what the one left out gets.

    python -m benchmarks.left_out [DATA] [--sources FOLDER] [--sets NAME ...] [--write PAGE]

The numbers are those of :class:`likewise.records.limits.Limits`. Each set is compared once, and decided on with each
number a step lower and a step higher. For each set, each number becomes what gave the others the highest mean F1 (of
several that did, the middle one, whatever is shipped), and the set is decided on with all of these together.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields, replace
from itertools import chain
from multiprocessing import get_context
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from benchmarks.measuring import DATA, SOURCES, give_page
from benchmarks.record_decisions import chosen, gold, scores
from benchmarks.record_sets import TablePair, given, lookups, made
from benchmarks.record_sets_large import made as large
from benchmarks.record_sets_later import made as later
from benchmarks.record_sets_real import TO_CHOOSE, real
from likewise.read.tables import read_table
from likewise.records.build import build
from likewise.records.candidates import candidates
from likewise.records.compared import Compared
from likewise.records.deciding import PARTNERS, decide_unknown
from likewise.records.decision import FEWEST
from likewise.records.fields import column_pairs, fields_of, joined_text
from likewise.records.limits import Limits, decided_by
from likewise.records.options import DedupeOptions, MatchOptions

Figures = Mapping[tuple[str, float], float]
"""F1 of a set by a number and its value, all others as shipped."""
STEPS = (2 / 3, 1.0, 3 / 2)
SHIPPED = Limits()
_LARGE = 20_000  # records of the left side from which on a set is not looked at
_COUNTS = ("several", "several_between")  # of partners: one at least


class Read(Limits):
    """The shipped numbers, that remember which were asked for: one that nobody asks for changes nothing."""

    names: ClassVar[set[str]] = set()

    def __getattribute__(self, name: str) -> Any:
        Read.names.add(name)
        return super().__getattribute__(name)


@dataclass(frozen=True)
class Left:
    """One set that is left out: F1 as shipped and by the numbers that the others chose, and which of them differ."""

    name: str
    shipped: float
    without: float
    changed: tuple[str, ...]


def around(name: str, value: float) -> tuple[float, ...]:
    """Return the values that are tried: a step lower, as shipped, a step higher; shares stay below 1 by their odds.

    >>> [round(value, 2) for value in around("few", 0.2)], around("rivals", 4), around("several", 1.5)[0] > 1
    ([0.14, 0.2, 0.27], (3, 4, 6), True)
    """
    if isinstance(value, int):
        return tuple(round(value * step) for step in STEPS)
    if name in _COUNTS:
        return tuple(1 + (value - 1) * step for step in STEPS)
    if 0 < value < 1:
        odds = value / (1 - value)
        return tuple(value if step == 1 else odds * step / (1 + odds * step) for step in STEPS)
    return tuple(value * step for step in STEPS)


def choose(others: Iterable[Figures]) -> Limits:
    """Return the numbers that give sets the highest mean F1, each by itself; of equally good ones the middle one.

    >>> figures = {(name, tried): 0.5 for name, value in asdict(SHIPPED).items() for tried in around(name, value)}
    >>> choose([figures]) == SHIPPED, choose([{**figures, ("few", around("few", 0.2)[2]): 0.6}]).few > 0.2
    (True, True)
    """
    sets = list(others)
    found = {}
    for name, value in asdict(SHIPPED).items():
        means = {tried: round(float(np.mean([one[name, tried] for one in sets])), 6) for tried in around(name, value)}
        best = [tried for tried in means if means[tried] == max(means.values())]
        found[name] = best[(len(best) - 1) // 2]
    return Limits(**found)


def compared(two: TablePair) -> Compared:
    """Return the set as a decision sees it."""
    left = read_table(two.left)
    right = left if two.right is None else read_table(two.right)
    options = DedupeOptions() if two.right is None else MatchOptions()
    space = build(left, right, options)[0]
    joined, columns = (
        joined_text(space, left, right, column_pairs(left, right, options)),
        fields_of(left, right, options),
    )
    return Compared.of(joined, columns, candidates(joined, columns, PARTNERS))


def f1(two: TablePair, evidence: Compared, numbers: Limits) -> float:
    """Return F1 of what is decided by these numbers."""
    with decided_by(numbers):
        return scores(chosen(decide_unknown(evidence, None, None)), gold(two))[0]


def tried(two: TablePair) -> tuple[Figures, set[str]]:
    """Return F1 of a set by each number and value, and the numbers that were asked for."""
    evidence = compared(two)
    Read.names = set()
    shipped = f1(two, evidence, Read())
    read = Read.names & {field.name for field in fields(Limits)}
    found = {}
    for name, value in asdict(SHIPPED).items():
        for other in around(name, value):
            same = other == value or name not in read
            found[name, other] = shipped if same else f1(two, evidence, replace(SHIPPED, **{name: other}))
    print(f"{two.name}: {shipped:.3f}, {len(read)} numbers", file=sys.stderr, flush=True)
    return found, read


def left_out(two: TablePair, numbers: Limits, figures: Figures, read: set[str]) -> Left:
    """Return what a set gets by numbers that it did not choose."""
    changed = tuple(name for name, value in asdict(numbers).items() if value != getattr(SHIPPED, name))
    shipped = figures["few", SHIPPED.few]
    without = f1(two, compared(two), numbers) if read & set(changed) else shipped
    print(f"{two.name}: {shipped:.3f} {without:.3f}", file=sys.stderr, flush=True)
    return Left(two.name, shipped, without, changed)


def sets(data: Path, sources: Path | None) -> list[TablePair]:
    """Return the sets that are decided on: not the largest, nor single texts with duplicates, nor a few records."""
    every = chain(
        given(data), lookups(data), *([made(sources), later(sources, data), large(sources)] if sources else [])
    )
    every = chain(every, (two for two in real(sources) if two.name in TO_CHOOSE) if sources else ())
    return [
        two
        for two in every
        if min(len(two.left), len(two.right or two.left)) >= FEWEST and len(two.left) <= _LARGE
        if two.right is not None or isinstance(two.left[0], dict)
    ]


def table(found: Iterable[Left]) -> list[str]:
    """Return a line for each set, and the means."""
    lines = ["| set | shipped | chosen without it | difference | numbers that are others |", "|---|---|---|---|---|"]
    rows = list(found)
    for row in [
        *rows,
        Left("mean", *(float(np.mean([getattr(row, of) for row in rows])) for of in ("shipped", "without")), ()),
    ]:
        apart = row.without - row.shipped
        lines.append(
            f"| {row.name} | {row.shipped:.3f} | {row.without:.3f} | {apart:+.3f} | {', '.join(row.changed)} |"
        )
    return lines


def numbers(figures: list[Figures], read: list[set[str]], chosen_by: list[Limits]) -> list[str]:
    """Return a line for each number: how far it matters, and what was chosen how often."""
    lines = [
        "| number | sets that ask for it | lower, shipped, higher | mean F1 of each | chosen |",
        "|---|---|---|---|---|",
    ]
    for name, value in asdict(SHIPPED).items():
        values = around(name, value)
        means = [float(np.mean([one[name, other] for one in figures])) for other in values]
        times = Counter(getattr(one, name) for one in chosen_by)
        asked = sum(name in one for one in read)
        shown = [", ".join(f"{one:.{places}f}" for one in row) for row, places in ((values, 3), (means, 4))]
        lines.append(
            f"| {name} | {asked} | {shown[0]} | {shown[1]} | {', '.join(str(times[other]) for other in values)} |"
        )
    return lines


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("data", type=Path, nargs="?", default=DATA)
    arguments.add_argument("--sources", type=Path, default=SOURCES, help="Folder of public tables to make sets from.")
    arguments.add_argument("--sets", nargs="*", help="Only these sets.")
    arguments.add_argument("--write", type=Path)
    asked = arguments.parse_args()
    every = [two for two in sets(asked.data, asked.sources) if not asked.sets or two.name in asked.sets]
    with get_context("spawn").Pool(2, maxtasksperchild=1) as pool:
        figures, read = (list(side) for side in zip(*pool.map(tried, every, 1), strict=True))
        chosen_by = [choose(one for at, one in enumerate(figures) if at != place) for place in range(len(every))]
        rows = pool.starmap(left_out, zip(every, chosen_by, figures, read, strict=True), 1)
    page = [
        "# Records: one set left out",
        "",
        "The numbers of a decision that were chosen by looking (`records/limits.py`) are chosen again by all sets but",
        "one: each by itself, lower, as shipped or higher, by the highest mean F1; of several that are best, the",
        "middle one. Then the set that was left out is decided on with all of these together. Where the difference is",
        "about 0, the shipped numbers are not fitted to that set.",
        "",
        *table(rows),
        "",
        "How much each number matters, all others as shipped; *chosen*: how often each of the three was, over the sets",
        "left out. One that no set asks for was set for tables that are not among these.",
        "",
        *numbers(figures, read, chosen_by),
    ]
    give_page(page, asked.write)


if __name__ == "__main__":
    main()
