"""Decisions about many pairs as a table."""

from collections.abc import Sequence
from typing import Any

import pyarrow as pa

from likewise.jobs.recognise.model import Recogniser

_SHOWN = 8  # parts of the right text that are named


def predictions(
    model: Recogniser, ids: Any, lefts: Sequence[str], rights: Sequence[str], *, explain: bool = False
) -> pa.Table:
    """Return ``id``, ``label`` (1 yes, 0 no), ``score``; to explain, also what of the right text the left lacks."""
    scores = model.scores(lefts, rights)
    columns = {
        "id": ids if isinstance(ids, pa.Array) else pa.array(list(ids)),
        "label": pa.array((scores >= model.threshold).astype(int), pa.int64()),
        "score": pa.array(scores, pa.float64()),
    }
    if explain:
        reasons = (model.explain(left, right) for left, right in zip(lefts, rights, strict=True))
        shown = ["; ".join(f"{one.text} {one.weight:.2f}" for one in why.uncovered[:_SHOWN]) for why in reasons]
        columns["uncovered"] = pa.array(shown, pa.string())
    return pa.table(columns)
