"""What was found for a batch of texts, as the result that every match has."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from likewise.index.snapshot import Snapshot
from likewise.results.matches import MatchResult

if TYPE_CHECKING:
    import pyarrow as pa


def matched(
    snapshot: Snapshot,
    texts: Sequence[str],
    left: NDArray[np.int64],
    right: NDArray[np.int64],
    score: NDArray[np.float64],
) -> MatchResult:
    """Look up ids and texts of what was found; ``left`` are positions of texts, ``right`` numbers in the index."""
    import pyarrow as pa

    ids, found = _looked_up(snapshot, right)
    alone = np.setdiff1d(np.arange(len(texts)), left)
    table = {
        "left": pa.array(left),
        "right": ids,
        "score": pa.array(score),
        "rank": pa.array(np.arange(len(left)) - np.searchsorted(left, left) + 1),
        "left_text": pa.array([texts[place] for place in left.tolist()], pa.string()),
        "right_text": found,
    }
    unmatched = {
        "side": pa.array(["left"] * len(alone), pa.string()),
        "id": pa.array(alone, pa.int64()),
        "text": pa.array([texts[place] for place in alone.tolist()], pa.string()),
    }
    return MatchResult(pa.table(table), pa.table(unmatched), snapshot.measure)


def _looked_up(snapshot: Snapshot, numbers: NDArray[np.int64]) -> "tuple[pa.Array, pa.Array]":
    import pyarrow as pa

    ids: list[Any] = [None] * len(numbers)
    texts: list[str] = [""] * len(numbers)
    first = 0
    for segment in snapshot.segments:
        rows = np.flatnonzero((numbers >= first) & (numbers < first + segment.count))
        if len(rows):
            taken = segment.table.select(["id", "text"]).take(pa.array(numbers[rows] - first))
            for row, one, text in zip(
                rows.tolist(), taken.column("id").to_pylist(), taken.column("text").to_pylist(), strict=True
            ):
                ids[row], texts[row] = one, text
        first += segment.count
    return snapshot.id_column(ids), pa.array(texts, pa.string())
