"""Look at what Likewise depends on: licences, known vulnerabilities, and a bill of materials.

    python scripts/audit.py [--bill FILE] [--figures FILE] [--offline]

Everything that ``likewise[...]`` with all extras for users draws in, as installed here. Vulnerabilities are asked of
the package index: its JSON API lists them for each release, that of some mirrors for the newest only. ``--bill``
writes a software bill of materials (CycloneDX 1.5, JSON). Exit code 1: a licence that is not allowed, a vulnerability,
or a release that was withdrawn; 2: nothing of that, but the index told of no package.
"""

import argparse
import json
import re
import sys
import urllib.request
from importlib import metadata
from pathlib import Path
from typing import Any

EXTRAS = ("serve", "spark", "plot", "spacy", "zstd", "sheets", "pdf", "frames", "mine", "web")
# What may be used by a library under the Apache licence and passed on with it; the order does not matter.
ALLOWED = re.compile(
    r"MIT|BSD|Apache|ISC|PSF|Python Software Foundation|MPL|Mozilla|HPND|Zlib|Unlicense|CC0|Public Domain|CNRI|BSL-1.0",
    re.IGNORECASE,
)
INDEX = "https://pypi.org/pypi"


def needed(root: str = "likewise") -> dict[str, metadata.Distribution]:
    """Return what is installed of what the package and its extras for users need, however far away."""
    found: dict[str, metadata.Distribution] = {}
    waiting = [(root, set(EXTRAS))]
    while waiting:
        name, extras = waiting.pop()
        key = _key(name)
        try:
            one = metadata.distribution(name)
        except metadata.PackageNotFoundError:
            continue  # not for this system, or an extra that is not installed here
        if key in found and not extras:
            continue
        found[key] = one
        for line in one.requires or ():
            wanted = re.match(r"([\w.-]+)\s*(?:\[([^\]]*)\])?", line)
            extra = re.search(r"extra\s*==\s*['\"]([\w.-]+)['\"]", line)
            if wanted is None or (extra is not None and extra[1] not in extras):
                continue
            if _key(wanted[1]) not in found or wanted[2]:
                waiting.append((wanted[1], set(filter(None, (wanted[2] or "").replace(" ", "").split(",")))))
    found.pop(_key(root))
    return dict(sorted(found.items()))


def _key(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def licence(one: metadata.Distribution) -> str:
    """Return the licence of a package, in a few words."""
    said = one.metadata.get("License-Expression") or ""
    classifiers = [
        line.rpartition("::")[2].strip() for line in one.metadata.get_all("Classifier") or () if "License" in line
    ]
    text = (one.metadata.get("License") or "").strip().split("\n")[0][:60]
    return said or ", ".join(classifiers) or text or "not said"


def vulnerabilities(name: str, version: str) -> list[str] | None:
    """Return the known ones of a release, and whether it was withdrawn; ``None`` where the index does not tell."""
    told = _told(f"{name}/{version}") or _told(name)
    if told is None or told["info"]["version"] != version:
        return None
    listed: list[dict[str, Any]] = told.get("vulnerabilities") or []
    withdrawn = ["the release was withdrawn"] if any(file.get("yanked") for file in told.get("urls", ())) else []
    return [*withdrawn, *(one["id"] for one in listed if not one.get("withdrawn"))]


def _told(page: str) -> dict[str, Any] | None:
    try:
        with urllib.request.urlopen(f"{INDEX}/{page}/json", timeout=20) as answer:
            told: dict[str, Any] = json.load(answer)
    except (OSError, ValueError):
        return None
    return told


def bill(packages: dict[str, metadata.Distribution]) -> dict[str, Any]:
    """Return a bill of materials; the same packages give the same bytes."""
    version = metadata.version("likewise")
    ours = {"type": "library", "name": "likewise", "version": version, "purl": f"pkg:pypi/likewise@{version}"}
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {"component": {**ours, "licenses": [{"license": {"id": "Apache-2.0"}}]}},
        "components": [
            {
                "type": "library",
                "name": name,
                "version": one.version,
                "purl": f"pkg:pypi/{name}@{one.version}",
                "licenses": [{"license": {"name": licence(one)}}],
            }
            for name, one in packages.items()
        ],
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bill", type=Path)
    parser.add_argument("--figures", type=Path)
    parser.add_argument("--offline", action="store_true")
    chosen = parser.parse_args()
    packages = needed()
    if chosen.bill is not None:
        chosen.bill.parent.mkdir(parents=True, exist_ok=True)
        chosen.bill.write_text(json.dumps(bill(packages), indent=1) + "\n", encoding="utf-8")
    bad, silent = [], []
    for name, one in packages.items():
        found = None if chosen.offline else vulnerabilities(name, one.version)
        if found is None:
            silent.append(f"{name} {one.version}")
        if not ALLOWED.search(licence(one)):
            bad.append(f"{name} {one.version}: licence {licence(one)}")
        bad += [f"{name} {one.version}: {known}" for known in found or ()]
    print(f"{len(packages)} packages; {len(bad)} to look at", *bad, sep="\n  ")
    if silent:
        print(f"vulnerabilities of {len(silent)} were not asked, or the index does not tell: {', '.join(silent)}")
    if chosen.figures is not None:
        figures = {"packages": len(packages), "silent": silent, "bad": bad}
        chosen.figures.write_text(json.dumps(figures, indent=1), encoding="utf-8")
    sys.exit(1 if bad else 2 if len(silent) == len(packages) and not chosen.offline else 0)


if __name__ == "__main__":
    main()
