"""The HTML of the book: text with its structure, links as plain links, so that all of it works without scripts."""

import html
import os
from collections.abc import Iterator
from importlib.resources import files
from typing import TYPE_CHECKING

from likewise.results.book.chart import chapters, chart
from likewise.results.book.data import level, script_data
from likewise.results.page import head, tail
from likewise.storage import atomic_write

if TYPE_CHECKING:
    from likewise.results.links import Link, Links
    from likewise.segment import Passage

# So many passages make one piece that the browser lays out only when it comes into view.
_CHUNK = 40
_WORDS = 12


def write_book(links: "Links", path: str | os.PathLike[str], title: str | None = None) -> None:
    """Write the book to ``path``; it appears when it is whole."""
    with atomic_write(path, "w", encoding="utf-8", errors="replace") as file:
        for part in render(links, title):
            file.write(part)


def render(links: "Links", title: str | None = None) -> Iterator[str]:
    """Give the page in parts, in order."""
    name = title or _title(links)
    style = files("likewise.results.book").joinpath("book.css").read_text(encoding="utf-8")
    script = files("likewise.results.book").joinpath("book.js").read_text(encoding="utf-8")
    yield head(name, style, script) + '<a class="skip" href="#text">Skip to the text</a>\n'
    yield from _header(links, name)
    yield '<main id="text">\n'
    yield from _text(links)
    yield "</main>\n"
    yield '<aside id="panel" role="dialog" aria-label="Linked passage" hidden></aside>\n'
    yield f'<script type="application/json" id="data">{script_data(links)}</script>\n' + tail(script)


def _title(links: "Links") -> str:
    documents = links.book.documents
    if len(documents) == 1:
        return documents[0].title or documents[0].id
    books = {document.book for document in documents}
    return books.pop() if len(books) == 1 and "" not in books else f"{len(documents)} documents"


def _header(links: "Links", name: str) -> Iterator[str]:
    count = sum(not link.copy for link in links)
    strongest = sum(link.strongest for link in links)
    copies = len(links) - count
    preset = html.escape(str(links.options.get("preset", "")))
    name = html.escape(name)
    yield (
        f"<header>\n<h1>{name}</h1>\n<p>{len(links.book.units):,} passages, {count:,} links, {strongest:,} of them "
        f"strongest{f'; {copies:,} copies' if copies else ''}. Preset {preset}.</p>\n"
        '<div id="controls">\n<label>Strength <input type="range" id="level" min="1" max="10" value="1"> '
        '<output id="level-value" for="level">all</output></label>\n'
        '<label><input type="checkbox" id="only-strongest"> strongest only</label>\n'
        '<label><input type="checkbox" id="show-neighbours" checked> neighbours</label>\n'
        '<label><input type="checkbox" id="show-copies" checked> copies</label>\n'
        '<span class="keys"><kbd>j</kbd> <kbd>k</kbd> next, previous linked passage · <kbd>Enter</kbd> open · '
        "<kbd>Esc</kbd> close</span>\n</div>\n</header>\n"
    )
    yield '<nav aria-label="Contents">\n<details><summary>Contents</summary>\n<ol>\n'
    for chapter, first, _ in chapters(links):
        yield f'<li><a href="#u{first}">{html.escape(chapter)}</a></li>\n'
    yield f"</ol>\n</details>\n<details open><summary>Map of the links</summary>\n{chart(links)}\n</details>\n</nav>\n"


def _text(links: "Links") -> Iterator[str]:
    ends: dict[int, list[tuple[int, int, Link]]] = {}
    for number, link in enumerate(links):
        ends.setdefault(link.left, []).append((number, link.right, link))
        ends.setdefault(link.right, []).append((number, link.left, link))
    count = sum(not link.copy for link in links)
    at = {(unit.document, unit.passage): number for number, unit in enumerate(links.book.units)}
    for number, document in enumerate(links.book.documents):
        yield f'<section id="d{number}" aria-label="{html.escape(document.id, quote=True)}">\n'
        passages = links.book.passages[number]
        for begin in range(0, len(passages), _CHUNK):
            yield '<div class="chunk">\n'
            for position in range(begin, min(begin + _CHUNK, len(passages))):
                unit = at.get((number, position))
                text = passages[position].span.of(document.text).replace("\x00", "\ufffd")
                yield _passage(passages[position], text, unit)
                if unit is not None and unit in ends:
                    yield _links(links, ends[unit], count)
            yield "</div>\n"
        yield "</section>\n"


def _passage(passage: "Passage", text: str, unit: int | None) -> str:
    """One passage; nothing but the escaped text stands inside its element, so that offsets hold."""
    escaped = html.escape(text, quote=False)
    name = "" if unit is None else f' id="u{unit}"'
    if passage.kind == "title":
        # The page's own title is h1.
        tag = f"h{min(max(passage.level, 1) + 1, 6)}"
        return f"<{tag}{name}>{escaped}</{tag}>\n"
    if passage.kind in ("code", "table", "formula"):
        # The parser drops one line end at the start of pre.
        first = "\n" if escaped.startswith("\n") else ""
        return f'<pre class="{passage.kind}" tabindex="0">{first}{escaped}</pre>\n'
    tag = "blockquote" if passage.kind == "quote" else "p"
    style = "item numbered" if passage.kind == "item" and text[:1] in "(0123456789" else passage.kind
    return f'<{tag}{name} class="{style}">{escaped}</{tag}>\n'


def _links(links: "Links", found: "list[tuple[int, int, Link]]", count: int) -> str:
    items = []
    for number, there, link in found:
        marks = [("strongest", link.strongest), ("neighbours", link.neighbours), ("copy", link.copy)]
        names = " ".join(name for name, on in marks if on)
        unit = links.unit(there)
        passage = links.book.passages[unit.document][unit.passage]
        words = passage.span.of(links.book.documents[unit.document].text).split(maxsplit=_WORDS)
        more = "…" if len(words) > _WORDS else ""
        where = " › ".join(unit.titles[-2:]) or links.book.documents[unit.document].id
        score = "copy" if link.copy else f"{link.score:.2f}"
        items.append(
            f'<li data-level="{level(link, count)}"{f" class={chr(34)}{names}{chr(34)}" if names else ""}>'
            f'<a href="#u{there}" data-link="{number}"><b>{score}</b> <i>{html.escape(where)}</i> '
            f"{html.escape(' '.join(words[:_WORDS]))}{more}</a></li>"
        )
    return f'<ul class="links" aria-label="Related passages">{"".join(items)}</ul>\n'
