"""Where copies are written: never onto the sources, and over nothing that Likewise did not write itself."""

import json
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from likewise.errors import StorageError
from likewise.read import Document
from likewise.results.copies import epub, html, markdown, restructured
from likewise.results.copies.assets import assets
from likewise.results.copies.pointers import AS_IT_IS, Additions, additions, format_of, names_of
from likewise.results.copies.subjects import index_pages
from likewise.seals import parse_json
from likewise.segment import Passage
from likewise.storage import all_or_nothing, atomic_write, is_blank
from likewise.targets import COPIES_BROUGHT, COPIES_MARKER_NAME

if TYPE_CHECKING:
    from likewise.results.linked_book import LinkedBook

MARKER = COPIES_MARKER_NAME


def _unchanged(document: Document, _passages: Sequence[Passage], _additions: Additions) -> str:
    """Return the document as it is: nothing points to it or from it."""
    return document.text


_WRITERS = {"markdown": markdown.copy, "html": html.copy, "restructured": restructured.copy, AS_IT_IS: _unchanged}


@dataclass(frozen=True, slots=True)
class Copy:
    """A file of the folder: its name, what is in it, and whether it is only brought along, as it was."""

    name: str
    content: bytes
    brought: bool = False


def copies(links: "LinkedBook") -> Iterator[Copy]:
    """Give the copies, the chapters of an EPUB as one, the index, and what copies use."""
    names = names_of(links)
    plain: dict[str, tuple[Path, str, set[str]]] = {}
    books: dict[tuple[str, str], dict[str, str]] = {}
    terms = {
        number: restructured.glossary_terms(document)
        for number, document in enumerate(links.book.documents)
        if format_of(document.format, document.id) == "restructured" and links.glossary
    }
    found = additions(links, names, terms)
    texts = _written(links, found)
    missing = {
        (number, anchor)
        for number, (text, added) in enumerate(zip(texts, found, strict=True))
        for anchor in added.anchors.values()
        if f'<a id="{anchor}"></a>' not in text and f".. _{anchor}:\n" not in text
    }
    if missing:  # nothing points to a passage that could get no anchor
        found = [one.without(number, missing) for number, one in enumerate(found)]
        texts = _written(links, found)
    for number, (name, document, text) in enumerate(zip(names, links.book.documents, texts, strict=True)):
        archive, inside, chapter = document.source.partition("#")
        if document.format == "epub" and inside:
            depth = chapter.count("/") + 1
            books.setdefault(("/".join(name.split("/")[:-depth]), archive), {})[chapter] = text
        elif format_of(document.format, document.id) == AS_IT_IS and archive and not inside:
            yield Copy(name, Path(archive).read_bytes(), brought=True)
        else:
            yield Copy(name, text.replace("\n", _line_end(archive)).encode())
            if archive and not inside:
                marks = (mark for passage in links.book.passages[number] for mark in passage.marks)
                plain[name] = Path(archive), text, {mark.target for mark in marks if mark.kind == "image"}
    pages = index_pages(links, names, found)
    for (name, archive), chapters in books.items():
        yield Copy(name, epub.copy(archive, chapters, pages.pop(archive, None)))
    yield from (Copy(name, text.encode()) for name, text in pages.items())
    yield from (Copy(name, file.read_bytes(), brought=True) for name, file in assets(plain, pages))


def _line_end(source: str) -> str:
    """Return how lines of a source end, by its first one; what was no file has ours."""
    try:
        with open(source, "rb") as file:
            return "\r\n" if file.readline(1 << 20).endswith(b"\r\n") else "\n"
    except OSError:
        return "\n"


def _written(links: "LinkedBook", found: list[Additions]) -> list[str]:
    return [
        _WRITERS[format_of(document.format, document.id)](document, links.book.passages[number], found[number])
        for number, document in enumerate(links.book.documents)
    ]


def write_copies(links: "LinkedBook", folder: str | os.PathLike[str], *, force: bool = False) -> None:
    """Write a copy of each document into ``folder``, which is new, empty, or was written by this function.

    With ``force`` files of others may be there, and are replaced where they have the name of a copy; the folder of the
    sources is refused in any case.
    """
    target = Path(folder)
    before = _check(links, target, force)
    written, brought = [], []
    with all_or_nothing(target) as made:
        if not (target / MARKER).is_file():
            made.append(target / MARKER)
            _mark(target, before, set())  # a run that is killed can be done again, and what it wrote is no document
        for one in copies(links):
            made.append(target / one.name)
            with atomic_write(target / one.name, "wb") as file:
                file.write(one.content)
            written.append(one.name)
            brought += [one.name] if one.brought else []
        for name in sorted(before - set(written)):
            (target / name).unlink(missing_ok=True)
        _mark(target, written, brought)


def _mark(target: Path, files: Iterable[str], brought: Iterable[str]) -> None:
    """Say in the folder what we wrote there."""
    about = {"written by": "likewise link", "files": sorted(files), COPIES_BROUGHT: sorted(brought)}
    with atomic_write(target / MARKER, "w", encoding="utf-8") as file:
        json.dump(about, file, indent=1)
        file.write("\n")


def outdated(links: "LinkedBook", folder: str | os.PathLike[str]) -> list[str]:
    """Return the copies in ``folder`` that are missing, not what would be written now, or of no document."""
    target = Path(folder)
    found, now = [], set()
    for one in copies(links):
        now.add(one.name)
        try:
            same = (target / one.name).read_bytes() == one.content
        except OSError:
            same = False
        if not same:
            found.append(one.name)
    return sorted({*found, *(_listed(target) - now)})


def _check(links: "LinkedBook", target: Path, force: bool) -> set[str]:
    """Refuse a folder that holds sources or the work of others; return what we wrote there before."""
    place = target.resolve()
    for document in links.book.documents:
        source = document.source.partition("#")[0]
        if source and Path(source).exists():
            file = Path(source).resolve()
            if place == file or place == file.parent or place in file.parents:
                raise StorageError(
                    f"{target} holds the source {source}: copies are never written over sources; name another folder"
                )
    if target.exists() and not target.is_dir():
        raise StorageError(f"{target} is a file; copies are written to a folder")
    before = _listed(target)
    if target.is_dir() and not is_blank(target) and not (target / MARKER).is_file() and not force:
        raise StorageError(
            f"{target} is not empty and was not written by likewise link: name another folder, or use force (--force)"
        )
    return before


def _listed(target: Path) -> set[str]:
    try:
        names = parse_json((target / MARKER).read_text(encoding="utf-8"))["files"]
    except (OSError, ValueError, KeyError, TypeError):
        return set()
    place = target.resolve()
    return {name for name in names if isinstance(name, str) and place in (target / name).resolve().parents}
