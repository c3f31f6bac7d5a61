"""Records, few of which have a partner: what is decided, from none in a hundred to thirty.

    python -m benchmarks.overlap [DATA] [--sources FOLDER] [--sets NAME ...] [--write PAGE]

Each pair of tables is cut to 1,500 left records (half of them, if there are fewer) and as many right ones, of which so
many are partners; and to 40 left records beside 5,000 right ones, as somebody has who looks up a few.
"""

import argparse
import random
import sys
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain, takewhile
from pathlib import Path

import likewise as lw
from benchmarks.measuring import DATA, SOURCES, give_page
from benchmarks.record_decisions import scores
from benchmarks.record_sets import TablePair, given, made
from benchmarks.record_sets_later import made as later

SHARES = (0, 1, 2, 4, 10, 30)
WHOLE, FEW, MANY = 1500, 40, 5000
NAMES = ("febrl4", "films", "guides", "papers", "payments", "planes", "software")


def cut(two: TablePair, percent: int, lefts: int, rights: int) -> TablePair:
    """Return some records of each side, of which so many in a hundred left ones have a partner.

    >>> some = TablePair("some", list("abcd"), list("ABCD"), frozenset((place, place) for place in range(4)))
    >>> part = cut(some, 50, 2, 3)
    >>> len(part.left), len(part.right), len(part.gold)
    (2, 3, 1)
    """
    assert two.right is not None
    draw, partner = random.Random(f"{two.name} {percent} {lefts}"), dict(sorted(two.gold))
    chosen = draw.sample(range(len(two.left)), min(lefts, len(two.left) // 2))
    paired = [place for place in chosen if place in partner]
    kept = paired[: round(len(chosen) * percent / 100)]
    gone, stay = {partner[place] for place in paired}, [partner[place] for place in kept]
    others = [place for place in range(len(two.right)) if place not in gone]
    right = stay + draw.sample(others, min(len(others), rights - len(stay)))
    draw.shuffle(right)
    at, there = ({place: new for new, place in enumerate(side)} for side in (chosen, right))
    return replace(
        two,
        left=[two.left[place] for place in chosen],
        right=[two.right[place] for place in right],
        gold=frozenset((at[place], there[partner[place]]) for place in kept),
    )


def lines(two: TablePair) -> Iterator[str]:
    """Yield what is decided on the table cut in each way."""
    sizes = [(percent, WHOLE, WHOLE) for percent in SHARES] + [(0, FEW, MANY), (12, FEW, MANY)]
    for percent, lefts, rights in sizes:
        part = cut(two, percent, lefts, rights)
        found = lw.match(part.left, part.right)
        pairs = {(pair.left, pair.right) for pair in found}
        f1, precision, recall = scores(pairs, set(part.gold))
        shown = f"{precision:.2f} | {found.decision.precision:.2f}" if pairs else "- | -"
        shown += f" | {recall:.2f} | {f1:.2f}" if part.gold else " | - | -"
        yield f"| {two.name} | {len(part.left)} x {len(part.right)} | {len(part.gold)} | {len(pairs)} | {shown} |"


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("data", type=Path, nargs="?", default=DATA)
    arguments.add_argument("--sources", type=Path, default=SOURCES, help="Folder of public tables to make sets from.")
    arguments.add_argument("--sets", nargs="*", default=NAMES)
    arguments.add_argument("--write", type=Path)
    asked = arguments.parse_args()
    every = chain(
        given(asked.data), *([made(asked.sources), later(asked.sources, asked.data)] if asked.sources else [])
    )
    page = [
        "# Records, few of which have a partner",
        "",
        "Tables of [Records](records.md), cut so that few records have a partner.",
        "One call for all, no labels. *said*: the precision that the result expects. The rule for few matches",
        "([how](../design/decisions.md)) was chosen on cuts of these tables, with other draws.",
        "",
        "| set | records | matches | given | precision | said | recall | F1 |",
        "|---|---|---:|---:|---:|---:|---:|---:|",
    ]
    wanted = set(asked.sets)
    for two in takewhile(lambda _: wanted, every):
        if two.name in wanted and two.right is not None:
            wanted.discard(two.name)
            for line in lines(two):
                print(line, file=sys.stderr, flush=True)
                page.append(line)
    give_page(page, asked.write)


if __name__ == "__main__":
    main()
