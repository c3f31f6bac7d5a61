"""What a search found: :class:`Hits`, which are numbers until they are looked at."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, overload

import numpy as np
from numpy.typing import NDArray

from likewise.errors import MissingExtraError
from likewise.index.segment import Id
from likewise.index.snippet import Snippet, snippet
from likewise.measure import Explanation, TextMeasure

if TYPE_CHECKING:
    import pyarrow as pa

    from likewise.index.segment import State


@dataclass(frozen=True, slots=True)
class Hit:
    """A text that was found."""

    rank: int
    id: Id
    score: float
    text: str
    source: str
    fields: dict[str, Any]
    reading: str
    """The query as it counted for this text: its words, and of each group the alternative that fits best."""
    measure: TextMeasure

    def snippet(self, length: int = 240) -> Snippet:
        """Return the piece of the text that shows best why it was found."""
        return snippet(self.measure, self.reading, self.text, length)

    def explain(self) -> Explanation:
        """Return what adds up to the score."""
        return self.measure.explain(self.reading, self.text)


@dataclass(frozen=True, slots=True, eq=False)
class Hits(Sequence[Hit]):
    """Texts that were found, best first. Ids and texts are fetched when they are asked for."""

    query: str
    state: "State"
    measure: TextMeasure
    numbers: NDArray[np.int64]
    """Where each hit stands among all texts of the index, in the order in which they were added."""
    scores: NDArray[np.float64]
    readings: tuple[str, ...] | str
    """The query as it counted, for each hit or for all."""

    def __len__(self) -> int:
        return len(self.numbers)

    @overload
    def __getitem__(self, place: int) -> Hit: ...
    @overload
    def __getitem__(self, place: slice) -> list[Hit]: ...
    def __getitem__(self, place: int | slice) -> Hit | list[Hit]:
        if isinstance(place, slice):
            return [self[one] for one in range(*place.indices(len(self)))]
        if place < 0:
            place += len(self)
        if not 0 <= place < len(self):
            raise IndexError(place)
        segment, at = self.state.place(int(self.numbers[place]))
        one, text, source, fields = segment.document(at)
        reading = self.readings if isinstance(self.readings, str) else self.readings[place]
        return Hit(place + 1, one, float(self.scores[place]), text, source, fields, reading, self.measure)

    def __iter__(self) -> Iterator[Hit]:
        for place in range(len(self)):
            yield self[place]

    @property
    def ids(self) -> list[Id]:
        """The ids of the hits."""
        places = (self.state.place(int(number)) for number in self.numbers)
        return [segment.table.column("id")[at].as_py() for segment, at in places]

    def to_arrow(self) -> "pa.Table":
        """Return an Arrow table: rank, id, score, text, source."""
        import pyarrow as pa

        rows = list(self)
        return pa.table(
            {
                "rank": pa.array([hit.rank for hit in rows], pa.int64()),
                "id": pa.array([str(hit.id) for hit in rows], pa.string()),
                "score": pa.array(self.scores),
                "text": pa.array([hit.text for hit in rows], pa.string()),
                "source": pa.array([hit.source for hit in rows], pa.string()),
            }
        )

    def to_pandas(self) -> Any:
        """Return a pandas table."""
        try:
            return self.to_arrow().to_pandas()
        except ImportError as error:
            raise MissingExtraError("pandas", "frames") from error

    def to_json(self, length: int = 240, explain: bool = False) -> dict[str, Any]:
        """Return plain values: the query, and for each hit id, score, snippet with highlights, fields."""
        return {"query": self.query, "hits": [hit_json(hit, length, explain) for hit in self]}


def hit_json(hit: Hit, length: int = 240, explain: bool = False) -> dict[str, Any]:
    """Return a hit as plain values."""
    piece = hit.snippet(length)
    values: dict[str, Any] = {
        "rank": hit.rank,
        "id": hit.id,
        "score": hit.score,
        "snippet": piece.text,
        "highlights": [[span.start, span.end] for span in piece.highlights],
        "source": hit.source,
        "fields": hit.fields,
        "reading": hit.reading,
    }
    if explain:
        values["explanation"] = hit.explain().to_json()
    return values
