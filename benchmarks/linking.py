"""Precision of every list against cross references that the books themselves have, and what linking costs.

    python benchmarks/linking.py DATA [--json OUT] [--write docs/results/linking.md]

``DATA`` is the folder of real data sets (books/foldoc, books/bible). The published lists are made exactly as in
Salton and Buckley (1990)
(``faithful``); the last rows are the default with what Likewise adds, step by step.
"""

import argparse
import json
import resource
import time
from dataclasses import replace
from pathlib import Path

import numpy as np

from benchmarks.measuring import give_page
from likewise.evaluate.gold.references import References, read_bible, read_foldoc
from likewise.jobs.link import PRESETS, LinkOptions
from likewise.jobs.link.book import make_book
from likewise.jobs.link.expression import parse, rank_of, ranked
from likewise.jobs.link.job import link
from likewise.jobs.link.options import PAIRS_PER_PARAGRAPH, as_published
from likewise.jobs.link.rankings import Rankings
from likewise.jobs.link.sentences import analyse
from likewise.jobs.link.vectors import BookVectors

RANKS = (100, 550, 1100, 2400)
LISTS = ["21", "24", "25", "3", "19", "31", "35", "17", "3sd", "31sd", "35sd", "17sd", "19sd"]
JOINT = ["21+24", "3+19", "31+17", "21+3sd", "24+3sd", "21+31sd", "21+35sd", "24+31sd"]
# What Likewise adds to the default, one after the other.
STEPS = [
    ("as in 1990", {}),
    ("+ boilerplate", {"boilerplate": True}),
    ("+ copies", {"boilerplate": True, "copies": "drop"}),
    ("+ titles twice", {"boilerplate": True, "copies": "drop", "title_weight": 2}),
    ("+ order by standout", {"boilerplate": True, "copies": "drop", "title_weight": 2, "order": "standout"}),
    (
        "+ at least 5 matches",
        {"boilerplate": True, "copies": "drop", "title_weight": 2, "order": "standout", "least_matches": 5},
    ),
]


JUDGED = "\n## Judged independently"


def precision(left, right, pairs):
    hits = [(min(a, b), max(a, b)) in pairs for a, b in zip(left, right, strict=True)]
    return [round(sum(hits[:rank]) / min(rank, len(hits)), 3) if hits else None for rank in RANKS]


def passages(references: References, least: int):
    """The documents with at least this many index terms, and the pairs among them, renumbered."""
    options = as_published(LinkOptions(min_terms=1))
    book = make_book(references.documents, None, options)
    size = np.diff(analyse(book, options).by_paragraph().indptr)
    kept = [unit.document for unit, terms in zip(book.units, size, strict=True) if terms >= least]
    number = {old: new for new, old in enumerate(kept)}
    pairs = {(number[a], number[b]) for a, b in references.pairs if a in number and b in number}
    return [references.documents[old] for old in kept], pairs


def measure(references: References, least: int):
    documents, pairs = passages(references, least)
    print(f"\n{references.name}: {len(documents):,} passages, {len(pairs):,} references between them")
    options = as_published(LinkOptions(min_terms=1))
    book = make_book(documents, None, options)
    terms = analyse(book, options)
    n = round(PAIRS_PER_PARAGRAPH * len(documents))
    lists = Rankings(BookVectors(terms), options, PRESETS, n=n)
    owner = np.array([unit.document for unit in book.units])
    rows = []
    for name in LISTS + JOINT:
        started = time.perf_counter()
        made = ranked(parse(name), lists)
        took = time.perf_counter() - started
        units = terms.owner if made.scope == "sentence" else np.arange(len(book.units))
        left, right = owner[units[made.left]], owner[units[made.right]]
        perfect = int((made.score >= 1 - 1e-9).sum()) if name == "19" else None
        rows.append(
            report(references.name, name, precision(left, right, pairs), len(made), made.min_matches, took, perfect)
        )
    rows += overlaps(references.name, lists)
    for name, changes in STEPS:
        started = time.perf_counter()
        chosen = replace(options, n=n, **changes)
        found = link(documents, options=chosen)
        took = time.perf_counter() - started
        left, right = [owner[x.left] for x in found], [owner[x.right] for x in found]
        at = [x.strongest for x in found]
        row = report(references.name, f"21+31sd {name}", precision(left, right, pairs), len(found), None, took, None)
        strong = [(left[i], right[i]) for i in range(len(found)) if at[i]]
        row["strongest"] = precision([a for a, _ in strong], [b for _, b in strong], pairs)
        rows.append(row)
    print(f"strongest of 21+31sd: {rows[-1]['strongest']}")
    rows.append(kin(references.name, documents, pairs))
    return rows


def kin(name, documents, pairs):
    """What each passage chooses: the default, copies left out."""
    started = time.perf_counter()
    found = link(documents, options=LinkOptions(min_terms=1, copies="drop", language="english"))
    took = time.perf_counter() - started
    home = [unit.document for unit in found.book.units]
    left, right = [home[x.left] for x in found], [home[x.right] for x in found]
    return report(name, "kin: default", precision(left, right, pairs), len(found), None, took, None)


def report(data, name, figures, count, minimum, seconds, perfect):
    shown = " ".join("    - " if value is None else f"{value:.3f} " for value in figures)
    extra = f"  {perfect} pairs score 1" if perfect is not None else ""
    least = f">={minimum}" if minimum else ""
    print(f"{name:40} {shown} {count:7,} pairs {least:4} {seconds:6.1f} s{extra}", flush=True)
    return {"data": data, "list": name, "precision": dict(zip(RANKS, figures, strict=True)), "pairs": count,
            "min_matches": minimum, "seconds": round(seconds, 2), "perfect": perfect}  # fmt: skip


def page(rows):
    """The page of results."""
    yield "# Linking: how many links are right\n"
    yield "Right means that the book itself has a cross reference between the two passages, so that every figure is a"
    yield "lower bound: no book refers to all that is kin."
    for data in dict.fromkeys(row["data"] for row in rows):
        yield f"\n## {data}\n\n| list | " + " | ".join(f"first {rank:,}" for rank in RANKS) + " | pairs | matches |"
        yield "|---|" + "---:|" * (len(RANKS) + 2)
        for row in rows:
            if row["data"] == data and "precision" in row:
                cells = ["" if value is None else f"{value:.3f}" for value in row["precision"].values()]
                least = f"≥ {row['min_matches']}" if row["min_matches"] else ""
                yield f"| {row['list']} | " + " | ".join(cells) + f" | {row['pairs']:,} | {least} |"
        for row in rows:
            if row["data"] == data and "overlap" in row:
                yield f"\nOf the pairs of {row['list']}, found in {row['in']}: {row['overlap']}."
        perfect = next((row["perfect"] for row in rows if row["data"] == data and row.get("perfect") is not None), 0)
        yield f"\n{perfect:,} pairs of list 19 score 1."


def overlaps(name, lists):
    """As table 3 of Salton and Buckley (1990)."""
    rows = []
    for x, y in (("25", "21"), ("31", "35")):
        a, b = lists.make(x), lists.make(y)
        found = rank_of(a, b) >= 0
        shares = [f"{int(found[at : at + 21].sum())}/21 at ranks {at + 1} to {at + 21}" for at in (0, 500, 1000)]
        rows.append({"data": name, "list": x, "in": y, "overlap": ", ".join(shares)})
        print(f"{x} in {y}: {rows[-1]['overlap']}")
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--write", type=Path)
    arguments = parser.parse_args()
    rows = measure(read_foldoc(arguments.data / "books" / "foldoc"), 15)
    rows += measure(read_bible(arguments.data / "books" / "bible"), 4)
    print(f"\npeak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")
    if arguments.json:
        arguments.json.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
    # What people or others judged stands below the figures and stays.
    before = arguments.write.read_text(encoding="utf-8") if arguments.write and arguments.write.exists() else ""
    give_page(page(rows), arguments.write, kept=before[before.find(JUDGED) :] if JUDGED in before else "")


if __name__ == "__main__":
    main()
