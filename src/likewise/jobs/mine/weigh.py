"""Fourth stage: the pairs with evidence from the corpus, a score, a class, a rank: the finished table.

Paşca and Dienes (2005) rank by support alone. Here ``score`` puts true paraphrases above *siblings* and antonyms
(first/second, north/south), with nothing but the corpus. Its parts (measured in docs/design/mining.md):

- a place that many phrases can take says little of two of them: ``specific`` adds up 1/(phrases there - 1);
- phrases that exclude each other stand side by side, "X and Y", "X or Y", "from X to Y", "X, Y and": ``together``;
- a phrase that holds the other is an elaboration (the / the early); different numbers are never paraphrases.
"""

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from likewise.analyse.variants import classify, strings_factor
from likewise.results.paraphrases import SAMPLE

# A pair seen side by side as often as it is supported keeps a fifth of its score.
_TOGETHER = 4.0


def score(support: Any, specific: Any, together: Any) -> Any:
    """Return the scores of pairs, given support, the sum of shares, and how often they stand side by side.

    The mean share of the places, times the root of how many there are, times how seldom the two stand side by side.

    >>> float(score(9, 3.0, 0)), float(score(9, 3.0, 9))
    (1.0, 0.2)
    """
    support, specific, together = (np.asarray(values, np.float64) for values in (support, specific, together))
    return specific / np.sqrt(support) * (support / (support + _TOGETHER * together))


def weigh(pairs: pa.Table, samples: pa.Table | Path, evidence: np.ndarray[Any, Any]) -> pa.Table:
    """Return the finished table: pairs in the order of support, with everything known of them.

    ``samples`` is the table or the Parquet file that holds it, of which one column at a time is then in memory.
    """
    phrases, numbers = numbered(pairs)
    occurrences, together = evidence[: len(phrases)], evidence[len(phrases) :]
    left, right = occurrences[numbers[:, 0]], occurrences[numbers[:, 1]]
    support = pairs.column("support").to_numpy()
    specific = pairs.column("specific").to_numpy() / 1e6
    factors, classes = _told_by_strings(pairs)
    scores = score(support, specific, together) * factors
    columns = {
        "phrase": pairs.column("phrase"),
        "paraphrase": pairs.column("paraphrase"),
        "support": pa.array(support, pa.int64()),
        "anchors": pairs.column("anchors").cast(pa.int64()),
        "rank": pa.array(np.arange(1, pairs.num_rows + 1), pa.int64()),
        "specific": pa.array(specific, pa.float64()),
        "score": pa.array(scores, pa.float64()),
        "class": classes,
        "phrase_count": pa.array(left, pa.int64()),
        "paraphrase_count": pa.array(right, pa.int64()),
        "together": pa.array(together, pa.int64()),
        "samples": _samples(pairs, samples),
    }
    return pa.table(columns)


def _told_by_strings(pairs: pa.Table) -> tuple[np.ndarray[Any, Any], pa.Array]:
    """Return factors of the score and classes, batch by batch: as Python strings all pairs would take too much."""
    factors: list[float] = []
    classes: list[str] = []
    for batch in pairs.select(["phrase", "paraphrase"]).to_batches(max_chunksize=1 << 14):
        for phrase, paraphrase in zip(*(column.to_pylist() for column in batch.columns), strict=True):
            factors.append(strings_factor(phrase, paraphrase))
            classes.append(classify(phrase, paraphrase))
    return np.array(factors, np.float64), pa.array(classes, pa.string())


def numbered(pairs: pa.Table) -> tuple[list[str], np.ndarray[Any, np.dtype[np.int32]]]:
    """Return the distinct phrases of a table of pairs, sorted, and the pairs as two columns of their numbers."""
    sides = [pairs.column(name).combine_chunks() for name in ("phrase", "paraphrase")]
    phrases = sorted(pc.unique(pa.chunked_array(sides)).to_pylist())
    known = pa.array(phrases, pa.string())
    columns = [pc.index_in(side, value_set=known).to_numpy(zero_copy_only=False) for side in sides]
    return phrases, np.stack(columns, axis=1).astype(np.int32)


def _samples(pairs: pa.Table, samples: pa.Table | Path) -> pa.Array:
    """Return the samples of each pair as a list; both tables are in the order of the pairs.

    All in Arrow: a million pairs have millions of samples, which as Python objects would not fit.
    """
    count = pq.read_metadata(samples).num_rows if isinstance(samples, Path) else samples.num_rows
    if not count:
        return pa.array([[]] * pairs.num_rows, pa.list_(SAMPLE))
    new = np.ones(count, bool)
    new[1:] = np.logical_or(_changes(_column(samples, "phrase")), _changes(_column(samples, "paraphrase")))
    context = pc.split_pattern(_column(samples, "context"), "\t", max_splits=1)
    columns = {"left": pc.list_element(context, 0), "right": pc.list_element(context, 1)}
    del context
    for name in ("attached", "phrase_source", "paraphrase_source"):
        columns[name] = _column(samples, name)
    made = pa.StructArray.from_arrays([columns[field.name] for field in SAMPLE], fields=list(SAMPLE))
    return pa.ListArray.from_arrays(pa.array(np.append(np.flatnonzero(new), count), pa.int32()), made)


def _column(table: pa.Table | Path, name: str) -> pa.Array:
    found = pq.read_table(table, columns=[name]) if isinstance(table, Path) else table
    return found.column(name).combine_chunks()


def _changes(values: pa.Array) -> np.ndarray[Any, Any]:
    changed: np.ndarray[Any, Any] = pc.not_equal(values[1:], values[:-1]).to_numpy(zero_copy_only=False)
    return changed
