"""What :meth:`likewise.Index.match` gives: for each text its best partners in the index."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from likewise.errors import MissingExtraError

if TYPE_CHECKING:
    import pyarrow as pa

    from likewise.index.segment import State


@dataclass(frozen=True, slots=True)
class Partners:
    """Rows of (left, right, score, rank, left_text, right_text); ``left`` is the position, ``right`` the id."""

    table: "pa.Table"

    @classmethod
    def of(
        cls,
        state: "State",
        texts: Sequence[str],
        left: NDArray[np.int64],
        right: NDArray[np.int64],
        score: NDArray[np.float64],
    ) -> "Partners":
        """Look up ids and texts of what was found."""
        import pyarrow as pa

        ids: list[Any] = [None] * len(right)
        found: list[str] = [""] * len(right)
        first = 0
        for segment in state.segments:
            rows = np.flatnonzero((right >= first) & (right < first + segment.count))
            if len(rows):
                taken = segment.table.select(["id", "text"]).take(pa.array(right[rows] - first))
                for row, one, text in zip(
                    rows.tolist(), taken.column("id").to_pylist(), taken.column("text").to_pylist(), strict=True
                ):
                    ids[row], found[row] = one, text
            first += segment.count
        starts = np.searchsorted(left, left)
        if len({type(one) for one in ids}) > 1:
            ids = [str(one) for one in ids]
        columns = {
            "left": pa.array(left),
            "right": pa.array(ids) if ids else pa.array([], pa.int64()),
            "score": pa.array(score),
            "rank": pa.array(np.arange(len(left)) - starts + 1),
            "left_text": pa.array([texts[i] for i in left.tolist()], pa.string()),
            "right_text": pa.array(found, pa.string()),
        }
        return cls(pa.table(columns))

    def __len__(self) -> int:
        return int(self.table.num_rows)

    def to_arrow(self) -> "pa.Table":
        """Return an Arrow table."""
        return self.table

    def to_pandas(self) -> Any:
        """Return a pandas table."""
        try:
            return self.table.to_pandas()
        except ImportError as error:
            raise MissingExtraError("pandas", "frames") from error

    def to_polars(self) -> Any:
        """Return a polars table."""
        try:
            import polars
        except ImportError as error:
            raise MissingExtraError("polars", "frames") from error
        return polars.from_arrow(self.table)

    def rows(self) -> list[dict[str, Any]]:
        """Return the rows as dicts."""
        return list(self.table.to_pylist())
