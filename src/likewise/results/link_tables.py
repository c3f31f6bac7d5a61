"""Links as tables: flat records, JSON lines, Arrow."""

import json
import os
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from likewise.errors import OptionError
from likewise.read import Span
from likewise.storage import atomic_write

if TYPE_CHECKING:
    import pyarrow as pa

    from likewise.results.linked_book import Link, LinkedBook


def rows(links: "LinkedBook") -> Iterator[dict[str, Any]]:
    """Give each link as a flat record."""
    for link in links.links:
        left, right = links.unit(link.left), links.unit(link.right)
        yield {
            "left": left.id,
            "right": right.id,
            "score": link.score,
            "rank": link.rank,
            "standout": link.standout,
            "strength": link.strength,
            "strongest": link.strongest,
            "copy": link.copy,
            "neighbours": link.neighbours,
            "lists": {name: {"rank": vote.rank, "score": vote.score} for name, vote in link.votes.items()},
            "left_titles": list(left.titles),
            "right_titles": list(right.titles),
            "left_span": _ends(left.span),
            "right_span": _ends(right.span),
            "left_text": links.text(link.left),
            "right_text": links.text(link.right),
            "sentences": _sentences(links, link),
            "terms": [
                {
                    "term": entry.term,
                    "left": [_ends(span) for span in entry.left],
                    "right": [_ends(span) for span in entry.right],
                }
                for entry in links.shared(link)
            ],
        }


def _ends(span: Span) -> list[int]:
    return [span.start, span.end]


def _sentences(links: "LinkedBook", link: "Link") -> list[dict[str, Any]]:
    left, right = links.unit(link.left).sentences, links.unit(link.right).sentences
    return [
        {"left": _ends(left[pair.left]), "right": _ends(right[pair.right]), "matches": pair.matches}
        for pair in link.sentences
    ]


def write_jsonl(links: "LinkedBook", path: str | os.PathLike[str]) -> None:
    """Write one JSON object for each link."""
    with atomic_write(path, "w", encoding="utf-8") as file:
        for row in rows(links):
            file.write(json.dumps(row, ensure_ascii=False) + "\n")


def arrow(links: "LinkedBook") -> "pa.Table":
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
            ("strength", pa.float64()),
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
    for row in rows(links):
        row["lists"] = [{"list": name, **vote} for name, vote in row["lists"].items()]
        records.append(row)
    return pa.Table.from_pylist(records, schema=schema)


def choices(links: "LinkedBook") -> "pa.Table":
    """Return what each passage chose for itself: its own id, the other's, place, strength, and whether it is a link."""
    import pyarrow as pa

    made = links.choices
    if made is None:
        raise OptionError(f"only with the preset kin do passages choose, not with {links.options.get('preset')}")
    ids, labels = (
        [unit.id for unit in links.book.units],
        [links.label(number) for number in range(len(links.book.units))],
    )
    others = made.other.tolist()
    return pa.table(
        {
            "passage": [ids[number] for number in made.passage.tolist()],
            "place": made.place,
            "other": [ids[number] for number in others],
            "strength": made.strength,
            "link": made.linked,
            "other_label": [labels[number] for number in others],
        }
    )
