"""The features of pairs that their probability is computed from, as one matrix; most of them work in any language.

Each is named in :data:`NAMES`. Counts enter as logarithms: what matters is how many times more, not how many more.
"""

from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from likewise.analyse.variants import STRINGS, told_by_strings
from likewise.jobs.mine.evidence import Array, Evidence, best_of, common_partners, likeness, ranks


class Counted(NamedTuple):
    """The figures that come from counts, a value for each pair."""

    support: Array
    specific: Array
    places: Array
    specific_places: Array
    documents: Array
    likeness: Array
    mutual_rank: Array
    imbalance: Array
    listed: Array
    either: Array
    contrast: Array
    both: Array
    both_beyond_chance: Array
    common_partners: Array
    partners: Array
    list_member: Array
    common_lists: Array
    nearer_than_others: Array
    best_rank: Array
    worst_rank: Array


# As the weights call them.
NAMES = (*(name.replace("_", " ") for name in Counted._fields), *STRINGS)


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
    made = Counted(
        support=np.log(support),
        specific=np.log(specific / support),
        places=np.log(support / np.sqrt(column["phrase_places"] * column["paraphrase_places"])),
        specific_places=np.log(column["specific"] / np.sqrt(column["phrase_specific"] * column["paraphrase_specific"])),
        documents=np.log(column["documents"] / (2 * support)),
        likeness=np.log(0.01 + alike),
        mutual_rank=np.log(ranks(numbers, strength).prod(axis=1)) / 2,
        imbalance=np.abs(np.log(seen[:, 0] / seen[:, 1])),
        listed=np.log1p(100 * listed / least),
        either=np.log1p(100 * either / least),
        contrast=np.log1p(100 * contrast / least),
        both=np.log1p(100 * both / mean),
        both_beyond_chance=np.log((both + 0.5) / (seen.prod(axis=1) / max(1, sentences) + 0.5)),
        common_partners=np.log(0.01 + common_partners(numbers, strength, phrases)),
        partners=np.log(degree[numbers].prod(axis=1)) / 2,
        list_member=np.log1p(100 * in_lists[numbers]).sum(axis=1) / 2,
        common_lists=np.log1p(common_partners(numbers, np.minimum(together, 1.0), phrases)),
        nearer_than_others=alike - best_of(numbers, alike, phrases)[numbers].mean(axis=1),
        best_rank=np.log(places.min(axis=1)),
        worst_rank=np.log(places.max(axis=1)),
    )
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
