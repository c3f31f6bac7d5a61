"""``Links``: the result of linking, and where it can be written."""

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from likewise.errors import FormatError
from likewise.options import check_integer
from likewise.results.base import Marks, Result
from likewise.results.linked_book import Link, LinkedBook
from likewise.said import counted

if TYPE_CHECKING:
    import pyarrow as pa


SPLIT_FROM = 100_000
"""So many passages are too many for one page of a browser."""


@dataclass(frozen=True, slots=True, repr=False)
class Links(LinkedBook, Result[Link]):
    """Links between the passages of a book or corpus, best first; iterate over it, or write it.

    >>> import likewise as lw
    >>> links = lw.link(["Clear soup is boiled from bones for hours.", "For soup, bones are boiled for hours: clear."],
    ...                 preset="21", n=1, min_terms=2, copies="keep", neighbours="keep")
    >>> [(links.unit(link.left).id, links.unit(link.right).id) for link in links]
    [('0:1', '1:1')]
    """

    _noun = ("link", "links")

    def __repr__(self) -> str:
        return (
            f"Links({len(self.links):,} between {counted(len(self.book.units), 'passage')} of "
            f"{counted(len(self.book.documents), 'document')})"
        )

    def __len__(self) -> int:
        return len(self.links)

    def __iter__(self) -> Iterator[Link]:
        return iter(self.links)

    def _at(self, place: int) -> Link:
        return self.links[place]

    def _part(self, places: slice) -> "Links":
        return replace(self, links=self.links[places])

    def _marks(self, value: Link) -> Marks:
        shared = self.shared(value)
        starts = {"left_text": self.unit(value.left).span.start, "right_text": self.unit(value.right).span.start}
        return {
            name: [(span.start - start, span.end - start) for entry in shared for span in getattr(entry, name[:-5])]
            for name, start in starts.items()
        }

    def rows(self) -> Iterator[dict[str, Any]]:
        """Give each link as a flat record."""
        from likewise.results.link_tables import rows

        return rows(self)

    def to_arrow(self) -> "pa.Table":
        """Return the links as an Arrow table; votes, sentences and terms are nested columns."""
        from likewise.results.link_tables import arrow

        return arrow(self)

    def to_jsonl(self, path: str | os.PathLike[str]) -> None:
        """Write one JSON object for each link."""
        from likewise.results.link_tables import write_jsonl

        write_jsonl(self, path)

    def write_choices(self, path: str | os.PathLike[str]) -> None:
        """Write a table of what each passage chose for itself, best first, whether it became a link or not."""
        from likewise.results.link_tables import choices
        from likewise.results.tables import write_table

        write_table(choices(self), path)

    def to_graphml(self, path: str | os.PathLike[str]) -> None:
        """Write a graph with passages as nodes and links as edges."""
        from likewise.results.graphml import write_graphml

        write_graphml(self, path)

    def to_folder(self, folder: str | os.PathLike[str], *, force: bool = False) -> None:
        """Write copies of the documents with a "See also" line behind each linked passage.

        Markdown, reStructuredText, HTML and the pages of EPUBs stay what they are; anything else becomes Markdown. The
        folder must be new, empty or written so before, and can never be that of the sources.
        """
        from likewise.results.copies import write_copies

        write_copies(self, folder, force=force)

    def to_html(
        self, path: str | os.PathLike[str], title: str | None = None, split_from: int | None = SPLIT_FROM
    ) -> None:
        """Write the stand-alone HTML book: one file.

        A book of several documents with ``split_from`` passages or more has pages of whole documents in a folder beside
        it; ``None``: never.
        """
        from likewise.results.book import write_book

        check_integer("split_from", split_from or 0, 0)
        write_book(self, path, title, split_from)

    def write(self, path: str | os.PathLike[str]) -> None:
        """Write to ``path`` as its ending says: html, jsonl, parquet, csv, tsv, graphml; a folder for copies."""
        ending = os.path.splitext(os.fspath(path).lower())[1]
        writers: dict[str, Callable[[str | os.PathLike[str]], None]] = {
            ".html": self.to_html,
            ".htm": self.to_html,
            ".jsonl": self.to_jsonl,
            ".parquet": self.to_parquet,
            ".csv": self.to_csv,
            ".tsv": self.to_csv,
            ".graphml": self.to_graphml,
            "": self.to_folder,
        }
        if ending not in writers:
            known = ", ".join(word for word in writers if word)
            raise FormatError(f"cannot tell what to write from the name {os.fspath(path)!r}; use {known}, or a folder")
        writers[ending](path)
