"""Which records are the same, decided without labels: Likewise and its peers on every set, the same call for each."""

import resource
import sys
from collections.abc import Iterable
from itertools import product
from multiprocessing import get_context

import numpy as np

import likewise as lw
from benchmarks.measuring import peak_memory
from benchmarks.record_peers import PEERS, Pairs, ask
from benchmarks.record_sets import TablePair
from likewise.read.tables import read_table
from likewise.records.build import build
from likewise.records.deciding import decide_records, decided_groups
from likewise.records.decision import Decision
from likewise.records.options import DedupeOptions, MatchOptions
from likewise.records.refit import refit
from likewise.records.tables import to_review

_SECONDS = 20  # a peer that takes longer is a dash
_LARGE = 20_000  # records from which on neither labels nor single scores are looked at, nor peers asked
_LABELS = (20, 50, 200)
_OURS = ("F1", "precision", "recall", "best threshold", "best single score", *(f"{n} labels" for n in _LABELS))
_OURS += ("expected F1", "calibration error", "CPU s", "join", "MB")


def decisions(sets: Iterable[TablePair], python: str | None = None) -> list[str]:
    """Return the table: what is decided, what thresholds could give, what labels add, the estimate, the peers.

    ``python`` is the interpreter that has the peers. Each set is decided on in a process of its own.
    """
    peers = [] if python is None else list(PEERS)
    heads = ["set", "records", *_OURS, *(f"{name} F1, CPU s, MB" for name in peers)]
    lines = [f"| {' | '.join(heads)} |", "|" + "---|" * len(heads)]
    for two in sets:
        size = f"{len(two.left)}" if two.right is None else f"{len(two.left)} x {len(two.right)}"
        with get_context("spawn").Pool(1) as pool:
            cells = [two.name, size, *pool.apply(_figures, (two,))]
        large = len(two.left) > _LARGE
        cells += ["-" if large else _peer(str(python), name, two, gold(two)) for name in peers]
        lines.append(f"| {' | '.join(cells)} |")
        print(lines[-1], file=sys.stderr, flush=True)
    return lines


def _figures(two: TablePair) -> list[str]:
    truth = gold(two)
    lw.match(two.left[:30], top=1)  # what starts once is not measured
    start = _cpu()
    pairs, expected, error = likewise(two)
    seconds, memory = _cpu() - start, peak_memory()
    more = ["-"] * (2 + len(_LABELS)) if len(two.left) > _LARGE else looked_at(two, truth)
    start = _cpu()
    lw.match(two.left, two.right, top=20)
    join = _cpu() - start
    figures = [f"{value:.3f}" for value in scores(pairs, truth)]
    return [*figures, *more, f"{expected:.3f}", f"{error:.3f}", f"{seconds:.1f}", f"{join:.1f}", f"{memory:.0f}"]


def looked_at(two: TablePair, truth: Pairs) -> list[str]:
    """Return F1 of the best thresholds, of the probability and of the best single score, and with labels."""
    left = read_table(two.left)
    right = left if two.right is None else read_table(two.right)
    options = DedupeOptions() if two.right is None else MatchOptions()
    if not truth or (two.right is None and not isinstance(two.left[0], dict)):
        return ["-", "-" if not truth else f"{single(two):.3f}", *("-" for _ in _LABELS)]
    comparison, measure, _ = build(left, right, options)
    decision, *_ = decide_records(left, right, comparison, measure, options)
    found = decision.found
    right_ones = np.array([pair in truth for pair in zip(found.left.tolist(), found.right.tolist(), strict=True)])
    order = np.argsort(-decision.probability, kind="stable")
    hits = np.cumsum(right_ones[order])
    best = float((2 * hits / (np.arange(1, len(hits) + 1) + len(truth))).max())
    labelled = []
    for count in _LABELS:
        asked = to_review(decision)[:count]
        judged = (
            refit(decision, (found.left[asked], found.right[asked], right_ones[asked]), None)
            if len(asked)
            else decision
        )
        labelled.append(f"{scores(chosen(judged), truth)[0]:.3f}")
    return [f"{best:.3f}", f"{single(two):.3f}", *labelled]


def chosen(decision: Decision) -> Pairs:
    """Return the pairs that a decision gives; within one table those of its clusters."""
    found, keep = decision.found, decision.keep
    if found.self_join:
        return clustered(decided_groups(decision, DedupeOptions()))
    return set(zip(found.left[keep].tolist(), found.right[keep].tolist(), strict=True))


def _peer(python: str, name: str, two: TablePair, truth: Pairs) -> str:
    try:
        found, seconds, memory = ask(python, name, two, _SECONDS)
        return f"{scores(found, truth)[0]:.3f}, {seconds:.1f}, {memory:.0f}"
    except Exception as error:  # a peer that cannot do a set is a dash, not the end of the run
        print(f"{name} on {two.name}: {error}", file=sys.stderr)
        return "-"


def _cpu() -> float:
    return sum(resource.getrusage(who).ru_utime for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))


def gold(two: TablePair) -> Pairs:
    """Return all pairs that match."""
    return set(two.gold) if two.right is not None else clustered(np.array(two.entities))


def clustered(labels: np.ndarray) -> Pairs:
    """Return all pairs of records with the same label, the lower first."""
    order = np.argsort(labels, kind="stable")
    groups = np.split(order, np.flatnonzero(np.diff(labels[order])) + 1)
    return {(int(a), int(b)) for rows in groups for place, a in enumerate(rows) for b in rows[place + 1 :]}


def scores(found: Pairs, truth: Pairs) -> tuple[float, float, float]:
    """Return F1, precision and recall; of no match at all, 1 where none is found."""
    if not truth:
        return (1.0, 1.0, 1.0) if not found else (0.0, 0.0, 1.0)
    hits = len(found & truth)
    return 2 * hits / (len(found) + len(truth)), hits / max(1, len(found)), hits / len(truth)


def likewise(two: TablePair) -> tuple[Pairs, float, float]:
    """Return the pairs that Likewise decides on, the F1 it expects, and its calibration error."""
    truth = gold(two)
    if two.right is None:
        result = lw.dedupe(two.left)
        found = clustered(np.array(result.table["cluster"].to_pylist()))
        rows = result.pairs.to_pylist() if result.decision else []
    else:
        result = lw.match(two.left, two.right)
        found = {(match.left, match.right) for match in result}
        rows = result.table.to_pylist()
    if result.decision is None:
        return found, float("nan"), float("nan")
    doubtful = [] if result.review is None else result.review.to_pylist()
    chance = {(row["left"], row["right"]): row["probability"] for row in [*rows, *doubtful]}
    return found, result.decision.f1, calibration(chance, truth)


def calibration(chance: dict[tuple[int, int], float], truth: Pairs) -> float:
    """Return how far probabilities are from the share that is right, in ten bins, weighed by their number."""
    if not chance:
        return 0.0
    value = np.array(list(chance.values()))
    right = np.array([pair in truth for pair in chance])
    bins = np.minimum((value * 10).astype(int), 9)
    parts = [
        (value[bins == k].mean() - right[bins == k].mean(), (bins == k).sum()) for k in range(10) if (bins == k).any()
    ]
    return float(sum(abs(apart) * count for apart, count in parts) / len(value))


def single(two: TablePair) -> float:
    """Return F1 of the best threshold of the best single score, of all columns or of one: the truth is looked at."""
    truth = gold(two)
    fields = ["*", *two.left[0]] if isinstance(two.left[0], dict) and len(two.left[0]) > 1 else [None]
    best = 0.0
    for field, back in product(fields, (False, True) if two.right is not None else (False,)):
        sides = (two.right, two.left) if back else (two.left, two.right)
        try:
            found = lw.match(*sides, on=field, top=5 if two.right is None else 1, threads=2)
        except lw.LikewiseError:
            continue  # a column that the other side has not, or without any text
        rows = sorted((row.score, row.right, row.left) if back else (row.score, row.left, row.right) for row in found)
        pairs = dict.fromkeys((a, b) if two.right is not None else (min(a, b), max(a, b)) for _, a, b in rows[::-1])
        hits = np.cumsum([pair in truth for pair in pairs])
        if len(hits) and truth:
            best = max(best, float((2 * hits / (np.arange(1, len(hits) + 1) + len(truth))).max()))
    return best
