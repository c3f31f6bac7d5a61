"""Records: how often the best match is right, how good suggested thresholds and clusters are.

    python -m benchmarks.records [DATA] [--sources FOLDER] [--peers PYTHON] [--sets NAME ...] [--write PAGE]

What is decided without labels, by Likewise and by those of its peers that are installed, on every set of DATA and on
tables made from the files of FOLDER (:mod:`benchmarks.record_sets`, :mod:`.record_sets_later`,
:mod:`.record_sets_large` and :mod:`.record_sets_real` say which); then what lies behind it. PYTHON is an interpreter
that has the peers (:mod:`.record_peers`).
Nothing is tuned per set: all columns as one text, the default measure, no labels. febrl's `rec_id` is the id (its
number is the entity) and is not compared.
"""

import argparse
from itertools import chain
from pathlib import Path

from benchmarks.measuring import DATA, PEERS, SOURCES, give_page
from benchmarks.record_decisions import decisions
from benchmarks.record_scores import partners, thresholds
from benchmarks.record_sets import given as given_sets
from benchmarks.record_sets import lookups
from benchmarks.record_sets import made as made_sets
from benchmarks.record_sets_large import TO_CHOOSE as LARGE_TO_CHOOSE
from benchmarks.record_sets_large import made as large_sets
from benchmarks.record_sets_later import TO_CHOOSE
from benchmarks.record_sets_later import made as later_sets
from benchmarks.record_sets_real import TO_CHOOSE as REAL_TO_CHOOSE
from benchmarks.record_sets_real import real as real_sets

HOW_TO_READ = [
    "F1, precision, recall of what `match` (two tables) and `dedupe` (one) decide; of clusters, all pairs.",
    "*best threshold*: F1 from the best probability on; *best single score*: of the best threshold of the best",
    "column, or of all as one text: with the truth at hand. *labels*: with so many of the most doubtful pairs",
    "judged, which are among what is counted. *calibration error*: of the pairs given and the doubtful ones. Of",
    "tables without a match, 1 is to find none. *join*: CPU seconds of the raw list of 20 partners by all columns",
    "as one. A dash: not run (large tables), nothing to say, or over 20 seconds. RapidFuzz has the best cut-off.",
    "splink and recordlinkage have the same blocks for every set, one a column; set up by hand they do better.",
    "splink is set up as its tutorial does in all else: levels of Jaro-Winkler with term frequencies, the share of",
    "matches from rules that are nearly sure, u by random pairs, EM on two blocks, from 0.95 on, and clusters of",
    "what is linked where there is one table; the tutorial's rules and comparisons, though, are chosen by hand for",
    "names and dates, and those here are the same for every column.",
    "",
    "How numbers were chosen: those of the model on the sets of the first table and on those *to choose by*, which",
    "are all of one call. The three that tell copies on one side (`relation.py`) were read off tables of cities,",
    "films, papers, software, devices, restaurants and persons with copies made for it, and off febrl and cora as",
    "below; orders of customers and registers of companies, made by others, came afterwards and changed one thing:",
    "no such relation where both sides hold equal records. Neighbours (one likely pair in ten) were set after the",
    "registers, where they are 18 %; on the sets of the first table they are below 5 %. `benchmarks/left_out.py`",
    "chooses each of them again without one set at a time: [what that set then gets](left-out.md).",
]
"""What stands above the tables of decisions."""


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("data", type=Path, nargs="?", default=DATA)
    arguments.add_argument("--sources", type=Path, default=SOURCES, help="Folder of public tables to make sets from.")
    arguments.add_argument("--peers", default=str(PEERS) if PEERS.exists() else None, help="Interpreter of the peers.")
    arguments.add_argument("--sets", nargs="*", help="Only these sets, and only what is decided.")
    arguments.add_argument("--write", type=Path)
    given = arguments.parse_args()
    if given.sets:
        every = [given_sets(given.data), lookups(given.data)]
        if given.sources:
            every += [made_sets(given.sources), later_sets(given.sources, given.data), large_sets(given.sources)]
            every += [real_sets(given.sources)]
        print("\n".join(decisions((two for two in chain(*every) if two.name in given.sets), given.peers)))
        return
    give_page(page(given), given.write)


def page(given: argparse.Namespace) -> list[str]:
    """Run everything and return the lines of the page."""
    sets = [*given_sets(given.data), *(made_sets(given.sources) if given.sources else [])]
    decided = decisions(sets, given.peers)
    later = list(later_sets(given.sources, given.data)) if given.sources else []
    chosen = decisions([two for two in later if two.name in TO_CHOOSE], given.peers)
    reported = decisions([two for two in later if two.name not in TO_CHOOSE], given.peers)
    several = decisions(lookups(given.data), given.peers)
    large = list(large_sets(given.sources)) if given.sources else []
    by = [decisions([two for two in large if (two.name in LARGE_TO_CHOOSE) == choose]) for choose in (True, False)]
    two_makers = list(real_sets(given.sources)) if given.sources else []
    real = [
        decisions([two for two in two_makers if (two.name in REAL_TO_CHOOSE) == choose], given.peers)
        for choose in (True, False)
    ]
    first, second = thresholds(given.data)
    return [
        "# Records: decisions, partners, thresholds, clusters",
        "",
        "Nothing is tuned per set: the same call for each.",
        "",
        "## Decided without labels",
        "",
        *HOW_TO_READ,
        "",
        *decided,
        "",
        "Records against copies of them, several of each (`1:m`), and copies against copies (`m:m`):",
        "",
        *several,
        "",
        "Tables made after the model was, to choose by:",
        "",
        *chosen,
        "",
        "Tables made after the model was, to report only:",
        "",
        *reported,
        "",
        "A small table against a large one that is full of near variants, made later still; to choose by:",
        "",
        *by[0],
        "",
        "... and to report only:",
        "",
        *by[1],
        "",
        "Tables that two makers wrote of the same things, and persons as others published them with the truth; nothing",
        "was made or corrupted here (`benchmarks/record_sets_real.py` fetches them); to choose by:",
        "",
        *real[0],
        "",
        "... and to report only (*fodors* are Fodor's and Zagat's restaurants):",
        "",
        *real[1],
        "",
        "## Share of records with a partner whose best match is the right one",
        "",
        *partners(given.data),
        "",
        "## Thresholds without labels: F1 of the pairs from there on",
        "",
        "*best* is the best that any threshold could give.",
        "",
        *first,
        "",
        "## Clusters from the widest margin on, all columns as one text: pairwise F1",
        "",
        *second,
    ]


if __name__ == "__main__":
    main()
