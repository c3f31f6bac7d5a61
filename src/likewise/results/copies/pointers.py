"""What is put into a copy: for each passage its anchor, and where its *See also* line points."""

import hashlib
import os
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from likewise.results.linked_book import LinkedBook

# More than this many pointers behind a paragraph are no help to a reader.
MOST = 5
ANCHOR = re.compile(r"see-[0-9a-f]{8}(?:-\d+)?")
ENDINGS = {"markdown": (".md", ".markdown"), "html": (".html", ".htm", ".xhtml"), "restructured": (".rst",)}
AS_IT_IS = "as it is"
# Programs and settings that lie beside documents: a line more could break them, and another name would.
_PROGRAM = re.compile(
    r"(?:^|/)(?:Makefile|Dockerfile|CMakeLists\.txt|requirements[^/]*\.txt)$"
    r"|\.(?:py|sh|bat|mk|cmake|toml|cfg|ini|ya?ml|conf|dot|gv|pot?|c|h|cc|cpp|hpp|cs|go|java|kt|lua|pl|php|r|rb|rs|sql|ts)$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Pointer:
    """A link to another passage: its words, the file it leads to, the anchor there, and the document's number.

    What stands in a glossary that Sphinx makes is led to by its ``term``, without an anchor.
    """

    label: str
    path: str
    anchor: str
    document: int = 0
    term: str = ""


@dataclass(frozen=True, slots=True)
class Additions:
    """What a document gets, by the number of the passage."""

    anchors: Mapping[int, str] = field(default_factory=dict)
    pointers: Mapping[int, tuple[Pointer, ...]] = field(default_factory=dict)

    def without(self, document: int, missing: Collection[tuple[int, str]]) -> "Additions":
        """Return this, of a document, without anchors that are ``missing`` in theirs, and without what points there."""
        anchors = {number: one for number, one in self.anchors.items() if (document, one) not in missing}
        left = {
            number: tuple(one for one in found if (one.document, one.anchor) not in missing)
            for number, found in self.pointers.items()
        }
        return Additions(anchors, {number: found for number, found in left.items() if found})


def additions(links: "LinkedBook", names: list[str], terms: Mapping[int, Collection[str]]) -> list[Additions]:
    """Return what each document gets; ``names`` are their files.

    ``terms`` are those of the glossaries that Sphinx makes, by document, for all documents that it reads.
    """
    sections = links.book.sections().tolist()
    shown = _shown(links, sections)
    named = {
        (entry.unit, _called(entry.term)): entry.term
        for entry in links.glossary
        if entry.term in terms.get(links.unit(entry.unit).document, ())
    }

    def term_of(here: int, there: int, label: str) -> str:
        return named.get((there, label), "") if links.unit(here).document in terms else ""

    wanted = {
        there for unit, labels in shown.items() for there, label in labels.items() if not term_of(unit, there, label)
    }
    # The index leads to sections, all of which can be led to: which terms it has changes no other file.
    wanted.update(sections if len(links.subjects) else ())
    targets = sorted(wanted)
    anchors = anchors_of(links, targets)
    made: list[tuple[dict[int, str], dict[int, tuple[Pointer, ...]]]] = [({}, {}) for _ in names]
    for unit in targets:
        made[links.unit(unit).document][0][links.unit(unit).passage] = anchors[unit]
    for unit, labels in shown.items():
        here = links.unit(unit)
        homes = ((there, label, links.unit(there).document) for there, label in labels.items())
        pointers = tuple(
            Pointer(
                label,
                relative(names[here.document], names[home]),
                "" if (term := term_of(unit, there, label)) else anchors[there],
                home,
                term,
            )
            for there, label, home in homes
            if reaches(links, here.document, home)
        )
        if pointers:
            made[here.document][1][here.passage] = pointers
    return [Additions(*both) for both in made]


def _shown(links: "LinkedBook", sections: list[int]) -> dict[int, dict[int, str]]:
    """The passages that each passage points to, and what they are called there."""
    shown: dict[int, dict[int, str]] = {}
    for unit, found in links.ends().items():
        places = [there for number, there in found if not links.links[number].copy]
        # Of one section the best: a reader who is sent there sees the others.
        best = {sections[there]: there for there in reversed(places)}
        shown[unit] = {there: links.label(there, unit) for there in places if best[sections[there]] == there}
    for unit, there, label in _glossary(links):
        shown.setdefault(unit, {}).setdefault(there, label)
    return {unit: dict(list(labels.items())[:MOST]) for unit, labels in shown.items()}


def _glossary(links: "LinkedBook") -> Iterator[tuple[int, int, str]]:
    """From passages to the entries of terms that they use first, from entries to what treats them and to others."""
    names = {entry.unit: _called(entry.term) for entry in links.glossary}
    for entry in links.glossary:
        yield from ((use.unit, entry.unit, names[entry.unit]) for use in entry.uses)
        yield from ((entry.unit, place.unit, links.label(place.unit, entry.unit)) for place in entry.treated)
        yield from ((entry.unit, unit, names[unit]) for unit in entry.see)


def _called(term: str) -> str:
    return f"{term} (glossary)"


def anchors_of(links: "LinkedBook", units: list[int]) -> dict[int, str]:
    """Return an anchor for each of the units, made of its own words: it stays when others come and go."""
    anchors: dict[int, str] = {}
    used: dict[tuple[int, str], int] = {}
    for unit in units:
        document = links.unit(unit).document
        passage = links.book.passages[document][links.unit(unit).passage]
        words = " ".join(passage.span.of(links.book.documents[document].text).lower().split())
        name = f"see-{hashlib.blake2b(words.encode('utf-8', 'replace'), digest_size=4).hexdigest()}"
        # Names of reStructuredText hold for all documents together.
        one = links.book.documents[document]
        scope = -1 if format_of(one.format, one.id) == "restructured" else document
        count = used[scope, name] = used.get((scope, name), 0) + 1
        anchors[unit] = name if count == 1 else f"{name}-{count}"
    return anchors


def format_of(document_format: str, identity: str) -> str:
    """Return in which of the formats a document is copied: its own, or Markdown where that cannot be.

    Programs and settings that were read as text are copied as they are (``as it is``).

    >>> format_of("text", "notes.txt"), format_of("text", "docs/conf.py")
    ('markdown', 'as it is')
    """
    if document_format == "text" and _PROGRAM.search(identity):
        return AS_IT_IS
    ending = PurePosixPath(identity.lower()).suffix
    if document_format in ("html", "epub") or ending in ENDINGS["html"]:
        return "html"
    return "restructured" if ending in ENDINGS["restructured"] else "markdown"


def names_of(links: "LinkedBook") -> list[str]:
    """Return file names below the folder, one for each document, that never lead out of it."""
    names: list[str] = []
    used: set[str] = set()
    for document in links.book.documents:
        path = document.id.replace("\\", "/").replace("#", "/")
        parts = [part for part in PurePosixPath(path).parts if part not in ("/", "..", ".")]
        parts = [re.sub(r'[\x00-\x1f:*?"<>|#]', "-", part) for part in parts] or ["document"]
        endings = ENDINGS.get(format_of(document.format, document.id), ())
        if endings and not parts[-1].lower().endswith(endings):
            parts[-1] += endings[0]
        name = "/".join(parts)
        while name.lower() in used:
            stem, dot, ending = name.rpartition(".")
            name = f"{stem}-{dot}{ending}"
        used.add(name.lower())
        names.append(name)
    return names


def reaches(links: "LinkedBook", here: int, there: int) -> bool:
    """Whether a link can lead from one document to the other.

    None leads into an EPUB or out of it, nor from reStructuredText to what Sphinx does not read.
    """
    one, other = links.book.documents[here], links.book.documents[there]
    epubs = [each.source.partition("#")[0] if each.format == "epub" else "" for each in (one, other)]
    kinds = [format_of(each.format, each.id) for each in (one, other)]
    return epubs[0] == epubs[1] and (kinds[0] != "restructured" or kinds[1] == "restructured")


def relative(here: str, there: str) -> str:
    """Return the path from one file to another, as a link has it; empty within a file.

    >>> relative("guide/start.md", "100% (more).md")
    '../100%25%20%28more%29.md'
    """
    if here == there:
        return ""
    path = os.path.relpath(there, os.path.dirname(here) or ".").replace(os.sep, "/")
    return path.replace("%", "%25").replace(" ", "%20").replace("(", "%28").replace(")", "%29")
