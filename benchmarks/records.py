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
import sys
from itertools import chain
from pathlib import Path

import numpy as np

import likewise as lw
from benchmarks.measuring import DATA, PEERS, SOURCES, give_page
from benchmarks.record_decisions import decisions
from benchmarks.record_sets import given as given_sets
from benchmarks.record_sets import lookups
from benchmarks.record_sets import made as made_sets
from benchmarks.record_sets_large import TO_CHOOSE as LARGE_TO_CHOOSE
from benchmarks.record_sets_large import made as large_sets
from benchmarks.record_sets_later import TO_CHOOSE
from benchmarks.record_sets_later import made as later_sets
from benchmarks.record_sets_real import TO_CHOOSE as REAL_TO_CHOOSE
from benchmarks.record_sets_real import real as real_sets
from likewise.evaluate.gold import secondstring
from likewise.join import Pairs
from likewise.read.tables import read_table
from likewise.records.build import build
from likewise.records.clusters import clusters
from likewise.records.comparison import without
from likewise.records.options import MatchOptions
from likewise.records.threshold import NEIGHBOURS, widest_margin

NAMES = ("birdScott1", "birdScott2", "birdKunkel", "gameExtracted", "restaurant", "ucdPeopleMatch")


def entity(rec_id: str) -> int:
    return int(rec_id.split("-")[1])


def partners(data: Path) -> list[str]:
    lines = ["| set | left to right | right to left |", "|---|---|---|"]
    for name in NAMES:
        gold = secondstring.read(data / "er" / f"{name}.txt")
        pairs = set(map(tuple, gold.gold.tolist()))
        forth = {(match.left, match.right) for match in lw.match(gold.lefts, gold.rights, all=True)}
        back = {(match.right, match.left) for match in lw.match(gold.rights, gold.lefts, all=True)}
        shares = [
            len({pair[side] for pair in pairs & found}) / len({pair[side] for pair in pairs})
            for side, found in ((0, forth), (1, back))
        ]
        lines.append(f"| {name} | {shares[0]:.3f} | {shares[1]:.3f} |")
    files = [data / "er" / "febrl" / f"dataset4{side}.csv" for side in "ab"]
    shares = []
    for left, right in (files, files[::-1]):
        found = lw.match(left, right, id="rec_id", all=True)
        shares.append(sum(entity(match.left) == entity(match.right) for match in found) / 5000)
    return [*lines, f"| febrl 4a/4b | {shares[0]:.4f} | {shares[1]:.4f} |"]


def tables(data: Path):
    """Name, table, id column, entities."""
    for number in (1, 2, 3):
        path = data / "er" / "febrl" / f"dataset{number}.csv"
        ids = read_table(path, id="rec_id").ids.to_pylist()
        yield f"febrl{number}", path, "rec_id", np.array([entity(value) for value in ids])
    for name in (*NAMES, "coraATDV"):
        texts, keys = secondstring.read_clusters(data / "er" / f"{name}.txt")
        numbers = {key: number for number, key in enumerate(dict.fromkeys(keys))}
        yield name, texts, None, np.array([numbers[key] for key in keys])


def pair_count(labels: np.ndarray) -> int:
    _, counts = np.unique(labels, axis=0, return_counts=True)
    return int((counts * (counts - 1) // 2).sum())


def cluster_f1(found: np.ndarray, truth: np.ndarray) -> float:
    return 2 * pair_count(np.stack([found, truth], 1)) / (pair_count(found) + pair_count(truth))


def otsu(scores: np.ndarray) -> float:
    scores = np.sort(scores)
    size, sums = len(scores), np.cumsum(scores)
    below = np.arange(1, size)
    spread = below * (size - below) * (sums[:-1] / below - (sums[-1] - sums[:-1]) / (size - below)) ** 2
    at = int(np.argmax(spread))
    return float(scores[at] + scores[at + 1]) / 2


def minimum_error(scores: np.ndarray) -> float:
    """Kittler and Illingworth: two normal distributions with the least error of classification."""
    scores = np.sort(scores)
    size, sums, squares = len(scores), np.cumsum(scores), np.cumsum(scores**2)
    below = np.arange(2, size - 1)
    share = below / size
    low = squares[below - 1] / below - (sums[below - 1] / below) ** 2
    high = (squares[-1] - squares[below - 1]) / (size - below)
    high -= ((sums[-1] - sums[below - 1]) / (size - below)) ** 2
    low, high = np.maximum(low, 1e-5), np.maximum(high, 1e-5)
    cost = share * np.log(low) + (1 - share) * np.log(high)
    cost -= 2 * share * np.log(share) + 2 * (1 - share) * np.log(1 - share)
    at = below[int(np.argmin(cost))]
    return float(scores[at - 1] + scores[at]) / 2


def valley(scores: np.ndarray) -> float:
    grid = np.linspace(0.1, 1, 181)
    density = np.exp(-0.5 * ((grid[:, None] - scores[None, :]) / 0.04) ** 2).sum(axis=1)
    left, right = np.maximum.accumulate(density), np.maximum.accumulate(density[::-1])[::-1]
    return float(grid[np.argmax(np.minimum(left, right) - density)])


def pairs_f1(pairs: Pairs, truth: np.ndarray, threshold: float) -> float:
    said = pairs.score >= threshold
    right = said & (truth[pairs.left] == truth[pairs.right])
    return 2 * right.sum() / (said.sum() + pair_count(truth))


def thresholds(data: Path) -> tuple[list[str], list[str]]:
    heads = ["best", "widest margin", "Otsu", "minimum error", "valley", "0.6"]
    first = [f"| set | with a duplicate | {' | '.join(heads)} |", "|---|---|" + "---|" * len(heads)]
    second = ["| set | records | threshold | complete | components |", "|---|---|---|---|---|"]
    for name, table, id_column, truth in tables(data):
        records = read_table(table, id=id_column)
        space = build(records, records, MatchOptions(id=id_column))[0]
        near, pairs = space.top(NEIGHBOURS), space.above(0.25)
        best = np.zeros(len(truth))
        np.maximum.at(best, near.left, np.minimum(near.score, 1))
        oracle = max(pairs_f1(pairs, truth, value) for value in np.quantile(pairs.score, np.linspace(0, 1, 500)))
        values = [widest_margin(near, len(truth)), otsu(best), minimum_error(best), valley(best), 0.6]
        _, counts = np.unique(truth, return_counts=True)
        figures = [oracle, *(pairs_f1(pairs, truth, value) for value in values)]
        first.append(
            f"| {name} | {counts[counts > 1].sum() / len(truth):.0%} | {' | '.join(f'{f:.3f}' for f in figures)} |"
        )
        value, made = values[0], without(pairs, pairs.score < values[0])
        found = [cluster_f1(clusters(made, len(truth), linkage), truth) for linkage in ("complete", "components")]
        second.append(f"| {name} | {len(truth)} | {value:.3f} | {found[0]:.3f} | {found[1]:.3f} |")
        print(first[-1], second[-1], sep="\n", file=sys.stderr)
    return first, second


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
    page = [
        "# Records: decisions, partners, thresholds, clusters",
        "",
        "Nothing is tuned per set: the same call for each.",
        "",
        "## Decided without labels",
        "",
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
        "chooses each of them again without one set at a time, and shows what that set then gets.",
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
    give_page(page, given.write)


if __name__ == "__main__":
    main()
