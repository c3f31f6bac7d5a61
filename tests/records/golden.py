"""Decisions on tables that are made here, to the digit: what each gives and rests on, kept in ``golden.json``.

    python -m tests.records.golden

writes that file anew, after a change that means other decisions: what it changes is for the eye of whoever makes it.
"""

import json
import random
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np

import likewise as lw

KEPT = Path(__file__).with_name("golden.json")
FIRST = "ada grace kurt emmy alan rosa noam lise niels marie paul sofia hedy edith".split()  # noqa: SIM905
LAST = "lovelace hopper goedel noether turing parks chomsky meitner bohr curie dirac kovalevskaya lamarr clarke".split()  # noqa: SIM905
TOWNS = "basel london goettingen paris vienna copenhagen".split()  # noqa: SIM905
THINGS = "pen ink paper lamp chair table clock radio kettle mirror".split()  # noqa: SIM905
Row = dict[str, str | None]


def slip(text: str, chance: random.Random) -> str:
    """Return a text without one of its inner letters."""
    cut = chance.randrange(1, len(text) - 1)
    return text[:cut] + text[cut + 1 :]


def people(count: int, seed: int) -> list[Row]:
    chance = random.Random(seed)
    return [
        {
            "name": f"{chance.choice(FIRST)} {chance.choice(LAST)}" + chance.choice(["", f" {chr(97 + seed % 26)}."]),
            "town": chance.choice(TOWNS),
            "born": f"{chance.randint(1900, 1990)}-{chance.randint(1, 12):02}-{chance.randint(1, 28):02}",
            "mail": f"{chance.choice(LAST)}{chance.randint(1, 999)}@example.org",
            "paid": f"{chance.randint(1, 900)}.{chance.randint(0, 99):02}",
        }
        for _ in range(count)
    ]


def worse(row: Row, chance: random.Random) -> Row:
    """Return a record as somebody else would write it."""
    name, born = slip(str(row["name"]), chance), str(row["born"])
    changed = {**row, "name": slip(name, chance) if chance.random() < 0.5 else name}
    if chance.random() < 0.3:
        changed["born"] = f"{born[:5]}{born[8:]}-{born[5:7]}" if int(born[8:]) <= 12 else f"{born[:8]}01"
    if chance.random() < 0.3:
        changed["paid"] = f"{float(str(row['paid'])) + 1:.2f}"
    if chance.random() < 0.2:
        changed["town"] = chance.choice(TOWNS)
    for absent, share in (("town", 0.1), ("mail", 0.4), ("born", 0.2), ("paid", 0.3)):
        if chance.random() < share:
            changed[absent] = None
    return changed


def two(seed: int = 1, both: int = 50) -> tuple[list[Row], list[Row]]:
    chance = random.Random(seed)
    left = people(both + 25, seed)
    return left, [worse(row, chance) for row in left[:both]] + people(30, seed + 100)


def orders(seed: int = 2) -> tuple[list[Row], list[Row]]:
    """Return customers and their orders: none to three each."""
    chance = random.Random(seed)
    known = people(60, seed)
    given = [worse(row, chance) for place, row in enumerate(known[:45]) for _ in range(1 + place % 3)]
    return known, given + people(10, seed + 100)


def groups(base: int, most: int, seed: int = 3) -> list[Row]:
    """Return one table in which records are there up to so many times."""
    chance = random.Random(seed)
    return [
        row if not copy else worse(row, chance)
        for place, row in enumerate(people(base, seed))
        for copy in range(1 + place % most)
    ]


def products(seed: int = 4, series: bool = True) -> tuple[list[Row], list[Row]]:
    """Return titles with numbers in them, and codes that run in series."""
    chance = random.Random(seed)
    left: list[Row] = []
    for place in range(60):
        code = f"LX-{200 + place // (3 if series else 1)}{'ABC'[place % 3]}"
        size, thing = chance.choice((10, 20, 50)), chance.choice(THINGS)
        left.append({"title": f"{thing} {chance.choice(LAST)} {size} cm {chance.choice(TOWNS)}", "code": code})
    right = [{**row, "title": slip(str(row["title"]), chance)} for row in left[:35]]
    return left, [{**row, "code": None} if place % 5 == 4 else row for place, row in enumerate(right)]


def lines(count: int, seed: int) -> list[str]:
    chance = random.Random(seed)
    return [" ".join(chance.choice(LAST + THINGS) for _ in range(chance.randint(2, 5))) for _ in range(count)]


def texts(seed: int = 5) -> tuple[list[str], list[str]]:
    """Return single texts, some of them twice."""
    chance = random.Random(seed)
    left = lines(60, seed)
    return left + left[:6], [slip(text, chance) for text in left[:40]] + lines(20, seed + 100)


def labels() -> list[tuple[int, int, int]]:
    """Return what is known of the people of ``two()``."""
    return [(place, place, 1) for place in range(0, 30, 3)] + [(place, place + 20, 0) for place in range(0, 30, 2)]


def model() -> Any:
    return lw.match(*two(11)).model


CASES: dict[str, Callable[[], Any]] = {
    "two tables": lambda: lw.match(*two(), explain=True),
    "two tables, a wished precision": lambda: lw.match(*two(), precision=0.9, explain=True),
    "two tables, partners by name": lambda: lw.match(*two(), on="name", explain=True),
    "two tables, two fields": lambda: lw.match(*two(), on=["name", "town"], explain=True),
    "two tables, labels": lambda: lw.match(*two(), labels=labels(), explain=True),
    "two tables, a model": lambda: lw.match(*two(), model=model(), explain=True),
    "two tables, several to several": lambda: lw.match(*two(), relation="m:m", explain=True),
    "orders": lambda: lw.match(*orders(), explain=True),
    "orders, one to several": lambda: lw.match(*orders(), relation="1:m", explain=True),
    "orders, one to one": lambda: lw.match(*orders(), relation="1:1", explain=True),
    "products": lambda: lw.match(*products(), explain=True),
    "products, no series": lambda: lw.match(*products(series=False), explain=True),
    "texts": lambda: lw.match(*texts(), explain=True),
    "groups": lambda: lw.dedupe(groups(45, 4)),
    "couples": lambda: lw.dedupe(groups(70, 2)),
    "couples, complete linkage": lambda: lw.dedupe(groups(70, 2), linkage="complete"),
    "many people": lambda: lw.match(*two(12, 1000), explain=True),
    "many couples": lambda: lw.dedupe(groups(800, 2, 13)),
    "many groups": lambda: lw.dedupe(groups(400, 4, 14), precision=0.8),
    "couples, a wished precision": lambda: lw.dedupe(groups(70, 2), precision=0.9),
    "a small table": lambda: lw.dedupe(groups(16, 2)),
    "texts of one table": lambda: lw.dedupe([*texts()[0], *texts()[1]]),
    "nobody twice": lambda: lw.dedupe(people(60, 6)),
}


def moments(values: Iterable[float]) -> list[float]:
    """Return what changes when one of many numbers does, or their order: how many, their sum, and that by place."""
    found = np.array([value for value in values if value is not None], float)
    found = np.clip(found[~np.isnan(found)], -1e6, 1e6)
    return [len(found), float(found.sum()), float((found * np.sin(np.arange(1, len(found) + 1))).sum())]


def numbers(value: Any) -> list[float]:
    """Return all numbers in plain values, from left to right."""
    if isinstance(value, dict):
        return [one for key in sorted(value) for one in numbers(value[key])]
    if isinstance(value, list | tuple):
        return [one for part in value for one in numbers(part)]
    return [float(value)] if isinstance(value, int | float) else []


def figures(found: Any) -> dict[str, Any]:
    """Return what a decision gives, and what it rests on."""
    decision, table = found.decision, found.to_arrow()
    # The cut of one text has no decision: a threshold says it all.
    told = {} if decision is None else decision.to_json()
    said = {key: value for key, value in told.items() if isinstance(value, str | int | float | None.__class__)}
    columns = {
        name: moments(table[name].to_pylist())
        for name in table.column_names
        if str(table[name].type) in ("double", "int64")
    }
    evidence: dict[str, Any] = {}
    if decision is not None:
        for row in found.evidence.to_pylist():
            evidence.setdefault(row["field"], []).append(row["weight"])
    return {
        "said": {key: value for key, value in said.items() if key != "model"},
        "numbers": {key: moments(numbers(value)) for key, value in told.items() if isinstance(value, list | dict)},
        "threshold": None if found.threshold is None else found.threshold.value,
        "columns": columns,
        "evidence": {name: moments(weights) for name, weights in evidence.items()},
        "review": found.review.num_rows if found.review is not None else None,
        "model": None if found.model is None else moments(numbers(found.model.to_json()["learnt"])),
        "notes": [note.split(":")[0][:60] for note in found.notes],
    }


def main() -> None:
    kept = {name: json.loads(json.dumps(figures(make()))) for name, make in CASES.items()}
    rounded = json.loads(json.dumps(kept), parse_float=lambda text: float(f"{float(text):.9g}"))
    KEPT.write_text(json.dumps(rounded, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
