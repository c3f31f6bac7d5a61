"""The lists of Salton and Buckley (1990) for a book, all from one analysis."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from likewise.jobs.link.book import make_book
from likewise.jobs.link.evidence import sentence_list
from likewise.jobs.link.expression import parse, ranked
from likewise.jobs.link.joins import Here
from likewise.jobs.link.options import PAIRS_PER_PARAGRAPH, LinkOptions, as_published
from likewise.jobs.link.presets import PRESETS
from likewise.jobs.link.rankings import Rankings
from likewise.jobs.link.sentences import analyse
from likewise.jobs.link.vectors import BookVectors
from likewise.read import Document


@dataclass(frozen=True, slots=True)
class PublishedList:
    """A list by its number: rows with ``left``, ``right``, texts, titles and score, best first."""

    name: str
    scope: str
    rows: list[dict[str, Any]]
    min_matches: int | None


def published_lists(
    documents: Iterable[Document], names: Sequence[str], options: LinkOptions | None = None
) -> dict[str, PublishedList]:
    """Return the lists of these names exactly as published.

    >>> text = "Clear soup is boiled from bones.\\n\\nBones are boiled for a clear soup.\\n\\nBread is baked."
    >>> soup = Document("soup", text)
    >>> [(row["left"], row["right"]) for row in published_lists([soup], ["21"])["21"].rows]
    [('soup:1', 'soup:2')]
    """
    chosen = as_published(replace(options or LinkOptions(), faithful=True))
    book = make_book(documents, None, chosen)
    terms = analyse(book, chosen)
    n = chosen.n or max(1, round(PAIRS_PER_PARAGRAPH * int(terms.active.sum())))
    rankings = Rankings(BookVectors(terms), chosen, PRESETS, n=n, book=book, joins=Here(chosen.threads))
    found = {}
    for name in names:
        made = ranked(parse(name), rankings)
        if made.scope == "sentence":
            rows = sentence_list(book, rankings, made, name).table.to_pylist()
        else:
            rows = [
                {
                    "left": book.units[left].id,
                    "right": book.units[right].id,
                    "score": score,
                    "left_text": book.text(left),
                    "right_text": book.text(right),
                    "left_titles": list(book.units[left].titles),
                    "right_titles": list(book.units[right].titles),
                }
                for left, right, score in zip(made.left.tolist(), made.right.tolist(), made.score.tolist(), strict=True)
            ]
        found[name] = PublishedList(name, made.scope, rows, made.min_matches)
    return found
