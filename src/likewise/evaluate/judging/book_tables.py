"""Tables 1 to 11 of Salton and Buckley (1990) for a book of yours, with the cells of the paper beside them.

Tables 1 to 3 are computed. Tables 4 to 11 need judges: the pairs of all of them are one study, each pair in it once, so
that a verdict counts in every table that has the pair.
"""

import csv
import os
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from likewise.errors import InputError
from likewise.evaluate.judging.agreement import wilson
from likewise.evaluate.judging.sampling import Item, Ranking, columns, overlap, sample
from likewise.evaluate.judging.schemes import LINKS
from likewise.evaluate.judging.study import Study
from likewise.evaluate.judging.tables import verdicts
from likewise.jobs.link.options import LinkOptions
from likewise.jobs.link.published import PublishedList, published_lists
from likewise.read import Document

# Table -> the two lists compared in it.
JUDGED = {
    4: ("24", "21"),
    5: ("3", "19"),
    6: ("31", "17"),
    7: ("3sd", "21"),
    8: ("3sd", "24"),
    9: ("31sd", "21"),
    10: ("35sd", "21"),
    11: ("31sd", "24"),
}
# List -> pairs and minimum of matches in 1990 (table 1); overlaps at three places (table 3).
COLLECTIONS = {
    "21": (2400, None),
    "24": (2400, None),
    "3": (2394, 7),
    "17": (2400, None),
    "19": (2400, None),
    "31": (2177, 7),
    "35": (2179, 6),
}
OVERLAPS = {("25", "21"): (21, 19, 16), ("31", "35"): (21, 17, 14)}
PERFECT = (303, 2400)
# Table 2 shows sentence pairs of list 19 from this similarity on.
_LARGE, _EXAMPLES = 0.7, 5


@cache
def _cells_of_1990() -> dict[tuple[int, str, str], tuple[str, str, str]]:
    with files("likewise.evaluate.judging").joinpath("tables-1990.csv").open(encoding="utf-8") as file:
        return {
            (int(row["table"]), row["stratum"], row["row"]): (row["first"], row["second"], row["both"])
            for row in csv.DictReader(file)
        }


class BookTables:
    """The tables of a book; ``size`` pairs are judged for each cell."""

    def __init__(
        self, documents: Iterable[Document], options: LinkOptions | None = None, size: int = LINKS.size
    ) -> None:
        wanted = dict.fromkeys([*COLLECTIONS, "25", *(name for pair in JUDGED.values() for name in pair)])
        self.lists = published_lists(documents, list(wanted), options)
        rankings = {name: _ranking(made) for name, made in self.lists.items()}
        self._overlaps = {pair: overlap(rankings[pair[0]], rankings[pair[1]]) for pair in OVERLAPS}
        self._columns = {}
        self._items: dict[int, list[Item]] = {}
        for number, (x, y) in JUDGED.items():
            both = [rankings[x], rankings[y]]
            self._columns[number] = columns(both, LINKS)
            self._items[number] = sample(both, LINKS, size)

    def pairs(self) -> list[Item]:
        """Return the pairs that judges see: those of all tables, each once."""
        found: dict[tuple[str, str], Item] = {}
        for items in self._items.values():
            for item in items:
                found.setdefault((item.left, item.right), item)
        return list(found.values())

    def study(self, path: str | os.PathLike[str], seed: int = 0) -> Study:
        """Open the study of these tables, or make it; a study of other pairs is refused."""
        if not Path(path).exists():
            return Study.create(path, self.pairs(), LINKS, seed)
        study = Study(path)
        known = {(item.left, item.right) for item in study.items().values()}
        missing = sum((item.left, item.right) not in known for item in self.pairs())
        if missing:
            raise InputError(f"{os.fspath(path)} lacks {missing} of the pairs: the book, n or size was another one")
        return study

    def figures(self, study: Study | None = None, judges: Sequence[str] | None = None) -> dict[str, Any]:
        """Return all tables as plain values; cells are ours and, after them, those of 1990."""
        said: dict[tuple[str, str], str] = {}
        if study is not None:
            items = study.items()
            chosen = list(judges) if judges else study.judges()
            said = {(items[number].left, items[number].right): one for number, one in verdicts(study, chosen).items()}
        return {
            "1": [
                {"list": name, "pairs": len(self.lists[name].rows), "min_matches": self.lists[name].min_matches,
                 "pairs_1990": pairs, "min_matches_1990": least}
                for name, (pairs, least) in COLLECTIONS.items()
            ],
            "2": self._large(),
            "3": [
                {"list": pair[0], "in": pair[1], "ranks": ranks, "found": found, "of": of, "found_1990": before}
                for pair, rows in self._overlaps.items()
                for (ranks, found, of), before in zip(rows, OVERLAPS[pair], strict=False)
            ],
            **{str(number): self._judged(number, said) for number in JUDGED},
        }  # fmt: skip

    def _large(self) -> dict[str, Any]:
        rows = self.lists["19"].rows
        large = [row for row in rows if row["score"] >= _LARGE and row["left_text"] != row["right_text"]]
        step = max(len(large) // _EXAMPLES, 1)
        shown = [{name: row[name] for name in ("left", "left_text", "right", "right_text", "score")} for row in large]
        perfect = sum(row["score"] >= 1 - 1e-9 for row in rows)
        return {
            "perfect": perfect,
            "of": len(rows),
            "perfect_1990": PERFECT[0],
            "of_1990": PERFECT[1],
            "examples": shown[::step][:_EXAMPLES],
        }

    def _judged(self, number: int, said: Mapping[tuple[str, str], str]) -> list[dict[str, Any]]:
        found = []
        names = self._columns[number]
        for stratum in (*LINKS.strata, "Total"):
            for row, members in LINKS.totals.items():
                cells = {}
                before = _cells_of_1990().get((number, stratum, row), ("", "", ""))
                for column, published in zip(names, before, strict=True):
                    items = [
                        said.get((item.left, item.right))
                        for item in self._items[number]
                        if item.column == column and stratum in (item.stratum, "Total")
                    ]
                    judged = [one for one in items if one is not None]
                    hits = sum(one in members for one in judged)
                    low, high = wilson(hits, len(judged))
                    cells[column] = {"hits": hits, "judged": len(judged), "of": len(items), "low": round(low, 3),
                                     "high": round(high, 3), "1990": published}  # fmt: skip
                found.append({"stratum": stratum, "row": row, "cells": cells})
        return found


def _ranking(made: PublishedList) -> Ranking:
    sides = ("left", "right", "left_text", "right_text")
    rows = [
        {
            **{name: row[name] for name in sides},
            "left_place": " › ".join(row["left_titles"]),
            "right_place": " › ".join(row["right_titles"]),
        }
        for row in made.rows
    ]
    return Ranking(made.name, rows)


def format_book_tables(figures: Mapping[str, Any]) -> str:
    """Return the tables as text, a cell of 1990 in brackets behind each of ours."""
    lines = ["Table 1: collections (1990 in brackets)"]
    for row in figures["1"]:
        least = f", matches >= {row['min_matches']}" if row["min_matches"] else ""
        before = f", >= {row['min_matches_1990']}" if row["min_matches_1990"] else ""
        lines.append(f"  {row['list']:4} {row['pairs']:>9,} pairs{least:16} [{row['pairs_1990']:,}{before}]")
    large = figures["2"]
    lines += ["", "Table 2: sentence pairs of 19 with large similarity"]
    lines.append(f"  {large['perfect']:,} of {large['of']:,} score 1 [{large['perfect_1990']} of {large['of_1990']:,}]")
    for row in large["examples"]:
        lines.append(f"  {row['score']:.4f} {row['left']}: {' '.join(row['left_text'].split())[:90]}")
        lines.append(f"         {row['right']}: {' '.join(row['right_text'].split())[:90]}")
    lines += ["", "Table 3: overlap"]
    for row in figures["3"]:
        place = f"{row['list']} in {row['in']}, {row['ranks'].lower()}"
        lines.append(f"  {place:36} {row['found']}/{row['of']} [{row['found_1990']}/21]")
    for number, (x, y) in JUDGED.items():
        lines += ["", f"Table {number}: {x} and {y}", *_table(figures[str(number)])]
    return "\n".join(lines)


def _table(rows: list[dict[str, Any]]) -> list[str]:
    lines = [f"  {'':27}" + "".join(f"{column:>26}" for column in rows[0]["cells"])]
    stratum = ""
    for row in rows:
        if row["stratum"] != stratum:
            stratum = row["stratum"]
            lines.append(f"  {stratum}")
        lines.append(f"    {row['row']:25}" + "".join(f"{_cell(cell):>26}" for cell in row["cells"].values()))
    return lines


def _cell(cell: Mapping[str, Any]) -> str:
    before = f" [{cell['1990']}]" if cell["1990"] else ""
    if not cell["of"]:
        return f"-{before}"
    if not cell["judged"]:
        return f"?/{cell['of']}{before}"
    return f"{cell['hits']}/{cell['judged']} ({100 * cell['hits'] / cell['judged']:.0f}%){before}"
