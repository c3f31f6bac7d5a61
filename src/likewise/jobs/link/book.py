"""The text to be linked: documents cut into units, passages with sentences and a place."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations

from likewise.jobs.link.cache import Cache
from likewise.jobs.link.options import LinkOptions
from likewise.read import ROLES, Document, Span
from likewise.results.units import Book, Unit
from likewise.segment import Passage, passages

# So many documents are named in a note.
_NAMED = 3
# Formats with so many sentences, this share of which the other has too, hold the same text.
_SENTENCES, _SAME = 20, 0.5
# Anchors that copies with "See also" lines have.
OWN_TARGET = re.compile(r"#see-[0-9a-f]{8}(?:-\d+)?$")


def make_book(
    left: Iterable[Document],
    right: Iterable[Document] | None,
    options: LinkOptions,
    cache: Cache | None = None,
    languages: Sequence[str] = (),
) -> Book:
    """Cut documents into units; with ``right`` the units of the two corpora stand one after the other.

    What the ``cache`` has of an earlier run is not cut again. ``languages`` are codes, one for each document, where
    they are in several.

    >>> book = make_book([Document("a", "One. Two.\\n\\nThree.")], None, LinkOptions())
    >>> [(unit.id, len(unit.sentences)) for unit in book.units]
    [('a:1', 2), ('a:2', 1)]
    """
    documents: list[Document] = []
    parts: list[tuple[Passage, ...]] = []
    units: list[Unit] = []
    split = None
    for side in (left, right):
        for document in side or ():
            code = languages[len(documents)] if languages else options.spoken.code
            found = cache.passages(len(documents), document, code) if cache else tuple(passages(document, code))
            cut = _whole if options.unit == "document" else _units
            units.extend(cut(document, len(documents), found, options))
            documents.append(document)
            parts.append(found)
        if side is left and right is not None:
            split = len(units)
    return Book(tuple(documents), tuple(parts), tuple(units), split, languages=tuple(languages))


def _units(document: Document, number: int, found: tuple[Passage, ...], options: LinkOptions) -> Iterator[Unit]:
    """The passages to link, each with the titles above it that no other has; what is not linked may stand between."""
    above: list[Passage] = []
    # Titles that follow each other begin here, and end before this passage.
    start, behind = 0, -1
    roles = linked_roles(options.roles)
    for position, passage in enumerate(found):
        role = role_of(document, passage)
        linked = role in roles
        if passage.kind == "title":
            linked = options.titles == "alone"
            if options.titles == "with":
                if position != behind:
                    above = [title for title in above if title.level < passage.level]
                    start = passage.span.start
                above.append(passage)
                behind = position + 1
        if linked:
            sentences = tuple(title.span for title in above) + _sentences(passage)
            span = Span(start if above and position == behind else passage.span.start, passage.span.end)
            # Ids count the passages of a document from 1, titles and code included, as a reader would.
            name = f"{document.id}:{position + 1}"
            yield Unit(name, number, position, span, sentences, passage.titles, len(above), passage.kind, role)
            if passage.kind != "title":
                above = []


def _sentences(passage: Passage) -> tuple[Span, ...]:
    """The sentences; code, tables and formulas, where they are to be linked, are one sentence each."""
    return passage.sentences or (passage.span,)


def _whole(document: Document, number: int, found: tuple[Passage, ...], options: LinkOptions) -> Iterator[Unit]:
    """A document as one unit: its titles first, as far as they count, then all sentences that may be linked."""
    roles = linked_roles(options.roles) - {"heading"}
    prose = [position for position, passage in enumerate(found) if role_of(document, passage) in roles]
    if not prose:
        return
    first = prose[0]
    titles = [passage for passage in found[:first] if passage.kind == "title" and options.titles == "with"]
    later = [
        passage
        for passage in found[first:]
        if role_of(document, passage) in roles or (passage.kind == "title" and options.titles == "with")
    ]
    start = titles[0].span.start if titles else found[first].span.start
    sentences = [passage.span for passage in titles] + [span for passage in later for span in _sentences(passage)]
    span = Span(start, later[-1].span.end)
    head = found[first]
    yield Unit(
        document.id, number, first, span, tuple(sentences), head.titles, len(titles), head.kind, role_of(document, head)
    )


def left_out(book: Book) -> str | None:
    """Say which documents have text, but no passage that is linked, and as what it was taken; ``None`` if none has."""
    seen = {unit.document for unit in book.units}
    found = []
    for number, document in enumerate(book.documents):
        roles = [role_of(document, passage) for passage in book.passages[number] if passage.sentences]
        roles = [role for role in roles if role != "heading"]
        if number not in seen and roles:
            found.append(f"{document.id} ({max(roles, key=roles.count)}, passages: {len(roles)})")
    if not found:
        return None
    more = f" and {len(found) - _NAMED} more" if len(found) > _NAMED else ""
    return f"documents of which nothing is linked, by their roles: {', '.join(found[:_NAMED])}{more} (see roles)"


def in_several_formats(book: Book) -> str | None:
    """Say which formats hold the same text, as a manual that is shipped as pages, book and PDF; ``None`` if none do."""
    formats = [document.format for document in book.documents]
    if len(set(formats)) < 2:
        return None
    sentences: dict[str, set[str]] = {}
    for unit in book.units:
        text = book.documents[unit.document].text
        own = (span.of(text) for span in unit.sentences[unit.title_sentences :])
        sentences.setdefault(formats[unit.document], set()).update(_key(one) for one in own)
    same: list[str] = []
    for one, other in combinations(sorted(sentences), 2):
        fewer = min(len(sentences[one]), len(sentences[other]))
        if fewer >= _SENTENCES and len(sentences[one] & sentences[other]) >= _SAME * fewer:
            same += [name for name in (one, other) if name not in same]
    if not same:
        return None
    examples = (f"{name} ({book.documents[formats.index(name)].id})" for name in same)
    return f"the same text in several formats: {', '.join(examples)}; name one of them"


def _key(sentence: str) -> str:
    return "".join(letter for letter in sentence.casefold() if letter.isalnum())


def linked_roles(roles: tuple[str, ...]) -> set[str]:
    """Return the roles that may be linked with any."""
    return {*ROLES} if "all" in roles else {role for entry in roles for role in entry.split("-", 1)}


def role_of(document: Document, passage: Passage) -> str:
    """Return what a passage does in its book; a line that an earlier run of ``link`` added leads elsewhere."""
    text = passage.span.of(document.text)
    targets = [mark.target for mark in passage.marks if mark.kind == "link"]
    added = all(OWN_TARGET.search(target) for target in targets) if targets else document.format != "markdown"
    return "navigation" if text.startswith("See also: ") and added else passage.role
