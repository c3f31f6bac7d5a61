"""The subject index in the book: letters, terms, and the passages that treat them."""

import html
from typing import TYPE_CHECKING

from likewise.results.subjects import Place, Subject, letter_of, told_apart

if TYPE_CHECKING:
    from likewise.results.linked_book import LinkedBook

# Where a term is what the passage is about.
_MAIN = ("glossary", "heading", "definition")


def subject_index(links: "LinkedBook") -> str:
    """Return the index, folded away; nothing for a book that has none."""
    groups = links.subjects.letters()
    if not groups:
        return ""
    jumps = " ".join(f'<a href="#index-{letter}">{letter}</a>' for letter, _ in groups)
    parts = [f'<details class="subjects"><summary>Index</summary>\n<p>{jumps}</p>\n']
    for letter, entries in groups:
        parts.append(f'<h3 id="index-{letter}">{letter}</h3>\n<ul>\n')
        for entry, below in entries:
            inner = "".join(f"<li>{_entry(links, one)}</li>" for one in below)
            parts.append(f"<li>{_entry(links, entry)}{f'<ul>{inner}</ul>' if inner else ''}</li>\n")
        parts.append("</ul>\n")
    return "".join([*parts, "</details>\n"])


def _entry(links: "LinkedBook", subject: Subject) -> str:
    names = told_apart([_names(links, place.unit) for place in subject.places])
    places = ", ".join(_place(links, *both) for both in zip(subject.places, names, strict=True))
    see = "; ".join(f'<a href="#index-{letter_of(term)}">{html.escape(term)}</a>' for term in subject.see)
    return f"{html.escape(subject.term)}: {places}" + (f"; <i>see also</i> {see}" if see else "")


def _place(links: "LinkedBook", place: Place, name: str) -> str:
    main = ' class="main"' if place.why in _MAIN else ""
    label = html.escape(links.label(place.unit), quote=True)
    return f'<a href="#u{place.unit}"{main} title="{label}">{html.escape(name)}</a>'


def _names(links: "LinkedBook", unit: int) -> tuple[str, ...]:
    """What a passage is called in a line of many: its section's title alone, if that is enough."""
    return (*links.unit(unit).titles[-1:], links.label(unit), links.book.path(unit) or links.label(unit))
