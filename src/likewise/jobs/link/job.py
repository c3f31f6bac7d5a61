"""``link``: the whole path from files to links."""

import contextlib
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likewise.analyse.words import has_no_spaces
from likewise.engines.options import EngineOptions
from likewise.errors import OptionError
from likewise.jobs.distributed.asked import Job
from likewise.jobs.link.back_matter import FoundBackMatter
from likewise.jobs.link.book import in_several_formats, left_out, make_book
from likewise.jobs.link.books import are_books, book_names, book_partners, books_of
from likewise.jobs.link.cache import Cache
from likewise.jobs.link.copies import Copies, find_boilerplate, find_copies
from likewise.jobs.link.evidence import SharedTerms, neighbours, sentence_list, sentence_pairs
from likewise.jobs.link.expression import Expression, Named, names, parse, rank_of, ranked, with_own
from likewise.jobs.link.joins import Here
from likewise.jobs.link.nearest import enough
from likewise.jobs.link.opened import Opened, spoken_in
from likewise.jobs.link.options import PAIRS_PER_PARAGRAPH, LinkOptions, ListOptions, as_published
from likewise.jobs.link.presets import PRESETS
from likewise.jobs.link.rankings import PROOF, Ranked, Rankings
from likewise.jobs.link.sentences import analyse
from likewise.jobs.link.vectors import BookVectors, Ints
from likewise.progress import Progress
from likewise.read import Document, ReadOptions, Skipped, documents
from likewise.read.options import TableOptions
from likewise.read.skipped import OnSkip
from likewise.read.texts import given_documents, is_text
from likewise.results.linked_book import Link, Vote
from likewise.results.links import Links
from likewise.results.subjects import is_own_page
from likewise.results.units import Book
from likewise.verb import verb

# Among fewer passages than this, a word that all have may still be what they are about.
FEW = 10
# In no more passages than this, what recurs is what they share, not boilerplate.
_SHARED = 4
# Of characters without spaces so many are a sentence rather than the name of a file.
_LONG_NAME = 12
Source = str | os.PathLike[str] | Iterable[str | os.PathLike[str]] | Iterable[Document] | Mapping[str, Any]


@verb(options=LinkOptions, read=ReadOptions, running=EngineOptions)
def link(
    left: Source,
    right: Source | None = None,
    *,
    options: LinkOptions,
    lists: Mapping[str, ListOptions] | None = None,
    read: ReadOptions,
    update: str | os.PathLike[str] | None = None,
    on_skip: OnSkip | None = None,
    progress: Progress | None = None,
    running: EngineOptions,
) -> Links:
    """Find the passages that treat the same subject, within one corpus or between two.

    ``left`` and ``right`` are files, folders, globs, documents, or texts (a list, ``{id: text}``, a column); several
    books are ``{name: Path(...)}``. ``lists`` adds lists of your own to the presets, to be named in ``preset``.
    ``update`` is a file that keeps what was read and cut: the next run reads only files that have changed.

    With an ``engine`` its tasks read, cut and compare; this process holds numbers and the links, and reads a text from
    the work folder when it is shown.

    >>> soup = Document("soup", "Clear soup is boiled from bones and vegetables for hours.\\n\\nBread needs no bones.")
    >>> stock = Document("stock", "For stock, bones and vegetables are boiled for hours, like a clear soup.")
    >>> found = link([soup, stock], preset="21", n=1)
    >>> [(found.unit(x.left).id, found.unit(x.right).id) for x in found]
    [('soup:1', 'stock:1')]
    """
    chosen = as_published(options) if options.faithful else options
    known = with_own(chosen.preset, {**PRESETS, **(lists or {})})
    expression = parse(chosen.preset, known)
    skipped: list[Skipped] = []

    def skip(entry: Skipped) -> None:
        skipped.append(entry)
        if on_skip is not None:
            on_skip(entry)

    read = replace(read, marks=True)
    cache = None if update is None else Cache(update, read)
    with _opened((left, right), chosen, read, cache, skip, running, str(lists), progress) as opened:
        book, chosen = opened.book, opened.options
        rankings, copies = _compare(opened, known)
        asked = ranked(expression, rankings)
        sentences = sentence_list(book, rankings, asked, chosen.preset) if asked.scope == "sentence" else None
        pairs, standout = _ordered(asked, rankings)
        found = _links(book, rankings, pairs, expression, standout)
        if copies is not None and chosen.copies == "mark":
            found += _copy_links(book, copies, len(found), chosen.books)
        about = _about(rankings, expression)
    notes = [] if found else [why_empty(book, rankings, about)]
    if running.engine is None and book.units:
        several = in_several_formats(book) if book.split is None else None
        notes += [note for note in (left_out(book), several) if note is not None]
    if cache is not None:
        cache.write()
        notes.append(f"documents read: {cache.read}, as before: {cache.kept}")
    choices = rankings.chosen.by_passage(found) if rankings.chosen is not None else None
    return Links(
        book,
        tuple(found),
        asdict(rankings.options),
        about,
        tuple(skipped),
        SharedTerms(book, rankings.terms),
        tuple(notes),
        sentences,
        choices,
        FoundBackMatter(book, rankings.terms, rankings.options),
    )


def _documents(source: Any, read: ReadOptions, skip: OnSkip, cache: Cache | None) -> Iterable[Document]:
    if isinstance(source, Mapping) and are_books(source):
        return books_of(source, lambda one: _documents(one, read, skip, cache))
    if isinstance(source, Iterator):
        source = list(source)
    given = given_documents(source, "documents", _is_text)
    if cache is not None:
        if given is not None:
            raise OptionError("update needs files or folders, which can be read again, not documents or texts")
        return cache.documents(source, skip)
    return documents(source, options=read, on_skip=skip) if given is None else given


def _is_text(item: str) -> bool:
    """Whether a string is a text rather than the path of one: several words, and no file of that name."""
    if len(item.split()) < 2 and not (has_no_spaces(item) and len(item) > _LONG_NAME):
        return False
    return is_text(item)


def _opened(
    sides: tuple[Any, Any],
    options: LinkOptions,
    read: ReadOptions,
    cache: Cache | None,
    skip: OnSkip,
    running: EngineOptions,
    lists: str,
    progress: Progress | None,
) -> contextlib.AbstractContextManager[Opened]:
    """Read, cut and analyse the texts, here or by the tasks of an engine, which then join them."""
    if running.engine is None:
        return contextlib.nullcontext(_here(sides, options, read, cache, skip, progress))
    if cache is not None:
        raise OptionError("update is for one machine; on an engine a work folder keeps what was read")
    from likewise.jobs.distributed.link import opened_on
    from likewise.jobs.distributed.texts import Texts

    texts = Texts(sides, read, lambda source: given_documents(source, "documents", _is_text))
    job = Job(running, TableOptions(), options.threads, progress)
    return opened_on(job, texts, options, skip, {"lists": lists})


def _here(
    given: tuple[Any, Any], options: LinkOptions, read: ReadOptions, cache: Cache | None, skip: OnSkip, progress: Any
) -> Opened:
    sides = [
        None if source is None else [one for one in _documents(source, read, skip, cache) if not is_own_page(one)]
        for source in given
    ]
    options, languages = spoken_in(options, (document.text for side in sides for document in side or ()))
    book = make_book(sides[0] or (), sides[1], options, cache, languages)
    names = [name for source, side in zip(given, sides, strict=True) for name in book_names(source, side or ())]
    book = replace(book, names=tuple(names) if any(names) else ())
    return Opened(book, analyse(book, options), Here(options.threads, progress), options)


def _compare(opened: Opened, known: Mapping[str, ListOptions]) -> tuple[Rankings, Copies | None]:
    """Terms, without what is said everywhere; then vectors; then what makes the lists, copies left out."""
    book, terms, joins, options = opened.book, opened.terms, opened.joins, opened.options
    if options.min_strength is None:
        options = replace(options, min_strength=enough(len(book.units)))
    if options.boilerplate and len(book.units) > _SHARED:
        terms = terms.without(find_boilerplate(terms), options.min_terms)
    vectors = BookVectors(terms, smooth=len(book.units) < FEW and not options.faithful)
    copies = find_copies(vectors, joins) if options.copies != "keep" else None
    if copies is not None:
        vectors.leave_out(copies.original != np.arange(len(book.units)))
    rankings = Rankings(
        vectors,
        options,
        known,
        n=options.n or max(1, round(PAIRS_PER_PARAGRAPH * int(vectors.terms.active.sum()))),
        book=book,
        joins=joins,
    )
    return rankings, copies


def _ordered(pairs: Ranked, rankings: Rankings) -> tuple[Ranked, NDArray[np.float64] | None]:
    """The pairs of paragraphs, those of cosines by how far they stand out; that, too."""
    if pairs.scope == "sentence":
        # Links are between passages; a list of sentence pairs shows as the paragraph pairs it proposes.
        pairs = rankings.propose(pairs)
    if rankings.options.order != "standout" or not pairs.cosine:
        return pairs, pairs.standout
    standout = rankings.near.standouts(pairs.left, pairs.right, pairs.score)
    best_first = np.argsort(-standout, kind="stable")
    return pairs.take(best_first), standout[best_first]


def _about(rankings: Rankings, expression: Expression) -> dict[str, dict[str, Any]]:
    made = {str(name): rankings.make(name.name) for name in _voters(expression)}
    return {name: {"pairs": len(found), "min_matches": found.min_matches} for name, found in made.items()}


def why_empty(book: Book, rankings: Rankings, about: Mapping[str, Mapping[str, Any]]) -> str:
    """Say which setting left no links."""
    options, active = rankings.options, int(rankings.terms.active.sum())
    if not book.documents:
        return "no links: there is no document to read"
    if not book.units:
        return f"no links: no passage has a role that may be linked (roles: {', '.join(options.roles)})"
    if len(book.units) == 1:
        return "no links: there is one passage only; a link needs two"
    if active < 2:
        return (
            f"no links: of {len(book.units)} passages {active} have {max(options.min_terms, 1)} index terms "
            "(min_terms); the others are shorter, copies or boilerplate"
        )
    if not len(rankings.near.left):
        return "no links: no two passages share a term that tells them from the others"
    if str(options.preset) == "kin":
        minimum = options.min_matches or PROOF * options.spoken.terms_per_word
        return (
            f"no links: of {active} passages none has another in a section of its own with {minimum} "
            f"matches in one sentence pair (min_matches) and a strength of {options.min_strength:.2f} (min_strength)"
        )
    sizes = ", ".join(f"{name} {one['pairs']}" for name, one in about.items())
    return f"no links: the preset combines lists with these numbers of pairs: {sizes}"


def _voters(expression: Expression) -> list[Named]:
    """The lists that vote: those of the expression; with the default also those that mark its strongest links."""
    found = names(expression)
    if str(expression) in ("kin", "21+31sd", "31sd+21"):
        found = list(dict.fromkeys([*found, Named("21"), Named("31", proposes=True), Named("24")]))
    return found


def _links(
    book: Book, rankings: Rankings, pairs: Ranked, expression: Expression, standout: NDArray[np.float64] | None
) -> list[Link]:
    votes: list[tuple[str, Ranked, Ints]] = []
    for name in _voters(expression):
        made = rankings.make(name.name)
        if made.scope == "sentence":
            made = rankings.propose(made)
        votes.append((str(name), made, rank_of(pairs, made)))
    side_by_side = neighbours(book, pairs.left, pairs.right)
    if rankings.options.neighbours == "keep":
        side_by_side[:] = False
    evidence = sentence_pairs(rankings, pairs)
    chosen = pairs.choices
    strong = {name for name, _, _ in votes} >= {"24", "31sd"}
    found = []
    for i in range(len(pairs)):
        said = {name: Vote(int(at[i]) + 1, float(made.score[at[i]])) for name, made, at in votes if at[i] >= 0}
        found.append(
            Link(
                int(pairs.left[i]),
                int(pairs.right[i]),
                float(pairs.score[i]),
                i + 1,
                said,
                evidence[i],
                strongest=strong and "24" in said and "31sd" in said,
                neighbours=bool(side_by_side[i]),
                standout=None if standout is None else float(standout[i]),
                strength=None if pairs.strength is None else float(pairs.strength[i]),
                choices=(None, None) if chosen is None else (int(chosen[0][i]) or None, int(chosen[1][i]) or None),
            )
        )
    return found


def _copy_links(book: Book, copies: Copies, rank: int, books: tuple[str, ...]) -> list[Link]:
    """Each copy is linked to the first passage with its text, behind all links of kinship."""
    pairs = [(int(original), copy) for copy, original in enumerate(copies.original) if original != copy]
    if book.split is not None:
        pairs = [(a, b) for a, b in pairs if a < book.split <= b]
    if books:
        names = list(dict.fromkeys(book.names))
        together = book_partners(names, books)
        home = [names.index(book.names[unit.document]) for unit in book.units]
        pairs = [(a, b) for a, b in pairs if together[home[a], home[b]]]
    return [
        Link(a, b, float(copies.score[b]), rank + number, {}, copy=True)
        for number, (a, b) in enumerate(sorted(pairs), start=1)
    ]
