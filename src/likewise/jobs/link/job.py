"""``link``: the whole path from files to links."""

import os
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likewise.errors import OptionError
from likewise.jobs.link.book import Book, make_book
from likewise.jobs.link.combine import evaluate, places
from likewise.jobs.link.copies import Copies, find_boilerplate, find_copies
from likewise.jobs.link.evidence import SharedTerms, neighbours, sentence_pairs
from likewise.jobs.link.joins import Ints
from likewise.jobs.link.links import Link, Links, Vote
from likewise.jobs.link.lists import Lists, Ranked
from likewise.jobs.link.options import PAIRS_PER_PARAGRAPH, LinkOptions, ListOptions, as_published
from likewise.jobs.link.presets import PRESETS, Expression, Named, names, parse
from likewise.jobs.link.standout import standouts
from likewise.jobs.link.terms import analyse
from likewise.progress import Progress
from likewise.read import Document, ReadOptions, Skipped, documents
from likewise.read.skipped import OnSkip

Source = str | os.PathLike[str] | Iterable[str | os.PathLike[str]] | Iterable[Document]


def link(
    left: Source,
    right: Source | None = None,
    *,
    options: LinkOptions | None = None,
    lists: Mapping[str, ListOptions] | None = None,
    read: ReadOptions | None = None,
    on_skip: OnSkip | None = None,
    progress: Progress | None = None,
    **changes: Any,
) -> Links:
    """Find the passages that treat the same subject, within one corpus or between two.

    ``left`` and ``right`` are files, folders, globs, or documents. ``changes`` are fields of :class:`LinkOptions`;
    ``lists`` adds lists of your own to the presets, to be named in ``preset``.

    >>> soup = Document("soup", "Clear soup is boiled from bones and vegetables for hours.\\n\\nBread needs no bones.")
    >>> stock = Document("stock", "For stock, bones and vegetables are boiled for hours, like a clear soup.")
    >>> found = link([soup, stock], preset="21", n=1)
    >>> [(found.unit(x.left).id, found.unit(x.right).id) for x in found]
    [('soup:1', 'stock:1')]
    """
    chosen = replace(options or LinkOptions(), **changes) if changes else options or LinkOptions()
    if chosen.faithful:
        chosen = as_published(chosen)
    known = {**PRESETS, **(lists or {})}
    expression = parse(chosen.preset, known)
    skipped: list[Skipped] = []

    def skip(entry: Skipped) -> None:
        skipped.append(entry)
        if on_skip is not None:
            on_skip(entry)

    def opened(source: Source | None) -> Iterable[Document] | None:
        return None if source is None else _documents(source, read, skip)

    book = make_book(opened(left) or (), opened(right), chosen)
    terms = analyse(book, chosen)
    if chosen.boilerplate:
        terms = find_boilerplate(terms, chosen)
    copies = find_copies(terms, chosen) if chosen.copies != "keep" else None
    if copies is not None:
        terms = replace(terms, active=terms.active & (copies.original == np.arange(len(book.units))))
    maker = Lists(
        terms,
        chosen,
        n=chosen.n or max(1, round(PAIRS_PER_PARAGRAPH * int(terms.active.sum()))),
        split=book.split,
        homes=np.array([unit.document for unit in book.units], dtype=np.int64),
        progress=progress,
    )
    ranked = evaluate(expression, maker, known)
    if ranked.scope == "sentence":
        # Links are between passages; a list of sentence pairs shows as the paragraph pairs it proposes.
        ranked = maker.propose(ranked)
    standout = None
    if chosen.order == "standout" and ranked.cosine:
        standout = standouts(terms, ranked, book.split, chosen.threads)
        best_first = np.argsort(-standout, kind="stable")
        ranked, standout = ranked.take(best_first), standout[best_first]
    found = _links(book, maker, ranked, expression, known, standout)
    if copies is not None and chosen.copies == "mark":
        found += _copy_links(book, copies, len(found))
    about = {
        str(name): {"pairs": len(made), "min_matches": made.minimum}
        for name in _wanted(expression)
        for made in [maker.make(name.name, known)]
    }
    return Links(book, tuple(found), chosen, about, tuple(skipped), SharedTerms(book, terms))


def _documents(source: Source, read: ReadOptions | None, skip: OnSkip) -> Iterable[Document]:
    if isinstance(source, str | os.PathLike):
        return documents(source, options=read, on_skip=skip)
    items = list(source)
    if all(isinstance(item, Document) for item in items):
        return items  # type: ignore[return-value]
    if any(isinstance(item, Document) for item in items):
        raise OptionError("left and right must be paths or documents, not both in one list")
    return documents(items, options=read, on_skip=skip)  # type: ignore[arg-type]


def _wanted(expression: Expression) -> list[Named]:
    """The lists that vote: those of the expression; 24 too, which marks the strongest links of the default."""
    found = names(expression)
    if {str(name) for name in found} == {"21", "31sd"}:
        found = [*found, Named("24")]
    return found


def _links(
    book: Book,
    maker: Lists,
    ranked: Ranked,
    expression: Expression,
    known: dict[str, ListOptions],
    standout: NDArray[np.float64] | None,
) -> list[Link]:
    votes: list[tuple[str, Ranked, Ints]] = []
    for name in _wanted(expression):
        made = maker.make(name.name, known)
        if made.scope == "sentence":
            made = maker.propose(made)
        votes.append((str(name), made, places(ranked, made)))
    side_by_side = neighbours(book, ranked.left, ranked.right)
    if maker.options.neighbours == "keep":
        side_by_side[:] = False
    evidence = sentence_pairs(maker, ranked)
    strong = {name for name, _, _ in votes} >= {"24", "31sd"}
    found = []
    for i in range(len(ranked)):
        said = {name: Vote(int(at[i]) + 1, float(made.score[at[i]])) for name, made, at in votes if at[i] >= 0}
        found.append(
            Link(
                int(ranked.left[i]),
                int(ranked.right[i]),
                float(ranked.score[i]),
                i + 1,
                said,
                evidence[i],
                strongest=strong and "24" in said and "31sd" in said,
                neighbours=bool(side_by_side[i]),
                standout=None if standout is None else float(standout[i]),
            )
        )
    return found


def _copy_links(book: Book, copies: Copies, rank: int) -> list[Link]:
    """Each copy is linked to the first passage with its text, behind all links of kinship."""
    pairs = [(int(original), copy) for copy, original in enumerate(copies.original) if original != copy]
    if book.split is not None:
        pairs = [(a, b) for a, b in pairs if a < book.split <= b]
    return [
        Link(a, b, float(copies.score[b]), rank + number, {}, copy=True)
        for number, (a, b) in enumerate(sorted(pairs), start=1)
    ]
