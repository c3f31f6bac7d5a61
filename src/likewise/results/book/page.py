"""The HTML of the book: title and contents, then the text with its structure and links, which work without scripts."""

import html
import os
import re
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from likewise.results.book.chart import chart
from likewise.results.book.contents import contents, document_title, heading_id
from likewise.results.book.data import level, script_data
from likewise.results.book.glossary import glossary_lines, glossary_marks
from likewise.results.book.marks import Pictures, marked, targets
from likewise.results.book.pages import Addresses, pages_folder, split
from likewise.results.book.subjects import subject_index
from likewise.results.page import head, tail
from likewise.said import counted
from likewise.storage import all_or_nothing, atomic_write
from likewise.targets import MARKER_NAME, check_target, mark

if TYPE_CHECKING:
    from likewise.results.linked_book import LinkedBook
    from likewise.segment import Passage

# So many passages make one piece that the browser lays out only when it comes into view.
_CHUNK = 40
# So many links are shown beside a passage; the others open on demand.
_SHOWN = 3
_LETTERS = 160


# The page of a folder that a book begins with.
_FRONT_PAGE = re.compile(r"(?:index|contents|readme)(?:\.\w+)*", re.I)


def write_book(
    links: "LinkedBook", path: str | os.PathLike[str], title: str | None = None, split_from: int | None = None
) -> None:
    """Write the book to ``path``; each file appears when it is whole, the book itself last.

    From ``split_from`` passages on its text stands on pages of whole documents, in a folder beside it.
    """
    target = Path(path)
    pages = split(links, split_from) if split_from and sum(map(len, links.book.passages)) >= split_from else []
    if len(pages) < 2:
        _write(target, render(links, title))
        return
    folder = pages_folder(target)
    check_target(folder, force=True)  # pages of an earlier run are replaced, and nothing else
    with all_or_nothing(folder) as made:
        names = [folder / f"{number + 1}.html" for number in range(len(pages))]
        made += [*names, folder / MARKER_NAME]
        mark(folder)
        where = Addresses(links, pages, target.name, folder.name)
        for number, documents in enumerate(pages):
            _write(names[number], where.seen_from(number, render(links, title, documents)))
        for old in set(folder.glob("*.html")) - set(names):
            old.unlink()
        _write(target, where.seen_from(None, render(links, title, range(0))))


def _write(path: Path, parts: Iterator[str]) -> None:
    with atomic_write(path, "w", encoding="utf-8", errors="replace") as file:
        for part in parts:
            file.write(part)


def render(links: "LinkedBook", title: str | None = None, documents: range | None = None) -> Iterator[str]:
    """Give the page in parts, in order: the whole book, or some documents of one that is split; none: its front."""
    name = title or _title(links)
    style = files("likewise.results.book").joinpath("book.css").read_text(encoding="utf-8")
    script = files("likewise.results.book").joinpath("book.js").read_text(encoding="utf-8")
    yield head(name, style, script, images=True) + '<a class="skip" href="#text">Skip to the text</a>\n'
    yield _header(name, searchable=documents is None or bool(documents))
    if not documents:
        yield _front(links)
    shown = range(len(links.book.documents)) if documents is None else documents
    yield '<main id="text">\n'
    yield from _text(links, name, shown)
    yield "</main>\n"
    yield '<aside id="panel" role="dialog" aria-label="Linked passage" hidden></aside>\n'
    yield f'<script type="application/json" id="data">{script_data(links, shown)}</script>\n' + tail(script)


def _title(links: "LinkedBook") -> str:
    documents = links.book.documents
    if len(documents) == 1:
        return document_title(links, 0)
    books = {document.book for document in documents}
    if len(books) == 1 and "" not in books:
        return books.pop()
    first = next((n for n, one in enumerate(documents) if _FRONT_PAGE.fullmatch(one.id) and one.title), None)
    return f"{len(documents)} documents" if first is None else document_title(links, first)


def _header(name: str, searchable: bool) -> str:
    search = '<label>Search <input type="search" id="query" autocomplete="off"></label>\n' if searchable else ""
    return (
        f"<header>\n<h1><a href='#contents'>{html.escape(name)}</a></h1>\n"
        f'<div id="controls">\n{search}'
        '<label>Strength <input type="range" id="level" min="1" max="10" value="1"> '
        '<output id="level-value" for="level">all</output></label>\n'
        '<label><input type="checkbox" id="only-strongest"> strongest only</label>\n'
        '<label><input type="checkbox" id="show-neighbours" checked> neighbours</label>\n'
        '<label><input type="checkbox" id="show-copies" checked> copies</label>\n'
        '<button type="button" id="save" hidden>Save decisions</button>\n'
        '<span class="keys"><kbd>j</kbd> <kbd>k</kbd> linked passages · <kbd>Enter</kbd> go there · '
        "<kbd>/</kbd> search · <kbd>a</kbd> accept · <kbd>r</kbd> reject · <kbd>Esc</kbd> close</span>\n"
        "</div>\n</header>\n"
    )


def _front(links: "LinkedBook") -> str:
    """What the book has in all, its contents, its index and the map."""
    count = sum(not link.copy for link in links.links)
    copies = len(links.links) - count
    said = f"{counted(len(links.book.units), 'passage')}, {counted(count, 'link')}"
    said += f", {counted(copies, 'copy', 'copies')}" if copies else ""
    least = links.minimum()
    said += f" ({least})" if least else ""
    return (
        f'<nav id="contents" aria-label="Contents">\n<p>{said}</p>\n<h2>Contents</h2>\n{contents(links)}'
        f"{subject_index(links)}<details><summary>Map of the links</summary>\n{chart(links)}\n</details>\n</nav>\n"
    )


def _text(links: "LinkedBook", name: str, shown: range) -> Iterator[str]:
    ends = links.ends()
    count = sum(not link.copy for link in links.links)
    at = {(unit.document, unit.passage): number for number, unit in enumerate(links.book.units)}
    known = targets(links)
    pictures = Pictures(links)
    explained, entries = glossary_marks(links), glossary_lines(links)
    for number in shown:
        document = links.book.documents[number]
        title = document_title(links, number)
        yield f'<section id="d{number}" aria-label="{html.escape(title, quote=True)}">\n'
        yield _crumbs(links, name, number)
        passages = links.book.passages[number]
        for begin in range(0, len(passages), _CHUNK):
            yield '<div class="chunk">\n'
            for position in range(begin, min(begin + _CHUNK, len(passages))):
                unit = at.get((number, position))
                passage = passages[position]
                if unit is None and passage.role == "navigation":  # the book has its own
                    continue
                inner = marked(document, passage, known, pictures, explained.get(unit, ()))
                identity = heading_id(number, position) if passage.kind == "title" else ""
                yield _passage(passage, document.text, inner, unit, identity)
                yield entries.get(unit, "")
                if unit is not None and unit in ends:
                    yield _links(links, unit, ends[unit], count)
            yield "</div>\n"
        yield "</section>\n"


def _crumbs(links: "LinkedBook", name: str, number: int) -> str:
    """Where one is, and the way to the documents before and after; nothing in a book of one document."""
    last = len(links.book.documents) - 1
    if not last:
        return ""
    parts = [f'<a href="#contents">{html.escape(name)}</a> › {html.escape(document_title(links, number))}']
    for other, sign in ((number - 1, "←"), (number + 1, "→")):
        if 0 <= other <= last:
            parts.append(f'<a href="#d{other}">{sign} {html.escape(document_title(links, other))}</a>')
    return f'<p class="crumbs">{" · ".join(parts)}</p>\n'


def _passage(passage: "Passage", text: str, inner: str, unit: int | None, identity: str) -> str:
    """One passage; the text inside its element is that of the document, so that offsets hold."""
    name = identity if unit is None else f"u{unit}"
    name = f' id="{name}"' if name else ""
    if passage.kind == "title":
        # The page's own title is h1.
        tag = f"h{min(max(passage.level, 1) + 1, 6)}"
        return f"<{tag}{name}>{inner}</{tag}>\n"
    if passage.kind == "table" and unit is None and "\t" in passage.span.of(text):
        return _table(passage.span.of(text))
    if passage.kind in ("code", "table", "formula"):
        # The parser drops one line end at the start of pre.
        first = "\n" if inner.startswith("\n") else ""
        return f'<pre{name} class="{passage.kind}" tabindex="0">{first}{inner}</pre>\n'
    tag = "blockquote" if passage.kind == "quote" else "p"
    first_letter = passage.span.of(text)[:1]
    style = "item numbered" if passage.kind == "item" and first_letter in "(0123456789" else passage.kind
    return f'<{tag}{name} class="{style} {passage.role}">{inner}</{tag}>\n'


def _table(text: str) -> str:
    """A table whose cells the text parts by tabs and whose rows by line ends."""
    rows = []
    for number, line in enumerate(text.split("\n")):
        tag = "td" if number else "th"
        rows.append(f"<tr>{''.join(f'<{tag}>{html.escape(cell)}</{tag}>' for cell in line.split(chr(9)))}</tr>")
    return f'<div class="scroll" tabindex="0"><table>{"".join(rows)}</table></div>\n'


def _links(links: "LinkedBook", unit: int, found: list[tuple[int, int]], count: int) -> str:
    items = [_item(links, number, unit, there, count) for number, there in found]
    more = items[_SHOWN:]
    rest = ""
    if more:
        rest = (
            f"<li class='rest'><details><summary>and {len(more)} more</summary><ul>{''.join(more)}</ul></details></li>"
        )
    return f'<ul class="links" aria-label="Related passages">{"".join(items[:_SHOWN])}{rest}</ul>\n'


def _item(links: "LinkedBook", number: int, here: int, there: int, count: int) -> str:
    link = links.links[number]
    marks = [("strongest", link.strongest), ("neighbours", link.neighbours), ("copy", link.copy)]
    names = " ".join(name for name, on in marks if on)
    said = _sentence(links, number, there)
    label = html.escape(links.label(there, here) + " (copy)" * link.copy)
    return (
        f'<li data-level="{level(link, count)}"{f" class={chr(34)}{names}{chr(34)}" if names else ""}>'
        f'<a href="#u{there}" data-link="{number}"><b>{label}</b> <span>{html.escape(said)}</span></a></li>'
    )


def _sentence(links: "LinkedBook", number: int, there: int) -> str:
    """The sentence that proves a link, as it stands at the other end; else how the passage begins."""
    link = links.links[number]
    unit = links.unit(there)
    text = links.book.passages[unit.document][unit.passage].span.of(links.book.documents[unit.document].text)
    if link.sentences:
        pair = link.sentences[0]
        said = pair.right if there == link.right else pair.left
        if said >= unit.title_sentences:
            text = links.book.sentence(there, said)
    text = " ".join(text.replace("\x00", "\ufffd").split())
    return text if len(text) <= _LETTERS else text[:_LETTERS].rsplit(" ", 1)[0] + "…"
