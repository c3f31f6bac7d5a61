"""Sentences written as word/TAG for the tests, and the rows that the core makes of them."""

import numpy as np
import pyarrow as pa

from likewise.analyse.tagger import PerceptronTagger, model
from likewise.jobs.mine.ngrams import extract, pruner
from likewise.jobs.mine.options import MineOptions
from likewise.jobs.mine.sentences import to_core


def parse(text):
    return [tuple(token.rsplit("/", 1)) for token in text.split()]


def batch_of(sentences):
    """A batch of the sentences stage, with the given tags."""
    names = model().tags
    tokens = [[token for token, _ in sentence] for sentence in sentences]
    words = sorted({token for row in tokens for token in row})
    numbers = {word: n for n, word in enumerate(words)}
    offsets = np.cumsum([0, *map(len, tokens)]).astype(np.int32)
    ids = pa.array([numbers[token] for row in tokens for token in row], pa.int32())
    tags = pa.array([names.index(tag) for sentence in sentences for _, tag in sentence], pa.uint8())
    return pa.RecordBatch.from_pydict(
        {
            "document": pa.array([f"d{n}" for n in range(len(sentences))], pa.string()),
            "tokens": pa.ListArray.from_arrays(
                pa.array(offsets), pa.DictionaryArray.from_arrays(ids, pa.array(words, pa.string()))
            ),
            "tags": pa.ListArray.from_arrays(pa.array(offsets), tags),
        }
    )


def rows_of(sentences, **options):
    """All rows of the sentences, nothing pruned."""
    chosen = MineOptions(**options)
    everything = pruner(chosen, 12)
    for anchors in (False, True):
        everything.add_table(anchors, b"\xff" * (1 << 12))
    batch = batch_of(sentences)
    table, _ = extract(batch, to_core(batch, chosen.fold_case), everything)
    return set(zip(*(table.column(name).to_pylist() for name in ("context", "attached", "candidate")), strict=True))


class Borrowed:
    """A tagger of one's own, by the protocol alone: what ours says, but no river is a name."""

    def tag(self, sentences):
        found = PerceptronTagger().tag(sentences)
        return [
            ["NN" if word == "River" else tag for word, tag in zip(words, tags, strict=True)]
            for words, tags in zip(sentences, found, strict=True)
        ]
