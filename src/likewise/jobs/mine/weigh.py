"""Fifth stage: the pairs with evidence from the corpus, a probability, a class, a rank: the finished table.

Paşca and Dienes (2005) rank by support alone, which puts *siblings* and antonyms first (first/second, north/south).
``probability`` is how likely a judge calls the pair right (their classes 1 to 6), from what the corpus itself says
(:mod:`likewise.jobs.mine.features`), by weights that were learned once (:mod:`likewise.jobs.mine.probability`).
"""

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from likewise.analyse.variants import classify, core_of
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
        "probability": _no_surer_than_core(pairs, probabilities(figures)),
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


def _no_surer_than_core(pairs: pa.Table, found: Array) -> Array:
    """Bound pairs that begin or end alike by the pair of what differs: *the name of* by *name*, if that is a pair.

    Within a frame phrases share their places more easily. Pairs are looked up by hashes, a few bytes each.
    """
    names, cores = (np.zeros(pairs.num_rows, np.uint64) for _ in range(2))
    for place, (phrase, paraphrase) in enumerate(_pairs_of_strings(pairs)):
        names[place] = cores[place] = _hash(phrase, paraphrase)
        if " " in phrase and " " in paraphrase:
            cores[place] = _hash(*core_of(phrase, paraphrase))
    order = np.argsort(names, kind="stable")
    at = np.minimum(np.searchsorted(names[order], cores), max(0, pairs.num_rows - 1))
    known = names[order][at] == cores
    return np.where(known, np.minimum(found, found[order][at]), found)


def _pairs_of_strings(pairs: pa.Table) -> Iterator[tuple[str, str]]:
    """Yield the pairs, batch by batch: as Python strings all of them would take too much."""
    for batch in pairs.select(["phrase", "paraphrase"]).to_batches(max_chunksize=1 << 14):
        yield from zip(*(values.to_pylist() for values in batch.columns), strict=True)


def _hash(phrase: str, paraphrase: str) -> int:
    return int.from_bytes(hashlib.blake2b(f"{phrase}\t{paraphrase}".encode(), digest_size=8).digest())


def _language(samples: pa.Table | Path) -> str:
    found = detect(_column(samples, "context").slice(0, _TOLD_BY).to_pylist())
    return "english" if found is None else found.name


def _classes(pairs: pa.Table, language: str) -> pa.Array:
    return pa.array([classify(*pair, language) for pair in _pairs_of_strings(pairs)], pa.string())


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
