"""Fifth stage: the pairs with evidence from the corpus, a probability, a class, a rank: the finished table.

Paşca and Dienes (2005) rank by support alone, which puts *siblings* and antonyms first (first/second, north/south).
``probability`` is how likely a judge calls the pair right (their classes 1 to 6), from what the corpus itself says
(:mod:`likewise.jobs.mine.features`), by weights that were learned once (:mod:`likewise.jobs.mine.probability`).
"""

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from likewise.analyse.variants import classify
from likewise.jobs.mine.evidence import Array, Evidence
from likewise.jobs.mine.features import features
from likewise.jobs.mine.probability import probabilities
from likewise.languages import detect
from likewise.results.paraphrases import SAMPLE, SCHEMA

# So many contexts tell the language.
_TOLD_BY = 5000


def weigh(
    pairs: pa.Table, samples: pa.Table | Path, evidence: Evidence, sentences: int, *, english: bool = True
) -> pa.Table:
    """Return the finished table: pairs in the order of support, with everything known of them.

    Unless the text is known to be English, the contexts in the samples say which language it is.
    ``samples`` is the table or the Parquet file that holds it, of which one column at a time is then in memory.
    """
    phrases, numbers = numbered(pairs)
    occurrences, (listed, either, contrast, both) = evidence.split(len(phrases))
    language = "english" if english else _language(samples)
    figures = features(pairs, len(phrases), numbers, evidence, sentences, language)
    columns: dict[str, Any] = {
        "phrase": pairs.column("phrase"),
        "paraphrase": pairs.column("paraphrase"),
        "support": pairs.column("support"),
        "anchors": pairs.column("anchors"),
        "rank": np.arange(1, pairs.num_rows + 1),
        "specific": pairs.column("specific").to_numpy() / 1e6,
        "probability": probabilities(figures),
        "class": _classes(pairs, language),
        "phrase_count": occurrences[numbers[:, 0]],
        "paraphrase_count": occurrences[numbers[:, 1]],
        "documents": pairs.column("documents"),
        "together": listed + either + contrast,
        "both": both,
        "samples": _samples(pairs, samples),
    }
    table = pa.table([columns[field.name] for field in SCHEMA], names=SCHEMA.names).cast(SCHEMA)
    return table if language == "english" else table.replace_schema_metadata({"language": language})


def _language(samples: pa.Table | Path) -> str:
    found = detect(_column(samples, "context").slice(0, _TOLD_BY).to_pylist())
    return "english" if found is None else found.name


def _classes(pairs: pa.Table, language: str) -> pa.Array:
    """Return the classes, batch by batch: as Python strings all pairs would take too much."""
    classes: list[str] = []
    for batch in pairs.select(["phrase", "paraphrase"]).to_batches(max_chunksize=1 << 14):
        rows = zip(*(column.to_pylist() for column in batch.columns), strict=True)
        classes += [classify(phrase, paraphrase, language) for phrase, paraphrase in rows]
    return pa.array(classes, pa.string())


def numbered(pairs: pa.Table) -> tuple[list[str], Array]:
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


def _changes(values: pa.Array) -> Array:
    changed: Array = pc.not_equal(values[1:], values[:-1]).to_numpy(zero_copy_only=False)
    return changed
