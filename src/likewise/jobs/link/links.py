"""The result of linking: :class:`Links`, what each link is, and where it can be written."""

import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from likewise.jobs.link.book import Book, Unit
from likewise.jobs.link.evidence import SentencePair, Shared, SharedTerms
from likewise.jobs.link.options import LinkOptions
from likewise.read import Skipped
from likewise.storage import atomic_write

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl
    import pyarrow as pa


@dataclass(frozen=True, slots=True)
class Vote:
    """What one list says of a pair: its rank there, from 1, and its score."""

    rank: int
    score: float


@dataclass(frozen=True, slots=True)
class Link:
    """Two passages that treat the same subject; ``left`` and ``right`` number the units of the book.

    ``standout`` is by how much the score exceeds what the two passages have with their nearest ones, where links are in
    that order.
    """

    left: int
    right: int
    score: float
    rank: int
    votes: Mapping[str, Vote] = field(default_factory=dict)
    sentences: tuple[SentencePair, ...] = ()
    strongest: bool = False
    copy: bool = False
    neighbours: bool = False
    standout: float | None = None


@dataclass(frozen=True)
class Links:
    """Links between the passages of a book or corpus, best first; iterate over it, or write it.

    ``lists`` says of every list that was made how many pairs it has and the number of matches it asked for.
    """

    book: Book
    links: tuple[Link, ...]
    options: LinkOptions
    lists: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    skipped: tuple[Skipped, ...] = ()
    terms: SharedTerms | None = field(default=None, repr=False, compare=False)

    def __len__(self) -> int:
        return len(self.links)

    def __iter__(self) -> Iterator[Link]:
        return iter(self.links)

    def __getitem__(self, position: int) -> Link:
        return self.links[position]

    def unit(self, number: int) -> Unit:
        """Return a passage by its number."""
        return self.book.units[number]

    def text(self, number: int) -> str:
        """Return the text of a passage."""
        return self.book.text(number)

    def shared(self, link: Link) -> tuple[Shared, ...]:
        """Return the terms and phrases that the passages of a link share, with their spans in the documents."""
        return self.terms.shared(link.left, link.right) if self.terms is not None else ()

    def rows(self) -> Iterator[dict[str, Any]]:
        """Give each link as a flat record."""
        for link in self.links:
            yield self._row(link)

    def _row(self, link: Link) -> dict[str, Any]:
        left, right = self.unit(link.left), self.unit(link.right)
        shared = self.shared(link)
        return {
            "left": left.id,
            "right": right.id,
            "score": link.score,
            "rank": link.rank,
            "standout": link.standout,
            "strongest": link.strongest,
            "copy": link.copy,
            "neighbours": link.neighbours,
            "lists": {name: {"rank": vote.rank, "score": vote.score} for name, vote in link.votes.items()},
            "left_titles": list(left.titles),
            "right_titles": list(right.titles),
            "left_span": [left.span.start, left.span.end],
            "right_span": [right.span.start, right.span.end],
            "left_text": self.text(link.left),
            "right_text": self.text(link.right),
            "sentences": [self._sentence_row(link, pair) for pair in link.sentences],
            "terms": [
                {
                    "term": entry.term,
                    "left": [[span.start, span.end] for span in entry.left],
                    "right": [[span.start, span.end] for span in entry.right],
                }
                for entry in shared
            ],
        }

    def _sentence_row(self, link: Link, pair: SentencePair) -> dict[str, Any]:
        a, b = self.unit(link.left).sentences[pair.left], self.unit(link.right).sentences[pair.right]
        return {"left": [a.start, a.end], "right": [b.start, b.end], "matches": pair.matches}

    def to_jsonl(self, path: str | os.PathLike[str]) -> None:
        """Write one JSON object for each link."""
        with atomic_write(path, "w", encoding="utf-8") as file:
            for row in self.rows():
                file.write(json.dumps(row, ensure_ascii=False) + "\n")

    def to_arrow(self) -> "pa.Table":
        """Return the links as an Arrow table; votes, sentences and terms are nested columns."""
        import pyarrow as pa

        span = pa.list_(pa.int64())
        vote = pa.struct([("list", pa.string()), ("rank", pa.int64()), ("score", pa.float64())])
        pair = pa.struct([("left", span), ("right", span), ("matches", pa.int64())])
        term = pa.struct([("term", pa.string()), ("left", pa.list_(span)), ("right", pa.list_(span))])
        schema = pa.schema(
            [
                ("left", pa.string()),
                ("right", pa.string()),
                ("score", pa.float64()),
                ("rank", pa.int64()),
                ("standout", pa.float64()),
                ("strongest", pa.bool_()),
                ("copy", pa.bool_()),
                ("neighbours", pa.bool_()),
                ("lists", pa.list_(vote)),
                ("left_titles", pa.list_(pa.string())),
                ("right_titles", pa.list_(pa.string())),
                ("left_span", span),
                ("right_span", span),
                ("left_text", pa.string()),
                ("right_text", pa.string()),
                ("sentences", pa.list_(pair)),
                ("terms", pa.list_(term)),
            ]
        )
        records = []
        for row in self.rows():
            row["lists"] = [{"list": name, **vote} for name, vote in row["lists"].items()]
            records.append(row)
        return pa.Table.from_pylist(records, schema=schema)

    def to_pandas(self) -> "pd.DataFrame":
        """Return the links as a pandas data frame."""
        return self.to_arrow().to_pandas()

    def to_polars(self) -> "pl.DataFrame":
        """Return the links as a polars data frame."""
        import polars

        return polars.from_arrow(self.to_arrow())

    def to_parquet(self, path: str | os.PathLike[str]) -> None:
        """Write the table of :meth:`to_arrow`."""
        from likewise.results.tables import write_table

        write_table(self.to_arrow(), path)

    def to_csv(self, path: str | os.PathLike[str]) -> None:
        """Write a table with one row for each link; nested columns as JSON."""
        from likewise.results.tables import write_table

        write_table(self.to_arrow(), path)

    def to_graphml(self, path: str | os.PathLike[str]) -> None:
        """Write a graph with passages as nodes and links as edges."""
        from likewise.results.graphml import write_graphml

        write_graphml(self, path)

    def to_markdown(self, folder: str | os.PathLike[str]) -> None:
        """Write the documents as Markdown with a "See also" list behind each linked passage."""
        from likewise.results.see_also import write_markdown

        write_markdown(self, folder)

    def to_html(self, path: str | os.PathLike[str], title: str | None = None) -> None:
        """Write the stand-alone HTML book."""
        from likewise.results.book import write_book

        write_book(self, path, title)

    def write(self, path: str | os.PathLike[str]) -> None:
        """Write to ``path`` as its ending says: html, jsonl, parquet, csv, tsv, graphml; a folder for Markdown."""
        from likewise.errors import FormatError

        ending = os.path.splitext(os.fspath(path).lower())[1]
        writers = {
            ".html": self.to_html,
            ".htm": self.to_html,
            ".jsonl": self.to_jsonl,
            ".parquet": self.to_parquet,
            ".csv": self.to_csv,
            ".tsv": self.to_csv,
            ".graphml": self.to_graphml,
            "": self.to_markdown,
        }
        if ending not in writers:
            known = ", ".join(word for word in writers if word)
            raise FormatError(f"cannot tell what to write from the name {os.fspath(path)!r}; use {known}, or a folder")
        writers[ending](path)
