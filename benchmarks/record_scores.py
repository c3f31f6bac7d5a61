"""What lies behind a decision about records: how often the best match is right, and thresholds told by scores alone.

:mod:`.records` writes the tables of both onto its page. `otsu`, `minimum_error` and `valley` are what thresholds of
grey images are found by; Likewise's own is the widest margin.
"""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

import likewise as lw
from likewise.evaluate.gold import secondstring
from likewise.join import Pairs
from likewise.read.tables import read_table
from likewise.records.build import build
from likewise.records.clusters import clusters
from likewise.records.options import MatchOptions
from likewise.records.threshold import NEIGHBOURS, widest_margin

NAMES = ("birdScott1", "birdScott2", "birdKunkel", "gameExtracted", "restaurant", "ucdPeopleMatch")


def entity(rec_id: str) -> int:
    """febrl's ids are rec-17-org, rec-17-dup-0."""
    return int(rec_id.split("-")[1])


def partners(data: Path) -> list[str]:
    """The table of how often the best match is the right one, from either side."""
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


def tables(data: Path) -> Iterator[tuple[str, Any, str | None, np.ndarray]]:
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
    """Otsu: the threshold with the greatest variance between both sides."""
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
    """The deepest valley between two peaks of the smoothed histogram."""
    grid = np.linspace(0.1, 1, 181)
    density = np.exp(-0.5 * ((grid[:, None] - scores[None, :]) / 0.04) ** 2).sum(axis=1)
    left, right = np.maximum.accumulate(density), np.maximum.accumulate(density[::-1])[::-1]
    return float(grid[np.argmax(np.minimum(left, right) - density)])


def pairs_f1(pairs: Pairs, truth: np.ndarray, threshold: float) -> float:
    said = pairs.score >= threshold
    right = said & (truth[pairs.left] == truth[pairs.right])
    return 2 * right.sum() / (said.sum() + pair_count(truth))


def thresholds(data: Path) -> tuple[list[str], list[str]]:
    """The tables of pairs from a threshold on, and of clusters from the widest margin on."""
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
        value, made = values[0], pairs.take(pairs.score >= values[0])
        found = [cluster_f1(clusters(made, len(truth), linkage), truth) for linkage in ("complete", "components")]
        second.append(f"| {name} | {len(truth)} | {value:.3f} | {found[0]:.3f} | {found[1]:.3f} |")
        print(first[-1], second[-1], sep="\n", file=sys.stderr)
    return first, second
