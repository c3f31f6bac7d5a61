"""What a search found: :class:`Hits`, which are numbers until they are looked at."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from likewise.errors import OptionError
from likewise.index.segment import Id, field_column, searched
from likewise.index.snapshot import Snapshot
from likewise.index.snippet import Snippet, highlights, snippet
from likewise.measure import Explanation, TextMeasure
from likewise.measure.explanation import in_words
from likewise.results.base import Marks, Result

if TYPE_CHECKING:
    import pyarrow as pa


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
    heading: str = ""
    """Where the text stands: the titles above it, which are searched with it."""

    def snippet(self, length: int = 240) -> Snippet:
        """Return the piece of the text that shows best why it was found."""
        return snippet(self.measure, self.reading, self.text, length)

    def explain(self) -> Explanation:
        """Return what adds up to the score, in the words of the query and of the text under its titles."""
        return in_words(self.measure.explain(self.reading, searched(self.heading, self.text)))


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Hits(Result[Hit]):
    """Texts that were found, best first. Ids and texts are fetched when they are asked for.

    >>> import likewise as lw
    >>> hits = lw.Index.build(["red fish", "blue fish"]).search("a blue whale")
    >>> [(hit.id, hit.text) for hit in hits]
    [(1, 'blue fish')]
    """

    query: str
    snapshot: Snapshot
    numbers: NDArray[np.int64]
    """Where each hit stands among all texts of the index, in the order in which they were added."""
    scores: NDArray[np.float64]
    readings: tuple[str, ...] | str
    """The query as it counted, for each hit or for all."""
    corrections: tuple[tuple[str, str], ...] = ()
    """Words of the query that no text has, each with the word that was searched instead."""
    first_rank: int = 1
    left_out: tuple[str, ...] = ()
    """Where nothing was found: the roles of passages that would have been, had they not been left out."""

    _noun = ("hit", "hits")

    def __reduce__(self) -> Any:
        raise TypeError("hits point into their index and cannot be pickled: keep list(hits) or hits.to_arrow()")

    def __len__(self) -> int:
        return len(self.numbers)

    def __iter__(self) -> Iterator[Hit]:
        return map(self._at, range(len(self)))

    def _at(self, place: int) -> Hit:
        segment, at = self.snapshot.place(int(self.numbers[place]))
        item = segment.item(at)
        reading = self.readings if isinstance(self.readings, str) else self.readings[place]
        rank, score, measure = self.first_rank + place, float(self.scores[place]), self.snapshot.measure
        return Hit(rank, item.id, score, item.text, item.source, item.fields, reading, measure, item.heading)

    def _part(self, places: slice) -> "Hits":
        if places.step not in (None, 1):
            raise OptionError(f"hits are ranked: a slice of them has no step ({places.step})")
        readings = self.readings if isinstance(self.readings, str) else self.readings[places]
        first = self.first_rank + places.indices(len(self))[0]
        return replace(
            self, numbers=self.numbers[places], scores=self.scores[places], readings=readings, first_rank=first
        )

    def _marks(self, value: Hit) -> Marks:
        return {"text": [(span.start, span.end) for _, span in highlights(value.measure, value.reading, value.text)]}

    @property
    def corrected(self) -> str:
        """The query with the words that were searched.

        >>> from likewise import Index
        >>> Index.build(["The law took effect."]).search('"took effect" lawz').corrected
        '"took effect" law'
        """
        text = self.query
        for written, read in self.corrections:
            # An underscore is no letter: foreing_keys is two words.
            pattern = rf"(?<![^\W_]){re.escape(written)}(?![^\W_])"
            text = re.sub(pattern, lambda _, word=read: word, text, flags=re.IGNORECASE)  # type: ignore[misc]
        return text

    @property
    def notes(self) -> tuple[str, ...]:
        """What explains that nothing was found, where something does.

        >>> from likewise import Index
        >>> Index.build(["The law took effect."], measure="bm25(stop=english)").search("what is it")
        Hits(0 hits; every word of the query is on the stop list english)
        """
        if self.left_out:
            roles = ", ".join(self.left_out)
            return (f"only what is left out has it ({roles}): leave out none, or ask for role:{self.left_out[0]}",)
        options = self.snapshot.measure.options
        stop = getattr(options, "stop", None)
        if len(self) or stop is None or self.snapshot.measure.analyse([self.corrected]).terms.size:
            return ()
        named = stop if isinstance(stop, str) else "of the index"
        return (f"every word of the query is on the stop list {named}",)

    @property
    def ids(self) -> list[Id]:
        """The ids of the hits."""
        places = (self.snapshot.place(int(number)) for number in self.numbers)
        return [segment.table.column("id")[at].as_py() for segment, at in places]

    def to_arrow(self) -> "pa.Table":
        """Return an Arrow table: rank, id, score, text, source, and a column for each field of the texts."""
        import pyarrow as pa

        hits = list(self)
        columns = {
            "rank": pa.array([hit.rank for hit in hits], pa.int64()),
            "id": self.snapshot.id_column([hit.id for hit in hits]),
            "score": pa.array(self.scores),
            "text": pa.array([hit.text for hit in hits], pa.string()),
            "source": pa.array([hit.source for hit in hits], pa.string()),
        }
        for name in sorted({name for hit in hits for name in hit.fields}):
            column = field_column([hit.fields.get(name) for hit in hits])
            columns[f"field:{name}" if name in columns else name] = column
        return pa.table(columns)

    def to_json(self, length: int = 240, explain: bool = False) -> dict[str, Any]:
        """Return plain values: the query, and for each hit id, score, snippet with highlights, fields."""
        values = {"query": self.query, "corrected": self.corrected, "corrections": dict(self.corrections)}
        return {**values, "hits": [hit_json(hit, length, explain) for hit in self]}


def hit_json(hit: Hit, length: int = 240, explain: bool = False) -> dict[str, Any]:
    """Return a hit as plain values."""
    piece = hit.snippet(length)
    values: dict[str, Any] = {
        "rank": hit.rank,
        "id": hit.id,
        "score": hit.score,
        "heading": hit.heading,
        "snippet": piece.text,
        "highlights": [[span.start, span.end] for span in piece.highlights],
        "source": hit.source,
        "fields": hit.fields,
        "reading": hit.reading,
    }
    if explain:
        values["explanation"] = hit.explain().to_json()
    return values
