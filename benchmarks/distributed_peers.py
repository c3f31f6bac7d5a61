"""Beside the exact match on Spark: MinHashLSH of Spark itself, and splink. Measured by ``benchmarks.distributed``.

Each is ready when Spark has the names; its pairs are kept until all are measured, for recall.
"""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.cluster import session
from benchmarks.distributed import names

Rows = Any  # two columns of places


def _texts(count: int) -> list[str]:
    return [name for name in dict.fromkeys(names(count)) if len(name) >= 3]


def _grams(texts: Sequence[str]) -> list[list[str]]:
    return [sorted({name[at : at + 3] for at in range(len(name) - 2)}) for name in texts]


ASKED_OF = {"lsh_1": "exact", "lsh_5": "exact", "splink": "likewise"}
"""Whose pairs are all that there are to find, where a peer may miss some; those are measured first."""


def _kept(folder: str, peer: str, count: int) -> Path:
    """Return where the pairs of a peer are."""
    return Path(folder) / f"pairs-{peer}-{count}.npy"


def _keep(pairs: Any, folder: str, peer: str, count: int) -> dict[str, Any]:
    """Keep the pairs of a peer; return how many there are, and which share of those that there are to find."""
    rows = np.unique(np.sort(np.asarray(pairs, np.int64).reshape(-1, 2), axis=1), axis=0)
    Path(folder).mkdir(parents=True, exist_ok=True)
    np.save(_kept(folder, peer, count), rows)
    whole = _kept(folder, ASKED_OF.get(peer, peer), count)
    if not whole.exists():
        return {"pairs": len(rows)}
    every = np.load(whole)
    shared = len(rows) + len(every) - len(np.unique(np.concatenate([rows, every]), axis=0))
    return {"pairs": len(rows), "recall": shared / max(1, len(every))}


def exact(count: int, folder: str) -> Iterator[Any]:
    """All pairs from a Jaccard coefficient of 0.8 on, by an inverted list of the rarest grams of each name."""
    rows = _grams(_texts(count))
    yield None
    counts: dict[str, int] = {}
    for grams in rows:
        for gram in grams:
            counts[gram] = counts.get(gram, 0) + 1
    lists: dict[str, list[int]] = {}
    sets = [frozenset(grams) for grams in rows]
    found = []
    least = 0.8
    for place, grams in enumerate(rows):
        ordered = sorted(grams, key=lambda gram: (counts[gram], gram))
        size = len(ordered)
        prefix = ordered[: size - int(np.ceil(least * size)) + 1]
        for other in {other for gram in prefix for other in lists.get(gram, ())}:
            if least * size <= len(sets[other]) <= size / least:
                shared = len(sets[place] & sets[other])
                if shared >= least * (size + len(sets[other]) - shared):
                    found.append((other, place))
        for gram in prefix:
            lists.setdefault(gram, []).append(place)
    yield _keep(found, folder, "exact", count)


def likewise(count: int, folder: str) -> Iterator[Any]:
    """Spectra from 0.8 on, on Spark, from a DataFrame."""
    import likewise as lw

    with ExitStack() as stack:
        spark = session("cluster", stack)
        frame = spark.createDataFrame([(name,) for name in _texts(count)], "name string").coalesce(2).cache()
        frame.count()
        lw.match(names(1000), engine=spark, top=1)  # Python starts in the workers
        yield None
        found = lw.match(frame, all_pairs=True, min_score=0.8).to_arrow()
        yield _keep(np.stack([found["left"], found["right"]], axis=1), folder, "likewise", count)


def lsh_1(count: int, folder: str) -> Iterator[Any]:
    """MinHashLSH with one table."""
    return _lsh(count, folder, 1)


def lsh_5(count: int, folder: str) -> Iterator[Any]:
    """MinHashLSH with five tables."""
    return _lsh(count, folder, 5)


def _lsh(count: int, folder: str, tables: int) -> Iterator[Any]:
    """Jaccard of 3-grams from 0.8 on."""
    from pyspark.ml.feature import HashingTF, MinHashLSH
    from pyspark.sql import functions

    with ExitStack() as stack:
        spark = session("local[2]", stack)  # the workers of a cluster here have less memory than it needs
        frame = spark.createDataFrame(list(enumerate(_grams(_texts(count)))), "id long, grams array<string>")
        hashed = HashingTF(inputCol="grams", outputCol="features", numFeatures=1 << 20, binary=True)
        frame = hashed.transform(frame).select("id", "features").cache()
        frame.count()
        yield None
        model = MinHashLSH(inputCol="features", outputCol="hashes", numHashTables=tables, seed=1).fit(frame)
        found = model.approxSimilarityJoin(frame, frame, 0.2, "distance")
        found = found.where(functions.col("datasetA.id") < functions.col("datasetB.id"))
        pairs = found.select(functions.col("datasetA.id").alias("a"), functions.col("datasetB.id").alias("b")).toArrow()
        yield _keep(np.stack([pairs["a"], pairs["b"]], axis=1), folder, f"lsh_{tables}", count)


def splink(count: int, folder: str) -> Iterator[Any]:
    """Names that share the first word, the last, or four letters, with a Jaro-Winkler from 0.92 on; on DuckDB."""
    import pandas
    import splink.comparison_library as library
    from splink import DuckDBAPI, Linker, SettingsCreator, block_on

    texts = _texts(count)
    words = [text.split() or [""] for text in texts]
    columns = {"name": texts, "first": [one[0] for one in words], "last": [one[-1] for one in words]}
    frame = pandas.DataFrame({"unique_id": range(len(texts)), **columns, "start": [text[:4] for text in texts]})
    settings = SettingsCreator(
        link_type="dedupe_only",
        comparisons=[library.JaroWinklerAtThresholds("name", [0.92])],
        blocking_rules_to_generate_predictions=[block_on("first"), block_on("last"), block_on("start")],
        retain_intermediate_calculation_columns=True,
    )
    yield None
    # Pairs that are not alike, most of hundreds of millions, are left out at once: those that are weigh -10.3.
    predicted = Linker(DuckDBAPI().register(frame), settings).inference.predict(threshold_match_weight=-12)
    made = predicted.query_sql("SELECT unique_id_l, unique_id_r FROM {this} WHERE gamma_name > 0")
    yield _keep(made.as_pandas_dataframe().to_numpy(), folder, "splink", count)
