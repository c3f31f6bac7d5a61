"""The figures of pairs that their probability is computed from, as one matrix; language plays no part in most of them.

Each is named in :data:`NAMES`. Counts enter as logarithms: what matters is how many times more, not how many more.
"""

from typing import Any

import numpy as np
import pyarrow as pa

from likewise.analyse.variants import STRINGS, told_by_strings
from likewise.jobs.mine.evidence import Array, Evidence, best_of, common_partners, likeness, ranks

NAMES = (
    "support", "specific", "places", "specific places", "documents", "likeness", "mutual rank", "imbalance", "listed",
    "either", "contrast", "both", "both beyond chance", "common partners", "partners", "list member", "common lists",
    "nearer than others", "best rank", "worst rank",
    *STRINGS,
)  # fmt: skip


def features(
    pairs: pa.Table, phrases: int, numbers: Array, evidence: Evidence, sentences: int, language: str = "english"
) -> Array:
    """Return the matrix: a row for each pair, a column for each name."""
    column = {name: pairs.column(name).to_numpy().astype(np.float64) for name in _WANTED}
    support, specific = column["support"], column["specific"] / 1e6
    occurrences, (listed, either, contrast, both) = evidence.split(phrases)
    seen = occurrences[numbers].astype(np.float64) + 1
    least, mean = seen.min(axis=1), np.sqrt(seen.prod(axis=1))
    together = listed + either + contrast
    strength = specific / np.sqrt(support)
    degree = np.bincount(numbers.ravel(), minlength=phrases).astype(np.float64)
    in_lists = np.bincount(numbers.ravel(), np.repeat(together, 2), phrases) / (occurrences + 1.0)
    alike = likeness(evidence.beside, phrases, numbers)
    places = ranks(numbers, alike)
    made = [
        np.log(support),
        np.log(specific / support),
        np.log(support / np.sqrt(column["phrase_places"] * column["paraphrase_places"])),
        np.log(column["specific"] / np.sqrt(column["phrase_specific"] * column["paraphrase_specific"])),
        np.log(column["documents"] / (2 * support)),
        np.log(0.01 + alike),
        np.log(ranks(numbers, strength).prod(axis=1)) / 2,
        np.abs(np.log(seen[:, 0] / seen[:, 1])),
        np.log1p(100 * listed / least),
        np.log1p(100 * either / least),
        np.log1p(100 * contrast / least),
        np.log1p(100 * both / mean),
        np.log((both + 0.5) / (seen.prod(axis=1) / max(1, sentences) + 0.5)),
        np.log(0.01 + common_partners(numbers, strength, phrases)),
        np.log(degree[numbers].prod(axis=1)) / 2,
        np.log1p(100 * in_lists[numbers]).sum(axis=1) / 2,
        np.log1p(common_partners(numbers, np.minimum(together, 1.0), phrases)),
        alike - best_of(numbers, alike, phrases)[numbers].mean(axis=1),
        np.log(places.min(axis=1)),
        np.log(places.max(axis=1)),
    ]
    return np.column_stack([*made, _strings(pairs, language)])


_WANTED = (
    "support", "specific", "documents", "phrase_places", "paraphrase_places", "phrase_specific", "paraphrase_specific",
)  # fmt: skip


def _strings(pairs: pa.Table, language: str) -> Array:
    """What the two strings say, batch by batch: as Python strings all pairs would take too much."""
    made: list[Any] = [np.zeros((0, len(STRINGS)))]
    for batch in pairs.select(["phrase", "paraphrase"]).to_batches(max_chunksize=1 << 14):
        rows = zip(*(values.to_pylist() for values in batch.columns), strict=True)
        made.append(np.array([told_by_strings(a, b, language) for a, b in rows], np.float64).reshape(-1, len(STRINGS)))
    return np.concatenate(made)
