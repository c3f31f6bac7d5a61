"""What other libraries decide on the same tables, each set up as its first page does; the same call for every set.

They run in an interpreter of their own, because what they need goes ill with what Likewise needs:

    python -m venv build/peers && build/peers/bin/pip install "splink>=4" recordlinkage rapidfuzz string_grouper

``ask(python, name, set)`` starts it as ``python -m benchmarks.record_peers NAME`` with the set and reads the pairs.
"""

import contextlib
import importlib
import pickle
import resource
import subprocess
import sys
from collections.abc import Callable
from itertools import combinations
from types import SimpleNamespace
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.measuring import peak_memory

if TYPE_CHECKING:
    from benchmarks.record_sets import TablePair
else:
    TablePair = SimpleNamespace  # the other interpreter has no Likewise

Pairs = set[tuple[int, int]]
"""Positions in the left and right table; within one table the lower first."""


def _text(row: object) -> str:
    return " ".join(str(value) for value in row.values() if value is not None) if isinstance(row, dict) else str(row)


def rapidfuzz(two: TablePair) -> Pairs:
    """Each left record's best partner by token_sort_ratio, from the best cut-off there is: the truth is looked at."""
    from rapidfuzz import fuzz, process, utils

    if two.right is None:
        raise ValueError("it is for two lists")
    right = [utils.default_process(_text(row)) for row in two.right]
    found = []
    for place, row in enumerate(two.left):
        best = process.extractOne(utils.default_process(_text(row)), right, scorer=fuzz.token_sort_ratio)
        found.append((best[1], place, best[2]))
    found.sort(key=lambda one: -one[0])
    hits = np.cumsum([(a, b) in two.gold for _, a, b in found])
    f1 = 2 * hits / (np.arange(1, len(found) + 1) + max(1, len(two.gold)))
    return {(a, b) for _, a, b in found[: int(np.argmax(f1)) + 1]}


def string_grouper(two: TablePair) -> Pairs:
    """All pairs of texts from its default similarity on."""
    import pandas as pd
    from string_grouper import match_strings

    left = pd.Series([_text(row) for row in two.left])
    if two.right is None:
        found = match_strings(left)
        return {(a, b) for a, b in zip(found["left_index"], found["right_index"], strict=True) if a < b}
    found = match_strings(left, pd.Series([_text(row) for row in two.right]))
    return set(zip(found["left_index"].tolist(), found["right_index"].tolist(), strict=True))


def recordlinkage(two: TablePair) -> Pairs:
    """Blocks on each column, Jaro-Winkler from 0.85 on, and the classifier that needs no labels (ECM)."""
    import pandas as pd
    import recordlinkage as rl

    left = pd.DataFrame([row if isinstance(row, dict) else {"text": row} for row in two.left])
    right = None if two.right is None else pd.DataFrame([r if isinstance(r, dict) else {"text": r} for r in two.right])
    index = rl.Index()
    for column in left.columns:
        index.block(column)
    sides = (left,) if right is None else (left, right)
    candidates = index.index(*sides)
    compare = rl.Compare()
    for column in left.columns:
        compare.string(column, column, method="jarowinkler", threshold=0.85, label=column)
    features = compare.compute(candidates, *sides)
    if not len(features):
        return set()
    found = rl.ECMClassifier().fit_predict(features)
    return {(min(a, b), max(a, b)) if right is None else (a, b) for a, b in found}


def splink(two: TablePair) -> Pairs:
    """Jaro-Winkler levels with term frequencies, a block for each column, EM on two of them; clusters from 0.95 on."""
    import pandas as pd
    import splink.comparison_library as cl
    from splink import DuckDBAPI, Linker, SettingsCreator, block_on

    sides = [two.left] if two.right is None else [two.left, two.right]
    frames = [pd.DataFrame([row if isinstance(row, dict) else {"text": row} for row in side]) for side in sides]
    columns = list(frames[0].columns)
    for frame in frames:
        frame.insert(0, "unique_id", range(len(frame)))
    settings = SettingsCreator(
        link_type="dedupe_only" if two.right is None else "link_only",
        comparisons=[
            cl.JaroWinklerAtThresholds(name, [0.9, 0.7]).configure(term_frequency_adjustments=True) for name in columns
        ],
        blocking_rules_to_generate_predictions=[block_on(name) for name in columns],
    )
    api = DuckDBAPI()
    tables = [api.register(frame) for frame in frames] if hasattr(api, "register") else frames
    linker = Linker(
        tables if len(tables) > 1 else tables[0], settings, **({} if hasattr(api, "register") else {"db_api": api})
    )
    rules = [block_on(a, b) for a, b in combinations(columns[:4], 2)] or [block_on(columns[0])]
    linker.training.estimate_probability_two_random_records_match(rules, recall=0.7)
    linker.training.estimate_u_using_random_sampling(max_pairs=1e6, seed=1)
    for name in columns[:2]:
        linker.training.estimate_parameters_using_expectation_maximisation(block_on(name))
    linked = linker.inference.predict(threshold_match_probability=0.95)
    if two.right is None:
        groups = linker.clustering.cluster_pairwise_predictions_at_threshold(linked, 0.95).as_pandas_dataframe()
        members = groups.groupby("cluster_id")["unique_id"].apply(sorted)
        return {pair for rows in members for pair in combinations(rows, 2)}
    found = linked.as_pandas_dataframe()
    pairs = zip(found["unique_id_l"].tolist(), found["unique_id_r"].tolist(), strict=True)
    return set(pairs)


PEERS: dict[str, Callable[[TablePair], Pairs]] = {
    "rapidfuzz": rapidfuzz,
    "string_grouper": string_grouper,
    "recordlinkage": recordlinkage,
    "splink": splink,
}


def ask(python: str, name: str, two: TablePair, seconds: float) -> tuple[Pairs, float, float]:
    """Return the pairs of a peer, its CPU seconds and its memory in MB; an error where it fails or takes too long."""
    given = pickle.dumps((two.left, two.right, set(two.gold), two.entities))
    asked = [python, "-m", "benchmarks.record_peers", name]
    answer = subprocess.run(asked, input=given, capture_output=True, timeout=seconds, check=False)
    if answer.returncode:
        raise RuntimeError(answer.stderr.decode(errors="replace").strip().splitlines()[-1])
    found: tuple[Pairs, float, float] = pickle.loads(answer.stdout)
    return found


def main() -> None:
    left, right, gold, entities = pickle.load(sys.stdin.buffer)
    importlib.import_module(sys.argv[1])  # what it takes to be there is not what is measured
    before = resource.getrusage(resource.RUSAGE_SELF).ru_utime
    with contextlib.redirect_stdout(sys.stderr):
        found = PEERS[sys.argv[1]](SimpleNamespace(left=left, right=right, gold=gold, entities=entities))
    used = resource.getrusage(resource.RUSAGE_SELF)
    pairs = {(int(a), int(b)) for a, b in found}
    sys.stdout.buffer.write(pickle.dumps((pairs, used.ru_utime - before, peak_memory())))


if __name__ == "__main__":
    main()
