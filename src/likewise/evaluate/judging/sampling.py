"""Which pairs are judged: strata by rank, for the pairs that only one of two rankings has, and for those of both."""

import os
import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from likewise.errors import ColumnError, InputError, OptionError
from likewise.evaluate.judging.schemes import Scheme
from likewise.options import check_integer
from likewise.read.mapped import rows_of
from likewise.read.tables import Records, TableOptions, read_table, texts_of

# Names that results of Likewise give to the two sides.
_SIDES = (("left", "right", "left_text", "right_text"), ("phrase", "paraphrase", "phrase", "paraphrase"))


@dataclass(frozen=True, slots=True)
class Item:
    """A pair to be judged: what the judge sees (texts and where they stand), and what is hidden (column to rank)."""

    column: str
    stratum: str
    rank: int
    left: str
    right: str
    left_text: str
    right_text: str
    left_place: str = ""
    right_place: str = ""


@dataclass(frozen=True, slots=True)
class Ranking:
    """A named list of pairs, best first; each row has at least the two sides and their texts."""

    name: str
    rows: Sequence[dict[str, Any]]
    scheme: str = "links"
    """What its columns say that it is a list of: links, paraphrases or records."""

    @classmethod
    def read(cls, path: str | os.PathLike[str], name: str | None = None) -> "Ranking":
        """Read a result of ``link`` or ``mine``, or the doubtful pairs of ``match``, in the order of the file."""
        path = Path(path)
        told = path.suffix in (".parquet", ".csv", ".tsv")
        options = TableOptions(format=None if told else "jsonl", strict=True)
        rows = read_table(path, options).table.to_pylist()
        kept = [_row(row, path) for row in rows if not row.get("copy")]
        return cls(name or path.stem, kept, _scheme(rows[0].keys() if rows else ()))

    def keys(self) -> dict[tuple[str, str], int]:
        """Return the rank of each pair, from 1."""
        return {(row["left"], row["right"]): rank for rank, row in enumerate(self.rows, start=1)}


def _scheme(columns: Iterable[str]) -> str:
    """Tell what is to be judged by the columns of a result.

    >>> _scheme(["phrase", "paraphrase"]), _scheme(["left", "right", "probability"]), _scheme(["left_titles"])
    ('paraphrases', 'records', 'links')
    """
    names = set(columns)
    if {"phrase", "paraphrase"} <= names:
        return "paraphrases"
    return "records" if "probability" in names and "left_titles" not in names else "links"


def with_columns(ranking: Ranking, left: Records, right: Records) -> Ranking:
    """Return pairs of records with their columns by name, a paragraph each, in place of their texts.

    >>> people = read_table([{"id": "a", "name": "Ada"}, {"id": "b", "name": "Bo", "town": "Bonn"}], id="id")
    >>> pair = {"left": "a", "right": "b", "left_text": "Ada", "right_text": "Bo Bonn"}
    >>> with_columns(Ranking("doubtful", [pair]), people, people).rows[0]["right_text"]
    'name: Bo\\n\\ntown: Bonn'
    """
    sides = (("left", left), ("right", right))
    told = {side: _told(records, {row[side] for row in ranking.rows}) for side, records in sides}
    rows = [row | {f"{side}_text": told[side][row[side]] for side in told} for row in ranking.rows]
    return replace(ranking, rows=rows)


def _told(records: Records, wanted: set[str]) -> dict[str, str]:
    """Return the columns of some records, by id."""
    places = [(str(value), place) for place, value in enumerate(records.ids.to_pylist()) if str(value) in wanted]
    lacking = wanted - {value for value, _ in places}
    if lacking:
        raise InputError(f"no record of {records.name} has the id {min(lacking)!r}: are these the tables, and the ids?")
    table = rows_of(records.table, np.array([place for _, place in places], np.int64))
    columns = {name: texts_of(table, name, records.name).to_pylist() for name in records.comparable}
    return {
        value: "\n\n".join(f"{name}: {texts[row]}" for name, texts in columns.items() if texts[row])
        for row, (value, _) in enumerate(places)
    }


def _row(row: dict[str, Any], path: Path) -> dict[str, Any]:
    for left, right, left_text, right_text in _SIDES:
        if isinstance(row, dict) and {left, right, left_text, right_text} <= row.keys():
            return {
                "left": str(row[left]),
                "right": str(row[right]),
                "left_text": _with_contexts(str(row[left_text]), row),
                "right_text": _with_contexts(str(row[right_text]), row),
                "left_place": " › ".join(row.get("left_titles") or ()),
                "right_place": " › ".join(row.get("right_titles") or ()),
            }
    raise ColumnError(f"{path}: a row lacks left, right, left_text, right_text (or phrase, paraphrase)")


def _with_contexts(text: str, row: dict[str, Any]) -> str:
    """A phrase with the places where both of its pair stand, a paragraph each; other texts as they are.

    >>> row = {"samples": [{"left": "the law", "right": "in May", "attached": ""}]}
    >>> _with_contexts("took effect", row)
    'took effect\\n\\n… the law [took effect] in May …'
    """
    places = [f"… {one['left']} [{text}] {one['right']} …" for one in row.get("samples") or ()]
    return "\n\n".join([text, *places])


def sample(
    rankings: Sequence[Ranking], scheme: Scheme, size: int | None = None, *, whole: bool = False, seed: int = 0
) -> list[Item]:
    """Choose the pairs to judge.

    One ranking gives one column; two give the columns "only X", "only Y" and "both"; paraphrase tables give a column
    each. In each column and stratum the ``size`` pairs whose ranks lie nearest to its place are taken, none twice; with
    ``whole`` they are drawn at random from equal parts of the list, one for each stratum, to the very end.

    >>> from likewise.evaluate.judging.schemes import LINKS
    >>> rows = [dict(left=str(i), right="x", left_text="", right_text="") for i in range(10)]
    >>> [item.rank for item in sample([Ranking("21", rows)], LINKS, size=2)]
    [1, 2, 3, 4, 5, 6]
    """
    size = scheme.size if size is None else size
    check_integer("size", size, 1)
    if not rankings:
        raise OptionError("rankings is empty: name at least one list of pairs")
    names = [ranking.name for ranking in rankings]
    if len(set(names)) < len(names):
        raise OptionError(f"rankings must have different names, not {', '.join(names)}")
    items: list[Item] = []
    for column, rows, count in _columns(rankings, scheme):
        used: set[int] = set()
        for part, (stratum, share) in enumerate(scheme.strata.items()):
            if whole:
                begin, end = (count * edge // len(scheme.strata) for edge in (part, part + 1))
                inside = [entry for entry in rows if begin < entry[0] <= end]
                chosen = random.Random(f"{seed} {column} {stratum}").sample(inside, min(size, len(inside)))
            else:
                free = [entry for entry in rows if entry[0] not in used]
                chosen = sorted(free, key=_distance(share * count))[:size]
            for rank, row in sorted(chosen, key=lambda entry: entry[0]):
                used.add(rank)
                items.append(Item(column, stratum, rank, **row))
    return items


def _distance(centre: float) -> Callable[[tuple[int, dict[str, Any]]], tuple[float, int]]:
    return lambda entry: (abs(entry[0] - centre), entry[0])


def columns(rankings: Sequence[Ranking], scheme: Scheme) -> list[str]:
    """Return the names of the columns, those without a pair included: 31sd has none that 21 lacks."""
    return [column for column, _, _ in _columns(rankings, scheme)]


Ranked = list[tuple[int, dict[str, Any]]]


def _columns(rankings: Sequence[Ranking], scheme: Scheme) -> Iterable[tuple[str, Ranked, int]]:
    ranked = [list(enumerate(ranking.rows, start=1)) for ranking in rankings]
    if len(rankings) == 1 or scheme.name == "paraphrases":
        for ranking, rows in zip(rankings, ranked, strict=True):
            yield ranking.name, rows, len(rows)
        return
    if len(rankings) > 2:
        raise OptionError(f"links are judged for one list or for two, not {len(rankings)}")
    x, y = rankings
    in_x, in_y = x.keys(), y.keys()
    yield f"only {x.name}", [e for e in ranked[0] if (e[1]["left"], e[1]["right"]) not in in_y], len(x.rows)
    yield f"only {y.name}", [e for e in ranked[1] if (e[1]["left"], e[1]["right"]) not in in_x], len(y.rows)
    yield "both", [e for e in ranked[0] if (e[1]["left"], e[1]["right"]) in in_y], len(x.rows)


def overlap(x: Ranking, y: Ranking, starts: Sequence[int] | None = None, size: int = 21) -> list[tuple[str, int, int]]:
    """Return how many pairs of X at some ranks are found in Y: (ranks, found, of how many).

    This is table 3 of Salton and Buckley (1990), who looked at ranks 1, 501 and 1001 of 2,400; without ``starts`` the
    same shares of X are looked at, however long it is.
    """
    known = y.keys()
    found = []
    places = [1 + round(share * len(x.rows)) for share in (0, 500 / 2400, 1000 / 2400)] if starts is None else starts
    for start in dict.fromkeys(places):
        rows = x.rows[start - 1 : start - 1 + size]
        hits = sum((row["left"], row["right"]) in known for row in rows)
        found.append((f"Ranks {start} - {start + size - 1}", hits, len(rows)))
    return found
