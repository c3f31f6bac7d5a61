"""Second stage: sentences become rows (context, attached, candidate), less those that can be in no pair.

Schema of ``rows/*.parquet``:

==========  ======  =================================================================================
context     string  the outer tokens: left constant, tab, right constant
attached    string  what the anchor adds: entity before, tab, entity after; or what the relative clause
                    modifies, tab, the clause left of the n-gram, tab, right of it; empty for ``ngram``
candidate   string  the variable part
source      string  id of the document
==========  ======  =================================================================================

Pruning is by two tables of small counters indexed by hash. A slot that two keys share counts both, so that a
table can only count too much, and what it lets go is certain to be in no pair. First candidates are counted, then the
anchors of the rows whose candidates are frequent enough; what is left is exactly grouped by the engine.
"""

from typing import Any

import numpy as np
import pyarrow as pa

from likewise import _core
from likewise.analyse.tagger import model
from likewise.jobs.mine.options import MineOptions

SCHEMA = pa.schema([(name, pa.string()) for name in ("context", "attached", "candidate", "source")])


def pruner(options: MineOptions, bits: int) -> _core.MinePruner:
    """Return an empty pruner whose tables have two to the power of ``bits`` counters."""
    return _core.MinePruner(
        options.context,
        options.min_phrase,
        options.max_phrase,
        _core.MineAnchors[options.anchors],
        model().tags,
        options.fewest,
        bits,
    )


def extract(batch: pa.RecordBatch, core: _core.MineBatch, pruned: _core.MinePruner) -> tuple[pa.Table, dict[str, int]]:
    """Return the rows of a batch of sentences that ``pruned`` cannot rule out, and how many there were."""
    rows = pruned.emit(core)
    sources = batch.column("document").take(pa.array(rows["sentences"]))
    table = pa.table(
        [
            _strings(rows["contexts"], rows["context_ends"]),
            _strings(rows["attached"], rows["attached_ends"]),
            _strings(rows["candidates"], rows["candidate_ends"]),
            sources,
        ],
        schema=SCHEMA,
    )
    return table, {"ngrams": rows["ngrams"], "anchored sentences": rows["anchored"], "rows": len(table)}


def _strings(letters: np.ndarray[Any, Any], ends: np.ndarray[Any, Any]) -> pa.StringArray:
    return pa.StringArray.from_buffers(len(ends) - 1, pa.py_buffer(ends), pa.py_buffer(letters))
