"""A list of sentence pairs, ranked: what the lists 3, 17, 19, 31 and 35 of Salton and Buckley (1990) are."""

import html
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from likewise.results.base import Result
from likewise.results.page import head, tail
from likewise.storage import atomic_write

if TYPE_CHECKING:
    import pyarrow as pa

_STYLE = (
    "body{font:16px/1.5 system-ui,sans-serif;max-width:75rem;margin:2rem auto;padding:0 1rem}"
    "table{border-collapse:collapse}td,th{padding:.3rem .6rem;border-bottom:1px solid #d5dde5;text-align:left;"
    "vertical-align:top}td small{color:#5a6773;display:block}"
)


@dataclass(frozen=True, slots=True)
class SentenceLink:
    """Two sentences of a list: their ids (passage, and the number of the sentence in it), rank, score and texts.

    ``tf`` ranks pairs of equal matches; it is ``None`` where the score is a cosine.
    """

    left: str
    right: str
    rank: int
    score: float
    tf: float | None
    left_text: str
    right_text: str


@dataclass(frozen=True, slots=True, repr=False)
class SentenceList(Result[SentenceLink]):
    """The sentence pairs of one list, best first.

    ``name`` is the list or expression, ``min_matches`` the number of matches that was asked for or that "auto" chose.
    """

    _noun = ("sentence pair", "sentence pairs")
    table: "pa.Table"
    name: str
    min_matches: int | None = None

    def _value(self, row: dict[str, Any]) -> SentenceLink:
        names = ("left", "right", "rank", "score", "tf", "left_text", "right_text")
        return SentenceLink(**{name: row[name] for name in names})

    @property
    def perfect(self) -> int:
        """How many pairs score 1, for a list by cosine: sentences with the same terms."""
        return sum(1 for row in self.rows() if row["tf"] is None and row["score"] >= 1 - 1e-9)

    def write(self, path: str | os.PathLike[str]) -> None:
        """Write as the name of the file says: also .html."""
        if os.fspath(path).lower().endswith((".html", ".htm")):
            self.to_html(path)
        else:
            Result.write(self, path)

    def to_html(self, path: str | os.PathLike[str]) -> None:
        """Write a page with the pairs side by side."""
        kept = f", at least {self.min_matches} matches" if self.min_matches else ""
        title = f"List {self.name}: {len(self):,} sentence pairs{kept}"
        with atomic_write(path, "w", encoding="utf-8", errors="replace") as file:
            file.write(f"{head(title, _STYLE)}<h1>{html.escape(title)}</h1>\n<table>\n")
            file.write("<tr><th>Rank</th><th>Score</th><th>Left</th><th>Right</th></tr>\n")
            for one in self:
                cells = [_side(one.left, one.left_text), _side(one.right, one.right_text)]
                file.write(f"<tr><td>{one.rank}</td><td>{one.score:.6g}</td>{''.join(cells)}</tr>\n")
            file.write("</table>\n" + tail())


def _side(identity: str, text: str) -> str:
    return f"<td><small>{html.escape(identity)}</small>{html.escape(' '.join(text.split()))}</td>"
