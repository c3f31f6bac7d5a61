"""Beside the exact match on Spark: MinHashLSH of Spark itself, and splink. Used by ``benchmarks.distributed``."""

import time
from collections.abc import Sequence
from typing import Any

import numpy as np

Pairs = set[tuple[int, int]]


def beside(names: Sequence[str]) -> str:
    """MinHashLSH of Spark: Jaccard of 3-grams from 0.8 on, beside the exact pairs of the same measure and score."""
    import pyspark

    import likewise as lw

    texts = [name for name in dict.fromkeys(names) if len(name) >= 3]
    lines = ["## Beside others", "", f"{len(texts):,} names; recall is of the exact pairs of the same question.", ""]
    lines += ["| | question | seconds | pairs | recall |", "|---|---|---:|---:|---:|"]

    def row(who: str, question: str, seconds: float, pairs: int, recall: str) -> None:
        lines.append(f"| {who} | {question} | {seconds:.1f} | {pairs:,} | {recall} |")
        print(lines[-1], flush=True)

    builder = pyspark.sql.SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
    session = builder.config("spark.driver.memory", "4g").getOrCreate()
    try:
        grams = [sorted({name[at : at + 3] for at in range(len(name) - 2)}) for name in texts]
        exact = _jaccard(grams, 0.8)
        for tables in (1, 5):
            pairs, seconds = _lsh(session, grams, tables)
            row(f"MinHashLSH, {tables} tables", "Jaccard of 3-grams from 0.8 on", seconds, len(pairs),
                f"{len(pairs & exact) / max(1, len(exact)):.1%}")  # fmt: skip
        frame = session.createDataFrame([(name,) for name in texts], "name string").cache()
        frame.count()
        started = time.perf_counter()
        ours = lw.match(frame, all_pairs=True, min_score=0.8)
        row("Likewise on Spark", "spectra from 0.8 on", time.perf_counter() - started, len(ours), "all, exact")
        wanted = {(pair.left, pair.right) for pair in ours}
    finally:
        session.stop()
    started = time.perf_counter()
    try:
        found = _splink(texts)
    except ImportError:
        lines.append("\nsplink was not installed (`pip install splink`).")
        return "\n".join([*lines, ""])
    took, share = time.perf_counter() - started, len(found & wanted) / max(1, len(wanted))
    who = "splink on DuckDB, three blocking rules"
    row(who, "Jaro-Winkler from 0.92 on", took, len(found), f"{share:.1%} of the pairs of Likewise")
    return "\n".join([*lines, ""])


def _lsh(session: Any, grams: list[list[str]], tables: int) -> tuple[Pairs, float]:
    from pyspark.ml.feature import HashingTF, MinHashLSH
    from pyspark.sql import functions

    frame = session.createDataFrame(list(enumerate(grams)), "id long, grams array<string>")
    hashed = HashingTF(inputCol="grams", outputCol="features", numFeatures=1 << 20, binary=True)
    frame = hashed.transform(frame).cache()
    frame.count()
    started = time.perf_counter()
    model = MinHashLSH(inputCol="features", outputCol="hashes", numHashTables=tables, seed=1).fit(frame)
    found = model.approxSimilarityJoin(frame, frame, 0.2, "distance")
    found = found.where(functions.col("datasetA.id") < functions.col("datasetB.id"))
    pairs = {(row[0], row[1]) for row in found.select("datasetA.id", "datasetB.id").collect()}
    return pairs, time.perf_counter() - started


def _splink(texts: Sequence[str]) -> Pairs:
    """Return the pairs of splink: names that share the first word, the last, or four letters, and are alike."""
    import pandas
    import splink.comparison_library as library
    from splink import DuckDBAPI, Linker, SettingsCreator, block_on

    words = [text.split() or [""] for text in texts]
    columns = {"name": texts, "first": [one[0] for one in words], "last": [one[-1] for one in words]}
    frame = pandas.DataFrame({"unique_id": range(len(texts)), **columns, "start": [text[:4] for text in texts]})
    settings = SettingsCreator(
        link_type="dedupe_only",
        comparisons=[library.JaroWinklerAtThresholds("name", [0.92])],
        blocking_rules_to_generate_predictions=[block_on("first"), block_on("last"), block_on("start")],
        retain_intermediate_calculation_columns=True,
    )
    made = Linker(DuckDBAPI().register(frame), settings).inference.predict().as_pandas_dataframe()
    made = made[made["gamma_name"] > 0]
    return {(min(pair), max(pair)) for pair in zip(made["unique_id_l"], made["unique_id_r"], strict=True)}


def _jaccard(rows: Sequence[list[str]], least: float) -> Pairs:
    """Return all pairs from a Jaccard coefficient on, by an inverted list of the rarest grams of each."""
    counts: dict[str, int] = {}
    for grams in rows:
        for gram in grams:
            counts[gram] = counts.get(gram, 0) + 1
    lists: dict[str, list[int]] = {}
    sets = [set(grams) for grams in rows]
    found = set()
    for place, grams in enumerate(rows):
        ordered = sorted(grams, key=lambda gram: (counts[gram], gram))
        prefix = ordered[: len(ordered) - int(np.ceil(least * len(ordered))) + 1]
        for other in {other for gram in prefix for other in lists.get(gram, ())}:
            shared = len(sets[place] & sets[other])
            if shared >= least * (len(sets[place]) + len(sets[other]) - shared):
                found.add((other, place))
        for gram in prefix:
            lists.setdefault(gram, []).append(place)
    return found
