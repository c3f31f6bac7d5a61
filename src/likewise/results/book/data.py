"""What the book's script needs to know: spans of sentences and shared terms, in the units of JavaScript's strings."""

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from likewise.results.link_decisions import keys_of

if TYPE_CHECKING:
    from likewise.results.linked_book import Link, LinkedBook

LEVELS = 10
STRONGEST, NEIGHBOURS, COPY = 1, 2, 4


def level(link: "Link", count: int) -> int:
    """Return the strength of a link, from 10 (the best tenth of the list) down to 1; copies have 10."""
    return LEVELS if link.copy else max(1, LEVELS - (link.rank - 1) * LEVELS // max(count, 1))


def script_data(links: "LinkedBook", shown: range) -> str:
    """Return the data as JSON that can stand inside a script element, for a page with the documents of ``shown``.

    ``links``, by number: [left, right, score, level, flags, [[left sentence, right sentence, matches], ...]];
    ``units``: for each linked unit ``s`` (sentence starts and ends) and ``t`` (start, length, term) of the terms that a
    link of it shares, both counted from the start of the passage; a sentence that stands elsewhere, in the title above,
    is [-1, -1]. ``keys`` name the links in decisions, by number.
    """
    count = sum(not link.copy for link in links.links)
    needed: dict[int, set[int]] = {}
    spans: dict[int, dict[int, list[Any]]] = {}
    rows = {}
    on_page = [unit.document in shown for unit in links.book.units]
    keys = {}
    for number, (link, key) in enumerate(zip(links.links, keys_of(links), strict=True)):
        if not (on_page[link.left] or on_page[link.right]):
            continue
        keys[number] = key
        for unit in (link.left, link.right):
            if unit not in spans:
                spans[unit] = links.evidence.spans(unit) if links.evidence is not None else {}
        shared = spans[link.left].keys() & spans[link.right].keys()
        for unit in (link.left, link.right):
            if on_page[unit]:
                needed.setdefault(unit, set()).update(shared)
        flags = STRONGEST * link.strongest + NEIGHBOURS * link.neighbours + COPY * link.copy
        pairs = [[pair.left, pair.right, pair.matches] for pair in link.sentences]
        rows[number] = [link.left, link.right, round(link.score, 3), level(link, count), flags, pairs]
    units = {str(unit): _unit(links, unit, spans[unit], terms) for unit, terms in sorted(needed.items())}
    data = {"links": rows, "units": units, "count": len(links.book.units), "keys": keys}
    text = json.dumps(data, separators=(",", ":"))
    # "</script>" and "<!--" must not end or bend the element.
    return text.replace("<", "\\u003c")


def _unit(links: "LinkedBook", number: int, spans: dict[int, list[Any]], terms: set[int]) -> dict[str, list[int]]:
    unit = links.unit(number)
    passage = links.book.passages[unit.document][unit.passage].span
    place = places(passage.of(links.book.documents[unit.document].text))
    sentences: list[int] = []
    for span in unit.sentences:
        inside = passage.start <= span.start and span.end <= passage.end
        sentences += [place(span.start - passage.start), place(span.end - passage.start)] if inside else [-1, -1]
    found = [
        (span.start, span.end, term)
        for term in terms
        for span in spans[term]
        if passage.start <= span.start and span.end <= passage.end
    ]
    tokens: list[int] = []
    for start, end, term in sorted(found):
        begin = place(start - passage.start)
        tokens += [begin, place(end - passage.start) - begin, term]
    return {"s": sentences, "t": tokens}


def places(text: str) -> Callable[[int], int]:
    """Return what turns an offset in code points into one in UTF-16 units, which JavaScript counts in.

    >>> places("a😀b")(2)
    3
    """
    if not text or max(text) <= "\uffff":
        return lambda offset: offset
    before = [0]
    for letter in text:
        before.append(before[-1] + 1 + (letter > "\uffff"))
    return before.__getitem__
